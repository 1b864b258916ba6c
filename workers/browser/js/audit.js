// Runs axe, which lives in this isolated world alone, over what was not looked at yet: the whole of a
// new page, later the parts that are new on it, or the dialog on top. Elements of the same make in the
// same place are one; what was seen is told by numbers, so that it holds over loads.
(options) => {
  const seen = new Set(options.seen);
  const now = new Set();
  const number = (said, seed) => {
    let h = seed ^ 0x811c9dc5;
    for (let i = 0; i < said.length; i += 1) h = Math.imul(h ^ said.charCodeAt(i), 16777619);
    return h >>> 0;
  };
  const VALUES = ["class", "role", "type", "style", "aria-selected", "aria-current", "aria-pressed"];
  const make = (el, parent) => {
    const names = el.getAttributeNames().filter((name) => !name.startsWith("data-")).sort();
    const values = VALUES.map((name) => el.getAttribute(name) ?? "");
    const empty = el.childElementCount === 0 && el.textContent.trim() === "";
    return number(`${el.tagName}|${names}|${values}|${empty}`, parent);
  };
  const fresh = [];
  const visit = (el, parent, inside) => {
    if (!el.checkVisibility({ visibilityProperty: true })) return;
    const own = make(el, parent);
    const known = seen.has(own) || now.has(own);
    now.add(own);
    if (!known && !inside) fresh.push(el);
    for (const kid of el.children) visit(kid, own, inside || !known);
  };
  const size = document.getElementsByTagName("*").length;
  if (size > options.most || !document.body) return JSON.stringify({ seen: [], violations: [] });
  const page = number(location.pathname.replace(/\d+/g, "#"), 1);
  const open = [...document.querySelectorAll("dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]")];
  const top = open.filter((el) => el.checkVisibility({ visibilityProperty: true }) && el.getBoundingClientRect().height > 4).pop();
  visit(top ?? document.body, page, false);
  const parts = top || seen.has(page) ? fresh.slice(0, 50) : [document];
  const answer = (violations) => JSON.stringify({ seen: [page, ...now].slice(0, 5000), violations });
  if (parts.length === 0) return answer([]);
  if (typeof axe !== "object") return "absent";

  const SITE = "nav, aside, header, footer, [role=navigation], [role=banner], [role=contentinfo]";
  const ofSite = (target) => {
    try {
      const part = document.querySelector(target)?.closest(SITE);
      return !!part && part.closest("main, [role=main], dialog, [role=dialog]") === null;
    } catch { return false; }
  };
  const rules = size > options.many ? { "color-contrast": { enabled: false } } : {};
  const settings = { runOnly: { type: "tag", values: options.tags }, resultTypes: ["violations"], rules, iframes: false, preload: false };
  return axe.run(parts[0] === document ? document : { include: parts }, settings).then(({ violations }) => answer(violations.map((found) => {
    const targets = found.nodes.map((node) => node.target.flat().join(" "));
    const cut = (wanted) => targets.filter((target) => ofSite(target) === wanted).slice(0, 20).map((target) => target.slice(0, 200));
    return { rule: found.id, impact: found.impact ?? "", help: found.help, page: cut(false), site: cut(true) };
  })));
}
