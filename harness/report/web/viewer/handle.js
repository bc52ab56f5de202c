// Gives other scripts one name, `viewer`, for what they may read and call: the console of a browser, or a test.
"use strict";

globalThis.viewer = Object.freeze({
  page, go, show, addressNow, writeAddress, curve, standingsOf,
  get match() { return match; }, get allFrames() { return allFrames; }, get stops() { return stops; },
  get beats() { return beats; }, get marks() { return marks; }, get tempos() { return tempos; },
  get at() { return at; }, get view() { return view; }, get timer() { return timer; },
  get ready() { return ready; }, // A promise that the match of the address is shown.
});
