// Shows the position as text if the game has no drawing.
"use strict";

boards.text = {
  largest: 1.8,
  // A line that is too long scrolls, also with a keyboard.
  draw: (picture) => ({
    rest: [make("pre", { tabindex: 0, role: "group", "aria-label": "The position", text: picture.text ?? "The position appears with the first question." })],
  }),
};
