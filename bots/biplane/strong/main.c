/* A Biplane bot that simulates. Many times it deals the hidden cards at random, which gives a possible table.
 * On this table it tries every answer and simulates some turns of all players. It chooses the answer that on
 * average costs its enemies the most planes and its own side the fewest.
 *
 * With each question it asks for `state` and `legal`, so it must remember only the options. The number of
 * simulated turns is limited, not the time. So the bot plays the same on a slow machine.
 */
#define _POSIX_C_SOURCE 200809L /* for getline */
#include "board.h"
#include "sky.h"
#include "turn.h"
#include "known.h"

enum { BUDGET = 6000, ROUNDS = 4, MOST_MOVES = 256 }; /* limits: all simulated turns; rounds ahead */

static int together, most_turns;

/* -- the choice --------------------------------------------------------------------------------------- */

typedef struct {
    char text[128];
    int card; /* NONE for the answer `no` */
    Cards cards;
} Move;

static Move moves[MOST_MOVES];
static int move_count;

static void hear_move(const char *text)
{
    Move *move = &moves[move_count];
    char line[sizeof move->text];
    if (move_count == MOST_MOVES)
        return;
    move_count++;
    snprintf(move->text, sizeof move->text, "%s", text);
    strcpy(line, move->text);
    move->cards = cards_named(line);
    move->card = card_named(strrchr(move->text, ' ') + 1);
}

/* Plays an answer and the rest of its turn. */
static void answer(Sky *sky, const Move *move, int left)
{
    if (move->text[0] == 'p') {
        place_card(sky, me, move->card);
        return;
    }
    if (move->text[0] == 's') {
        if (move->card != NONE)
            fire(sky, me, move->card);
        fly(sky, me, left);
    } else {
        throw_away(sky, me, move->card);
        thin_out(sky, me);
        take_off(sky, me);
    }
    land(sky, me);
}

/* The losses of the other side (their average, if there are several sides) minus the losses of our side. */
static double gain(const Sky *sky)
{
    double others = 0, own = 0;
    int sides = 0;
    for (int seat = 0; seat < seats; seat++) {
        sides += side[seat] == seat;
        *(side[seat] == side[me] ? &own : &others) += sky->lost[seat];
    }
    return others / (sides - 1) - own;
}

static int best_move(int left)
{
    double gains[MOST_MOVES] = {0};
    int turns = ROUNDS * seats, next = known.turn ? (me + 1) % seats : 0, best = 0;
    if (turns > most_turns - known.turn)
        turns = most_turns - known.turn;
    for (int spent = 0, tries = 0; tries < BUDGET && spent < BUDGET; tries++) {
        Sky table;
        uint64_t fate;
        if (!imagine(&table))
            continue;
        fate = luck;
        for (int n = 0; n < move_count; n++) {
            Sky sky = table;
            luck = fate;
            answer(&sky, &moves[n], left);
            play_on(&sky, next, turns);
            gains[n] += gain(&sky);
            spent += turns + 1;
        }
    }
    for (int n = 1; n < move_count; n++)
        if (gains[n] > gains[best])
            best = n;
    return best;
}

/* The value of a hand. A Shoot counts most, then each kind of Maneuver, then a Repeat. */
static int best_hand(void)
{
    int best = 0, most = -1;
    for (int n = 0; n < move_count; n++) {
        int value = draw(4), has[9] = {0};
        for (int card = 0; card < CARDS; card++)
            if (moves[n].cards & bit(card))
                has[is_maneuver(card) ? kind(card) : is_repeat(card) ? 7 : 8] = 1;
        for (int group = 0; group < 9; group++)
            value += has[group] * (group == 8 ? 12 : 4);
        if (value > most) {
            most = value;
            best = n;
        }
    }
    return best;
}

static const char *choose(const char *word, int left)
{
    if (word[0] == 'k')
        return moves[best_hand()].text;
    conclude();
    return moves[move_count > 1 ? best_move(left) : 0].text;
}

/* -- the conversation --------------------------------------------------------------------------------- */

static void begin(int seat, int count, uint64_t seed)
{
    me = seat - 1;
    seats = count;
    steps = count == 2 ? 3 : 2;
    luck = seed * 0x9E3779B97F4A7C15u | 1;
    for (int each = 0; each < seats; each++)
        side[each] = together ? each % 2 : each;
    plant(tree);
}

static void hear_option(const char *line)
{
    char word[16];
    if (sscanf(line, "turns %d", &most_turns) == 1)
        return;
    if (sscanf(line, "tree %15s", word) == 1)
        tree = strcmp(word, "yes") == 0;
    else if (sscanf(line, "alliance %15s", word) == 1)
        together = strcmp(word, "free-for-all") != 0;
}

int main(void)
{
    char *line = NULL, word[16];
    size_t size = 0;
    int seat, count, left;
    long seed;
    lay_out();
    while (getline(&line, &size, stdin) > 0) {
        line[strcspn(line, "\r\n")] = 0;
        left = 0;
        if (strncmp(line, "hello ", 6) == 0) {
            puts("hello 1 legal state");
        } else if (strncmp(line, "option ", 7) == 0) {
            hear_option(line + 7);
        } else if (sscanf(line, "new %*d %d %d %ld", &seat, &count, &seed) == 3) {
            begin(seat, count, (uint64_t)seed);
            puts("ready");
        } else if (strncmp(line, "state turn ", 11) == 0) {
            forget();
            hear_state(line + 6);
        } else if (strncmp(line, "state ", 6) == 0) {
            hear_state(line + 6);
        } else if (strncmp(line, "legal ", 6) == 0) {
            move_count = 0;
        } else if (strncmp(line, "move ", 5) == 0) {
            hear_move(line + 5);
        } else if (sscanf(line, "%15s %*d %*d %d", word, &left) >= 1 &&
                   (!strcmp(word, "keep") || !strcmp(word, "place") || !strcmp(word, "discard") ||
                    !strcmp(word, "shoot"))) {
            puts(choose(word, left));
        } else if (strcmp(line, "bye") == 0) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
