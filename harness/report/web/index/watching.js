// Watches a running tournament by loading stamp.js every 3 seconds. If the stamp has changed, this script reloads the
// page; the place and the choice of the reader stay. If the reader is busy, for example with a form, a bar at the edge
// of the window offers the news, and the page reloads as soon as the reader is not busy any more.
"use strict";

const known = document.currentScript.dataset.stamp;
const isBusy = () => String(getSelection()) !== "" || document.activeElement?.matches("input, select");

// stamp.js calls this function.
globalThis.stamp = function stamp(now) {
  if (now === known) return;
  if (!isBusy()) { location.reload(); return; }
  document.getElementById("news").hidden = false;
};

document.querySelector("#news button").addEventListener("click", () => location.reload());
setInterval(() => {
  const script = document.createElement("script");
  script.src = `stamp.js?${Date.now()}`;
  script.addEventListener("load", () => script.remove());
  document.head.append(script);
}, 3000);
