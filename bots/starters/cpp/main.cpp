// A first bot: it plays any game. It picks one of the legal moves at random.
//
// To make it your own, change choose(). The manual, protocol.md, explains the messages.
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Makes random numbers. The same seed gives the same numbers in the starters of all languages.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state(seed % 2147483647 ? seed % 2147483647 : 1) {}

    // A random number from 0 to count - 1.
    std::size_t below(std::size_t count)
    {
        state = state * 48271 % 2147483647;
        return state % count;
    }

private:
    std::uint64_t state;
};

// Picks one of the legal moves. Put your own ideas here.
std::string choose(const std::vector<std::string>& moves, Dice& dice)
{
    return moves[dice.below(moves.size())];
}

// Sends a line. Without the flush the line stays in a buffer, and the harness does not get it.
// std::endl flushes.
void say(const std::string& line)
{
    std::cout << line << std::endl;
}

int main()
{
    Dice dice(1);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "hello") {
            say("hello 1 legal"); // Speak version 1, and ask for the legal moves with each question.
        } else if (word == "new") { // new MATCH SEAT SEATS SEED
            std::uint64_t match = 0, seat = 0, seats = 0, seed = 0;
            words >> match >> seat >> seats >> seed;
            dice = Dice(seed);
            say("ready");
        } else if (word == "legal") { // legal all COUNT, then COUNT lines "move ...", then the question
            std::string all_or_some;
            std::size_t count = 0;
            words >> all_or_some >> count;
            std::vector<std::string> moves;
            while (moves.size() < count && std::getline(std::cin, line))
                moves.push_back(line.substr(std::string("move ").size()));
            if (std::getline(std::cin, line)) // Skip the question: a listed move is a complete answer.
                say(choose(moves, dice));
        } else if (word == "bye") {
            break;
        } // All other lines are events of the match. This bot ignores them.
    }
}
