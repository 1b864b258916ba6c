// Customer list: the filters that are folded away at first.
import { action, bind } from "./kit.js";

action("filters", (button) => {
  const filters = document.getElementById("filters");
  filters.hidden = !filters.hidden;
  button.textContent = filters.hidden ? "Show filters" : "Hide filters";
});
bind();
