"use strict";
// The report's page: filters, the trees of the maze, the viewer. Everything from the app is put in
// as text, never as markup; a tree is built when its route is opened.
(() => {
  const byId = (id) => document.getElementById(id);
  const make = (tag, name, text) => {
    const el = document.createElement(tag);
    if (name) el.className = name;
    if (text !== undefined) el.textContent = text;
    return el;
  };
  const words = JSON.parse(byId("words").textContent); // result -> [name, group]
  const bugs = [...document.querySelectorAll(".bug")];
  const routes = [...document.querySelectorAll(".route")];
  const AT_ONCE = 300; // more nodes than these are built as they are opened
  const shots = "../monkey-test-screenshots/";

  // ---- the trees
  const trees = new Map();
  const treeOf = (route) => {
    const name = route.dataset.tree;
    if (name && !trees.has(name)) {
      const tree = JSON.parse(byId(name).textContent);
      const title = route.querySelector(".path").textContent.toLowerCase();
      const nodes = [];
      const visit = (node, above) => {
        node.above = above;
        const [did] = words[node.r];
        node.q = `${title} ${node.l} ${node.k} ${did} ${node.o ?? ""} ${node.n ?? ""} ${(node.b ?? []).map((bug) => bug.join(" ")).join(" ")}`.toLowerCase();
        nodes.push(node);
        for (const child of node.c ?? []) visit(child, node);
      };
      for (const [, top] of tree.a ?? []) for (const node of top) visit(node, null);
      trees.set(name, { ...tree, nodes });
    }
    return trees.get(name);
  };
  const pictureOf = (route, name, caption) => {
    const link = make("a", "end");
    link.href = shots + encodeURIComponent(route.dataset.slug) + "/" + encodeURIComponent(name);
    link.dataset.view = caption;
    link.tabIndex = -1;
    const image = make("img");
    image.loading = "lazy";
    image.decoding = "async";
    image.alt = `Screenshot: ${caption}`;
    image.src = link.href;
    link.append(image);
    return link;
  };
  const bugTag = ([id, severity, title]) => {
    const tag = make("a", `pill ${severity}`, severity);
    tag.href = `#bug:${id}`;
    tag.title = title;
    tag.tabIndex = -1;
    return tag;
  };
  const rowOf = (route, node) => {
    const [did, group] = words[node.r];
    const silent = group === "silent" && !node.f ? "" : group;
    const row = make("div", `row ${node.c ? "parent" : ""} ${group === "off" ? "off" : ""}`);
    row.append(make("span", "twist", node.c ? "▶" : ""), make("i", `glyph ${silent}`));
    const label = make("bdi", "label", node.l || "(no name)");
    row.append(label, make("span", "kind", node.k));
    row.append(make("span", `did ${silent}`, node.o ? `${did}, ${node.o}` : did));
    for (const bug of node.b ?? []) row.append(bugTag(bug));
    if (node.n) {
      const note = make("bdi", "note", node.n);
      note.title = node.n;
      row.append(note);
    }
    if (node.s) row.append(pictureOf(route, node.s, `${route.querySelector(".path").textContent} › ${node.l}`));
    return row;
  };
  const open = (item, on) => {
    if (!item.hasAttribute("aria-expanded")) return;
    item.setAttribute("aria-expanded", on);
    if (on && item.build) { item.build(); item.build = null; }
    const group = item.querySelector(":scope > [role=group]");
    if (group) group.hidden = !on;
  };
  const itemOf = (route, node, level, kept, all) => {
    const item = make("li");
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-level", level);
    item.tabIndex = -1;
    item.append(rowOf(route, node));
    const below = (node.c ?? []).filter((child) => !kept || kept.has(child));
    if (below.length) {
      item.setAttribute("aria-expanded", "false");
      item.build = () => item.append(groupOf(route, below, level + 1, kept, all));
      if (all) open(item, true);
    } else item.querySelector(".twist").textContent = "";
    return item;
  };
  const groupOf = (route, nodes, level, kept, all) => {
    const group = make("ul");
    group.setAttribute("role", level === 1 ? "tree" : "group");
    const add = (from) => {
      for (const node of nodes.slice(from, from + AT_ONCE)) group.append(itemOf(route, node, level, kept, all));
      if (from + AT_ONCE >= nodes.length) return;
      const more = make("button", "more", `${nodes.length - from - AT_ONCE} more`);
      more.onclick = () => { more.remove(); add(from + AT_ONCE); };
      group.append(more);
    };
    add(0);
    return group;
  };
  const build = (route) => {
    const tree = treeOf(route);
    if (!tree) return;
    const place = route.querySelector(".tree");
    place.replaceChildren();
    const kept = filtering() ? keptOf(tree) : null;
    const head = make("div", "first");
    if (tree.s) { const link = pictureOf(route, tree.s, `${route.querySelector(".path").textContent}: page load`); link.className = ""; link.tabIndex = 0; head.append(link); }
    const say = make("div", "say");
    if (tree.t) say.append(make("bdi", "label", tree.t));
    say.append(make("span", "quiet", `${tree.nodes.length} controls`));
    const tags = make("span");
    for (const bug of tree.b ?? []) { const tag = bugTag(bug); tag.tabIndex = 0; tags.append(tag, " ", make("bdi", "did", bug[2])); }
    if (tree.b) say.append(tags);
    head.append(say);
    place.append(head);
    const all = (kept ?? tree.nodes).size <= AT_ONCE || tree.nodes.length <= AT_ONCE;
    for (const [area, top] of tree.a ?? []) {
      const nodes = kept ? top.filter((node) => kept.has(node)) : top;
      if (!nodes.length) continue;
      place.append(make("p", "area", area));
      const group = groupOf(route, nodes, 1, kept, all);
      group.setAttribute("aria-label", area);
      group.firstElementChild.tabIndex = 0;
      place.append(group);
    }
  };
  const visibleItems = (tree) => [...tree.querySelectorAll("[role=treeitem]")].filter((item) => !item.parentElement.closest("[hidden]"));
  const go = (item) => {
    if (!item) return;
    const tree = item.closest("[role=tree]");
    for (const other of tree.querySelectorAll("[role=treeitem][tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  };
  const onTreeKey = (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.target !== item) return;
    const items = visibleItems(item.closest("[role=tree]"));
    const at = items.indexOf(item);
    const expanded = item.getAttribute("aria-expanded");
    const moves = {
      ArrowDown: () => go(items[at + 1]), ArrowUp: () => go(items[at - 1]), Home: () => go(items[0]), End: () => go(items.at(-1)),
      ArrowRight: () => (expanded === "false" ? open(item, true) : expanded && go(items[at + 1])),
      ArrowLeft: () => (expanded === "true" ? open(item, false) : go(item.parentElement.closest("[role=treeitem]"))),
      " ": () => open(item, expanded !== "true"),
      Enter: () => { const row = item.querySelector(":scope > .row"); (row.querySelector(".pill") ?? row.querySelector("[data-view]"))?.click(); },
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  };

  // ---- filters
  const wish = { terms: [], severities: new Set(), results: new Set() };
  const filtering = () => wish.terms.length > 0 || wish.severities.size > 0 || wish.results.size > 0;
  const says = (text) => wish.terms.every((term) => text.includes(term));
  const matches = (node) => (!wish.results.size || wish.results.has(node.r)) &&
    (!wish.severities.size || (node.b ?? []).some(([, severity]) => wish.severities.has(severity))) && says(node.q);
  const keptOf = (tree) => {
    const kept = new Set();
    for (const node of tree.nodes) if (matches(node)) for (let at = node; at && !kept.has(at); at = at.above) kept.add(at);
    return kept;
  };
  const hitsOf = (route) => {
    const tree = treeOf(route);
    const own = route.querySelector("summary").textContent.toLowerCase();
    const itself = !wish.results.size && says(own) && (!wish.severities.size || [...wish.severities].some((severity) => route.querySelector(`.counts .${severity}`)));
    if (!tree) return itself ? 1 : 0;
    const loads = (tree.b ?? []).filter(([, severity, title]) => !wish.results.size && (!wish.severities.size || wish.severities.has(severity)) && says(`${own} ${title.toLowerCase()}`));
    return tree.nodes.filter(matches).length + loads.length || (itself ? 1 : 0);
  };
  const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const totals = [byId("bugs-count").textContent, byId("map-count").textContent];
  const apply = () => {
    let shownBugs = 0;
    for (const bug of bugs) {
      bug.q ??= bug.textContent.toLowerCase();
      bug.hidden = !((!wish.severities.size || wish.severities.has(bug.dataset.severity)) && says(bug.q));
      shownBugs += !bug.hidden;
    }
    let shownRoutes = 0;
    for (const route of routes) {
      const hits = filtering() ? hitsOf(route) : 1;
      route.hidden = hits === 0;
      shownRoutes += hits > 0;
      route.querySelector(".hits").textContent = filtering() && hits ? counted(hits, "match").replace("matchs", "matches") : "";
      if (route.open && hits) build(route);
    }
    const about = wish.terms.length || wish.severities.size;
    byId("bugs-count").textContent = about ? `${shownBugs} of ${counted(bugs.length, "bug")}` : totals[0];
    byId("map-count").textContent = filtering() ? `${shownRoutes} of ${counted(routes.length, "route")}` : totals[1];
  };
  let waiting = 0;
  byId("search").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { wish.terms = event.target.value.toLowerCase().split(/\s+/).filter(Boolean); apply(); }, 90);
  });
  const toggle = (button, chosen, value) => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", on);
    chosen[on ? "add" : "delete"](value);
    apply();
  };
  const clear = () => {
    wish.terms = [];
    wish.severities.clear();
    wish.results.clear();
    byId("search").value = "";
    for (const button of document.querySelectorAll("[aria-pressed=true]")) button.setAttribute("aria-pressed", false);
    apply();
  };

  // ---- going to what an address names
  const reveal = (id) => {
    const target = byId(id);
    if (!target) return;
    if (target.hidden) clear();
    if (target.matches("details")) target.open = true;
    target.scrollIntoView({ block: "start" });
    (target.querySelector("summary") ?? target).focus({ preventScroll: true });
  };

  // ---- the viewer
  const viewer = byId("viewer");
  let album = [];
  let at = 0;
  const show = (number) => {
    at = (number + album.length) % album.length;
    const link = album[at];
    byId("viewer-image").src = link.href;
    byId("viewer-image").alt = `Screenshot: ${link.dataset.view}`;
    byId("viewer-link").href = link.href;
    byId("viewer-caption").textContent = `${link.dataset.view}  (${at + 1} of ${album.length})`;
  };
  const view = (link) => {
    album = [...(link.closest(".tree") ?? link.closest("section")).querySelectorAll("[data-view]")].filter((one) => !one.closest("[hidden]"));
    show(album.indexOf(link));
    viewer.showModal();
  };

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("a");
    const button = event.target.closest("button");
    const row = event.target.closest(".row.parent");
    if (link?.dataset.view !== undefined) { event.preventDefault(); view(link); }
    else if (link?.hash && link.getAttribute("href").startsWith("#")) { event.preventDefault(); reveal(decodeURIComponent(link.hash.slice(1))); }
    else if (button?.dataset.severity) toggle(button, wish.severities, button.dataset.severity);
    else if (button?.dataset.result) toggle(button, wish.results, button.dataset.result);
    else if (button?.dataset.turn) show(at + Number(button.dataset.turn));
    else if (event.target === viewer) viewer.close();
    else if (row) { const item = row.parentElement; open(item, item.getAttribute("aria-expanded") !== "true"); go(item); }
  });
  document.addEventListener("keydown", (event) => {
    if (viewer.open) { const turn = { ArrowLeft: -1, ArrowRight: 1 }[event.key]; if (turn) show(at + turn); return; }
    if (event.key === "/" && !event.target.closest("input")) { event.preventDefault(); byId("search").focus(); }
    else if (event.key === "Escape" && filtering()) clear();
    else onTreeKey(event);
  });
  for (const route of routes) route.addEventListener("toggle", () => { if (route.open) build(route); });
  document.addEventListener("error", (event) => { if (event.target.matches?.("img")) event.target.alt = "This picture is missing"; }, true);
  addEventListener("hashchange", () => reveal(decodeURIComponent(location.hash.slice(1))));
  if (location.hash.length > 1) reveal(decodeURIComponent(location.hash.slice(1)));
})();
