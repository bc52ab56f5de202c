// Loads the match that the address names, and makes links to the previous and the next match in the list.
"use strict";

let order = [], uncounted = new Map();

// The script in a file calls this function for each match in the file, with the compressed replay as text.
let ready = null;
let came = "";
globalThis.packed = (id, text) => {
  const alone = !document.body || "alone" in document.body.dataset; // A page of one match may have no body yet.
  if (!alone && id !== wanted().id) return;
  came = id;
  ready = unpacked(text).then(replay);
};

// Fills the list that says what the signs of the drawing mean.
const drawSigns = () => {
  const signs = board.signs?.(match) ?? [];
  page.legend.hidden = signs.length === 0;
  page.signs.replaceChildren(...signs.map(([sign, meaning]) => make("li", {}, make("span", { class: "board", "aria-hidden": "true" }, make("span", {}, sign)), meaning)));
  for (const part of page.signs.querySelectorAll("[data-key]")) part.removeAttribute("data-key"); // Only parts of the board move.
};

/** @param {Match} loaded */
const replay = (loaded) => {
  match = loaded;
  document.title = `${match.id} · ${TITLE}`;
  document.body.classList.remove("missing");
  page.number.textContent = match.id.replace("~", ", branch ");
  const seats = match.bots.map((name, place) => [String(place + 1), `seat ${place + 1}, ${name}${sideOf(match, place + 1) && `, side ${sideOf(match, place + 1)}`}`]);
  const options = (all) => all.map(([value, text]) => make("option", { value, text }));
  const viewers = match.seat ? [seats[match.seat - 1]] : [["0", "the referee"], ...seats];
  page.view.replaceChildren(...options(viewers));
  page.beside.replaceChildren(...options([["", "nothing"], ...viewers]));
  if (board.beats) for (const [key, word] of [["before", "Previous"], ["after", "Next"]]) page[key].setAttribute("aria-label", `${word} ${board.beats}`);
  drawSigns();
  page.beats.textContent = `one ${board.beats ?? "turn"}`;
  flipped = false;
  page.turn.hidden = !board.turns;
  page.account.textContent = match.account ? `CPU time: ${match.account}.` : "";
  page.mail.textContent = match.log && !("alone" in document.body.dataset) ? `This match as one file, to send: harness show LOGS ${match.id} --html` : "";
  [at, allFrames, stops, beside] = [0, [], [], null];
  show(0);
  toWanted();
  neighbours();
};

// matches.js calls this function once with all matches. The links to the previous and the next match need the list.
globalThis.matches = ({ rows, reasons, forks: found = {} }) => {
  forks = found;
  order = rows.map(([id]) => id);
  uncounted = new Map(rows.filter((row) => row.at(-1)).map((row) => [row[0], reasons[row.at(-1) - 1]]));
  neighbours();
};

const neighbours = () => {
  const place = match ? order.indexOf(trunkOf(match.id)) : -1;
  const why = match ? uncounted.get(match.id) : "";
  page.uncounted.hidden = !why;
  page.uncounted.title = why ? `Does not count: ${why}` : "";
  page.uncounted.lastElementChild.textContent = why ? `: ${why}` : "";
  const link = (id, text, words) => (id === undefined || place < 0 ? "" : make("a", { href: `#${id}`, text, "aria-label": `${words} match, ${id}` }));
  page.neighbours.replaceChildren(link(order[place - 1], `← ${order[place - 1]}`, "Previous"), " ", link(order[place + 1], `${order[place + 1]} →`, "Next"));
};

const toNeighbour = (by) => {
  const id = order[order.indexOf(trunkOf(match.id)) + by];
  if (id !== undefined) location.hash = id;
};

const missing = (id) => {
  match = null;
  document.body.classList.add("missing");
  page.number.textContent = id;
  page.now.textContent = id ? `This report has no match ${id}.` : "The address names no match. Choose one in the list of matches.";
};

const load = () => {
  const { id } = wanted();
  halt();
  if ("alone" in document.body.dataset) { if (match) toWanted(); return; } // The page has only this match.
  if (match?.id === id) { toWanted(); return; }
  if (!/^\d+\.\d+\.\d+\.\d+(~\d+)?$/.test(id)) { missing(id); return; }
  const script = make("script", { src: packOf(id) });
  came = "";
  script.addEventListener("load", () => { if (came !== id && wanted().id === id) missing(id); });
  script.addEventListener("error", () => missing(id));
  document.head.append(script);
};

addEventListener("hashchange", load);
addEventListener("DOMContentLoaded", load);
