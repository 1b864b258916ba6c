// Reports: build one in the page, preview, a popup for printing.
import { action, bind, fields, onSubmit, toast } from "./kit.js";

let built = 0;
action("print-view", () => {
  window.open("/reports/print", "print", "width=480,height=420");
});
action("preview", () => document.getElementById("preview").showModal());
action("tax-chart", () => {
  const image = document.createElement("img");
  image.alt = "Tax by quarter";
  image.width = 380;
  image.src = "/static/img/tax.svg";
  document.getElementById("tax-place").replaceChildren(image);
  document.getElementById("tax").showModal();
});
onSubmit("build-form", "build", (form) => {
  built += 1;
  document.getElementById("built").textContent = `Report ${built}: ${fields(form).topic}, ${fields(form).month}`;
  toast("Report built");
});
bind();
