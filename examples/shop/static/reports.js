// Reports: build one in the page, preview, a popup for printing.
import { action, bind, fields, get, onSubmit, toast } from "./kit.js";

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
action("stock-value", async () => {
  document.getElementById("value").showModal();
  const { value } = await get("/api/products/value");
  document.getElementById("value-text").textContent = `Everything on the shelves is worth ${value}.`;
});
onSubmit("build-form", "build", (form) => {
  built += 1;
  document.getElementById("built").textContent = `Report ${built}: ${fields(form).topic}, ${fields(form).month}`;
  toast("Report built");
});
bind();
