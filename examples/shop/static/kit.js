// What every page of the shop shares: actions, API, toasts, dialogs, menus, tabs.
// A control names its action in `data-action`; a page gives the action its meaning.

const actions = new Map();

export class ApiError extends Error {}

/** Say what controls with this `data-action` do. */
export function action(name, handler) {
  actions.set(name, window.planted?.[name] ?? friendly(handler));
}

/** Give every control below `root` its listener, once. */
export function bind(root = document) {
  for (const control of root.querySelectorAll("[data-action]")) {
    if (control.bound) continue;
    control.bound = true;
    const handler = actions.get(control.dataset.action);
    control.addEventListener("click", (event) => handler(control, event));
  }
}

/** Run an action without a control. */
export const run = (name, control) => actions.get(name)(control);

/** A failing request becomes a toast, not an unhandled rejection. */
function friendly(handler) {
  return async (control, event) => {
    try {
      await handler(control, event);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message, "bad");
    }
  };
}

/** One JSON request; anything but a 2xx is an `ApiError`. */
export async function api(method, path, body) {
  const response = await request(method, path, body);
  const text = await response.text();
  if (!response.ok) throw new ApiError(`That did not work (${response.status})`);
  return JSON.parse(text);
}

async function request(method, path, body) {
  try {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return await fetch(path, { method, body: text, headers: { "Content-Type": "application/json" } });
  } catch {
    throw new ApiError("The shop cannot be reached");
  }
}

export const get = (path) => api("GET", path);

export function toast(text, kind = "good") {
  const note = document.createElement("div");
  note.className = `toast ${kind}`;
  note.setAttribute("role", "status");
  note.textContent = text;
  const place = document.querySelector(".toasts");
  place.append(note);
  if (place.matches(":popover-open")) place.hidePopover();
  place.showPopover(); // above an open dialog
  setTimeout(() => note.remove(), 4000);
}

/** Copy a `<template>`, fill its `data-text` slots, put it at the end of `place`. */
export function add(place, templateId, values) {
  const copy = document.getElementById(templateId).content.cloneNode(true);
  for (const slot of copy.querySelectorAll("[data-text]")) {
    slot.textContent = values[slot.dataset.text] ?? "";
  }
  for (const link of copy.querySelectorAll("a[data-link]")) link.href = link.dataset.link + values.id;
  for (const row of copy.querySelectorAll("[data-row]")) row.dataset.row = values.id;
  bind(copy);
  place.append(copy);
}

export const rowId = (control) => control.closest("[data-row]").dataset.row;

// Menus ------------------------------------------------------------------------------------

function closeMenus(except) {
  for (const opener of document.querySelectorAll('[aria-haspopup="menu"][aria-expanded="true"]')) {
    if (except && opener.parentElement.contains(except)) continue;
    opener.setAttribute("aria-expanded", "false");
    opener.nextElementSibling.hidden = true;
  }
}

action("menu", (opener, event) => {
  event.stopPropagation();
  const open = opener.getAttribute("aria-expanded") !== "true";
  closeMenus(opener.parentElement);
  opener.setAttribute("aria-expanded", String(open));
  opener.nextElementSibling.hidden = !open;
});

document.addEventListener("click", (event) => {
  if (!event.target.closest('[role="menuitemcheckbox"]')) closeMenus();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  closeMenus();
  document.querySelector(".veil:not([hidden])")?.setAttribute("hidden", "");
});

// Dialogs ----------------------------------------------------------------------------------

action("dialog", (control) => document.getElementById(control.dataset.dialog).showModal());
action("close", (control) => control.closest("dialog").close());
action("sheet", (control) => {
  const veil = document.getElementById(control.dataset.dialog);
  veil.hidden = false;
  veil.querySelector("button").focus();
});
action("close-sheet", (control) => { control.closest(".veil").hidden = true; });
action("keep-focus", (veil, event) => {
  const stops = [...veil.querySelectorAll("button:enabled, a[href]")];
  const [at, step] = [stops.indexOf(document.activeElement), event.shiftKey ? -1 : 1];
  event.preventDefault();
  stops[(at + step + stops.length) % stops.length].focus();
});
document.addEventListener("keydown", (event) => {
  const veil = document.querySelector(".veil:not([hidden])");
  if (veil && event.key === "Tab") actions.get("keep-focus")(veil, event);
});

/** Show one dialog with this text; resolves to whether it was confirmed. */
export function ask(title, text, confirm) {
  const dialog = document.getElementById("ask");
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("p").textContent = text;
  dialog.querySelector("[value=yes]").textContent = confirm;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}

// Tabs, switches, notices ------------------------------------------------------------------

action("tab", (tab) => {
  const list = tab.closest('[role="tablist"]');
  for (const other of list.querySelectorAll('[role="tab"]')) {
    other.setAttribute("aria-selected", String(other === tab));
    const panel = document.getElementById(other.getAttribute("aria-controls"));
    if (panel) panel.hidden = other !== tab;
  }
  tab.dispatchEvent(new CustomEvent("chosen", { bubbles: true }));
});

/** Run the action of this name when its tab is chosen. */
export function onTab(id, name) {
  const tab = document.getElementById(id);
  tab.addEventListener("chosen", () => actions.get(name)(tab));
}

/** A switch shows its new state at once and goes back when the shop says no. */
export async function flip(control, save) {
  const on = control.getAttribute("aria-checked") !== "true";
  control.setAttribute("aria-checked", String(on));
  try {
    await save(on);
    toast(on ? "Switched on" : "Switched off");
  } catch (error) {
    control.setAttribute("aria-checked", String(!on));
    throw error;
  }
}

action("dismiss", (control) => control.closest(".notice").remove());
action("mark-read", (control) => {
  document.querySelector(".top .count")?.remove();
  control.textContent = "All read";
  toast("No new notices");
});

/** Submit forms of this id through `save` instead of a page load. */
export function onSubmit(id, name, save) {
  action(name, save);
  const form = document.getElementById(id);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    actions.get(name)(form, event);
  });
}
export const fields = (form) => Object.fromEntries(new FormData(form));
