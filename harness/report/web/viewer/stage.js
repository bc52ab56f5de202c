// Fits the drawing of a board and the cards beside the drawing into their part of the window, and scales both.
"use strict";

const LARGEST = 1.5, SMALLEST = 0.2, LESS = 0.94, GAP = 10, EMPTY = 0.6;
// Below this scale, a long line of text makes the scale no smaller. The reader can scroll the line instead.
const READABLE = 0.85;

const largest = () => board.largest ?? LARGEST;

const stageOf = (section) => {
  const fit = make("div", { class: "fit" }), box = make("div", { class: "fitbox" }, fit);
  let scale = LARGEST, size = "", laid = 0;

  // Returns the part of the available space that the cards need. If it is above 1, the cards are too large.
  const taken = () => {
    const width = box.clientWidth / scale;
    if (laid !== width) {
      laid = width;
      fit.style.width = `${width}px`;
      fit.style.transform = `scale(${scale})`;
      fit.dataset.scale = scale;
    }
    const wide = [fit, ...(scale > READABLE ? fit.querySelectorAll("pre") : [])]
      .map(({ scrollWidth, clientWidth }) => (scrollWidth > clientWidth + 1 ? scrollWidth / clientWidth : 0));
    return Math.max((fit.scrollHeight * scale - 0.5) / box.clientHeight, ...wide);
  };
  // Makes the scale smaller if the cards are too large. The scale grows again only if much space is empty, so
  // that the scale seldom changes.
  const adjust = (growing) => {
    let part = taken();
    if (growing && part < EMPTY && scale < largest()) {
      scale = Math.min(largest(), scale / EMPTY);
      part = taken();
    }
    while (part > 1 && scale > SMALLEST) {
      scale *= Math.max(0.7, Math.min(LESS, 1 / Math.sqrt(part)));
      part = taken();
    }
  };

  // Places the cards beside the drawing if the window is wide, and below the drawing otherwise.
  const arrange = (chart, rest) => {
    const [wide, high] = [section.clientWidth - 2 * GAP, section.clientHeight - 2 * GAP];
    if (!chart) return box.style.cssText = `left: ${GAP}px; top: ${GAP}px; width: ${wide}px; height: ${high}px`;
    const [, , width, height] = chart.getAttribute("viewBox").split(" ").map(Number);
    const ratio = width / height, across = rest && wide / high > ratio * 1.12;
    const room = rest ? (across ? Math.max(wide * 0.62, wide - high * 1.1) : Math.max(high * 0.5, Math.min(high * 0.72, wide / ratio))) : 0;
    const chartWide = Math.min(across ? room : wide, (across || !rest ? high : room) * ratio);
    const chartHigh = chartWide / ratio;
    const [left, top] = [GAP + (across || rest ? (across ? 0 : (wide - chartWide) / 2) : (wide - chartWide) / 2), GAP + (rest && !across ? 0 : (high - chartHigh) / 2)];
    chart.style.cssText = `left: ${left}px; top: ${top}px; width: ${chartWide}px; height: ${chartHigh}px`;
    box.style.cssText = across
      ? `left: ${2 * GAP + chartWide}px; top: ${GAP}px; width: ${wide - chartWide - GAP}px; height: ${high}px`
      : `left: ${GAP}px; top: ${2 * GAP + chartHigh}px; width: ${wide}px; height: ${high - chartHigh - GAP}px`;
    return "";
  };

  const put = (picture, context, growing) => {
    const { chart, rest } = board.draw(picture, context);
    fit.replaceChildren(...rest);
    section.replaceChildren(...(chart ? [chart] : []), ...(rest.length ? [box] : []));
    arrange(chart, rest.length);
    if (rest.length) adjust(growing);
  };

  return {
    // Chooses a scale that fits all these pictures, so that the scale does not change from step to step.
    measure(pictures, context) {
      scale = largest();
      size = `${section.clientWidth} ${section.clientHeight}`;
      pictures.forEach((picture) => put(picture, context));
    },
    show(picture, context, moving) {
      const before = moving ? placesIn(section) : new Map();
      put(picture, context, true);
      if (moving) slide(section, before);
    },
    resized: () => size !== `${section.clientWidth} ${section.clientHeight}`,
    section,
  };
};
