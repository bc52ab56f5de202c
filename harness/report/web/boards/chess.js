// Draws chess and its variants: the board from the viewer's side, the last move, the pieces that are captured or can be
// dropped.
"use strict";

(() => {
  const SIGNS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
  const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const CELL = 100, MARGIN = 40, SIZE = 8 * CELL + 2 * MARGIN;

  // Returns the middle of a square. `black` is true if the board is seen from Black's side.
  const middle = (square, black) => {
    const column = "abcdefgh".indexOf(square[0]), row = 8 - Number(square[1]);
    const [x, y] = black ? [7 - column, 7 - row] : [column, row];
    return [MARGIN + (x + 0.5) * CELL, MARGIN + (y + 0.5) * CELL];
  };
  const squares = [..."87654321"].flatMap((row) => [..."abcdefgh"].map((column) => column + row));

  // Draws the squares. The squares of the last move are drawn last, so that no other square hides their frames.
  const field = (picture, black) => {
    const plain = [], marked = [];
    squares.forEach((square, place) => {
      const [x, y] = middle(square, black);
      const dark = (place + Math.floor(place / 8)) % 2 ? "dark" : "light";
      const last = square === picture.from || square === picture.to;
      (last ? marked : plain).push(draw("rect", { x: x - 50, y: y - 50, width: 100, height: 100, class: last ? `${dark} last` : dark }));
    });
    return [...plain, ...marked];
  };

  const marks = (black) => [..."12345678"].flatMap((row, place) => {
    const column = "abcdefgh"[place];
    const [x] = middle(`${column}1`, black), [, y] = middle(`a${row}`, black);
    return [label(x, SIZE - 16, column, { class: "mark" }), label(18, y, row, { class: "mark" })];
  });

  const piece = (sign, square, black, was) => {
    const [x, y] = middle(square, black);
    const side = sign === sign.toUpperCase() ? 1 : 2, kind = sign.toLowerCase();
    const name = `${side === 1 ? "white" : "black"} ${NAMES[kind]} on ${square}`;
    const group = draw("g", { role: "img", "aria-label": name, "data-key": square });
    if (was) group.dataset.was = was;
    group.append(label(x, y + 4, `${SIGNS[kind]}\uFE0E`, { class: `man side${side}` }));
    return group;
  };

  const pockets = (picture) => [1, 2].map((seat) => {
    const own = [...picture.pocket].filter((sign) => (sign === sign.toUpperCase()) === (seat === 1));
    const shown = own.map((sign) => `${SIGNS[sign.toLowerCase()]}\uFE0E`).join(" ");
    return make("p", { text: `${seat === 1 ? "White" : "Black"} can drop ${shown || "nothing"}` });
  });

  // Returns how many pieces of each kind are on a board.
  const countOf = (places) => {
    const found = {};
    for (const sign of places) found[sign] = (found[sign] ?? 0) + 1;
    return found;
  };

  // Shows the pieces that are missing since the start. A promoted pawn is missing too.
  const taken = (picture, opening, bots) => {
    const start = countOf(/[a-z]/i.test(opening.board) ? opening.board : USUAL.split(" ")[0].replace(/\d/g, (empty) => ".".repeat(Number(empty))));
    const now = countOf(picture.board);
    const lead = picture["material 1"] - picture["material 2"];
    return [1, 2].map((seat) => {
      const kinds = [..."qrbnp"].flatMap((kind) => {
        const sign = seat === 1 ? kind : kind.toUpperCase();
        return Array.from({ length: Math.max(0, (start[sign] ?? 0) - (now[sign] ?? 0)) }, () => `${SIGNS[kind]}\uFE0E`);
      });
      const ahead = seat === 1 ? lead : -lead;
      const are = kinds.length === 1 ? "is" : "are";
      return make("p", { class: "taken" }, who(seat, bots), make("span", { class: "score", text: ahead > 0 ? signed(ahead) : "" }),
        make("span", { class: `men ${kinds.length ? `side${3 - seat}` : ""}`, role: "img", "aria-label": `${many(kinds.length, "piece")} of the other side ${are} missing`, text: kinds.join("") || " " }));
    });
  };

  boards.chess = {
    turns: true,
    beside: 150,
    // The moves stand in two columns: White's and Black's.
    pair([word, seat, , san], picture) {
      if (word !== "moved") return null;
      const number = Math.ceil(picture.plies / 2);
      return { seat: Number(seat), text: seat === "1" || picture.plies === 1 ? `${number}. ${san}` : san };
    },
    signs: () => [[cutOut(0, 0, 56, draw("rect", { x: -50, y: -50, width: 100, height: 100, class: "light last" })), "a square of the last move"]],
    draw(picture, { viewer, flipped, opening, bots }) {
      const black = (viewer === 2) !== flipped;
      const chart = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "chess", role: "group", "aria-label": "The board" });
      chart.append(...field(picture, black), ...marks(black));
      [...picture.board].forEach((sign, place) => {
        if (sign === ".") return;
        const square = squares[place];
        chart.append(piece(sign, square, black, square === picture.to ? picture.from : ""));
      });
      return { chart, rest: [...taken(picture, opening, bots), ...(picture.pocket ? pockets(picture) : [])] };
    },
    tell([word, ...rest], { name }) {
      if (word === "position") {
        const start = rest.join(" ").replace("[]", ""); // "[]" means that no player has a piece to drop.
        return start === USUAL ? "" : `The match starts at ${start}`;
      }
      if (word === "moved") return `${name(rest[0])} plays ${rest[2]}`;
      return "";
    },
  };
})();
