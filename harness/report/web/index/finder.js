// Finds matches in the list by bots, result and faults, and sorts them. The address of the page has the choice.
"use strict";

const PAGE = 50, PLACE = "#matches?";
// A row of the list becomes an object only if it is shown or sorted, because making 100,000 objects takes
// seconds.
const ORDERS = {
  "": ["by number", null], closest: ["closest first", (match, bot) => [match.faulty.length, marginOf(match, match.bots.indexOf(bot)), -match.leads]],
  leads: ["most changes of the lead", (match) => [-match.leads]], behind: ["won from farthest behind", (match) => [-match.behind]],
  longest: ["longest first", (match) => [-match.answers]], slowest: ["slowest answer first", (match) => [-match.slowest]],
};
const COUNTING = { "": "those that count", no: "those that do not count", all: "all" };
const RESULTS = { "": "any", won: "the bot won", lost: "the bot did not win", ahead: "the bot ranked better than the other", behind: "the bot ranked worse than the other" };

const byKeys = ([ours], [theirs]) => {
  const place = ours.findIndex((key, each) => key !== theirs[each]);
  return place < 0 ? 0 : ours[place] - theirs[place];
};

const field = (words, options) => {
  const select = make("select", {}, ...options.map(([value, text]) => make("option", { value, textContent: text })));
  return [select, make("label", {}, words, select)];
};

const seatOf = (match, place, bots) => {
  const first = match.ranks[place] === Math.min(...match.ranks);
  const part = make("span", { className: `seat${match.faulty.includes(place + 1) ? " bad" : ""}${first ? " first" : ""}` });
  const name = bots[match.bots[place]];
  part.append(first ? "★ " : `${match.ranks[place]}. `, make("a", { href: botPage(name), textContent: name, title: name }), ` ${match.scores[place]}`);
  return part;
};

// Makes a row of the table from a match: its number, its bots by seat, its length and its faults.
const rowOf = (match, bots, replays) => {
  const number = replays && match.told ? make("a", { href: matchPage(match.id), textContent: match.id }) : match.id;
  const faults = match.faulty.map((seat, place) => `${match.kinds[place]} (seat ${seat})`).join(", ");
  const fault = faults && replays ? make("a", { href: matchPage(match.id, "fault"), textContent: faults }) : faults;
  const mark = match.counts ? [] : [make("small", {}, uncountedMark(match))];
  const picture = replays && match.told ? [pictureOf(match.id)] : [];
  return make("tr", { className: match.counts ? "" : "quiet" }, make("td", {}, ...picture, number, ...mark), make("td", {}, ...match.bots.map((_, place) => seatOf(match, place, bots))),
    make("td", { className: "num", textContent: grouped(match.leads) }), make("td", { className: "num", textContent: grouped(match.answers) }),
    make("td", { className: "num", textContent: seconds(match.slowest) }), make("td", {}, fault));
};

// matches.js calls this function once with { bots: [name], until: { run: encounter }, allied, rows: [[id, [bot], [rank], [score], ...]] }.
globalThis.matches = function matches(all) {
  const { bots, rows } = all;
  const list = document.getElementById("list"), replays = list.dataset.replays === "yes";
  const names = bots.map((name, place) => [name, name, place]).sort();
  const kinds = [...new Set(rows.filter((row) => row[KINDS].length).flatMap((row) => row[KINDS]))].sort();
  const [bot, botField] = field("Bot", [["", "any"], ...names]);
  const [other, otherField] = field("Against", [["", "any"], ...names]);
  const [result, resultField] = field("Result", Object.entries(RESULTS));
  const [fault, faultField] = field("Faults", [["", "with and without"], ["any", "with a fault"], ...kinds.map((kind) => [kind, kind])]);
  const [order, orderField] = field("Order", Object.entries(ORDERS).map(([value, [text]]) => [value, text]));
  const [counts, countsField] = field("Matches", Object.entries(COUNTING));
  countsField.hidden = rows.every((row) => !row[UNCOUNTED]);
  const id = make("input", { type: "search", size: 8, placeholder: "1.2.3.1", spellcheck: false });
  const page = make("input", { type: "number", min: 1, value: 1, ariaLabel: "Page" });
  const body = make("tbody");
  const heads = [["Match"], ["Bots by seat: place, score"], ["Lead changed", "num"], ["Answers", "num"], ["Slowest", "num"], ["Faults"]];
  const head = make("tr", {}, ...heads.map(([text, className = ""]) => make("th", { scope: "col", className, textContent: text })));
  const table = make("table", {}, make("thead", {}, head), body);
  const [back, on] = ["Previous", "Next"].map((text) => make("button", { type: "button", textContent: text }));
  const status = make("span", { role: "status" });
  const fields = { bot, against: other, result, fault, order, counts, id, page };
  let found = rows;

  const fits = () => {
    const wanted = [bot, other].filter((select) => select.value).map((select) => bots.indexOf(select.value));
    const [start, kind, won] = [id.value.trim(), fault.value, result.value === "won"];
    const counting = { "": start ? null : true, no: false, all: null }[counts.value]; // A number finds its match in any case.
    return (row) => {
      if (counting !== null && (row[UNCOUNTED] === 0) !== counting) return false;
      if (!wanted.every((each) => row[BOTS].includes(each)) || !row[ID].startsWith(start)) return false;
      if (kind === "any" ? !row[FAULTY].length : kind && !row[KINDS].includes(kind)) return false;
      if (!result.value || !bot.value) return true;
      const [ours, theirs] = wanted.map((each) => row[RANKS][row[BOTS].indexOf(each)]);
      if (result.value === "ahead") return theirs === undefined || ours < theirs;
      if (result.value === "behind") return theirs === undefined || ours > theirs;
      return (row[RANKS][row[BOTS].indexOf(wanted[0])] === Math.min(...row[RANKS])) === won;
    };
  };
  const draw = () => {
    const pages = Math.max(1, Math.ceil(found.length / PAGE)), number = Math.min(Math.max(1, Number(page.value) || 1), pages);
    [page.value, page.max] = [number, pages];
    body.replaceChildren(...found.slice((number - 1) * PAGE, number * PAGE).map((row) => rowOf(matchOf(row, all), bots, replays)));
    status.textContent = `of ${grouped(pages)}, ${many(found.length, "match")}`;
    back.disabled = number === 1;
    on.disabled = number === pages;
  };
  const choose = () => {
    found = rows.filter(fits());
    if (order.value) {
      const keys = ORDERS[order.value][1], number = bots.indexOf(bot.value);
      found = found.map((row) => [keys(matchOf(row, all), number), row]).sort(byKeys).map(([, row]) => row);
    }
    draw();
  };
  // Writes the reader's choices into the address. Fields with their first value are left out.
  const keep = () => {
    const chosen = Object.entries(fields).filter(([name, each]) => each.value !== "" && !(name === "page" && each.value === "1"));
    const words = String(new URLSearchParams(chosen.map(([name, each]) => [name, each.value])));
    history.replaceState(null, "", words ? PLACE + words : "#matches");
  };
  const restore = (moved = false) => {
    if (!location.hash.startsWith(PLACE)) return;
    const chosen = new URLSearchParams(location.hash.slice(PLACE.length));
    for (const [name, each] of Object.entries(fields)) each.value = chosen.get(name) ?? (name === "page" ? 1 : "");
    choose();
    // After a reload the browser goes back to the reader's place, so the page need not scroll.
    const opened = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0]);
    if (opened?.type !== "reload" || moved) list.parentElement.scrollIntoView();
  };

  for (const each of [bot, other, result, fault, counts, order, id]) each.addEventListener("input", () => { page.value = 1; choose(); keep(); });
  const turn = (by) => () => { page.value = Number(page.value) + by; draw(); keep(); };
  back.addEventListener("click", turn(-1));
  on.addEventListener("click", turn(1));
  page.addEventListener("change", turn(0));
  list.replaceChildren(
    make("div", { className: "tools" }, botField, otherField, resultField, faultField, orderField, countsField, make("label", {}, "Number", id)),
    make("div", { className: "scroll", role: "region", tabIndex: 0, ariaLabel: "Matches" }, table),
    make("div", { className: "pages" }, back, make("label", {}, "Page ", page), status, on));
  choose();
  restore();
  addEventListener("hashchange", () => { restore(true); });
};
