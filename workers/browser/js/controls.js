// Every control that a person could use now: native ones, ARIA roles, whatever listens for presses,
// and as the weakest sign the outermost element with a pointer cursor.
const NATIVE = new Set(["BUTTON", "SUMMARY", "SELECT", "TEXTAREA"]);
const ROLES = new Set([
  "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio",
  "option", "combobox", "textbox", "searchbox", "slider", "spinbutton", "treeitem",
]);
const isNative = (el) => {
  const tag = el.tagName;
  if (NATIVE.has(tag)) return true;
  if (tag === "INPUT") return el.type !== "hidden";
  if (tag === "A" || tag === "AREA") return hasAttr(el, "href");
  return el.isContentEditable && hasAttr(el, "contenteditable");
};
const labels = (el) => {
  if (el.tagName !== "LABEL") return false;
  const field = el.control;
  return field !== null && (!shown(field) || rectOf(field).width < 2);
};
const listens = (el) => heard(el) || typeof el.onclick === "function" || hasAttr(el, "onclick") || typeof el.onmousedown === "function";
const pointer = (el) => {
  if ($style(el).cursor !== "pointer") return false;
  const parent = parentOf(el);
  return parent === null || $style(parent).cursor !== "pointer";
};
// A canvas or a page-wide layer that listens is a place, not a control.
const vast = (el) => { const box = rectOf(el); return box.width * box.height > 0.4 * innerWidth * innerHeight; };
const drags = (el) => el.draggable === true && el.tagName !== "A" && el.tagName !== "IMG" || /(^|[\s-])draggable/.test(attr(el, "class")) || /^(grab|move)$/.test($style(el).cursor);
const signOf = (el, inside) => {
  if (isNative(el)) return "native";
  if (ROLES.has(attr(el, "role"))) return "role";
  if (labels(el)) return "label";
  if (attr(el, "aria-hidden") === "true" || has(el, BACKDROP)) return ""; // what only closes a layer
  if (inside) return ""; // a part of a control is the control
  if (listens(el) && (!one(el, HOLDS) || matches(el, ROW)) && !vast(el)) return "listener";
  if (hasAttr(el, "tabindex") && attr(el, "tabindex") !== "-1" && !one(el, HOLDS) && !scrolls(el)) return "tabindex";
  if (el.tagName !== "BODY" && pointer(el) && !one(el, HOLDS)) return "pointer";
  return "";
};
const BACKDROP = /backdrop|overlay|scrim/i;
const scrolls = (el) => el.scrollHeight > el.clientHeight + 4 && /(auto|scroll)/.test($style(el).overflowY);

const boxOf = (el) => {
  let best = null;
  for (const box of apply($rects, el, [])) if (best === null || box.width * box.height > best.width * best.height) best = box;
  return best ?? rectOf(el);
};
// What an ancestor with hidden overflow leaves of a box: a folded drawer is there, but not to be seen.
const clipped = (el, box) => {
  let { left, top, right, bottom } = box;
  for (let at = el.parentElement; at && at.tagName !== "BODY" && at.tagName !== "HTML"; at = at.parentElement) {
    const style = $style(at);
    if (style.overflowX === "hidden" || style.overflowX === "clip") {
      const frame = rectOf(at);
      left = Math.max(left, frame.left);
      right = Math.min(right, frame.right);
    }
    if (style.overflowY === "hidden" || style.overflowY === "clip") {
      const frame = rectOf(at);
      top = Math.max(top, frame.top);
      bottom = Math.min(bottom, frame.bottom);
    }
    if (right - left < 2 || bottom - top < 2) return true;
    if (style.position === "fixed") return false;
  }
  return false;
};
// A field that is cut away while its parent draws it can still be set: a slider of a component library.
const drawnByParent = (el) => el.tagName === "INPUT" && kindOfField(el) === "range" && rectOf(el.parentElement ?? el).width > 4;
// There by size and on the page; a skip link waits off the screen until it is focused.
const reachable = (el) => {
  const box = boxOf(el);
  if (box.width < 2 || box.height < 2) return false;
  const at = offsetOf(el);
  const root = document.documentElement;
  const x = box.left + at.x + window.scrollX;
  const y = box.top + at.y + window.scrollY;
  if (x + box.width <= 0 || y + box.height <= 0) return false;
  if (clipped(el, box)) return false;
  const style = $style(el);
  const cutAway = style.clip === "rect(0px, 0px, 0px, 0px)" || style.clipPath === "inset(50%)";
  if (cutAway && !drawnByParent(el)) return false;
  return x < Math.max(root.scrollWidth, innerWidth) || style.position !== "fixed";
};

const roleOf = (el) => {
  const role = attr(el, "role");
  if (role) return role;
  const tag = el.tagName;
  if (tag === "A" || tag === "AREA") return hasAttr(el, "href") ? "link" : "button";
  if (tag === "INPUT") return { checkbox: "checkbox", radio: "radio", submit: "button", button: "button", reset: "button", image: "button", range: "slider", search: "searchbox" }[el.type] ?? "textbox";
  if (tag === "SELECT") return "combobox";
  if (tag === "TEXTAREA" || el.isContentEditable) return "textbox";
  if (tag === "LABEL") return el.control?.type === "radio" ? "radio" : el.control?.type === "file" ? "button" : "checkbox";
  return "button";
};
const LOOKS_OFF = /(^|[\s_-])disabled($|[\s_-])/;
const isOff = (el) => matches(el, ":disabled") || attr(el, "aria-disabled") === "true" || closest(el, "[inert]") !== null ||
  (!matches(el, "input,select,textarea") && (LOOKS_OFF.test(attr(el, "class")) || LOOKS_OFF.test(attr(el.parentElement ?? el, "class").replace(/.*form.*/, "")))) ||
  $style(el).pointerEvents === "none" || el.readOnly === true;
const checkedOf = (el) => {
  const field = el.tagName === "LABEL" ? el.control : el;
  if (field?.type === "checkbox" || field?.type === "radio") return field.checked;
  const said = attr(el, "aria-checked") || attr(el, "aria-pressed");
  return said === "" ? null : said === "true";
};
const selectedOf = (el) => attr(el, "aria-selected") === "true" || !["", "false"].includes(attr(el, "aria-current")) ||
  (/(^|\s)(active|selected|current)(\s|$)/.test(`${attr(el, "class")} ${attr(el.parentElement ?? el, "class")}`));
const kindOfField = (el) => {
  const tag = el.tagName;
  if (tag === "SELECT") return el.multiple ? "multiple" : "select";
  if (tag === "TEXTAREA" || el.isContentEditable) return "textarea";
  if (tag !== "INPUT") return ["textbox", "searchbox", "spinbutton"].includes(attr(el, "role")) && el.isContentEditable ? "textarea" : "";
  return ["checkbox", "radio", "submit", "button", "reset", "image"].includes(el.type) ? "" : el.type;
};
const LONG = /[0-9]{2,}|[_-]{2}|^(css|jss|sc|MuiBox)-/;
const classKey = (el) => attr(el, "class").split(/\s+/).filter((c) => c && !LONG.test(c) && !/active|selected|current|open|show|hover|focus/.test(c)).sort().slice(0, 4).join(".");

// Icon classes, titles and form actions carry words that the policy reads.
const hintsOf = (el) => {
  const icon = one(el, "i, svg, use, img");
  const form = el.form ?? null;
  const sends = form && (el.type === "submit" || el.tagName === "BUTTON");
  return cut([attr(el, "title"), attr(el, "aria-label"), attr(el, "id"), attr(el, "name"), attr(el, "class"), attr(el, "formaction"), attr(el, "data-action"),
    icon ? attr(icon, "class") + " " + attr(icon, "href") + " " + attr(icon, "data-icon") : "", sends ? attr(form, "action") : ""].join(" ")).slice(0, 200);
};
const fieldOf = (el) => {
  const kind = kindOfField(el);
  if (kind === "") return null;
  const offered = kind === "select" ? el.options : el.list?.options ?? [];
  const options = Array.from(offered, (o) => o.value).slice(0, 20);
  return {
    kind, name: attr(el, "name"), autocomplete: attr(el, "autocomplete"), pattern: attr(el, "pattern"), min: attr(el, "min"), max: attr(el, "max"),
    step: attr(el, "step"), required: el.required === true, empty: (el.value ?? textOf(el)) === "", options, maxlength: el.maxLength > 0 ? el.maxLength : 0, minlength: el.minLength > 0 ? el.minLength : 0,
  };
};
const isFormSend = (el) => (el.type === "submit" || el.type === "image") && !!el.form;
