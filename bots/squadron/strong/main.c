/* A Squadron Scramble bot that plans: it deals the hidden cards at random, many times, and simulates the
 * battle to its end.
 *
 * A simple rule, nearly the same as in squadron-sensible, chooses the cards to take, to lay and to return.
 * The bot compares it with other ways to take and other cards to return, in many possible battles. In a
 * simulation every player, also the bot itself, then plays by the rule. The bot tries all options in the same
 * battles, so luck favours no option. The result of an option is the bot's points minus the average points of
 * the others. The bot leaves the rule only if another option is clearly better. It always lays all squadrons
 * that it can, because simulations wrongly prefer to lay them one turn later, in every turn.
 *
 * Some opponents play badly. A player that collects cards empties the deck long before any hand is empty. So
 * in some simulated battles an opponent is careless: the more cards it has, the more often.
 *
 * The number of battles is limited, not the time. So the bot plays the same on a slow machine. In a
 * simulation the three cards of a type are equal, and all wild cards are equal. The bot asks for the state
 * with each question, so it can ignore events.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 31, WILD = TYPES, KINDS = TYPES + 1, COPIES = 3, WILDS = 7, CARDS = TYPES * COPIES + WILDS };
enum { SEATS = 15, MOST_LAYS = CARDS / 3, NAME = 20, MOST_WORDS = CARDS + 20, LINE = 8192 };
enum { NONE = -1, DECK = 0 };

enum { TURNS = 400 };                   /* maximum of simulated turns; nearly all battles end before */
enum { WORLDS = 16, MOST_WORLDS = 96 }; /* battles between two selections of options; maximum */
enum { MOST_STEPS = 50000 };            /* after so many simulated turns, no new battles */
enum { SURELY_CARELESS = 14 };          /* a hand of this size is always careless */
enum { MOST_WAYS = 10 };                /* maximum number of options */
static const double MARGIN = 1.5; /* a difference of this many standard errors is clear */

static const int LAID[] = { 15, 30 }; /* points of a squadron of fighters, or of bombers, on the table */
static const int HELD[] = { 5, 10 };  /* cost of one such aircraft in the hand */

/* Values of the simple rule, in points. */
static const double HOPE = 2;       /* expected earnings of an aircraft, in thirds of its squadron */
static const double PAIR = 0.4;     /* extra value of a pair, as a part of its squadron */
static const double WILD_CARD = 10; /* value of a wild card */
static const double CAPTURE = 30;
static const double DRAW = 5; /* value of the top card of the deck, which is unknown */
enum { FULL_DECK = 25, FULL_HAND = 12, LAST_ROUNDS = 10 }; /* less hope if the battle may end soon */
enum { SMALL_HAND = 4 };                   /* with at most this size, two wild cards complete one aircraft */

struct battle {
    int seats, seat, turn, most_turns;
    int size[SEATS];            /* size of each hand; NONE for a player out of the war */
    uint8_t hand[SEATS][KINDS]; /* number of cards of each type, and of wild cards */
    int points[SEATS];          /* points of the squadrons on the table */
    int prey[SEATS][2];         /* bombers on the table that can be captured, by alliance */
    int careless[SEATS];        /* it takes and returns random cards, so the deck runs out sooner */
    uint8_t deck[CARDS], stack[CARDS]; /* types of cards, top card last */
    int in_deck, in_stack;
};

/* Squadrons to lay: the type of each, and the number of its wild cards. */
struct lays {
    int count, type[MOST_LAYS], wild[MOST_LAYS];
};

/* A possible answer to this question. */
struct option {
    int take; /* number of cards from the stack, or DECK; NONE if already taken */
    struct lays lays;
    int back; /* the card to return */
    double sum, squares; /* sums over battles: gain over the first option, and its square */
};

static uint64_t luck = 1;

static int below(int count) /* a random number from 0 to count - 1 */
{
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return (int)((luck >> 32) * (uint64_t)count >> 32);
}

static void shuffle(uint8_t *cards, int count)
{
    for (int place = count - 1; place > 0; place--) {
        int other = below(place + 1);
        uint8_t card = cards[place];
        cards[place] = cards[other];
        cards[other] = card;
    }
}

static double lesser(double one, double other) { return one < other ? one : other; }

/* -- the cards ------------------------------------------------------------------------------------- */

static char types[TYPES][NAME];
static int bomber[KINDS], axis[KINDS], known_types; /* all 0 for wild cards */

static int type_of(const char *card)
{
    size_t length = strcspn(card, ".");
    int type = 0;
    while (type < known_types && (strncmp(types[type], card, length) != 0 || types[type][length]))
        type++;
    return type < known_types ? type : WILD;
}

/* Reads the deck from `option`: the types and their kinds. */
static void hear_option(char *words[], int count)
{
    int bombers = strstr(words[1], "-bombers") != NULL;
    for (int place = 2; place < count && (bombers || strstr(words[1], "-fighters")); place++) {
        int type = type_of(words[place]);
        if (type == WILD && known_types < TYPES)
            strncpy(types[type = known_types++], words[place], NAME - 1);
        if (type == WILD)
            return;
        bomber[type] = bombers;
        axis[type] = strncmp(words[1], "axis", 4) == 0;
    }
}

/* -- what is known --------------------------------------------------------------------------------- */

/* The state. In `known`, each hand has only the cards that all players saw it take. */
static struct battle known;
static uint8_t unseen[KINDS];
static char mine[CARDS][NAME]; /* my hand */
static int my_seat, in_hand;
static struct { int owner, type; char card[NAME]; } prey[MOST_LAYS]; /* bombers that can be captured */
static int in_prey;

static int seen(const char *card)
{
    int type = type_of(card);
    unseen[type]--;
    return type;
}

static void hear_battle(void)
{
    memset(&known, 0, sizeof known);
    memset(unseen, COPIES, sizeof unseen);
    unseen[WILD] = WILDS;
    in_hand = in_prey = 0;
    for (int seat = 0; seat < SEATS; seat++)
        known.size[seat] = NONE;
}

static void hear_table(int owner, int captured, char *cards[])
{
    int type = type_of(cards[0]);
    for (int place = 0; place < 3; place++)
        seen(cards[place]);
    known.points[owner] += LAID[bomber[type]];
    if (captured || !bomber[type])
        return;
    known.prey[owner][axis[type]]++;
    prey[in_prey].owner = owner;
    prey[in_prey].type = type;
    strncpy(prey[in_prey++].card, cards[0], NAME - 1);
}

/* Reads a line of the state. */
static void hear(char *words[], int count)
{
    const char *word = words[0];
    int number = count > 1 ? atoi(words[1]) : 0;
    if (strcmp(word, "battle") == 0) {
        hear_battle();
    } else if (strcmp(word, "turn") == 0) {
        known.seat = number;
        known.turn = atoi(words[2]);
        known.most_turns = atoi(words[3]);
    } else if (strcmp(word, "deck") == 0) {
        known.in_deck = number;
    } else if (strcmp(word, "stack") == 0) {
        for (int place = count - 1; place > 0; place--)
            known.stack[known.in_stack++] = (uint8_t)seen(words[place]);
    } else if (strcmp(word, "holds") == 0) {
        known.seats++;
        known.size[number] = atoi(words[2]);
        for (int place = 3; place < count && number != my_seat; place++)
            known.hand[number][seen(words[place])]++;
    } else if (strcmp(word, "table") == 0) {
        hear_table(number, strcmp(words[2], "captured") == 0, words + 3);
    } else if (strcmp(word, "hand") == 0) {
        for (int place = 1; place < count; place++) {
            strncpy(mine[in_hand++], words[place], NAME - 1);
            known.hand[my_seat][seen(words[place])]++;
        }
    }
}

/* Makes a possible battle: deals the unseen cards to other hands and the deck. Some opponents are careless. */
static void imagine(struct battle *battle)
{
    uint8_t pool[CARDS];
    int left = 0;
    for (int type = 0; type < KINDS; type++)
        for (int count = 0; count < unseen[type]; count++)
            pool[left++] = (uint8_t)type;
    shuffle(pool, left);
    *battle = known;
    for (int seat = 0; seat < SEATS; seat++) {
        int hidden = battle->size[seat];
        for (int type = 0; type < KINDS; type++)
            hidden -= battle->hand[seat][type];
        for (; hidden > 0; hidden--)
            battle->hand[seat][pool[--left]]++;
        battle->careless[seat] = seat != my_seat && below(SURELY_CARELESS) < battle->size[seat];
    }
    memcpy(battle->deck, pool, (size_t)battle->in_deck);
}

/* -- the simple rule ------------------------------------------------------------------------------- */

static void lay(struct lays *lays, int type, int wild)
{
    lays->type[lays->count] = type;
    lays->wild[lays->count++] = wild;
}

/* Chooses the squadrons to lay: first three of a type, then pairs with a wild card; in each case bombers
 * first. From a small hand it also lays single aircraft with two wild cards. */
static void form(const uint8_t hand[KINDS], struct lays *lays)
{
    int wild = hand[WILD], size = hand[WILD];
    lays->count = 0;
    for (int type = 0; type < TYPES; type++)
        size += hand[type];
    for (int have = COPIES; have > 0; have--) {
        int spent = COPIES - have;
        for (int bombers = 1; bombers >= 0; bombers--)
            for (int type = 0; type < TYPES && wild >= spent && (have > 1 || size <= SMALL_HAND); type++)
                if (hand[type] == have && bomber[type] == bombers)
                    lay(lays, type, spent), wild -= spent, size -= 3;
    }
}

/* Takes the cards of these squadrons out of the hand. */
static void lay_out(uint8_t hand[KINDS], const struct lays *lays)
{
    for (int place = 0; place < lays->count; place++) {
        hand[lays->type[place]] -= (uint8_t)(COPIES - lays->wild[place]);
        hand[WILD] -= (uint8_t)lays->wild[place];
    }
}

/* The values of cards for the seat on turn: worth[bomber][axis][n] is the value of n cards of a type. */
struct worths {
    double worth[2][2][COPIES + 1];
};

static void weigh(const struct battle *battle, struct worths *worths)
{
    double rounds = (double)(battle->most_turns - battle->turn) / battle->seats;
    double hope = lesser(lesser(1, rounds / LAST_ROUNDS), (double)battle->in_deck / FULL_DECK);
    int targets[2] = { 0, 0 };
    for (int seat = 0; seat < SEATS; seat++)
        if (seat != battle->seat && battle->size[seat] != NONE) {
            hope = lesser(hope, (double)battle->size[seat] / FULL_HAND);
            targets[0] += battle->prey[seat][0];
            targets[1] += battle->prey[seat][1];
        }
    hope *= HOPE;
    for (int bombers = 0; bombers < 2; bombers++)
        for (int side = 0; side < 2; side++) {
            double *worth = worths->worth[bombers][side], one = hope * LAID[bombers] / COPIES - HELD[bombers];
            worth[0] = 0;
            worth[1] = one;
            worth[2] = 2 * one + PAIR * LAID[bombers];
            worth[3] = LAID[bombers] + (!bombers && targets[!side] ? CAPTURE : 0);
        }
}

/* The value that one more card of this type adds to the hand. A wild card can complete a pair. */
static double gain(const struct worths *worths, const uint8_t hand[KINDS], int type)
{
    if (type == WILD)
        return WILD_CARD;
    const double *worth = worths->worth[bomber[type]][axis[type]];
    int have = hand[type];
    if (have == 1 && hand[WILD])
        return worth[3] - WILD_CARD - worth[1];
    return worth[have + 1] - worth[have];
}

/* Computes the values of the ways to take: merits[0] for the deck, merits[n] for n cards of the stack. */
static void weigh_takes(const struct battle *battle, double merits[CARDS])
{
    struct worths worths;
    uint8_t hand[KINDS];
    double sum = 0;
    weigh(battle, &worths);
    memcpy(hand, battle->hand[battle->seat], sizeof hand);
    merits[DECK] = DRAW;
    for (int count = 1; count <= battle->in_stack; count++) {
        int type = battle->stack[battle->in_stack - count];
        merits[count] = sum += gain(&worths, hand, type);
        hand[type]++;
    }
}

/* The type of the card with the lowest value; NONE if the hand is empty. */
static int least(const struct battle *battle, const uint8_t hand[KINDS])
{
    struct worths worths;
    int best = NONE;
    double lowest = 0;
    weigh(battle, &worths);
    for (int type = 0; type < KINDS; type++)
        if (hand[type]) {
            const double *worth = worths.worth[bomber[type]][axis[type]];
            double loss = type == WILD ? WILD_CARD : worth[hand[type]] - worth[hand[type] - 1];
            if (best == NONE || loss < lowest)
                best = type, lowest = loss;
        }
    return best;
}

/* -- turns ----------------------------------------------------------------------------------------- */

static void take(struct battle *battle, int count)
{
    uint8_t *hand = battle->hand[battle->seat];
    battle->size[battle->seat] += count ? count : 1;
    if (!count)
        hand[battle->deck[--battle->in_deck]]++;
    while (count-- > 0)
        hand[battle->stack[--battle->in_stack]]++;
}

/* The seat from which these fighters capture bombers: the seat with most points; NONE if they can capture
 * none. */
static int victim(const struct battle *battle, int type)
{
    int richest = NONE;
    for (int seat = 0; seat < SEATS && !bomber[type]; seat++)
        if (seat != battle->seat && battle->prey[seat][!axis[type]])
            if (richest == NONE || battle->points[seat] > battle->points[richest])
                richest = seat;
    return richest;
}

/* Lays a squadron of this type, and captures bombers if it can; returns the seat that loses them, or NONE. */
static int put_down(struct battle *battle, int type)
{
    int seat = battle->seat, loser = victim(battle, type);
    battle->points[seat] += LAID[bomber[type]];
    battle->prey[seat][axis[type]] += bomber[type];
    if (loser != NONE) {
        battle->prey[loser][!axis[type]]--;
        battle->points[loser] -= LAID[1];
        battle->points[seat] += LAID[1];
    }
    return loser;
}

/* Plays the second half of a turn; returns whether the battle is over. */
static int act(struct battle *battle, const struct lays *lays, int back)
{
    int seat = battle->seat;
    lay_out(battle->hand[seat], lays);
    battle->size[seat] -= 3 * lays->count;
    for (int place = 0; place < lays->count; place++)
        put_down(battle, lays->type[place]);
    if (back != NONE) {
        battle->hand[seat][back]--;
        battle->size[seat]--;
        battle->stack[battle->in_stack++] = (uint8_t)back;
    }
    if (!battle->size[seat] || ++battle->turn >= battle->most_turns)
        return 1;
    if (!battle->in_deck) {
        if (battle->in_stack < 3)
            return 1;
        shuffle(battle->stack, battle->in_stack);
        battle->in_deck = battle->in_stack - 1;
        memcpy(battle->deck, battle->stack + 1, (size_t)battle->in_deck);
        battle->in_stack = 1;
    }
    do
        battle->seat = (battle->seat + 1) % SEATS;
    while (battle->size[battle->seat] == NONE);
    return 0;
}

static int take_by_thumb(const struct battle *battle)
{
    double merits[CARDS];
    int best = DECK;
    weigh_takes(battle, merits);
    for (int count = 1; count <= battle->in_stack; count++)
        if (merits[count] > merits[best])
            best = count;
    return best;
}

/* The type of a random card of a hand; NONE if the hand is empty. */
static int any(const uint8_t hand[KINDS])
{
    int size = 0, type = 0;
    for (int each = 0; each < KINDS; each++)
        size += hand[each];
    if (!size)
        return NONE;
    for (int left = below(size); left >= hand[type]; type++)
        left -= hand[type];
    return type;
}

/* Acts by the simple rule. Also a careless player lays all squadrons that it can. */
static int act_by_thumb(struct battle *battle)
{
    struct lays lays;
    uint8_t rest[KINDS];
    memcpy(rest, battle->hand[battle->seat], sizeof rest);
    form(rest, &lays);
    lay_out(rest, &lays);
    return act(battle, &lays, battle->careless[battle->seat] ? any(rest) : least(battle, rest));
}

static int turn_by_thumb(struct battle *battle)
{
    int careless = battle->careless[battle->seat];
    take(battle, careless ? below(battle->in_stack + 1) : take_by_thumb(battle));
    return act_by_thumb(battle);
}

/* -- the comparison of options --------------------------------------------------------------------- */

/* The points of a seat if the battle ended now. */
static int score(const struct battle *battle, int seat)
{
    int points = battle->points[seat];
    for (int type = 0; type < TYPES; type++)
        points -= battle->hand[seat][type] * HELD[bomber[type]];
    return points;
}

static int steps; /* number of simulated turns for this answer */

/* The result of an option in a battle: our points at its end minus the average points of the others. */
static double tried(const struct option *option, const struct battle *world)
{
    struct battle battle = *world;
    double others = 0;
    int over;
    if (option->take != NONE) {
        take(&battle, option->take);
        over = act_by_thumb(&battle);
    } else {
        over = act(&battle, &option->lays, option->back);
    }
    for (int turns = TURNS; turns > 0 && !over; turns--, steps++)
        over = turn_by_thumb(&battle);
    for (int seat = 0; seat < SEATS; seat++)
        if (seat != my_seat && battle.size[seat] != NONE)
            others += score(&battle, seat);
    return score(&battle, my_seat) - others / (battle.seats - 1);
}

/* The average gain of an option over the first option, plus a number of standard errors. */
static double lead(const struct option *option, int worlds, double errors)
{
    double mean = option->sum / worlds, variance = option->squares / worlds - mean * mean;
    return mean + errors * sqrt(variance / (worlds - 1));
}

/* Tries all options in one possible battle, and adds their gains. */
static void compare(struct option options[], int count)
{
    struct battle world;
    imagine(&world);
    const uint64_t before = luck;
    double first = tried(&options[0], &world);
    for (int place = 1; place < count; place++) {
        luck = before;
        double more = tried(&options[place], &world) - first;
        options[place].sum += more;
        options[place].squares += more * more;
    }
}

/* Returns the first option, unless another option is clearly better. It drops clearly worse options. */
static const struct option *choose(struct option options[], int count)
{
    int best = 0;
    steps = 0;
    for (int worlds = WORLDS; worlds <= MOST_WORLDS && steps < MOST_STEPS && count > 1; worlds += WORLDS) {
        double most = 0;
        int kept = 1;
        for (int tries = 0; tries < WORLDS; tries++)
            compare(options, count);
        best = 0;
        for (int place = 1; place < count; place++)
            if (lead(&options[place], worlds, MARGIN) > 0) {
                options[kept] = options[place];
                if (lead(&options[kept], worlds, -MARGIN) > most)
                    best = kept, most = lead(&options[kept], worlds, -MARGIN);
                kept++;
            }
        count = kept;
    }
    return &options[best];
}

/* -- options --------------------------------------------------------------------------------------- */

/* Lists the best ways to take by the simple rule, the best first. The deck is always in the list. */
static int ways_to_take(struct option options[])
{
    double merits[CARDS];
    int used[CARDS] = { 0 }, ways = 0;
    weigh_takes(&known, merits);
    for (; ways < MOST_WAYS && ways <= known.in_stack; ways++) {
        int best = NONE;
        for (int count = 0; count <= known.in_stack; count++)
            if (!used[count] && (best == NONE || merits[count] > merits[best]))
                best = count;
        if (ways == MOST_WAYS - 1 && !used[DECK])
            best = DECK;
        used[best] = 1;
        options[ways].take = best;
    }
    return ways;
}

/* Lists ways to act. All lay the same squadrons, and they differ in the returned card. */
static int ways_to_act(struct option options[])
{
    struct option option = { .take = NONE };
    uint8_t rest[KINDS];
    int ways = 0;
    memcpy(rest, known.hand[my_seat], sizeof rest);
    form(rest, &option.lays);
    lay_out(rest, &option.lays);
    do {
        option.back = least(&known, rest);
        options[ways++] = option;
        if (option.back != NONE)
            rest[option.back] = 0; /* the next option returns another type */
    } while (ways < MOST_WAYS && least(&known, rest) != NONE);
    return ways;
}

/* -- answers --------------------------------------------------------------------------------------- */

/* Adds a card of this type from the hand to the line. */
static void say_card(char *line, int type)
{
    int place = 0;
    while (!mine[place][0] || type_of(mine[place]) != type)
        place++;
    strcat(strcat(line, " "), mine[place]);
    mine[place][0] = '\0'; /* no card is named twice */
}

/* Adds the target of fighters of this type, if they have one, by the same choice as in a simulation. */
static void say_target(char *line, int type)
{
    int loser = put_down(&known, type), place = 0;
    if (loser == NONE)
        return;
    while (prey[place].owner != loser || axis[prey[place].type] == axis[type])
        place++;
    strcat(strcat(line, " attack "), prey[place].card);
    prey[place].owner = NONE;
}

static void say_act(char *line, const struct option *option)
{
    strcpy(line, "act");
    for (int place = 0; place < option->lays.count; place++) {
        int type = option->lays.type[place];
        strcat(line, " lay");
        for (int card = 0; card < COPIES; card++)
            say_card(line, card < COPIES - option->lays.wild[place] ? type : WILD);
        say_target(line, type);
    }
    if (option->back != NONE) {
        strcat(line, " return");
        say_card(line, option->back);
    }
}

static void answer(const char *question)
{
    struct option options[MOST_WAYS] = { 0 };
    char line[LINE];
    if (strcmp(question, "act") == 0) {
        say_act(line, choose(options, ways_to_act(options)));
    } else {
        int count = choose(options, ways_to_take(options))->take;
        snprintf(line, sizeof line, count == DECK ? "take deck" : "take stack %d", count);
    }
    puts(line);
}

int main(void)
{
    char line[LINE], *words[MOST_WORDS];
    setvbuf(stdout, NULL, _IOLBF, 0); /* send each line at once */
    while (fgets(line, sizeof line, stdin)) {
        int count = 0;
        for (char *word = strtok(line, " \r\n"); word && count < MOST_WORDS; word = strtok(NULL, " \r\n"))
            words[count++] = word;
        if (count == 0)
            continue;
        if (strcmp(words[0], "hello") == 0) {
            puts("hello 1 state");
        } else if (strcmp(words[0], "option") == 0) {
            hear_option(words, count);
        } else if (strcmp(words[0], "new") == 0) {
            my_seat = atoi(words[2]);
            luck = (uint64_t)atol(words[4]) * 0x9E3779B97F4A7C15u | 1;
            puts("ready");
        } else if (strcmp(words[0], "state") == 0) {
            hear(words + 1, count - 1);
        } else if (strcmp(words[0], "take") == 0 || strcmp(words[0], "act") == 0) {
            answer(words[0]);
        } else if (strcmp(words[0], "bye") == 0) {
            break;
        }
    }
    return 0;
}
