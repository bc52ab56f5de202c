//! A first bot: plays any game by choosing at random among the legal moves that the harness lists.
//!
//! To make it your own, change `choose`. The messages are explained in protocol.md.

use std::io::{self, BufRead, Write};

/// Random numbers that depend on the seed alone, the same in the starters of all languages.
struct Dice {
    state: u64,
}

impl Dice {
    fn new(seed: u64) -> Dice {
        Dice { state: (seed % 2147483647).max(1) }
    }

    /// A number from 0 to count - 1.
    fn below(&mut self, count: usize) -> usize {
        self.state = self.state * 48271 % 2147483647;
        (self.state % count as u64) as usize
    }
}

/// One of the legal moves. Here your own ideas begin.
fn choose<'a>(moves: &'a [String], dice: &mut Dice) -> &'a str {
    &moves[dice.below(moves.len())]
}

/// Without the flush the line might wait in a buffer here, and the harness would wait too.
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
            // Version 1, and please list the legal moves with each question.
            "hello" => say("hello 1 legal")?,
            // new MATCH SEAT SEATS SEED
            "new" => {
                dice = Dice::new(words[4].parse().expect("a seed is a number"));
                say("ready")?;
            }
            // legal all COUNT, then as many lines "move ...", then the question
            "legal" => {
                let count = words[2].parse().expect("a count is a number");
                let mut moves = Vec::new();
                for line in lines.by_ref().take(count) {
                    moves.push(line?.replacen("move ", "", 1));
                }
                // The question. Any of the moves is an answer to it as it stands.
                if lines.next().transpose()?.is_some() {
                    say(choose(&moves, &mut dice))?;
                }
            }
            "bye" => break,
            // All other lines tell what happens in the game. This bot does not listen.
            _ => {}
        }
    }
    Ok(())
}
