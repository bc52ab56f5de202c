// Shows the position as text if the game has no drawing.
"use strict";

boards.text = {
  draw(root, picture) {
    root.append(make("pre", { text: picture.text ?? "The position appears with the first question." }));
  },
};
