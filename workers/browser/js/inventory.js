// The list of controls with their keys, made in one walk over what is visible.
const finalCss = (el) => {
  const doc = el.ownerDocument;
  const unique = (selector) => { try { return doc.querySelectorAll(selector).length === 1 ? selector : ""; } catch { return ""; } };
  const quote = (s) => `"${s.replace(/["\\]/g, "\\$&")}"`;
  const tag = el.tagName.toLowerCase();
  const id = attr(el, "id");
  if (id && !/\d{3,}|[:]/.test(id)) { const found = unique(`#${CSS.escape(id)}`); if (found) return found; }
  for (const name of ["data-testid", "data-test", "aria-label", "name"]) {
    const value = attr(el, name);
    const found = value && unique(`${tag}[${name}=${quote(value)}]`);
    if (found) return found;
  }
  return "";
};
const cssPath = (el) => {
  const steps = [];
  for (let at = el; at && at.nodeType === 1 && at.tagName !== "HTML"; at = at.parentElement ?? at.getRootNode().host ?? null) {
    const id = attr(at, "id");
    if (at !== el && id && !/\d{3,}/.test(id)) { steps.unshift(`#${CSS.escape(id)}`); break; }
    let nth = 1;
    for (let sib = at.previousElementSibling; sib; sib = sib.previousElementSibling) if (sib.tagName === at.tagName) nth += 1;
    steps.unshift(`${at.tagName.toLowerCase()}:nth-of-type(${nth})`);
    if (!at.parentElement) steps.unshift("");
  }
  return steps.filter((s, i) => s !== "" || i > 0).join(" > ").replace(/ >  > /g, " ");
};
const framePrefix = (el) => {
  const view = el.ownerDocument.defaultView;
  if (!view || view === window || !view.frameElement) return "";
  const holder = view.frameElement;
  return `${framePrefix(holder)}${finalCss(holder) || cssPath(holder)} >> internal:control=enter-frame >> `;
};
const locatorOf = (el, name, peers) => {
  const css = finalCss(el);
  if (css) return framePrefix(el) + css;
  const tag = el.tagName.toLowerCase();
  if (name && peers === 1 && squeeze(textOf(el)) === name) return `${framePrefix(el)}${tag}:text-is("${name.replace(/["\\]/g, "\\$&")}")`;
  return framePrefix(el) + cssPath(el);
};

let lastKeys = new Map(); // key -> element, of the last inventory
const collect = () => {
  const found = [];
  const leftOut = { rows: 0 };
  sampled.clear();
  const visit = (el, ctx, inside) => {
    if (!shown(el)) return;
    const sign = signOf(el, inside);
    if (sign && reachable(el)) found.push({ el, ctx, sign });
    if (OPAQUE.has(el.tagName)) return;
    const inner = enter(ctx, el);
    const kids = childrenOf(el);
    const rows = inner.site ? null : rowsAmong(el, kids); // a menu in a table is a menu
    if (rows) sample(rows);
    for (const kid of kids) {
      let kidCtx = inner;
      if (sampled.has(kid)) {
        const tag = sampled.get(kid);
        if (tag === null) { leftOut.rows += 1; continue; }
        kidCtx = { ...inner, row: kid, rowTag: tag, path: `${inner.path}/row` };
      } else if (!inner.site && matches(kid, ROW)) kidCtx = { ...inner, row: kid, rowTag: "first", path: `${inner.path}/row` };
      visit(kid, kidCtx, inside || (sign !== "" && sign !== "listener"));
    }
  };
  if (document.body) visit(document.body, OUTSIDE, false);
  return { found, leftOut };
};
const topDialog = (found) => {
  // Behind a modal nothing can be used: the last dialog in document order that is open is on top.
  let top = null;
  for (const { ctx } of found) if (ctx.dialog && modal(ctx.dialog)) top = ctx.dialog;
  return top;
};
const modal = (el) => {
  if (attr(el, "aria-modal") === "true" || matches(el, ":modal")) return true;
  const box = rectOf(el);
  const middle = document.elementFromPoint(innerWidth - 3, innerHeight - 3);
  return box.width * box.height > 0 && middle !== null && middle !== document.body && middle !== document.documentElement &&
    (el.contains(middle) || has(middle, /backdrop|overlay|mask|scrim/i) || $style(middle).position === "fixed");
};
const within = (inner, outer) => { for (let at = inner; at; at = parentOf(at)) if (at === outer) return true; return false; };

const rowName = (el, ctx, name) => {
  // Links that name a row vary from row to row; their place in the row does not.
  const cell = closest(el, "td,th,[role=cell],[role=gridcell]");
  const place = cell ? Array.prototype.indexOf.call(cell.parentElement?.children ?? [], cell) : -1;
  const stable = el.tagName === "A" || el.tagName === "LABEL" || cell?.tagName === "TH" || el === ctx.row ? "" : mask(name);
  return `${ctx.rowTag}|${place}|${stable}`;
};
const scopeOf = (ctx) => ctx.dialog ?? ctx.form ?? null;
const scopeHashes = new Map();
const scopeHash = (scope) => {
  if (scope === null) return "";
  if (!scopeHashes.has(scope)) scopeHashes.set(scope, poolHash([scope]));
  return scopeHashes.get(scope);
};
const scopeShapes = new Map();
const scopeShape = (scope) => {
  if (scope === null) return "";
  if (!scopeShapes.has(scope)) {
    let said = "";
    for (const el of all(scope, HOLDS)) if (shown(el)) said += `${kindOf(el)}|${NATIVE.has(el.tagName) && el.tagName !== "BUTTON" ? "" : mask(nameOf(el))};`;
    scopeShapes.set(scope, hash(said));
  }
  return scopeShapes.get(scope);
};
const screen = () => {
  for (const head of all(document.body, "main h1, main h2, [role=main] h1, h1, h2, [role=heading]")) {
    if (shown(head) && rectOf(head).width > 2 && !closest(head, `${DIALOG}, nav, aside, footer`) && squeeze(textOf(head))) return mask(textOf(head)).slice(0, 60);
  }
  return "";
};
const keyBase = ({ el, ctx }, name, screenName) => {
  const label = ctx.row ? rowName(el, ctx, name) : mask(name);
  const field = mask(attr(el, "name"));
  const place = ctx.site || ctx.dialog ? ctx.path : `${screenName}${ctx.path}`;
  const to = ctx.site && el.tagName === "A" ? pathOf(el.href) : "";
  return `${place}|${roleOf(el)}|${label}|${ctx.row || ctx.site ? "" : classKey(el)}|${field}|${to}`;
};
const listTop = () => {
  const list = one(document.body, "main table, [role=main] table, table, [role=grid], [role=table]");
  return list && shown(list) ? rectOf(list).top : null;
};
const areaOf = ({ el, ctx }, geometry) => {
  if (ctx.row) return "row_actions";
  if (ctx.tabs || attr(el, "role") === "tab") return "detail_tabs";
  if (ctx.site) return "other";
  const top = rectOf(el).top;
  if (ctx.toolbar || closest(el, "[role=search]")) return geometry.list === null && geometry.detail ? "detail_header_actions" : "toolbar";
  if (geometry.list !== null) return top < geometry.list + 4 ? "toolbar" : "other";
  if (geometry.head && top >= geometry.head.top - 60 && top <= geometry.head.bottom + 60 && !ctx.form) return geometry.detail ? "detail_header_actions" : "toolbar";
  return "other";
};
const geometryNow = () => {
  const head = one(document.body, "main h1, main h2, [role=main] h1, h1, h2");
  return { list: listTop(), head: head && shown(head) ? rectOf(head) : null, detail: /\/[^/]*\d+[^/]*(\/|$)/.test(location.pathname) || one(document.body, "[role=tablist]") !== null };
};
const groupOf = (el) => {
  const box = el.tagName === "LABEL" ? el.control : el;
  if (box?.type === "radio") return text(box.name || "radio");
  return attr(el, "role") === "radio" ? text(nameOf(closest(el, "[role=radiogroup]") ?? el) || "radio") : "";
};
const describe = (item, key, name, peers, geometry) => {
  const { el, ctx, sign } = item;
  return {
    key, label: name, role: roleOf(el), tag: el.tagName.toLowerCase(), sign, area: areaOf(item, geometry), site: ctx.site, path: ctx.path,
    row: ctx.rowTag, dialog: ctx.dialog ? titleOf(ctx.dialog) || headingOf(ctx.dialog) || "dialog" : "", menu: ctx.menu !== null, tabs: ctx.tabs,
    in_form: ctx.form !== null, scope: scopeHash(scopeOf(ctx)), shape: scopeShape(scopeOf(ctx)), disabled: isOff(el), checked: checkedOf(el), required: (el.control ?? el).required === true || attr(el, "aria-required") === "true", group: groupOf(el), selected: selectedOf(el),
    expanded: attr(el, "aria-expanded") === "" ? null : attr(el, "aria-expanded") === "true", popup: attr(el, "aria-haspopup"),
    href: el.tagName === "A" || el.tagName === "AREA" ? text(el.href?.baseVal ?? el.href) : "", target: attr(el, "target"), download: hasAttr(el, "download"),
    drags: drags(el), submits: isFormSend(el), method: isFormSend(el) ? text(attr(el, "formmethod") || el.form.method).toUpperCase() : "", hints: hintsOf(el),
    field: fieldOf(el), locator: locatorOf(el, name, peers),
  };
};
const inventory = () => {
  const { found, leftOut } = collect();
  const top = topDialog(found);
  const geometry = geometryNow();
  const screenName = screen();
  scopeHashes.clear();
  scopeShapes.clear();
  const counted = new Map();
  const named = [];
  for (const item of found) {
    if (top && !within(item.el, top) && !(item.ctx.menu && !within(item.ctx.menu, top) && item.ctx.dialog === null && floating(item.ctx.menu))) continue;
    const name = nameOf(item.el);
    const said = `${item.el.tagName}|${squeeze(textOf(item.el))}`;
    counted.set(said, (counted.get(said) ?? 0) + 1);
    named.push({ item, name, said });
  }
  const ordinals = new Map();
  lastKeys = new Map();
  const controls = [];
  for (const { item, name, said } of named) {
    const base = keyBase(item, name, screenName);
    const nth = (ordinals.get(base) ?? 0) + 1;
    ordinals.set(base, nth);
    const key = hash(`${base}|${nth}`);
    lastKeys.set(key, item.el);
    if (controls.length < config.maxControls) controls.push(describe(item, key, name, counted.get(said), geometry));
  }
  return { controls, left_out: leftOut.rows + Math.max(0, named.length - config.maxControls) };
};
