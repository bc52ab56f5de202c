// Sorts tables by a click on a column, and remembers the order.
"use strict";

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

const sortBy = (table, column, down) => {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) =>
    head.setAttribute("aria-sort", place !== column ? "none" : down ? "descending" : "ascending"));
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [keyOf(row, column), row]);
  rows.sort(([one], [other]) => (down ? -1 : 1) * compare(one, other));
  body.append(...rows.map(([, row]) => row));
};

const sorts = (table, number) => {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = make("button", { type: "button", textContent: head.textContent });
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      sortBy(table, column, down);
      remember(`sort ${number}`, [column, down]);
    });
    head.replaceChildren(button);
    head.setAttribute("aria-sort", "none");
  });
  const [column, down] = memory[`sort ${number}`] ?? [];
  if (table.tHead.rows[0].cells[column]) sortBy(table, column, down);
};

document.querySelectorAll("table.sorts").forEach(sorts);
