// Product list: search, chips, columns, pages, imports and the menu of each row.
import { action, add, api, ask, bind, get, onSubmit, rowId, toast } from "./kit.js";

const view = { q: "", category: "", low: "", archived: "", page: 1 };
const shown = new Set(["sku", "stock"]);
const body = document.querySelector("#products tbody");

async function show(change) {
  Object.assign(view, { page: 1 }, change);
  const { rows, page, pages, total } = await get(`/api/products?${new URLSearchParams(view)}`);
  body.replaceChildren();
  for (const row of rows) add(body, "product-row", row);
  document.getElementById("total").textContent = `${total} products`;
  document.getElementById("none").hidden = total > 0;
  pager(page, pages);
  if (shown.has("margin")) await margins();
  columns();
}

function pager(page, pages) {
  for (const button of document.querySelectorAll(".pager button")) {
    const target = { previous: page - 1, next: page + 1 }[button.dataset.page] ?? Number(button.dataset.page);
    button.disabled = target < 1 || target > pages || target === page;
    button.toggleAttribute("aria-current", target === page);
    if (target === page) button.setAttribute("aria-current", "page");
  }
}

function columns() {
  for (const cell of document.querySelectorAll("[data-column]")) {
    cell.hidden = !shown.has(cell.dataset.column);
  }
}

async function margins() {
  const percent = await get("/api/products/margins");
  for (const cell of body.querySelectorAll("[data-column=margin]")) {
    cell.textContent = `${percent[rowId(cell)]} %`;
  }
}

function toggle(control, state) {
  const on = control.getAttribute(state) !== "true";
  control.setAttribute(state, String(on));
  return on;
}

action("chip", (chip) => show({ [chip.dataset.chip]: toggle(chip, "aria-pressed") ? "1" : "" }));
action("chip-low", (chip) => show({ low: toggle(chip, "aria-pressed") ? "1" : "" }));
action("column", (item) => {
  shown[toggle(item, "aria-checked") ? "add" : "delete"](item.dataset.name);
  columns();
});
action("margin", async (item) => {
  shown[toggle(item, "aria-checked") ? "add" : "delete"]("margin");
  await margins();
  columns();
});
action("page", (button) => {
  const step = { previous: view.page - 1, next: view.page + 1 };
  return show({ page: step[button.dataset.page] ?? Number(button.dataset.page) });
});
action("sync-stock", async () => {
  await get("/api/supplier/stock");
  toast("Stock is the supplier's");
});
action("sync-prices", async () => {
  await get("/api/supplier/prices");
  toast("Prices are the supplier's");
});
action("duplicate", async (item) => {
  await api("POST", `/api/products/${rowId(item)}/duplicate`);
  toast("Copied");
  await show({});
});
action("archive", async (item) => {
  await api("POST", `/api/products/${rowId(item)}/archive`);
  toast("Archived");
  await show({});
});
action("label", async (item) => {
  const { label } = await get(`/api/products/${rowId(item)}/label`);
  document.getElementById("label-text").textContent = label;
  document.getElementById("label").showModal();
});
action("delete", async (item) => {
  const number = rowId(item);
  if (!(await ask("Delete product?", "It cannot be brought back.", "Delete"))) return;
  await api("DELETE", `/api/products/${number}`);
  toast("Deleted");
  await show({});
});

onSubmit("csv-form", "csv", (form) => {
  const lines = form.elements.lines.value.trim().split("\n").filter(Boolean);
  form.closest("dialog").close();
  toast(`${lines.length} lines read`);
});
document.getElementById("search").addEventListener("input", (event) => show({ q: event.target.value }));
document.getElementById("category").addEventListener("change", (event) => show({ category: event.target.value }));
bind();
show({});
