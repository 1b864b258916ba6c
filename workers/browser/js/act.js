// Finding a control again, where to press it, and filling a field as typing would.
const findKey = (key) => {
  const known = lastKeys.get(key);
  if (known && known.isConnected && shown(known)) return known;
  inventory();
  return lastKeys.get(key) ?? null;
};
const deepAt = (x, y) => {
  let root = document;
  let at = null;
  let [px, py] = [x, y];
  for (let depth = 0; depth < 12; depth += 1) {
    const found = root.elementFromPoint(px, py);
    if (!found || found === at) break;
    at = found;
    const shadow = rootOf(at);
    const body = insideFrame(at);
    if (shadow) root = shadow;
    else if (body) { const box = rectOf(at); px -= box.left + at.clientLeft; py -= box.top + at.clientTop; root = at.contentDocument; }
    else break;
  }
  return at;
};
const sameControl = (hit, el) => within(hit, el) || within(el, hit) && !matches(hit, "body,html,main,form,dialog") && closest(el, "label,button,a,[role]") === hit ||
  (el.labels && Array.prototype.some.call(el.labels, (label) => within(hit, label))) || (el.tagName === "LABEL" && hit === el.control);
const points = (box) => [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]].map(([fx, fy]) => [box.left + box.width * fx, box.top + box.height * fy]);
const inView = (box, at) => box.top + at.y >= 0 && box.left + at.x >= 0 && box.bottom + at.y <= innerHeight && box.right + at.x <= innerWidth;
const where = (el) => {
  if (!inView(boxOf(el), offsetOf(el))) apply($scroll, el, [{ block: "center", inline: "nearest", behavior: "instant" }]);
  const at = offsetOf(el);
  let hit = null;
  for (const [x, y] of points(boxOf(el))) {
    const here = deepAt(x + at.x, y + at.y);
    if (here && sameControl(here, el)) return { x: x + at.x, y: y + at.y, hit: true, by: "" };
    hit = hit ?? here;
  }
  const [x, y] = points(boxOf(el))[0];
  return { x: x + at.x, y: y + at.y, hit: false, by: hit ? `${hit.tagName.toLowerCase()}${attr(hit, "class") ? `.${attr(hit, "class").split(/\s+/)[0]}` : ""}` : "" };
};
const flagsNow = (el) => ({ checked: checkedOf(el), selected: selectedOf(el), expanded: attr(el, "aria-expanded") === "" ? null : attr(el, "aria-expanded") === "true", off: isOff(el) });
// The effects of a press are counted from its pointerdown on; what hovering did before is not its doing.
let pressComes = false;
const onPointerDown = () => {
  const top = topKit();
  if (top) top.pressBegins();
};
listen("pointerdown", onPointerDown);
const topKit = () => { try { return window.top[config.property]; } catch { return kit; } };
const pressBegins = () => {
  if (!pressComes) return;
  pressComes = false;
  arm();
};
const prepare = (key) => {
  const el = findKey(key);
  if (!el) return { found: false };
  pressed = el;
  const place = where(el);
  arm(); // in case the press never reaches the page
  pressComes = true;
  return { found: true, ...place, ...flagsNow(el) };
};
const pressedFlags = () => (pressed && pressed.isConnected ? flagsNow(pressed) : null);

const setter = (el) => {
  const proto = { INPUT: HTMLInputElement, TEXTAREA: HTMLTextAreaElement, SELECT: HTMLSelectElement }[el.tagName]?.prototype;
  return proto ? getOwnPropertyDescriptor(proto, "value").set : null;
};
const tell = (el, ...types) => { for (const type of types) el.dispatchEvent(new Event(type, { bubbles: true, composed: true })); };
const put = (el, value) => {
  const set = setter(el);
  if (set) apply(set, el, [value]); else el.textContent = value;
  tell(el, "input", "change");
};
// A box is filled by pressing it, if it is not as wanted already.
const tick = (el, value) => {
  const box = el.tagName === "LABEL" && el.control ? el.control : el;
  const before = checkedOf(el) ? "on" : "off";
  if (before !== value) box.click();
  return { found: true, before };
};
const fill = (key, value) => {
  const el = findKey(key);
  if (!el) return { found: false, before: "" };
  pressed = el;
  if (checkedOf(el) !== null && ["on", "off"].includes(value)) return tick(el, value);
  const before = text(el.value ?? textOf(el));
  apply($scroll, el, [{ block: "nearest", behavior: "instant" }]);
  el.focus({ preventScroll: true });
  put(el, value);
  tell(el, "keyup", "blur");
  return { found: true, before };
};
