// Owns the look for a newer page while a tournament goes on: loads stamp.js anew, and the page when it differs.
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
