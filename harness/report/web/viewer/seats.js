// Draws the row of seats. It shows which seat acts next, the standing and the clock of each seat, and at the end of
// the match the rank of each seat.
"use strict";

// Returns the time that each seat has used up to the frame `end`.
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
const toMove = (frames, end) => {
  if (frames[end].record.is === "result") return 0;
  return frames.slice(end + 1).find(({ record }) => record.is === "turn" && !record.starts)?.record.seat ?? 0;
};

const sideOf = (match, seat) => {
  const side = match.sides.findIndex((seats) => seats.includes(seat));
  return match.sides.length < match.bots.length ? `side ${"ABCDEFGHI"[side]}` : "";
};

const clockText = (clock) => {
  const last = clock.last === null ? "not asked yet" : `${span(clock.last)}${clock.limit ? ` of ${span(clock.limit)}` : ""}`;
  return `${last}${clock.bank >= 0 ? `, bank ${span(clock.bank)}` : ""}`;
};

const chip = (match, seat, picture, clock, moving, result) => {
  const stands = match.standing ? picture[`${match.standing[0]} ${seat}`] : null;
  const item = make("li", { style: `--own: ${colour(seat)}`, title: `${match.bots[seat - 1]}: ${clockText(clock)}, ${span(clock.all)} in total` });
  if (moving === seat) item.setAttribute("aria-current", "true");
  const winner = result && winnersOf(result).includes(seat) && winnersOf(result).length < match.bots.length;
  const first = make("span", { class: "line" }, make("b", { text: String(seat) }), make("span", { class: "name", text: match.bots[seat - 1] }));
  if (moving === seat) first.append(make("span", { class: "moves", text: "to move" }));
  if (winner) first.append(make("span", { class: "won", text: "★", role: "img", "aria-label": "winner" }));
  const points = [stands === null ? "" : `${match.standing[1]} ${String(stands).replace("-", "−")}`, sideOf(match, seat)];
  if (result) points.unshift(`${ordinal(result.ranks[seat - 1])}${stands === null ? `, score ${result.scores[seat - 1]}` : ""}`);
  const meter = make("span", { class: "meter", "aria-hidden": "true" });
  meter.style.setProperty("--part", clock.limit && clock.last !== null ? Math.min(1, clock.last / clock.limit) : 0);
  const told = make("span", { class: "points", text: points.filter(Boolean).join(", ") });
  if (match.standing) told.prepend(sampleOf(seat));
  item.append(first, told, make("span", { class: "clock", text: clockText(clock) }), meter);
  return item;
};

const drawSeats = (root, match, frames, end, spoil) => {
  const last = frames.findLast(({ record }) => record.is === "result")?.record;
  const result = spoil || frames[end].record.is === "result" ? last : null;
  const clocks = clocksAt(match, frames, end), moving = toMove(frames, end);
  root.style.setProperty("--seats", match.bots.length);
  root.style.setProperty("--on-a-phone", match.bots.length === 4 ? 2 : Math.min(3, match.bots.length));
  root.replaceChildren(...match.bots.map((_, place) => chip(match, place + 1, frames[end].picture, clocks[place], moving, result)));
};
