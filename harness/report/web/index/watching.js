// Watches a running tournament by loading stamp.js every 3 seconds. If the stamp has changed, this script reloads the
// page. If the reader is busy, for example with a form, it shows a button that reloads the page.
"use strict";

const known = document.currentScript.dataset.stamp;
const isBusy = () => document.querySelector("details[open]") !== null || String(getSelection()) !== ""
  || document.activeElement?.matches("input, select") || location.hash.includes("?");

// stamp.js calls this function.
function stamp(now) {
  const news = document.getElementById("news");
  if (now === known || !news.hidden) return;
  if (!isBusy()) { location.reload(); return; }
  news.hidden = false;
  news.querySelector("button").addEventListener("click", () => location.reload());
}

setInterval(() => {
  const script = document.createElement("script");
  script.src = `stamp.js?${Date.now()}`;
  script.addEventListener("load", () => script.remove());
  document.head.append(script);
}, 3000);
