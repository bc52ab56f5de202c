// Shares the current step: copies a link to the step, saves a picture of the board, and prepares a match for paper.
"use strict";

page.copy.addEventListener("click", async () => {
  clearTimeout(naming);
  history.replaceState(null, "", addressNow());
  try {
    await navigator.clipboard.writeText(location.href);
    page.done.textContent = `The link is copied.${location.protocol === "file:" ? " It leads to a file on this machine." : ""}`;
  } catch {
    page.done.textContent = `The link was not copied. Copy it from here: ${location.href}`;
  }
});

// Returns a copy of an element that looks the same without the style sheets of the page.
const styled = (element) => {
  const copy = element.cloneNode(true);
  const [from, to] = [[element, ...element.querySelectorAll("*")], [copy, ...copy.querySelectorAll("*")]];
  from.forEach((part, place) => {
    const style = getComputedStyle(part);
    to[place].style.cssText = [...style].map((name) => `${name}:${style.getPropertyValue(name)}`).join(";");
  });
  return copy;
};

page.picture.addEventListener("click", async () => {
  const { clientWidth: width, clientHeight: height } = page.board;
  const frame = draw("svg", { xmlns: "http://www.w3.org/2000/svg", width: 2 * width, height: 2 * height, viewBox: `0 0 ${width} ${height}` });
  const inside = draw("foreignObject", { width, height });
  inside.append(styled(page.board));
  frame.append(inside);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(frame))}`;
  await image.decode();
  const canvas = make("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  const name = `match-${match.id}-line-${allFrames[stops[at]].line}.png`;
  make("a", { href: canvas.toDataURL("image/png"), download: name }).click();
  page.done.textContent = `Saved as ${name}.`;
});

// Paper has room for the hands that are folded on the screen. The style sheet prints the whole story.
addEventListener("beforeprint", () => { if (match) stage.unfold(true); });
addEventListener("afterprint", () => { if (match) { stage.unfold(false); go(at); } });
