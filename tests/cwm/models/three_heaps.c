/* Three heaps, three players; see three_heaps.py. */

enum { NUM_PLAYERS = 3, NUM_DISTINCT_ACTIONS = 9, MAX_CHANCE_OUTCOMES = 0, MAX_GAME_LENGTH = 9 };
#define MIN_UTILITY -4.0
#define MAX_UTILITY 17.0

typedef struct {
    int8_t heaps[3], points[NUM_PLAYERS];
    int8_t player; /* to move, or TERMINAL_PLAYER */
} State;

void initial_state(State *state) {
    state->heaps[0] = 3, state->heaps[1] = 4, state->heaps[2] = 2;
}

int current_player(const State *state) {
    return state->player;
}

int legal_actions(const State *state, int *actions) {
    int count = 0;
    for (int heap = 0; heap < 3; heap++)
        for (int stones = 0; stones < 3 && stones < state->heaps[heap]; stones++) actions[count++] = 3 * heap + stones;
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    return 0;
}

void apply_action(State *state, int action) {
    int heap = action / 3, stones = action % 3 + 1;
    state->heaps[heap] -= stones;
    state->points[state->player] += stones * (heap + 1);
    if (state->heaps[0] || state->heaps[1] || state->heaps[2]) {
        state->player = (int8_t)((state->player + 1) % NUM_PLAYERS);
    } else {
        state->points[state->player] -= 4;
        state->player = TERMINAL_PLAYER;
    }
}

void returns(const State *state, double *amounts) {
    for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] = state->points[player];
}

void action_name(const State *state, int action, Text *text) {
    put(text, "take ");
    put_int(text, action % 3 + 1);
    put(text, " from heap ");
    put_int(text, action / 3 + 1);
}

static void put_list(Text *text, const int8_t *numbers) {
    for (int at = 0; at < 3; at++) {
        put(text, at ? ", " : "[");
        put_int(text, numbers[at]);
    }
    put_char(text, ']');
}

void observation(const State *state, int player, Text *text) {
    put(text, "{\"heaps\": ");
    put_list(text, state->heaps);
    put(text, ", \"points\": ");
    put_list(text, state->points);
    put_char(text, '}');
}
