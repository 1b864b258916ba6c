// Cheap looks at the health of the page, made with every reading.
const startOfText = () => squeeze((document.body?.innerText ?? "").slice(0, 600)).slice(0, 300);
// The first text that shows; asking for all of it would lay out the whole page.
const saysSomething = (el) => {
  for (const node of el.childNodes) if (node.nodeType === 3 && node.nodeValue.trim() !== "") return true;
  for (const child of childrenOf(el)) if (shown(child) && saysSomething(child)) return true;
  return false;
};
const SHOWS = "img,svg,canvas,video,iframe,input,button,select,textarea,object,embed,progress";
const isBlank = () => {
  if (!document.body) return true;
  if (saysSomething(document.body)) return false;
  for (const el of all(document.body, SHOWS)) { const box = rectOf(el); if (box.width > 4 && box.height > 4 && shown(el)) return false; }
  return true;
};
const brokenImages = () => {
  const found = [];
  for (const img of document.images) {
    if (found.length >= 20) break;
    const source = img.currentSrc || img.src;
    if (source && img.complete && img.naturalWidth === 0 && shown(img) && !/^data:image\/svg/.test(source)) found.push(source.slice(0, 300));
  }
  return found;
};
const tableInfo = () => {
  const table = one(document.body, "main table, table, [role=grid], [role=table]");
  if (!table || !shown(table)) return { has_table: false, row_count: 0, column_headers: [] };
  const heads = [];
  for (const head of all(table, "thead th, [role=columnheader]")) if (heads.length < 40) heads.push(cut(ownText(head)));
  return { has_table: true, row_count: all(table, "tbody tr, [role=row]").length, column_headers: heads };
};
const tabNames = () => { const names = []; for (const tab of all(document.body, "[role=tab]")) if (shown(tab) && names.length < 30) names.push(nameOf(tab)); return names; };
const toasts = () => {
  const said = [];
  for (const el of all(document.body, PASSING)) { if (shown(el) && !matches(el, "[role=tooltip],.tooltip")) { const t = squeeze(textOf(el)).slice(0, 120); if (t && said.length < 10) said.push(t); } }
  return said;
};
const openDialogs = () => {
  const names = [];
  for (const el of all(document.body, `${DIALOG}, [class*=modal], [class*=drawer], [class*=popup], [class*=offcanvas]`)) {
    if (names.length < 8 && isDialog(el) && shown(el) && rectOf(el).height > 4 && !names.some((n) => within(el, n.el))) names.push({ el, alert: attr(el, "role") === "alertdialog", name: cut(titleOf(el) || headingOf(el) || "dialog"), fields: all(el, "input:not([type=hidden]),select,textarea").length, buttons: all(el, "button,[role=button],input[type=submit]").length });
  }
  return names.map(({ el, ...rest }) => rest);
};
const LOOKS_MENU = "[class*=dropdown], [class*=menu], [class*=popover], [class*=popper], [class*=listbox]";
const openMenus = () => {
  let n = 0;
  for (const el of all(document.body, MENU)) if (shown(el) && rectOf(el).height > 2) n += 1;
  if (n > 0) return n;
  for (const el of all(document.body, LOOKS_MENU)) if (shown(el) && floating(el) && one(el, HOLDS)) n += 1;
  return n;
};
const openDisclosures = () => { let n = 0; for (const el of all(document.body, "[aria-expanded=true], details[open]")) if (shown(el)) n += 1; return n; };
const invalids = () => all(document.body, "[aria-invalid=true], .is-invalid, .invalid, .error-message, .errorlist, .field-error").length + focusedInvalid();
const focusedInvalid = () => (document.activeElement && matches(document.activeElement, ":user-invalid") ? 1 : 0);
const asksPassword = () => { for (const el of all(document.body, "input[type=password]")) if (shown(el)) return true; return false; };
const health = (fresh) => ({
  blank: isBlank(), heading: squeeze(textOf(one(document.body ?? document.documentElement, "h1") ?? document.createElement("i"))).slice(0, 200), start_of_text: fresh ? startOfText() : "",
  broken_images: brokenImages(), ...tableInfo(), tabs: tabNames(), asks_password: asksPassword(),
});
