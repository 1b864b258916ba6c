(name) => {
  const kit = window[name];
  if (kit) kit.guarded = true;
}
