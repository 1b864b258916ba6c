// The costly looks, made once per new state: texts, signs of loading, layout, tables. They gather what
// may be wrong; what is a bug is judged by the worker. Nothing here moves the page.
const round = Math.round;
const placeOf = (el) => {
  const steps = [];
  for (let at = el; at && at.tagName !== "BODY" && at.tagName !== "HTML" && steps.length < 3; at = parentOf(at)) {
    const id = stableId(at);
    const name = id ? `#${id}` : classKey(at);
    steps.unshift(at.tagName.toLowerCase() + (name && !id ? `.${name}` : name));
    if (id) break;
  }
  return steps.join(" > ");
};
const spotOf = (el, said, control = false) => ({ text: squeeze(said).slice(0, 160), place: placeOf(el), locator: locatorOf(el, "", 0), control });

// Texts that people see and that are meant for reading: no code, no editors, nothing aria-hidden.
const HUSHED = "[aria-hidden=true],[inert],code,pre,kbd,samp,textarea,[role=textbox],[role=code],[translate=no],[class*=CodeMirror],[class*=monaco],[class*=ace_editor]";
const visibleTexts = () => {
  const found = [];
  const visit = (el) => {
    if (found.length >= 4000 || OPAQUE.has(el.tagName) || !shown(el) || matches(el, HUSHED) || el.isContentEditable) return;
    const inside = rootOf(el) ? [...rootOf(el).childNodes, ...el.childNodes] : el.childNodes;
    for (const node of inside) if (node.nodeType === 3 && node.nodeValue.trim() !== "") found.push({ el, node, said: squeeze(node.nodeValue) });
    for (const kid of childrenOf(el)) visit(kid);
  };
  if (document.body) visit(document.body);
  return found;
};
const SUSPECT = /undefined|NaN|Invalid Date|\[object |\{\{|\$\{|<%|\{%|%\(\w|translation|^\w[\w-]*(\.[\w-]+){2,}$|Traceback|Exception|Uncaught|SQLSTATE|on line \d|^\s*at .*:\d+:\d+/i;
const suspectTexts = (texts) => {
  const found = [];
  const take = (el, said) => { if (SUSPECT.test(said) && found.length < 40) found.push(spotOf(el, said, closest(el, "button,[role=button],option") !== null)); };
  for (const { el, said } of texts) if (said.length < 2000) take(el, said);
  for (const el of all(document.body, "input:not([type=password]):not([type=hidden])")) if (shown(el)) take(el, el.value || attr(el, "placeholder"));
  if (SUSPECT.test(document.title)) found.push({ text: squeeze(document.title).slice(0, 160), place: "title", locator: "title", control: false });
  return found;
};

// Signs that something is on its way: said by role or text, or by a class on what keeps turning.
const SAYS_LOADING = /^(loading|please wait|fetching|wird geladen|laden|chargement|cargando|caricamento)( \p{L}+)?\s*(…|\.{3})$/iu;
const BUSY = "[role=progressbar]:not([aria-valuenow]), [aria-busy=true]";
const turning = (el) => el.getAnimations({ subtree: true }).some((a) => a.playState === "running" && !Number.isFinite(a.effect?.getComputedTiming().endTime));
const onScreen = (box) => box.width > 6 && box.height > 6 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
const loadingNow = () => {
  const found = [];
  if (!document.body) return found;
  for (const el of all(document.body, LOADING)) {
    if (found.length >= 5) break;
    if (closest(el, "[aria-hidden=true]:not(svg)") && !matches(el, BUSY)) continue;
    if (onScreen(rectOf(el)) && shown(el) && (matches(el, BUSY) || turning(el)) && !found.some((f) => within(el, f))) found.push(el);
  }
  for (const el of all(document.body, "p,span,div,td,h1,h2,h3,strong,em,li")) {
    if (found.length >= 5) break;
    if (el.childElementCount === 0 && el.textContent.length < 40 && SAYS_LOADING.test(squeeze(textOf(el))) && onScreen(rectOf(el)) && shown(el) && !found.some((f) => within(el, f))) found.push(el);
  }
  return found;
};
const loadingPlaces = () => loadingNow().map(placeOf);

// Layers: what is taken out of the flow lies on the rest on purpose, so only parts of one layer are compared.
const layerOf = (el, known) => {
  if (el === null || el.tagName === "BODY" || el.tagName === "HTML") return null;
  if (known.has(el)) return known.get(el);
  const style = $style(el);
  const own = /^(fixed|absolute|sticky|-webkit-sticky)$/.test(style.position) || style.transform !== "none" || el.popover !== null && el.popover !== undefined;
  const layer = own ? el : layerOf(parentOf(el), known);
  known.set(el, layer);
  return layer;
};
// What the ancestors' overflow leaves of a box.
const leftOver = (el, box) => {
  let { left, top, right, bottom } = box;
  for (let at = el; at && at.tagName !== "BODY" && at.tagName !== "HTML"; at = parentOf(at)) {
    const style = $style(at);
    if (style.overflowX === "visible" && style.overflowY === "visible") continue;
    const frame = rectOf(at);
    left = Math.max(left, frame.left); right = Math.min(right, frame.right);
    top = Math.max(top, frame.top); bottom = Math.min(bottom, frame.bottom);
    if (right <= left || bottom <= top) return null;
  }
  return { left, top, right, bottom, width: right - left, height: bottom - top };
};
const shared = (a, b) => {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? { width, height, x: Math.max(a.left, b.left) + width / 2, y: Math.max(a.top, b.top) + height / 2 } : null;
};
const opaque = (el) => { const s = $style(el); return s.backgroundImage !== "none" || !/rgba\(.*, 0(\.[0-4]\d*)?\)|transparent/.test(s.backgroundColor); };
const covers = (upper, lower) => { for (let at = upper; at && !within(lower, at); at = parentOf(at)) if (opaque(at)) return true; return false; };
const faint = (el) => { const s = $style(el); return Number(s.opacity) < 0.3 || /rgba\(.*, 0\)|transparent/.test(s.color) || s.writingMode !== "horizontal-tb" || s.pointerEvents === "none"; };
const lies = (first, second, at) => {
  if (at.x < 0 || at.y < 0 || at.x >= innerWidth || at.y >= innerHeight) return true;
  const stack = document.elementsFromPoint(at.x, at.y);
  return stack.includes(first.el) && stack.includes(second.el);
};
const lineBoxes = (texts) => {
  const boxes = [];
  const layers = new Map();
  for (const { el, node, said } of texts) {
    if (boxes.length >= 3000 || said.length < 2 || el.ownerDocument !== document) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of [...range.getClientRects()].slice(0, 3)) {
      const box = line.width > 6 && line.height > 6 ? leftOver(el, line) : null;
      if (box && box.width > 6 && box.height > 6) boxes.push({ el, said, box, layer: layerOf(el, layers) });
    }
  }
  return boxes.sort((a, b) => a.box.top - b.box.top);
};
const apart = (a, b) => !within(a, b) && !within(b, a);
const pairs = (boxes, meets, most) => {
  const found = [];
  let open = [];
  for (const item of boxes) {
    open = open.filter((other) => other.box.bottom > item.box.top + 1);
    for (const other of open) {
      const at = other.layer === item.layer && other.el !== item.el && apart(other.el, item.el) ? shared(other.box, item.box) : null;
      if (at && meets(other, item, at)) found.push([other, item, at]);
      if (found.length >= most) return found;
    }
    open.push(item);
  }
  return found;
};
const inOrder = (a, b) => (a.el.compareDocumentPosition(b.el) & Node.DOCUMENT_POSITION_FOLLOWING ? [a, b] : [b, a]);
const garbled = (a, b, at) => {
  if (at.height < 0.5 * Math.min(a.box.height, b.box.height) || at.width < Math.max(8, 0.2 * Math.min(a.box.width, b.box.width))) return false;
  if (a.said === b.said || faint(a.el) || faint(b.el)) return false;
  const [lower, upper] = inOrder(a, b);
  return lies(a, b, at) && !covers(upper.el, lower.el);
};
const textOverlaps = (boxes) => pairs(boxes, garbled, 5).map((pair) => {
  const [lower, upper] = inOrder(pair[0], pair[1]);
  return { above: spotOf(upper.el, upper.said), below: spotOf(lower.el, lower.said), blocked: false };
});
const pressable = () => {
  const layers = new Map();
  const found = [];
  for (const el of all(document.body, "button,a[href],[role=button],input[type=submit],input[type=button],summary")) {
    if (found.length >= 1500 || !shown(el)) continue;
    const box = leftOver(parentOf(el) ?? el, boxOf(el));
    if (box && box.width >= 8 && box.height >= 8) found.push({ el, said: nameOf(el), box, layer: layerOf(el, layers) });
  }
  return found.sort((a, b) => a.box.top - b.box.top);
};
const crosses = (a, b, at) => at.width * at.height >= 0.3 * Math.min(a.box.width * a.box.height, b.box.width * b.box.height);
const unreachableUnder = (item) => {
  let outside = 0;
  for (const [x, y] of points(item.box)) {
    const hit = document.elementFromPoint(x, y);
    if (hit === null) outside += 1;
    else if (within(hit, item.el) || within(item.el, hit)) return false;
  }
  return outside === 0;
};
const controlOverlaps = () => pairs(pressable(), crosses, 5).map((pair) => {
  const [lower, upper] = inOrder(pair[0], pair[1]);
  return { above: spotOf(upper.el, upper.said, true), below: spotOf(lower.el, lower.said, true), blocked: unreachableUnder(lower) };
});

// Text that a box cuts through. An ellipsis, a clamp, a title or a mask say that it is meant.
const meantShort = (el, holder, said) => {
  for (let at = el; at; at = parentOf(at)) {
    const style = $style(at);
    if (style.textOverflow === "ellipsis" || !/^(none|)$/.test(style.webkitLineClamp ?? "") || !/^(none|)$/.test(style.maskImage ?? "")) return true;
    if (attr(at, "title") || squeeze(attr(at, "aria-label")).includes(said) || style.animationName !== "none") return true;
    if (at === holder) return false;
  }
  return false;
};
const cutBy = (el, box, single) => {
  let depth = 0;
  for (let at = el; at && at.tagName !== "BODY" && depth < 3; at = parentOf(at), depth += 1) {
    const style = $style(at);
    if (/auto|scroll/.test(style.overflowX + style.overflowY)) return null;
    const frame = rectOf(at);
    if (frame.width < 6 || frame.height < 6 || Number.parseFloat(style.textIndent) < -50) return null;
    const cutsX = /hidden|clip/.test(style.overflowX) && (box.right > frame.right + 3 && box.left < frame.right - 2 || box.left < frame.left - 3 && box.right > frame.left + 2);
    const cutsY = /hidden|clip/.test(style.overflowY) && single && (box.bottom > frame.bottom + 0.35 * box.height && box.top < frame.bottom - 2 || box.top < frame.top - 0.35 * box.height && box.bottom > frame.top + 2);
    if (cutsX || cutsY) return at;
  }
  return null;
};
const clippedTexts = (texts) => {
  const found = [];
  for (const { el, node, said } of texts) {
    if (found.length >= 8) break;
    if (said.length < 3 || el.ownerDocument !== document) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = range.getClientRects();
    if (lines.length === 0 || lines.length > 3) continue;
    const box = lines[0];
    const holder = box.width > 4 ? cutBy(el, box, lines.length === 1) : null;
    if (!holder || squeeze(textOf(holder)) !== squeeze(textOf(el)) && !matches(holder, "button,a,[role=button],[role=tab],label")) continue;
    if (!meantShort(el, holder, said) && leftOver(el, box)) found.push(spotOf(el, said));
  }
  return found;
};

// What is kept for screen readers by cutting all of it away.
const cutAway = (el) => { const s = $style(el); return s.clip === "rect(0px, 0px, 0px, 0px)" || /^inset\((50|100)%/.test(s.clipPath); };
const widePart = () => {
  const root = document.scrollingElement ?? document.documentElement;
  const pixels = root.scrollWidth - root.clientWidth;
  const held = /hidden|clip/.test($style(document.documentElement).overflowX) || /hidden|clip/.test($style(document.body).overflowX);
  if (pixels < 8 || held) return null;
  // The part that sticks out furthest, without a part of its own that does.
  let found = null;
  let furthest = root.clientWidth + 4;
  const visit = (el) => {
    if (!shown(el) || $style(el).position === "fixed") return false;
    const box = rectOf(el);
    let deeper = false;
    if ($style(el).overflowX === "visible") for (const kid of childrenOf(el)) deeper = visit(kid) || deeper;
    const right = box.width > 2 && box.height > 2 ? box.right + window.scrollX : 0;
    if (right <= root.clientWidth + 4) return deeper;
    if (!deeper && right > furthest && !cutAway(el)) { found = el; furthest = right; }
    return true;
  };
  for (const kid of childrenOf(document.body)) visit(kid);
  return found ? { pixels: round(pixels), spot: spotOf(found, nameOf(found)) } : null;
};

// A control whose middle no scrolling brings into view, while the part it stands in is on the page.
const PARKED = 1000;
const SKIPS = /skip|sr-only|visually-?hidden|screen-?reader|a11y/i;
const outOf = (el) => {
  const box = rectOf(el);
  const fixed = layerIsFixed(el);
  const x = box.left + box.width / 2 + (fixed ? 0 : window.scrollX);
  const y = box.top + box.height / 2 + (fixed ? 0 : window.scrollY);
  if (x < 0 && x > -PARKED || y < 0 && y > -PARKED) return true;
  return fixed && (x > innerWidth && x < innerWidth + PARKED || y > innerHeight && y < innerHeight + PARKED);
};
const layerIsFixed = (el) => { for (let at = el; at; at = parentOf(at)) if ($style(at).position === "fixed") return true; return false; };
const offscreen = () => {
  const found = [];
  for (const el of all(document.body, "button,a[href],[role=button],summary")) {
    if (found.length >= 5) break;
    const box = rectOf(el);
    if (box.width < 8 || box.height < 8 || !outOf(el) || !shown(el) || isOff(el)) continue;
    if (closest(el, "[aria-hidden=true],[inert]") || attr(el, "tabindex") === "-1" || attr(el, "href").startsWith("#")) continue;
    const parent = parentOf(el);
    if (SKIPS.test(`${attr(el, "class")} ${attr(el, "id")} ${attr(parent ?? el, "class")} ${textOf(el)}`)) continue;
    if (!parent || outOf(parent) || !shown(parent) || rectOf(parent).width < 8 || rectOf(parent).height < 8) continue;
    if (/hidden|clip|auto|scroll/.test($style(parent).overflowX)) continue;
    found.push(spotOf(el, nameOf(el), true));
  }
  return found;
};

// Tables, and the counters that stand before them in the same section.
const COUNTER = /^\(?\d[\d.,]*\)?\s+\p{L}[\p{L}-]*$|\d+\s*[–-]\s*\d+\s+(of|von|de|sur|di)\s+\d+/iu;
const MORE = /^(next|previous|prev|load more|show more|show all|view all|see all|more|older|newer|last|first|»|›|→|>|>>|\d+)$/i;
const morePages = (section, table) => {
  if (one(section, "[class*=pagina], [class*=pager], [aria-label*=agination], [rel=next], [aria-rowcount]") || hasAttr(table, "aria-rowcount")) return true;
  for (const el of all(section, "button,a,[role=button]")) if (!within(el, table) && !closest(el, "nav,aside,header") && MORE.test(nameOf(el))) return true;
  for (let at = table; at && at.tagName !== "BODY"; at = parentOf(at)) if (scrolls(at)) return true;
  return false;
};
const filters = (section) => {
  for (const el of all(section, "input[type=search],input[type=text],select,[aria-pressed=true],[role=tab][aria-selected=true],input:checked")) {
    if (!shown(el) || closest(el, "tbody")) continue;
    if (el.tagName === "SELECT" ? el.selectedIndex > 0 : matches(el, "[role=tab]") ? el.previousElementSibling !== null : el.tagName !== "INPUT" || el.value !== "") return true;
  }
  return false;
};
const tablesNow = (texts) => {
  const found = [];
  for (const table of all(document.body, "table, [role=grid], [role=table]")) {
    if (found.length >= 5 || !shown(table)) continue;
    const section = closest(table, "section,article,[role=tabpanel],dialog,[role=dialog],main,[role=main]") ?? document.body;
    const rows = [...all(table, "tbody > tr, [role=row]:not(:has([role=columnheader]))")].filter((row) => shown(row) && !closest(row, "thead,tfoot"));
    const cells = (row) => all(row, "td,th,[role=cell],[role=gridcell]").length;
    const width = Math.max(0, ...rows.map(cells));
    const single = all(section, "table, [role=grid], [role=table]").length === 1;
    const before = texts.filter(({ el, said }) => COUNTER.test(said) && within(el, section) && !within(el, table) && !closest(el, "nav,aside,button,a,[role=tab]"));
    const heads = [...all(section, "h1,h2,h3,caption"), ...all(document.body, "h1")].map((el) => squeeze(textOf(el))).filter((said) => said.split(" ").length < 3);
    if (single && before.length > 0) found.push({
      rows: rows.filter((row) => cells(row) === width).length, counters: before.slice(0, 3).map(({ el, said }) => spotOf(el, said)), place: placeOf(table),
      words: squeeze(`${heads.join(" ")} ${attr(table, "aria-label")} ${location.pathname.split("/").pop()}`).slice(0, 300), paged: morePages(section, table), filtered: filters(section) || rows.some((row) => cells(row) < width),
    });
  }
  return found;
};

// A dialog that says it is modal, without being one of the browser's own, has to keep the focus itself.
const trapToTest = () => {
  let top = null;
  for (const el of all(document.body, "[aria-modal=true]")) if (shown(el) && rectOf(el).height > 4 && !matches(el, "dialog:modal")) top = el;
  return top && document.querySelector("dialog:modal") === null ? top : null;
};
const TABBABLE = "a[href],button:not([disabled]),input:not([disabled]):not([type=hidden]),select:not([disabled]),textarea:not([disabled]),summary,[tabindex]";
const tabStops = (el) => [...all(el, TABBABLE)].filter((stop) => shown(stop) && stop.tabIndex >= 0 && rectOf(stop).width > 0);
let focusBefore = null;
const focusLast = () => {
  const trap = trapToTest();
  const stops = trap ? tabStops(trap) : [];
  if (stops.length === 0) return false;
  focusBefore = document.activeElement;
  stops[stops.length - 1].focus({ preventScroll: true });
  return document.activeElement === stops[stops.length - 1];
};
const focusBehind = () => {
  const trap = trapToTest();
  const at = document.activeElement;
  const behind = trap && at && at !== document.body && at !== document.documentElement && !within(at, trap) && shown(at) && rectOf(at).width > 2 && !closest(at, "[inert],[aria-hidden=true]");
  const found = behind ? spotOf(at, nameOf(at), true) : null;
  return stringify(found);
};
const focusBack = () => { if (focusBefore?.isConnected) focusBefore.focus({ preventScroll: true }); focusBefore = null; return "1"; };

const besideIt = () => {
  let top = null;
  for (const el of all(document.body, DIALOG)) if (shown(el) && rectOf(el).height > 4 && modal(el)) top = el;
  if (!top) return { found: false };
  const box = rectOf(one(top, DIALOG) ?? top);
  for (const [x, y] of [[4, innerHeight - 4], [innerWidth - 4, innerHeight - 4], [4, 4], [innerWidth - 4, 4]]) {
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) return { found: true, x, y, hit: true };
  }
  return { found: false };
};
const survey = () => {
  if (!document.body) return {};
  const texts = visibleTexts();
  const boxes = lineBoxes(texts);
  const trap = trapToTest();
  return {
    leaks: suspectTexts(texts), loading: loadingNow().map((el) => spotOf(el, ownText(el))), overlaps: [...controlOverlaps(), ...textOverlaps(boxes)], clipped: clippedTexts(texts),
    wide: widePart(), offscreen: offscreen(), tables: tablesNow(texts), modal: trap ? titleOf(trap) || headingOf(trap) || "dialog" : "",
  };
};
// A sign of loading counts once it has been there for long.
const surveyed = async (idleMs, busyMs) => {
  while (loadingNow().length > 0 && now() - armedAt < (busy() ? busyMs : idleMs)) await new PromiseOf((done) => later(done, 100));
  return stringify(survey());
};
