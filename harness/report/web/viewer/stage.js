// Lays out the drawing of a board and the cards beside the drawing. No text becomes too small to read: cards fold
// first, and then the reader scrolls.
"use strict";

const LARGEST = 1.5, LESS = 0.94, GAP = 8, EMPTY = 0.6;
// BESIDE is the width in pixels that cards need beside a drawing, unless the board gives another number. BELOW is the
// part of the height that cards need below a drawing.
const BESIDE = 250, BELOW = 0.3;

const largest = () => board.largest ?? LARGEST;

// Returns the width of a drawing beside its cards and above its cards.
const widthsOf = (ratio, wide, high) => [
  Math.min(high * ratio, wide - (board.beside ?? BESIDE) - GAP),
  Math.min(wide, (high * (1 - BELOW) - GAP) * ratio),
];

/** @param {HTMLElement} section */
const stageOf = (section) => {
  const fit = make("div", { class: "fit" }), box = make("div", { class: "fitbox", role: "group", "aria-label": "The cards" }, fit);
  const unfolded = new Set();
  let scale = LARGEST, size = "", laid = 0, placed = "", folded = false, drawn = null, shown = null;

  // Returns the part of the available space that the cards need. If it is above 1, the cards are too large.
  const taken = () => {
    const width = box.clientWidth / scale;
    if (laid !== width) {
      laid = width;
      fit.style.width = `${width}px`;
      fit.style.transform = `scale(${scale})`;
      fit.dataset.scale = scale;
    }
    const parts = [fit, ...fit.querySelectorAll(":scope > pre")].filter((part) => part.scrollWidth > part.clientWidth + 1);
    const wide = Math.max(0, ...parts.map((part) => part.scrollWidth / part.clientWidth));
    return Math.max((fit.scrollHeight * scale - 0.5) / box.clientHeight, wide);
  };
  // Makes the scale smaller if the cards are too large, but never smaller than 1, because the style sheets give each
  // text a size that can be read. The scale grows again only if much space is empty, so that it seldom changes.
  const adjust = (growing) => {
    let part = taken();
    if (growing && part < EMPTY && scale < largest()) {
      scale = Math.min(largest(), scale / EMPTY);
      part = taken();
    }
    while (part > 1 && scale > 1) {
      scale = Math.max(1, scale * Math.max(0.7, Math.min(LESS, 1 / Math.sqrt(part))));
      part = taken();
    }
    return part <= 1;
  };

  // Sets the place of a new drawing, and returns the place of the cards. The cards are beside the drawing or below it,
  // so that the drawing is as large as possible.
  const arrange = (chart, rest) => {
    const [wide, high] = [section.clientWidth - 2 * GAP, section.clientHeight - 2 * GAP];
    if (!chart) return `left: ${GAP}px; top: ${GAP}px; width: ${wide}px; height: ${high}px`;
    const [, , width, height] = chart.getAttribute("viewBox").split(" ").map(Number);
    const ratio = width / height, [beside, above] = widthsOf(ratio, wide, high), across = rest && beside > above;
    const chartWide = rest ? Math.max(beside, above) : Math.min(wide, high * ratio), chartHigh = chartWide / ratio;
    const left = GAP + (across ? 0 : (wide - chartWide) / 2), top = GAP + (rest ? 0 : (high - chartHigh) / 2);
    // --px is the number of units of the drawing in a pixel. The style sheet keeps texts readable with it.
    chart.style.cssText = `left: ${left}px; top: ${top}px; width: ${chartWide}px; height: ${chartHigh}px; --px: ${width / chartWide}`;
    chart.classList.toggle("small", width / chartWide > 1.2);
    return across
      ? `left: ${2 * GAP + chartWide}px; top: ${GAP}px; width: ${wide - chartWide - GAP}px; height: ${high}px`
      : `left: ${GAP}px; top: ${2 * GAP + chartHigh}px; width: ${wide}px; height: ${high - chartHigh - GAP}px`;
  };

  const put = (picture, context, growing) => {
    shown = [picture, context];
    const { chart, rest } = board.draw(picture, { ...context, folded, unfolded });
    // `arrange` asks for sizes, so it comes before the changes: after them, the browser would have to compute
    // the layout again.
    const place = arrange(chart, rest.length);
    if (place !== placed) box.style.cssText = placed = place;
    if (chart && drawn && section.contains(drawn)) patch(drawn, chart);
    else drawn = chart ?? null;
    patchChildren(fit, rest);
    if (rest.length !== 0 && !box.isConnected) section.append(box);
    if (rest.length === 0) box.remove();
    if (drawn && !drawn.isConnected) section.prepend(drawn);
    if (!drawn) section.querySelectorAll(":scope > svg").forEach((old) => old.remove());
    const fits = rest.length === 0 || adjust(growing);
    // A reader without a mouse scrolls the cards with the keyboard.
    box.toggleAttribute("tabindex", !fits);
    if (!fits) box.tabIndex = 0;
    return fits;
  };

  section.addEventListener("click", ({ target }) => {
    const key = /** @type {any} */ (target).closest("[data-fold]")?.dataset.fold;
    if (!key) return;
    if (!unfolded.delete(key)) unfolded.add(key);
    put(...shown);
  });

  return {
    // Chooses a scale that fits all these pictures, so that the scale does not change from step to step. Hands fold if
    // the pictures do not fit otherwise.
    measure(pictures, context) {
      size = `${section.clientWidth} ${section.clientHeight}`;
      for (const fold of [false, true]) {
        [scale, laid, folded] = [largest(), 0, fold];
        if (pictures.map((picture) => put(picture, context)).every(Boolean)) break;
      }
    },
    show(picture, context, moving) {
      const before = moving ? placesIn(section) : new Map();
      put(picture, context, true);
      if (moving) slide(section, before);
    },
    // Shows the position for paper, which has room for all cards.
    unfold(whole) {
      if (!shown) return;
      const was = folded;
      folded = folded && !whole;
      put(...shown);
      folded = was;
    },
    forget() { drawn?.remove(); drawn = null; },
    resized: () => size !== `${section.clientWidth} ${section.clientHeight}`,
    section,
  };
};
