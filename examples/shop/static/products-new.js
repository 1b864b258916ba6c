// The wizard: four steps, "Next" enabled once the step's required fields are filled.
import { action, api, bind, fields, toast } from "./kit.js";

const form = document.getElementById("wizard");
const steps = [...form.querySelectorAll("fieldset")];
const marks = document.querySelectorAll(".steps li");
let current = 0;

function show(index) {
  current = index;
  steps.forEach((step, number) => { step.hidden = number !== index; });
  marks.forEach((mark, number) => {
    if (number === index) mark.setAttribute("aria-current", "step");
    else mark.removeAttribute("aria-current");
  });
  if (index === steps.length - 1) review();
  check();
}

function check() {
  const next = steps[current].querySelector("[data-action=next]");
  if (next) next.disabled = [...steps[current].querySelectorAll("[required]")].some((field) => !field.value);
}

function review() {
  const values = fields(form);
  for (const slot of form.querySelectorAll("[data-review]")) slot.textContent = values[slot.dataset.review] || "–";
}

action("next", () => show(current + 1));
action("back", () => show(current - 1));
action("suggest", () => {
  const cost = Number(form.elements.cost.value) || 10;
  form.elements.price.value = Math.round(cost * 1.6);
  toast(`Suggested €${form.elements.price.value}`);
  check();
});
action("create", async () => {
  const item = await api("POST", "/api/products", fields(form));
  location.assign(`/products/${item.id}`);
});
form.addEventListener("input", check);
form.addEventListener("submit", (event) => event.preventDefault());
bind();
show(0);
