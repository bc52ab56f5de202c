// Draws chess and its variants: the board from the viewer's side, the last move, the pieces to drop.
"use strict";

(() => {
  const SIGNS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
  const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  const USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const CELL = 100, MARGIN = 40, SIZE = 8 * CELL + 2 * MARGIN;

  // Returns the middle of a square. Black sees the board from its own side. The referee sees it from White's side.
  const middle = (square, viewer) => {
    const column = "abcdefgh".indexOf(square[0]), row = 8 - Number(square[1]);
    const [x, y] = viewer === 2 ? [7 - column, 7 - row] : [column, row];
    return [MARGIN + (x + 0.5) * CELL, MARGIN + (y + 0.5) * CELL];
  };
  const squares = [..."87654321"].flatMap((row) => [..."abcdefgh"].map((column) => column + row));

  // Draws the squares. The squares of the last move are drawn last, so that no other square hides their frames.
  const field = (picture, viewer) => {
    const plain = [], marked = [];
    squares.forEach((square, place) => {
      const [x, y] = middle(square, viewer);
      const dark = (place + Math.floor(place / 8)) % 2 ? "dark" : "light";
      const last = square === picture.from || square === picture.to;
      (last ? marked : plain).push(draw("rect", { x: x - 50, y: y - 50, width: 100, height: 100, class: last ? `${dark} last` : dark }));
    });
    return [...plain, ...marked];
  };

  const marks = (viewer) => [..."12345678"].flatMap((row, place) => {
    const column = "abcdefgh"[place];
    const [x] = middle(`${column}1`, viewer), [, y] = middle(`a${row}`, viewer);
    return [label(x, SIZE - 16, column, { class: "mark" }), label(18, y, row, { class: "mark" })];
  });

  const piece = (sign, square, viewer, was) => {
    const [x, y] = middle(square, viewer);
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

  boards.chess = {
    draw(picture, { viewer }) {
      const chart = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "chess", role: "group", "aria-label": "The board" });
      chart.append(...field(picture, viewer), ...marks(viewer));
      [...picture.board].forEach((sign, place) => {
        if (sign === ".") return;
        const square = squares[place];
        chart.append(piece(sign, square, viewer, square === picture.to ? picture.from : ""));
      });
      return { chart, rest: picture.pocket ? pockets(picture) : [] };
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
