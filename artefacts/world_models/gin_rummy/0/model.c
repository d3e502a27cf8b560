enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 241,
    MAX_CHANCE_OUTCOMES = 52,
    MAX_GAME_LENGTH = 180
};
#define MIN_UTILITY -125.0
#define MAX_UTILITY 125.0

/* actions beyond the cards */
enum { UPCARD = 52, STOCK = 53, PASS = 54, KNOCK = 55, MELD0 = 56 };

/* phases */
enum {
    DEAL = 0,
    FIRST = 1,
    DRAW = 2,
    DISCARD = 3,
    KNOCK_DISCARD = 4,
    LAYOFF = 5,
    WALL = 6,
    OVER = 7,
    KNOCK_MELD = 8
};

enum {
    KNOCK_CARD = 10,
    LAST_UPCARD = 49,
    WALL_STOCK = 2,
    TAKEN = 64,          /* marks of an upcard in the log */
    BURIED = 128,
    MAX_LOG = 80,        /* the first upcard and at most 79 discards */
    MAX_SLOTS = 40,      /* at most 39 cards are dealt to one player */
    MAX_MELDS = 48,      /* at most 11 sets and 24 runs are in 11 cards */
    RUN3 = 65,           /* first melds of each kind of run, less MELD0 */
    RUN4 = 109,
    RUN5 = 149
};

#define ALL_CARDS 4503599627370495ULL
#define SUITS 549822930945ULL
#define STARTS3 1125487539644415ULL
#define STARTS4 562468858356735ULL
#define STARTS5 280959517712895ULL
#define LOW_HALF 67108863ULL
#define NOTHING 18446744073709551615ULL
#define GEOMETRIC -11.492749966698975

static const uint8_t VALUE[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10};

static const char NAMES[52][3] = {
    "As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks",
    "Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc", "Qc", "Kc",
    "Ad", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "Td", "Jd", "Qd", "Kd",
    "Ah", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "Th", "Jh", "Qh", "Kh"
};

static const char PHASES[9][16] = {
    "deal", "first upcard", "draw", "discard", "knock", "layoff", "wall", "over", "knock"
};

typedef struct {
    uint64_t hand[2];
    uint64_t stock;
    uint64_t common;      /* hash of the moves that both players have seen */
    uint64_t own[2];      /* hash of the cards dealt to each player, in order */
    uint8_t phase;
    int8_t mover;         /* what current_player says */
    uint8_t turn;         /* player to act, or who gets the card from the stock */
    uint8_t left;         /* size of the stock */
    int8_t up;
    int8_t prev;
    uint8_t passed;
    uint8_t repeated;
    uint8_t drawn;
    int8_t knocker;
    int8_t last;          /* discard of the knocker, or -1 */
    uint8_t closed;       /* layoffs over */
    uint8_t melds[2];
    uint8_t layoffs;
    uint8_t entries;      /* of the log */
    uint8_t meld[2][3];   /* melds as actions */
    uint8_t layoff[10];
    uint8_t track[MAX_LOG];
} State;

typedef struct {
    uint64_t common;
    uint64_t own;
    uint64_t shown;
    uint32_t left;
    uint32_t player;
} Information;

/* ------------------------------------------------------------------ cards */

static uint64_t mixed(uint64_t hash, int event)
{
    hash = (hash ^ ((uint64_t)event + 1ULL)) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 32);
}

static int total(uint64_t cards)
{
    return __builtin_popcountll(cards & (SUITS * 341ULL))
        + 2 * __builtin_popcountll(cards & (SUITS * 7782ULL))
        + 4 * __builtin_popcountll(cards & (SUITS * 120ULL))
        + 8 * __builtin_popcountll(cards & (SUITS * 8064ULL));
}

/* All cards that are in a run of at least three. */
static uint64_t run_cards(uint64_t cards)
{
    uint64_t start = cards & (cards >> 1) & (cards >> 2) & STARTS3;
    return start | (start << 1) | (start << 2);
}

/* The ranks of which there are at least three cards. */
static unsigned set_ranks(uint64_t cards)
{
    unsigned s = (unsigned)(cards & 8191ULL);
    unsigned c = (unsigned)((cards >> 13) & 8191ULL);
    unsigned d = (unsigned)((cards >> 26) & 8191ULL);
    unsigned h = (unsigned)((cards >> 39) & 8191ULL);
    return (s & c & (d | h)) | (d & h & (s | c));
}

/* The value of the card of the highest rank; there is one. */
static int top_value(uint64_t cards)
{
    unsigned ranks = (unsigned)((cards | (cards >> 13) | (cards >> 26) | (cards >> 39)) & 8191ULL);
    return VALUE[31 - __builtin_clz(ranks)];
}

static int list_cards(uint64_t cards, int *list)
{
    int count = 0;
    while (cards) {
        list[count++] = __builtin_ctzll(cards);
        cards &= cards - 1;
    }
    return count;
}

/* Card number k, counted from 0; there are more than k. */
static int nth_card(uint64_t cards, int k)
{
    int low = __builtin_popcountll(cards & LOW_HALF);
    if (k >= low) {
        k -= low;
        cards &= ~LOW_HALF;
    }
    while (k > 0) {
        cards &= cards - 1;
        k--;
    }
    return __builtin_ctzll(cards);
}

/* --------------------------------------------------------------- deadwood */

/* The most that melds count; ranks are those of the sets to decide on. */
static int best_melds(uint64_t hand, unsigned ranks)
{
    uint64_t runs = run_cards(hand);
    int sum = 0;
    while (ranks) {
        int rank = __builtin_ctz(ranks);
        uint64_t set = hand & (SUITS << rank);
        int value = VALUE[rank];
        int size = __builtin_popcountll(set);
        ranks &= ranks - 1;
        if (set & runs) {
            int most = best_melds(hand, ranks);
            int count = size * value + best_melds(hand ^ set, ranks);
            if (count > most) {
                most = count;
            }
            if (size == 4) {
                uint64_t rest = set;
                while (rest) {
                    uint64_t others = rest & (rest - 1);
                    uint64_t low = rest ^ others;
                    rest = others;
                    count = 3 * value + best_melds(hand ^ set ^ low, ranks);
                    if (count > most) {
                        most = count;
                    }
                }
            }
            return sum + most;
        }
        sum += size * value;
        hand ^= set;
    }
    return sum + total(runs);
}

/* The least deadwood of all arrangements. */
static int least(uint64_t hand)
{
    unsigned ranks = set_ranks(hand);
    uint64_t runs = run_cards(hand);
    uint64_t sets = hand & (SUITS * (uint64_t)ranks);
    if (sets & runs) {
        return total(hand) - best_melds(hand, ranks);
    }
    return total(hand & ~(runs | sets));
}

static uint64_t first_rest(const uint64_t *masks, const uint8_t *values, int count, int from,
                           uint64_t hand, int need)
{
    int i;
    for (i = from; i < count; i++) {
        int value = values[i];
        if (value <= need && (hand & masks[i]) == masks[i]) {
            uint64_t rest = hand ^ masks[i];
            if (value == need) {
                return rest;
            }
            rest = first_rest(masks, values, count, i + 1, rest, need - value);
            if (rest != NOTHING) {
                return rest;
            }
        }
    }
    return NOTHING;
}

/* Cards outside the melds of the first arrangement that counts need. */
static uint64_t leftover(uint64_t hand, int need)
{
    uint64_t masks[MAX_MELDS];
    uint8_t values[MAX_MELDS];
    int count = 0;
    int rank;
    unsigned ranks = set_ranks(hand);
    uint64_t three, four, five;

    for (rank = 0; rank < 13; rank++) {
        uint64_t all = SUITS << rank;
        if ((hand & all) == all) {
            masks[count] = all;
            values[count++] = (uint8_t)(4 * VALUE[rank]);
            masks[count] = all ^ (1ULL << (26 + rank));
            values[count++] = (uint8_t)(3 * VALUE[rank]);
            masks[count] = all ^ (1ULL << (13 + rank));
            values[count++] = (uint8_t)(3 * VALUE[rank]);
        }
    }
    while (ranks) {
        uint64_t all;
        rank = __builtin_ctz(ranks);
        ranks &= ranks - 1;
        all = SUITS << rank;
        if ((hand & all) == all) {
            masks[count] = all ^ (1ULL << (39 + rank));
            values[count++] = (uint8_t)(3 * VALUE[rank]);
            masks[count] = all ^ (1ULL << rank);
            values[count++] = (uint8_t)(3 * VALUE[rank]);
        } else {
            masks[count] = hand & all;
            values[count++] = (uint8_t)(3 * VALUE[rank]);
        }
    }
    three = hand & (hand >> 1) & (hand >> 2);
    four = three & (hand >> 3);
    five = four & (hand >> 4) & STARTS5;
    three &= STARTS3;
    four &= STARTS4;
    while (five) {
        masks[count] = 31ULL << __builtin_ctzll(five);
        values[count] = (uint8_t)total(masks[count]);
        count++;
        five &= five - 1;
    }
    while (four) {
        masks[count] = 15ULL << __builtin_ctzll(four);
        values[count] = (uint8_t)total(masks[count]);
        count++;
        four &= four - 1;
    }
    while (three) {
        masks[count] = 7ULL << __builtin_ctzll(three);
        values[count] = (uint8_t)total(masks[count]);
        count++;
        three &= three - 1;
    }
    return first_rest(masks, values, count, 0, hand, need);
}

/* The count of deadwood of 11 cards. */
static int count11(uint64_t hand)
{
    unsigned ranks = set_ranks(hand);
    uint64_t runs = run_cards(hand);
    uint64_t sets = hand & (SUITS * (uint64_t)ranks);
    uint64_t left = hand & ~(runs | sets);
    int rest = total(left);
    if (sets & runs) {
        int best = best_melds(hand, ranks);
        int real = total(hand) - best;
        if (real == 0) {
            return 0;
        }
        if (real != rest) {
            left = leftover(hand, best);
            rest = real;
        }
    }
    if (rest == 0) {
        return 0;
    }
    return rest - top_value(left);
}

static bool can_knock(uint64_t hand)
{
    unsigned ranks = set_ranks(hand);
    uint64_t runs = run_cards(hand);
    uint64_t sets = hand & (SUITS * (uint64_t)ranks);
    uint64_t left = hand & ~(runs | sets);
    uint64_t high = left & (SUITS * 8128ULL);
    int rest;

    /* three cards of 7 or more that are in no meld are too many */
    high &= high - 1;
    high &= high - 1;
    if (high) {
        return false;
    }
    rest = total(left);
    if (rest > KNOCK_CARD + 10) {
        return false;
    }
    if (sets & runs) {
        return count11(hand) <= KNOCK_CARD;
    }
    if (rest <= KNOCK_CARD) {
        return true;
    }
    return rest - top_value(left) <= KNOCK_CARD;
}

/* ------------------------------------------------------------------ melds */

static uint64_t meld_mask(int action)
{
    int id = action - MELD0;
    if (id < RUN3) {
        int rank = id / 5;
        int kind = id % 5;
        uint64_t mask = SUITS << rank;
        if (kind < 4) {
            mask ^= 1ULL << (13 * kind + rank);
        }
        return mask;
    }
    if (id < RUN4) {
        id -= RUN3;
        return 7ULL << (13 * (id / 11) + id % 11);
    }
    if (id < RUN5) {
        id -= RUN4;
        return 15ULL << (13 * (id / 10) + id % 10);
    }
    id -= RUN5;
    return 31ULL << (13 * (id / 9) + id % 9);
}

/* The actions of all melds that are in a hand, ascending. */
static int list_melds(uint64_t hand, int *list)
{
    int count = 0;
    unsigned ranks = set_ranks(hand);
    uint64_t three, four, five;

    while (ranks) {
        int rank = __builtin_ctz(ranks);
        int base = MELD0 + 5 * rank;
        ranks &= ranks - 1;
        if (!((hand >> rank) & 1ULL)) {
            list[count++] = base;
        } else if (!((hand >> (rank + 13)) & 1ULL)) {
            list[count++] = base + 1;
        } else if (!((hand >> (rank + 26)) & 1ULL)) {
            list[count++] = base + 2;
        } else if (!((hand >> (rank + 39)) & 1ULL)) {
            list[count++] = base + 3;
        } else {
            list[count++] = base;
            list[count++] = base + 1;
            list[count++] = base + 2;
            list[count++] = base + 3;
            list[count++] = base + 4;
        }
    }
    three = hand & (hand >> 1) & (hand >> 2);
    four = three & (hand >> 3);
    five = four & (hand >> 4) & STARTS5;
    three &= STARTS3;
    four &= STARTS4;
    while (three) {
        int low = __builtin_ctzll(three);
        three &= three - 1;
        list[count++] = MELD0 + RUN3 + low - 2 * (low / 13);
    }
    while (four) {
        int low = __builtin_ctzll(four);
        four &= four - 1;
        list[count++] = MELD0 + RUN4 + low - 3 * (low / 13);
    }
    while (five) {
        int low = __builtin_ctzll(five);
        five &= five - 1;
        list[count++] = MELD0 + RUN5 + low - 4 * (low / 13);
    }
    return count;
}

/* The cards that can be laid off now. */
static uint64_t fitting_cards(const State *state)
{
    int knocker = state->knocker == 1;
    uint64_t laid = 0;
    uint64_t fits = 0;
    int i;

    for (i = 0; i < state->layoffs; i++) {
        laid |= 1ULL << state->layoff[i];
    }
    for (i = 0; i < state->melds[knocker]; i++) {
        int action = state->meld[knocker][i];
        uint64_t mask = meld_mask(action);
        int low = __builtin_ctzll(mask);
        if (action < MELD0 + RUN3) {
            fits |= ((SUITS << (low % 13)) ^ mask) & ~laid;
        } else {
            int high = 63 - __builtin_clzll(mask);
            int low_rank = low % 13;
            int high_rank = high % 13;
            uint64_t low1 = low_rank >= 1 ? 1ULL << (low - 1) : 0ULL;
            uint64_t low2 = low_rank >= 2 ? 1ULL << (low - 2) : 0ULL;
            uint64_t high1 = high_rank <= 11 ? 1ULL << (high + 1) : 0ULL;
            uint64_t high2 = high_rank <= 10 ? 1ULL << (high + 2) : 0ULL;
            fits |= (laid & low1) ? low2 : low1;
            fits |= (laid & high1) ? high2 : high1;
        }
    }
    return fits;
}

/* --------------------------------------------------------------- the game */

void initial_state(State *state)
{
    state->stock = ALL_CARDS;
    state->phase = DEAL;
    state->mover = CHANCE_PLAYER;
    state->turn = 0;
    state->left = 52;
    state->up = -1;
    state->prev = -1;
    state->knocker = -1;
    state->last = -1;
}

int current_player(const State *state)
{
    return state->mover;
}

int legal_actions(const State *state, int *actions)
{
    int phase = state->phase;
    uint64_t hand = state->hand[state->turn];
    int count = 0;

    if (phase == DRAW) {
        actions[0] = UPCARD;
        actions[1] = STOCK;
        return 2;
    }
    if (phase == DISCARD) {
        count = list_cards(hand, actions);
        if (can_knock(hand)) {
            actions[count++] = KNOCK;
        }
        return count;
    }
    if (phase == FIRST) {
        if (state->passed == 3) {
            actions[0] = STOCK;
            return 1;
        }
        actions[0] = UPCARD;
        actions[1] = PASS;
        return 2;
    }
    if (phase == WALL) {
        actions[count++] = PASS;
        if (can_knock(hand | (1ULL << state->up))) {
            actions[count++] = KNOCK;
        }
        return count;
    }
    if (phase == KNOCK_DISCARD) {
        uint64_t rest = hand;
        while (rest) {
            int card = __builtin_ctzll(rest);
            rest &= rest - 1;
            if (least(hand ^ (1ULL << card)) <= KNOCK_CARD) {
                actions[count++] = card;
            }
        }
        return count;
    }
    if (phase == KNOCK_MELD) {
        int found[MAX_MELDS];
        int melds = list_melds(hand, found);
        int i;
        if (total(hand) <= KNOCK_CARD) {
            actions[count++] = PASS;
        }
        for (i = 0; i < melds; i++) {
            if (least(hand ^ meld_mask(found[i])) <= KNOCK_CARD) {
                actions[count++] = found[i];
            }
        }
        return count;
    }
    if (phase == LAYOFF) {
        if (state->closed) {
            actions[0] = PASS;
            return 1 + list_melds(hand, actions + 1);
        }
        count = list_cards(fitting_cards(state) & hand, actions);
        actions[count++] = PASS;
        return count;
    }
    return 0;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities)
{
    uint64_t stock = state->stock;
    double probability = 1.0 / (double)state->left;
    int count = 0;
    while (stock) {
        outcomes[count] = __builtin_ctzll(stock);
        probabilities[count] = probability;
        count++;
        stock &= stock - 1;
    }
    return count;
}

static void end_game(State *state)
{
    state->phase = OVER;
    state->turn = 0;
    state->mover = TERMINAL_PLAYER;
}

/* The upcard goes to the hand of the player to act. */
static void take_upcard(State *state)
{
    state->hand[state->turn] |= 1ULL << state->up;
    state->track[state->entries - 1] |= TAKEN;
    state->prev = state->up;
    state->up = -1;
    state->phase = DISCARD;
}

static void draw_stock(State *state)
{
    state->track[state->entries - 1] |= BURIED;
    state->prev = state->up;
    state->up = -1;
    state->phase = DEAL;
    state->mover = CHANCE_PLAYER;
}

void apply_action(State *state, int action)
{
    int phase = state->phase;
    int turn = state->turn;

    if (phase == DEAL) {
        uint64_t bit = 1ULL << action;
        int left = state->left;
        state->stock ^= bit;
        state->left = (uint8_t)(left - 1);
        if (left < 32) {
            state->hand[turn] |= bit;
            state->own[turn] = mixed(state->own[turn], action);
            state->phase = DISCARD;
            state->mover = (int8_t)turn;
        } else if (left > 42) {
            state->hand[0] |= bit;
            state->own[0] = mixed(state->own[0], action);
        } else if (left > 32) {
            state->hand[1] |= bit;
            state->own[1] = mixed(state->own[1], action);
        } else {
            state->up = (int8_t)action;
            state->track[0] = (uint8_t)action;
            state->entries = 1;
            state->common = mixed(state->common, action);
            state->phase = FIRST;
            state->turn = 0;
            state->mover = 0;
        }
        return;
    }

    state->common = mixed(state->common, action);

    if (phase == DISCARD) {
        bool again;
        if (action == KNOCK) {
            state->phase = KNOCK_DISCARD;
            state->knocker = (int8_t)turn;
            return;
        }
        state->hand[turn] ^= 1ULL << action;
        state->track[state->entries] = (uint8_t)action;
        state->entries = (uint8_t)(state->entries + 1);
        state->up = (int8_t)action;
        again = action == state->prev;
        if (again && state->repeated) {
            end_game(state);
        } else {
            state->phase = state->left == WALL_STOCK ? WALL : DRAW;
            state->turn = (uint8_t)(1 - turn);
            state->mover = (int8_t)(1 - turn);
        }
        state->repeated = again;
        return;
    }

    if (phase == DRAW) {
        if (action == UPCARD) {
            if (state->drawn == LAST_UPCARD) {
                end_game(state);
                return;
            }
            state->drawn = (uint8_t)(state->drawn + 1);
            take_upcard(state);
            return;
        }
        draw_stock(state);
        return;
    }

    if (phase == FIRST) {
        if (action == UPCARD) {
            take_upcard(state);
        } else if (action == PASS) {
            state->passed = (uint8_t)(state->passed | (1 << turn));
            state->turn = (uint8_t)(1 - turn);
            state->mover = (int8_t)(1 - turn);
        } else {
            draw_stock(state);
        }
        return;
    }

    if (phase == WALL) {
        if (action == PASS) {
            end_game(state);
            return;
        }
        state->hand[turn] |= 1ULL << state->up;
        state->track[state->entries - 1] |= TAKEN;
        state->up = -1;
        state->phase = KNOCK_DISCARD;
        state->knocker = (int8_t)turn;
        return;
    }

    if (phase == KNOCK_DISCARD) {
        state->hand[turn] ^= 1ULL << action;
        state->last = (int8_t)action;
        state->phase = KNOCK_MELD;
        return;
    }

    if (action >= MELD0) {
        int count = state->melds[turn];
        state->hand[turn] ^= meld_mask(action);
        state->meld[turn][count] = (uint8_t)action;
        state->melds[turn] = (uint8_t)(count + 1);
        return;
    }

    if (phase == KNOCK_MELD) {
        state->closed = state->hand[turn] == 0;
        state->phase = LAYOFF;
        state->turn = (uint8_t)(1 - turn);
        state->mover = (int8_t)(1 - turn);
        return;
    }

    if (action == PASS) {
        if (state->closed) {
            end_game(state);
        } else {
            state->closed = 1;
        }
        return;
    }
    state->hand[turn] ^= 1ULL << action;
    state->layoff[state->layoffs] = (uint8_t)action;
    state->layoffs = (uint8_t)(state->layoffs + 1);
}

void returns(const State *state, double *amounts)
{
    int knocker = state->knocker;
    int own, result;

    amounts[0] = 0.0;
    amounts[1] = 0.0;
    if (state->phase != OVER || knocker < 0) {
        return;
    }
    own = total(state->hand[knocker]);
    result = total(state->hand[1 - knocker]) - own;
    if (own == 0) {
        result += 25;
    } else if (result < 0) {
        result -= 25;
    }
    amounts[knocker] = (double)result;
    amounts[1 - knocker] = 0.0 - (double)result;
}

/* ------------------------------------------------------------------- text */

void action_name(const State *state, int action, Text *text)
{
    int phase = state->phase;
    if (action < 52) {
        if (phase == DEAL) {
            put(text, "deal ");
        } else if (phase == LAYOFF) {
            put(text, "lay off ");
        } else {
            put(text, "discard ");
        }
        put(text, NAMES[action]);
    } else if (action >= MELD0) {
        uint64_t cards = meld_mask(action);
        put(text, "meld");
        while (cards) {
            put_char(text, ' ');
            put(text, NAMES[__builtin_ctzll(cards)]);
            cards &= cards - 1;
        }
    } else if (action == UPCARD) {
        put(text, "draw upcard");
    } else if (action == STOCK) {
        put(text, "draw stock");
    } else if (action == KNOCK) {
        put(text, "knock");
    } else if (phase == FIRST || phase == WALL) {
        put(text, "pass");
    } else {
        put(text, "done");
    }
}

static void put_cards(Text *text, uint64_t cards)
{
    bool more = false;
    put_char(text, '[');
    while (cards) {
        if (more) {
            put_char(text, ',');
        }
        more = true;
        put_quoted(text, NAMES[__builtin_ctzll(cards)]);
        cards &= cards - 1;
    }
    put_char(text, ']');
}

static void put_card(Text *text, int card)
{
    if (card >= 0) {
        put_quoted(text, NAMES[card]);
    } else {
        put(text, "null");
    }
}

static void put_truth(Text *text, bool truth)
{
    put(text, truth ? "true" : "false");
}

void observation(const State *state, int player, Text *text)
{
    int phase = state->phase;
    int knocker = state->knocker;
    uint64_t mine = state->hand[player];
    uint64_t theirs = state->hand[1 - player];
    bool open = false;
    bool more = false;
    int deadwood, i, j;

    if (state->left > 31) {
        deadwood = 0;
    } else if (knocker >= 0) {
        deadwood = total(mine);
        open = knocker != player || phase == LAYOFF || phase == OVER;
    } else if (phase == DISCARD && state->turn == player) {
        deadwood = count11(mine);
    } else {
        deadwood = least(mine);
    }

    put(text, "{\"phase\":");
    put_quoted(text, PHASES[phase]);
    put(text, ",\"hand\":");
    put_cards(text, mine);
    put(text, ",\"deadwood\":");
    put_int(text, deadwood);
    put(text, ",\"upcard\":");
    put_card(text, state->up);
    put(text, ",\"previous_upcard\":");
    put_card(text, state->prev);
    put(text, ",\"discard_pile\":[");
    for (i = 0; i < state->entries; i++) {
        if (state->track[i] & BURIED) {
            if (more) {
                put_char(text, ',');
            }
            more = true;
            put_card(text, state->track[i] & 63);
        }
    }
    if (state->last >= 0) {
        if (more) {
            put_char(text, ',');
        }
        put_card(text, state->last);
    }
    put(text, "],\"stock\":");
    put_int(text, state->left);
    put(text, ",\"passed\":[");
    put_truth(text, (state->passed & 1) != 0);
    put_char(text, ',');
    put_truth(text, (state->passed & 2) != 0);
    put(text, "],\"repeated_move\":");
    put_truth(text, state->repeated != 0);
    put(text, ",\"upcards_drawn\":");
    put_int(text, state->drawn);
    put(text, ",\"knock_card\":");
    put_int(text, KNOCK_CARD);
    put(text, ",\"knocker\":");
    if (knocker >= 0) {
        put_int(text, knocker);
    } else {
        put(text, "null");
    }
    put(text, ",\"melds\":[");
    for (i = 0; i < 2; i++) {
        put(text, i ? ",[" : "[");
        for (j = 0; j < state->melds[i]; j++) {
            if (j) {
                put_char(text, ',');
            }
            put_cards(text, meld_mask(state->meld[i][j]));
        }
        put_char(text, ']');
    }
    put(text, "],\"layoffs\":[");
    for (i = 0; i < state->layoffs; i++) {
        if (i) {
            put_char(text, ',');
        }
        put_card(text, state->layoff[i]);
    }
    put(text, "],\"layoffs_over\":");
    put_truth(text, state->closed != 0);
    put(text, ",\"opponent_hand\":");
    if (open) {
        put_cards(text, theirs);
    } else {
        put(text, "null");
    }
    put(text, ",\"opponent_deadwood\":");
    if (open) {
        put_int(text, total(theirs));
    } else {
        put(text, "null");
    }
    put_char(text, '}');
}

/* ------------------------------------------------------------ information */

void information_state(const State *state, int player, Information *information)
{
    int knocker = state->knocker;
    uint64_t shown = NOTHING;
    if (knocker >= 0 && (knocker != player || state->phase == LAYOFF || state->phase == OVER)) {
        shown = state->hand[1 - player];
    }
    information->common = state->common;
    information->own = state->own[player];
    information->shown = shown;
    information->left = state->left;
    information->player = (uint32_t)player;
}

void resample(State *state, int player, Random *random)
{
    int other = 1 - player;
    int starter = state->passed == 1 ? 1 : 0;    /* who had the first turn */
    bool open = state->knocker == other;         /* the hand of the other one lies open */
    uint8_t reveal_card[MAX_SLOTS];
    uint8_t reveal_slots[MAX_SLOTS];
    uint64_t check_shown[MAX_SLOTS];
    uint64_t check_known[MAX_SLOTS];
    uint8_t check_slots[MAX_SLOTS];
    uint8_t cards[MAX_SLOTS];
    uint8_t places[MAX_SLOTS];
    int deck[52];
    uint64_t known = 0;
    uint64_t shown = 0;
    uint64_t pool, dealt, hash;
    int reveals = 0;
    int checks = 0;
    int slots = 10;
    int entries = state->entries;
    int all, i;
    bool good;

    /* Entry i of the log was taken or buried in the turn that ended with the discard of entry i + 1. */
    for (i = starter ^ other; i < entries; i += 2) {
        int entry = state->track[i];
        if (entry & TAKEN) {
            known |= 1ULL << (entry & 63);
        } else if (entry & BURIED) {
            slots++;
        }
        if (i + 1 < entries) {
            int card = state->track[i + 1] & 63;
            uint64_t bit = 1ULL << card;
            check_slots[checks] = (uint8_t)slots;
            check_shown[checks] = shown;
            check_known[checks] = known;
            checks++;
            if (known & bit) {
                known ^= bit;
            } else {
                reveal_card[reveals] = (uint8_t)card;
                reveal_slots[reveals] = (uint8_t)slots;
                reveals++;
                shown |= bit;
            }
        }
    }

    pool = state->hand[other];
    if (open) {
        for (i = 0; i < state->melds[other]; i++) {
            pool |= meld_mask(state->meld[other][i]);
        }
        if (state->last >= 0) {
            pool |= 1ULL << state->last;
        }
        pool &= ~known;
    } else {
        pool = (pool & ~known) | state->stock;
    }
    all = list_cards(pool, deck);

    do {
        int top = 0;
        int count = 0;
        int size = all;
        for (i = 0; i < reveals; i++) {
            int j;
            while (top < reveal_slots[i]) {
                places[count++] = (uint8_t)top;
                top++;
            }
            j = random_below(random, count);
            cards[places[j]] = reveal_card[i];
            count--;
            places[j] = places[count];
        }
        while (top < slots) {
            places[count++] = (uint8_t)top;
            top++;
        }
        dealt = 0;
        for (i = 0; i < count; i++) {
            int j = random_below(random, size);
            int card = deck[j];
            size--;
            deck[j] = deck[size];
            deck[size] = card;
            cards[places[i]] = (uint8_t)card;
            dealt |= 1ULL << card;
        }
        /* Of the discards each is looked at with probability 1/12: there a knock must not be legal. */
        good = true;
        if (checks > 0) {
            int j = (int)(log(1.0 - random_number(random)) * GEOMETRIC);
            while (j < checks) {
                uint64_t hand = 0;
                int end = check_slots[j];
                for (i = 0; i < end; i++) {
                    hand |= 1ULL << cards[i];
                }
                hand = (hand & ~check_shown[j]) | check_known[j];
                if (can_knock(hand)) {
                    good = false;
                    break;
                }
                j += 1 + (int)(log(1.0 - random_number(random)) * GEOMETRIC);
            }
        }
    } while (!good);

    if (!open) {
        state->hand[other] = dealt | known;
        state->stock = pool & ~dealt;
    }
    hash = 0;
    for (i = 0; i < slots; i++) {
        hash = mixed(hash, cards[i]);
    }
    state->own[other] = hash;
}

/* ---------------------------------------------------------------- rollout */

/* The number of the outcome that one random number gives among count equally likely ones. */
static int pick(Random *random, int count)
{
    double number = random_number(random);
    double scaled = number * (double)count;
    int k = (int)scaled;
    double part = scaled - (double)k;
    if (part < 1e-9 || part > 1.0 - 1e-9) {
        /* close to a border: as the probabilities are taken off one by one */
        double probability = 1.0 / (double)count;
        k = 0;
        while (k < count - 1) {
            number -= probability;
            if (number < 0.0) {
                break;
            }
            k++;
        }
    }
    return k;
}

/* Plays turns at random until someone knocks, the wall or the end, without what only players notice. */
static void play_turns(State *state, Random *random)
{
    int phase = state->phase;
    int turn = state->turn;
    int left = state->left;
    int up = state->up;
    int prev = state->prev;
    int drawn = state->drawn;
    bool repeated = state->repeated != 0;
    uint64_t stock = state->stock;
    uint64_t mine = state->hand[turn];
    uint64_t theirs = state->hand[1 - turn];

    for (;;) {
        uint64_t bit;
        int card, k;
        bool again;

        if (phase == DRAW) {
            prev = up;
            if (random_below(random, 2) == 0) {
                if (drawn == LAST_UPCARD) {
                    phase = OVER;
                    break;
                }
                mine |= 1ULL << up;
                drawn++;
            } else {
                phase = DEAL;
            }
        }
        if (phase == DEAL) {
            bit = 1ULL << nth_card(stock, pick(random, left));
            stock ^= bit;
            mine |= bit;
            left--;
        }
        k = random_below(random, can_knock(mine) ? 12 : 11);
        if (k == 11) {
            phase = KNOCK_DISCARD;
            break;
        }
        card = nth_card(mine, k);
        mine ^= 1ULL << card;
        up = card;
        again = card == prev;
        if (again && repeated) {
            phase = OVER;
            break;
        }
        repeated = again;
        bit = mine;
        mine = theirs;
        theirs = bit;
        turn = 1 - turn;
        if (left == WALL_STOCK) {
            phase = WALL;
            break;
        }
        phase = DRAW;
    }

    state->hand[turn] = mine;
    state->hand[1 - turn] = theirs;
    state->stock = stock;
    state->left = (uint8_t)left;
    state->up = (int8_t)up;
    state->phase = (uint8_t)phase;
    state->turn = (uint8_t)turn;
    if (phase == OVER) {
        state->mover = TERMINAL_PLAYER;
    } else {
        state->mover = (int8_t)turn;
        if (phase == KNOCK_DISCARD) {
            state->knocker = (int8_t)turn;
        }
    }
}

void rollout(const State *state, Random *random, double *amounts)
{
    int actions[NUM_DISTINCT_ACTIONS];
    State game = *state;

    while (game.phase != OVER) {
        int phase = game.phase;
        if (phase == DRAW || phase == DISCARD || (phase == DEAL && game.left < 32)) {
            play_turns(&game, random);
        } else if (phase == DEAL) {
            apply_action(&game, nth_card(game.stock, pick(random, game.left)));
        } else {
            int count = legal_actions(&game, actions);
            apply_action(&game, actions[random_below(random, count)]);
        }
    }
    returns(&game, amounts);
}
