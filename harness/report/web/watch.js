// Reloads the page while a tournament is running: loads stamp.js again and again, and the page if the stamp differs.
"use strict";

const known = document.currentScript.dataset.stamp;

// Called by stamp.js.
function stamp(now) {
  if (now !== known) location.reload();
}

setInterval(() => {
  const script = document.createElement("script");
  script.src = `stamp.js?${Date.now()}`;
  script.addEventListener("load", () => script.remove());
  document.head.append(script);
}, 3000);
