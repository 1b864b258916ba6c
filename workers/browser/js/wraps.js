// Platform functions that the kit stands in front of: what they do is counted, what would block or
// leave is answered. Each wrapper looks and behaves like the original otherwise.
const wrap = (owner, name, make) => {
  const original = owner?.[name];
  if (typeof original !== "function") return;
  const stand = make(original);
  defineProperty(stand, "name", { value: name });
  defineProperty(stand, "toString", { value: () => `function ${name}() { [native code] }` });
  try { owner[name] = stand; } catch { /* a frozen owner stays as it is */ }
};

// Which elements listen for presses, and the shadow roots that are closed to the page.
const pressTypes = kept(new Set(["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchend"]));
const listeners = kept(new WeakSet());
const closedRoots = kept(new WeakMap());
wrap(EventTarget.prototype, "addEventListener", (original) => function addEventListener(...args) {
  if (pressTypes.has(args[0]) && args[1] && this instanceof Element) listeners.add(this);
  return apply(original, this ?? window, args);
});
wrap(elementProto, "attachShadow", (original) => function attachShadow(...args) {
  const root = apply(original, this, args);
  closedRoots.set(this, root);
  watch(root);
  return root;
});

// Native dialogs never block: they are dismissed, or accepted where the worker says so.
const acts = () => { try { return window.top[config.property].acts(); } catch { return true; } };
const saysYes = () => { try { return window.top[config.property].saysYes(); } catch { return false; } };
const dialog = (kind, answer) => () => function nativeDialog(message = "", preset = "") {
  counts.dialogs += 1;
  changedAt = now();
  if (counts.dialogs - dialogsAtArm <= config.nativeDialogs) note(kind, message);
  else if (kind !== "cut") note("cut", `more than ${config.nativeDialogs} native dialogs`);
  if (kind !== "alert" && saysYes()) return kind === "confirm" ? true : text(preset) || "Maze test";
  return answer;
};
let dialogsAtArm = 0;
wrap(window, "alert", dialog("alert", undefined));
wrap(window, "confirm", dialog("confirm", false));
wrap(window, "prompt", dialog("prompt", null));
wrap(window, "print", () => function print() { moved("printed"); });

// Requests that hold a page open for long (long polls) are told by their path and then ignored.
const waiting = kept(new Map()); // id -> {path, at}
const longLived = kept(new Set());
let requestId = 0;
const pathOf = intact((url) => { try { return new URL(url, document.baseURI).pathname; } catch { return ""; } });
const begin = (url) => {
  const id = (requestId += 1);
  moved("requests");
  waiting.set(id, { path: pathOf(url), at: now() });
  return id;
};
const ended = (id) => { if (waiting.delete(id)) changedAt = now(); };

// A window that the worker does not guard (a popup) must neither write nor ask for what destroys.
const writes = (method) => !/^(GET|HEAD|OPTIONS)$/i.test(text(method || "GET"));
const deniedPath = intact((url) => {
  const parts = pathOf(url).toLowerCase().split("/").filter((part) => part !== "");
  if (parts.some((part) => config.leavePaths.includes(part))) return true;
  return parts.slice(-2).some((part) => part.split(/[-_.]/).some((word) => config.destroyPaths.includes(word)));
});
const held = (url) => {
  counts.blocked += 1;
  note("blocked", `GET ${pathOf(url)}`);
};
const refused = intact((method, url) => {
  if (kit.guarded || !deniedPath(url) && (config.mayWrite || !writes(method))) return false;
  counts.blocked += 1;
  note("blocked", `${text(method).toUpperCase()} ${pathOf(url)}`);
  return true;
});
wrap(window, "fetch", (original) => function fetch(...args) {
  const input = args[0];
  const init = args[1];
  const url = input instanceof Request ? input.url : text(input);
  if (refused(init?.method ?? input?.method, url)) return PromiseOf.reject(new TypeError("Failed to fetch"));
  const id = begin(url);
  const answer = apply(original, this ?? window, args);
  answer.then(() => ended(id), () => ended(id));
  return answer;
});
const xhrs = kept(new WeakMap());
wrap(XMLHttpRequest.prototype, "open", (original) => function open(...args) {
  xhrs.set(this, { method: args[0], url: args[1] });
  return apply(original, this, args);
});
wrap(XMLHttpRequest.prototype, "send", (original) => function send(...args) {
  const to = xhrs.get(this) ?? { method: "GET", url: "" };
  if (refused(to.method, to.url)) throw new DOMException("NetworkError", "NetworkError");
  const id = begin(to.url);
  this.addEventListener("loadend", () => ended(id));
  return apply(original, this, args);
});
wrap(navigator, "sendBeacon", (original) => function sendBeacon(...args) {
  moved("requests");
  return refused("POST", args[0]) ? false : apply(original, this, args);
});

// A form that would post into another window posts here, where the network guard can answer it.
const bringHome = (form) => {
  const target = attr(form, "target");
  if (!writes(form.method) || target === "" || target === "_self") return;
  form.target = "_self";
};
window.addEventListener("submit", intact((event) => bringHome(event.target)), true);
wrap(HTMLFormElement.prototype, "submit", (original) => function submit(...args) {
  bringHome(this);
  if (refused(this.method, this.action)) return undefined;
  return apply(original, this, args);
});

wrap(window, "open", (original) => function open(...args) {
  if (args[0] && deniedPath(args[0])) { held(args[0]); return null; }
  moved("opened");
  note("open", args[0] ?? "about:blank");
  return apply(original, this ?? window, args);
});
// The same for a link into another window, pressed by a script or by us.
const opensDenied = intact((link) => link?.tagName === "A" && !["", "_self"].includes(attr(link, "target")) && deniedPath(text(link.href)));
window.addEventListener("click", intact((event) => {
  const link = event.composedPath().find((el) => el.tagName === "A");
  if (opensDenied(link)) { event.preventDefault(); held(link.href); }
}), true);
wrap(HTMLElement.prototype, "click", (original) => function click(...args) {
  if (opensDenied(this)) return held(this.href);
  return apply(original, this, args);
});

// What an action sends through an open socket may write; what keeps the socket alive goes through.
wrap(window.WebSocket?.prototype, "send", (original) => function send(...args) {
  const path = pathOf(this.url.replace(/^ws/, "http"));
  if (config.readsOnly && acts() && !config.socketPaths.some((prefix) => path.startsWith(prefix))) {
    counts.blocked += 1;
    note("blocked", `WebSocket ${path}`);
    return undefined;
  }
  return apply(original, this, args);
});
for (const name of ["pushState", "replaceState"]) {
  wrap(History.prototype, name, (original) => function history(...args) {
    const before = location.href;
    const answer = apply(original, this, args);
    if (location.href !== before) moved("history");
    return answer;
  });
}
for (const name of ["write", "writeText"]) {
  wrap(window.Clipboard?.prototype, name, () => function copy() { moved("copied"); return PromiseOf.resolve(); });
}
wrap(Document.prototype, "execCommand", (original) => function execCommand(...args) {
  if (/^(copy|cut)$/i.test(args[0])) moved("copied");
  return apply(original, this, args);
});
for (const name of ["showPicker", "showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker"]) {
  wrap(name === "showPicker" ? HTMLInputElement.prototype : window, name, (original) => function picker(...args) {
    moved("pickers");
    return apply(original, this ?? window, args);
  });
}
wrap(HTMLInputElement.prototype, "click", (original) => function click(...args) {
  if (this.type === "file") moved("pickers");
  return apply(original, this, args);
});

// Short timers that an action starts (a debounce, a fade) belong to it; repeating ones do not.
const soon = kept(new Set());
let inTimer = 0;
wrap(window, "setTimeout", (original) => function setTimeout(...given) {
  const handler = given[0];
  const delay = given[1];
  const counted = armed && inTimer < 1 && delay > 0 && delay <= 500 && typeof handler === "function";
  if (!counted) return apply(original, window, given);
  given[0] = (...args) => {
    soon.delete(id);
    changedAt = now();
    inTimer += 1;
    try { apply(handler, window, args); } finally { inTimer -= 1; }
  };
  const id = apply(original, window, given);
  soon.add(id);
  return id;
});
wrap(window, "clearTimeout", (original) => function clearTimeout(id) {
  soon.delete(id);
  return apply(original, window, [id]);
});

// The navigation API tells of a leave at the moment it begins, long before the page goes.
const sameButForHash = (a, b) => a.split("#")[0] === b.split("#")[0];
window.navigation?.addEventListener("navigate", intact((event) => {
  const url = event.destination.url;
  if (event.downloadRequest !== null) return;
  if (event.hashChange || event.destination.sameDocument) {
    const fragment = url.split("#")[1] ?? "";
    if (sameButForHash(url, location.href) && (fragment === "" || url === location.href)) return;
    moved("history");
    return;
  }
  if (!/^(https?|about|blob|data):/.test(url)) return;
  counts.leaves += 1;
  changedAt = now();
  leaving = { url, at: now() };
}));
window.navigation?.addEventListener("navigateerror", () => { leaving = null; changedAt = now(); });
