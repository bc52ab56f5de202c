// Draws lines in a bracket, from each bot that went on to its table in a later round.
"use strict";

const drawLines = (bracket) => {
  bracket.querySelector("svg.lines")?.remove();
  const origin = bracket.getBoundingClientRect(), rounds = [...bracket.children];
  const at = ({ left, top, width, height }, across) => [left - origin.left + bracket.scrollLeft + across * width, top - origin.top + height / 2];
  const paths = rounds.flatMap((round, number) => [...round.querySelectorAll("li.on")].flatMap((bot) => {
    const later = rounds.slice(number + 1).map((other) => [...other.querySelectorAll("li")].find((each) => each.dataset.bot === bot.dataset.bot)).find(Boolean);
    if (!later) return [];
    const [x, y] = at(bot.parentElement.getBoundingClientRect(), 1), [toX, toY] = at(later.parentElement.getBoundingClientRect(), 0);
    const middle = toX - 10;
    return [`M${x} ${y}H${middle}V${toY}H${toX}`];
  }));
  const chart = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS(chart.namespaceURI, "path");
  chart.setAttribute("class", "lines");
  chart.setAttribute("width", bracket.scrollWidth);
  chart.setAttribute("height", bracket.scrollHeight);
  chart.setAttribute("aria-hidden", "true");
  path.setAttribute("d", paths.join(""));
  chart.append(path);
  bracket.append(chart);
};

document.querySelectorAll(".bracket[data-lines]").forEach((bracket) => {
  new ResizeObserver(() => drawLines(bracket)).observe(bracket.firstElementChild);
});
