// Draws Squadron Scramble: deck and stack, each player's hand and squadrons.
"use strict";

(() => {
  const OUTLINE = {
    fighter: "M2 11h5l3-8h3l-1 8h10q6 0 8 3q-2 3-8 3h-10l1 8h-3l-3-8h-5l-2 3h-2v-12h2z",
    bomber: "M1 11h6l2-10h4v3h3v2h-3v5h12q7 0 9 3q-2 3-9 3h-12v5h3v2h-3v3h-4l-2-10h-6l-1 3h-2v-12h2z",
  };
  const TOPMOST = 12;
  const kindOf = (card, picture) => picture.kinds[card.split(".")[0]];

  // Draws cards of one type: an outline of the plane, the name of the type, and a mark for each of the three copies.
  const plane = (cards, picture) => {
    const kind = kindOf(cards[0], picture), type = cards[0].split(".")[0];
    const copies = cards.map((card) => card.split(".")[1]);
    const said = kind ? `${type}: ${kind[0]}, ${kind[1]}, ${copies.length} of 3` : `${type}: wild`;
    const tag = make("span", { class: `plane ${kind ? kind.join(" ") : "wild"}`, role: "img", title: said, "aria-label": said, "data-key": cards.at(-1) });
    if (kind) tag.append(draw("svg", { viewBox: "0 0 36 28", class: "outline", "aria-hidden": "true" }, draw("path", { d: OUTLINE[kind[0]] })));
    const pips = [1, 2, 3].map((copy) => make("i", { class: copies.includes(String(copy)) ? "here" : "" }));
    tag.append(make("b", { text: type }), kind ? make("small", { class: "copies" }, ...pips) : make("small", { text: "wild" }));
    return tag;
  };

  const grouped = (cards, picture) => {
    const types = new Map();
    for (const card of cards) {
      const type = card.split(".")[0];
      types.set(type, [...(types.get(type) ?? []), card]);
    }
    return [...types.values()].map((each) => plane(each, picture));
  };

  // Draws the stack, the top card first. The cards below the first TOPMOST cards are grouped by type.
  const stacked = (stack, picture) => {
    const top = stack.slice(0, TOPMOST), rest = stack.slice(TOPMOST);
    return [...top.map((card) => plane([card], picture)), ...(rest.length ? [make("small", { text: `below: ${many(rest.length, "card")}` }), ...grouped(rest, picture)] : [])];
  };

  const squadron = ([captured, ...cards], picture) => make("span", { class: `squadron${captured ? " captured" : ""}` }, ...grouped(cards, picture),
    make("small", { text: `${kindOf(cards[0], picture)[0] === "bomber" ? 30 : 15}${captured ? ", captured" : ""}` }));

  const player = (seat, picture, context) => {
    const hand = picture[`hand ${seat}`], count = picture[`count ${seat}`], seen = picture[`seen ${seat}`], scored = picture[`scored ${seat}`];
    const brought = picture.ended && scored !== null ? ` (${signed(scored)})` : "";
    const points = `${many(count, "card")}, ${many(picture[`total ${seat}`], "point")}${brought}`;
    if (picture[`out ${seat}`]) return boxOf("player", seat, context, points, () => [make("p", { class: "bad", text: "out of the war" })]);
    const known = hand ?? seen, hidden = count - known.length;
    const backs = hidden ? [make("span", { class: "plane back", role: "img", "aria-label": many(hidden, "hidden card") }, make("b", { text: `${hidden} ?` }))] : [];
    const box = boxOf("player", seat, context, points, () => [make("div", { class: "cards" }, ...grouped(known, picture), ...backs)]);
    // The squadrons on the table are open to everybody, so they never fold.
    const table = picture[`table ${seat}`];
    if (table.length) box.append(make("div", { class: "laid" }, ...table.map((each) => squadron(each, picture))));
    return box;
  };

  const ENDS = { hand: "a hand is empty", cards: "deck and stack are empty", turns: "the limit of turns is reached" };
  const kinds = (picture) => [["P39.1", "fighter, allies"], ["FW190.1", "fighter, axis"], ["B17.1", "bomber, allies"], ["He111.1", "bomber, axis"]]
    .map(([card, words]) => [plane([card], picture), words]);
  const legend = (picture) => kinds(picture).flatMap(([card, words]) => [card, ` ${words} `]);

  boards.squadron = {
    beats: "turn",
    beat: ([word]) => ["took", "battle", "ended"].includes(word),
    dull: ([word, , what]) => word === "deck" || (word === "took" && what === "deck"),
    signs: ({ opening }) => [
      ...kinds(opening),
      [plane(["K1"], opening), "a wild card"],
      [plane(["P39.1", "P39.3"], opening), "two cards of one type: the dots say which of its three copies"],
      [squadron([true, "B17.1", "B17.2", "B17.3"], opening), "a squadron with its points; its orange edges say that it was captured"],
    ],
    draw(picture, context) {
      const over = picture.ended ? `, over: ${ENDS[picture.ended]}` : "";
      return { rest: [
        make("div", { class: "felt" },
          make("p", { class: "total" }, make("b", { text: `Battle ${picture.battle}` }), `${many(picture.deck, "card")} in the deck, ${many(picture.stack.length, "card")} on the stack, the top first${over}`),
          make("div", { class: "cards stack" }, ...stacked(picture.stack, picture))),
        make("div", { class: "players" }, ...context.bots.map((_, place) => player(place + 1, picture, context))),
        make("p", { class: "legend quiet" }, ...legend(picture))] };
    },
    tell([word, seat, ...rest], { name, to }) {
      if (word === "hand") return `${name(to[0])} is dealt ${[seat, ...rest].join(" ")}`;
      if (word === "deck") return `The deck has ${many(Number(seat), "card")}`;
      if (word === "stack") return `The stack begins with ${seat}`;
      if (word === "took") return rest[0] === "deck" ? `${name(seat)} takes a card from the deck` : `${name(seat)} takes ${many(Number(rest[1]), "card")} from the stack`;
      if (word === "drew") return `${name(to[0])} draws ${seat}`;
      if (word === "laid") return `${name(seat)} lays ${rest.join(", ")}`;
      if (word === "captured") return `${name(seat)} shoots down ${rest.slice(1).join(", ")} of ${name(rest[0])}`;
      if (word === "returned") return `${name(seat)} returns ${rest[0]} to the stack`;
      if (word === "battle") return `Battle ${seat} begins; ${name(rest[0])} plays first`;
      if (word === "ended") return `Battle ${seat} is over: ${ENDS[rest[0]]}`;
      if (word === "scored") return `${name(seat)} scores ${signed(Number(rest[0]))}, ${rest[1]} in total`;
      if (word === "undone") return `The turn of ${name(seat)} is undone`;
      if (word === "out") return `${name(seat)} is out of the war`;
      return "";
    },
  };
})();
