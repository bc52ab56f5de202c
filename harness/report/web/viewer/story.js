// Keeps the story: a list of all that has happened so far; a click on a line goes to its step.
"use strict";

const storyOf = (root, goTo) => {
  let items = [], shown = 0;
  const scroll = (item) => { root.scrollTop = item.offsetTop - root.clientHeight + item.offsetHeight + 40; };
  return {
    // A new list: for a match, a viewer, or with the protocol.
    fill(match, frames, protocol) {
      items = frames.flatMap((frame, place) => {
        if (!protocol && isProtocol(frame, match)) return [];
        const button = make("button", { type: "button", text: told(frame, match, protocol) });
        button.addEventListener("click", () => goTo(frame.line));
        return [[place, make("li", { class: `is-${frame.record.is}`, hidden: true }, button)]];
      });
      shown = 0;
      root.replaceChildren(...items.map(([, item]) => item));
    },
    // Tells everything until this frame, and marks the frame.
    show(end, until) {
      const count = items.findLastIndex(([place]) => place <= until) + 1;
      for (let place = Math.min(shown, count); place < Math.max(shown, count); place += 1) items[place][1].hidden = place >= count;
      shown = count;
      root.querySelector("[aria-current]")?.removeAttribute("aria-current");
      const item = items.findLast(([place]) => place <= end)?.[1];
      if (!item) return;
      item.setAttribute("aria-current", "step");
      scroll(item);
    },
  };
};
