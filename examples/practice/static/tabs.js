// Tabs by the book: aria-selected on one tab of a list, the panels of the others hidden.
document.querySelectorAll('[role="tab"]').forEach((tab) => tab.addEventListener("click", () => {
  tab.parentElement.querySelectorAll('[role="tab"]').forEach((other) => {
    other.setAttribute("aria-selected", String(other === tab));
    document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
  });
}));
