// Steps through a match: keeps the current step, goes to another step, and plays the steps one after the other.
"use strict";

/** Each element of the page that has an id.
 * @type {Record<string, any>} */
const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));
/** @type {Board} */
const board = Object.values(boards)[0]; // The script contains the board of one game.
const PLAY = "▶\uFE0E", PAUSE = "❚❚", SAMPLES = 8, TITLE = document.title;
/** @type {Match} */
let match = null;
/** @type {Frame[]} */
let allFrames = [], besideFrames = [];
/** @type {number[]} */
let stops = [], beats = [], moments = [], tempos = [];
/** @type {Mark[]} */
let marks = [];
let at = 0, view = 0, timer = null, beside = null, flipped = false;
const stage = stageOf(page.board), second = stageOf(page.second);
const story = storyOf(page.story, (line) => { halt(); go(stopAt(allFrames, stops, line)); });
const curve = curveOf(page.curve, (stop) => { halt(); go(stop); });

/** @param {number} viewer @returns {Context} */
const contextOf = (viewer) => ({ bots: match.bots, sides: match.sides, viewer, flipped, opening: match.opening, moving: allFrames[stops[at]] ? toMove(allFrames, stops[at]) : 0 });

const measure = () => {
  const some = Array.from({ length: SAMPLES }, (_, place) => stops[Math.round((place * (stops.length - 1)) / (SAMPLES - 1))]);
  stage.measure([...new Set(some)].map((place) => allFrames[place].picture), contextOf(view));
  if (beside !== null) {
    const lines = [...new Set(some)].map((place) => allFrames[place].line);
    second.measure(lines.map((line) => besideAt(line).picture), contextOf(beside));
  }
};

const besideAt = (line) => besideFrames.findLast((frame) => frame.line <= line) ?? besideFrames[0];

const show = (viewer, other = beside) => {
  const line = allFrames[stops[at]]?.line ?? 0;
  view = match.seat ?? viewer;
  beside = other;
  allFrames = framesOf(match, view);
  stops = stopsOf(match, allFrames);
  beats = beatsOf(allFrames, stops);
  marks = marksOf(match, allFrames, stops);
  besideFrames = beside === null ? [] : framesOf(match, beside);
  page.second.hidden = beside === null;
  page.slider.max = stops.length - 1;
  page.view.value = String(view);
  page.beside.value = beside === null ? "" : String(beside);
  fillStory();
  curve.fill(match, allFrames, stops, beats);
  const rows = standingsOf(match, allFrames, stops), changes = rareChanges(stops, rows);
  tempos = temposOf(match, allFrames, stops, rows, marks);
  moments = momentsOf(allFrames, stops, changes, marks);
  page.kinds.textContent = changes.length ? `a change of “${match.standing[1]}”, ` : "";
  drawMoments(page.moments, marks, (stop) => { halt(); go(stop); });
  measure();
  go(stopAt(allFrames, stops, line));
};

const fillStory = () => story.fill(match, allFrames, page.protocol.checked, toldMoments(marks, match).map(([stop, sentence]) => [stops[stop], sentence]));

const faultStop = () => stops.findIndex((place) => allFrames[place].record.is === "fault");

const go = (stop) => {
  const was = at;
  at = Math.max(0, Math.min(stop, stops.length - 1));
  const end = stops[at], frame = allFrames[end], last = at === stops.length - 1;
  const moving = Math.abs(at - was) <= 12 && at !== was && (!timer || tempos[was] * speed() >= 2 * SLIDE_MS);
  stage.show(frame.picture, contextOf(view), moving);
  if (beside !== null) second.show(besideAt(frame.line).picture, contextOf(beside), moving);
  page.board.classList.toggle("faulty", frame.record.is === "fault");
  drawSeats(page.seats, match, allFrames, end, page.results.checked, view);
  const known = page.results.checked ? stops.length - 1 : at;
  curve.show(known);
  tellMoments(page.moments, marks, match, known);
  drawBranches(page.branches, match, view, (line) => stopAt(allFrames, stops, line) === at);
  const source = match.seat ? match.file : `${match.file}, ${branchNumber(match.id) ? "record" : "line"} ${frame.line}`;
  page.place.replaceChildren("In the log: ", match.log ? make("a", { href: match.log, text: source }) : source);
  story.show(end, last ? allFrames.length : end);
  const here = toldMoments(marks, match).flatMap(([place, sentence]) => (place === at ? [sentence] : []));
  page.now.textContent = [toldAt(allFrames, end, match, page.protocol.checked), ...here].join(". ");
  // A sentence that does not fit becomes smaller, so that none of its words is cut.
  page.now.classList.remove("long");
  page.now.classList.toggle("long", page.now.scrollHeight > page.now.clientHeight + 1);
  page.slider.value = at;
  page.slider.style.setProperty("--done", at / Math.max(1, stops.length - 1));
  page.slider.setAttribute("aria-valuetext", `${at + 1} of ${stops.length}: ${page.now.textContent}`);
  page.count.textContent = `${at + 1} of ${stops.length}`;
  for (const key of ["first", "back", "before"]) page[key].disabled = at === 0;
  for (const key of ["on", "last", "after"]) page[key].disabled = last;
  page.earlier.disabled = toMoment(-1) === at;
  page.later.disabled = toMoment(1) === at;
  keepAddress();
};

const toMoment = (by) => (by > 0 ? moments.find((stop) => stop > at) : moments.findLast((stop) => stop < at)) ?? at;
const turnOn = (by) => (by > 0 ? beats.find((stop) => stop > at) ?? stops.length - 1 : beats.findLast((stop) => stop < at) ?? 0);

// -- playing --------------------------------------------------------------------------------------

const halt = () => {
  clearTimeout(timer);
  timer = null;
  page.play.firstChild.textContent = PLAY;
  page.play.setAttribute("aria-label", "Play");
  page.now.ariaLive = "polite";
};

const speed = () => Number(page.speed.value);

// Shows the steps one after the other. `due` is the time at which the next step should come, so that the time for
// drawing does not make the match longer. If the browser is too slow, several steps are shown together.
const playOn = (due) => {
  if (at === stops.length - 1) { halt(); return; }
  let [next, wait] = page.turns.checked ? [turnOn(1), USUAL_MS * speed()] : nextOf(tempos, at, speed());
  while (due + wait < performance.now() && next < stops.length - 1 && !page.turns.checked) {
    const [later, more] = nextOf(tempos, next, speed());
    [next, wait] = [later, wait + more];
  }
  timer = setTimeout(() => { go(next); playOn(due + wait); }, Math.max(0, due + wait - performance.now()));
};

const play = () => {
  if (timer) return halt();
  if (at === stops.length - 1) go(0);
  page.play.firstChild.textContent = PAUSE;
  page.play.setAttribute("aria-label", "Stop");
  page.now.ariaLive = "off";
  playOn(performance.now());
  return undefined;
};

const toFault = () => {
  if (faultStop() < 0) return;
  halt();
  if (!page.protocol.checked) {
    page.protocol.checked = true;
    fillStory();
  }
  go(faultStop());
};
