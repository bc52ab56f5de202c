// A first bot: it plays any game. It picks one of the legal moves at random.
//
// To make it your own, change choose. The manual, protocol.md, explains the messages.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Dice makes random numbers. The same seed gives the same numbers in the starters of all languages.
type Dice struct {
	state int64
}

func newDice(seed int64) *Dice {
	if seed%2147483647 == 0 {
		return &Dice{1}
	}
	return &Dice{seed % 2147483647}
}

// below returns a random number from 0 to count - 1.
func (dice *Dice) below(count int) int {
	dice.state = dice.state * 48271 % 2147483647
	return int(dice.state % int64(count))
}

// choose picks one of the legal moves. Put your own ideas here.
func choose(moves []string, dice *Dice) string {
	return moves[dice.below(len(moves))]
}

// say sends a line. Println writes at once: no flush is needed. A bufio.Writer would need one.
func say(line string) {
	fmt.Println(line)
}

func number(word string) int64 {
	value, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1_000_000) // the longest line
	dice := newDice(1)
	for input.Scan() {
		words := strings.Fields(input.Text())
		switch words[0] {
		case "hello":
			say("hello 1 legal") // Speak version 1, and ask for the legal moves with each question.
		case "new": // new MATCH SEAT SEATS SEED
			dice = newDice(number(words[4]))
			say("ready")
		case "legal": // legal all COUNT, then COUNT lines "move ...", then the question
			moves := []string{}
			for left := number(words[2]); left > 0 && input.Scan(); left-- {
				moves = append(moves, strings.TrimPrefix(input.Text(), "move "))
			}
			if input.Scan() { // Skip the question: a listed move is a complete answer.
				say(choose(moves, dice))
			}
		case "bye":
			return
		} // All other lines are events of the match. This bot ignores them.
	}
}
