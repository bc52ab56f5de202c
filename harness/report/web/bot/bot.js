// Shows one bot: its place, its opponents, its standing over time, and the matches to look at first.
"use strict";

const MOST = 5, WIDE = 700, HIGH = 180, LEFT = 44;
let facts = null, listed = null;
const byId = (id) => document.getElementById(id);
const replays = () => byId("bot").dataset.replays === "yes";

const section = (title, ...parts) => make("section", {}, make("h2", { textContent: title }), ...parts);
const table = (heads, rows) => make("div", { className: "scroll", role: "region", tabIndex: 0, ariaLabel: heads[0] },
  make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((text, place) => make("th", { scope: "col", className: place ? "num" : "", textContent: text })))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell, place) => make("td", { className: place ? "num" : "" }, cell)))))));

const fixed = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const grouped = (number) => number.toLocaleString("en");

const factsOf = (bot) => [
  ["Place", bot.place ?? "–"], [facts.order[0].toUpperCase() + facts.order.slice(1), fixed(bot.value)],
  ["95 % interval", bot.low === null || bot.low === undefined ? "–" : `${fixed(bot.low)} – ${fixed(bot.high)}`],
  ["Matches", grouped(bot.matches ?? 0)], ["Wins", grouped(Math.round((bot.wins ?? 0) * 100) / 100)],
  ["Faults", grouped(Object.values(bot.faults).reduce((sum, count) => sum + count, 0))],
];

const againstOf = (name, bot) => section("Against each opponent",
  make("p", { className: "said", textContent: "In how many of 100 common matches it ranked better; a tie counts as half. A click on the number shows the matches." }),
  table(["Opponent", "Better in %", "Matches"], bot.against.map(([other, count, share]) => [
    make("a", { href: botPage(other), textContent: other }), String(share), make("a", { href: listPage({ bot: name, against: other }), textContent: grouped(count) })])));

const svg = (tag, fields, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(fields)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};

// Draws the bot's standing after each part of the tournament. A higher point of the line is better. The axis has the
// range that the values of all bots have at the end, so that small changes look small.
const progressOf = (bot) => {
  const points = bot.progress ?? [], values = points.map(([, value]) => value);
  if (points.length < 2) return [];
  const { noun, range } = facts.progress, last = points.at(-1)[0];
  const [low, high] = [Math.min(range[0], ...values), Math.max(range[1], ...values)];
  const x = (matches) => LEFT + ((WIDE - LEFT) * matches) / last;
  const y = (value) => 10 + ((HIGH - 34) * (value - low)) / (high - low || 1);
  const chart = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "progress", role: "img", "aria-label": `The ${noun} went from ${fixed(values[0])} to ${fixed(values.at(-1))}` });
  for (const value of [low, (low + high) / 2, high]) chart.append(svg("path", { d: `M${LEFT} ${y(value)}H${WIDE}`, class: "rule" }), svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, fixed(value)));
  chart.append(svg("text", { x: LEFT, y: HIGH - 4 }, "0"), svg("text", { x: WIDE, y: HIGH - 4, "text-anchor": "end" }, many(grouped(last), "match")));
  chart.append(svg("path", { d: `M${points.map(([matches, value]) => `${x(matches).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}`, class: "line" }));
  const said = `The ${noun} after the matches of the tournament so far. Higher up is better. The axis has the range of all bots.`;
  return [section("Over time", make("p", { className: "said", textContent: said }), chart)];
};

const lineOf = (match, names) => {
  const seats = match.bots.map((bot, place) => `${match.ranks[place] === Math.min(...match.ranks) ? "★ " : ""}${names[bot]} ${match.scores[place]}`).join(", ");
  const link = replays() && match.told ? make("a", { href: matchPage(match.id), textContent: match.id }) : match.id;
  const picture = replays() && match.told ? [pictureOf(match.id)] : [];
  return make("li", { className: match.counts ? "" : "quiet" }, ...picture, make("span", {}, link, ` ${seats}${match.counts ? "" : " (does not count)"}`));
};

// Returns the rows with the smallest keys, the smallest first. Sorting all rows of a large tournament takes too long.
const smallest = (rows, key) => {
  const found = [];
  for (const row of rows) {
    const value = key(row);
    if (found.length === MOST && value >= found[MOST - 1][0]) continue;
    const place = found.findIndex(([other]) => value < other);
    found.splice(place < 0 ? found.length : place, 0, [value, row]);
    if (found.length > MOST) found.pop();
  }
  return found.map(([, row]) => row);
};

// A row becomes an object (`matchOf`) only if it is shown, because a large tournament has tens of thousands of rows.
const matchesOf = (name, all) => {
  const { bots: names } = all, number = names.indexOf(name);
  const every = all.rows.filter((row) => row[BOTS].includes(number)), counting = every.filter((row) => row[COUNTS]);
  const own = counting.length ? counting : every, counts = counting.length ? {} : { counts: "all" };
  const place = (row) => row[BOTS].indexOf(number), first = (row) => row[RANKS][place(row)] === Math.min(...row[RANKS]);
  const clean = own.filter((row) => row[FAULTY].length === 0), won = clean.filter(first), lost = clean.filter((row) => !first(row));
  const top = (words, from, key, choice) => {
    if (!from.length) return [];
    const found = smallest(from, key).map((row) => matchOf(row, all));
    return [make("div", {}, make("h3", {}, make("a", { href: listPage({ bot: name, ...counts, ...choice }), textContent: words })), make("ol", { className: "few" }, ...found.map((match) => lineOf(match, names))))];
  };
  const worth = (row) => row[SCORES][place(row)] - row[SCORES].reduce((sum, each) => sum + each, 0) / row[SCORES].length;
  const differ = (column) => new Set(own.map((row) => row[column])).size > 1;
  const closeness = (row) => marginOf(matchOf(row, all), place(row)) * 1e4 - row[LEADS];
  const note = counting.length || !every.length ? [] : [make("p", { className: "said", textContent: "None of these matches counts, because the bot is not among those whose matches count." })];
  const more = every.length - own.length;
  const faulty = every.filter((row) => row[FAULTY].some((seat) => row[BOTS][seat - 1] === number));
  return section("Matches to look at", ...note, make("div", { className: "tops" },
    ...top("Closest", clean, closeness, { order: "closest" }),
    ...top("Best", won, (row) => -worth(row), { result: "won" }), ...top("Worst", lost, worth, { result: "lost" }),
    ...(differ(ANSWERS) ? top("Longest", own, (row) => -row[ANSWERS], { order: "longest" }) : []),
    ...top("Slowest answers", own, (row) => -row[SLOWEST], { order: "slowest" }),
    ...top("With a fault", faulty, () => 0, { fault: "any", counts: "all" })),
  make("p", {}, make("a", { href: listPage({ bot: name, ...counts }), textContent: `All ${many(grouped(own.length), "match")} of ${name}` }),
    ...(more ? [" · ", make("a", { href: listPage({ bot: name, counts: "no" }), textContent: `${many(grouped(more), "match")} ${more === 1 ? "does" : "do"} not count` })] : [])));
};

const show = () => {
  if (!facts || !listed) return;
  const name = decodeURIComponent(location.hash.slice(1)), bot = facts.bots[name], note = byId("note");
  byId("name").textContent = name || "No bot";
  note.hidden = Boolean(bot) && !bot.out;
  if (!bot) {
    note.textContent = "This tournament has no such bot.";
    byId("bot").replaceChildren();
    return;
  }
  document.title = `${name} · ${document.title.split(" · ")[0]}`;
  if (bot.out) note.replaceChildren(`Disqualified for a fault (${bot.out.fault}) in match `, replays() ? make("a", { href: matchPage(bot.out.match, "fault"), textContent: bot.out.match }) : bot.out.match, `: ${bot.out.reason}`);
  byId("facts").replaceChildren(...factsOf(bot).map(([word, what]) => make("div", {}, make("dt", { textContent: word }), make("dd", { textContent: String(what) }))));
  const faults = Object.entries(bot.faults).map(([kind, count]) => [make("a", { href: listPage({ bot: name, fault: kind, counts: "all" }), textContent: kind }), grouped(count)]);
  const times = bot.times ? [section("Times", table(["Answers", "Median", "95 % within", "Slowest", "Most of a limit"], [bot.times]))] : [];
  byId("bot").replaceChildren(matchesOf(name, listed), ...(bot.against.length ? [againstOf(name, bot)] : []), ...progressOf(bot),
    section("Faults", faults.length ? table(["Fault", "Matches"], faults) : make("p", { textContent: "It broke no rule in the matches on record." })), ...times);
};

// The scripts bots.js and matches.js call the functions `bots` and `matches`. The list of matches is large, so the page
// is drawn in a task of its own.
const later = () => setTimeout(show);
globalThis.bots = (data) => { facts = data; later(); };
globalThis.matches = (data) => { listed = data; later(); };
addEventListener("hashchange", show);
