// Order list: status tabs over the rows, refresh, and packing of the selected rows.
import { action, api, bind, get, toast } from "./kit.js";

const rows = [...document.querySelectorAll("tbody tr")];
const boxes = () => [...document.querySelectorAll("tbody input:checked")];
const pack = document.querySelector("[data-action=pack]");

action("refresh", async () => {
  const counts = await get("/api/orders");
  toast(`${counts.open} open orders`);
});
action("pack", async () => {
  const { packed } = await api("POST", "/api/orders/pack", { ids: boxes().map((box) => box.value) });
  toast(`${packed} packed`);
});
for (const tab of document.querySelectorAll('[role="tab"]')) {
  tab.addEventListener("chosen", () => {
    for (const row of rows) row.hidden = ![row.dataset.status, ""].includes(tab.dataset.status);
  });
}
document.querySelector("tbody").addEventListener("change", () => { pack.disabled = !boxes().length; });
bind();
