// What a control is called, as a person or a screen reader would say it.
const LABEL_MAX = 80;
const cut = (s) => { const t = squeeze(s); return t.length > LABEL_MAX ? `${t.slice(0, LABEL_MAX - 1)}…` : t; };

const byIds = (el, name) => {
  const parts = [];
  for (const id of attr(el, name).split(/\s+/)) {
    const found = id && el.getRootNode().getElementById?.(id);
    if (found) parts.push(textOf(found));
  }
  return squeeze(parts.join(" "));
};
const VALUES = new Set(["SELECT", "TEXTAREA", "DATALIST"]);
// The text of an element without its icons and form values; of a visible one without what is hidden.
const ownText = (el, visible = shown(el)) => {
  let said = "";
  for (const node of el.childNodes) {
    if (node.nodeType === 3) said += node.nodeValue;
    else if (node.nodeType === 1 && !SKIP.has(node.tagName) && !VALUES.has(node.tagName)) {
      if (node.tagName === "svg" || attr(node, "aria-hidden") === "true" || (visible && !shown(node))) continue;
      said += ` ${node.tagName === "IMG" ? attr(node, "alt") : ownText(node, visible)} `;
    }
    if (said.length > 400) break;
  }
  return said;
};
const fromLabels = (el) => {
  if (!el.labels || el.labels.length === 0) return "";
  return squeeze(ownText(el.labels[0]));
};
const iconName = (el) => {
  const icon = one(el, "svg use, i, span[class*=icon], svg, img");
  if (!icon) return "";
  const source = attr(icon, "href") || attr(icon, "xlink:href") || attr(icon, "data-icon") || attr(icon, "data-testid") || attr(icon, "class") || attr(icon, "src");
  const word = /([a-z][a-z-]{2,})[^a-z]*(\.\w+)?$/i.exec(source);
  return word ? word[1].replace(/^(fa|bi|icon|mdi|ri)-/, "") : "";
};
const VALUED = new Set(["submit", "button", "reset"]);
const nameOf = (el) => {
  const tag = el.tagName;
  const field = tag === "INPUT" || tag === "SELECT" || tag === "TEXTAREA";
  return cut(
    byIds(el, "aria-labelledby") || attr(el, "aria-label") ||
    (field ? fromLabels(el) : "") ||
    (tag === "INPUT" && VALUED.has(el.type) ? el.value || (el.type === "submit" ? "Submit" : "") : "") ||
    (field ? "" : squeeze(ownText(el))) ||
    attr(el, "alt") || attr(el, "title") || attr(el, "data-title") || attr(el, "data-original-title") || attr(el, "data-bs-original-title") || attr(el, "placeholder") || iconName(el) ||
    attr(el, "name") || attr(el, "data-testid") || attr(el, "id").replace(/\d+/g, "#") || "",
  );
};

// Digits, identifiers, dates and amounts vary from visit to visit; a key must not.
const mask = (s) => squeeze(s).toLowerCase()
  .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "#")
  .replace(/\b(?=[a-z]*\d)[0-9a-z]{12,}\b/g, "#")
  .replace(/[\d]+([.,:/-]\d+)*/g, "#");
