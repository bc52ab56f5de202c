// Moves the parts of a drawing that have changed their place. A part slides from the old place of the part with
// the same data-key.
"use strict";

const SLIDE_MS = 150;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const middleOf = (element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

const placesIn = (root) => {
  const found = new Map();
  if (!calm.matches) root.querySelectorAll("[data-key]").forEach((part) => found.set(part.dataset.key, middleOf(part)));
  return found;
};

// Measures all parts before it moves a part, so that the browser computes the layout of the page only once.
const slide = (root, before) => {
  if (before.size === 0) return;
  const moved = [...root.querySelectorAll("[data-key]")].flatMap((part) => {
    const from = before.get(part.dataset.was ?? part.dataset.key);
    if (!from) return [];
    const [x, y] = middleOf(part);
    const unit = part.ownerSVGElement ? part.getScreenCTM().a : Number(part.closest(".fit")?.dataset.scale ?? 1);
    const [dx, dy] = [(from[0] - x) / unit, (from[1] - y) / unit];
    return Math.abs(dx) + Math.abs(dy) < 2 ? [] : [[part, dx, dy]];
  });
  for (const [part, dx, dy] of moved) {
    part.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: SLIDE_MS, easing: "ease-out" });
  }
};
