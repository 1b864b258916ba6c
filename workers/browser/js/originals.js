// What the kit needs of the platform, saved before the page can patch it.
const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;
const stringify = JSON.stringify;
const now = performance.now.bind(performance);
const later = window.setTimeout.bind(window);
const frame = window.requestAnimationFrame.bind(window);
const PromiseOf = Promise;
const ObserverOf = MutationObserver;
const text = String;

const elementProto = Element.prototype;
const getter = (proto, name) => getOwnPropertyDescriptor(proto, name).get;
const $rect = elementProto.getBoundingClientRect;
const $rects = elementProto.getClientRects;
const $visible = elementProto.checkVisibility;
const $attr = elementProto.getAttribute;
const $hasAttr = elementProto.hasAttribute;
const $matches = elementProto.matches;
const $closest = elementProto.closest;
const $query = elementProto.querySelector;
const $queryAll = elementProto.querySelectorAll;
const $scroll = elementProto.scrollIntoView;
const $textContent = getter(Node.prototype, "textContent");
const $open = getter(elementProto, "shadowRoot");
const $style = window.getComputedStyle.bind(window);

const rectOf = (el) => apply($rect, el, []);
const attr = (el, name) => apply($attr, el, [name]) ?? "";
const hasAttr = (el, name) => apply($hasAttr, el, [name]);
const matches = (el, selector) => apply($matches, el, [selector]);
const closest = (el, selector) => apply($closest, el, [selector]);
const one = (el, selector) => apply($query, el, [selector]);
const all = (el, selector) => apply($queryAll, el, [selector]);
const textOf = (node) => apply($textContent, node, []) || "";
const squeeze = (s) => text(s).replace(/\s+/g, " ").trim();
