// Connects buttons, keys, swipes and settings to the steps of a match.
"use strict";

const step = (to) => () => { halt(); go(to()); };
const faster = (by) => {
  page.speed.selectedIndex = Math.max(0, Math.min(page.speed.options.length - 1, page.speed.selectedIndex + by));
  if (timer) { halt(); play(); }
};
// The element that had the focus before the settings were opened. It gets the focus back when the settings are closed.
/** @type {any} */
let focused = null;
const panel = (open = page.panel.hidden) => {
  if (open && page.panel.hidden) focused = document.activeElement;
  const inside = page.panel.contains(document.activeElement);
  page.panel.hidden = !open;
  page.settings.setAttribute("aria-expanded", String(open));
  if (open) page.speed.focus();
  else if (inside) {
    /** @type {HTMLElement} */ (document.activeElement).blur();
    focused.focus();
  }
};

// Turns a board that has two sides.
const turnBoard = () => {
  if (!board.turns) return;
  flipped = !flipped;
  go(at);
};

const moves = {
  ArrowLeft: step(() => at - 1), ArrowRight: step(() => at + 1),
  "[": step(() => turnOn(-1)), "]": step(() => turnOn(1)), ",": step(() => toMoment(-1)), ".": step(() => toMoment(1)),
  Home: step(() => 0), End: step(() => stops.length - 1),
  " ": () => play(), p: () => toNeighbour(-1), n: () => toNeighbour(1), f: toFault, F: toFault,
  t: () => turnBoard(), "+": () => faster(1), "-": () => faster(-1), "?": () => panel(), Escape: () => panel(false),
};

const BUTTONS = { first: "Home", before: "[", back: "ArrowLeft", on: "ArrowRight", after: "]", last: "End", earlier: ",", later: ".", play: " " };
for (const [name, key] of Object.entries(BUTTONS)) page[name].addEventListener("click", () => moves[key]());
page.turn.addEventListener("click", turnBoard);
page.seats.addEventListener("click", ({ target }) => {
  const seat = Number(target.closest("[data-seat]")?.dataset.seat ?? 0);
  if (seat) show(seat === view ? 0 : seat);
});
rove(page.seats);
page.settings.addEventListener("click", () => panel());
page.slider.addEventListener("input", () => { halt(); go(Number(page.slider.value)); });
page.view.addEventListener("change", () => show(Number(page.view.value)));
page.beside.addEventListener("change", () => show(view, page.beside.value === "" ? null : Number(page.beside.value)));
page.speed.addEventListener("change", () => faster(0));
page.results.addEventListener("change", () => go(at));
page.protocol.addEventListener("change", () => { fillStory(); go(at); });
page.telling.addEventListener("click", () => {
  const telling = document.body.classList.toggle("telling");
  page.telling.setAttribute("aria-pressed", String(telling));
  if (match) go(at);
});

// A control that the mouse has pressed does not keep the focus, so that the key Space plays, as the help says.
document.addEventListener("click", ({ target, detail }) => {
  if (detail) /** @type {any} */ (target).closest(".keys button, .head button, .panel button")?.blur();
}, true);

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!match || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!page.panel.hidden && !["Escape", "?"].includes(event.key)) return; // The keys are for the settings that are open.
  if (event.key !== "Escape" && target.closest("select, input[type=checkbox]")) return;
  if (target === page.slider && ["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key) && !event.shiftKey) return;
  if (target.closest("button, a, summary") && [" ", "Enter"].includes(event.key)) return;
  if (["ArrowUp", "ArrowDown"].includes(event.key)) return;
  const key = event.shiftKey ? { ArrowLeft: "[", ArrowRight: "]" }[event.key] ?? event.key : event.key;
  const digit = /^[0-9]$/.test(key) ? Number(key) : -1;
  if (digit >= 0 && digit <= match.bots.length) show(digit);
  else if (moves[key]) { event.preventDefault(); moves[key](); }
});

// A swipe to the left over the board goes to the next step, and a swipe to the right goes to the previous step.
let touched = null;
page.board.addEventListener("touchstart", ({ touches }) => { touched = touches.length === 1 ? [touches[0].clientX, touches[0].clientY] : null; }, { passive: true });
page.board.addEventListener("touchend", ({ changedTouches: [end] }) => {
  if (!touched || !match) return;
  const [across, down] = [end.clientX - touched[0], end.clientY - touched[1]];
  if (Math.abs(across) > 40 && Math.abs(down) < Math.abs(across) / 2) moves[across < 0 ? "ArrowRight" : "ArrowLeft"]();
}, { passive: true });

new ResizeObserver(() => {
  if (!match || !stage.resized()) return;
  measure();
  go(at);
}).observe(page.board);
