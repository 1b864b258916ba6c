// The browser's part of the planted faults: each entry replaces the action of that name.
// Which fault is which, and where it shows, is in faults.toml. The clean twin never loads this.

(() => {
  const page = document.documentElement.dataset.page;
  const nothing = () => {};
  const unseen = (path) => () => { fetch(path()).then((answer) => answer.text(), nothing); };
  const number = () => location.pathname.split("/").pop();
  const tick = (item) => {
    const on = item.getAttribute("aria-checked") !== "true";
    item.setAttribute("aria-checked", String(on));
  };

  const faults = {
    dashboard: {
      visitors() { throw new TypeError("Cannot read properties of undefined (reading 'today')"); },
      "low-stock": unseen(() => "/api/products/low"),
    },
    products: {
      "sync-stock": (item, event) => event.stopPropagation(),
      margin(item) { tick(item); unseen(() => "/api/products/margins")(); },
      "chip-low"(chip) {
        chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
        console.error("filter: unknown facet \"low\"");
      },
      label() { return Promise.reject(new Error("printer template is not loaded")); },
    },
    product: {
      preview: nothing,
      warehouses: unseen(() => `/api/products/${number()}/warehouses`),
    },
    "products-new": {
      suggest() { throw new ReferenceError("pricing is not defined"); },
    },
    orders: { refresh: unseen(() => "/api/orders") },
    order: {
      events: unseen(() => `/api/orders/${number()}/parcel`),
      "keep-focus": nothing,
    },
    customer: {
      "call-back": nothing,
      "load-orders"() { console.error("orders: schema version 3 expected, got 2"); },
    },
    discounts: {
      recount() { for (;;) { /* the loop never ends */ } },
      check(form) { unseen(() => `/api/discounts/check?code=${form.elements.code.value}`)(); },
    },
    reports: {
      preview: async () => { throw new Error("renderer was closed"); },
      "stock-value": () => document.getElementById("value").showModal(),
    },
    settings: {
      webhook: unseen(() => "/api/webhook/ping"),
      "check-name"() { throw new TypeError("keys.lookup is not a function"); },
    },
    users: {
      "more-users": unseen(() => "/api/users/more"),
      sessions() { console.error("sessions: cannot parse last_seen"); },
    },
    help: {
      "whats-new"(link, event) { event.preventDefault(); },
    },
  };
  // What is wrong with the looks of a page from the start.
  const one = (selector) => document.querySelector(selector);
  const spoilt = {
    order() { one("#payment dd:nth-of-type(2)").textContent = "undefined"; },
    customer() {
      one("#profile dd:nth-of-type(2)").style.marginTop = "-26px";
      one("[data-action=star]").style.cssText = "position: absolute; left: -140px";
    },
    settings() {
      const name = one(".setting:nth-of-type(2) span");
      name.style.cssText = "width: 60px; overflow: hidden; white-space: nowrap";
    },
    help() {
      one("#shipping").style.minWidth = "1400px";
      one("#support label").replaceWith(one("#support textarea"));
      one("#hours").addEventListener("close", (event) => event.target.showModal());
    },
    discounts() { one(".head .soft").textContent = "9 discounts"; },
  };
  document.addEventListener("DOMContentLoaded", () => spoilt[page]?.());
  window.planted = faults[page] ?? {};
})();
