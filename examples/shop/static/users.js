// Users: the rest of the list, the menu of each row, an invitation.
import { action, add, api, bind, fields, get, onSubmit, rowId, toast } from "./kit.js";

action("more-users", async (button) => {
  const people = await get("/api/users/more");
  for (const person of people) {
    add(document.querySelector("tbody"), "user-row", { ...person, state: person.active ? "Active" : "Inactive" });
  }
  button.remove();
});
action("sessions", (item) => {
  const name = item.closest("tr").querySelector("td").textContent;
  document.getElementById("who").textContent = `${name} is logged in on one device.`;
  document.getElementById("sessions").showModal();
});
action("deactivate", async (item) => {
  await api("POST", `/api/users/${rowId(item)}/deactivate`);
  toast("Deactivated");
});
onSubmit("invite-form", "invite", async (form) => {
  const { name } = await api("POST", "/api/users", fields(form));
  form.closest("dialog").close();
  toast(`${name} is invited`);
});
bind();
