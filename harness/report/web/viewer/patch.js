// Changes elements of the page into new ones. Parts that stay the same stay in the page, so that a reader can point at
// them, scroll in them and focus them from step to step.
"use strict";

const keyIn = (node) => node.dataset?.key ?? "";
const alike = (one, other) => one.nodeName === other.nodeName && keyIn(one) === keyIn(other);

const patch = (old, wanted) => {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== wanted.data) old.data = wanted.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!wanted.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of wanted.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  patchChildren(old, wanted.childNodes);
};

// Gives `parent` these children. A child with a data-key replaces the old child with the same key, wherever it was.
// Another child replaces the old child at its place, if both are the same kind of element.
/** @param {Element} parent @param {ArrayLike<Node> & Iterable<Node>} children */
const patchChildren = (parent, children) => {
  const keyed = new Map([...parent.children].filter(keyIn).map((child) => [keyIn(child), child]));
  let place = parent.firstChild;
  for (const wanted of [...children]) {
    const old = keyIn(wanted) ? keyed.get(keyIn(wanted)) : place;
    if (!old || !alike(old, wanted)) {
      parent.insertBefore(wanted, place);
      continue;
    }
    keyed.delete(keyIn(wanted));
    if (old === place) place = place.nextSibling;
    else parent.insertBefore(old, place);
    patch(old, wanted);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
};
