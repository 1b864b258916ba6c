// What the worker may ask of the kit. Every answer is JSON text.
const kit = {
  guarded: false,
  counts: () => counts,
  pressBegins,
  heard: (el) => listeners.has(el),
  closedRoot: (el) => closedRoots.get(el),
  idleFor: () => now() - changedAt,
  busy: () => running() > 0 || soon.size > 0,
  armOne: () => { onMutations(observer.takeRecords()); armed = true; atArm = sum1(); dialogsAtArm = counts.dialogs; waitingAtArm = new Set(waiting.keys()); soon.clear(); notes.length = 0; changedAt = now(); },
  disarmOne: () => { onMutations(observer.takeRecords()); armed = false; },
  ignore: (path) => longLived.add(path),
  drainNotes: () => notes.splice(0, notes.length),
  forgetLong: (cap) => { for (const { path, at } of waiting.values()) if (now() - at > cap - 50) longLived.add(path); },
};
const sum1 = () => ({ ...counts });
const LATE_MS = 1500; // for so long what follows is taken for the last action's doing
let sayYes = false;
let acting = false; // whether something on this page was used
const documentId = text(Math.random()).slice(2, 12);

const reading = intact((known) => {
  onMutations(observer.takeRecords());
  const state = structure();
  const said = [];
  for (const k of kits()) for (const n of k.drainNotes()) said.push(n);
  const fresh = !known.includes(state);
  return stringify({
    document: documentId, url: location.href, title: document.title.slice(0, 300), state, screen: screen(), counts: sum(), at_arm: atArm, notes: said,
    flags: pressedFlags(), dialogs: openDialogs(), menus: openMenus(), toasts: toasts(), long_lived: [...longLived], expanded: openDisclosures(), invalid: invalids(), height: document.documentElement.scrollHeight,
    health: health(fresh), loading: fresh ? loadingPlaces() : [], waiting: busy(), inventory: fresh ? inventory() : null,
  });
});
Object.assign(kit, {
  afterLoad: async (waits, known) => { await settleLoad(waits); const said = reading(known); disarm(); return said; },
  afterAction: async (waits, known) => { await settle(waits); const said = reading(known); disarm(); return said; },
  saysYes: () => sayYes,
  acts: () => acting && (armed || now() - armedAt < LATE_MS),
  stay: () => { leaving = null; changedAt = now(); return "1"; },
  prepare: (key, yes) => { acting = true; sayYes = yes === true; return stringify(prepare(key)); },
  fill: (key, value) => { acting = true; sayYes = false; return stringify(fill(key, value)); },
  armNow: () => { arm(); return "1"; },
  inventory: () => stringify(inventory()),
  survey: surveyed,
  focusLast: () => stringify(focusLast()),
  focusBehind,
  beside: () => stringify(besideIt()),
  focusBack,
});
const waits = ["afterLoad", "afterAction"]; // they wait; what they do between two waits is intact
for (const name of Object.keys(kit)) if (typeof kit[name] === "function" && !waits.includes(name)) kit[name] = intact(kit[name]);
defineProperty(window, config.property, { value: kit, enumerable: false, configurable: false, writable: false });
