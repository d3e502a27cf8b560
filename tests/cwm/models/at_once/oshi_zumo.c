/* Oshi-Zumo with 6 coins, the twin of oshi_zumo.py: nobody ever acts in turn, and there is no chance. */

enum { NUM_PLAYERS = 2, NUM_DISTINCT_ACTIONS = 7, MAX_CHANCE_OUTCOMES = 0, MAX_GAME_LENGTH = 1000 };
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

enum { FIELDS = 9, MIDDLE = 4 };

typedef struct {
    int8_t coins[2], place;
    int16_t bids;
} State;

void initial_state(State *state) {
    state->coins[0] = state->coins[1] = 6;
    state->place = MIDDLE;
}

static bool is_over(const State *state) {
    return state->place == 0 || state->place == FIELDS - 1 || state->bids >= MAX_GAME_LENGTH ||
           (!state->coins[0] && !state->coins[1]);
}

int current_player(const State *state) {
    return is_over(state) ? TERMINAL_PLAYER : SIMULTANEOUS_PLAYER;
}

int player_legal_actions(const State *state, int player, int *actions) {
    for (int bid = 0; bid <= state->coins[player]; bid++) actions[bid] = bid;
    return state->coins[player] + 1;
}

void apply_actions(State *state, const int *actions) {
    for (int player = 0; player < NUM_PLAYERS; player++) state->coins[player] -= (int8_t)actions[player];
    state->place += (int8_t)((actions[0] > actions[1]) - (actions[0] < actions[1]));
    state->bids++;
}

void returns(const State *state, double *amounts) {
    amounts[0] = is_over(state) ? (state->place > MIDDLE) - (state->place < MIDDLE) : 0;
    amounts[1] = -amounts[0];
}

void player_action_name(const State *state, int player, int action, Text *text) {
    (void)state;
    put(text, "[P");
    put_int(text, player);
    put(text, "]Bid: ");
    put_int(text, action);
}

void observation(const State *state, int player, Text *text) {
    (void)player;
    put(text, "{\"observation\": \"Coins: ");
    put_int(text, state->coins[0]);
    put(text, " ");
    put_int(text, state->coins[1]);
    put(text, ", Field: ");
    for (int at = 0; at < FIELDS; at++)
        put_char(text, at == state->place ? 'W' : at == 0 || at == FIELDS - 1 ? '#' : '.');
    put(text, "\\n\"}");
}

/* What stands for states in which one player acts, or chance. */

int legal_actions(const State *state, int *actions) {
    (void)state, (void)actions;
    return 0;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    (void)state, (void)outcomes, (void)probabilities;
    return 0;
}

void apply_action(State *state, int action) {
    (void)state, (void)action;
}

void action_name(const State *state, int action, Text *text) {
    (void)state, (void)action, (void)text;
}
