// Remembers what the reader opened and sorted, so that it is still there after Back and after a reload.
"use strict";

const memory = (() => {
  try { return JSON.parse(sessionStorage.getItem(location.pathname) ?? "{}"); } catch { return {}; }
})();
const remember = (name, value) => {
  memory[name] = value;
  try { sessionStorage.setItem(location.pathname, JSON.stringify(memory)); } catch { /* The browser keeps nothing. */ }
};

document.querySelectorAll("details").forEach((details, place) => {
  const name = `open ${details.dataset.name ?? place}`;
  if (memory[name] !== undefined) details.open = memory[name];
  details.addEventListener("toggle", () => remember(name, details.open));
});
