// Draws a small picture of a match wherever a page has the element <match-picture>: at the step that decided the match,
// or before the line of the log that data-line names, as the seat data-seat saw it. A picture is drawn only when the
// reader comes near it.
"use strict";

// Sizes in pixels: WIDE and HIGH of a picture, and LAID, the width of a drawing without a chart before it is made small.
// For a large picture, the script chooses among LAID and OTHERS the width with which the drawing becomes largest.
const WIDE = 96, HIGH = 60, LAID = 480, LARGE = 2.5, OTHERS = [640, 800];
// A picture is too small for words, but signs of pieces can be seen.
const lookOf = (large) => `
.board { width: ${WIDE * large}px; height: ${HIGH * large}px; max-width: 100%; overflow: hidden; }
svg { display: block; width: 100%; height: 100%; }
text:not(.man, .sign, .letter) { display: none; }
.laid-out { width: ${LAID}px; transform: scale(${WIDE * large / LAID}); transform-origin: 0 0; }
pre { margin: 0; font-size: 24px; }`;

const board = Object.values(boards)[0];
const waiting = new Map(), loading = new Set();

// Returns the number of the frame with the first fault. Without a fault, returns the number of the frame that decided
// the match, or of the last frame if no frame decided it.
/** @param {Match} match @param {Frame[]} frames @param {number[]} stops */
const decisive = (match, frames, stops) => {
  const [line] = match.moments.find(([, kind]) => kind === "fault") ?? match.moments.find(([, kind]) => kind === "decided") ?? [Infinity];
  return stops[stopAt(frames, stops, line)];
};

// Returns the number of the frame before this line of the log.
/** @param {any[]} frames @param {number} line */
const before = (frames, line) => Math.max(0, frames.findLastIndex((frame) => frame.line < line));

/** @param {Match} match @param {any} of */
const pictureOf = (match, { line, seat = 0 }) => {
  const viewer = Number(seat), frames = framesOf(match, viewer);
  const { picture } = frames[line ? before(frames, Number(line)) : decisive(match, frames, stopsOf(match, frames))];
  const context = { bots: match.bots, sides: match.sides, viewer, flipped: false, opening: match.opening, moving: viewer, folded: false, unfolded: new Set() };
  const { chart, rest } = board.draw(picture, context);
  return make("div", { class: "board" }, chart ?? make("div", { class: "laid-out" }, ...rest));
};

// Loads the file of a match, and keeps only the matches that wait for a picture.
/** @param {string} id */
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

/** @param {Promise<Match>} match @param {any[]} pictures */
const draws = async (match, pictures) => {
  const loaded = await match;
  requestIdleCallback(() => { for (const each of pictures) each.show(pictureOf(loaded, each.dataset)); });
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
    const { match } = /** @type {HTMLElement} */ (target).dataset;
    waiting.set(match, [...(waiting.get(match) ?? []), target]);
    load(match);
  }
}, { rootMargin: "200px" });

// The element has its own small document, because the style of a board is not meant for the page around it.
customElements.define("match-picture", class extends HTMLElement {
  #root = this.attachShadow({ mode: "closed" });
  connectedCallback() { if (!this.#root.firstChild) near.observe(this); }
  disconnectedCallback() { near.unobserve(this); }
  // Makes a large picture of cards so small that all of it can be seen.
  #fit() {
    const laid = /** @type {HTMLElement | null} */ (this.#root.querySelector(".laid-out"));
    if (!laid) return;
    const scaleAt = (wide) => {
      laid.style.width = `${wide}px`;
      return Math.min(this.clientWidth / wide, (HIGH * LARGE) / laid.scrollHeight);
    };
    const [best, scale] = [LAID, ...OTHERS].map((wide) => [wide, scaleAt(wide)]).sort(([, one], [, other]) => other - one)[0];
    laid.style.width = `${best}px`;
    laid.style.transform = `scale(${scale})`;
  }
  show(drawn) {
    const sheet = make("link", { rel: "stylesheet", href: "boards.css" });
    sheet.addEventListener("load", () => {
      if (this.dataset.line) this.#fit();
      this.dataset.drawn = "";
    });
    this.#root.replaceChildren(sheet, make("style", { text: lookOf(this.dataset.line ? LARGE : 1) }), drawn);
  }
});
