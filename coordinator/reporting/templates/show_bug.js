// Looking at a page for one bug: put into every document before its own code, used by the script.
(() => {
  if (window.__showBug) return;
  const quiet = new WeakSet(); // what changes while nobody acts
  const seen = { moved: 0, learning: false, told: false, known: null };
  const squeeze = (text) => String(text ?? "").replace(/\s+/g, " ").trim();
  const shown = (el) => {
    const box = el.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const all = (selector, root = document) => {
    const found = [...root.querySelectorAll(selector)];
    for (const el of root.querySelectorAll("*")) if (el.shadowRoot) found.push(...all(selector, el.shadowRoot));
    return found;
  };
  const within = (el) => { for (let at = el; at; at = at.parentNode ?? at.host) if (quiet.has(at)) return true; return false; };
  const look = (records) => {
    for (const { target } of records) {
      if (seen.learning) quiet.add(target);
      else if (!within(target)) seen.moved += 1;
    }
    if (seen.known && !seen.learning) hear();
  };
  const watched = new WeakSet();
  const watch = (root) => {
    if (!watched.has(root)) new MutationObserver(look).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    watched.add(root);
    for (const el of root.querySelectorAll("*")) if (el.shadowRoot) watch(el.shadowRoot);
  };
  watch(document);
  const count = (owner, name) => {
    const own = owner?.[name];
    if (typeof own === "function") owner[name] = function (...given) { seen.moved += 1; return own.apply(this, given); };
  };
  for (const [owner, name] of [[window, "print"], [window, "open"], [history, "pushState"], [history, "replaceState"], [navigator.clipboard, "writeText"]]) count(owner, name);
  addEventListener("scroll", () => { seen.moved += 1; }, { capture: true, passive: true });
  addEventListener("input", () => { seen.moved += 1; }, true);

  const texts = () => squeeze(document.body?.innerText);
  const clickable = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab],[role=menuitem]";
  const dialogs = () => all("dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]").filter(shown);
  const named = (el) => squeeze(el.getAttribute("aria-label") || el.textContent || el.title || el.alt || el.value || el.placeholder) !== "" ||
    el.hasAttribute("aria-labelledby") || (el.labels?.length ?? 0) > 0 || [...el.querySelectorAll("img[alt]")].some((img) => img.alt);
  const overlay = (el) => {
    const box = el.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false;
    const hit = document.elementFromPoint(x, y);
    return hit !== null && !el.contains(hit) && !hit.contains(el) && !hit.closest("dialog,[role=dialog],[aria-modal=true]") &&
      ![...(el.labels ?? [])].some((label) => label.contains(hit));
  };
  const lacks = {
    "image-alt": () => all("img:not([alt]):not([role=presentation]):not([role=none])"),
    "button-name": () => all("button,[role=button]").filter((el) => !named(el)),
    "link-name": () => all("a[href]").filter((el) => !named(el)),
    "label": () => all("input:not([type=hidden]):not([type=submit]):not([type=button]),textarea").filter((el) => !named(el)),
    "select-name": () => all("select").filter((el) => !el.labels?.length && !el.ariaLabel && !el.hasAttribute("aria-labelledby") && !el.title),
    "input-button-name": () => all("input[type=submit],input[type=button]").filter((el) => !named(el)),
    "html-has-lang": () => (document.documentElement.lang ? [] : [document.documentElement]),
    "document-title": () => (squeeze(document.title) ? [] : [document.documentElement]),
    "duplicate-id-aria": () => all("[id]").filter((el) => document.querySelectorAll(`[id=${JSON.stringify(el.id)}]`).length > 1),
  };
  // No scrolling brings its middle into view, while the part that it stands in is on the page.
  const fixed = (el) => { for (let at = el; at; at = at.parentElement) if (getComputedStyle(at).position === "fixed") return true; return false; };
  const parked = 1000; // so far out is where things are put on purpose
  const out = (el) => {
    const box = el.getBoundingClientRect();
    const stays = fixed(el);
    const x = box.left + box.width / 2 + (stays ? 0 : scrollX);
    const y = box.top + box.height / 2 + (stays ? 0 : scrollY);
    return x < 0 && x > -parked || y < 0 && y > -parked || stays && (x > innerWidth && x < innerWidth + parked || y > innerHeight && y < innerHeight + parked);
  };
  const meant = /skip|sr-only|visually-?hidden|screen-?reader|a11y/i;
  const away = (el) => {
    const parent = el.parentElement;
    if (!out(el) || !parent || out(parent) || !shown(parent)) return false;
    if (el.closest("[aria-hidden=true],[inert]") || el.tabIndex < 0 || (el.getAttribute("href") ?? "").startsWith("#")) return false;
    return !meant.test(`${el.className} ${el.id} ${parent.className} ${el.textContent}`) && !/hidden|clip|auto|scroll/.test(getComputedStyle(parent).overflowX);
  };
  // A text that its box cuts through; an ellipsis, a clamp, a title or a mask say that it is meant.
  const cut = (el) => {
    const style = getComputedStyle(el);
    if (squeeze(el.innerText) === "" || el.clientWidth < 6 || el.clientHeight < 6 || el.title || style.textOverflow === "ellipsis") return false;
    if (!/^(none|)$/.test(style.webkitLineClamp ?? "") || !/^(none|)$/.test(style.maskImage ?? "") || /^inset\((50|100)%/.test(style.clipPath)) return false;
    return /hidden|clip/.test(style.overflow) && !/auto|scroll/.test(style.overflow) && (el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 1);
  };
  // What the page tells its user, and whether something new was among it since the counting began.
  const messages = "[role=alert],[role=status],[aria-live],[class*=toast],[class*=alert],[aria-invalid=true],.is-invalid,.invalid,.error";
  const toldNow = () => [...all(messages), ...dialogs()].filter(shown).map((el) => squeeze(el.textContent) || (el.matches("input,select,textarea") ? `field ${el.name}` : "")).filter(Boolean);
  const hear = () => { if (!seen.told) seen.told = toldNow().some((words) => !seen.known?.includes(words)); };
  const tell = (el) => squeeze(`<${el.tagName.toLowerCase()}> ${el.textContent}`).slice(0, 80);
  window.__showBug = {
    watchShadows: () => watch(document),
    learn: (on) => { seen.learning = on; if (!on) Object.assign(seen, { moved: 0, told: false, known: toldNow() }); },
    moved: () => seen.moved,
    text: texts,
    heading: () => squeeze(document.querySelector("h1")?.textContent) || document.title,
    title: () => document.title,
    dialogs: () => dialogs().length,
    told: () => { hear(); return seen.told; },
    asksPassword: () => all("input[type=password]").some(shown),
    blank: () => texts() === "" && !all("img,svg,canvas,video,iframe,input,button,select,textarea,object,embed,progress").some((el) => shown(el) && el.getBoundingClientRect().width > 4),
    brokenImages: () => [...document.images].filter((img) => (img.currentSrc || img.src) && img.complete && !img.naturalWidth && shown(img)).map((img) => img.currentSrc || img.src),
    loading: () => all("[aria-busy=true],[role=progressbar]:not([aria-valuenow]),[class*=spinner],[class*=skeleton],[class*=loading],[class*=loader]").filter(shown).map(tell),
    wide: () => Math.max(document.documentElement.scrollWidth, document.body?.scrollWidth ?? 0) - innerWidth,
    outside: () => all("button,a[href],[role=button],summary").filter((el) => shown(el) && away(el)).map(tell),
    outsideHere: ([el]) => away(el),
    covered: () => all(clickable).filter((el) => shown(el) && overlay(el)).map(tell),
    clipped: () => all("*").filter((el) => shown(el) && el.children.length === 0 && cut(el)).map(tell),
    clippedHere: ([el]) => [el, ...el.querySelectorAll("*")].some(cut),
    coveredHere: ([one, other]) => { const [a, b] = [one, other].map((el) => el.getBoundingClientRect()); return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1; },
    rows: (counter) => {
      const section = counter.closest("section,article,[role=tabpanel],dialog,[role=dialog],main,[role=main]") ?? document.body;
      const rows = all("tbody > tr,[role=row]", section).filter((row) => shown(row) && !row.closest("thead,tfoot") && !row.querySelector("[role=columnheader]"));
      const cells = (row) => row.querySelectorAll("td,th,[role=cell],[role=gridcell]").length;
      const width = Math.max(0, ...rows.map(cells));
      return rows.filter((row) => cells(row) === width).length;
    },
    nameless: (rule) => (lacks[rule] ? lacks[rule]().map(tell) : null),
    focusOutside: () => { const open = dialogs(); const at = document.activeElement; return open.length > 0 && at !== null && at !== document.body && !open.some((dialog) => dialog.contains(at)); },
    beside: () => { // a point that a press beside the dialog on top would hit
      const box = dialogs().at(-1)?.getBoundingClientRect();
      const spots = [[10, 10], [innerWidth - 10, 10], [10, innerHeight - 10], [innerWidth - 10, innerHeight - 10]];
      return box ? spots.filter(([x, y]) => x < box.left || x > box.right || y < box.top || y > box.bottom).slice(0, 1) : [];
    },
    closers: () => { const top = dialogs().at(-1); return top ? all("button,[role=button],a", top).filter(shown).map((el) => { const box = el.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; }) : []; },
  };
})();
