/* A Stratego bot that plans: it guesses the enemy's hidden pieces, many times. For each guess it searches a
 * few moves ahead, as if all pieces were known. It plays the move with the best average result.
 *
 * A guess agrees with the events: a piece that moved is no Flag and no Bomb, a piece that went far is a
 * Scout, and no kind of piece is too frequent. Flags are likely on back rows, and Bombs are likely beside
 * them. The number of searched positions is limited, not the time. So the bot plays the same on a slow
 * machine.
 *
 * In this file the value of a square is 0, WALL, the code of one of our pieces, or minus the code of an enemy
 * piece. The codes are 1 to 9 for the ranks, 10 for the Spy, 11 for the Flag and 12 for a Bomb.
 */
#define _POSIX_C_SOURCE 200809L /* for getline */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MINER = 8, SCOUT = 9, SPY = 10, FLAG = 11, BOMB = 12, HIDDEN = 13, WALL = 99 };
enum { WIDE = 12, SIZE = WIDE * WIDE, MOST_MOVES = 512 };
enum { DEPTH = 3, QUIET_DEPTH = 2, POSITIONS = 24000, GUESSES = 24, WON = 4000 };

static const char SIGNS[] = ".123456789SFB?";
static const int MOST[] = {0, 1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 1, 6};
static const int WORTH[] = {0, 400, 320, 240, 170, 120, 80, 55, 75, 40, 110, 0, 60};
static const int STEPS[] = {WIDE, -WIDE, 1, -1};
static const char *const SET_UPS[] = {
    "BFB887B898" "7B68S5B76B" "5931649259" "9496379549",
    "89B8BFB787" "B7856B8S6B" "9429516935" "5994739469",
    "87B8B9BFB8" "78B6589B79" "6951S36452" "9939464957",
    "7B8BFB7889" "58B67B86B7" "95296S3549" "4969139549",
};

typedef struct { int from, to; } Move;

/* -- what is known --------------------------------------------------------------------------------- */

static int seat;              /* 1 red, 2 blue */
static int known[SIZE];       /* values of squares; minus HIDDEN for an enemy piece not seen */
static int shown[SIZE];       /* whether the enemy has seen the piece here */
static int moved[SIZE];       /* whether the enemy piece here has moved */
static int unseen[HIDDEN];    /* maximum number of each piece among the hidden enemy pieces */
static int quiet;             /* plies since the last collision */
static uint64_t past[4096];   /* hashes of positions after our moves since our last attack */
static int past_count;
static Move last;             /* the last ply; a collision event may follow it */
static int attacker, defender;

static uint64_t luck = 1;

static uint32_t draw(uint32_t count) /* a random number from 0 to count - 1 */
{
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return (uint32_t)((luck >> 16) % count);
}

static int place(int row, int column) { return row * WIDE + column; }

/* The distance of a row from the enemy's back row. */
static int depth_of(int square) { return seat == 1 ? 10 - square / WIDE : square / WIDE - 1; }

static void forget(int new_seat, uint64_t seed)
{
    seat = new_seat;
    luck = seed * 0x9E3779B97F4A7C15u | 1;
    quiet = past_count = 0;
    memset(shown, 0, sizeof shown);
    memset(moved, 0, sizeof moved);
    memcpy(unseen, MOST, sizeof MOST);
    for (int square = 0; square < SIZE; square++) {
        int row = square / WIDE, column = square % WIDE;
        known[square] = row < 1 || row > 10 || column < 1 || column > 10 ? WALL : 0;
    }
}

static void hear_zones(int one, int other)
{
    for (int row = 5; row <= 6; row++)
        for (int more = 0; more < 2; more++)
            known[place(row, one + more)] = known[place(row, other + more)] = WALL;
}

static void hear_army(char *line)
{
    char *word = strtok(line, " ");
    int whose = atoi(strtok(NULL, " ")), row;
    char squares[16];
    while ((word = strtok(NULL, " ")) != NULL)
        if (sscanf(word, "%d:%10s", &row, squares) == 2)
            for (int column = 1; column <= 10; column++) {
                int code = (int)(strchr(SIGNS, squares[column - 1]) - SIGNS);
                if (code)
                    known[place(row, column)] = whose == seat ? code : -code;
            }
}

static void move_known(int from, int to, int piece, int was_shown)
{
    known[to] = piece;
    shown[to] = was_shown;
    moved[to] = piece < 0;
    if (from != to)
        known[from] = shown[from] = moved[from] = 0;
}

static void hear_marched(int row, int column, int to_row, int to_column)
{
    last.from = place(row, column);
    last.to = place(to_row, to_column);
    attacker = known[last.from];
    defender = known[last.to];
    if (attacker == -HIDDEN && abs(row - to_row) + abs(column - to_column) > 1) {
        attacker = -SCOUT;
        unseen[SCOUT]--;
    }
    quiet++;
    if (!defender)
        move_known(last.from, last.to, attacker, shown[last.from]);
}

static void hear_collision(char attacker_sign, char defender_sign, int stays)
{
    int one = (int)(strchr(SIGNS, attacker_sign) - SIGNS), other = (int)(strchr(SIGNS, defender_sign) - SIGNS);
    int ours = attacker > 0;
    if (attacker == -HIDDEN)
        unseen[one]--;
    if (defender == -HIDDEN)
        unseen[other]--;
    quiet = 0;
    if (!stays)
        known[last.to] = shown[last.to] = moved[last.to] = 0;
    else if ((stays == seat) == ours)
        move_known(last.from, last.to, ours ? one : -one, 1);
    else {
        known[last.to] = ours ? -other : other;
        shown[last.to] = 1;
    }
    known[last.from] = shown[last.from] = moved[last.from] = 0;
}

/* -- a guess: a whole position ---------------------------------------------------------------------- */

static int board[SIZE];
static int secret[SIZE];          /* 1 if the opponent has not seen the piece */
static int worth[2][HIDDEN][2];   /* value of a piece by side (0 ours), code, and whether it is secret */
static int lure[HIDDEN][SIZE];    /* value of a square for our pieces, by code */
static int fear[SIZE];            /* our cost if an enemy piece is on a square */
static int score;                 /* the sum of these values, from our side */
static long positions;            /* number of positions searched for this answer */

/* The code of the piece that is left after `one` attacks `other`, or 0. */
static int left_of(int one, int other)
{
    if (other == FLAG)
        return one;
    if (other == BOMB)
        return one == MINER ? one : 0;
    if (one == other)
        return 0;
    if (one == SPY)
        return other == 1 ? one : other;
    return one < other ? one : other;
}

static int beats(int one, int other) { return one < FLAG && one != other && left_of(one, other) == one; }

/* The index of a random square; weights are probabilities. -1 if all weights are 0. */
static int weighed(const int *weights, int count)
{
    int total = 0;
    for (int n = 0; n < count; n++)
        total += weights[n];
    if (total == 0)
        return -1;
    int drawn = (int)draw((uint32_t)total), n = 0;
    while ((drawn -= weights[n]) >= 0)
        n++;
    return n;
}

/* Guesses the Flag and the Bombs among the hidden enemy pieces that have not moved. */
static void guess_what_stays(const int *squares, int count, int unseen_in_all)
{
    static const int FLAG_BY_DEPTH[] = {40, 12, 4, 1}, BOMB_BY_DEPTH[] = {6, 5, 4, 2};
    int weights[40], flag;
    for (int n = 0; n < count; n++)
        weights[n] = moved[squares[n]] ? 0 : FLAG_BY_DEPTH[depth_of(squares[n])];
    flag = weighed(weights, count);
    if (flag >= 0)
        board[squares[flag]] = -FLAG;
    for (int n = 0; n < count; n++) {
        weights[n] = moved[squares[n]] || n == flag ? 0 : BOMB_BY_DEPTH[depth_of(squares[n])];
        for (int step = 0; step < 4; step++)
            if (board[squares[n] + STEPS[step]] == -FLAG)
                weights[n] *= 4;
    }
    for (int bomb = 0; bomb < unseen[BOMB]; bomb++) {
        if ((int)draw((uint32_t)unseen_in_all) >= count) /* an army need not be complete */
            continue;
        int n = weighed(weights, count);
        if (n >= 0) {
            board[squares[n]] = -BOMB;
            weights[n] = 0;
        }
    }
}

/* Guesses a piece for each square with a hidden enemy piece. */
static void guess(void)
{
    int squares[40], count = 0, pool[40], size = 0, unseen_in_all = 0;
    for (int square = 0; square < SIZE; square++) {
        board[square] = known[square];
        secret[square] = known[square] != WALL && known[square] != 0 && !shown[square];
        if (known[square] == -HIDDEN)
            squares[count++] = square;
    }
    for (int code = 1; code <= BOMB; code++)
        unseen_in_all += unseen[code];
    for (int code = 1; code <= SPY; code++)
        for (int n = 0; n < unseen[code]; n++)
            pool[size++] = code;
    guess_what_stays(squares, count, unseen_in_all);
    for (int n = 0; n < count; n++)
        if (board[squares[n]] == -HIDDEN) {
            int drawn = size ? (int)draw((uint32_t)size) : 0;
            board[squares[n]] = size ? -pool[drawn] : -BOMB;
            pool[drawn] = size ? pool[--size] : 0;
        }
}

static void weigh_pieces(void)
{
    int count[2][HIDDEN] = {{0}};
    for (int square = 0; square < SIZE; square++)
        if (board[square] && board[square] != WALL)
            count[board[square] < 0][abs(board[square])]++;
    for (int side = 0; side < 2; side++)
        for (int code = 1; code <= BOMB; code++) {
            int value = WORTH[code];
            if (code == SPY && !count[!side][1])
                value = 30;
            if (code == MINER && count[side][MINER] <= 2)
                value += 60;
            if (code == FLAG)
                value = WON;
            worth[side][code][0] = value;
            worth[side][code][1] = value + value / 8;
        }
}

/* Spreads values from squares to open neighbours. Each step multiplies a value by `eighths` / 8. */
static void spread(int *here, const char *closed, int eighths)
{
    for (int round = 0, changed = 1; changed && round < 30; round++) {
        changed = 0;
        for (int n = 13; n < SIZE - 13; n++) {
            int square = round % 2 ? SIZE - 1 - n : n, best = here[square];
            for (int step = 0; step < 4 && !closed[square]; step++)
                if (here[square + STEPS[step]] * eighths / 8 > best)
                    best = here[square + STEPS[step]] * eighths / 8;
            changed |= best != here[square];
            here[square] = best;
        }
    }
}

/* An enemy piece costs us more if it is nearer to our Flag. */
static void fear_for_the_flag(void)
{
    char closed[SIZE];
    for (int square = 0; square < SIZE; square++) {
        closed[square] = board[square] == WALL || board[square] == BOMB;
        fear[square] = board[square] == FLAG ? 1200 : 0;
    }
    spread(fear, closed, 6);
}

/* Our pieces with this code gain value near enemy pieces that they beat. */
static void draw_on(int code)
{
    int *here = lure[code];
    char closed[SIZE];
    for (int square = 0; square < SIZE; square++) {
        int other = -board[square], prey = board[square] < 0 && beats(code, other);
        closed[square] = board[square] == WALL || board[square] >= FLAG || (board[square] < 0 && !prey);
        here[square] = 0;
        if (prey)
            here[square] = other == FLAG ? 900 : 150 + WORTH[other] / 2 + 60 * secret[square];
        if (prey && other < FLAG)
            here[square] += fear[square];
    }
    spread(here, closed, 7);
    for (int square = 0; square < SIZE; square++)
        here[square] /= 12;
}

static int value_at(int square)
{
    int piece = board[square];
    if (piece > 0)
        return worth[0][piece][secret[square]] + lure[piece][square];
    if (piece < 0)
        return -worth[1][-piece][secret[square]] - (piece > -FLAG ? fear[square] / 8 : 0);
    return 0;
}

static void look_at_all(void)
{
    int have[HIDDEN + 1] = {0};
    weigh_pieces();
    fear_for_the_flag();
    for (int square = 0; square < SIZE; square++)
        if (board[square] > 0 && board[square] < FLAG)
            have[board[square]] = 1;
    memset(lure, 0, sizeof lure);
    for (int code = 1; code <= SPY; code++)
        if (have[code])
            draw_on(code);
    score = 0;
    for (int square = 0; square < SIZE; square++)
        if (board[square] != WALL)
            score += value_at(square);
}

/* -- the search ------------------------------------------------------------------------------------ */

typedef struct { int piece, met, secret, met_secret, score; } Undo;

static Undo play(Move move)
{
    int piece = board[move.from], met = board[move.to];
    Undo undo = {piece, met, secret[move.from], secret[move.to], score};
    score -= value_at(move.from) + value_at(move.to);
    board[move.from] = 0;
    if (!met) {
        board[move.to] = piece;
        secret[move.to] = secret[move.from];
    } else {
        int one = abs(piece), stays = left_of(one, abs(met));
        board[move.to] = stays == 0 ? 0 : stays == one ? piece : met;
        secret[move.to] = 0;
    }
    secret[move.from] = 0;
    score += value_at(move.to);
    positions++;
    return undo;
}

static void take_back(Move move, Undo undo)
{
    board[move.from] = undo.piece;
    board[move.to] = undo.met;
    secret[move.from] = undo.secret;
    secret[move.to] = undo.met_secret;
    score = undo.score;
}

/* Lists all moves of a side (1 ours, -1 the enemy's), or only its attacks. Attacks that win come first. */
static int moves_of(int side, int attacks_only, Move *moves)
{
    int count = 0, attacks = 0;
    for (int from = 13; from < SIZE - 13; from++) {
        int code = board[from] * side;
        if (code <= 0 || code >= FLAG)
            continue;
        for (int step = 0; step < 4; step++) {
            int to = from + STEPS[step];
            for (; code == SCOUT && board[to] == 0; to += STEPS[step])
                if (!attacks_only)
                    moves[count++] = (Move){from, to};
            if (board[to] == WALL || board[to] * side > 0 || (attacks_only && board[to] == 0))
                continue;
            moves[count++] = (Move){from, to};
            if (board[to] && beats(code, -board[to] * side)) {
                Move first = moves[attacks];
                moves[attacks++] = moves[count - 1];
                moves[count - 1] = first;
            }
        }
    }
    return attacks_only ? attacks : count;
}

static int search(int side, int depth, int alpha, int beta)
{
    Move moves[MOST_MOVES];
    int best = -3 * WON;
    if (depth <= 0) {
        best = side * score;
        if (best >= beta || depth <= -QUIET_DEPTH)
            return best;
        if (best > alpha)
            alpha = best;
    }
    int count = moves_of(side, depth <= 0, moves);
    if (count == 0 && depth > 0)
        return -2 * WON;
    for (int n = 0; n < count; n++) {
        Undo undo = play(moves[n]);
        int value = abs(undo.met) == FLAG ? side * score + depth * 50 : -search(-side, depth - 1, -beta, -alpha);
        take_back(moves[n], undo);
        if (value > best)
            best = value;
        if (value > alpha)
            alpha = value;
        if (alpha >= beta)
            break;
    }
    return best;
}

/* -- the choice ------------------------------------------------------------------------------------- */

static uint64_t hash_after(Move move)
{
    uint64_t hash = 1469598103934665603u;
    for (int square = 13; square < SIZE - 13; square++) {
        int piece = square == move.from ? 0 : square == move.to ? known[move.from] : known[square];
        hash = (hash ^ (uint64_t)(piece + 128)) * 1099511628211u;
    }
    return hash;
}

static int times_past(uint64_t hash)
{
    int times = 0;
    for (int n = 0; n < past_count; n++)
        times += past[n] == hash;
    return times;
}

static Move choose(void)
{
    Move moves[MOST_MOVES];
    double merits[MOST_MOVES] = {0};
    memcpy(board, known, sizeof board);
    int count = moves_of(1, 0, moves), guesses = 0;
    positions = 0;
    while (count > 1 && guesses < GUESSES && positions < POSITIONS) {
        guess();
        look_at_all();
        for (int n = 0; n < count; n++) {
            Undo undo = play(moves[n]);
            merits[n] += abs(undo.met) == FLAG ? score + 100 * DEPTH : -search(-1, DEPTH - 1, -4 * WON, 4 * WON);
            take_back(moves[n], undo);
        }
        guesses++;
    }
    int best = 0;
    double most = -1e18;
    for (int n = 0; n < count; n++) {
        double merit = guesses ? merits[n] / guesses : 0;
        if (known[moves[n].to] == 0)
            merit -= 12.0 * times_past(hash_after(moves[n]));
        else if (known[moves[n].to] == -HIDDEN)
            merit += 5 + quiet * 0.4;
        merit += draw(100) / 100.0;
        if (merit > most) {
            most = merit;
            best = n;
        }
    }
    if (known[moves[best].to] != 0)
        past_count = 0;
    else if (past_count < 4096)
        past[past_count++] = hash_after(moves[best]);
    return moves[best];
}

/* -- the conversation ------------------------------------------------------------------------------- */

static void set_up(void)
{
    const char *army = SET_UPS[draw(sizeof SET_UPS / sizeof *SET_UPS)];
    int mirrored = (int)draw(2);
    printf("setup");
    for (int deep = 0; deep < 4; deep++) {
        printf(" %d:", seat == 1 ? deep + 1 : 10 - deep);
        for (int column = 0; column < 10; column++)
            putchar(army[deep * 10 + (mirrored ? 9 - column : column)]);
    }
    puts("");
}

int main(void)
{
    char *line = NULL, one, other;
    size_t size = 0;
    int a, b, c, d, whose;
    long seed;
    while (getline(&line, &size, stdin) > 0) {
        if (strncmp(line, "hello ", 6) == 0) {
            puts("hello 1");
        } else if (sscanf(line, "new %*d %d %*d %ld", &a, &seed) == 2) {
            forget(a, (uint64_t)seed);
            puts("ready");
        } else if (sscanf(line, "zones %d %d", &a, &b) == 2) {
            hear_zones(a, b);
        } else if (strncmp(line, "army ", 5) == 0) {
            hear_army(line);
        } else if (sscanf(line, "marched %d %d %d %d %d", &whose, &a, &b, &c, &d) == 5) {
            hear_marched(a, b, c, d);
        } else if (sscanf(line, "collision %c %c %d", &one, &other, &whose) == 3) {
            hear_collision(one, other, whose);
        } else if (strncmp(line, "setup ", 6) == 0) {
            set_up();
        } else if (strncmp(line, "march ", 6) == 0) {
            Move move = choose();
            printf("march %d %d %d %d\n", move.from / WIDE, move.from % WIDE, move.to / WIDE, move.to % WIDE);
        } else if (strncmp(line, "bye", 3) == 0) {
            break;
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
