// Draws a small picture of a match at the step that decided it, wherever a list of matches has the element
// <match-picture>. A picture is drawn only when the reader comes near it.
"use strict";

// The size of a picture, and the width of a drawing without a chart before it is made small, in pixels.
const WIDE = 96, HIGH = 60, LAID = 480;
// A picture is too small for words, but signs of pieces can be seen.
const LOOK = `
.board { width: ${WIDE}px; height: ${HIGH}px; overflow: hidden; }
svg { display: block; width: 100%; height: 100%; }
text:not(.man, .sign, .letter) { display: none; }
.laid-out { width: ${LAID}px; transform: scale(${WIDE / LAID}); transform-origin: 0 0; }
pre { margin: 0; font-size: 24px; }`;

const board = Object.values(boards)[0];
const waiting = new Map(), loading = new Set();

// Returns the number of the frame that decided the match: the last frame if none did, and that of a fault if there is one.
const decisive = (match, frames, stops) => {
  const [line] = match.moments.find(([, kind]) => kind === "fault") ?? match.moments.find(([, kind]) => kind === "decided") ?? [Infinity];
  return stops[stopAt(frames, stops, line)];
};

const pictureOf = (match) => {
  const frames = framesOf(match, 0), stops = stopsOf(match, frames), { picture } = frames[decisive(match, frames, stops)];
  const context = { bots: match.bots, viewer: 0, flipped: false, opening: match.opening, moving: 0, folded: false, unfolded: new Set() };
  const { chart, rest } = board.draw(picture, context);
  return make("div", { class: "board" }, chart ?? make("div", { class: "laid-out" }, ...rest));
};

// Loads the file of a match, and keeps only the matches that wait for a picture.
const load = (id) => {
  const path = packOf(id);
  if (loading.has(path)) return;
  loading.add(path);
  const script = make("script", { src: path });
  const end = () => { loading.delete(path); script.remove(); };
  script.addEventListener("load", end);
  script.addEventListener("error", end);
  document.head.append(script);
};

const draws = async (match, pictures) => {
  const loaded = await match;
  requestIdleCallback(() => { for (const each of pictures) each.show(pictureOf(loaded)); });
};

// The script in a file calls this function for each match in the file.
globalThis.packed = (id, text) => {
  if (!waiting.has(id)) return;
  draws(unpacked(text), waiting.get(id));
  waiting.delete(id);
};

const near = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    const { match } = target.dataset;
    waiting.set(match, [...(waiting.get(match) ?? []), target]);
    load(match);
  }
}, { rootMargin: "200px" });

// The element has its own small document, because the style of a board is not meant for the page around it.
customElements.define("match-picture", class extends HTMLElement {
  #root = this.attachShadow({ mode: "closed" });
  connectedCallback() { if (!this.#root.firstChild) near.observe(this); }
  disconnectedCallback() { near.unobserve(this); }
  show(drawn) {
    const sheet = make("link", { rel: "stylesheet", href: "boards.css" });
    sheet.addEventListener("load", () => { this.dataset.drawn = ""; });
    this.#root.replaceChildren(sheet, make("style", { text: LOOK }), drawn);
  }
});
