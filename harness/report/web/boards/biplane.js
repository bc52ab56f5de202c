// Draws Biplane: tracks and loops, planes and shots on them, the cards that the viewer knows.
"use strict";

(() => {
  const ROWS = "ABCDEFG", X = 90, Y = 84, LEFT = 46, TOP = 30;
  const WIDTH = LEFT + 12 * X + 14, HEIGHT = TOP + 7 * Y + 40;
  const LOST_BY = { shot: "a shot", crash: "a crash", ground: "the ground", tree: "the tree" };
  const TURN = { R: 0, D: 90, L: 180, U: 270 };
  const KINDS = { A: "straight", C: "straight", E: "CW", G: "CCW" };

  /** @param {number} row @param {number} column @returns {[x: number, y: number]} */
  const middle = (row, column) => [LEFT + (column - 0.5) * X, TOP + (6.5 - row) * Y];
  const spot = (place) => middle(ROWS.indexOf(place[0]), Number(/\d+/.exec(place)[0]));
  const facing = (place) => /[RLUD]/.exec(place.slice(1))[0];

  // Returns the action of a card with this label.
  const does = (card) => {
    const row = card[0], number = Number(/\d+/.exec(card)[0]);
    if (card.startsWith("S") || (card.startsWith("B") && !["B4U", "B10U"].includes(card))) return "shoot";
    if (card.endsWith("U")) return "repeat";
    if (KINDS[row] !== "straight") return `${number > 6 ? 180 : 90} ${KINDS[row]}`;
    return `straight ${row === "A" ? (number > 6 ? 2 : 1) : number > 6 ? 3 : 2}`;
  };

  const field = () => {
    const group = draw("g", { "aria-hidden": "true" });
    const edge = [LEFT, WIDTH - 14];
    for (let row = 0; row < 7; row += 2) {
      const y = middle(row, 1)[1];
      group.append(draw("line", { x1: edge[0], y1: y, x2: edge[1], y2: y, class: "track" }));
    }
    for (let column = 2; column <= 12; column += 2) {
      const x = middle(0, column)[0];
      group.append(draw("line", { x1: x, y1: middle(6, 1)[1], x2: x, y2: middle(0, 1)[1], class: "track" }));
    }
    for (let row = 1; row < 7; row += 2) {
      for (let column = 1; column <= 13; column += 2) {
        const [cx, cy] = middle(row, column);
        group.append(draw("ellipse", { cx, cy, rx: X, ry: Y, class: "loop" }));
      }
    }
    return group;
  };

  const spaces = () => {
    const group = draw("g", { "aria-hidden": "true" });
    for (let row = 0; row < 7; row += 1) {
      group.append(label(18, middle(row, 1)[1], ROWS[row], { class: "mark" }));
      for (let column = 1; column <= 12; column += 1) {
        if (row % 2 && column % 2) continue;
        const [cx, cy] = middle(row, column);
        group.append(draw("circle", { cx, cy, r: 5, class: "space" }));
      }
    }
    for (let column = 1; column <= 12; column += 1) group.append(label(middle(0, column)[0], HEIGHT - 19, column, { class: "mark" }));
    return group;
  };

  // Draws a flight from space to space. At the edge of the board, the line ends and continues on the other side.
  const flight = (seat, places, look) => {
    const points = places.map(spot);
    const path = points.map(([x, y], step) => {
      const far = step && Math.abs(x - points[step - 1][0]) > 6 * X;
      return `${!step || far ? "M" : "L"}${x} ${y}`;
    }).join("");
    return draw("path", { d: path, class: look, style: `--own: ${colour(seat)}` });
  };

  const where = (place) => `${place.slice(0, -1)} facing ${{ R: "right", L: "left", U: "up", D: "down" }[place.at(-1)]}`;

  // Returns the end of a sentence about a shot: what happened to the shot immediately after a plane fired it.
  const aimed = ([to, struck], from, name) => {
    if (struck) return ` and hits the plane of ${name(struck)} at once`;
    if (to) return `; the shot flies to ${to.slice(0, -1)}`;
    return `; the shot ${"RL".includes(facing(from)) ? "hits the tree" : "leaves the board"} at once`;
  };

  // Returns ". " and a sentence about the shots that have just flown; "" if no shot has flown.
  const flew = (shots, name) => {
    const all = shots.map(([seat, card, , end]) => `${card} of ${name(seat)} ${end ? `flies to ${end.slice(0, -1)}` : "is gone"}`);
    return all.length ? `. Shots: ${all.join(", ")}` : "";
  };

  // Returns the sentence for the last lost plane: whose plane it was, what destroyed it, whose shot or plane that was, where,
  // with which card, and how many planes the seat has lost.
  /** @param {Picture} picture @param {(seat: number) => string} name */
  const lostBy = ({ crash: [seat, place, why, flies, causes], turn, ...picture }, name) => {
    const loser = name(seat), space = place.slice(0, -1), has = `(${loser} has lost ${picture[`lost ${seat}`]})`;
    const shots = causes.map(([by, fired, card]) => `${flies && by === seat ? `its own shot ${card}` : `the shot ${card} of ${name(by)}`} from ${fired === turn ? "this turn" : `turn ${fired}`}`).join(" and ");
    if (why === "shot" && !flies) return `${shots.replace("the", "The")} hits the plane of ${loser} on ${space} ${has}`;
    if (why === "crash" && !flies) return `On ${space}, ${loser} loses its plane too: ${name(causes[0][0])} flew into it ${has}`;
    return `On ${space}, ${loser} flies with ${picture[`out ${seat}`]} into ${{ shot: shots, crash: `the plane of ${name(causes[0]?.[0])}` }[why] ?? `the ${why}`} ${has}`;
  };

  // Draws the burst where the plane of a seat was lost.
  const burst = (seat, [x, y], fields = {}) => {
    const star = Array.from({ length: 16 }, (_, point) => {
      const r = point % 2 ? 16 : 38, turn = (point * Math.PI) / 8;
      return `${point ? "L" : "M"}${(x + r * Math.cos(turn)).toFixed(1)} ${(y + r * Math.sin(turn)).toFixed(1)}`;
    }).join("");
    return draw("g", { ...fields, style: `--own: ${colour(seat)}` }, draw("path", { d: `${star}z`, class: "crash" }), label(x, y, seat, { class: "seat-number small" }));
  };
  const crash = (picture, bots) => burst(picture.crash[0], spot(picture.crash[1]), { role: "img", "aria-label": lostBy(picture, (each) => bots[each - 1]) });

  // Draws the frame around a plane: a circle, or a square for the second side of an alliance.
  const frame = (side, x, y, r, look) => (side === "B" ? draw("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: r / 6, ...look }) : draw("circle", { cx: x, cy: y, r, ...look }));

  // Draws a biplane from the side. Its nose points in the direction of flight.
  const plane = (seat, place, { bots, sides }) => {
    const [x, y] = spot(place), way = facing(place), side = sideOf({ bots, sides }, seat);
    const group = draw("g", { role: "img", class: side && `side-${side}`, "aria-label": `${bots[seat - 1]}${side && `, side ${side},`} on ${place.slice(0, -1)}, facing ${way}`, style: `--own: ${colour(seat)}`, transform: `translate(${x} ${y})` });
    const keyed = draw("g", { "data-key": `plane ${seat}` }, group);
    const flip = way === "L" ? "scale(-1 1)" : `rotate(${TURN[way]})`;
    group.append(frame(side, 0, 0, side === "B" ? 31 : 33, { class: "halo" }),
      draw("path", { transform: flip, class: "craft", d: "M-27 -11l5 0 5 8 9-1 0-11-6 0 0-4 26 0 0 4-7 0 0 11 13 1q7 3 7 6t-9 6l-11 1 0 6 6 0 0 4-24 0 0-4 6 0 0-7-15-3-7-7z" }),
      draw("line", { transform: flip, x1: 26, y1: -10, x2: 26, y2: 16, class: "craft" }),
      draw("g", { class: "badge" }, draw("circle", { r: 12, class: "tag" }), label(0, 0, seat, { class: "seat-number small" })));
    return keyed;
  };

  // Returns how far each shot is moved away from the middle of its space. Shots on one space must not cover each other.
  /** @param {string[]} shots @returns {number[]} */
  const asides = (shots) => shots.map((shot, place) => {
    const same = (other) => other.slice(0, -2) === shot.slice(0, -2), all = shots.filter(same).length;
    return (shots.slice(0, place).filter(same).length - (all - 1) / 2) * Math.min(40, 84 / all);
  });

  // Draws a shot with the number of the seat that fired it. Orange shots are hollow.
  const shot = (text, owner, aside = 0) => {
    const [x, y] = spot(text).map((at) => at + aside), orange = text.endsWith("O");
    const group = draw("g", { role: "img", "aria-label": `${orange ? "an orange" : "a yellow"} shot of seat ${owner} on ${text.slice(0, -2)}`, transform: `translate(${x} ${y})`, style: `--own: ${colour(owner)}` });
    group.append(draw("path", { class: `shot ${orange ? "orange" : "yellow"}`, transform: `rotate(${TURN[text.at(-2)]})`, d: "M25 0L-9 -15L-2 0L-9 15z" }),
      draw("g", { class: "badge shot-badge" }, draw("circle", { r: 9, class: "tag" }), label(0, 0, owner, { class: "seat-number tiny" })));
    return group;
  };

  const tree = () => {
    const [x, y] = middle(0, 7);
    return draw("path", { role: "img", "aria-label": "the tree", class: "tree", d: `M${x} ${y - 40}l26 34-14 0 18 24-60 0 18-24-14 0z M${x - 5} ${y + 18}h10v16h-10z` });
  };

  const card = (name, look = "") => make("span", { class: `label ${look}`, title: does(name) }, make("b", { text: name }), make("small", { text: does(name) }));
  const back = () => make("span", { class: "label back", role: "img", "aria-label": "a hidden temporary card" });

  const pilot = (seat, picture, context) => {
    const get = (word) => picture[`${word} ${seat}`];
    const lost = get("why") ? `, now by ${LOST_BY[get("why")]}` : "";
    const own = get("permanent");
    const tabled = [get("out"), get("next")];
    const cards = make("div", { class: "cards" });
    if (own) cards.append(...own.map((name) => card(name, tabled.includes(name) ? "away" : "")), ...get("temporary").map((name) => card(name, "temporary")));
    else cards.append(...get("seen").map((name) => card(name, tabled.includes(name) ? "away" : "")), ...Array.from({ length: get("drawn") }, back));
    const out = get("out") ? `${get("out")}, ${does(get("out"))}` : "nothing";
    const next = get("next") ? `${get("next")}, ${does(get("next"))}` : get("placed") ? "face down" : "nothing";
    const plans = make("p", { class: "quiet", text: `Face up: ${out}. Next: ${next}${get("placed") && get("placed") !== "permanent" ? ` (${get("placed")})` : ""}.` });
    return boxOf("player", seat, { ...context, moving: picture.on }, `${many(get("lost"), "plane")} lost${lost}`, () => [cards, plans]);
  };

  boards.biplane = {
    beats: "turn",
    beat: ([word]) => word === "turn",
    dull: ([word, , drawn]) => ["shots", "placed"].includes(word) || (word === "drew" && !drawn),
    signs: ({ opening, bots, sides }) => {
      const sign = (part) => cutOut(...spot("E5R"), 50, part), allied = sides.length < bots.length;
      return [
        [sign(plane(1, "E5R", { bots, sides })), `a plane, and the number of its seat${allied ? "; the frame shows the side" : ""}`],
        [sign(shot("E5RY", 1)), "a shot, and the number of the seat that fired it"],
        [sign(shot("E5RO", 1)), "a shot that has flown over the edge between the columns 12 and 1; the next time it is gone"],
        [sign(flight(1, ["E4R", "E6R"], "flight")), "the flight of a plane in this turn"],
        [sign(flight(1, ["E4R", "E6R"], "flown")), "the flight of a shot just now"],
        [sign(burst(1, spot("E5R"))), "a plane was lost here in this turn"],
        ...(opening.tree ? [[cutOut(...middle(0, 7), 50, tree()), "the tree: a plane that enters its space is lost"]] : []),
        [card("C4"), "a permanent card in the hand: its name, and what the plane does; CW is clockwise, CCW counter-clockwise"],
        [card("C4", "away"), "a permanent card that lies on the table"],
        [card("C4", "temporary"), "a temporary card, which is discarded after its use"],
        [back(), "a temporary card that this viewer does not know"],
      ];
    },
    draw(picture, context) {
      const { bots } = context;
      const clip = draw("clipPath", { id: "inside" }, draw("rect", { x: LEFT, y: 0, width: 12 * X, height: HEIGHT }));
      const chart = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "sky", role: "group", "aria-label": "The sky" });
      const ground = draw("rect", { x: LEFT, y: TOP + 6.5 * Y + 34, width: 12 * X, height: 10, class: "ground" });
      const inside = draw("g", { "clip-path": "url(#inside)" });
      inside.append(field());
      chart.append(draw("defs", {}, clip), ground, inside, spaces());
      if (picture.tree) chart.append(tree());
      const [flier, ...places] = picture.flight;
      if (places.length > 1) chart.append(flight(flier, places, "flight"));
      chart.append(...picture.flown.filter(([, , , end]) => end).map(([owner, , from, end]) => flight(owner, [from, end], "flown")));
      const apart = asides(picture.shots);
      chart.append(...picture.shots.map((each, place) => shot(each, picture.owners[place], apart[place])));
      if (picture.crash) chart.append(crash(picture, bots));
      bots.forEach((_, place) => {
        if (picture[`plane ${place + 1}`]) chart.append(plane(place + 1, picture[`plane ${place + 1}`], context));
      });
      const phase = picture.turn ? `Turn ${picture.turn}` : "Set-up";
      return { chart, rest: [make("div", { class: "players" }, ...context.sides.flat().map((seat) => pilot(seat, picture, context))),
        make("p", { class: "quiet", text: `${phase}. ${many(picture.deck, "card")} in the deck, ${picture.discards.length} discarded. The deck has run out ${many(picture.passes, "time")}${picture.passes === bots.length ? ", so the match is over" : `; after ${bots.length} times the match ends`}.` })] };
    },
    tell([word, seat, ...rest], { name, to, picture, seats }) {
      if (word === "hand") return `${name(to[0])} is dealt ${[seat, ...rest].join(" ")}`;
      if (word === "deck") return `The deck has ${many(Number(seat), "card")}`;
      if (word === "shown") return `${name(seat)} shows ${rest.join(" ")}`;
      if (word === "turn") return `Turn ${seat}: ${name(rest[0])}${flew(picture.flown, name)}`;
      if (word === "revealed") return `${name(seat)} reveals ${rest[0]}, ${does(rest[0])}`;
      if (word === "moved") return `${name(seat)} flies to ${where(rest[0])}`;
      if (word === "turned") return `${name(seat)} turns down at the top`;
      if (word === "plane") return `${name(seat)} is on ${where(rest[0])}${flew(picture.flown, name)}`;
      if (word === "fired") return `${name(seat)} shoots with ${rest[0]} from ${where(picture[`plane ${seat}`])}${aimed(picture.aim, picture[`plane ${seat}`], name)}`;
      if (word === "lost") return lostBy(picture, name);
      if (word === "respawn") return `${rest[0]} is drawn for the plane of ${name(seat)}`;
      if (word === "drew") return rest[0] ? `${name(seat)} draws ${rest[0]}, ${does(rest[0])}` : `${name(seat)} draws a card`;
      if (word === "discarded") return `${name(seat)} discards ${rest.join(", ")}`;
      if (word === "placed") return `${name(seat)} places its next card from the ${rest[0]} hand`;
      if (word === "shots") return rest.length || seat ? `Shots: ${[seat, ...rest].map((each) => each.slice(0, -2)).join(", ")}` : "No shots are left";
      if (word === "pass" && Number(seat) === seats) return `The deck has run out ${seats} times, once for each player, so the match is over`;
      if (word === "pass") return `The deck has run out (time ${seat} of ${seats}); the new one has ${many(Number(rest[0]), "card")}`;
      return "";
    },
  };
})();
