enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 13,
    MAX_CHANCE_OUTCOMES = 13,
    MAX_GAME_LENGTH = 12
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

enum { FULL_MASK = 8191 };

typedef struct {
    uint32_t sequence;   /* two bits per turn, first turn lowest: 0 or 1 the winner, 2 a tie */
    uint16_t remaining;  /* mask of remaining point cards */
    uint16_t hand[2];    /* masks of the players' cards */
    uint8_t points[2];   /* at most 91 each */
    int8_t who;          /* who is to move */
    uint8_t current;     /* current point card, 0: none */
    uint8_t turns;       /* number of entries in sequence, at most 13 */
} State;

static const double INVERSE[14] = {
    1.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0,
    1.0 / 7.0, 1.0 / 8.0, 1.0 / 9.0, 1.0 / 10.0, 1.0 / 11.0, 1.0 / 12.0, 1.0 / 13.0
};

static inline int list_bits(uint32_t bits, int *list) {
    int count = 0;
    while (bits) {
        list[count++] = __builtin_ctz(bits);
        bits &= bits - 1u;
    }
    return count;
}

/* One turn is over: the greater of a and b wins the card. */
static inline void score(State *state, uint32_t a, uint32_t b, uint32_t card) {
    uint32_t first = a > b ? 1u : 0u;
    uint32_t second = b > a ? 1u : 0u;
    uint32_t result = a == b ? 2u : second;
    state->points[0] = (uint8_t)(state->points[0] + first * card);
    state->points[1] = (uint8_t)(state->points[1] + second * card);
    state->sequence |= result << (2u * (uint32_t)state->turns);
    state->turns = (uint8_t)(state->turns + 1);
}

void initial_state(State *state) {
    state->sequence = 0;
    state->remaining = FULL_MASK;
    state->hand[0] = FULL_MASK;
    state->hand[1] = FULL_MASK;
    state->points[0] = 0;
    state->points[1] = 0;
    state->who = CHANCE_PLAYER;
    state->current = 0;
    state->turns = 0;
}

int current_player(const State *state) {
    return state->who;
}

int legal_actions(const State *state, int *actions) {
    (void)state;
    (void)actions;
    return 0;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    uint32_t bits;
    int count = 0;
    double probability;
    if (state->who != CHANCE_PLAYER) return 0;
    bits = state->remaining;
    probability = INVERSE[__builtin_popcount(bits)];
    while (bits) {
        outcomes[count] = __builtin_ctz(bits);
        probabilities[count] = probability;
        count++;
        bits &= bits - 1u;
    }
    return count;
}

void apply_action(State *state, int action) {
    state->who = SIMULTANEOUS_PLAYER;
    state->current = (uint8_t)(action + 1);
    state->remaining = (uint16_t)(state->remaining & ~(1u << action));
}

void returns(const State *state, double *amounts) {
    double amount = 0.0;
    if (state->who == TERMINAL_PLAYER) {
        if (state->points[0] > state->points[1]) amount = 1.0;
        else if (state->points[1] > state->points[0]) amount = -1.0;
    }
    amounts[0] = amount;
    amounts[1] = 0.0 - amount;
}

void action_name(const State *state, int action, Text *text) {
    (void)state;
    put(text, "Deal ");
    put_int(text, action + 1);
}

static void put_cards(Text *text, uint32_t bits, const char *after) {
    while (bits) {
        put_int(text, __builtin_ctz(bits) + 1);
        put(text, after);
        bits &= bits - 1u;
    }
}

void observation(const State *state, int player, Text *text) {
    int i;
    (void)player;
    put(text, "{\"observation\": \"Current point card: ");
    put_int(text, state->current);
    put(text, "\\nRemaining Point Cards: ");
    put_cards(text, state->remaining, "");
    put(text, "\\nP0 hand: ");
    put_cards(text, state->hand[0], " ");
    put(text, "\\nP1 hand: ");
    put_cards(text, state->hand[1], " ");
    put(text, "\\nWin sequence: ");
    for (i = 0; i < state->turns; i++) {
        uint32_t result = (state->sequence >> (2 * i)) & 3u;
        if (result == 0u) put(text, "0 ");
        else if (result == 1u) put(text, "1 ");
        else put(text, "-3 ");
    }
    put(text, "\\nPoints: ");
    put_int(text, state->points[0]);
    put(text, " ");
    put_int(text, state->points[1]);
    put(text, " \\n\"}");
}

int player_legal_actions(const State *state, int player, int *actions) {
    if (state->who != SIMULTANEOUS_PLAYER) return 0;
    return list_bits(state->hand[player], actions);
}

void apply_actions(State *state, const int *actions) {
    uint32_t a = (uint32_t)actions[0];
    uint32_t b = (uint32_t)actions[1];
    uint32_t remaining = state->remaining;
    uint32_t hand0 = state->hand[0] & ~(1u << a);
    uint32_t hand1 = state->hand[1] & ~(1u << b);
    score(state, a, b, state->current);
    if (remaining & (remaining - 1u)) {
        state->who = CHANCE_PLAYER;
        state->current = 0;
        state->hand[0] = (uint16_t)hand0;
        state->hand[1] = (uint16_t)hand1;
        return;
    }
    /* Only one point card is left: the last turn is carried out automatically. */
    {
        uint32_t card = (uint32_t)__builtin_ctz(remaining) + 1u;
        score(state, hand0, hand1, card);
        state->who = TERMINAL_PLAYER;
        state->current = (uint8_t)card;
        state->remaining = 0;
        state->hand[0] = 0;
        state->hand[1] = 0;
    }
}

void player_action_name(const State *state, int player, int action, Text *text) {
    (void)state;
    put(text, "[P");
    put_int(text, player);
    put(text, "]Bid: ");
    put_int(text, action + 1);
}
