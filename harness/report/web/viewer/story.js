// Keeps the story, which is a list of all events so far. A click on a line of the story goes to the line's step.
"use strict";

const storyOf = (root, goTo) => {
  let items = [], shown = 0;
  const scroll = (item) => { root.scrollTop = item.offsetTop - root.clientHeight + item.offsetHeight + 40; };
  return {
    // Makes a new list for another match or another viewer. With `protocol`, the list has protocol details too.
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
    // Shows the lines up to the frame `until`, and marks the line of the frame `end`.
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
