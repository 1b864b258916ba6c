// Counters that only grow, and the time of the last change. An action reads them before and after.
const counts = {
  mutations: 0, requests: 0, history: 0, errors: 0, rejections: 0, dialogs: 0, opened: 0, printed: 0,
  copied: 0, pickers: 0, focus: 0, scroll: 0, inputs: 0, leaves: 0, blocked: 0,
};
const notes = []; // {what, text}: native dialogs, windows, leaves; drained by each reading
let changedAt = now();
let armed = true; // from document start, so that what loading does belongs to the load
let pressed = null; // the element of the running action: its own focus is not an effect
let leaving = null; // {url, at} of a cross-document navigation that has begun

const note = intact((what, said) => { if (notes.length < 50) notes.push({ what, text: text(said).slice(0, 500) }); });
const moved = (name) => { counts[name] += 1; changedAt = now(); };

// Something that changes again and again while nobody acts (a clock, a spinner) is not a response.
const idleChanges = kept(new WeakMap());
const noisy = (target) => {
  const seen = idleChanges.get(target);
  return seen !== undefined && seen.times >= 3;
};
const idle = (target) => {
  const seen = idleChanges.get(target) ?? { times: 0, at: 0 };
  if (now() - seen.at > 50) idleChanges.set(target, { times: seen.times + 1, at: now() });
};
const isTip = (node) => node.nodeType === 1 && matches(node, "[role=tooltip], .tooltip, [class*=tooltip]");
// Nothing to see: a tip that comes or goes, or an attribute set to what it was.
const trifle = (record) => {
  if (record.type === "attributes") return apply($attr, record.target, [record.attributeName]) === record.oldValue;
  if (record.type !== "childList") return false;
  for (const list of [record.addedNodes, record.removedNodes]) for (const node of list) if (!isTip(node)) return false;
  return true;
};
const onMutations = intact((records) => {
  for (const record of records) {
    if (trifle(record)) continue;
    if (!armed) idle(record.target);
    if (!noisy(record.target)) moved("mutations");
  }
});
const observer = new ObserverOf(onMutations);
const watched = { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true };
const watch = (root) => observer.observe(root, watched);
watch(document);

const listen = (type, handler) => window.addEventListener(type, handler, { capture: true, passive: true });
listen("error", (event) => { if (event instanceof ErrorEvent) moved("errors"); });
listen("unhandledrejection", () => moved("rejections"));
listen("focusin", (event) => { if (event.target !== pressed) counts.focus += 1; });
listen("scroll", () => { counts.scroll += 1; });
listen("input", () => { counts.inputs += 1; });
listen("change", () => { counts.inputs += 1; });
listen("pagehide", () => { leaving = leaving ?? { url: "", at: now() }; });
