// Shows the position of a game without a drawing, as text.
"use strict";

boards.text = {
  draw(root, picture) {
    root.append(make("pre", { text: picture.text ?? "The position appears with the first question." }));
  },
};
