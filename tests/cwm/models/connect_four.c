/* Connect four on bitboards: bit 7 * column + row, of which each column has six and one that stays empty. */

enum { NUM_PLAYERS = 2, NUM_DISTINCT_ACTIONS = 7, MAX_CHANCE_OUTCOMES = 0, MAX_GAME_LENGTH = 42 };
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

typedef struct {
    uint64_t mine;   /* stones of whoever is to move, or would be */
    uint64_t filled; /* all stones */
    int8_t moves;
    int8_t player; /* to move, or TERMINAL_PLAYER */
    int8_t winner; /* or -1 */
} State;

static inline bool has_four(uint64_t stones) {
    uint64_t pairs = stones & (stones >> 1), found = pairs & (pairs >> 2);
    pairs = stones & (stones >> 7);
    found |= pairs & (pairs >> 14);
    pairs = stones & (stones >> 6);
    found |= pairs & (pairs >> 12);
    pairs = stones & (stones >> 8);
    found |= pairs & (pairs >> 16);
    return found != 0;
}

void initial_state(State *state) {
    state->winner = -1;
}

int current_player(const State *state) {
    return state->player;
}

int legal_actions(const State *state, int *actions) {
    int count = 0;
    for (int column = 0; column < 7; column++) {
        actions[count] = column;
        count += !(state->filled >> (7 * column + 5) & 1);
    }
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    return 0;
}

void apply_action(State *state, int action) {
    uint64_t bottom = 1ULL << (7 * action), stone = (state->filled + bottom) & (0x3f * bottom);
    uint64_t mine = state->mine | stone;
    int player = state->moves & 1;
    state->mine ^= state->filled;
    state->filled |= stone;
    state->moves++;
    state->player = state->moves == 42 ? TERMINAL_PLAYER : (int8_t)(1 - player);
    if (has_four(mine)) {
        state->winner = (int8_t)player;
        state->player = TERMINAL_PLAYER;
    }
}

void returns(const State *state, double *amounts) {
    amounts[0] = state->winner < 0 ? 0.0 : state->winner == 0 ? 1.0 : -1.0;
    amounts[1] = 0.0 - amounts[0];
}

void action_name(const State *state, int action, Text *text) {
    put_char(text, state->player == 0 ? 'x' : 'o');
    put_int(text, action);
}

void observation(const State *state, int player, Text *text) {
    uint64_t first = state->moves & 1 ? state->filled ^ state->mine : state->mine;
    put(text, "{\"board\": [");
    for (int row = 5; row >= 0; row--) {
        put(text, row < 5 ? ", \"" : "\"");
        for (int column = 0; column < 7; column++) {
            int bit = 7 * column + row;
            put_char(text, !(state->filled >> bit & 1) ? '.' : first >> bit & 1 ? 'x' : 'o');
        }
        put_char(text, '"');
    }
    put(text, "]}");
}
