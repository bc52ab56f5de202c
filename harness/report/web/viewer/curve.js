// Draws the curve above the slider: a line for the standing of each seat up to the current step, its numbers, and marks
// for turns and moments. The curve shows only the past, unless the reader wants to see the result.
"use strict";

const MOST_TICKS = 150, HIGH = 96, EDGE = 6;
// The dashes of each seat's line. A reader who cannot distinguish the colours can distinguish the dashes.
const DASHES = ["none", "7 3", "2 3", "10 3 2 3", "14 5", "6 2 1 2 1 2", "1 5", "16 3 4 3", "4 7"];
const stroke = (seat, path) => draw("path", { d: path, class: "stands", style: `--own: ${colour(seat)}`, "stroke-dasharray": DASHES[(seat - 1) % DASHES.length] });

// Draws a short piece of a seat's line. The row of seats shows this piece as a legend.
const sampleOf = (seat) => {
  const chart = draw("svg", { viewBox: "0 0 30 6", class: "sample", "aria-hidden": "true" });
  chart.append(stroke(seat, "M0 3H30"));
  return chart;
};

/** @param {Match} match @param {Frame[]} frames @param {number[]} stops @returns {Mark[]} */
const marksOf = (match, frames, stops) => {
  const found = match.moments.flatMap(([line, kind, seat]) => {
    const stop = stops.findIndex((place) => frames[place].line >= line);
    return stop < 0 ? [] : [{ stop, kind, seat }];
  });
  return [...found, ...leaving(match.id).map(([line, { seat }]) => ({ stop: stopAt(frames, stops, line), kind: "branch", seat }))];
};
// Returns whether a moment has a button.
/** @param {Mark} mark */
const hasButton = ({ kind }) => kind in SIGNS;

const SIGNS = { fault: ["!", "Fault"], decided: ["◆", "Decided"], swing: ["▲", "Swing"], slow: ["◷", "Slowest"] };
/** @param {Mark} mark @param {Match} match */
const saidOf = ({ kind, seat }, match) => {
  const name = match.bots[seat - 1], allies = match.sides.find((seats) => seats.includes(seat));
  const side = listed(allies.map((each) => match.bots[each - 1])), s = allies.length === 1 ? "s" : "";
  if (kind === "fault") return `Fault of ${name}`;
  if (kind === "decided") return `Decided: ${side} lead${s} from here to the end`;
  if (kind === "swing") return `The largest swing: ${name}`;
  if (kind === "lead") return `${side} take${s} the lead`;
  return `The slowest answer: ${name}`;
};
// Returns the moments that get a sentence in the story, each with its sentence. Faults and branches get no sentence: the
// step of a fault tells the fault, and links show the branches.
/** @param {Mark[]} marks @param {Match} match @returns {[stop: number, sentence: string][]} */
const toldMoments = (marks, match) => marks.filter(({ kind }) => !["fault", "branch"].includes(kind)).map((mark) => [mark.stop, saidOf(mark, match)]);

// Returns what the curve shows: the numbers that the bots say about how well they stand, if they say any, and otherwise
// the standing.
/** @param {Match} match @param {Frame[]} frames */
const shownIn = (match, frames) => {
  const { picture } = frames.at(-1) ?? { picture: {} };
  const says = match.guess && match.bots.some((_, place) => picture[`${match.guess[0]} ${place + 1}`] !== undefined);
  return says ? match.guess : match.standing;
};

// Returns the number of each seat at each stop: its standing, or another number.
/** @param {Match} match @param {Frame[]} frames @param {number[]} stops @param {Match["standing"]} [shown] @returns {number[][]} */
const standingsOf = (match, frames, stops, shown = match.standing) => {
  if (!shown) return [];
  const [key] = shown;
  return match.bots.map((_, place) => stops.map((stop) => frames[stop].picture[`${key} ${place + 1}`] ?? 0));
};

// Returns round numbers below and above these values, so that the scale seldom changes while the curve grows.
/** @param {number[][]} rows @param {number} until @returns {[number, number]} */
const rangeOf = (rows, until) => {
  let low = Infinity, high = -Infinity;
  for (const row of rows) {
    for (let stop = 0; stop <= until; stop += 1) {
      low = Math.min(low, row[stop]);
      high = Math.max(high, row[stop]);
    }
  }
  const step = 10 ** Math.floor(Math.log10(Math.max(1, high - low)));
  [low, high] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  // The scale also shows the number in the middle, so this number must be round too.
  const odd = Math.round((high - low) / step) % 2 === 1;
  return low === high || odd ? [low, high + (odd ? step : 2)] : [low, high];
};

/** @param {HTMLElement} root @param {(stop: number) => void} goTo */
const curveOf = (root, goTo) => {
  let rows = [], beats = [], marks = [], count = 1, fewer = false, noun = "";
  const across = (stop) => (1000 * stop) / Math.max(1, count - 1);

  const path = (row, until, down) => {
    let text = `M0 ${down(row[0])}`, was = row[0];
    for (let stop = 1; stop <= until; stop += 1) {
      if (row[stop] !== was) text += `H${across(stop).toFixed(1)}V${down(row[stop])}`;
      was = row[stop];
    }
    return `${text}H${across(until).toFixed(1)}`;
  };

  const at = ({ clientX }) => {
    const { left, width } = root.firstElementChild.getBoundingClientRect();
    goTo(Math.round(((count - 1) * Math.max(0, Math.min(width, clientX - left))) / width));
  };
  root.addEventListener("pointerdown", (event) => { root.setPointerCapture(event.pointerId); at(event); });
  root.addEventListener("pointermove", (event) => { if (event.buttons) at(event); });

  return {
    fill(match, frames, stops, allBeats) {
      const shown = shownIn(match, frames);
      [rows, beats, marks, count] = [standingsOf(match, frames, stops, shown), allBeats, marksOf(match, frames, stops), stops.length];
      [, noun, fewer] = shown ?? ["", "", false];
      root.hidden = rows.length === 0;
    },
    show(until) {
      if (root.hidden) return;
      const [low, high] = rangeOf(rows, until);
      const down = (value) => (EDGE + ((HIGH - 2 * EDGE) * (fewer ? value - low : high - value)) / (high - low)).toFixed(1);
      const chart = draw("svg", { viewBox: `0 0 1000 ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
      const ticks = beats.length > MOST_TICKS ? "" : beats.filter((stop) => stop <= until).map((stop) => `M${across(stop).toFixed(1)} ${HIGH - 5}V${HIGH}`).join("");
      const numbers = [low, (low + high) / 2, high];
      chart.append(draw("path", { d: numbers.map((value) => `M0 ${down(value)}H1000`).join(""), class: "rule" }), draw("path", { d: ticks, class: "tick" }));
      chart.append(...marks.filter(({ stop, kind }) => stop <= until && kind !== "slow").map(({ stop, kind }) => draw("path", { d: `M${across(stop).toFixed(1)} 0V${HIGH}`, class: `at ${kind}` })));
      chart.append(...rows.map((row, place) => stroke(place + 1, path(row, until, down))));
      const labels = numbers.map((value) => make("span", { style: `top: ${down(value)}px`, text: String(value) }));
      patchChildren(root, [chart, ...labels, make("b", { text: noun, class: fewer ? "fewer" : "" })]);
    },
  };
};

// Draws a button for each moment of the match. A click goes to the stop of the moment.
/** @param {HTMLElement} root @param {Mark[]} marks @param {(stop: number) => void} goTo */
const drawMoments = (root, marks, goTo) => {
  root.replaceChildren(...marks.filter(hasButton).map((mark) => {
    const [sign, word] = SIGNS[mark.kind];
    const button = make("button", { type: "button", class: mark.kind === "fault" ? "bad" : "" }, sign, make("span", { text: ` ${word}` }));
    if (mark.kind === "fault") button.id = "fault";
    button.addEventListener("click", () => goTo(mark.stop));
    return button;
  }));
};

// Writes the titles of the buttons for moments. If the match has not reached a moment yet, its title has only the kind.
/** @param {HTMLElement} root @param {Mark[]} marks @param {Match} match @param {number} until */
const tellMoments = (root, marks, match, until) => {
  marks.filter(hasButton).forEach((mark, place) => {
    const button = /** @type {HTMLElement} */ (root.children[place]), words = mark.stop <= until ? saidOf(mark, match) : SIGNS[mark.kind][1];
    if (button.title === words) return;
    button.title = words;
    button.setAttribute("aria-label", words);
  });
};
