// Keeps the story, which is a list of all events so far. A click on a line of the story goes to the line's step.
"use strict";

// The keys for up and down move the focus among the buttons of a list. The Tab key reaches only one of these buttons.
const rove = (root) => {
  root.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = [...root.querySelectorAll("li:not([hidden]) button")], place = buttons.indexOf(event.target);
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, place + by))];
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
};

/** @param {HTMLElement} root @param {(line: number) => void} goTo */
const storyOf = (root, goTo) => {
  let items = [], shown = 0;
  const scroll = (item) => { root.scrollTop = item.offsetTop - root.clientHeight + item.offsetHeight + 40; };
  rove(root);
  return {
    // Makes a new list for another match or another viewer. With `protocol`, the list has protocol details too. The
    // moves of a game with `pairs` stand in two columns, one for each seat. The sentence of a moment stands after the
    // last line up to the frame of the moment. Columns have no room for these sentences.
    /** @param {Match} match @param {Frame[]} frames @param {boolean} protocol @param {[place: number, sentence: string][]} moments */
    fill(match, frames, protocol, moments) {
      const pairs = Boolean(board.pair) && !protocol;
      root.classList.toggle("pairs", pairs);
      items = frames.flatMap((frame, place) => {
        if (!protocol && isProtocol(frame, match)) return [];
        const move = pairs && frame.record.is === "event" ? board.pair(wordsOf(frame), frame.picture) : null;
        const button = make("button", { type: "button", text: move?.text ?? told(frame, match, protocol), tabindex: "-1" });
        button.addEventListener("click", () => goTo(frame.line));
        return [[place, make("li", { class: `is-${frame.record.is}${move ? ` pair${move.seat}` : ""}`, hidden: true }, button)]];
      });
      for (const [until, sentence] of pairs ? [] : moments) {
        const item = items.findLast(([place]) => place <= until)?.[1];
        item?.firstElementChild.append(`. ${sentence}`);
      }
      shown = 0;
      root.replaceChildren(...items.map(([, item]) => item));
    },
    // Shows the lines up to the frame `until`, and marks the line of the frame `end`.
    show(end, until) {
      const count = items.findLastIndex(([place]) => place <= until) + 1;
      for (let place = Math.min(shown, count); place < Math.max(shown, count); place += 1) items[place][1].hidden = place >= count;
      shown = count;
      const focused = root.contains(document.activeElement);
      root.querySelectorAll("[aria-current]").forEach((item) => item.removeAttribute("aria-current"));
      if (!focused) for (const button of root.querySelectorAll("[tabindex='0']")) /** @type {HTMLElement} */ (button).tabIndex = -1;
      const item = items.findLast(([place]) => place <= end)?.[1] ?? items[0]?.[1];
      if (!item) return;
      item.setAttribute("aria-current", "step");
      if (!focused) item.firstElementChild.tabIndex = 0;
      scroll(item);
    },
  };
};
