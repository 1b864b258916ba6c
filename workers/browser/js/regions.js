// Where on the page a control stands. Roles first, class names second, geometry last. A context is
// made anew for each container on the way down, so the whole page is read once.
const has = (el, pattern) => pattern.test(attr(el, "class")) || pattern.test(attr(el, "id"));
const DIALOG = "dialog, [role=dialog], [role=alertdialog], [aria-modal=true]";
const MENU = "[role=menu], [role=listbox], [role=tree], .dropdown-menu";
const MODAL_CLASS = /(^|[\s_-])(modal|dialog|drawer|popup|lightbox|offcanvas)(?![\w]*(backdrop|overlay|trigger|open|toggle))/i;
const NAV_CLASS = /(^|[\s_-])(nav|navbar|sidebar|sidenav|menubar|breadcrumbs?)($|[\s_-])/i;
const TOOLBAR_CLASS = /(^|[\s_-])(toolbar|actions|action-bar|object-tools|btn-toolbar|filters?|search-?bar)($|[\s_-])/i;

const floating = (el) => {
  const style = $style(el);
  if (style.position !== "fixed" && style.position !== "absolute") return false;
  const box = rectOf(el);
  return box.width > 120 && box.height > 60;
};
const isDialog = (el) => matches(el, DIALOG) || (has(el, MODAL_CLASS) && floating(el));
const headingOf = (el) => {
  const head = one(el, "h1,h2,h3,h4,legend,[role=heading],.modal-title,summary,caption");
  return head ? squeeze(textOf(head)) : "";
};
const stableId = (el) => { const id = attr(el, "id"); return id && id.length < 40 ? mask(id) : ""; };
const titleOf = (el) => byIds(el, "aria-labelledby") || attr(el, "aria-label") || stableId(el);

const regionOf = (el) => {
  const tag = el.tagName;
  const role = attr(el, "role");
  if (isDialog(el)) return "dialog";
  if (matches(el, MENU)) return "menu";
  if (role === "tablist") return "tabs";
  if (role === "tabpanel") return "panel";
  if (role === "toolbar") return "toolbar";
  if (tag === "NAV" || role === "navigation") return "nav";
  if (tag === "FOOTER" || role === "contentinfo") return "footer";
  if (tag === "ASIDE" || role === "complementary") return "aside";
  if (tag === "MAIN" || role === "main") return "main";
  if (tag === "HEADER" || role === "banner") return "header";
  if (tag === "FORM" || role === "form" || role === "search") return "form";
  if (tag === "TABLE" || role === "table" || role === "grid" || role === "treegrid") return "table";
  if (tag === "FIELDSET" || tag === "DETAILS" || role === "region" || role === "group") return "group";
  if (tag === "SECTION" || tag === "ARTICLE") return "section";
  if (tag === "UL" && has(el, /(^|\s)(nav-tabs|tabs)($|\s)/)) return "tabs";
  if (has(el, NAV_CLASS) && el.tagName !== "A") return "nav";
  if (has(el, TOOLBAR_CLASS)) return "toolbar";
  return "";
};
// Header and footer belong to the site only outside of the main content.
const settleRegion = (region, ctx) => {
  if ((region === "header" || region === "footer" || region === "aside") && (ctx.main || ctx.dialog)) return "section";
  if (region === "nav" && ctx.dialog) return "section";
  return region;
};
const enter = (ctx, el) => {
  const found = regionOf(el);
  if (found === "") return ctx;
  const region = settleRegion(found, ctx);
  const title = region === "dialog" ? titleOf(el) || mask(headingOf(el)) : titleOf(el);
  const next = { ...ctx, path: `${ctx.path}/${region}${title ? `#${mask(title).slice(0, 40)}` : ""}` };
  if (region === "dialog") Object.assign(next, { dialog: el, form: null, row: null, site: "", toolbar: false, tabs: false, menu: null, path: `/dialog#${mask(title).slice(0, 40)}` });
  else if (region === "menu") next.menu = el;
  else if (region === "tabs") next.tabs = true;
  else if (region === "toolbar") next.toolbar = true;
  else if (region === "main") Object.assign(next, { main: true, site: "" });
  else if (region === "form") next.form = el;
  else if (region === "nav" || region === "header" || region === "footer" || region === "aside") {
    if (!ctx.main && !ctx.row) next.site = region;
  }
  return next;
};
const OUTSIDE = { path: "", dialog: null, menu: null, row: null, rowTag: "", tabs: false, toolbar: false, main: false, form: null, site: "" };

// Rows: siblings of one kind that repeat and hold controls. Of each group the first, a middle one and
// one with a different set of actions are used.
const ROW = "tbody > tr, [role=row]:not(:has([role=columnheader]))";
const HOLDS = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=switch],[role=menuitem],[tabindex],[onclick]";
const NOT_ROWS = "nav,[role=navigation],[role=tablist],[role=menu],[role=menubar],[role=listbox],[role=toolbar],form,fieldset,thead,[role=radiogroup]";
const shapeOf = (row) => {
  let said = "";
  for (const control of all(row, HOLDS)) {
    const name = control.tagName === "A" ? "" : mask(nameOf(control));
    said += `${control.tagName}|${attr(control, "role")}|${name};`;
  }
  return said;
};
const sampled = new Map(); // row element -> tag ("first", "middle", "odd"); null for the rest
// Hidden controls count too: what a row's closed menu holds makes it a row of another kind.
const sample = (rows) => {
  const shapes = rows.map(shapeOf);
  const middle = rows.length > 2 ? Math.floor(rows.length / 2) : -1;
  const odd = shapes.findIndex((shape, i) => i !== 0 && i !== middle && shape !== shapes[0] && shape !== "");
  rows.forEach((row, i) => sampled.set(row, null));
  sampled.set(rows[0], "first");
  if (middle > 0 && config.rows > 1) sampled.set(rows[middle], "middle");
  if (odd > 0 && config.rows > 2) sampled.set(rows[odd], "odd");
  else if (rows.length === 2 && shapes[1] !== shapes[0] && config.rows > 1) sampled.set(rows[1], "odd");
};
const rowsAmong = (el, kids) => {
  if (kids.length < 2) return null;
  const tabular = kids.filter((kid) => matches(kid, ROW));
  if (tabular.length > 0) return tabular.length > 1 ? tabular : null;
  if (kids.length < 4 || closest(el, NOT_ROWS)) return null;
  const kinds = new Map();
  for (const kid of kids) {
    if (!matches(kid, HOLDS) && !one(kid, HOLDS)) continue;
    const kind = `${kid.tagName}|${attr(kid, "class").replace(/\S*(selected|active|current)\S*/gi, "").trim()}`;
    if (kinds.has(kind)) kinds.get(kind).push(kid); else kinds.set(kind, [kid]);
  }
  let alike = [];
  for (const group of kinds.values()) if (group.length > alike.length) alike = group;
  if (alike.length < 4 || alike.length < kids.length * 0.8) return null;
  return alike.length > MENU_MAX || repeat(alike) ? alike : null;
};
// Rows repeat what they hold; the entries of a menu differ in name and address.
const MENU_MAX = 30;
const repeat = (kids) => {
  const kinds = new Set();
  for (const kid of kids) {
    let said = "";
    for (const control of matches(kid, HOLDS) ? [kid] : all(kid, HOLDS)) {
      const href = control.tagName === "A" ? mask(pathOf(control.href)) : "";
      said += `${control.tagName}|${href || mask(nameOf(control))};`;
    }
    kinds.add(said);
  }
  return kinds.size <= kids.length / 2;
};
