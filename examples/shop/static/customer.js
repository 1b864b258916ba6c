// One customer: a call-back control that is a plain div, orders loaded by their tab.
import { action, add, bind, get, onTab, toast } from "./kit.js";

const { id } = document.querySelector("[data-customer]").dataset;

action("call-back", () => toast("Call-back noted for today"));
action("star", (control) => {
  const on = control.getAttribute("aria-pressed") !== "true";
  control.setAttribute("aria-pressed", String(on));
  control.textContent = on ? "★ Regular" : "☆ Mark as regular";
});
action("load-orders", async () => {
  const list = document.getElementById("own-orders");
  const orders = await get(`/api/customers/${id}/orders`);
  list.replaceChildren();
  for (const order of orders) add(list, "own-order", order);
});
bind();
onTab("tab-orders", "load-orders");
