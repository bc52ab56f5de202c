// Remembers which parts the reader has opened and how the reader has sorted tables. After a reload or after the Back
// button, the page looks the same again.
"use strict";

const memory = (() => {
  try { return JSON.parse(sessionStorage.getItem(location.pathname) ?? "{}"); } catch { return {}; }
})();
const remember = (name, value) => {
  memory[name] = value;
  try { sessionStorage.setItem(location.pathname, JSON.stringify(memory)); } catch { /* The browser does not allow pages to store data. */ }
};

document.querySelectorAll("details").forEach((details, place) => {
  const name = `open ${details.dataset.name ?? place}`;
  if (memory[name] !== undefined) details.open = memory[name];
  details.addEventListener("toggle", () => remember(name, details.open));
});
