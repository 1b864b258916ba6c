// One order: parcel, refund, notes.
import { action, add, api, ask, bind, fields, get, onSubmit, toast } from "./kit.js";

const { id } = document.querySelector("[data-order]").dataset;

action("events", async () => {
  const list = document.getElementById("events");
  const events = await get(`/api/orders/${id}/parcel`);
  list.replaceChildren();
  for (const text of events) add(list, "line", { text });
});
action("refund", async () => {
  if (!(await ask("Refund this order?", "The customer gets the money back.", "Refund"))) return;
  await api("POST", `/api/orders/${id}/refund`);
  toast("Refunded");
});
onSubmit("note-form", "note", async (form) => {
  const { notes } = await api("POST", `/api/orders/${id}/notes`, fields(form));
  add(document.getElementById("notes"), "line", { text: notes.at(-1) });
  form.closest("dialog").close();
  toast("Note added");
});
bind();
