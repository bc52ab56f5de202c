// Reads and writes the address of the page. It is #MATCH, #MATCH/LINE with a line of the log, #MATCH/fault, or
// #MATCH/LINE/SEAT with the seat that views the match.
"use strict";

let naming = null;

const addressNow = () => `#${match.id}/${allFrames[stops[at]].line}${view ? `/${view}` : ""}`;

// Writes the address, unless the reader has already chosen another match, which is still being loaded.
const writeAddress = () => {
  const { id } = wanted();
  if (match && (!id || id === match.id)) history.replaceState(null, "", addressNow());
};

const keepAddress = () => {
  clearTimeout(naming);
  naming = setTimeout(writeAddress, 400); // Browsers allow only a few changes per second.
};

const wanted = () => {
  const [id, place = "", seat = ""] = decodeURIComponent(location.hash.slice(1)).split("/");
  return { id, place, seat: /^[0-9]$/.test(seat) ? Number(seat) : 0 };
};

// Goes to the step and to the view that the address names.
const toWanted = () => {
  const { place, seat } = wanted();
  if (seat <= match.bots.length && seat !== view) show(seat);
  if (place === "fault") toFault();
  else if (place) go(stopAt(allFrames, stops, Number(place)));
};
