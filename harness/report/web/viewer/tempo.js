// Decides how long each step is shown while a match plays. A step that changes the standings is shown longer, and a step
// at which little happens is shown shorter. At the usual speed, no match takes longer than three minutes.
"use strict";

const LONGEST_MS = 170_000, USUAL_MS = 800, LEAST_MS = 60;
// The time of each kind of step, as a multiple of the usual time.
const WEIGHTS = { heavy: 2, usual: 0.75, dull: 0.15 };
// In a match that is too long, all heavy steps together take at most this part of the longest time.
const HEAVY_PART = 0.6;

// Changes of the standing are rare if they happen at no more than this part of the stops.
const RARE = 0.25;

// Returns whether the standing of a seat changes at a stop.
/** @param {number[][]} rows @param {number} stop */
const changesAt = (rows, stop) => stop > 0 && rows.some((row) => row[stop] !== row[stop - 1]);

// Returns the numbers of the stops at which the standing of a seat changes, if such stops are rare.
/** @param {number[]} stops @param {number[][]} rows @returns {number[]} */
const rareChanges = (stops, rows) => {
  const changes = stops.flatMap((_, stop) => (changesAt(rows, stop) ? [stop] : []));
  return changes.length <= RARE * stops.length ? changes : [];
};

// Returns the numbers of the stops to which the keys for moments lead: a mark, a rare change of the standing, a fault, the
// end.
/** @param {Frame[]} frames @param {number[]} stops @param {number[]} changes @param {Mark[]} marks @returns {number[]} */
const momentsOf = (frames, stops, changes, marks) => {
  const chosen = new Set([...marks.map(({ stop }) => stop), ...changes]);
  return stops.flatMap((place, stop) => (chosen.has(stop) || ["fault", "result"].includes(frames[place].record.is) ? [stop] : []));
};

/** @param {Match} match @param {Frame[]} frames @param {number[]} stops @param {number[][]} rows @param {Mark[]} marks @param {number} stop */
const weightOf = (match, frames, stops, rows, marks, stop) => {
  const { record } = frames[stops[stop]];
  if (record.is !== "event" || marks.some((mark) => mark.stop === stop && mark.kind !== "slow")) return "heavy";
  if (changesAt(rows, stop)) return "heavy";
  return board.dull?.(record.line.split(" ")) ? "dull" : "usual";
};

// Returns for how many milliseconds each stop is shown at the usual speed. If the match is too long, its usual and dull steps
// become faster first, so that the heavy steps keep their weight.
/** @param {Match} match @param {Frame[]} frames @param {number[]} stops @param {number[][]} rows @param {Mark[]} marks @returns {number[]} */
const temposOf = (match, frames, stops, rows, marks) => {
  const kinds = stops.map((_, stop) => (board.answers ? "usual" : weightOf(match, frames, stops, rows, marks, stop)));
  const times = kinds.map((kind) => USUAL_MS * WEIGHTS[kind]);
  const sum = (heavy) => times.reduce((total, time, stop) => total + ((kinds[stop] === "heavy") === heavy ? time : 0), 0);
  const [heavy, light] = [sum(true), sum(false)];
  if (heavy + light <= LONGEST_MS) return times;
  const slowed = Math.min(1, ((light ? HEAVY_PART : 1) * LONGEST_MS) / heavy);
  const hurried = (LONGEST_MS - heavy * slowed) / (light || 1);
  return times.map((time, stop) => time * (kinds[stop] === "heavy" ? slowed : Math.min(1, hurried)));
};

// Returns the next stop after `from` and the time until it is shown. Steps that would stay too short a time to be seen
// are shown together.
/** @param {number[]} tempos @param {number} from @param {number} speed @returns {[stop: number, wait: number]} */
const nextOf = (tempos, from, speed) => {
  let stop = from, wait = 0;
  do {
    wait += tempos[stop] * speed;
    stop += 1;
  } while (wait < LEAST_MS && stop < tempos.length - 1);
  return [stop, wait];
};
