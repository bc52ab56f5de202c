// Shows the branches of a match. A branch is another way in which the match goes on from one of its questions. At the
// step where branches leave the match, links lead into them. In a branch, a link leads back to this step of the match.
"use strict";

/** The branches of each match that has some.
 * @type {Record<string, Branch[]>} */
let forks = {};

// Returns the id of the match from which a branch leaves, or the id of a match itself.
/** @param {string} id */
const trunkOf = (id) => id.split("~")[0];
/** @param {string} id */
const branchNumber = (id) => id.split("~")[1] ?? "";

// Returns each branch with its line in what is shown: all branches of a match, or only the shown branch.
/** @param {string} id @returns {[line: number, branch: Branch][]} */
const leaving = (id) => {
  const all = forks[trunkOf(id)] ?? [];
  return branchNumber(id) ? all.filter((each) => each.id === id).map((each) => [each.at, each]) : all.map((each) => [each.line, each]);
};

/** @param {string} id @param {number} line @param {number} viewer */
const stepOf = (id, line, viewer) => `#${id}/${line}${viewer ? `/${viewer}` : ""}`;
/** @param {Branch} branch */
const scoresOf = (branch) => branch.scores.join(" : ");

/** @param {Branch} branch @param {number} viewer */
const wayInto = (branch, viewer) => make("a", { href: stepOf(branch.id, branch.at, viewer), title: `Instead of “${branch.said}”. ${branch.how}` },
  make("code", { text: branch.move }), ` → ${scoresOf(branch)}`);

// Fills the row of branches. `isHere` says whether a line of the log belongs to the current step.
/** @param {HTMLElement} root @param {Match} match @param {number} viewer @param {(line: number) => boolean} isHere */
const drawBranches = (root, match, viewer, isHere) => {
  const all = leaving(match.id);
  root.hidden = all.length === 0;
  if (root.hidden) return;
  const here = all.filter(([line]) => isHere(line)).map(([, branch]) => branch), [[, first]] = all;
  if (branchNumber(match.id)) {
    patchChildren(root, [make("a", { href: stepOf(trunkOf(match.id), first.line, viewer), text: "← Back to the match" }),
      make("span", { text: `Question ${first.question}: ` }, make("code", { text: first.move }), " instead of ", make("code", { text: first.said }), `. ${first.how} A branch does not count.`)]);
  } else if (here.length) {
    patchChildren(root, [make("span", { text: "Branches from here:" }), ...here.map((branch) => wayInto(branch, viewer))]);
  } else {
    const questions = new Map(all.map(([line, branch]) => [branch.question, line]));
    patchChildren(root, [make("span", { text: "Branches leave at" }), ...[...questions].sort(([one], [other]) => one - other)
      .map(([question, line]) => make("a", { href: stepOf(match.id, line, viewer), text: `question ${question}` }))]);
  }
};
