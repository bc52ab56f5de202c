// Draws Evil Squash: the board with its arrows, the markers, the throw, the cards.
"use strict";

(() => {
  const CELL = 100, PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

  const layout = (picture) => {
    const { squares, columns } = picture;
    const rows = Math.ceil(squares / columns);
    const middle = (square) => {
      const row = Math.floor((square - 1) / columns), place = (square - 1) % columns;
      return [(0.5 + (row % 2 ? columns - 1 - place : place)) * CELL, (rows - 0.5 - row) * CELL];
    };
    return { rows, middle, width: columns * CELL, height: rows * CELL };
  };

  // Returns the point of a marker. If an arrow begins on the square, the marker is beside the base of the arrow.
  const standing = (square, picture, middle) => {
    const [x, y] = middle(square);
    return picture.arrows.some(([base]) => base === square) ? [x + 18, y + 18] : [x, y];
  };

  const way = (seat, points) => draw("path", { d: `M${points.map((point) => point.join(" ")).join("L")}`, class: "thrown", style: `--own: ${colour(seat)}` });

  // Draws the path of the last throw, square by square. The path ends at the last square of the board at most.
  const thrown = (picture, middle, height) => {
    const [seat, , square, from] = picture.throw;
    const last = Math.min(square, picture.squares);
    const squares = Array.from({ length: Math.max(0, last - from) }, (_, place) => from + 1 + place);
    const begin = from ? middle(from) : [170 + (seat - 1) * 66, height + 70];
    return way(seat, [begin, ...squares.map(middle)]);
  };
  const aim = (seat, x, y) => draw("rect", { x: x - 46, y: y - 46, width: 92, height: 92, rx: 10, class: "aim", style: `--own: ${colour(seat)}` });

  const arrow = ([base, to], middle) => {
    const [x, y] = middle(base), [toX, toY] = middle(to);
    const bend = 0.16, kind = to > base ? "up" : "down";
    const [cx, cy] = [(x + toX) / 2 + (toY - y) * bend, (y + toY) / 2 - (toX - x) * bend];
    const group = draw("g", { role: "img", "aria-label": `an arrow from ${base} to ${to}` });
    group.append(draw("circle", { cx: x, cy: y, r: 9, class: `base ${kind}` }),
      draw("path", { d: `M${x} ${y}Q${cx} ${cy} ${toX} ${toY}`, class: `arrow ${kind}`, "marker-end": `url(#tip-${kind})` }));
    return group;
  };

  const tip = (kind) => draw("marker", { id: `tip-${kind}`, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 5, markerHeight: 5, orient: "auto" },
    draw("path", { d: "M0 0L10 5L0 10z", class: `tip ${kind}` }));

  const marker = (seat, x, y, bots) => {
    const group = draw("g", { role: "img", "aria-label": `${bots[seat - 1]} (seat ${seat})`, "data-key": `marker ${seat}`, style: `--own: ${colour(seat)}` });
    group.append(draw("circle", { cx: x, cy: y, r: 27, class: "marker" }), label(x, y, seat, { class: "seat-number" }));
    return group;
  };

  const die = (value, x, y, seat) => {
    const group = draw("g", { role: "img", "aria-label": `a throw of ${value}`, style: `--own: ${colour(seat)}` });
    group.append(draw("rect", { x: x - 30, y: y - 30, width: 60, height: 60, rx: 12, class: "die" }));
    PIPS[value].forEach((place) => group.append(draw("circle", { cx: x + (place % 3 - 1) * 17, cy: y + (Math.floor(place / 3) - 1) * 17, r: 6, class: "pip" })));
    return group;
  };

  const cards = (picture, bots) => {
    if (picture["left 1"] === undefined) return [];
    const rows = bots.map((_, place) => {
      const seat = place + 1, hand = picture[`hand ${seat}`], played = picture[`played ${seat}`];
      const left = hand ? `has ${many(hand[0], "Bounce")} and ${hand[1]} Squash` : `has ${many(picture[`left ${seat}`], "card")}`;
      return make("p", {}, who(seat, bots), ` ${left}; played ${many(played[0], "Bounce")} and ${played[1]} Squash`);
    });
    return [make("div", { class: "held" }, ...rows)];
  };

  boards.squash = {
    beats: "throw",
    beat: ([word]) => word === "throw",
    signs: ({ bots }) => {
      const place = (square) => [square * 70 - 105, 0];
      return [
        [cutOut(0, 0, 50, arrow([1, 2], place)), "an arrow up: a marker that lands on the dot goes on to the tip"],
        [cutOut(0, 0, 50, arrow([2, 1], place)), "an arrow down: a marker that lands on the dot goes back to the tip"],
        [cutOut(0, 0, 50, marker(1, 0, 0, bots)), "the marker of a seat"],
        [cutOut(0, 0, 50, die(5, 0, 0, 1)), "the last throw, in the colour of the seat"],
        [cutOut(0, 0, 56, aim(1, 0, 0)), "the square to which the last throw leads"],
        [cutOut(0, 0, 50, way(1, [place(1), place(2)])), "the way of the last throw"],
        [cutOut(0, 0, 56, draw("rect", { x: -48, y: -48, width: 96, height: 96, rx: 8, class: "square goal" })), "the last square"],
      ];
    },
    draw(picture, { bots }) {
      const { middle, width, height } = layout(picture);
      const chart = draw("svg", { viewBox: `-6 -6 ${width + 12} ${height + 132}`, class: "squash", role: "group", "aria-label": "The board" });
      chart.append(draw("defs", {}, tip("up"), tip("down")));
      for (let square = 1; square <= picture.squares; square += 1) {
        const [x, y] = middle(square);
        const last = square === picture.squares ? " goal" : "";
        chart.append(draw("rect", { x: x - 48, y: y - 48, width: 96, height: 96, rx: 8, class: `square${last}` }));
      }
      if (picture.throw) chart.append(thrown(picture, middle, height));
      chart.append(...picture.arrows.map((each) => arrow(each, middle)));
      for (let square = 1; square <= picture.squares; square += 1) {
        const [x, y] = middle(square);
        chart.append(label(x - 40, y - 35, square, { class: "mark number", "text-anchor": "start" }));
      }
      chart.append(draw("rect", { x: 2, y: height + 16, width: width - 4, height: 96, rx: 8, class: "start" }), label(14, height + 34, "off the board", { class: "mark", "text-anchor": "start" }));
      if (picture.throw) {
        const [seat, value, square] = picture.throw;
        const [x, y] = middle(Math.min(square, picture.squares));
        chart.append(aim(seat, x, y), die(value, width - 52, height + 66, seat));
      }
      bots.forEach((_, place) => {
        const square = picture[`at ${place + 1}`];
        const [x, y] = square ? standing(square, picture, middle) : [170 + place * 66, height + 70];
        chart.append(marker(place + 1, x, y, bots));
      });
      return { chart, rest: cards(picture, bots) };
    },
    tell([word, seat, ...rest], { name, to }) {
      if (word === "hand") return `${name(to[0])} is dealt ${many(Number(seat), "Bounce")} and ${rest[0]} Squash`;
      if (word === "throw") return `${name(seat)} throws ${rest[0]}, which leads to square ${rest[1]}`;
      if (word === "at") return `${name(seat)} is on square ${rest[0]}`;
      if (word === "bounce") return `${name(seat)} bounces on ${name(rest[0])}`;
      if (word === "squash") return `${name(seat)} squashes ${name(rest[0])}`;
      if (word === "stay") return `${name(seat)} does not have the card and stays`;
      return "";
    },
  };
})();
