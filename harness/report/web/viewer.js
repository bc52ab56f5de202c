// Steps through a match: loading, views, steps, keys, clocks. The script of the board draws the positions.
"use strict";

const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((element) => [element.id, element]));
const board = boards[document.body.dataset.board];
const PLAY = "▶\uFE0E Play", PAUSE = "❚❚ Stop", SHOWN = 14, TITLE = document.title;
let order = [], match = null, frames = [], stops = [], at = 0, view = 0, timer = null, naming = null;

// -- what a viewer sees ---------------------------------------------------------------------------

// The picture after changes. A change replaces a value, or the beginning of a list (see harness/report/scenes).
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

// The steps of one viewer, each with the picture after it.
const framesOf = (viewer) => {
  const found = [];
  let picture = match.opening;
  const theirs = ([viewers]) => viewers === null || viewers.includes(viewer);
  for (const [line, records, changes] of match.steps) {
    const record = records.find(theirs)?.[1];
    if (!record) continue;
    for (const group of changes) if (theirs(group)) picture = changed(picture, group[1]);
    found.push({ line, picture, record: typeof record === "string" ? { is: "event", line: record } : record });
  }
  return found;
};

const isStop = ({ record }) => {
  if (record.is === "event") return !match.quiet.includes(record.line.split(" ", 1)[0]);
  return ["fault", "result"].includes(record.is) || (record.is === "turn" && Boolean(record.failed))
    || (match.quiet.length === 0 && !board.tell && record.is === "turn" && Boolean(record.ask));
};

const stopsOf = (all) => {
  const found = all.map((frame, place) => [frame, place]).filter(([frame]) => isStop(frame)).map(([, place]) => place);
  const dealt = (found[0] ?? all.length) - 1;
  return dealt >= 0 ? [dealt, ...found] : found;
};

const show = (viewer) => {
  const line = frames[stops[at]]?.line ?? 0;
  view = viewer;
  frames = framesOf(viewer);
  stops = stopsOf(frames);
  page.slider.max = stops.length - 1;
  page.view.value = String(viewer);
  page.fault.hidden = faultStop() < 0;
  go(nearest(line));
};

const nearest = (line) => {
  const found = stops.findLastIndex((place) => frames[place].line <= line);
  return Math.max(0, found);
};
const faultStop = () => stops.findIndex((place) => frames[place].record.is === "fault");

// -- drawing --------------------------------------------------------------------------------------

const context = () => ({
  bots: match.bots, viewer: view, record: frames[stops[at]].record,
  name: (seat) => match.bots[Number(seat) - 1] ?? `seat ${seat}`,
});

const said = ({ record }) => {
  const name = (seat) => match.bots[seat - 1];
  if (record.is === "event") return board.tell?.(record.line.split(" "), { ...context(), to: record.to ?? [] }) || record.line;
  if (record.is === "turn") {
    if (record.starts && record.said === "ready") return `${name(record.seat)} is ready after ${span(record.us ?? 0)}`;
    if (!record.ask && record.starts) return `${name(record.seat)} learns of the match and answers after ${span(record.us ?? 0)}`;
    if (!record.ask) return `${name(record.seat)} answers after ${span(record.us ?? 0)}`;
    const answer = record.said === undefined ? `gives no answer (${record.failed || "nothing came"})` : `says “${record.said}”`;
    return `${name(record.seat)} is asked “${record.ask}” and ${answer} after ${span(record.us ?? 0)}`;
  }
  if (record.is === "fault") return `Fault of ${name(record.seat)}: ${record.name}${record.reason ? `, ${record.reason}` : ""}`;
  if (record.is === "stderr") return `${name(record.seat)} wrote to stderr: ${record.tail}`;
  if (record.is === "result") return `The end: ${record.reason}`;
  if (record.is === "chance") return `Chance, ${record.stream}: ${[record.value].flat().join(" ")}`;
  if (record.is === "usage") return `CPU time used while not asked: ${record.cpu_us.map(span).join(", ")}`;
  return "";
};

const story = () => {
  const end = stops[at];
  const until = at === stops.length - 1 ? frames.length : end + 1;
  const lines = frames.slice(Math.max(0, until - SHOWN), until).map((frame) => {
    const item = make("li", { class: `is-${frame.record.is}`, text: said(frame) });
    if (frame === frames[end]) item.setAttribute("aria-current", "step");
    return item;
  });
  page.story.replaceChildren(...lines);
  page.now.textContent = said(frames[end]);
  const place = `${match.file}, line ${frames[end].line}`;
  page.place.replaceChildren("In the log: ", match.log ? make("a", { href: match.log, text: place }) : place);
};

// The time that each seat has used so far.
const clocks = () => {
  const used = match.bots.map(() => ({ last: null, all: 0, limit: 0, bank: -1 }));
  for (const { record } of frames.slice(0, stops[at] + 1)) {
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

const seats = () => {
  const result = frames.findLast(({ record }) => record.is === "result")?.record;
  const asked = frames.slice(0, stops[at] + 1).findLast(({ record }) => record.is === "turn")?.record.seat;
  const items = clocks().map((clock, place) => {
    const item = make("li", { style: `--own: ${colour(place + 1)}` });
    if (asked === place + 1) item.setAttribute("aria-current", "true");
    item.append(who(place + 1, match.bots));
    if (result) item.append(make("span", { class: "end", text: `rank ${result.ranks[place]}, score ${result.scores[place]}` }));
    const last = clock.last === null ? "not asked yet" : `${span(clock.last)}${clock.limit ? ` of ${span(clock.limit)}` : ""}`;
    const bank = clock.bank >= 0 ? `, bank ${span(clock.bank)}` : "";
    const time = make("span", { class: "clock", text: `${last}, ${span(clock.all)} in total${bank}` });
    const meter = make("span", { class: "meter", "aria-hidden": "true" });
    meter.style.setProperty("--part", clock.limit && clock.last !== null ? Math.min(1, clock.last / clock.limit) : 0);
    item.append(time, meter);
    return item;
  });
  page.seats.replaceChildren(...items);
};

const go = (stop) => {
  at = Math.max(0, Math.min(stop, stops.length - 1));
  const frame = frames[stops[at]];
  page.board.replaceChildren();
  board.draw(page.board, frame.picture, context());
  page.board.classList.toggle("faulty", frame.record.is === "fault");
  page.slider.value = at;
  page.count.textContent = `${at + 1} of ${stops.length}`;
  page.first.disabled = page.back.disabled = at === 0;
  page.on.disabled = page.last.disabled = at === stops.length - 1;
  seats();
  story();
  clearTimeout(naming);
  naming = setTimeout(() => history.replaceState(null, "", `#${match.id}/${frame.line}`), 400); // Browsers allow only a few of these per second.
};

// -- moving ---------------------------------------------------------------------------------------

const halt = () => {
  clearInterval(timer);
  timer = null;
  page.play.textContent = PLAY;
  page.now.ariaLive = "polite";
};

const play = () => {
  if (timer) return halt();
  if (at === stops.length - 1) go(0);
  page.play.textContent = PAUSE;
  page.now.ariaLive = "off";
  timer = setInterval(() => (at < stops.length - 1 ? go(at + 1) : halt()), Number(page.speed.value));
  return undefined;
};

const toFault = () => { if (faultStop() >= 0) { halt(); go(faultStop()); } };
const moves = {
  ArrowLeft: () => { halt(); go(at - 1); }, ArrowRight: () => { halt(); go(at + 1); },
  Home: () => { halt(); go(0); }, End: () => { halt(); go(stops.length - 1); },
  " ": play, p: () => toNeighbour(-1), n: () => toNeighbour(1), f: toFault, F: toFault,
};

page.first.addEventListener("click", moves.Home);
page.back.addEventListener("click", moves.ArrowLeft);
page.on.addEventListener("click", moves.ArrowRight);
page.last.addEventListener("click", moves.End);
page.play.addEventListener("click", play);
page.fault.addEventListener("click", toFault);
page.slider.addEventListener("input", () => { halt(); go(Number(page.slider.value)); });
page.view.addEventListener("change", () => show(Number(page.view.value)));
page.speed.addEventListener("change", () => { if (timer) { halt(); play(); } });
document.addEventListener("keydown", (event) => {
  if (!match || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, summary")) return;
  if (event.target === page.slider && event.key !== " ") return;
  if (event.target.closest("button, a") && event.key === " ") return;
  const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : -1;
  if (digit >= 0 && digit <= match.bots.length) show(digit);
  else if (moves[event.key]) { event.preventDefault(); moves[event.key](); }
});

// -- loading --------------------------------------------------------------------------------------

// The script of a match calls this.
function replay(loaded) {
  match = loaded;
  document.title = `${match.id} · ${TITLE}`;
  page.title.textContent = `Match ${match.id}`;
  page.view.replaceChildren(make("option", { value: "0", text: "the referee" }),
    ...match.bots.map((name, place) => make("option", { value: String(place + 1), text: `seat ${place + 1}, ${name}` })));
  at = 0;
  frames = [];
  stops = [];
  show(0);
  toWanted();
  neighbours();
}

// Goes to the step that the address names: #MATCH/fault, or #MATCH/LINE of the log.
const toWanted = () => {
  const target = location.hash.split("/")[1] ?? "";
  if (target === "fault") toFault();
  else if (target) go(nearest(Number(target)));
};

// matches.js calls this once, with all matches, for the links to the previous and the next match.
function matches({ rows }) {
  order = rows.map(([id]) => id);
  neighbours();
}

const neighbours = () => {
  const place = match ? order.indexOf(match.id) : -1;
  const link = (id, text) => (id === undefined || place < 0 ? "" : make("a", { href: `#${id}`, text }));
  page.neighbours.replaceChildren(link(order[place - 1], `← ${order[place - 1]}`), " ", link(order[place + 1], `${order[place + 1]} →`));
};

const toNeighbour = (by) => {
  const id = order[order.indexOf(match.id) + by];
  if (id !== undefined) location.hash = id;
};

const load = () => {
  const id = decodeURIComponent(location.hash.slice(1)).split("/")[0];
  halt();
  if (match?.id === id) { toWanted(); return; }
  const [run, encounter, seating, deal] = id.split(".");
  const script = document.createElement("script");
  const group = String(Math.floor((Number(encounter) - 1) / 1000)).padStart(3, "0");
  script.src = `matches/${Number(run)}/${group}/${Number(encounter)}.${Number(seating)}.${Number(deal)}.js`;
  script.addEventListener("error", () => { page.now.textContent = `This report has no match ${id}.`; });
  document.head.append(script);
};

addEventListener("hashchange", load);
load();
