(held) => {
  const mine = held[location.origin];
  try {
    if (mine && sessionStorage.length === 0) for (const key of Object.keys(mine)) sessionStorage.setItem(key, mine[key]);
  } catch { /* an opaque origin has no storage */ }
}
