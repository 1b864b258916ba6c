// Help: what is new, and a message to support.
import { action, api, bind, fields, onSubmit, toast } from "./kit.js";

action("whats-new", (link, event) => {
  event.preventDefault();
  const news = document.getElementById("news");
  news.hidden = !news.hidden;
});
action("close-hours", (control) => control.closest("dialog").close());
onSubmit("support-form", "support", async (form) => {
  await api("POST", "/api/support", fields(form));
  form.closest("dialog").close();
  toast("Your message is on its way");
});
bind();
