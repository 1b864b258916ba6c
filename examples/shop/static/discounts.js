// Discounts: switches, the check of a code, the count of uses.
import { action, add, api, bind, fields, flip, get, onSubmit, rowId, toast } from "./kit.js";

action("switch", (control) => flip(control, (on) => api("PUT", `/api/discounts/${rowId(control)}`, { on })));
action("recount", () => {
  const uses = [...document.querySelectorAll("td.uses")].map((cell) => Number(cell.textContent));
  toast(`${uses.reduce((sum, use) => sum + use, 0)} uses`);
});
onSubmit("check-form", "check", async (form) => {
  const { code, percent } = await get(`/api/discounts/check?${new URLSearchParams(fields(form))}`);
  document.getElementById("worth").textContent = percent ? `${code} takes off ${percent} %` : `${code || "No code"} is not valid`;
  toast("Code checked");
});
onSubmit("discount-form", "create", async (form) => {
  const { code } = await api("POST", "/api/discounts", fields(form));
  form.closest("dialog").close();
  toast(`${code} is active`);
});
action("ideas", async () => {
  const texts = await get("/api/discounts/ideas");
  if (texts.length === 0) return;
  const list = document.getElementById("idea-list");
  list.replaceChildren();
  for (const text of texts) add(list, "idea", { text });
  document.getElementById("ideas").showModal();
});
action("idea-more", (control) => {
  document.getElementById("idea-rest").hidden = false;
  control.remove();
});
action("idea-noted", (control) => { control.textContent = "Noted"; });
bind();
