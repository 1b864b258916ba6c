// Settings: switches, native dialogs, integrations, keys in a dialog within a dialog.
import { action, api, bind, fields, flip, get, onSubmit, toast } from "./kit.js";

action("setting", (control) => flip(control, (on) => api("PUT", "/api/settings", { [control.dataset.name]: on })));
action("close-early", () => {
  toast(confirm("Close the shop for today?") ? "Closed for today" : "The shop stays open");
});
action("rename", () => {
  const name = prompt("Name of the shop", "Corner Shop");
  if (name) document.getElementById("shop-name").textContent = name;
  toast(name ? "Renamed" : "The name stays");
});
action("clear-cache", async () => {
  if (!confirm("Clear the cache?")) return;
  await api("POST", "/api/cache/clear");
  toast("Cache cleared");
});
action("webhook", async () => {
  await get("/api/webhook/ping");
  toast("The other side answered");
});
action("check-name", (control) => {
  const name = control.closest("dialog").querySelector("input").value;
  toast(name ? `"${name}" is free` : "Type a name first");
});
onSubmit("key-form", "key", (form) => {
  form.closest("dialog").close();
  toast(`Key ${fields(form).key || "without a name"} noted`);
});
bind();
