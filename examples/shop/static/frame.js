// Marks the section of the navigation that this page belongs to.
(() => {
  const { section } = document.currentScript.dataset;
  document.querySelector(`.side a[data-section="${section}"]`)?.classList.add("here");
})();
