// Makes elements of the page, and the addresses of other pages.
"use strict";

/** @param {string} tag @param {Record<string, any>} [fields] @param {(string | Node)[]} children @returns {any} */
const make = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};

/** @param {string} name */
const botPage = (name) => `bot.html#${encodeURIComponent(name)}`;
/** @param {string} id @param {string} [step] */
const matchPage = (id, step = "") => `match.html#${id}${step ? `/${step}` : ""}`;
/** @param {Record<string, string>} choice */
const listPage = (choice) => `index.html#matches?${new URLSearchParams(choice)}`;
/** @param {number} number */
const grouped = (number) => number.toLocaleString("en");
/** @param {number} count @param {string} noun */
const many = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : noun.endsWith("match") ? "es" : "s"}`;

// Makes the place for a small picture of a match, which thumbnails.js draws. The picture and the number beside it have the same link.
// With a line of the log and a seat, the picture is larger, and shows the position before this line as the seat saw it.
/** @param {string} id @param {string | number} [line] @param {string | number} [seat] */
const pictureOf = (id, line, seat) => {
  const picture = document.createElement("match-picture"), large = line === undefined ? {} : { line, seat };
  Object.assign(picture.dataset, { match: id, ...large });
  const look = `picture${line === undefined ? "" : " large"}`;
  return make("a", { href: matchPage(id, line === undefined ? "" : `${line}/${seat}`), tabIndex: -1, ariaHidden: "true", className: look }, picture);
};

// The indexes of values in a row of the list in matches.js. UNCOUNTED is 0 if the match counts, and otherwise the number
// of the reason, from 1.
const [ID, BOTS, RANKS, SCORES, FAULTY, KINDS, ANSWERS, SLOWEST, LEADS, , UNCOUNTED] = Array.from({ length: 11 }, (_, place) => place);

// Makes an object from a row of the list in matches.js. If `until` names an encounter of the match's run, matches of
// later encounters have a replay only if they have a fault.
/** @param {Row} row @param {Listed} listed */
const matchOf = ([id, bots, ranks, scores, faulty, kinds, answers, slowest, leads, behind, uncounted], { until, allied, reasons }) => {
  const [run, encounter] = id.split(".");
  const told = faulty.length > 0 || !(run in until) || Number(encounter) <= until[run];
  return { id, bots, ranks, scores, faulty, kinds, answers, slowest, leads, behind, counts: !uncounted, why: reasons[uncounted - 1] ?? "", allied, told };
};
// Makes the words that say that a match does not count. The words are a link to the part of the report about this, and
// their title gives the reason.
/** @param {{ why: string }} match */
const uncountedMark = ({ why }) => make("a", { href: "index.html#faults", className: "out", textContent: "does not count", title: `Does not count: ${why}` });
// Returns the difference between a bot's score and the winner's score. For the winner, and without a bot, returns the
// difference to the next score, or 0 if several seats share the first place.
/** @param {{ ranks: number[], scores: number[], allied: boolean }} match @param {number} place */
const marginOf = ({ ranks, scores, allied }, place) => {
  const first = Math.min(...ranks), best = scores[ranks.indexOf(first)];
  if (place >= 0 && ranks[place] !== first) return Math.abs(scores[place] - best);
  let next = Infinity, behind = 0;
  ranks.forEach((rank, other) => {
    if (rank === first) return;
    next = Math.min(next, Math.abs(scores[other] - best));
    behind += 1;
  });
  // Allies always have the same rank.
  return behind === 0 || (!allied && behind < ranks.length - 1) ? 0 : next;
};
const seconds = (us) => (us >= 1e6 ? `${(us / 1e6).toFixed(2)} s` : us >= 1e3 ? `${(us / 1e3).toFixed(1)} ms` : `${us} µs`);
