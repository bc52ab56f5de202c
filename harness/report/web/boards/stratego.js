// Draws Stratego: the board from the viewer's side, the pieces that the viewer knows, the losses.
"use strict";

(() => {
  const NAMES = { 1: "Marshal", 2: "General", 3: "Colonel", 4: "Major", 5: "Captain", 6: "Lieutenant", 7: "Sergeant", 8: "Miner", 9: "Scout", S: "Spy", F: "Flag", B: "Bomb" };
  const SIDES = ["Red", "Blue"];
  const CELL = 100, MARGIN = 44, SIZE = 10 * CELL + 2 * MARGIN;

  // Returns the middle of a square. `blue` is true if the board is seen from Blue's side.
  const middle = (row, column, blue) => [MARGIN + (column - 0.5) * CELL, MARGIN + ((blue ? row : 11 - row) - 0.5) * CELL];

  const field = (picture, blue) => {
    const [left, right] = picture.zones ?? [0, 0];
    const group = draw("g", { "aria-hidden": "true" });
    for (let row = 1; row <= 10; row += 1) {
      for (let column = 1; column <= 10; column += 1) {
        const zone = (row === 5 || row === 6) && [left, left + 1, right, right + 1].includes(column);
        const [x, y] = middle(row, column, blue);
        group.append(draw("rect", { x: x - 48, y: y - 48, width: 96, height: 96, rx: 8, class: zone ? "zone" : "square" }));
        if (zone) group.append(draw("path", { d: [-22, 4, 30].map((down) => `M${x - 36} ${y + down}q12 -14 24 0t24 0t24 0`).join(""), class: "wave" }));
      }
    }
    for (let number = 1; number <= 10; number += 1) {
      const [x, y] = middle(number, number, blue);
      group.append(label(x, SIZE - 18, number, { class: "mark" }), label(20, y, number, { class: "mark" }));
    }
    return group;
  };

  const piece = ([seat, sign, shown], x, y, viewer, key, was) => {
    const hidden = sign === "?";
    const name = hidden ? "a hidden piece" : NAMES[sign];
    const group = draw("g", { role: "img", "aria-label": `${SIDES[seat - 1]}: ${name}, row ${key.replace(" ", ", column ")}`, "data-key": key });
    if (was) group.dataset.was = was;
    group.append(draw("rect", { x: x - 40, y: y - 40, width: 80, height: 80, rx: 14, class: `piece side${seat}${hidden ? " hidden" : ""}` }));
    if (!hidden) {
      group.append(label(x, y - 8, sign, { class: "sign" }), label(x, y + 26, name, { class: "rank" }));
      if (shown) group.append(draw("circle", { cx: x + 29, cy: y - 29, r: 6, class: "shown" }));
    } else group.append(label(x, y, "?", { class: "sign faint" }));
    const title = draw("title");
    title.textContent = `${SIDES[seat - 1]}: ${name}${shown && viewer !== 3 - seat ? ", seen by the other side" : ""}`;
    group.append(title);
    return group;
  };

  const way = (picture, blue) => {
    if (!picture.from) return [];
    const [x, y] = middle(...picture.from, blue), [toX, toY] = middle(...picture.to, blue);
    const length = Math.hypot(toX - x, toY - y) || 1;
    const begin = picture[picture.from.join(" ")] ? 42 / length : 0, part = (length - 46) / length;
    const [dx, dy] = [toX - x, toY - y];
    return [draw("circle", { cx: x, cy: y, r: 12, class: begin ? "" : "way", fill: "none" }),
      draw("line", { x1: x + dx * begin, y1: y + dy * begin, x2: x + dx * part, y2: y + dy * part, class: "way", "marker-end": "url(#tip)" }),
      draw("rect", { x: toX - 46, y: toY - 46, width: 92, height: 92, rx: 16, class: "way" })];
  };

  // Draws a piece in a collision. A removed piece is crossed out.
  const fighter = (side, sign, lost, fields = {}) => draw("g", fields,
    draw("rect", { x: -36, y: -40, width: 72, height: 80, rx: 14, class: `piece side${side}${lost ? " lost" : ""}` }),
    ...(lost ? [draw("path", { d: "M-28 -32L28 32M28 -32L-28 32", class: "removed" })] : []), label(0, 0, sign, { class: "sign large" }));

  // Draws a collision. Both pieces are side by side on the square.
  const clash = (picture, blue) => {
    if (!picture.clash) return [];
    const [attacker, defender, winner] = picture.clash;
    const [x, y] = middle(...picture.to, blue), seat = picture.attacker;
    return [[attacker, seat, -1], [defender, 3 - seat, 1]].map(([sign, side, step]) => {
      const lost = winner !== side;
      return fighter(side, sign, lost, { role: "img", "aria-label": `${SIDES[side - 1]}: ${NAMES[sign]}${lost ? ", removed" : ", wins"}`, transform: `translate(${x + step * 27} ${y - 14}) scale(.72)` });
    });
  };

  const losses = (picture) => make("div", { class: "losses" }, ...[1, 2].map((seat) => {
    const lost = picture[`lost ${seat}`];
    return make("p", {}, make("b", { text: `${SIDES[seat - 1]} lost ` }),
      ...(lost.length ? lost.map((sign) => make("span", { class: `chip side${seat}`, title: NAMES[sign], text: sign })) : ["nothing"]));
  }));

  boards.stratego = {
    largest: 1,
    colours: ["var(--side1)", "var(--side2)"],
    beats: "collision",
    beat: ([word]) => word === "collision",
    turns: true,
    beside: 150,
    signs: () => {
      const sign = (look, shown = false) => cutOut(0, 0, 52, piece([1, look, shown], 0, 0, 0, "1 1"));
      return [
        [sign("9"), "a piece of seat 1, with its rank; the pieces of seat 2 are blue"],
        [sign("9", true), "a piece with a dot: the other side has seen it"],
        [sign("?"), "a piece that this viewer does not know"],
        [cutOut(0, 0, 52, fighter(1, "9", true)), "a piece that the last collision has removed"],
        [cutOut(0, 0, 52, draw("path", { d: "M-40 0H40", class: "way" })), "the last move"],
      ];
    },
    draw(picture, { viewer, flipped }) {
      const blue = (viewer === 2) !== flipped;
      const chart = draw("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "stratego", role: "group", "aria-label": "The board" });
      const tip = draw("marker", { id: "tip", viewBox: "0 0 10 10", refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto" },
        draw("path", { d: "M0 0L10 5L0 10z", class: "tip" }));
      chart.append(draw("defs", {}, tip), field(picture, blue), ...way(picture, blue));
      for (const [key, value] of Object.entries(picture)) {
        if (!/^\d+ \d+$/.test(key) || !value || (picture.clash && key === picture.to.join(" "))) continue;
        const was = key === picture.to?.join(" ") ? picture.from.join(" ") : "";
        chart.append(piece(value, ...middle(...key.split(" ").map(Number), blue), viewer, key, was));
      }
      chart.append(...clash(picture, blue));
      const note = make("p", { class: "quiet", text: `Ply ${picture.plies}. Plies since the last collision: ${picture.quiet}. A dot marks a piece that the other side has seen.` });
      return { chart, rest: [losses(picture), note] };
    },
    tell([word, ...rest], { name, to, picture }) {
      if (word === "zones") return `The zones are in columns ${rest[0]} and ${Number(rest[0]) + 1}, ${rest[1]} and ${Number(rest[1]) + 1}`;
      // Each army has two events, one for its owner and one for the opponent. Only one of them becomes a
      // sentence.
      if (word === "army") return to.includes(Number(rest[0])) ? "" : `${name(rest[0])} has set up`;
      if (word === "marched") return `${name(rest[0])} marches (${rest[1]},${rest[2]}) to (${rest[3]},${rest[4]})`;
      if (word !== "collision") return "";
      const seat = picture.attacker, pieces = [[rest[0], seat], [rest[1], 3 - seat]].map(([sign, owner]) => `the ${NAMES[sign]} of ${name(owner)}`);
      const lost = rest[2] === "0" ? "both pieces are" : `${pieces[Number(rest[2]) === seat ? 1 : 0]} is`;
      return `${pieces[0].replace("the", "The")} attacks ${pieces[1]}: ${lost} removed`;
    },
  };
})();
