/* Four in a row on 6 rows and 7 columns. Column c occupies the bits 7c .. 7c + 5, lowest cell first; bit 7c + 6
   is always empty, so that no line runs on into the next column. */

enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 7,
    MAX_CHANCE_OUTCOMES = 0,
    MAX_GAME_LENGTH = 42
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

#define BOARD_ROWS 6
#define BOARD_COLUMNS 7
#define COLUMN_CELLS 63ULL
#define TOP_CELLS 141845657554976ULL
#define ALL_OPEN 0x6543210U

typedef struct {
    uint64_t stones[2]; /* of x and of o */
    uint32_t open;      /* the columns that are not full, ascending, 4 bits each */
    int8_t count;       /* how many they are */
    int8_t who;         /* who acts: 0, 1 or TERMINAL_PLAYER */
    int8_t result;      /* return of player 0: 1, 0 or -1 */
} State;

static inline bool has_four(uint64_t b) {
    uint64_t v = b & (b >> 1); /* along a column */
    uint64_t h = b & (b >> 7); /* along a row */
    uint64_t f = b & (b >> 6); /* diagonal, falling to the right */
    uint64_t r = b & (b >> 8); /* diagonal, rising to the right */
    return ((v & (v >> 2)) | (h & (h >> 14)) | (f & (f >> 12)) | (r & (r >> 16))) != 0;
}

/* Finds the open columns anew; needed only after one was filled. */
static inline void find_open(State *state) {
    uint64_t mask = state->stones[0] | state->stones[1];
    uint32_t open = 0;
    int count = 0;
    for (int c = 0; c < BOARD_COLUMNS; c++) {
        if (((mask >> (7 * c + 5)) & 1ULL) == 0) {
            open |= (uint32_t)c << (4 * count);
            count++;
        }
    }
    state->open = open;
    state->count = (int8_t)count;
}

void initial_state(State *state) {
    state->stones[0] = 0;
    state->stones[1] = 0;
    state->open = ALL_OPEN;
    state->count = BOARD_COLUMNS;
    state->who = 0;
    state->result = 0;
}

int current_player(const State *state) {
    return state->who;
}

int legal_actions(const State *state, int *actions) {
    uint32_t open = state->open;
    /* all 7 entries are written, of which the first count matter */
    actions[0] = (int)(open & 7U);
    actions[1] = (int)((open >> 4) & 7U);
    actions[2] = (int)((open >> 8) & 7U);
    actions[3] = (int)((open >> 12) & 7U);
    actions[4] = (int)((open >> 16) & 7U);
    actions[5] = (int)((open >> 20) & 7U);
    actions[6] = (int)((open >> 24) & 7U);
    return state->count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    (void)state;
    (void)outcomes;
    (void)probabilities;
    return 0;
}

void apply_action(State *state, int action) {
    int who = state->who;
    int shift = 7 * action;
    uint64_t mask = state->stones[0] | state->stones[1];
    uint64_t bit = (mask + (1ULL << shift)) & (COLUMN_CELLS << shift);
    uint64_t own = state->stones[who] | bit;
    state->stones[who] = own;
    if (has_four(own)) {
        state->who = TERMINAL_PLAYER;
        state->result = (int8_t)(1 - 2 * who);
        return;
    }
    state->who = (int8_t)(1 - who);
    if ((bit & TOP_CELLS) != 0) {
        find_open(state);
        if (state->count == 0) {
            state->who = TERMINAL_PLAYER;
        }
    }
}

void returns(const State *state, double *amounts) {
    int result = state->result;
    amounts[0] = (double)result;
    amounts[1] = (double)(-result);
}

void action_name(const State *state, int action, Text *text) {
    put_char(text, state->who == 1 ? 'o' : 'x');
    put_int(text, action);
}

void observation(const State *state, int player, Text *text) {
    (void)player;
    put(text, "{\"board\": [");
    for (int r = BOARD_ROWS - 1; r >= 0; r--) {
        put(text, "\"");
        for (int c = 0; c < BOARD_COLUMNS; c++) {
            int cell = 7 * c + r;
            if (((state->stones[0] >> cell) & 1ULL) != 0) {
                put_char(text, 'x');
            } else if (((state->stones[1] >> cell) & 1ULL) != 0) {
                put_char(text, 'o');
            } else {
                put_char(text, '.');
            }
        }
        put(text, r > 0 ? "\", " : "\"");
    }
    put(text, "]}");
}

/* The k-th open column is read off the packed list, and taken out of it once it is full. */
void rollout(const State *state, Random *random, double *amounts) {
    int who = state->who;
    int sign = 1 - 2 * who;
    uint64_t own = state->stones[who];
    uint64_t mask = state->stones[0] | state->stones[1];
    uint32_t open = state->open;
    int count = state->count;
    int result = 0;
    while (count > 0) {
        int at = 4 * random_below(random, count);
        int shift = 7 * (int)((open >> at) & 7U);
        uint64_t bit = (mask + (1ULL << shift)) & (COLUMN_CELLS << shift);
        mask |= bit;
        own |= bit;
        if (has_four(own)) {
            result = sign;
            break;
        }
        if ((bit & TOP_CELLS) != 0) {
            uint32_t low = open & ((1U << at) - 1U);
            open = low | (((open >> at) >> 4) << at);
            count--;
        }
        own ^= mask; /* the stones of the other player */
        sign = -sign;
    }
    amounts[0] = (double)result;
    amounts[1] = (double)(-result);
}
