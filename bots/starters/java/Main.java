import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * A first bot: it plays any game. It picks one of the legal moves at random.
 *
 * To make it your own, change choose. The manual, protocol.md, explains the messages.
 */
public class Main {
    /** Makes random numbers. The same seed gives the same numbers in the starters of all languages. */
    static class Dice {
        private long state;

        Dice(long seed) {
            state = seed % 2147483647L == 0 ? 1 : seed % 2147483647L;
        }

        /** A random number from 0 to count - 1. */
        int below(int count) {
            state = state * 48271 % 2147483647L;
            return (int) (state % count);
        }
    }

    /** Picks one of the legal moves. Put your own ideas here. */
    static String choose(List<String> moves, Dice dice) {
        return moves.get(dice.below(moves.size()));
    }

    /** Sends a line. Without the flush the line stays in a buffer, and the harness does not get it. */
    static void say(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Dice dice = new Dice(1);
        String line;
        while ((line = input.readLine()) != null) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "hello":
                    say("hello 1 legal"); // Speak version 1, and ask for the legal moves with each question.
                    break;
                case "new": // new MATCH SEAT SEATS SEED
                    dice = new Dice(Long.parseLong(words[4]));
                    say("ready");
                    break;
                case "legal": // legal all COUNT, then COUNT lines "move ...", then the question
                    List<String> moves = new ArrayList<>();
                    for (int left = Integer.parseInt(words[2]); left > 0; left--) {
                        line = input.readLine();
                        if (line == null) {
                            return;
                        }
                        moves.add(line.substring("move ".length()));
                    }
                    if (input.readLine() == null) { // Skip the question: a listed move is a complete answer.
                        return;
                    }
                    say(choose(moves, dice));
                    break;
                case "bye":
                    return;
                default: // All other lines are events of the match. This bot ignores them.
            }
        }
    }
}
