// Draws the row of seats. It shows which seat acts next, the standing and the clock of each seat, and at the end of
// the match the rank of each seat. A click on a seat shows the match as this seat sees it.
"use strict";

// Returns the time that each seat has used up to the frame `end`.
/** @param {Match} match @param {Frame[]} frames @param {number} end */
const clocksAt = (match, frames, end) => {
  const used = match.bots.map(() => ({ last: null, all: 0, limit: 0, bank: -1 }));
  for (const { record } of frames.slice(0, end + 1)) {
    if (record.is !== "turn" || record.starts) continue;
    const clock = used[record.seat - 1];
    clock.last = record.us ?? 0;
    clock.all += clock.last;
    clock.limit = record.limit_us ?? clock.limit;
    const bank = Number(record.ask?.split(" ")[2] ?? -1);
    if (bank >= 0) clock.bank = Math.max(0, bank * 1000 - clock.last);
  }
  return used;
};

// Returns the seat that answers next after the frame `end`, or 0 at the end of the match.
/** @param {Frame[]} frames @param {number} end @returns {number} */
const toMove = (frames, end) => {
  if (frames[end].record.is === "result") return 0;
  return frames.slice(end + 1).find(({ record }) => record.is === "turn" && !record.starts)?.record.seat ?? 0;
};

const clockText = (clock) => {
  const last = clock.last === null ? "not asked yet" : `${span(clock.last)}${clock.limit ? ` of ${span(clock.limit)}` : ""}`;
  return `${last}${clock.bank >= 0 ? `, bank ${span(clock.bank)}` : ""}`;
};

// Says what a click on a seat does.
/** @param {Match} match @param {boolean} seen */
const clickOf = (match, seen) => {
  if (match.seat) return `This page has only the view of seat ${match.seat}.`;
  return seen ? "A click shows the referee's view." : "A click shows the match as this seat sees it.";
};

const chip = (match, seat, picture, clock, { moving, result, seen, first }) => {
  const stands = match.standing ? picture[`${match.standing[0]} ${seat}`] : null;
  const points = result && stands === null ? result.scores[seat - 1] : stands, noun = match.standing?.[1] ?? "score";
  const winner = result && winnersOf(result).includes(seat) && winnersOf(result).length < match.bots.length;
  const side = sideOf(match, seat), acts = moving === seat;
  const words = [acts && "to move", winner && "winner", result && ordinal(result.ranks[seat - 1]), side && `side ${side}`,
    points === null ? "" : `${noun} ${points}`, clockText(clock), `${span(clock.all)} in total`];
  const button = make("button", { type: "button", "data-seat": String(seat), "aria-pressed": String(seen), tabindex: first ? "0" : "-1",
    class: side ? `side-${side}` : "",
    title: `${match.bots[seat - 1]}: ${words.filter(Boolean).join(", ")}. ${clickOf(match, seen)}` });
  button.append(make("b", { text: String(seat) }), ...signsOf(side),
    make("span", { class: "name", text: match.bots[seat - 1] }));
  if (acts) button.append(make("span", { class: "moves", text: "◀\uFE0E", role: "img", "aria-label": "to move" }));
  if (winner) button.append(make("span", { class: "won", text: "★", role: "img", "aria-label": "winner" }));
  if (result) button.append(make("span", { class: "rank-at-end", text: ordinal(result.ranks[seat - 1]).replace("shared ", "") }));
  if (match.standing) button.append(sampleOf(seat));
  if (points !== null) button.append(make("span", { class: "points", text: String(points) }));
  button.append(make("span", { class: "clock", text: clock.last === null ? "" : clockText(clock) }));
  const meter = make("span", { class: "meter", "aria-hidden": "true" });
  meter.style.setProperty("--part", clock.limit && clock.last !== null ? Math.min(1, clock.last / clock.limit) : 0);
  const item = make("li", { style: `--own: ${colour(seat)}`, "data-key": String(seat) }, button, meter);
  if (acts) item.setAttribute("aria-current", "true");
  return item;
};

/** @param {HTMLElement} root @param {Match} match @param {Frame[]} frames @param {number} end @param {boolean} spoil @param {number} viewer */
const drawSeats = (root, match, frames, end, spoil, viewer) => {
  const last = frames.findLast(({ record }) => record.is === "result")?.record;
  const result = spoil || frames[end].record.is === "result" ? last : null;
  const clocks = clocksAt(match, frames, end), moving = toMove(frames, end);
  root.style.setProperty("--seats", String(match.bots.length));
  root.style.setProperty("--on-a-phone", String(match.bots.length > 4 ? 3 : Math.min(2, match.bots.length)));
  // Allies stand together, and a gap separates the sides.
  const chips = match.sides.flatMap((seats) => seats.map((seat, place) => {
    const item = chip(match, seat, frames[end].picture, clocks[seat - 1], { moving, result, seen: viewer === seat, first: seat === (viewer || 1) });
    if (sideOf(match, seat) && place === 0) item.className = "begins";
    return item;
  }));
  patchChildren(root, chips);
};
