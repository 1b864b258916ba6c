// Opens and closes what follows a control with aria-haspopup; Escape and a click elsewhere close.
(() => {
  const openers = () => document.querySelectorAll('[aria-haspopup="menu"]');
  const set = (opener, open) => {
    opener.setAttribute("aria-expanded", String(open));
    opener.nextElementSibling.hidden = !open;
  };
  const closeOthers = (keep) => openers().forEach((opener) => {
    if (!keep || !opener.parentElement.contains(keep)) set(opener, false);
  });
  openers().forEach((opener) => opener.addEventListener("click", (event) => {
    event.stopPropagation();
    const open = opener.getAttribute("aria-expanded") !== "true";
    closeOthers(opener);
    set(opener, open);
  }));
  document.addEventListener("click", () => closeOthers());
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeOthers(); });
})();
