// Makes the first page work: it sorts tables and lists the matches. It is a plain script, because browsers
// load no modules from disk.
"use strict";

const make = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};

// -- tables ---------------------------------------------------------------------------------------

const keyOf = (row, column) => {
  const cell = row.cells[column];
  const key = cell.dataset.key ?? cell.textContent;
  return key !== "" && Number.isFinite(Number(key)) ? Number(key) : key.toLowerCase();
};

const compare = (one, other) => {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === typeof other) return one.localeCompare(other, "en", { numeric: true });
  return typeof one === "number" ? -1 : 1;
};

const sortBy = (table, column) => {
  const heads = [...table.tHead.rows[0].cells];
  const down = heads[column].getAttribute("aria-sort") === "ascending";
  heads.forEach((head, place) =>
    head.setAttribute("aria-sort", place !== column ? "none" : down ? "descending" : "ascending"));
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
  rows.sort(([one], [other]) => (down ? -1 : 1) * compare(one, other));
  body.append(...rows.map(([, row]) => row));
};

const sorts = (table) => {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = make("button", { type: "button", textContent: head.textContent });
    button.addEventListener("click", () => sortBy(table, column));
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
  });
};

document.querySelectorAll("table.sorts").forEach(sorts);

// -- the list of matches --------------------------------------------------------------------------

const PAGE = 50;

// matches.js calls this once: { bots: [name], until: { run: encounter }, rows: [[id, [bot], [rank], [score], [faulty seat]]] }.
// Of a run in `until`, the matches of later encounters have a replay only if they have a fault.
function matches({ bots, until, rows }) {
  const list = document.getElementById("list");
  const replays = list.dataset.replays === "yes";
  const bot = make("select", {}, make("option", { value: "", textContent: "any" }));
  bots.map((name, place) => [name, place]).sort().forEach(([name, place]) =>
    bot.append(make("option", { value: place, textContent: name })));
  const which = make("select", {},
    make("option", { value: "", textContent: "all" }), make("option", { value: "faulty", textContent: "with a fault" }));
  const id = make("input", { type: "search", size: 10, placeholder: "1.2.3.1", spellcheck: false });
  const body = make("tbody");
  const heads = ["Match", "Bots by seat: rank (score)", "Faults"].map((text) => make("th", { scope: "col", textContent: text }));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
  const back = make("button", { type: "button", textContent: "Previous" });
  const on = make("button", { type: "button", textContent: "Next" });
  const status = make("span", { role: "status" });
  let found = rows, page = 0;

  const seat = (row, place) => {
    const part = make("span", { className: "seat" + (row[4].includes(place + 1) ? " bad" : "") });
    part.append(make("b", { textContent: bots[row[1][place]] }), ` ${row[2][place]}. (${row[3][place]})`);
    return part;
  };
  const line = (row) => {
    const [run, encounter] = row[0].split(".");
    const told = replays && (row[4].length > 0 || !(run in until) || Number(encounter) <= until[run]);
    const name = told ? make("a", { href: `match.html#${row[0]}`, textContent: row[0] }) : row[0];
    const faults = row[4].map((place) => `seat ${place}`).join(", ");
    const link = faults && replays ? make("a", { href: `match.html#${row[0]}/fault`, textContent: faults }) : faults;
    return make("tr", {}, make("td", {}, name), make("td", {}, ...row[1].map((_, place) => seat(row, place))), make("td", {}, link));
  };
  const draw = () => {
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    page = Math.min(page, pages - 1);
    body.replaceChildren(...found.slice(page * PAGE, (page + 1) * PAGE).map(line));
    status.textContent = `${found.length} match${found.length === 1 ? "" : "es"}, page ${page + 1} of ${pages}`;
    back.disabled = page === 0;
    on.disabled = page === pages - 1;
  };
  const choose = () => {
    const chosen = bot.value === "" ? null : Number(bot.value);
    found = rows.filter((row) => (chosen === null || row[1].includes(chosen))
      && (which.value === "" || row[4].length > 0) && row[0].startsWith(id.value.trim()));
    page = 0;
    draw();
  };
  [bot, which, id].forEach((field) => field.addEventListener("input", choose));
  back.addEventListener("click", () => { page -= 1; draw(); });
  on.addEventListener("click", () => { page += 1; draw(); });
  list.replaceChildren(
    make("div", { className: "tools" },
      make("label", {}, "Bot", bot), make("label", {}, "Matches", which), make("label", {}, "Number", id)),
    make("div", { className: "scroll" }, table),
    make("div", { className: "pages" }, back, on, status));
  draw();
}
