// A first bot: plays any game by choosing at random among the legal moves that the harness lists.
//
// To make it your own, change `choose`. The messages are explained in protocol.md.
"use strict";

const readline = require("readline");

// Random numbers that depend on the seed alone, the same in the starters of all languages.
class Dice {
  constructor(seed) {
    this.state = seed % 2147483647 || 1;
  }

  // A number from 0 to count - 1. The product stays below 2^53, so it is exact.
  below(count) {
    this.state = (this.state * 48271) % 2147483647;
    return this.state % count;
  }
}

// One of the legal moves. Here your own ideas begin.
function choose(moves, dice) {
  return moves[dice.below(moves.length)];
}

// A write to a pipe goes out at once in Node: there is nothing to flush.
function say(line) {
  process.stdout.write(line + "\n");
}

let dice = new Dice(1);
let moves = []; // the legal moves listed so far
let left = 0; // how many are still to come

// Node hands over one line after the other, so what is being read is kept in `moves` and `left`.
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.split(" ");
  if (left > 0) {
    moves.push(line.slice("move ".length));
    left -= 1;
  } else if (moves.length > 0) {
    // After the moves comes the question. Any of the moves is an answer to it as it stands.
    say(choose(moves, dice));
    moves = [];
  } else if (words[0] === "hello") {
    say("hello 1 legal"); // Version 1, and please list the legal moves with each question.
  } else if (words[0] === "new") {
    dice = new Dice(Number(words[4])); // new MATCH SEAT SEATS SEED
    say("ready");
  } else if (words[0] === "legal") {
    left = Number(words[2]); // legal all COUNT, then as many lines "move ...", then the question
  } else if (words[0] === "bye") {
    process.exit(0);
  } // All other lines tell what happens in the game. This bot does not listen.
});
// At the end of the input nothing is left to wait for, and Node ends by itself.
