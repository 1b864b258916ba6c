// One product: edit, preview, and the tabs that load when they are chosen.
import { action, add, api, bind, fields, get, onSubmit, onTab, toast } from "./kit.js";

const { id } = document.querySelector("[data-product]").dataset;

action("preview", () => document.getElementById("preview").showModal());
action("archive", async () => {
  await api("POST", `/api/products/${id}/archive`);
  toast("Archived");
});
action("warehouses", async () => {
  const list = document.getElementById("places");
  const places = await get(`/api/products/${id}/warehouses`);
  list.replaceChildren();
  for (const place of places) add(list, "place", place);
});
action("show-older", (button) => {
  document.getElementById("older").hidden = false;
  button.remove();
});
action("prices", async () => {
  const list = document.getElementById("prices");
  const prices = await get(`/api/products/${id}/prices`);
  list.replaceChildren();
  for (const price of prices) add(list, "price", price);
});
onSubmit("edit-form", "save", async (form) => {
  const item = await api("PUT", `/api/products/${id}`, fields(form));
  document.querySelector("h1").textContent = item.name;
  form.closest("dialog").close();
  toast("Saved");
});
bind();
onTab("tab-warehouses", "warehouses");
