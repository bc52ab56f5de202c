// Shows the position as text if the game has no drawing, and writes the lines of games from other libraries as
// sentences.
"use strict";

boards.text = {
  largest: 1.8,
  // Each answer is a step, because the events of such a game may not name the move.
  answers: true,
  // The reader can scroll a line that is too long, also with a keyboard.
  draw: (picture) => ({
    rest: [make("pre", { tabindex: 0, role: "group", "aria-label": "The position", text: picture.text ?? "The position appears with the first question." })],
  }),
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
