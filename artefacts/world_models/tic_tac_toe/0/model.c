/* Three in a row on 3 x 3 cells. What a player has is one number: bits 0 .. 8 are the cells taken, and bits
   16 + 2i and 17 + 2i count the stones on line i of (012, 345, 678, 036, 147, 258, 048, 246). A count is at
   most 3, so it never runs over, and a line is complete when both of its bits are set. */

enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 9,
    MAX_CHANCE_OUTCOMES = 0,
    MAX_GAME_LENGTH = 9
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

#define CELL_COUNT 9
#define ALL_CELLS 511U
#define LINE_LOW_BITS 0x55550000U

typedef struct {
    uint32_t stones[2]; /* of x and of o */
    int8_t who;         /* who acts: 0, 1 or TERMINAL_PLAYER */
    int8_t result;      /* return of player 0: 1, 0 or -1 */
} State;

/* what a stone in a cell adds to the number of its player */
static const uint32_t STONE[9] = {
    0x10410001U, 0x01010002U, 0x44010004U,
    0x00440008U, 0x51040010U, 0x04040020U,
    0x40500040U, 0x01100080U, 0x14100100U
};

static inline bool has_line(uint32_t stones) {
    return (stones & (stones >> 1) & LINE_LOW_BITS) != 0;
}

void initial_state(State *state) {
    state->stones[0] = 0;
    state->stones[1] = 0;
    state->who = 0;
    state->result = 0;
}

int current_player(const State *state) {
    return state->who;
}

int legal_actions(const State *state, int *actions) {
    uint32_t empty = ~(state->stones[0] | state->stones[1]) & ALL_CELLS;
    int count = 0;
    /* count <= c, so each write stays within the 9 entries */
    for (int c = 0; c < CELL_COUNT; c++) {
        actions[count] = c;
        count += (int)((empty >> c) & 1U);
    }
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    (void)state;
    (void)outcomes;
    (void)probabilities;
    return 0;
}

void apply_action(State *state, int action) {
    int who = state->who;
    uint32_t own = state->stones[who] + STONE[action];
    state->stones[who] = own;
    if (has_line(own)) {
        state->who = TERMINAL_PLAYER;
        state->result = (int8_t)(1 - 2 * who);
    } else if (((state->stones[0] | state->stones[1]) & ALL_CELLS) == ALL_CELLS) {
        state->who = TERMINAL_PLAYER;
    } else {
        state->who = (int8_t)(1 - who);
    }
}

void returns(const State *state, double *amounts) {
    int result = state->result;
    amounts[0] = (double)result;
    amounts[1] = (double)(-result);
}

void action_name(const State *state, int action, Text *text) {
    put_char(text, state->who == 1 ? 'o' : 'x');
    put_char(text, '(');
    put_int(text, action / 3);
    put_char(text, ',');
    put_int(text, action % 3);
    put_char(text, ')');
}

void observation(const State *state, int player, Text *text) {
    (void)player;
    put(text, "{\"board\": [");
    for (int r = 0; r < 3; r++) {
        put(text, "\"");
        for (int c = 0; c < 3; c++) {
            int cell = 3 * r + c;
            if (((state->stones[0] >> cell) & 1U) != 0) {
                put_char(text, 'x');
            } else if (((state->stones[1] >> cell) & 1U) != 0) {
                put_char(text, 'o');
            } else {
                put_char(text, '.');
            }
        }
        put(text, r < 2 ? "\", " : "\"");
    }
    put(text, "]}");
}

/* The empty cells are kept as an ascending list of 4 bits each, from which the one played is taken out. */
void rollout(const State *state, Random *random, double *amounts) {
    int who = state->who;
    int sign = 1 - 2 * who;
    uint32_t own = state->stones[who];
    uint32_t other = state->stones[1 - who];
    uint32_t empty = ~(own | other) & ALL_CELLS;
    uint64_t list = 0;
    int count = 0;
    int result = 0;
    for (int c = 0; c < CELL_COUNT; c++) {
        int is_empty = (int)((empty >> c) & 1U);
        list |= (uint64_t)(c * is_empty) << (4 * count);
        count += is_empty;
    }
    while (count > 0) {
        int at = 4 * random_below(random, count);
        uint32_t moved = own + STONE[(list >> at) & 15ULL];
        uint64_t low = list & ((1ULL << at) - 1ULL);
        if (has_line(moved)) {
            result = sign;
            break;
        }
        list = low | (((list >> at) >> 4) << at);
        count--;
        own = other;
        other = moved;
        sign = -sign;
    }
    amounts[0] = (double)result;
    amounts[1] = (double)(-result);
}
