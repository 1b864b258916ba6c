// The tree a person sees: visible elements, shadow roots (closed ones too) and same-origin frames.
const shown = (el) => apply($visible, el, [{ opacityProperty: true, visibilityProperty: true }]);
const kitOf = (el) => { try { return el.ownerDocument.defaultView?.[config.property] ?? kit; } catch { return kit; } };
const rootOf = (el) => kitOf(el).closedRoot(el) ?? apply($open, el, []);
const heard = (el) => kitOf(el).heard(el);
const SKIP = new Set(["SCRIPT", "STYLE", "LINK", "META", "TEMPLATE", "NOSCRIPT", "HEAD", "TITLE", "BASE"]);

const insideFrame = (el) => {
  if (el.tagName !== "IFRAME" && el.tagName !== "FRAME") return null;
  try { return el.contentDocument?.body ?? null; } catch { return null; }
};
// Element children in the composed tree: a shadow root's own, then the light ones.
const childrenOf = (el) => {
  const found = [];
  const add = (list) => { for (const child of list) if (!SKIP.has(child.tagName)) found.push(child); };
  const root = rootOf(el);
  if (root) add(root.children);
  add(el.children);
  const body = insideFrame(el);
  if (body) found.push(body);
  return found;
};
// Where the frame of an element stands in the top window, so that boxes are comparable.
const offsetOf = (el) => {
  let x = 0;
  let y = 0;
  let view = el.ownerDocument.defaultView;
  while (view && view !== window && view.frameElement) {
    const box = rectOf(view.frameElement);
    x += box.left + view.frameElement.clientLeft;
    y += box.top + view.frameElement.clientTop;
    view = view.parent;
  }
  return { x, y };
};
const parentOf = (el) => el.parentElement ?? el.getRootNode?.()?.host ?? el.ownerDocument?.defaultView?.frameElement ?? null;

const kits = () => {
  const found = [kit];
  const into = (view) => {
    for (let i = 0; i < view.length; i += 1) {
      try { const inner = view[i][config.property]; if (inner) { found.push(inner); into(view[i]); } } catch { /* other origin */ }
    }
  };
  into(window);
  return found;
};
