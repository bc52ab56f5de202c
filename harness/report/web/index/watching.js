// Watches a tournament that is running: it loads stamp.js every 3 seconds. When the stamp has changed it reloads
// the page, or offers that, if the reader is in the middle of something.
"use strict";

const known = document.currentScript.dataset.stamp;
const isBusy = () => document.querySelector("details[open]") !== null || String(getSelection()) !== ""
  || document.activeElement?.matches("input, select") || location.hash.includes("?");

// stamp.js calls this.
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
