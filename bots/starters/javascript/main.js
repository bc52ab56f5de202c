// A first bot: it plays any game. It picks one of the legal moves at random.
//
// To make it your own, change `choose`. The manual, protocol.md, explains the messages.
"use strict";

const readline = require("readline");

// Makes random numbers. The same seed gives the same numbers in the starters of all languages.
class Dice {
  constructor(seed) {
    this.state = seed % 2147483647 || 1;
  }

  // A random number from 0 to count - 1. The product stays below 2^53, so it is exact.
  below(count) {
    this.state = (this.state * 48271) % 2147483647;
    return this.state % count;
  }
}

// Picks one of the legal moves. Put your own ideas here.
function choose(moves, dice) {
  return moves[dice.below(moves.length)];
}

// Sends a line. Node writes to a pipe at once: no flush is needed.
function say(line) {
  process.stdout.write(line + "\n");
}

let dice = new Dice(1);
let moves = []; // the legal moves listed so far
let left = 0; // the number of listed moves that are still to come

// Node calls this function for each line, so `moves` and `left` remember the earlier lines.
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.split(" ");
  if (left > 0) {
    moves.push(line.slice("move ".length));
    left -= 1;
  } else if (moves.length > 0) {
    // After the moves comes the question. Skip it: a listed move is a complete answer.
    say(choose(moves, dice));
    moves = [];
  } else if (words[0] === "hello") {
    say("hello 1 legal"); // Speak version 1, and ask for the legal moves with each question.
  } else if (words[0] === "new") {
    dice = new Dice(Number(words[4])); // new MATCH SEAT SEATS SEED
    say("ready");
  } else if (words[0] === "legal") {
    left = Number(words[2]); // legal all COUNT, then COUNT lines "move ...", then the question
  } else if (words[0] === "bye") {
    process.exit(0);
  } // All other lines are events of the match. This bot ignores them.
});
// At the end of the input Node has nothing left to do, and exits.
