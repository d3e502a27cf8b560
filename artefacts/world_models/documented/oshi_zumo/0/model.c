enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 51,
    MAX_CHANCE_OUTCOMES = 0,
    MAX_GAME_LENGTH = 1000
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

enum {
    START_COINS = 50,
    HORIZON = 1000,
    MIDDLE_CELL = 4,
    TOP_CELL = 8
};

typedef struct {
    int16_t rounds;   /* 0 .. 1000 */
    int8_t code;      /* SIMULTANEOUS_PLAYER or TERMINAL_PLAYER */
    int8_t position;  /* 0 .. 8 */
    int8_t coins[2];  /* 0 .. 50 each */
    int8_t result;    /* of player 0: -1, 0, 1 */
} State;

void initial_state(State *state) {
    state->rounds = 0;
    state->code = SIMULTANEOUS_PLAYER;
    state->position = MIDDLE_CELL;
    state->coins[0] = START_COINS;
    state->coins[1] = START_COINS;
    state->result = 0;
}

int current_player(const State *state) {
    return state->code;
}

int legal_actions(const State *state, int *actions) {
    (void)state;
    (void)actions;
    return 0;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    (void)state;
    (void)outcomes;
    (void)probabilities;
    return 0;
}

void apply_action(State *state, int action) {
    (void)state;
    (void)action;
}

int player_legal_actions(const State *state, int player, int *actions) {
    int coins = state->coins[player];
    int i;
    if (state->code != SIMULTANEOUS_PLAYER) {
        return 0;
    }
    /* Blocks of fixed length, all within the 51 entries: entry i is always i. */
    for (i = 0; i < 8; i++) {
        actions[i] = i;
    }
    if (coins >= 8) {
        for (i = 8; i < 24; i++) {
            actions[i] = i;
        }
        if (coins >= 24) {
            for (i = 24; i < NUM_DISTINCT_ACTIONS; i++) {
                actions[i] = i;
            }
        }
    }
    return coins + 1;
}

void apply_actions(State *state, const int *actions) {
    int b0 = actions[0];
    int b1 = actions[1];
    int position = state->position + (b0 > b1) - (b0 < b1);
    int c0 = state->coins[0] - b0;
    int c1 = state->coins[1] - b1;
    int rounds = state->rounds + 1;
    state->position = (int8_t)position;
    state->coins[0] = (int8_t)c0;
    state->coins[1] = (int8_t)c1;
    state->rounds = (int16_t)rounds;
    if (position == TOP_CELL || position == 0 || (c0 | c1) == 0) {
        state->code = TERMINAL_PLAYER;
        state->result = (int8_t)((position > MIDDLE_CELL) - (position < MIDDLE_CELL));
    } else if (rounds >= HORIZON) {
        state->code = TERMINAL_PLAYER;
    }
}

void returns(const State *state, double *amounts) {
    int result = state->result;
    amounts[0] = (double)result;
    amounts[1] = (double)(-result);
}

void player_action_name(const State *state, int player, int action, Text *text) {
    (void)state;
    put(text, "[P");
    put_int(text, player);
    put(text, "]Bid: ");
    put_int(text, action);
}

void action_name(const State *state, int action, Text *text) {
    (void)state;
    (void)action;
    (void)text;
}

void observation(const State *state, int player, Text *text) {
    int i;
    (void)player;
    put(text, "{\"observation\": \"Coins: ");
    put_int(text, state->coins[0]);
    put_char(text, ' ');
    put_int(text, state->coins[1]);
    put(text, ", Field: ");
    for (i = 0; i <= TOP_CELL; i++) {
        if (i == state->position) {
            put_char(text, 'W');
        } else if (i == 0 || i == TOP_CELL) {
            put_char(text, '#');
        } else {
            put_char(text, '.');
        }
    }
    put(text, "\\n\"}");
}
