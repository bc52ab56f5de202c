/* A simulated table of Biplane with planes, shots, hands and deck; all cards are known. turn.h plays the
 * turns. Seats count from 0.
 */
enum { MOST_SEATS = 4, MOST_SHOTS = 14 };

typedef struct {
    int count;
    int8_t cards[CARDS];
} Heap;

typedef struct {
    int plane[MOST_SEATS], lost[MOST_SEATS];
    int out[MOST_SEATS], down[MOST_SEATS], open[MOST_SEATS];
    Cards own[MOST_SEATS]; /* all cards of the permanent hand, also those on the table */
    Heap hand[MOST_SEATS]; /* both hands, including cards used in this flight */
    Cards used;
    int shot_count, shots[MOST_SHOTS + 1];
    Heap deck, discards;
    int passes, over;
} Sky;

static int seats, tree;
static int steps;            /* steps of each shot before a turn */
static int side[MOST_SEATS]; /* allies have the same number */
static uint64_t luck = 1;

static int draw(int count) /* a random number from 0 to count - 1 */
{
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return (int)((luck >> 33) % (uint64_t)count);
}

static void put(Heap *heap, int card) { heap->cards[heap->count++] = (int8_t)card; }

static int pull(Heap *heap, int index)
{
    int card = heap->cards[index];
    heap->cards[index] = heap->cards[--heap->count];
    return card;
}

static void pull_card(Heap *heap, int card)
{
    for (int n = 0; n < heap->count; n++)
        if (heap->cards[n] == card) {
            pull(heap, n);
            return;
        }
}

static int is_own(const Sky *sky, int seat, int card) { return (sky->own[seat] & bit(card)) != 0; }

/* Takes the next card of the deck. If it was the last card, a new deck is made without it. After the last
 * pass the match is over. */
static int take(Sky *sky)
{
    int card = pull(&sky->deck, draw(sky->deck.count));
    if (sky->deck.count == 0) {
        sky->passes++;
        sky->deck = sky->discards;
        sky->discards.count = 0;
        sky->over = sky->passes >= seats || sky->deck.count == 0;
    }
    return card;
}

static int plane_in(const Sky *sky, int where)
{
    for (int seat = 0; seat < seats; seat++)
        if (sky->plane[seat] != NONE && space(sky->plane[seat]) == where)
            return seat;
    return NONE;
}

static int shot_in(const Sky *sky, int where)
{
    for (int n = 0; n < sky->shot_count; n++)
        if (space(sky->shots[n] / 2) == where)
            return 1;
    return 0;
}

static void leave(Sky *sky, int seat)
{
    sky->plane[seat] = NONE;
    sky->lost[seat]++;
}

static void come_back(Sky *sky, int seat)
{
    while (!sky->over && sky->plane[seat] == NONE) {
        int card = take(sky), place = landing[card];
        put(&sky->discards, card);
        if (place != NONE && plane_in(sky, space(place)) == NONE && !shot_in(sky, space(place)))
            sky->plane[seat] = place;
    }
}

static void lose(Sky *sky, int seat)
{
    leave(sky, seat);
    come_back(sky, seat);
}

/* -- shots ------------------------------------------------------------------------------------------ */

static void remove_shot(Sky *sky, int index)
{
    memmove(sky->shots + index, sky->shots + index + 1, sizeof(int) * (size_t)(sky->shot_count - index - 1));
    sky->shot_count--;
}

static int strikes(Sky *sky, int index)
{
    int seat = plane_in(sky, space(sky->shots[index] / 2));
    if (seat == NONE)
        return 0;
    remove_shot(sky, index);
    lose(sky, seat);
    return 1;
}

static int flown_on(Sky *sky, int index, int count) /* returns whether the shot is still there */
{
    while (count--) {
        sky->shots[index] = onward[sky->shots[index]];
        if (sky->shots[index] == NONE) {
            remove_shot(sky, index);
            return 0;
        }
        if (strikes(sky, index))
            return 0;
    }
    return 1;
}

static void move_shots(Sky *sky)
{
    for (int index = 0; index < sky->shot_count && !sky->over;)
        index += flown_on(sky, index, steps);
}

static void fire(Sky *sky, int seat, int card)
{
    int place = ahead[sky->plane[seat]];
    if (is_own(sky, seat, card))
        sky->used |= bit(card);
    else {
        pull_card(&sky->hand[seat], card);
        put(&sky->discards, card);
    }
    if (place == NONE || (tree && space(place) == TREE))
        return;
    sky->shots[sky->shot_count++] = place * 2;
    if (!strikes(sky, sky->shot_count - 1))
        flown_on(sky, sky->shot_count - 1, 1);
}

/* A Shoot that the seat may use now. A Shoot of the permanent hand is preferred. */
static int shoot_card(const Sky *sky, int seat)
{
    int found = NONE;
    const Heap *hand = &sky->hand[seat];
    for (int n = 0; n < hand->count && sky->shot_count < MOST_SHOTS; n++) {
        int card = hand->cards[n];
        if (card >= SHOOT && !(sky->used & bit(card)) && (found == NONE || is_own(sky, seat, card)))
            found = card;
    }
    return found;
}

/* The seat that a shot from here hits if its plane does not fly away before; NONE if the shot hits nobody.
 * `distance` is the number of spaces to the plane. */
static int target(const Sky *sky, int place, int seat, int *distance)
{
    int shot = ahead[place] == NONE ? NONE : ahead[place] * 2, most = 2 + steps * (seats - 1);
    for (*distance = 1; shot != NONE && *distance <= most; ++*distance, shot = onward[shot]) {
        int met = plane_in(sky, space(shot / 2));
        if (met != NONE && met != seat)
            return *distance <= 2 + steps * ((met - seat + seats) % seats) ? met : NONE;
    }
    return NONE;
}

static int is_enemy(int one, int other) { return one != other && side[one] != side[other]; }
