// Draws the position of a game of another library: as a board if its text is a grid, and as text otherwise. Writes the
// lines of such a game as sentences.
"use strict";

(() => {
  const CELL = 100, LEAST = 3, MOST = 19, KINDS = 14;
  const EMPTY = new Set([".", "-", "_", "+"]);
  // Signs that many games use for the first and the second player. Other signs are shown as letters.
  const FIRST = new Set([..."xXbB@"]), SECOND = new Set([..."oOwW"]);

  // Returns the cells of a line, without the number or the letter of its row. Returns [] if the line has words.
  const cellsOf = (line) => {
    const inside = line.trim().replace(/^\d+\s*/, "").replace(/\s*\d+$/, "").replace(/^\|(.*)\|$/, "$1");
    const parts = /[\s|]/.test(inside) ? inside.split(/[\s|]+/).filter(Boolean) : [...inside];
    return parts.every((part) => [...part].length === 1) && parts.length >= LEAST && parts.length <= MOST ? parts : [];
  };

  // Finds the largest block of lines that have equally many cells and few kinds of signs. At least one cell is empty or
  // has a piece of a player, so that a table of numbers or a word is no board.
  const gridOf = (lines) => {
    let best = null;
    for (let first = 0; first < lines.length; first += 1) {
      const width = cellsOf(lines[first]).length;
      let last = first;
      while (width && last < lines.length && cellsOf(lines[last]).length === width) last += 1;
      if (last - first >= LEAST && last - first > (best ? best.last - best.first : 0)) best = { first, last };
    }
    if (!best) return null;
    const rows = lines.slice(best.first, best.last).map(cellsOf), signs = new Set(rows.flat());
    const known = [...signs].filter((sign) => EMPTY.has(sign) || FIRST.has(sign) || SECOND.has(sign));
    if (signs.size > KINDS || known.length < 2) return null;
    return { rows, rest: [...lines.slice(0, best.first), "", ...lines.slice(best.last)].filter((line) => line.trim()) };
  };

  const cell = (sign, row, column) => {
    const [x, y] = [(column + 0.5) * CELL, (row + 0.5) * CELL];
    const group = draw("g", { "data-key": `${row} ${column}`, ...(EMPTY.has(sign) ? { "aria-hidden": "true" } : { role: "img", "aria-label": `${sign} in row ${row + 1}, column ${column + 1}` }) });
    group.append(draw("rect", { x: x - 50, y: y - 50, width: CELL, height: CELL, class: "square" }));
    if (EMPTY.has(sign)) return group;
    const seat = FIRST.has(sign) ? 1 : SECOND.has(sign) ? 2 : 0;
    if (seat) group.append(draw("circle", { cx: x, cy: y, r: 40, class: "disc", style: `--own: ${colour(seat)}` }));
    group.append(label(x, y + 2, sign, { class: seat ? "letter" : "letter plain" }));
    return group;
  };

  const text = (words) => make("pre", { tabindex: 0, role: "group", "aria-label": "The position", text: words });

  boards.text = {
    largest: 2.2,
    // Each answer is a step, because the events of such a game may not name the move.
    answers: true,
    // The reader can scroll a line that is too long, also with a keyboard.
    draw(picture) {
      if (picture.text === undefined) return { rest: [text("The position appears with the first question.")] };
      const grid = gridOf(picture.text.split("\n"));
      if (!grid) return { rest: [text(picture.text)] };
      const { rows, rest } = grid;
      const chart = draw("svg", { viewBox: `-4 -4 ${rows[0].length * CELL + 8} ${rows.length * CELL + 8}`, class: "grid-game", role: "group", "aria-label": "The board" });
      chart.append(...rows.flatMap((row, down) => row.map((sign, across) => cell(sign, down, across))));
      return { chart, rest: rest.length ? [text(rest.join("\n"))] : [] };
    },
    // If an action has a name, the number of the action is left out. For example, "act 479 479 - 13/8 6/5" becomes
    // "13/8 6/5".
    answer(said, seat) {
      const action = said.match(/^act \d+ (?:\d+ - )?(.+)$/)?.[1];
      return action ? `${seat} plays ${action}` : `${seat} says “${said}”`;
    },
    tell([word, ...rest], { name, to }) {
      if (word === "chance" && rest.length > 1) return `Chance: ${rest.slice(1).join(" ").replace(/^chance outcome \d+,? /i, "")}`;
      if (word === "reward" && rest.length === 1 && to.length === 1) return `${name(to[0])} earns ${rest[0]}`;
      return "";
    },
  };
})();
