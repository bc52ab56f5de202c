// Reloads the page while a tournament is running: it loads stamp.js every 3 seconds, and the page if the stamp changed.
"use strict";

const known = document.currentScript.dataset.stamp;

// stamp.js calls this.
function stamp(now) {
  if (now !== known) location.reload();
}

setInterval(() => {
  const script = document.createElement("script");
  script.src = `stamp.js?${Date.now()}`;
  script.addEventListener("load", () => script.remove());
  document.head.append(script);
}, 3000);
