// Shows one bot: its place, its opponents, its average rank over time, and the matches to look at first.
"use strict";

const MOST = 5, WIDE = 700, HIGH = 160;
let facts = null, listed = null;
const byId = (id) => document.getElementById(id);
const replays = () => byId("bot").dataset.replays === "yes";

const section = (title, ...parts) => make("section", {}, make("h2", { textContent: title }), ...parts);
const table = (heads, rows) => make("div", { className: "scroll", role: "region", tabIndex: 0, ariaLabel: heads[0] },
  make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((text, place) => make("th", { scope: "col", className: place ? "num" : "", textContent: text })))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell, place) => make("td", { className: place ? "num" : "" }, cell)))))));

const fixed = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));

const factsOf = (bot) => [
  ["Place", bot.place ?? "–"], [facts.order[0].toUpperCase() + facts.order.slice(1), fixed(bot.value)],
  ["95 % interval", bot.low === null || bot.low === undefined ? "–" : `${fixed(bot.low)} – ${fixed(bot.high)}`],
  ["Matches", bot.matches ?? 0], ["Wins", Math.round((bot.wins ?? 0) * 100) / 100],
  ["Faults", Object.values(bot.faults).reduce((sum, count) => sum + count, 0)],
];

const againstOf = (name, bot) => section("Against each opponent",
  make("p", { className: "said", textContent: "In how many of 100 common matches it ranked better; a tie counts as half. A click on the number shows the matches." }),
  table(["Opponent", "Better in %", "Matches"], bot.against.map(([other, count, share]) => [
    make("a", { href: botPage(other), textContent: other }), String(share), make("a", { href: listPage({ bot: name, against: other }), textContent: String(count) })])));

const svg = (tag, fields) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(fields)) element.setAttribute(key, value);
  return element;
};

// Draws the average rank after each part of the tournament. A higher point of the line is a better rank.
const progressOf = (bot) => {
  const points = bot.progress ?? [], ranks = points.map(([, rank]) => rank);
  if (points.length < 2) return [];
  const [low, high] = [Math.min(...ranks), Math.max(...ranks)], last = points.at(-1)[0];
  const at = ([matches, rank]) => `${(WIDE * matches / last).toFixed(1)} ${(8 + (HIGH - 16) * (high > low ? (rank - low) / (high - low) : 0.5)).toFixed(1)}`;
  const chart = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "progress", role: "img", "aria-label": `The average rank went from ${ranks[0].toFixed(2)} to ${ranks.at(-1).toFixed(2)}` });
  chart.append(svg("path", { d: `M${points.map(at).join("L")}`, class: "line" }));
  const said = `The average rank over the first matches of the tournament until all ${last}: from ${low.toFixed(2)} (top) to ${high.toFixed(2)} (bottom).`;
  return [section("Over time", make("p", { className: "said", textContent: said }), chart)];
};

const lineOf = (match, names) => {
  const seats = match.bots.map((bot, place) => `${match.ranks[place] === Math.min(...match.ranks) ? "★ " : ""}${names[bot]} ${match.scores[place]}`).join(", ");
  const link = replays() && match.told ? make("a", { href: matchPage(match.id), textContent: match.id }) : match.id;
  return make("li", {}, link, ` ${seats}`);
};

const matchesOf = (name, all) => {
  const { bots: names, rows } = all;
  const number = names.indexOf(name), own = rows.map((row) => matchOf(row, all)).filter((match) => match.bots.includes(number));
  const rank = (match) => match.ranks[match.bots.indexOf(number)], score = (match) => match.scores[match.bots.indexOf(number)];
  const clean = own.filter((match) => match.faulty.length === 0);
  const top = (words, from, key, choice) => {
    if (!from.length) return [];
    const found = [...from].sort((one, other) => key(one) - key(other)).slice(0, MOST);
    return [make("div", {}, make("h3", {}, make("a", { href: listPage({ bot: name, ...choice }), textContent: words })), make("ol", { className: "few" }, ...found.map((match) => lineOf(match, names))))];
  };
  const won = clean.filter((match) => rank(match) === Math.min(...match.ranks)), lost = clean.filter((match) => !won.includes(match));
  const worth = (match) => Math.abs(score(match) - match.scores.reduce((sum, each) => sum + each, 0) / match.scores.length);
  return section("Matches to look at", make("div", { className: "tops" },
    ...top("Closest", clean, (match) => marginOf(match, match.bots.indexOf(number)) * 1e4 - match.leads, { order: "closest" }),
    ...top("Best", won, (match) => -worth(match), { result: "won" }), ...top("Worst", lost, (match) => -worth(match), { result: "lost" }),
    ...top("Longest", own, (match) => -match.answers, { order: "longest" }), ...top("Slowest answers", own, (match) => -match.slowest, { order: "slowest" }),
    ...top("With a fault", own.filter((match) => match.faulty.some((seat) => match.bots[seat - 1] === number)), () => 0, { fault: "any" })),
  make("p", {}, make("a", { href: listPage({ bot: name }), textContent: `All ${many(own.length, "match")} of ${name}` })));
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
  const faults = Object.entries(bot.faults).map(([kind, count]) => [make("a", { href: listPage({ bot: name, fault: kind }), textContent: kind }), String(count)]);
  const times = bot.times ? [section("Times", table(["Answers", "Median", "95 % within", "Slowest", "Most of a limit"], [bot.times]))] : [];
  byId("bot").replaceChildren(matchesOf(name, listed), ...(bot.against.length ? [againstOf(name, bot)] : []), ...progressOf(bot),
    section("Faults", faults.length ? table(["Fault", "Matches"], faults) : make("p", { textContent: "It broke no rule in the matches on record." })), ...times);
};

// The scripts bots.js and matches.js call the functions `bots` and `matches`.
function bots(data) { facts = data; show(); }
function matches(data) { listed = data; show(); }
addEventListener("hashchange", show);
