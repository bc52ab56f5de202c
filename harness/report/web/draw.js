// Makes elements of the page, and the texts that all boards need.
"use strict";

/** @type {Record<string, Board>} */
const boards = {};

/** @param {string} tag @param {Record<string, any>} [fields] @param {(string | Node)[]} children @returns {any} */
const make = (tag, fields = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(fields)) {
    if (key === "text") element.textContent = value;
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};

/** @param {string} tag @param {Record<string, any>} [fields] @param {(string | Node)[]} children @returns {any} */
const draw = (tag, fields = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(fields)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/** @param {number} x @param {number} y @param {string | number} text @param {Record<string, any>} [fields] */
const label = (x, y, text, fields = {}) => {
  const element = draw("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", ...fields });
  element.textContent = String(text);
  return element;
};

// Draws a piece of a drawing for the list of signs: what is at most `far` away from a point.
/** @param {number} x @param {number} y @param {number} far @param {Node[]} parts */
const cutOut = (x, y, far, ...parts) => draw("svg", { viewBox: `${x - far} ${y - far} ${2 * far} ${2 * far}` }, ...parts);

/** @param {number} count @param {string} noun */
const many = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
/** @param {number} number */
const signed = (number) => `${number > 0 ? "+" : ""}${number}`;
/** @param {number} seat */
const colour = (seat) => board.colours?.[seat - 1] ?? `var(--seat${(seat - 1) % 9 + 1})`;

/** @param {number} us */
const span = (us) => {
  if (us >= 1e6) return `${(us / 1e6).toFixed(2)} s`;
  return us >= 1e3 ? `${(us / 1e3).toFixed(1)} ms` : `${us} µs`;
};

// Returns the letter of a seat's side, or "" if each seat plays for itself.
/** @param {{ sides: number[][], bots: string[] }} match @param {number} seat */
const sideOf = ({ sides, bots }, seat) => (sides.length < bots.length ? "ABCDEFGHI"[sides.findIndex((seats) => seats.includes(seat))] : "");

// Makes the sign of a side: a letter in a frame. The first side has round frames, and the other sides have square ones.
/** @param {string} side */
const signsOf = (side) => (side ? [make("i", { class: `side side-${side}`, text: side })] : []);

// Makes the label of a seat: its number in the colour of the seat, and the name of its bot.
/** @param {number} seat @param {string[]} bots */
const who = (seat, bots) => {
  const name = make("span", { class: "who", style: `--own: ${colour(seat)}` });
  name.append(make("b", { text: String(seat) }), ` ${bots[seat - 1]}`);
  return name;
};

// Makes the box of a seat. Its line has the name of the bot and what fits beside it. If hands are folded, the cards are
// shown only for the viewer, or for the seat that acts next in the referee's view, and for seats that the reader opens.
/** @param {string} tag @param {number} seat @param {Context} context @param {string} words @param {() => Node[]} cards */
const boxOf = (tag, seat, { bots, sides, viewer, moving, folded, unfolded }, words, cards) => {
  const side = sideOf({ bots, sides }, seat);
  const line = [...signsOf(side), who(seat, bots), make("span", { class: "score", text: words })];
  const own = seat === (viewer || moving), open = !folded || own || unfolded.has(String(seat));
  const first = !folded || own ? make("p", { class: "line" }, ...line)
    : make("button", { type: "button", class: "line fold", "data-fold": String(seat), "aria-expanded": String(open) }, ...line);
  return make("div", { class: `${tag}${side && ` side-${side}`}${open ? "" : " folded"}${moving === seat ? " on" : ""}`, style: `--own: ${colour(seat)}` }, first, ...(open ? cards() : []));
};
