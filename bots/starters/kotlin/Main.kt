// A first bot: it plays any game. It picks one of the legal moves at random.
//
// To make it your own, change choose. The manual, protocol.md, explains the messages.

/** Makes random numbers. The same seed gives the same numbers in the starters of all languages. */
class Dice(seed: Long) {
    private var state = if (seed % 2147483647L == 0L) 1L else seed % 2147483647L

    /** A random number from 0 to count - 1. */
    fun below(count: Int): Int {
        state = state * 48271 % 2147483647L
        return (state % count).toInt()
    }
}

/** Picks one of the legal moves. Put your own ideas here. */
fun choose(moves: List<String>, dice: Dice): String = moves[dice.below(moves.size)]

/** Sends a line. Without the flush the line stays in a buffer, and the harness does not get it. */
fun say(line: String) {
    print(line + "\n")
    System.out.flush()
}

fun main() {
    var dice = Dice(1)
    while (true) {
        val words = (readLine() ?: return).split(" ")
        when (words[0]) {
            "hello" -> say("hello 1 legal") // Speak version 1, and ask for the legal moves with each question.
            "new" -> { // new MATCH SEAT SEATS SEED
                dice = Dice(words[4].toLong())
                say("ready")
            }
            "legal" -> { // legal all COUNT, then COUNT lines "move ...", then the question
                val moves = List(words[2].toInt()) { (readLine() ?: return).removePrefix("move ") }
                readLine() ?: return // Skip the question: a listed move is a complete answer.
                say(choose(moves, dice))
            }
            "bye" -> return
            else -> {} // All other lines are events of the match. This bot ignores them.
        }
    }
}
