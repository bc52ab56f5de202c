// Shows the position as text if the game has no drawing, and tells the lines of games from other libraries.
"use strict";

boards.text = {
  largest: 1.8,
  // Each answer is a step, because the lines of such a game may not tell what was played.
  answers: true,
  // A line that is too long scrolls, also with a keyboard.
  draw: (picture) => ({
    rest: [make("pre", { tabindex: 0, role: "group", "aria-label": "The position", text: picture.text ?? "The position appears with the first question." })],
  }),
  // The number of an action says nothing to a reader, if it has a name: "act 479 479 - 13/8 6/5".
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
