/* Records what `state` says about a match, and makes possible tables: it deals the hidden cards at random. */

typedef struct {
    Sky sky;                    /* without the hidden cards: other hands and the deck */
    Cards permanent, temporary; /* our hands; `permanent` without the used cards */
    int hand_count[MOST_SEATS], temporary_count[MOST_SEATS], revealed[MOST_SEATS];
    char placed[MOST_SEATS]; /* source of the next card: p, t or o; 0 if there is no next card */
    int next;                /* our card for the next turn */
    int turn;
} Known;

static Known known;
static int me;

static int card_named(const char *name)
{
    for (int card = 0; card < CARDS; card++)
        if (strcmp(name, CARD_NAMES[card]) == 0)
            return card;
    return NONE;
}

static int place_named(const char *name) /* returns NONE for `off` */
{
    const char *facing = strchr("RULD", name[strlen(name) - 1]);
    return facing && *facing ? place_at(name[0] - 'A', atoi(name + 1) - 1, (int)(facing - "RULD")) : NONE;
}

static Cards cards_named(char *rest)
{
    Cards cards = 0;
    for (char *word = strtok(rest, " "); word; word = strtok(NULL, " "))
        if (card_named(word) != NONE)
            cards |= bit(card_named(word));
    return cards;
}

static void pour(Heap *heap, Cards cards)
{
    for (int card = 0; card < CARDS; card++)
        if (cards & bit(card))
            put(heap, card);
}

static void forget(void)
{
    memset(&known, 0, sizeof known);
    known.next = NONE;
    for (int seat = 0; seat < MOST_SEATS; seat++) {
        known.sky.plane[seat] = known.sky.out[seat] = known.sky.down[seat] = known.sky.open[seat] = NONE;
        known.revealed[seat] = NONE;
    }
}

static void hear_shots(char *rest)
{
    for (char *word = strtok(rest, " "); word; word = strtok(NULL, " ")) {
        int orange = word[strlen(word) - 1] == 'O';
        word[strlen(word) - 1] = 0;
        known.sky.shots[known.sky.shot_count++] = place_named(word) * 2 + orange;
    }
}

static void hear_state(char *line)
{
    char name[16];
    int seat, one, other, start = 0;
    if (sscanf(line, "turn %d", &known.turn) == 1) {
        return;
    } else if (strncmp(line, "shots", 5) == 0) {
        hear_shots(line + 5);
    } else if (sscanf(line, "passes %d", &known.sky.passes) == 1) {
        return;
    } else if (strncmp(line, "discards", 8) == 0) {
        pour(&known.sky.discards, cards_named(line + 8));
    } else if (sscanf(line, "plane %d %15s", &seat, name) == 2) {
        known.sky.plane[seat - 1] = place_named(name);
    } else if (sscanf(line, "hands %d %d %d", &seat, &one, &other) == 3) {
        known.hand_count[seat - 1] = one;
        known.temporary_count[seat - 1] = other;
    } else if (sscanf(line, "seen %d%n", &seat, &start) == 1 && start) {
        known.sky.own[seat - 1] = cards_named(line + start);
    } else if (sscanf(line, "out %d %15s", &seat, name) == 2) {
        known.sky.out[seat - 1] = card_named(name);
    } else if (sscanf(line, "revealed %d %15s", &seat, name) == 2) {
        known.revealed[seat - 1] = card_named(name);
    } else if (sscanf(line, "placed %d %c", &seat, name) == 2) {
        known.placed[seat - 1] = name[0];
    } else if (strncmp(line, "permanent", 9) == 0) {
        known.permanent = cards_named(line + 9);
    } else if (strncmp(line, "temporary", 9) == 0) {
        known.temporary = cards_named(line + 9);
    } else if (sscanf(line, "next %15s", name) == 1) {
        known.next = card_named(name);
    }
}

/* Takes a random card out of the pool, or a random Maneuver if `only_maneuvers` is set. */
static int from_pool(Heap *pool, int only_maneuvers)
{
    int fit[CARDS], count = 0;
    for (int n = 0; n < pool->count; n++)
        if (!only_maneuvers || is_maneuver(pool->cards[n]))
            fit[count++] = n;
    return count ? pull(pool, fit[draw(count)]) : NONE;
}

/* After the last line of the state: adds everything that follows from its lines. */
static void conclude(void)
{
    Sky *sky = &known.sky;
    sky->own[me] |= known.permanent;
    if (known.placed[me] == 'p')
        sky->own[me] |= bit(known.next);
    for (int seat = 0; seat < seats; seat++) {
        int card = known.revealed[seat];
        int stays = known.placed[seat] == 'o' || !known.placed[seat];
        if (card != NONE && is_repeat(card) && !is_own(sky, seat, card) && stays)
            sky->open[seat] = card; /* it is temporary: revealed permanent cards count as seen */
    }
    for (int card = 0; card < CARDS; card++)
        if ((sky->own[me] | known.temporary) & bit(card) && card != sky->out[me] && card != known.next)
            put(&sky->hand[me], card);
    sky->used = sky->own[me] & ~known.permanent;
    sky->down[me] = known.next;
}

/* Makes up the permanent hand of another seat. It has the cards that were seen and at least two Maneuvers. In
 * the first pass of the deck it also has the Shoot that it was dealt, if it has room. Returns whether it is
 * complete. */
static int make_up_permanent(Sky *sky, int seat, Heap *pool)
{
    Cards *own = &sky->own[seat];
    int size = known.hand_count[seat] + (known.placed[seat] == 'p'), held = 0, maneuvers = 0;
    size += sky->out[seat] != NONE && is_own(sky, seat, sky->out[seat]);
    for (int card = 0; card < CARDS; card++)
        if (*own & bit(card)) {
            held++;
            maneuvers += is_maneuver(card);
        }
    for (int n = 0; n < pool->count && sky->passes == 0 && held + 2 - maneuvers < size; n++)
        if (pool->cards[n] == SHOOT + seat) {
            *own |= bit(pull(pool, n));
            held++;
        }
    for (; held < size; held++, maneuvers++) {
        int card = from_pool(pool, maneuvers < 2);
        if (card == NONE)
            return 0;
        *own |= bit(card);
    }
    return maneuvers >= 2;
}

static int make_up(Sky *sky, int seat, Heap *pool) /* returns whether the pool has enough cards */
{
    int cards[CARDS + 1], card;
    if (!make_up_permanent(sky, seat, pool))
        return 0;
    pour(&sky->hand[seat], sky->own[seat]);
    if (sky->out[seat] != NONE)
        pull_card(&sky->hand[seat], sky->out[seat]);
    if (known.placed[seat] == 'o')
        sky->down[seat] = sky->open[seat];
    else if (known.placed[seat] == 't')
        sky->down[seat] = from_pool(pool, 1);
    else /* in the set-up: it will place a card before the first turn */
        sky->down[seat] = likely(sky, seat, cards, placeable(sky, seat, cards));
    pull_card(&sky->hand[seat], sky->down[seat]);
    for (int n = 0; n < known.temporary_count[seat]; n++)
        if ((card = from_pool(pool, 0)) != NONE)
            put(&sky->hand[seat], card);
    return sky->down[seat] != NONE;
}

/* Makes a possible table. Returns 0 if the drawn cards do not fit the rules. */
static int imagine(Sky *sky)
{
    Cards elsewhere = known.permanent | known.temporary;
    Heap pool = {0};
    *sky = known.sky;
    for (int seat = 0; seat < seats; seat++) {
        const int cards[] = {sky->out[seat], sky->open[seat], sky->down[seat]};
        elsewhere |= sky->own[seat];
        for (int n = 0; n < 3; n++)
            if (cards[n] != NONE)
                elsewhere |= bit(cards[n]);
    }
    for (int n = 0; n < sky->discards.count; n++)
        elsewhere |= bit(sky->discards.cards[n]);
    pour(&pool, ~elsewhere);
    for (int seat = 0; seat < seats; seat++)
        if (seat != me && !make_up(sky, seat, &pool))
            return 0;
    sky->deck = pool;
    return pool.count > 0;
}
