/* Goofspiel with 4 cards and hidden bids, the twin of goofspiel.py; cards are 1 to 4. */

enum { NUM_PLAYERS = 2, NUM_DISTINCT_ACTIONS = 4, MAX_CHANCE_OUTCOMES = 4, MAX_GAME_LENGTH = 4 };
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

enum { CARDS = 4, NOBODY = -3 };

typedef struct {
    int8_t turned, bid;                    /* how many point cards, and bids of each player */
    int8_t points[CARDS], bids[2][CARDS];  /* in order */
} State;

typedef struct {
    int8_t turned, bid, points[CARDS], bids[CARDS], wins[CARDS];
} Information;

/* Writes the cards that are not among `count` given ones, ascending; returns how many. */
static int left(const int8_t *given, int count, int *cards) {
    int used = 0, found = 0;
    for (int at = 0; at < count; at++) used |= 1 << given[at];
    for (int card = 1; card <= CARDS; card++)
        if (!(used >> card & 1)) cards[found++] = card;
    return found;
}

static int winner(int mine, int other) {
    return mine > other ? 0 : other > mine ? 1 : NOBODY;
}

void initial_state(State *state) {
    (void)state;
}

int current_player(const State *state) {
    if (state->bid == CARDS) return TERMINAL_PLAYER;
    return state->turned == state->bid ? CHANCE_PLAYER : SIMULTANEOUS_PLAYER;
}

int legal_actions(const State *state, int *actions) {
    (void)state, (void)actions;
    return 0;
}

int player_legal_actions(const State *state, int player, int *actions) {
    int count = left(state->bids[player], state->bid, actions);
    for (int at = 0; at < count; at++) actions[at]--;
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    int count = left(state->points, state->turned, outcomes);
    for (int at = 0; at < count; at++) {
        outcomes[at]--;
        probabilities[at] = 1.0 / count;
    }
    return count;
}

void apply_action(State *state, int action) {
    state->points[state->turned++] = (int8_t)(action + 1);
}

/* The last card of each is played by itself. */
void apply_actions(State *state, const int *actions) {
    int last[CARDS];
    for (int player = 0; player < 2; player++) state->bids[player][state->bid] = (int8_t)(actions[player] + 1);
    state->bid++;
    if (state->bid < CARDS - 1) return;
    left(state->points, CARDS - 1, last);
    state->points[CARDS - 1] = (int8_t)last[0];
    for (int player = 0; player < 2; player++) {
        left(state->bids[player], CARDS - 1, last);
        state->bids[player][CARDS - 1] = (int8_t)last[0];
    }
    state->turned = state->bid = CARDS;
}

static int points_of(const State *state, int player) {
    int points = 0;
    for (int at = 0; at < state->bid; at++)
        if (winner(state->bids[0][at], state->bids[1][at]) == player) points += state->points[at];
    return points;
}

void returns(const State *state, double *amounts) {
    int mine = points_of(state, 0), other = points_of(state, 1);
    amounts[0] = state->bid == CARDS ? (mine > other) - (mine < other) : 0;
    amounts[1] = -amounts[0];
}

void action_name(const State *state, int action, Text *text) {
    (void)state;
    put(text, "Deal ");
    put_int(text, action + 1);
}

void player_action_name(const State *state, int player, int action, Text *text) {
    (void)state;
    put(text, "[P");
    put_int(text, player);
    put(text, "]Bid: ");
    put_int(text, action + 1);
}

static void put_cards(const int8_t *given, int count, const char *behind, Text *text) {
    int cards[CARDS], number = left(given, count, cards);
    for (int at = 0; at < number; at++) {
        put_int(text, cards[at]);
        put(text, behind);
    }
}

void observation(const State *state, int player, Text *text) {
    bool shown = state->turned > state->bid || state->bid == CARDS;
    put(text, "{\"observation\": \"Current point card: ");
    put_int(text, shown ? state->points[state->turned - 1] : 0);
    put(text, "\\nRemaining Point Cards: ");
    put_cards(state->points, state->turned, "", text);
    put(text, "\\nPoints: ");
    for (int seat = 0; seat < 2; seat++) {
        put_int(text, points_of(state, seat));
        put(text, " ");
    }
    put(text, "\\nP");
    put_int(text, player);
    put(text, " hand: ");
    put_cards(state->bids[player], state->bid, " ", text);
    put(text, "\\nWin sequence: ");
    for (int at = 0; at < state->bid; at++) {
        put_int(text, winner(state->bids[0][at], state->bids[1][at]));
        put(text, " ");
    }
    put(text, "\\n\"}");
}

void information_state(const State *state, int player, Information *information) {
    information->turned = state->turned;
    information->bid = state->bid;
    for (int at = 0; at < state->turned; at++) information->points[at] = state->points[at];
    for (int at = 0; at < state->bid; at++) {
        information->bids[at] = state->bids[player][at];
        information->wins[at] = (int8_t)winner(state->bids[0][at], state->bids[1][at]);
    }
}

/* Whether the other player may have bid these cards: distinct, with the same winners. */
static bool fits(const State *state, int player, const int8_t *others) {
    for (int at = 0; at < state->bid; at++) {
        for (int before = 0; before < at; before++)
            if (others[before] == others[at]) return false;
        int own = state->bids[player][at], now = player ? winner(others[at], own) : winner(own, others[at]);
        if (now != winner(state->bids[0][at], state->bids[1][at])) return false;
    }
    return true;
}

/* At most 3 cards are bid where a player chooses: all of the 4 * 4 * 4 lists are tried again until one fits. */
void resample(State *state, int player, Random *random) {
    int8_t others[CARDS];
    do
        for (int at = 0; at < state->bid; at++) others[at] = (int8_t)(1 + random_below(random, CARDS));
    while (!fits(state, player, others));
    for (int at = 0; at < state->bid; at++) state->bids[1 - player][at] = others[at];
}
