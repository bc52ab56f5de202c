// Makes elements, and the addresses of pages.
"use strict";

const make = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};

const botPage = (name) => `bot.html#${encodeURIComponent(name)}`;
const matchPage = (id, step = "") => `match.html#${id}${step ? `/${step}` : ""}`;
const listPage = (choice) => `index.html#matches?${new URLSearchParams(choice)}`;
const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : noun.endsWith("match") ? "es" : "s"}`;

// A match in the list of matches.js. Of a run in `until`, later encounters have a replay only if they have a fault.
const matchOf = ([id, bots, ranks, scores, faulty, kinds, answers, slowest, leads, behind], { until, allied }) => {
  const [run, encounter] = id.split(".");
  const told = faulty.length > 0 || !(run in until) || Number(encounter) <= until[run];
  const best = ranks.indexOf(Math.min(...ranks));
  const rest = scores.filter((_, place) => place !== best && ranks[place] !== ranks[best]);
  const tied = !allied && rest.length < scores.length - 1; // Allies share their rank.
  const margin = rest.length && !tied ? Math.min(...rest.map((score) => Math.abs(score - scores[best]))) : 0;
  return { id, bots, ranks, scores, faulty, kinds, answers, slowest, leads, behind, margin, told };
};
// How close a match was for one of its bots: to the winner, or for the winner to the next one.
const marginOf = (match, place) => {
  const best = match.ranks.indexOf(Math.min(...match.ranks));
  return place < 0 || match.ranks[place] === match.ranks[best] ? match.margin : Math.abs(match.scores[place] - match.scores[best]);
};
const seconds = (us) => (us >= 1e6 ? `${(us / 1e6).toFixed(2)} s` : us >= 1e3 ? `${(us / 1e3).toFixed(1)} ms` : `${us} µs`);
