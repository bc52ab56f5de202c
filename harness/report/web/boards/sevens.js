// Draws Sevens: the table card by card, the hands, the points.
"use strict";

(() => {
  const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  const NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
  const SYMBOLS = [..."A23456789TJQK"];

  const card = (name, ...more) => {
    const red = "DH".includes(name[1]) ? " red" : "";
    const face = make("span", { class: `card${red}`, role: "img", "aria-label": `${name[0]} of ${NAMES[name[1]]}` });
    face.append(`${name[0] === "T" ? "10" : name[0]}${SIGNS[name[1]]}\uFE0E`, ...more);
    return face;
  };

  const laid = ([seat, name, value, points], last) => {
    const mark = points ? make("i", { class: points > 0 ? "up" : "down", text: signed(points) }) : make("i", { text: " " });
    const face = card(name, make("small", { text: value }), mark);
    if (seat) face.style.setProperty("--own", colour(seat));
    if (last) face.classList.add("last");
    return face;
  };

  const terms = (picture) => {
    const head = make("tr", {}, make("th", { scope: "row", text: "Card" }), ...SYMBOLS.map((each) => make("td", { text: each === "T" ? "10" : each })));
    const rows = [0, 1].map((place) => {
      const values = SYMBOLS.map((each) => {
        const pair = picture[`value ${each}`] ?? ["", ""];
        return make("td", { text: place && pair[0] === pair[1] ? "" : pair[place] });
      });
      return make("tr", {}, make("th", { scope: "row", text: place ? "or" : "value" }), ...values);
    });
    const reward = (kind) => signed(picture[`reward ${kind}`] ?? 0);
    const rewards = `A total that is divisible by 7 earns ${reward("div")}, one with a digit 7 earns ${reward("digit")}, one with both earns ${reward("both")}.`;
    return make("details", { class: "terms" }, make("summary", { text: "Values of the cards and rewards for totals" }),
      make("div", { class: "scroll" }, make("table", {}, make("tbody", {}, head, ...rows))), make("p", { text: rewards }));
  };

  const hand = (seat, picture, bots) => {
    const known = picture[`hand ${seat}`];
    const count = picture[`count ${seat}`];
    const cards = known ? known.map((name) => card(name))
      : Array.from({ length: count }, () => make("span", { class: "card back", role: "img", "aria-label": "a hidden card" }));
    const row = make("div", { class: "hand" });
    row.append(make("p", {}, who(seat, bots), make("span", { class: "score", text: `${picture[`points ${seat}`]} points` })),
      make("div", { class: "cards" }, ...cards));
    return row;
  };

  boards.sevens = {
    draw(root, picture, { bots }) {
      const cards = Array.from({ length: picture.cards }, (_, place) => laid(picture[`card ${place}`], place === picture.cards - 1));
      root.append(
        make("div", { class: "felt" },
          make("p", { class: "total" }, make("b", { text: picture.total }), ` is the total of ${many(picture.cards, "card")}`),
          make("div", { class: "cards" }, ...cards)),
        make("div", { class: "hands" }, ...bots.map((_, place) => hand(place + 1, picture, bots))),
        terms(picture));
    },
    tell([word, ...rest], { name, to }) {
      if (word === "hand") return `${name(to[0])} is dealt ${rest.join(" ")}`;
      if (word === "played") {
        const [seat, what, value, points] = rest;
        return `${name(seat)} plays ${what} as ${value}${Number(points) ? `: ${signed(Number(points))}` : ""}`;
      }
      if (word === "table") return `${rest[0]} is dealt to the table with the value ${rest[1]}`;
      return "";
    },
  };
})();
