/* Simulates turns of Biplane by the rules. Each seat chooses by a quick estimate that is partly random. */

enum { LUCK = 24, TARGET = 20, CRASH = 20, PASSED = 60, LOSS = 100 }; /* terms of the estimate */

static int worth_shooting(const Sky *sky, int seat, int left)
{
    int distance, met = target(sky, sky->plane[seat], seat, &distance);
    int into_it = left >= 2 && distance > 2 && SENSE[kind(sky->out[seat])] == NONE;
    return met != NONE && is_enemy(seat, met) && !into_it;
}

static int maneuver_of(const Sky *sky, int seat, int card) { return is_repeat(card) ? sky->out[seat] : card; }

/* The cards that the seat may place: Maneuvers and Repeats that can fly from here, or all if none of them
 * can. */
static int placeable(const Sky *sky, int seat, int *cards)
{
    int count = 0, fit = 0, all[CARDS + 1];
    const Heap *hand = &sky->hand[seat];
    for (int n = 0; n < hand->count; n++)
        if (is_maneuver(hand->cards[n]) || (is_repeat(hand->cards[n]) && sky->out[seat] != NONE))
            all[count++] = hand->cards[n];
    if (sky->open[seat] != NONE)
        all[count++] = sky->open[seat];
    for (int n = 0; n < count; n++)
        if (flies(maneuver_of(sky, seat, all[n]), sky->plane[seat]))
            cards[fit++] = all[n];
    if (!fit)
        memcpy(cards, all, sizeof(int) * (size_t)count);
    return fit ? fit : count;
}

/* Marks spaces that shots will reach: bit 1 where a shot is at this seat's next turn, bit 2 where shots pass
 * in the round after it. */
static void foresee(const Sky *sky, uint8_t *danger)
{
    memset(danger, 0, ROWS * COLUMNS);
    for (int n = 0; n < sky->shot_count; n++) {
        int shot = sky->shots[n];
        for (int step = 0; shot != NONE && step < 2 * steps * seats; step++) {
            shot = onward[shot];
            if (shot != NONE && step == steps * seats - 1)
                danger[space(shot / 2)] |= 1;
            else if (shot != NONE && step >= steps * seats)
                danger[space(shot / 2)] |= 2;
        }
    }
    if (tree)
        danger[TREE] = 1;
}

static int merit(const Sky *sky, int seat, int card, const uint8_t *danger)
{
    int place = sky->plane[seat], distance, met, value = draw(LUCK);
    card = maneuver_of(sky, seat, card);
    for (int left = flies(card, place) ? SPACES[kind(card)] : 1; left > 0; left--) {
        int turned = ahead[place] == NONE;
        place = next_place(card, place);
        if (place == NONE || (danger[space(place)] & 1))
            return value - LOSS;
        met = plane_in(sky, space(place));
        if (met != NONE && met != seat)
            return value - (is_enemy(seat, met) ? CRASH : LOSS);
        if (turned && place % 4 == DOWN)
            break;
        met = target(sky, place, seat, &distance);
        if (met != NONE && is_enemy(seat, met))
            value += TARGET;
    }
    return value - (danger[space(place)] & 2 ? PASSED : 0);
}

static int likely(const Sky *sky, int seat, const int *cards, int count)
{
    uint8_t danger[ROWS * COLUMNS];
    int best = cards[0], most = -1000;
    if (count > 1)
        foresee(sky, danger);
    for (int n = 0; n < count && count > 1; n++) {
        int value = merit(sky, seat, cards[n], danger);
        if (value > most) {
            most = value;
            best = cards[n];
        }
    }
    return best;
}

static int worth_holding(int card) { return card >= SHOOT ? 2 : is_repeat(card); }

/* -- a turn ----------------------------------------------------------------------------------------- */

static void place_card(Sky *sky, int seat, int card)
{
    sky->used = 0;
    sky->down[seat] = card;
    pull_card(&sky->hand[seat], card);
    if (sky->open[seat] != card && sky->open[seat] != NONE)
        put(&sky->discards, sky->open[seat]);
    if (sky->open[seat] != card)
        sky->open[seat] = NONE;
}

static void throw_away(Sky *sky, int seat, int card)
{
    pull_card(&sky->hand[seat], card);
    put(&sky->discards, card);
}

static void thin_out(Sky *sky, int seat)
{
    for (;;) {
        const Heap *hand = &sky->hand[seat];
        int temporary = 0, limit = 0, least = NONE;
        for (Cards own = sky->own[seat] >> REPEAT & 0xFF; own; own &= own - 1)
            limit++;
        limit += sky->open[seat] != NONE;
        for (int n = 0; n < hand->count; n++) {
            int card = hand->cards[n];
            if (is_own(sky, seat, card))
                continue;
            temporary++;
            limit += is_repeat(card);
            if (least == NONE || worth_holding(card) < worth_holding(least))
                least = card;
        }
        if (temporary <= limit)
            return;
        throw_away(sky, seat, least);
    }
}

static void reveal(Sky *sky, int seat)
{
    int card = sky->down[seat], before = sky->out[seat];
    sky->down[seat] = NONE;
    if (is_maneuver(card)) {
        sky->out[seat] = card;
        if (before != NONE)
            put(is_own(sky, seat, before) ? &sky->hand[seat] : &sky->discards, before);
        return;
    }
    if (is_own(sky, seat, card))
        put(&sky->hand[seat], card);
    else
        sky->open[seat] = card;
    put(&sky->hand[seat], take(sky));
    if (!sky->over)
        thin_out(sky, seat);
}

static void crash(Sky *sky, int seat, int met)
{
    leave(sky, seat);
    leave(sky, met);
    come_back(sky, seat);
    come_back(sky, met);
}

static int enter(Sky *sky, int seat, int place) /* returns whether the plane survived */
{
    int met = plane_in(sky, space(place)), hit = 0;
    sky->plane[seat] = place;
    if (met != NONE) {
        crash(sky, seat, met);
        return 0;
    }
    for (int n = sky->shot_count - 1; n >= 0; n--)
        if (space(sky->shots[n] / 2) == space(place)) {
            remove_shot(sky, n);
            hit = 1;
        }
    if (hit || (tree && space(place) == TREE))
        lose(sky, seat);
    return !hit && !(tree && space(place) == TREE);
}

static int step(Sky *sky, int seat) /* returns whether it entered a space and survived */
{
    int here = sky->plane[seat], place = next_place(sky->out[seat], here);
    if (place == NONE) {
        lose(sky, seat);
        return 0;
    }
    if (space(place) == space(here)) {
        sky->plane[seat] = place;
        return 0;
    }
    return enter(sky, seat, place);
}

static void fly(Sky *sky, int seat, int left)
{
    while (left-- > 0 && !sky->over && step(sky, seat)) {
        int card = shoot_card(sky, seat);
        if (card != NONE && worth_shooting(sky, seat, left))
            fire(sky, seat, card);
    }
}

static void take_off(Sky *sky, int seat)
{
    int card = sky->out[seat];
    fly(sky, seat, flies(card, sky->plane[seat]) ? SPACES[kind(card)] : 1);
}

static void land(Sky *sky, int seat)
{
    int cards[CARDS + 1], count;
    if (sky->over)
        return;
    count = placeable(sky, seat, cards);
    place_card(sky, seat, likely(sky, seat, cards, count));
}

static void play_on(Sky *sky, int seat, int turns)
{
    while (turns-- > 0 && !sky->over) {
        move_shots(sky);
        if (!sky->over)
            reveal(sky, seat);
        if (!sky->over)
            take_off(sky, seat);
        land(sky, seat);
        seat = (seat + 1) % seats;
    }
}
