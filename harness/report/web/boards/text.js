// Shows the position as text if the game has no drawing.
"use strict";

boards.text = {
  largest: 3,
  draw: (picture) => ({ rest: [make("pre", { text: picture.text ?? "The position appears with the first question." })] }),
};
