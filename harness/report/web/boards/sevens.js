// Draws Sevens: the table card by card, the hands, the points.
"use strict";

(() => {
  const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  const NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
  const SYMBOLS = [..."A23456789TJQK"];
  const isRed = (name) => "DH".includes(name[1]);

  const card = (name, look = "", ...more) => {
    const face = make("span", { class: `card${isRed(name) ? " red" : ""}${look}`, "data-key": name, role: "img", "aria-label": `${name[0]} of ${NAMES[name[1]]}${look ? `,${look}` : ""}` });
    face.append(`${name[0] === "T" ? "10" : name[0]}${SIGNS[name[1]]}\uFE0E`, ...more);
    return face;
  };

  const back = () => make("span", { class: "card back", role: "img", "aria-label": "a hidden card" });

  const laid = ([seat, name, value, points], last) => {
    const mark = points ? make("i", { class: points > 0 ? "up" : "down", text: signed(points) }) : make("i", { text: " " });
    const face = card(name, last ? " last" : "", make("small", { text: value }), mark);
    if (!seat) return face;
    face.style.setProperty("--own", colour(seat));
    face.append(make("b", { class: "layer", text: String(seat) }));
    face.ariaLabel += `, laid by seat ${seat}`;
    return face;
  };

  // Returns the kind of reward that a player gets for this total.
  const kindOf = (total) => {
    const divisible = total % 7 === 0, digit = String(total).includes("7");
    if (divisible && digit) return "both";
    return divisible ? "div" : digit ? "digit" : "";
  };
  const WORDS = { div: "divisible by 7", digit: "has a digit 7", both: "divisible by 7 and has a digit 7" };

  // Returns the cards of a hand that a player may play after the last card on the table.
  const legal = (hand, last) => {
    const other = hand.filter((name) => isRed(name) !== isRed(last));
    const same = hand.filter((name) => isRed(name) === isRed(last) && name[1] !== last[1]);
    return other.length ? other : same.length ? same : hand;
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
    return make("div", { class: "terms" }, make("table", {}, make("tbody", {}, head, ...rows)),
      make("p", { class: "quiet", text: `A total earns ${reward("div")} if it is divisible by 7, ${reward("digit")} if it has a digit 7, ${reward("both")} for both.` }));
  };

  const hand = (seat, picture, context) => {
    const known = picture[`hand ${seat}`], count = picture[`count ${seat}`];
    const last = picture[`card ${picture.cards - 1}`]?.[1];
    const may = known && last && context.moving === seat ? legal(known, last) : [];
    const points = `${many(known?.length ?? count, "card")}, ${picture[`points ${seat}`]} points`;
    return boxOf("hand", seat, context, points, () => [make("div", { class: "cards" }, ...(known ? known.map((name) => card(name, may.includes(name) ? " legal" : ""))
      : Array.from({ length: count }, back)))]);
  };

  boards.sevens = {
    beats: "card that earns",
    beat: (words) => words[0] === "played" && words.at(-1) !== "0",
    signs: () => [
      [make("div", { class: "felt" }, laid([1, "7H", 7, 5], false)), "a card on the table: its value in the total, the points that it earned, and the seat that laid it"],
      [make("div", { class: "felt" }, card("7H", " last")), "the last card on the table"],
      [card("7H", " legal"), "a card that the seat may play now"],
      [back(), "a card that this viewer does not know"],
    ],
    draw(picture, context) {
      const cards = Array.from({ length: picture.cards }, (_, place) => laid(picture[`card ${place}`], place === picture.cards - 1));
      const kind = picture.cards ? kindOf(picture.total) : "";
      const earned = kind ? make("span", { class: "earned", text: `${signed(picture[`reward ${kind}`] ?? 0)}: ${WORDS[kind]}` }) : "";
      return { rest: [
        make("div", { class: "felt" },
          make("p", { class: "total" }, make("b", { text: picture.total, class: kind ? "earns" : "" }), ` is the total of ${many(picture.cards, "card")} `, earned),
          make("div", { class: "cards" }, ...cards)),
        make("div", { class: "hands" }, ...context.bots.map((_, place) => hand(place + 1, picture, context))),
        terms(picture)] };
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
