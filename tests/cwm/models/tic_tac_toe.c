/* Tic-tac-toe: bit 3 * row + column for each cell. */

enum { NUM_PLAYERS = 2, NUM_DISTINCT_ACTIONS = 9, MAX_CHANCE_OUTCOMES = 0, MAX_GAME_LENGTH = 9 };
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

typedef struct {
    uint16_t stones[2];
    int8_t player; /* to move, or TERMINAL_PLAYER */
    int8_t winner; /* or -1 */
} State;

#define BOARD 0x1ff

static const uint16_t LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

void initial_state(State *state) {
    state->winner = -1;
}

int current_player(const State *state) {
    return state->player;
}

int legal_actions(const State *state, int *actions) {
    int count = 0;
    for (unsigned empty = BOARD & ~(unsigned)(state->stones[0] | state->stones[1]); empty; empty &= empty - 1)
        actions[count++] = __builtin_ctz(empty);
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    return 0;
}

void apply_action(State *state, int action) {
    int player = state->player, won = 0;
    unsigned mine = state->stones[player] | 1u << action;
    state->stones[player] = (uint16_t)mine;
    for (int line = 0; line < 8; line++) won |= (mine & LINES[line]) == LINES[line];
    state->player = (mine | state->stones[1 - player]) == BOARD ? TERMINAL_PLAYER : (int8_t)(1 - player);
    if (won) {
        state->winner = (int8_t)player;
        state->player = TERMINAL_PLAYER;
    }
}

void returns(const State *state, double *amounts) {
    amounts[0] = state->winner < 0 ? 0.0 : state->winner == 0 ? 1.0 : -1.0;
    amounts[1] = 0.0 - amounts[0];  /* no negative zero, as in Python */
}

void action_name(const State *state, int action, Text *text) {
    put_char(text, state->player == 0 ? 'x' : 'o');
    put_char(text, '(');
    put_int(text, action / 3);
    put_char(text, ',');
    put_int(text, action % 3);
    put_char(text, ')');
}

void observation(const State *state, int player, Text *text) {
    put(text, "{\"board\": [");
    for (int cell = 0; cell < 9; cell++) {
        if (cell % 3 == 0) put(text, cell ? "\", \"" : "\"");
        put_char(text, state->stones[0] >> cell & 1 ? 'x' : state->stones[1] >> cell & 1 ? 'o' : '.');
    }
    put(text, "\"]}");
}
