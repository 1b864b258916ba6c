// Dashboard: the chart, the low-stock list, the visitors widget.
import { action, add, bind, get, run, toast } from "./kit.js";

async function draw(days) {
  const values = await get(`/api/sales?days=${days}`);
  const width = 600 / values.length;
  const chart = document.getElementById("chart");
  chart.replaceChildren(...values.map((value, index) => {
    const column = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const shape = { x: index * width + 6, y: 180 - value * 1.6, width: width - 12, height: value * 1.6, rx: 4 };
    for (const [name, size] of Object.entries(shape)) column.setAttribute(name, size);
    return column;
  }));
}

async function lowStock() {
  const list = document.getElementById("low");
  const items = await get("/api/products/low");
  list.replaceChildren();
  for (const item of items) add(list, "low-item", item);
}

action("low-stock", async () => {
  await lowStock();
  toast("Stock list is up to date");
});
action("visitors", () => {
  document.getElementById("visitors").textContent = "182 today";
});

for (const tab of document.querySelectorAll("[data-days]")) {
  tab.addEventListener("chosen", () => draw(tab.dataset.days));
}
bind();
draw(7);
run("visitors");
