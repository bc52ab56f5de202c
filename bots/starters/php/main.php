<?php
// A first bot: it plays any game. It picks one of the legal moves at random.
//
// To make it your own, change choose. The manual, protocol.md, explains the messages.
declare(strict_types=1);

// Makes random numbers. The same seed gives the same numbers in the starters of all languages.
class Dice
{
    private int $state;

    public function __construct(int $seed)
    {
        $this->state = $seed % 2147483647 ?: 1;
    }

    // A random number from 0 to $count - 1.
    public function below(int $count): int
    {
        $this->state = $this->state * 48271 % 2147483647;
        return $this->state % $count;
    }
}

// Picks one of the legal moves. Put your own ideas here.
function choose(array $moves, Dice $dice): string
{
    return $moves[$dice->below(count($moves))];
}

// Sends a line.
function say(string $line): void
{
    fwrite(STDOUT, "$line\n");
    fflush(STDOUT);
}

// The next line without its newline. The end of the input ends the bot.
function read(): string
{
    $line = fgets(STDIN);
    if ($line === false) {
        exit;
    }
    return rtrim($line, "\r\n");
}

$dice = new Dice(1);
while (true) {
    $words = explode(' ', read());
    if ($words[0] === 'hello') {
        say('hello 1 legal'); // Speak version 1, and ask for the legal moves with each question.
    } elseif ($words[0] === 'new') { // new MATCH SEAT SEATS SEED
        $dice = new Dice((int) $words[4]);
        say('ready');
    } elseif ($words[0] === 'legal') { // legal all COUNT, then COUNT lines "move ...", then the question
        $moves = [];
        while (count($moves) < (int) $words[2]) {
            $moves[] = substr(read(), strlen('move '));
        }
        read(); // Skip the question: a listed move is a complete answer.
        say(choose($moves, $dice));
    } elseif ($words[0] === 'bye') {
        break;
    } // All other lines are events of the match. This bot ignores them.
}
