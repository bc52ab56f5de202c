// Draws the curve above the slider. It has a line for the standing of each seat, and marks for turns and moments.
"use strict";

const MOST_TICKS = 150, HIGH = 40;
// The dashes of each seat's line. A reader who cannot distinguish the colours can distinguish the dashes.
const DASHES = ["none", "7 3", "2 3", "10 3 2 3", "14 5", "6 2 1 2 1 2", "1 5", "16 3 4 3", "4 7"];
const stroke = (seat, path) => draw("path", { d: path, class: "stands", style: `--own: ${colour(seat)}`, "stroke-dasharray": DASHES[(seat - 1) % DASHES.length] });

// Draws a short piece of a seat's line. The row of seats shows this piece as a legend.
const sampleOf = (seat) => {
  const chart = draw("svg", { viewBox: "0 0 30 6", class: "sample", "aria-hidden": "true" });
  chart.append(stroke(seat, "M0 3H30"));
  return chart;
};

const marksOf = (match, frames, stops) => match.moments.flatMap(([line, kind, seat]) => {
  const stop = stops.findIndex((place) => frames[place].line >= line);
  return stop < 0 ? [] : [{ stop, kind, seat }];
});

const SIGNS = { fault: ["!", "Fault"], decided: ["◆", "Decided"], swing: ["▲", "Swing"], slow: ["◷", "Slowest"] };
const saidOf = ({ kind, seat }, match) => {
  const name = match.bots[seat - 1];
  if (kind === "fault") return `Fault of ${name}`;
  if (kind === "decided") return `Decided: ${name} leads from here to the end`;
  if (kind === "swing") return `The largest swing: ${name}`;
  if (kind === "lead") return `${name} takes the lead`;
  return `The slowest answer: ${name}`;
};

const lines = (match, frames, stops, across) => {
  const [key, , fewer] = match.standing;
  const values = match.bots.map((_, place) => stops.map((at) => frames[at].picture[`${key} ${place + 1}`] ?? 0));
  const every = values.flat(), low = Math.min(...every), high = Math.max(...every);
  const down = (value) => 3 + (HIGH - 6) * (high === low ? 0.5 : fewer ? (value - low) / (high - low) : (high - value) / (high - low));
  return values.map((row, place) => {
    const path = row.map((value, stop) => `${stop ? "H" : "M"}${across(stop).toFixed(1)}${stop ? "V" : " "}${down(value).toFixed(1)}`).join("");
    return stroke(place + 1, path);
  });
};

const drawCurve = (root, match, frames, stops, beats) => {
  const last = Math.max(1, stops.length - 1), across = (stop) => (1000 * stop) / last;
  const chart = draw("svg", { viewBox: `0 0 1000 ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  if (beats.length <= MOST_TICKS) {
    const ticks = beats.map((stop) => `M${across(stop).toFixed(1)} ${HIGH - 5}V${HIGH}`).join("");
    chart.append(draw("path", { d: ticks, class: "tick" }));
  }
  if (match.standing) chart.append(...lines(match, frames, stops, across));
  const marks = marksOf(match, frames, stops).filter(({ kind }) => kind !== "slow");
  chart.append(...marks.map(({ stop, kind }) => draw("path", { d: `M${across(stop).toFixed(1)} 0V${HIGH}`, class: `at ${kind}` })));
  root.replaceChildren(chart);
};

// Draws a button for each moment of the match. A click goes to the stop of the moment.
const drawMoments = (root, match, frames, stops, goTo) => {
  const marks = marksOf(match, frames, stops).filter(({ kind }) => kind !== "lead");
  root.replaceChildren(...marks.map((mark) => {
    const words = saidOf(mark, match);
    const button = make("button", { type: "button", class: mark.kind === "fault" ? "bad" : "", title: words, "aria-label": words });
    const [sign, word] = SIGNS[mark.kind];
    button.append(sign, make("span", { text: ` ${word}` }));
    if (mark.kind === "fault") button.id = "fault";
    button.addEventListener("click", () => goTo(mark.stop));
    return button;
  }));
};
