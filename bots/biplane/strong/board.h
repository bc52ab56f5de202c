/* The board and the deck of Biplane: where tracks and loops lead, and what labels mean.
 *
 * A space is row * 12 + column (both from 0). A place is space * 4 + facing. A shot is place * 2, plus 1 if
 * it is orange. NONE stands for no value. Cards are numbered as in CARD_NAMES.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 7, COLUMNS = 12, PLACES = ROWS * COLUMNS * 4, SHOTS = PLACES * 2, TREE = 6, NONE = -1 };
enum { RIGHT, UP, LEFT, DOWN };
enum { CARDS = 64, REPEAT = 48, SHOOT = 56 };

typedef uint64_t Cards; /* a set of cards, one bit per card */

static const int UPWARD[] = {0, 1, 0, -1}, RIGHTWARD[] = {1, 0, -1, 0};
static const int KIND[] = {0, 1, 1, 2, 3, 4, 5, 6};      /* the Maneuver of each group of six cards */
static const int SPACES[] = {1, 2, 3, 1, 2, 1, 2};       /* the number of spaces of a Maneuver */
static const int SENSE[] = {NONE, NONE, NONE, 0, 0, 1, 1}; /* 0 clockwise, 1 counter-clockwise */
static char CARD_NAMES[CARDS][5];
static int ahead[PLACES], quarter[2][PLACES]; /* the next place: straight ahead; in a loop */
static int onward[SHOTS];                     /* the same shot one step later */
static int landing[CARDS];                    /* the place that a card names for a respawn */

static Cards bit(int card) { return (Cards)1 << card; }
static int is_maneuver(int card) { return card < REPEAT; }
static int is_repeat(int card) { return card >= REPEAT && card < SHOOT; }
static int kind(int card) { return KIND[card / 6]; }
static int space(int place) { return place >> 2; }

static int place_at(int row, int column, int facing)
{
    column = (column + COLUMNS) % COLUMNS;
    if (row < 0 || row >= ROWS || (row % 2 == 1 && column % 2 == 0))
        return NONE;
    return (row * COLUMNS + column) * 4 + facing;
}

static int looped(int row, int column, int facing, int sense)
{
    int turned = (facing + (sense ? 1 : 3)) % 4;
    int centre_row = row + UPWARD[turned], centre_column = column + RIGHTWARD[turned] + COLUMNS;
    if (centre_row < 1 || centre_row % 2 == 0 || centre_row >= ROWS || centre_column % 2 == 1)
        return NONE;
    return place_at(centre_row + UPWARD[facing], centre_column + RIGHTWARD[facing], turned);
}

/* A yellow shot becomes orange between columns 12 and 1. An orange shot disappears there. */
static int stepped(int shot, int tree)
{
    int place = shot / 2, column = space(place) % COLUMNS, facing = place % 4;
    int seam = (facing == RIGHT && column == COLUMNS - 1) || (facing == LEFT && column == 0);
    if (ahead[place] == NONE || (seam && shot % 2) || (tree && space(ahead[place]) == TREE))
        return NONE;
    return ahead[place] * 2 + (seam || shot % 2);
}

static int landed(const char *label, int tree)
{
    int row = label[0] - 'A', column = atoi(label + 1) - 1;
    if (label[0] == 'S' || (tree && row == 0 && column == TREE && !strchr(label, 'U')))
        return NONE;
    if (tree && row == 0 && column >= 1 && column <= 5)
        column += 6;
    return place_at(row, column, strchr(label, 'U') ? UP : RIGHT);
}

static void lay_out(void)
{
    const char *others[] = {"A2U", "A4U", "A6U", "A8U", "A10U", "A12U", "B4U", "B10U",
                            "S1",  "S2",  "S3",  "S4",  "B2U",  "B6U",  "B8U", "B12U"};
    for (int card = 0; card < REPEAT; card++)
        sprintf(CARD_NAMES[card], "%c%d", "ACEG"[card / 12], card % 12 + 1);
    for (int card = REPEAT; card < CARDS; card++)
        strcpy(CARD_NAMES[card], others[card - REPEAT]);
    for (int place = 0; place < PLACES; place++) {
        int row = space(place) / COLUMNS, column = space(place) % COLUMNS, facing = place % 4;
        ahead[place] = place_at(row + UPWARD[facing], column + RIGHTWARD[facing], facing);
        for (int sense = 0; sense < 2; sense++)
            quarter[sense][place] = looped(row, column, facing, sense);
    }
}

static void plant(int tree) /* `tree` is NONE if the board has no tree */
{
    for (int shot = 0; shot < SHOTS; shot++)
        onward[shot] = stepped(shot, tree);
    for (int card = 0; card < CARDS; card++)
        landing[card] = landed(CARD_NAMES[card], tree);
}

static int flies(int card, int place)
{
    int sense = SENSE[kind(card)];
    return sense == NONE || quarter[sense][place] != NONE;
}

/* The next place of a flight; NONE at the ground. At the ceiling the plane turns down in the same space. */
static int next_place(int card, int place)
{
    int sense = SENSE[kind(card)];
    if (sense != NONE && quarter[sense][place] != NONE)
        return quarter[sense][place];
    return ahead[place] == NONE && place % 4 == UP ? place | DOWN : ahead[place];
}
