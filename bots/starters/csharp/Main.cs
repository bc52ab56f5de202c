// A first bot: it plays any game. It picks one of the legal moves at random.
//
// To make it your own, change Choose. The manual, protocol.md, explains the messages.
using System;
using System.Collections.Generic;

/// <summary>Makes random numbers. The same seed gives the same numbers in the starters of all languages.</summary>
class Dice
{
    private long state;

    public Dice(long seed)
    {
        state = seed % 2147483647 == 0 ? 1 : seed % 2147483647;
    }

    /// <summary>A random number from 0 to count - 1.</summary>
    public int Below(int count)
    {
        state = state * 48271 % 2147483647;
        return (int)(state % count);
    }
}

static class Bot
{
    /// <summary>Picks one of the legal moves. Put your own ideas here.</summary>
    static string Choose(List<string> moves, Dice dice)
    {
        return moves[dice.Below(moves.Count)];
    }

    /// <summary>Sends a line. Without the flush a line may stay in a buffer, and the harness does not get it.</summary>
    static void Say(string line)
    {
        Console.Out.Write(line + "\n");
        Console.Out.Flush();
    }

    static void Main()
    {
        Dice dice = new Dice(1);
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            string[] words = line.Split(' ');
            switch (words[0])
            {
                case "hello":
                    Say("hello 1 legal"); // Speak version 1, and ask for the legal moves with each question.
                    break;
                case "new": // new MATCH SEAT SEATS SEED
                    dice = new Dice(long.Parse(words[4]));
                    Say("ready");
                    break;
                case "legal": // legal all COUNT, then COUNT lines "move ...", then the question
                    List<string> moves = new List<string>();
                    for (int left = int.Parse(words[2]); left > 0; left--)
                    {
                        line = Console.In.ReadLine();
                        if (line == null)
                            return;
                        moves.Add(line.Substring("move ".Length));
                    }
                    if (Console.In.ReadLine() == null) // Skip the question: a listed move is a complete answer.
                        return;
                    Say(Choose(moves, dice));
                    break;
                case "bye":
                    return;
                default: // All other lines are events of the match. This bot ignores them.
                    break;
            }
        }
    }
}
