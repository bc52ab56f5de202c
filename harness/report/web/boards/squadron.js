// Draws Squadron Scramble: deck and stack, each player's hand and squadrons.
"use strict";

(() => {
  const kindOf = (card, picture) => picture.kinds[card.split(".")[0]];

  const plane = (card, picture) => {
    const kind = kindOf(card, picture);
    const [type, copy] = card.split(".");
    const said = kind ? `${card}: ${kind[0]}, ${kind[1]}` : `${card}: wild`;
    return make("span", { class: `plane ${kind ? `${kind[0]} ${kind[1]}` : "wild"}`, role: "img", title: said, "aria-label": said },
      make("b", { text: type }), make("small", { text: kind ? copy : "wild" }));
  };

  const squadron = ([captured, ...cards], picture) => {
    const row = make("span", { class: `squadron${captured ? " captured" : ""}` }, ...cards.map((card) => plane(card, picture)));
    row.append(make("small", { text: `${kindOf(cards[0], picture)[0] === "bomber" ? 30 : 15}${captured ? ", captured" : ""}` }));
    return row;
  };

  const player = (seat, picture, bots) => {
    const hand = picture[`hand ${seat}`], count = picture[`count ${seat}`], seen = picture[`seen ${seat}`], scored = picture[`scored ${seat}`];
    const box = make("div", { class: `player${picture.turn === seat ? " on" : ""}`, style: `--own: ${colour(seat)}` });
    const brought = picture.ended && scored !== null ? ` (${signed(scored)})` : "";
    box.append(make("p", { class: "line" }, who(seat, bots), make("span", { class: "score", text: `${picture[`total ${seat}`]} points${brought}` })));
    if (picture[`out ${seat}`]) return box.append(make("p", { class: "bad", text: "out of the war" })), box;
    const known = hand ?? seen;
    const backs = Array.from({ length: count - known.length }, () => make("span", { class: "plane back", role: "img", "aria-label": "a hidden card" }));
    box.append(make("div", { class: "cards" }, ...known.map((card) => plane(card, picture)), ...backs));
    if (picture[`table ${seat}`].length) box.append(make("div", { class: "laid" }, ...picture[`table ${seat}`].map((each) => squadron(each, picture))));
    return box;
  };

  const ENDS = { hand: "a hand is empty", cards: "deck and stack are empty", turns: "the limit of turns is reached" };

  boards.squadron = {
    draw(root, picture, { bots }) {
      const over = picture.ended ? `, over: ${ENDS[picture.ended]}` : "";
      root.append(
        make("div", { class: "felt" },
          make("p", { class: "total" }, make("b", { text: `Battle ${picture.battle}` }), `${many(picture.deck, "card")} in the deck, ${many(picture.stack.length, "card")} on the stack${over}`),
          make("div", { class: "cards stack" }, ...picture.stack.map((card) => plane(card, picture)))),
        make("div", { class: "players" }, ...bots.map((_, place) => player(place + 1, picture, bots))),
        make("p", { class: "legend quiet" }, plane("P39.1", picture), " fighter, allies ", plane("FW190.1", picture), " fighter, axis ",
          plane("B17.1", picture), " bomber, allies ", plane("He111.1", picture), " bomber, axis"));
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
