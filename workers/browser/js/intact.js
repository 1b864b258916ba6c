// What the kit's own code takes for granted of the language. A page may break it, or an old library
// mend it in its own way: while the kit works the originals are in place, and the page's are put back.
const { deleteProperty, ownKeys, setPrototypeOf } = Reflect;
const plain = (descriptor) => { setPrototypeOf(descriptor, null); return descriptor; };
const basics = []; // {owner, key, value, descriptor}
const rely = (owner, keys) => {
  for (const key of keys) {
    const descriptor = getOwnPropertyDescriptor(owner, key);
    if (descriptor && descriptor.configurable && typeof descriptor.value === "function") basics.push({ owner, key, value: descriptor.value, descriptor: plain(descriptor) });
  }
};
const iterated = (it) => Object.getPrototypeOf(it[Symbol.iterator]());
const prototypes = [Array, String, Number, RegExp, Map, Set, WeakMap, WeakSet, Object, Function, PromiseOf].map((type) => type.prototype);
for (const owner of [...prototypes, Array, String, Number, Object, Math, JSON, iterated([]), iterated(""), iterated(new Map()), iterated(new Set()), Object.getPrototypeOf("".matchAll(/./g))]) rely(owner, ownKeys(owner));
rely(window, ["Array", "String", "Number", "RegExp", "Map", "Set", "WeakMap", "WeakSet", "Object", "Symbol", "URL", "ErrorEvent", "isNaN", "parseFloat", "parseInt"]);

// No method of the language is used here, since any of them may be broken.
const replaced = (owner, key, descriptor, before) => {
  const theirs = getOwnPropertyDescriptor(owner, key);
  if (theirs && !theirs.configurable) return before;
  if (descriptor) defineProperty(owner, key, descriptor); else deleteProperty(owner, key);
  return { owner, key, theirs: theirs && plain(theirs), before };
};
const restore = () => {
  let last = null;
  for (let i = 0; i < basics.length; i += 1) {
    const { owner, key, value, descriptor } = basics[i];
    if (owner[key] !== value) last = replaced(owner, key, descriptor, last);
  }
  for (let i = 0; i < prototypes.length; i += 1) if (getOwnPropertyDescriptor(prototypes[i], "toJSON")) last = replaced(prototypes[i], "toJSON", null, last);
  return last;
};
const putBack = (last) => {
  for (let at = last; at; at = at.before) {
    if (at.theirs) defineProperty(at.owner, at.key, at.theirs); else deleteProperty(at.owner, at.key);
  }
};
// A function of the kit that finds the language as it was, whatever the page did to it.
const intact = (work) => function kitWork(...given) {
  const last = restore();
  try { return apply(work, this, given); } finally { putBack(last); }
};
// A collection that keeps its own methods: for what runs in the midst of the page's own code.
const kept = (collection) => {
  const proto = Object.getPrototypeOf(collection);
  for (const key of ownKeys(proto)) if (typeof getOwnPropertyDescriptor(proto, key).value === "function") defineProperty(collection, key, { value: proto[key] });
  return collection;
};
