// A first bot: plays any game by choosing at random among the legal moves that the harness lists.
//
// To make it your own, change choose(). The messages are explained in protocol.md.
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Random numbers that depend on the seed alone, the same in the starters of all languages.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state(seed % 2147483647 ? seed % 2147483647 : 1) {}

    // A number from 0 to count - 1.
    std::size_t below(std::size_t count)
    {
        state = state * 48271 % 2147483647;
        return state % count;
    }

private:
    std::uint64_t state;
};

// One of the legal moves. Here your own ideas begin.
std::string choose(const std::vector<std::string>& moves, Dice& dice)
{
    return moves[dice.below(moves.size())];
}

// std::endl flushes: without that the line would wait in a buffer here, and the harness would wait too.
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
            say("hello 1 legal"); // Version 1, and please list the legal moves with each question.
        } else if (word == "new") { // new MATCH SEAT SEATS SEED
            std::uint64_t match = 0, seat = 0, seats = 0, seed = 0;
            words >> match >> seat >> seats >> seed;
            dice = Dice(seed);
            say("ready");
        } else if (word == "legal") { // legal all COUNT, then as many lines "move ...", then the question
            std::string all_or_some;
            std::size_t count = 0;
            words >> all_or_some >> count;
            std::vector<std::string> moves;
            while (moves.size() < count && std::getline(std::cin, line))
                moves.push_back(line.substr(std::string("move ").size()));
            if (std::getline(std::cin, line)) // The question. Any of the moves is an answer as it stands.
                say(choose(moves, dice));
        } else if (word == "bye") {
            break;
        } // All other lines tell what happens in the game. This bot does not listen.
    }
}
