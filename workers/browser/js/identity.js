// Which state a page is in. Siblings of one kind are pooled and their children recursed together, so
// that 25, 250 and 2,000 rows are one state; there are no thresholds.
const hash = (s, seed = 0) => {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let i = 0; i < s.length; i += 1) {
    const c = s.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (b >>> 0).toString(16).padStart(8, "0") + (a >>> 0).toString(16).padStart(8, "0");
};
// Messages that come and go, and tips, are not the state.
const PASSING = "[role=tooltip],[role=status],[role=alert]:not(dialog):not([role=dialog] *),[aria-live=polite],[aria-live=assertive],.toast,.toasts,.toast-container,.snackbar,.tooltip,[class*=Toastify],[class*=notistack]";
const passing = (el) => matches(el, PASSING);

// A part that was pushed off the screen, such as a folded sidebar, is there but not to be seen.
const away = (el) => {
  if (el.childElementCount === 0 || el.ownerDocument !== document) return false;
  const box = rectOf(el);
  return box.width > 0 && box.height > 0 && (box.right + window.scrollX <= 0 || box.bottom + window.scrollY <= 0);
};

const hasText = (el) => {
  for (const node of el.childNodes) if (node.nodeType === 3 && node.nodeValue.trim() !== "") return true;
  return false;
};
const flagsOf = (el) => {
  let flags = hasText(el) ? "t" : "";
  if (el.open === true && (el.tagName === "DETAILS" || el.tagName === "DIALOG")) flags += "o";
  if (attr(el, "aria-expanded") === "true") flags += "e";
  if (attr(el, "aria-selected") === "true" || attr(el, "aria-current") !== "") flags += "s";
  if (attr(el, "aria-invalid") === "true" || /\b(is-)?invalid\b/.test(attr(el, "class"))) flags += "i";
  return flags;
};
// Entries of a menu are told apart by name: what a row's menu holds makes it another state.
const ENTRY = "[role^=menuitem], .dropdown-item";
const kindOf = (el) => {
  const tag = el.tagName;
  if (matches(el, ENTRY)) return `${tag}|entry|${mask(ownText(el)).slice(0, 40)}`;
  const type = tag === "INPUT" || tag === "BUTTON" ? el.type : "";
  const field = tag === "INPUT" || tag === "SELECT" || tag === "TEXTAREA" ? mask(attr(el, "name")) : "";
  return `${tag}|${attr(el, "role")}|${type}|${field}`;
};
const OPAQUE = new Set(["svg", "CANVAS", "VIDEO", "AUDIO", "OBJECT", "EMBED", "SELECT"]);
const poolHash = (group) => {
  const flags = new Set();
  const pools = new Map();
  for (const el of group) {
    for (const flag of flagsOf(el)) flags.add(flag);
    if (OPAQUE.has(el.tagName)) continue;
    for (const child of childrenOf(el)) {
      if (!shown(child) || passing(child) || away(child)) continue;
      const kind = kindOf(child);
      const pool = pools.get(kind);
      if (pool) pool.push(child); else pools.set(kind, [child]);
    }
  }
  const parts = [];
  for (const [kind, pool] of pools) parts.push(`${kind}:${poolHash(pool)}`);
  parts.sort();
  return hash([...flags].sort().join("") + "{" + parts.join(",") + "}");
};
const structure = () => (document.body ? poolHash([document.body]) : "0".repeat(16));
