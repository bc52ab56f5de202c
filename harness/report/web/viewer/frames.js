// Computes the frames, the stops and the beats of one viewer from the steps of a match. A frame is a step with the
// picture after it. A stop is a frame at which the page halts. A beat is a stop at which something larger begins.
"use strict";

// Returns the picture after changes. A change replaces a value or the beginning of a list (see harness/report/scenes).
/** @param {Picture} picture @param {Picture} changes @returns {Picture} */
const changed = (picture, changes) => {
  const names = Object.keys(changes);
  if (names.length === 0) return picture;
  const after = { ...picture };
  for (const name of names) {
    const [key, top] = name.split(" ^");
    if (top === undefined) after[key] = changes[name];
    else after[key] = [...changes[name].slice(1), ...picture[key].slice(changes[name][0])];
  }
  return after;
};

// Returns the steps of one viewer, each with the picture after the step.
/** @param {Match} match @param {number} viewer @returns {Frame[]} */
const framesOf = (match, viewer) => {
  const found = [];
  let picture = match.opening;
  /** @param {[viewers: number[] | null, value: any]} group */
  const theirs = ([viewers]) => viewers === null || viewers.includes(viewer);
  for (const [line, records, changes] of match.steps) {
    const record = records.find(theirs)?.[1];
    if (!record) continue;
    for (const group of changes) if (theirs(group)) picture = changed(picture, group[1]);
    found.push({ line, picture, record: typeof record === "string" ? { is: "event", line: record } : record });
  }
  return found;
};

/** @param {Frame} frame */
const wordsOf = ({ record }) => (record.is === "event" ? record.line.split(" ") : []);

// Returns whether a frame is a stop. Questions and answers are stops only if the game has no drawing.
/** @param {Match} match @param {{ record: LogRecord }} frame */
const isStop = (match, { record }) => {
  if (record.is === "event") return !match.quiet.includes(record.line.split(" ", 1)[0]);
  return ["fault", "result"].includes(record.is) || (record.is === "turn" && Boolean(record.failed))
    || (Boolean(board.answers) && record.is === "turn" && Boolean(record.ask) && !record.starts);
};

// Returns the last frame that belongs to a stop. If answers are stops, the lines that repeat an answer belong to the
// stop of this answer, because the position after the answer comes with these lines.
/** @param {Match} match @param {Frame[]} frames @param {number} place */
const withRepeated = (match, frames, place) => {
  if (!board.answers) return place;
  const next = frames.findIndex((frame, later) => later > place && (frame.record.is !== "event" || isStop(match, frame)));
  return (next < 0 ? frames.length : next) - 1;
};

// Returns the number of the first frame that shows the whole set-up of a game. Before the first question, the lines that
// only repeat something, such as hands and the size of the deck, tell the set-up.
/** @param {Match} match @param {Frame[]} frames */
const setUp = (match, frames) => {
  const first = frames.findIndex(({ record }) => record.is === "turn" && !record.starts);
  return frames.findLastIndex((frame, place) => place < first && frame.record.is === "event" && !isStop(match, frame));
};

/** @param {Match} match @param {Frame[]} frames @returns {number[]} */
const stopsOf = (match, frames) => {
  const found = frames.flatMap((frame, place) => (isStop(match, frame) ? [withRepeated(match, frames, place)] : []));
  const begin = Math.max((found[0] ?? frames.length) - 1, setUp(match, frames));
  return begin >= 0 ? [begin, ...found.filter((place) => place > begin)] : found;
};

// Returns the numbers of the stops at which something larger happens: a turn begins, a collision, a fault, the end.
/** @param {Frame[]} frames @param {number[]} stops @returns {number[]} */
const beatsOf = (frames, stops) => stops.flatMap((place, stop) => {
  const frame = frames[place];
  const large = frame.record.is === "event" ? board.beat?.(wordsOf(frame)) ?? true : true;
  return large || stop === 0 ? [stop] : [];
});

// Returns the number of the last stop that does not come after this line of the log.
/** @param {Frame[]} frames @param {number[]} stops @param {number} line */
const stopAt = (frames, stops, line) => Math.max(0, stops.findLastIndex((place) => frames[place].line <= line));
