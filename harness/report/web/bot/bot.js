// Shows one bot. The first screen has what a coach looks at: a strip of all matches, the results by opponent and by seat,
// the time of answers, first moves, and the decisions that cost most. Below are matches to look at, and more.
"use strict";

// LEFT and TIMES are the space for ranks and for times at the left of a plot.
const MOST = 5, HIGH = 180, LEFT = 52, TIMES = 70, STRIP = 44, BARS = 200, NARROW = 320;
let facts = null, listed = null;
const byId = (id) => document.getElementById(id);
// The width of a plot is the width of a column of the page. So a plot is not made smaller, and its text can be read.
const WIDE = Math.min(700, parseFloat(getComputedStyle(byId("more")).gridTemplateColumns) || byId("bot").clientWidth);
const replays = () => byId("bot").dataset.replays === "yes";

const section = (title, ...parts) => make("section", {}, make("h2", { textContent: title }), ...parts);
const remark = (textContent) => make("p", { className: "said", textContent });
const table = (heads, rows) => make("div", { className: "scroll", role: "region", tabIndex: 0, ariaLabel: heads[0] },
  make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((text, place) => make("th", { scope: "col", className: place ? "num" : "", textContent: text })))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell, place) => make("td", { className: place ? "num" : "" }, cell)))))));

const fixed = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));

const factsOf = (bot) => [
  ["Place", bot.place ?? "–"], [facts.order[0].toUpperCase() + facts.order.slice(1), fixed(bot.value)],
  ["95 % interval", bot.low === null || bot.low === undefined ? "–" : `${fixed(bot.low)} – ${fixed(bot.high)}`],
  ["Matches", grouped(bot.matches ?? 0)], ["Wins", grouped(Math.round((bot.wins ?? 0) * 100) / 100)],
  ["Faults", grouped(Object.values(bot.faults).reduce((sum, count) => sum + count, 0))],
];

const againstOf = (name, bot) => section("Against each opponent",
  remark("In how many of 100 common matches the bot ranked better than the opponent; a tie counts as half a match."),
  table(["Opponent", "Better in %", "95 % interval", "Matches"], bot.against.map(([other, count, share, low, high]) => [
    make("a", { href: botPage(other), textContent: other }), String(share), `${low} – ${high}`, make("a", { href: listPage({ bot: name, against: other }), textContent: grouped(count) })])));

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
  chart.append(svg("text", { x: LEFT, y: HIGH - 4 }, "0"), svg("text", { x: WIDE, y: HIGH - 4, "text-anchor": "end" }, many(last, "match")));
  chart.append(svg("path", { d: `M${points.map(([matches, value]) => `${x(matches).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}`, class: "line" }));
  return [section("Over time", remark(`The ${noun} after the matches of the tournament so far. Higher up is better. The axis has the range of all bots.`), chart)];
};

// Draws all matches of the bot in the order of play. Each bar is one match, or several if there are many. A higher bar
// is a better place.
const stripOf = (name, { rows, bots: names }) => {
  const number = names.indexOf(name), own = rows.filter((row) => !row[UNCOUNTED] && row[BOTS].includes(number));
  if (own.length < 2) return [];
  const size = Math.ceil(own.length / BARS), count = Math.ceil(own.length / size), wide = Math.min(14, WIDE / count);
  const beaten = (row) => (row[RANKS].length - row[RANKS][row[BOTS].indexOf(number)]) / (row[RANKS].length - 1 || 1);
  const bars = Array.from({ length: count }, (_, place) => {
    const some = own.slice(place * size, (place + 1) * size), share = some.reduce((sum, row) => sum + beaten(row), 0) / some.length;
    const words = some.length === 1 ? `${some[0][ID]}: place ${some[0][RANKS][some[0][BOTS].indexOf(number)]}` : `${some[0][ID]} to ${some.at(-1)[ID]}: it beat ${Math.round(100 * share)} % of its opponents`;
    const high = 3 + (STRIP - 3) * share, bar = svg("rect", { x: (place * wide).toFixed(2), y: (STRIP - high).toFixed(1), width: Math.max(wide - 1, wide * 0.7).toFixed(2), height: high.toFixed(1), class: share > 0.5 ? "won" : share < 0.5 ? "lost" : "even" });
    bar.append(svg("title", {}, words));
    if (!replays() || some.length > 1) return bar;
    const link = svg("a", { href: matchPage(some[0][ID]), tabindex: -1 });
    link.append(bar);
    return link;
  });
  const chart = svg("svg", { viewBox: `0 0 ${WIDE} ${STRIP}`, preserveAspectRatio: "none", class: "strip", role: "group", "aria-label": `${many(own.length, "match")} in the order of play` });
  chart.append(...bars);
  return [make("section", { className: "whole" }, make("h2", { textContent: "All matches" }),
    remark(`The ${many(own.length, "match")} that count, in the order of play${size > 1 ? `, ${size} in a bar` : ""}. The higher the bar, the more opponents the bot beat.`), chart)];
};

const seatsOf = (bot) => (bot.by_seat.length < 2 ? [] : [section("By seat",
  table(["Seat", "Average rank", "95 % interval", "Matches"], bot.by_seat.map(([seat, matches, mean, low, high]) => [
    String(seat), fixed(mean), low === null ? "–" : `${fixed(low)} – ${fixed(high)}`, grouped(matches)])))]);

const movesOf = (bot) => (bot.first_moves.length === 0 ? [] : [section("First moves",
  remark("First answers that the bot gave in more than one match, and its average rank in these matches."),
  table(["Answer", "Seat", "Matches", "Average rank"], bot.first_moves.map(([seat, answer, matches, rank]) => [make("code", { textContent: answer }), String(seat), grouped(matches), fixed(rank)])))]);

// Draws the mean time of the first answers of all matches, of the second answers, and so on. The tooltip of a bar also
// says the slowest time.
const turnsOf = (bot) => {
  const turns = bot.turns ?? [];
  if (turns.length < 2) return [];
  const most = Math.max(...turns.map(([, mean]) => mean)) || 1, wide = (NARROW - TIMES) / turns.length, base = HIGH - 24;
  const chart = svg("svg", { viewBox: `0 0 ${NARROW} ${HIGH}`, class: "progress turns", role: "img", "aria-label": `The mean time of an answer is at most ${seconds(Math.round(most))}` });
  for (const part of [0, 0.5, 1]) {
    const y = base - (base - 10) * part;
    chart.append(svg("path", { d: `M${TIMES} ${y}H${NARROW}`, class: "rule" }), svg("text", { x: TIMES - 6, y: y + 4, "text-anchor": "end" }, seconds(Math.round(most * part)).replace(".0 ", " ")));
  }
  turns.forEach(([first, mean, slowest], place) => {
    const high = ((base - 10) * mean) / most, bar = svg("rect", { x: (TIMES + place * wide).toFixed(1), y: (base - high).toFixed(1), width: Math.max(1, wide - 1).toFixed(1), height: high.toFixed(1), class: "bar" });
    bar.append(svg("title", {}, `from answer ${first} on: ${seconds(Math.round(mean))} on average, at most ${seconds(slowest)}`));
    chart.append(bar);
  });
  chart.append(svg("text", { x: TIMES, y: HIGH - 4 }, "answer 1"), svg("text", { x: NARROW, y: HIGH - 4, "text-anchor": "end" }, `answer ${turns.at(-1)[0]}`));
  return [section("Answer time by turn", remark("The mean time of the first answers of the bot in all matches, of its second answers, and so on."), chart)];
};

// Shows a decision with a small picture of what the bot knew. A link leads into the branch with the better answer. If
// there is no such branch, the page shows a command that makes the branch.
const costlyOf = (each, told) => {
  const [cost, low, high] = each.cost.map(fixed), words = `Match ${each.match}, question ${each.question}`;
  const command = `harness whatif LOGS ${each.match} --from ${each.question} --move "${each.instead}" --keep`;
  return make("article", {}, make("h3", {}, told ? make("a", { href: matchPage(each.match, `${each.line}/${each.seat}`), textContent: words }) : words),
    told ? pictureOf(each.match, each.line, each.seat) : make("pre", { tabIndex: 0, textContent: each.position }),
    make("dl", {}, ...[["cost", `${cost} (${low} – ${high})`], ["answer", make("code", { textContent: each.said })], ["better", make("code", { textContent: each.instead })]].flatMap(([word, what]) => [make("dt", { textContent: word }), make("dd", {}, what)])),
    told && each.branch ? make("a", { className: "branch on-screen", href: matchPage(each.branch), textContent: "What follows the better answer" })
      : make("details", {}, make("summary", { textContent: "Play on from here" }), make("pre", { tabIndex: 0, textContent: command })));
};

// Shows the kinds of decisions and the single decisions that cost the bot most, if `harness diagnose --keep` found them.
const habitsOf = ({ diagnosis: found }) => (!found ? [] : [section("Where it loses",
  remark(`${grouped(found.decisions)} decisions of ${many(found.matches, "match")} were compared with those of a sparring bot that knows the same. The cost says how much further ahead the bot would be with the better moves (unit: ${found.unit}).${found.habits.length ? " The decisions of these kinds certainly cost more than the average decision." : ""}`),
  found.habits.length ? table(["Kind", "Cost a match", "95 % interval", "Decisions"], found.habits.map(([kind, count, cost, low, high]) => [kind, fixed(cost), `${fixed(low)} – ${fixed(high)}`, grouped(count)])) : make("p", { textContent: "No kind of decisions certainly costs more than the average decision. What do its costliest decisions have in common?" }),
  ...found.habits.filter(([, , , , , answer]) => answer).map(([kind, , , , , [said, instead, count, percent]]) => make("p", {}, `${kind}: the answer `, make("code", { textContent: said }), ` has ${percent} % of the cost (${count} times). Better, most often: `, make("code", { textContent: instead }), ".")))]);

const costliestOf = ({ diagnosis: found }, all) => {
  if (!found?.costliest.length) return [];
  const rows = new Map(all.rows.map((row) => [row[ID], row])), told = (id) => replays() && rows.has(id) && matchOf(rows.get(id), all).told;
  return [make("section", { className: "whole" }, make("h2", { textContent: "Its costliest decisions" }),
    make("div", { className: "costliest" }, ...found.costliest.map((each) => costlyOf(each, told(each.match)))))];
};

const lineOf = (match, names) => {
  // A name that is written from right to left must not move the scores and the names beside it.
  const seats = match.bots.flatMap((bot, place) => [place ? ", " : " ", match.ranks[place] === Math.min(...match.ranks) ? "★ " : "", make("bdi", { textContent: names[bot] }), ` ${match.scores[place]}`]);
  const link = replays() && match.told ? make("a", { href: matchPage(match.id), textContent: match.id }) : match.id;
  const picture = replays() && match.told ? [pictureOf(match.id)] : [];
  return make("li", { className: match.counts ? "" : "quiet" }, ...picture, make("span", {}, link, ...seats, ...(match.counts ? [] : [" (", uncountedMark(match), ")"])));
};

// Returns the rows with the smallest keys, the smallest first, and the number of other rows with the same key as the last
// row in the result. Sorting all rows of a large tournament takes too long.
const smallest = (rows, key) => {
  const found = [];
  let left = 0;
  for (const row of rows) {
    const value = key(row), full = found.length === MOST;
    if (full && value >= found[MOST - 1][0]) {
      left += Number(value === found[MOST - 1][0]);
      continue;
    }
    const gone = full ? found.pop()[0] : null, place = found.findIndex(([other]) => value < other);
    found.splice(place < 0 ? found.length : place, 0, [value, row]);
    if (full) left = found[MOST - 1][0] === gone ? left + 1 : 0;
  }
  return { few: found.map(([, row]) => row), left };
};

// A row becomes an object (`matchOf`) only if it is shown, because a large tournament has tens of thousands of rows.
const matchesOf = (name, all) => {
  const { bots: names } = all, number = names.indexOf(name);
  const every = all.rows.filter((row) => row[BOTS].includes(number)), counting = every.filter((row) => !row[UNCOUNTED]);
  const own = counting.length ? counting : every, counts = counting.length ? {} : { counts: "all" };
  const place = (row) => row[BOTS].indexOf(number), first = (row) => row[RANKS][place(row)] === Math.min(...row[RANKS]);
  const clean = own.filter((row) => row[FAULTY].length === 0), won = clean.filter(first), lost = clean.filter((row) => !first(row));
  const top = (words, from, key, choice, alike = "") => {
    if (!from.length) return [];
    const { few, left } = smallest(from, key);
    const rest = left ? [make("p", { className: "quiet", textContent: `and ${grouped(left)} more ${alike}` })] : [];
    return [make("div", {}, make("h3", {}, make("a", { href: listPage({ bot: name, ...counts, ...choice }), textContent: words })),
      make("ol", { className: "few" }, ...few.map((row) => lineOf(matchOf(row, all), names))), ...rest)];
  };
  const worth = (row) => row[SCORES][place(row)] - row[SCORES].reduce((sum, each) => sum + each, 0) / row[SCORES].length;
  const differ = (column) => new Set(own.map((row) => row[column])).size > 1;
  const closeness = (row) => marginOf({ ranks: row[RANKS], scores: row[SCORES], allied: all.allied }, place(row)) * 1e4 - row[LEADS];
  const note = counting.length || !every.length ? [] : [remark("None of these matches counts, because the bot is not among those whose matches count.")];
  const more = every.length - own.length;
  const faulty = every.filter((row) => row[FAULTY].some((seat) => row[BOTS][seat - 1] === number));
  return section("Matches to look at", ...note, make("div", { className: "tops" },
    ...top("Closest", clean, closeness, { order: "closest" }, "as close as the last"),
    ...top("Best", won, (row) => -worth(row), { result: "won" }, "as good as the last"), ...top("Worst", lost, worth, { result: "lost" }, "as bad as the last"),
    ...(differ(ANSWERS) ? top("Longest", own, (row) => -row[ANSWERS], { order: "longest" }, "as long as the last") : []),
    ...top("Slowest answers", own, (row) => -row[SLOWEST], { order: "slowest" }, "as slow as the last"),
    ...top("With a fault", faulty, () => 0, { fault: "any", counts: "all" })),
  make("p", { className: "on-screen" }, make("a", { href: listPage({ bot: name, ...counts }), textContent: `All ${many(own.length, "match")} of ${name}` }),
    ...(more ? [" · ", make("a", { href: listPage({ bot: name, counts: "no" }), textContent: `${many(more, "match")} ${more === 1 ? "does" : "do"} not count` })] : [])));
};

const show = () => {
  if (!facts || !listed) return;
  const name = decodeURIComponent(location.hash.slice(1)), bot = facts.bots[name], note = byId("note");
  byId("name").textContent = name || "No bot";
  note.hidden = Boolean(bot) && !bot.out;
  if (!bot) {
    note.textContent = "This tournament has no such bot.";
    for (const part of ["facts", "coach", "more"]) byId(part).replaceChildren();
    return;
  }
  document.title = `${name} · ${document.title.split(" · ")[0]}`;
  if (bot.out) note.replaceChildren(`Disqualified for a fault (${bot.out.fault}) in match `, replays() ? make("a", { href: matchPage(bot.out.match, "fault"), textContent: bot.out.match }) : bot.out.match, `: ${bot.out.reason}`);
  byId("facts").replaceChildren(...factsOf(bot).map(([word, what]) => make("div", {}, make("dt", { textContent: word }), make("dd", { textContent: String(what) }))));
  const faults = Object.entries(bot.faults).map(([kind, count]) => [make("a", { href: listPage({ bot: name, fault: kind, counts: "all" }), textContent: kind }), grouped(count)]);
  const times = bot.times ? [section("Times", table(["Answers", "Median", "95 % within", "Slowest", "Most of a limit"], [bot.times]))] : [];
  const against = bot.against.length ? [againstOf(name, bot)] : [], small = [...seatsOf(bot), ...movesOf(bot)];
  byId("coach").replaceChildren(...stripOf(name, listed), ...against, ...(small.length ? [make("div", {}, ...small)] : []),
    ...turnsOf(bot), ...habitsOf(bot), ...costliestOf(bot, listed));
  byId("more").replaceChildren(matchesOf(name, listed), ...progressOf(bot),
    section("Faults", faults.length ? table(["Fault", "Matches"], faults) : make("p", { textContent: "It broke no rule in the matches on record." })), ...times);
};

// The scripts bots.js and matches.js call the functions `bots` and `matches`. The list of matches is large, so the page
// is drawn in a task of its own.
const later = () => setTimeout(show);
globalThis.bots = (data) => { facts = data; later(); };
globalThis.matches = (data) => { listed = data; later(); };
addEventListener("hashchange", show);
