// Owns the board of a game that has no drawing: its position as text.
"use strict";

boards.text = {
  draw(root, picture) {
    root.append(make("pre", { text: picture.text ?? "Positions are shown from the first question on." }));
  },
};
