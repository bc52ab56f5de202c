//! A first bot: it plays any game. It picks one of the legal moves at random.
//!
//! To make it your own, change `choose`. The manual, protocol.md, explains the messages.

use std::io::{self, BufRead, Write};

/// Makes random numbers. The same seed gives the same numbers in the starters of all languages.
struct Dice {
    state: u64,
}

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice { state: (seed % 2147483647).max(1) }
    }

    /// A random number from 0 to count - 1.
    fn below(&mut self, count: usize) -> usize {
        self.state = self.state * 48271 % 2147483647;
        (self.state % count as u64) as usize
    }
}

/// Picks one of the legal moves. Put your own ideas here.
fn choose<'a>(moves: &'a [String], dice: &mut Dice) -> &'a str {
    &moves[dice.below(moves.len())]
}

/// Sends a line. Without the flush the line stays in a buffer, and the harness does not get it.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lock().lines();
    let mut dice = Dice::new(1);
    while let Some(line) = lines.next().transpose()? {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            // Speak version 1, and ask for the legal moves with each question.
            "hello" => say("hello 1 legal")?,
            // new MATCH SEAT SEATS SEED
            "new" => {
                dice = Dice::new(words[4].parse().expect("a seed is a number"));
                say("ready")?;
            }
            // legal all COUNT, then COUNT lines "move ...", then the question
            "legal" => {
                let count = words[2].parse().expect("a count is a number");
                let mut moves = Vec::new();
                for line in lines.by_ref().take(count) {
                    moves.push(line?.replacen("move ", "", 1));
                }
                // Skip the question: a listed move is a complete answer.
                if lines.next().transpose()?.is_some() {
                    say(choose(&moves, &mut dice))?;
                }
            }
            "bye" => break,
            // All other lines are events of the match. This bot ignores them.
            _ => {}
        }
    }
    Ok(())
}
