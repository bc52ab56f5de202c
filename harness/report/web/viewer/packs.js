// Finds and unpacks the replay of a match. Each file has the replays of several matches of a sitting.
"use strict";

// The number of matches of a sitting in one file. harness/report/replays.py has the same number.
const TOGETHER = 32;

// Returns the address of the file that has the replay of a match or of a branch.
/** @param {string} id */
const packOf = (id) => {
  if (id.includes("~")) return `matches/forks/${id}.js`;
  const [run, encounter, seating, deal] = id.split(".").map(Number);
  const first = Math.floor((deal - 1) / TOGETHER) * TOGETHER + 1;
  return `matches/${run}/${String(Math.floor((encounter - 1) / 1000)).padStart(3, "0")}/${encounter}.${seating}.${first}.js`;
};

// Returns a promise of the replay in a compressed text.
/** @param {string} text @returns {Promise<Match>} */
const unpacked = (text) => {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
};
