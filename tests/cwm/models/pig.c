/* Pig for three players, first to 20 points or 40 moves. */

enum { NUM_PLAYERS = 3, NUM_DISTINCT_ACTIONS = 2, MAX_CHANCE_OUTCOMES = 6, MAX_GAME_LENGTH = 40 };
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

enum { WIN_SCORE = 20, ROLL = 0, STOP = 1 };

typedef struct {
    int32_t scores[NUM_PLAYERS];
    int32_t turn_total, player, moves;
    bool rolling;
} State;

static bool is_won(const State *state) {
    for (int player = 0; player < NUM_PLAYERS; player++)
        if (state->scores[player] >= WIN_SCORE) return true;
    return false;
}

void initial_state(State *state) {
}

int current_player(const State *state) {
    if (state->moves >= MAX_GAME_LENGTH || is_won(state)) return TERMINAL_PLAYER;
    return state->rolling ? CHANCE_PLAYER : state->player;
}

int legal_actions(const State *state, int *actions) {
    int count = 0;
    if (state->scores[state->player] + state->turn_total < WIN_SCORE) actions[count++] = ROLL;
    actions[count++] = STOP;
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    for (int outcome = 0; outcome < 6; outcome++) {
        outcomes[outcome] = outcome;
        probabilities[outcome] = 1.0 / 6.0;
    }
    return 6;
}

static void pass_on(State *state) {
    state->turn_total = 0;
    state->player = (state->player + 1) % NUM_PLAYERS;
}

void apply_action(State *state, int action) {
    if (state->rolling) {
        state->rolling = false;
        if (action == 0)
            pass_on(state);
        else
            state->turn_total += action + 1;
        return;
    }
    state->moves++;
    if (action == ROLL) {
        state->rolling = true;
    } else {
        state->scores[state->player] += state->turn_total;
        pass_on(state);
    }
}

void returns(const State *state, double *amounts) {
    for (int player = 0; player < NUM_PLAYERS; player++) {
        double otherwise = is_won(state) ? -1.0 / (NUM_PLAYERS - 1) : 0.0;
        amounts[player] = state->scores[player] >= WIN_SCORE ? 1.0 : otherwise;
    }
}

void action_name(const State *state, int action, Text *text) {
    if (current_player(state) == CHANCE_PLAYER) {
        put(text, "Roll ");
        put_int(text, action + 1);
    } else {
        put(text, action == ROLL ? "roll" : "stop");
    }
}

void observation(const State *state, int player, Text *text) {
    put(text, "{\"observation\": \"Scores: ");
    for (int seat = 0; seat < NUM_PLAYERS; seat++) {
        put_int(text, state->scores[seat]);
        put(text, seat + 1 < NUM_PLAYERS ? " " : ", Turn total: ");
    }
    put_int(text, state->turn_total);
    put(text, "\\nCurrent player: ");
    put_int(text, state->player);
    put(text, state->rolling ? " (rolling)\\n\"}" : "\\n\"}");
}
