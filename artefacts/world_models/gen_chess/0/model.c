/* 5 x 5 board, cell = row * 5 + column; general = 0, infantry = 1, cavalry = 2; code = cell * 3 + kind */

enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 283,
    MAX_CHANCE_OUTCOMES = 0,
    MAX_GAME_LENGTH = 100
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

enum { PASS = 282, MAX_PLIES = 100, DRAW = 3 };

/* sets of cells */
#define ALL_CELLS 0x1FFFFFFu
#define COLS_0123 0xF7BDEFu
#define COLS_1234 0x1EF7BDEu
#define COLS_012 0x739CE7u
#define COLS_234 0x1CE739Cu
#define COLS_34 0x18C6318u

typedef struct {
    uint32_t occ[2];    /* cells of each player's pieces, at most 5 */
    uint32_t inf;       /* infantry of both */
    uint32_t cav;       /* cavalry of both; what is neither is a general */
    uint8_t plies;
    uint8_t result;     /* 0 running, 1 player 0 has won, 2 player 1 has won, 3 draw */
    int8_t current;
} State;

/* cells that a piece may go to: [player][code] */
static const uint32_t ATT[2][75] = {
    {38, 1120, 34952, 77, 2272, 69904, 155, 4544, 139776, 278, 9088, 278528, 524, 17152, 524288,
     1217, 35841, 1118464, 2466, 72706, 2236928, 4964, 145412, 4472832, 8904, 290824, 8912896, 16784, 548880, 16777216,
     38944, 1146912, 2236416, 78912, 2326592, 4472832, 158848, 4653184, 8912896, 284928, 9306368, 16777216, 537088, 17564160, 0,
     1246208, 3146752, 4456448, 2525184, 7342080, 8912896, 5083136, 14684160, 16777216, 9117696, 29368320, 0, 17186816, 25182208, 0,
     6324224, 32768, 8388608, 13697024, 65536, 16777216, 28442624, 131072, 0, 23330816, 262144, 0, 13107200, 524288, 0},
    {38, 32, 8, 77, 64, 16, 155, 128, 0, 278, 256, 0, 524, 512, 0,
     1217, 1027, 260, 2466, 2055, 520, 4964, 4110, 16, 8904, 8220, 0, 16784, 16408, 0,
     38944, 32865, 8322, 78912, 65762, 16644, 158848, 131524, 520, 284928, 263048, 16, 537088, 525072, 0,
     1246208, 1051680, 266305, 2525184, 2104384, 532610, 5083136, 4208768, 16644, 9117696, 8417536, 520, 17186816, 16802304, 16,
     6324224, 99328, 8521760, 13697024, 231424, 17043520, 28442624, 462848, 532608, 23330816, 925696, 16640, 13107200, 802816, 512}
};

/* action of [start][target]; 0 where there is none */
static const uint16_t ACT[25][25] = {
    {0, 0, 1, 2, 0,  3, 4, 5, 0, 0,  6, 7, 0, 0, 0,  8, 0, 0, 0, 0,  0, 0, 0, 0, 0},
    {9, 0, 10, 11, 12,  13, 14, 15, 16, 0,  0, 17, 18, 0, 0,  0, 19, 0, 0, 0,  0, 0, 0, 0, 0},
    {20, 21, 0, 22, 23,  0, 24, 25, 26, 27,  0, 0, 28, 29, 0,  0, 0, 30, 0, 0,  0, 0, 0, 0, 0},
    {0, 31, 32, 0, 33,  0, 0, 34, 35, 36,  0, 0, 0, 37, 38,  0, 0, 0, 39, 0,  0, 0, 0, 0, 0},
    {0, 0, 40, 41, 0,  0, 0, 0, 42, 43,  0, 0, 0, 0, 44,  0, 0, 0, 0, 45,  0, 0, 0, 0, 0},
    {46, 47, 48, 0, 0,  0, 49, 50, 51, 0,  52, 53, 54, 0, 0,  55, 56, 0, 0, 0,  57, 0, 0, 0, 0},
    {58, 59, 60, 61, 0,  62, 0, 63, 64, 65,  66, 67, 68, 69, 0,  0, 70, 71, 0, 0,  0, 72, 0, 0, 0},
    {0, 73, 74, 75, 76,  77, 78, 0, 79, 80,  0, 81, 82, 83, 84,  0, 0, 85, 86, 0,  0, 0, 87, 0, 0},
    {0, 0, 88, 89, 90,  0, 91, 92, 0, 93,  0, 0, 94, 95, 96,  0, 0, 0, 97, 98,  0, 0, 0, 99, 0},
    {0, 0, 0, 100, 101,  0, 0, 102, 103, 0,  0, 0, 0, 104, 105,  0, 0, 0, 0, 106,  0, 0, 0, 0, 107},
    {108, 109, 0, 0, 0,  110, 111, 112, 0, 0,  0, 113, 114, 115, 0,  116, 117, 118, 0, 0,  119, 120, 0, 0, 0},
    {0, 121, 122, 0, 0,  123, 124, 125, 126, 0,  127, 0, 128, 129, 130,  131, 132, 133, 134, 0,  0, 135, 136, 0, 0},
    {0, 0, 137, 138, 0,  0, 139, 140, 141, 142,  143, 144, 0, 145, 146,  0, 147, 148, 149, 150,  0, 0, 151, 152, 0},
    {0, 0, 0, 153, 154,  0, 0, 155, 156, 157,  0, 158, 159, 0, 160,  0, 0, 161, 162, 163,  0, 0, 0, 164, 165},
    {0, 0, 0, 0, 166,  0, 0, 0, 167, 168,  0, 0, 169, 170, 0,  0, 0, 0, 171, 172,  0, 0, 0, 0, 173},
    {174, 0, 0, 0, 0,  175, 176, 0, 0, 0,  177, 178, 179, 0, 0,  0, 180, 181, 182, 0,  183, 184, 185, 0, 0},
    {0, 186, 0, 0, 0,  0, 187, 188, 0, 0,  189, 190, 191, 192, 0,  193, 0, 194, 195, 196,  197, 198, 199, 200, 0},
    {0, 0, 201, 0, 0,  0, 0, 202, 203, 0,  0, 204, 205, 206, 207,  208, 209, 0, 210, 211,  0, 212, 213, 214, 215},
    {0, 0, 0, 216, 0,  0, 0, 0, 217, 218,  0, 0, 219, 220, 221,  0, 222, 223, 0, 224,  0, 0, 225, 226, 227},
    {0, 0, 0, 0, 228,  0, 0, 0, 0, 229,  0, 0, 0, 230, 231,  0, 0, 232, 233, 0,  0, 0, 0, 234, 235},
    {0, 0, 0, 0, 0,  236, 0, 0, 0, 0,  237, 238, 0, 0, 0,  239, 240, 241, 0, 0,  0, 242, 243, 244, 0},
    {0, 0, 0, 0, 0,  0, 245, 0, 0, 0,  0, 246, 247, 0, 0,  248, 249, 250, 251, 0,  252, 0, 253, 254, 255},
    {0, 0, 0, 0, 0,  0, 0, 256, 0, 0,  0, 0, 257, 258, 0,  0, 259, 260, 261, 262,  263, 264, 0, 265, 266},
    {0, 0, 0, 0, 0,  0, 0, 0, 267, 0,  0, 0, 0, 268, 269,  0, 0, 270, 271, 272,  0, 273, 274, 0, 275},
    {0, 0, 0, 0, 0,  0, 0, 0, 0, 276,  0, 0, 0, 0, 277,  0, 0, 0, 278, 279,  0, 0, 280, 281, 0}
};

/* start and target of each action but the pass */
static const uint8_t PAIRS[282][2] = {
    {0, 1}, {0, 2}, {0, 3}, {0, 5}, {0, 6}, {0, 7}, {0, 10}, {0, 11}, {0, 15},
    {1, 0}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {1, 8}, {1, 11}, {1, 12}, {1, 16},
    {2, 0}, {2, 1}, {2, 3}, {2, 4}, {2, 6}, {2, 7}, {2, 8}, {2, 9}, {2, 12}, {2, 13}, {2, 17},
    {3, 1}, {3, 2}, {3, 4}, {3, 7}, {3, 8}, {3, 9}, {3, 13}, {3, 14}, {3, 18},
    {4, 2}, {4, 3}, {4, 8}, {4, 9}, {4, 14}, {4, 19},
    {5, 0}, {5, 1}, {5, 2}, {5, 6}, {5, 7}, {5, 8}, {5, 10}, {5, 11}, {5, 12}, {5, 15}, {5, 16}, {5, 20},
    {6, 0}, {6, 1}, {6, 2}, {6, 3}, {6, 5}, {6, 7}, {6, 8}, {6, 9}, {6, 10}, {6, 11}, {6, 12}, {6, 13},
    {6, 16}, {6, 17}, {6, 21},
    {7, 1}, {7, 2}, {7, 3}, {7, 4}, {7, 5}, {7, 6}, {7, 8}, {7, 9}, {7, 11}, {7, 12}, {7, 13}, {7, 14},
    {7, 17}, {7, 18}, {7, 22},
    {8, 2}, {8, 3}, {8, 4}, {8, 6}, {8, 7}, {8, 9}, {8, 12}, {8, 13}, {8, 14}, {8, 18}, {8, 19}, {8, 23},
    {9, 3}, {9, 4}, {9, 7}, {9, 8}, {9, 13}, {9, 14}, {9, 19}, {9, 24},
    {10, 0}, {10, 1}, {10, 5}, {10, 6}, {10, 7}, {10, 11}, {10, 12}, {10, 13}, {10, 15}, {10, 16}, {10, 17},
    {10, 20}, {10, 21},
    {11, 1}, {11, 2}, {11, 5}, {11, 6}, {11, 7}, {11, 8}, {11, 10}, {11, 12}, {11, 13}, {11, 14}, {11, 15},
    {11, 16}, {11, 17}, {11, 18}, {11, 21}, {11, 22},
    {12, 2}, {12, 3}, {12, 6}, {12, 7}, {12, 8}, {12, 9}, {12, 10}, {12, 11}, {12, 13}, {12, 14}, {12, 16},
    {12, 17}, {12, 18}, {12, 19}, {12, 22}, {12, 23},
    {13, 3}, {13, 4}, {13, 7}, {13, 8}, {13, 9}, {13, 11}, {13, 12}, {13, 14}, {13, 17}, {13, 18}, {13, 19},
    {13, 23}, {13, 24},
    {14, 4}, {14, 8}, {14, 9}, {14, 12}, {14, 13}, {14, 18}, {14, 19}, {14, 24},
    {15, 0}, {15, 5}, {15, 6}, {15, 10}, {15, 11}, {15, 12}, {15, 16}, {15, 17}, {15, 18}, {15, 20}, {15, 21},
    {15, 22},
    {16, 1}, {16, 6}, {16, 7}, {16, 10}, {16, 11}, {16, 12}, {16, 13}, {16, 15}, {16, 17}, {16, 18}, {16, 19},
    {16, 20}, {16, 21}, {16, 22}, {16, 23},
    {17, 2}, {17, 7}, {17, 8}, {17, 11}, {17, 12}, {17, 13}, {17, 14}, {17, 15}, {17, 16}, {17, 18}, {17, 19},
    {17, 21}, {17, 22}, {17, 23}, {17, 24},
    {18, 3}, {18, 8}, {18, 9}, {18, 12}, {18, 13}, {18, 14}, {18, 16}, {18, 17}, {18, 19}, {18, 22}, {18, 23},
    {18, 24},
    {19, 4}, {19, 9}, {19, 13}, {19, 14}, {19, 17}, {19, 18}, {19, 23}, {19, 24},
    {20, 5}, {20, 10}, {20, 11}, {20, 15}, {20, 16}, {20, 17}, {20, 21}, {20, 22}, {20, 23},
    {21, 6}, {21, 11}, {21, 12}, {21, 15}, {21, 16}, {21, 17}, {21, 18}, {21, 20}, {21, 22}, {21, 23}, {21, 24},
    {22, 7}, {22, 12}, {22, 13}, {22, 16}, {22, 17}, {22, 18}, {22, 19}, {22, 20}, {22, 21}, {22, 23}, {22, 24},
    {23, 8}, {23, 13}, {23, 14}, {23, 17}, {23, 18}, {23, 19}, {23, 21}, {23, 22}, {23, 24},
    {24, 9}, {24, 14}, {24, 18}, {24, 19}, {24, 22}, {24, 23}
};

/* worth of a piece: [player][code] */
static const double VAL[2][75] = {
    {100.0, 0.9, 0.69, 100.0, 1.0, 0.6599999999999999, 100.0, 1.03, 0.5,
     100.0, 1.0, 0.34, 100.0, 0.9, 0.21000000000000002,
     100.0, 0.9800000000000001, 0.6599999999999999, 100.0, 1.08, 0.63, 100.0, 1.11, 0.47000000000000003,
     100.0, 1.08, 0.34, 100.0, 0.9800000000000001, 0.21000000000000002,
     100.0, 1.02, 0.5, 100.0, 1.12, 0.47000000000000003, 100.0, 1.1500000000000001, 0.34,
     100.0, 1.12, 0.21000000000000002, 100.0, 1.02, 0.08,
     100.0, 0.9, 0.34, 100.0, 1.0, 0.34, 100.0, 1.03, 0.21000000000000002,
     100.0, 1.0, 0.08, 100.0, 0.9, 0.08,
     100.0, 0.6, 0.21000000000000002, 100.0, 0.7, 0.21000000000000002, 100.0, 0.73, 0.08,
     100.0, 0.7, 0.08, 100.0, 0.6, 0.08},
    {100.0, 0.6, 0.21000000000000002, 100.0, 0.7, 0.21000000000000002, 100.0, 0.73, 0.08,
     100.0, 0.7, 0.08, 100.0, 0.6, 0.08,
     100.0, 0.9, 0.34, 100.0, 1.0, 0.34, 100.0, 1.03, 0.21000000000000002,
     100.0, 1.0, 0.08, 100.0, 0.9, 0.08,
     100.0, 1.02, 0.5, 100.0, 1.12, 0.47000000000000003, 100.0, 1.1500000000000001, 0.34,
     100.0, 1.12, 0.21000000000000002, 100.0, 1.02, 0.08,
     100.0, 0.9800000000000001, 0.6599999999999999, 100.0, 1.08, 0.63, 100.0, 1.11, 0.47000000000000003,
     100.0, 1.08, 0.34, 100.0, 0.9800000000000001, 0.21000000000000002,
     100.0, 0.9, 0.69, 100.0, 1.0, 0.6599999999999999, 100.0, 1.03, 0.5,
     100.0, 1.0, 0.34, 100.0, 0.9, 0.21000000000000002}
};

static const double FLIGHT[7] = {0.35, 0.15, 0.05, 0.0, -0.02, -0.03, -0.04};

static inline int kind_at(uint32_t inf, uint32_t cav, int cell)
{
    return (int)(((inf >> cell) & 1u) | (((cav >> cell) & 1u) << 1));
}

void initial_state(State *state)
{
    state->occ[0] = 0x1Fu;
    state->occ[1] = 0x1F00000u;
    state->inf = 0xA0000Au;
    state->cav = 0x1100011u;
    state->plies = 0;
    state->result = 0;
    state->current = 0;
}

int current_player(const State *state)
{
    return state->current;
}

int legal_actions(const State *state, int *actions)
{
    int player = state->plies & 1;
    uint32_t own = state->occ[player];
    uint32_t inf = state->inf;
    uint32_t cav = state->cav;
    uint32_t left = own;
    int n = 0;
    while (left) {
        int cell = __builtin_ctz(left);
        uint32_t m = ATT[player][cell * 3 + kind_at(inf, cav, cell)] & ~own;
        left &= left - 1u;
        while (m) {
            actions[n] = ACT[cell][__builtin_ctz(m)];
            n++;
            m &= m - 1u;
        }
    }
    if (n == 0) {
        actions[0] = PASS;
        n = 1;
    }
    return n;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities)
{
    (void)state;
    (void)outcomes;
    (void)probabilities;
    return 0;
}

void apply_action(State *state, int action)
{
    int player = state->plies & 1;
    int plies = state->plies + 1;
    int result = plies >= MAX_PLIES ? DRAW : 0;
    if (action != PASS) {
        int start = PAIRS[action][0];
        int target = PAIRS[action][1];
        uint32_t tb = 1u << target;
        uint32_t both = (1u << start) | tb;
        uint32_t inf = state->inf;
        uint32_t cav = state->cav;
        uint32_t opp = state->occ[1 - player];
        if (opp & tb & ~(inf | cav)) {
            result = player + 1;
        }
        state->occ[1 - player] = opp & ~tb;
        state->occ[player] ^= both;
        state->inf = (inf & ~both) | (((inf >> start) & 1u) << target);
        state->cav = (cav & ~both) | (((cav >> start) & 1u) << target);
    }
    state->plies = (uint8_t)plies;
    state->result = (uint8_t)result;
    state->current = (int8_t)(result ? (int)TERMINAL_PLAYER : (plies & 1));
}

static inline void give_result(int result, double *amounts)
{
    amounts[0] = result == 1 ? 1.0 : (result == 2 ? -1.0 : 0.0);
    amounts[1] = result == 1 ? -1.0 : (result == 2 ? 1.0 : 0.0);
}

void returns(const State *state, double *amounts)
{
    give_result(state->result, amounts);
}

void action_name(const State *state, int action, Text *text)
{
    (void)state;
    if (action == PASS) {
        put(text, "pass");
        return;
    }
    put_char(text, (char)('a' + PAIRS[action][0] % 5));
    put_char(text, (char)('1' + PAIRS[action][0] / 5));
    put_char(text, '-');
    put_char(text, (char)('a' + PAIRS[action][1] % 5));
    put_char(text, (char)('1' + PAIRS[action][1] / 5));
}

void observation(const State *state, int player, Text *text)
{
    (void)player;
    put(text, "{\"board\": [");
    for (int row = 4; row >= 0; row--) {
        put_char(text, '"');
        for (int col = 0; col < 5; col++) {
            int cell = row * 5 + col;
            int kind = kind_at(state->inf, state->cav, cell);
            if ((state->occ[1] >> cell) & 1u) {
                put_char(text, kind == 0 ? 'g' : (kind == 1 ? 'i' : 'c'));
            } else if ((state->occ[0] >> cell) & 1u) {
                put_char(text, kind == 0 ? 'G' : (kind == 1 ? 'I' : 'C'));
            } else {
                put_char(text, '.');
            }
        }
        put_char(text, '"');
        if (row > 0) {
            put(text, ", ");
        }
    }
    put(text, "], \"plies\": ");
    put_int(text, state->plies);
    put(text, "}");
}

/* A random game: the moves are counted, not listed. A player has at most 5 pieces. */
void rollout(const State *state, Random *random, double *amounts)
{
    uint32_t occ[2];
    uint32_t inf = state->inf;
    uint32_t cav = state->cav;
    int plies = state->plies;
    int result = state->result;
    occ[0] = state->occ[0];
    occ[1] = state->occ[1];
    while (!result) {
        int player = plies & 1;
        uint32_t own = occ[player];
        uint32_t left = own;
        uint32_t masks[5];
        int cells[5];
        int counts[5];
        int pieces = 0;
        int count = 0;
        while (left) {
            int cell = __builtin_ctz(left);
            uint32_t m = ATT[player][cell * 3 + kind_at(inf, cav, cell)] & ~own;
            int k = __builtin_popcount(m);
            left &= left - 1u;
            masks[pieces] = m;
            cells[pieces] = cell;
            counts[pieces] = k;
            pieces++;
            count += k;
        }
        plies++;
        if (plies >= MAX_PLIES) {
            result = DRAW;
        }
        if (count == 0) {
            (void)random_below(random, 1);
        } else {
            int k = random_below(random, count);
            int i = 0;
            while (k >= counts[i]) {
                k -= counts[i];
                i++;
            }
            uint32_t m = masks[i];
            while (k > 0) {
                m &= m - 1u;
                k--;
            }
            int start = cells[i];
            int target = __builtin_ctz(m);
            uint32_t tb = 1u << target;
            uint32_t both = (1u << start) | tb;
            uint32_t opp = occ[1 - player];
            if (opp & tb & ~(inf | cav)) {
                result = player + 1;
            }
            occ[1 - player] = opp & ~tb;
            occ[player] = own ^ both;
            inf = (inf & ~both) | (((inf >> start) & 1u) << target);
            cav = (cav & ~both) | (((cav >> start) & 1u) << target);
        }
    }
    give_result(result, amounts);
}

/* ---- the value function ---- */

static inline void give(double *amounts, int player, double v)
{
    amounts[player] = v;
    amounts[1 - player] = -v;
}

static inline void give_nothing(double *amounts)
{
    amounts[0] = 0.0;
    amounts[1] = 0.0;
}

/* cells that a general reaches from a cell of the set (also those from which it reaches the set) */
static inline uint32_t general_step(uint32_t set)
{
    return ((set << 5) | (set >> 5) | ((set & COLS_0123) << 1) | ((set & COLS_1234) >> 1)
            | ((set & COLS_012) << 2) | ((set & COLS_234) >> 2)) & ALL_CELLS;
}

/* cells that an infantry of the player reaches from a cell of the set;
   the other player's infantry goes just the opposite ways */
static inline uint32_t infantry_step(int player, uint32_t set)
{
    if (player == 0) {
        return ((set << 5) | (set << 10) | ((set & COLS_1234) << 4) | ((set & COLS_0123) << 6)
                | (set >> 5)) & ALL_CELLS;
    }
    return ((set >> 5) | (set >> 10) | ((set & COLS_1234) >> 6) | ((set & COLS_0123) >> 4)
            | (set << 5)) & ALL_CELLS;
}

/* cells from which a cavalry of the player reaches a cell of the set */
static inline uint32_t cavalry_before(int player, uint32_t set)
{
    if (player == 0) {
        return ((set & COLS_34) >> 3) | ((set & COLS_234) >> 7) | ((set & COLS_1234) >> 11) | (set >> 15);
    }
    return (((set & COLS_34) >> 3) | ((set & COLS_234) << 3) | ((set & COLS_1234) << 9)
            | (set << 15)) & ALL_CELLS;
}

/* codes of the player's pieces, ascending: at most 5 */
static inline int list_pieces(const State *state, int player, int *codes)
{
    uint32_t left = state->occ[player];
    int n = 0;
    while (left) {
        int cell = __builtin_ctz(left);
        left &= left - 1u;
        codes[n] = cell * 3 + kind_at(state->inf, state->cav, cell);
        n++;
    }
    return n;
}

/* General s0 and one piece x0 of the kind (moving as player 0) against the bare general w0: plies to the end
   of the game, 0 where there is no win or it takes more than `limit` plies. Sets are of cells of the weak
   general. */
static int ending_depth(int kind, bool strong_moves, int s0, int x0, int w0, int limit)
{
    uint32_t won[25][25] = {{0}};       /* strong side to move */
    uint32_t lost[25][25] = {{0}};      /* weak side to move */
    uint32_t fresh[25][25] = {{0}};     /* newly lost */
    uint32_t dirty[25];                 /* places of the piece for which `won` has changed */
    uint32_t active[25];                /* places of the piece for which `fresh` is not empty */
    uint32_t reach = 1u << x0;
    uint32_t todo = reach;
    int d = 1;

    /* the piece is taken at once */
    if (!strong_moves && ((ATT[0][w0 * 3] >> x0) & 1u) && !((ATT[0][s0 * 3] >> x0) & 1u)) {
        return 0;
    }

    while (todo) {
        int x = __builtin_ctz(todo);
        uint32_t more = ATT[0][x * 3 + kind] & ~reach;
        todo &= todo - 1u;
        todo |= more;
        reach |= more;
    }

    for (int s = 0; s < 25; s++) {
        uint32_t sb = 1u << s;
        uint32_t list = reach & ~sb;
        dirty[s] = list;
        while (list) {
            int x = __builtin_ctz(list);
            list &= list - 1u;
            won[s][x] = (ATT[0][s * 3] | ATT[0][x * 3 + kind]) & ~(sb | (1u << x));
        }
    }
    if (strong_moves && ((won[s0][x0] >> w0) & 1u)) {
        return 1;
    }

    for (;;) {
        uint32_t any = 0;
        if (d + (strong_moves ? 2 : 1) > limit) {
            return 0;
        }
        for (int s = 0; s < 25; s++) {
            uint32_t sb = 1u << s;
            uint32_t gm = ATT[0][s * 3];
            uint32_t list = dirty[s];
            uint32_t some = 0;
            while (list) {
                int x = __builtin_ctz(list);
                uint32_t xb = 1u << x;
                list &= list - 1u;
                /* where the weak general would be safe: also on the piece, unless it is protected,
                   and on the other general */
                uint32_t safe = ALL_CELLS & ~won[s][x] & ~(gm & xb);
                uint32_t l = ALL_CELLS & ~general_step(safe) & ~(sb | xb) & ~lost[s][x];
                if (l) {
                    fresh[s][x] = l;
                    lost[s][x] |= l;
                    some |= xb;
                }
            }
            dirty[s] = 0;
            active[s] = some;
            any |= some;
        }
        if (!any) {
            return 0;
        }
        if (!strong_moves && ((lost[s0][x0] >> w0) & 1u)) {
            return d + 1;
        }
        d += 2;
        any = 0;
        for (int s = 0; s < 25; s++) {
            uint32_t sb = 1u << s;
            uint32_t list = active[s];
            while (list) {
                int x = __builtin_ctz(list);
                uint32_t xb = 1u << x;
                uint32_t l = fresh[s][x];
                uint32_t from = ATT[0][s * 3] & ~xb;
                list &= list - 1u;
                while (from) {
                    int p = __builtin_ctz(from);
                    uint32_t n = l & ~(1u << p) & ~won[p][x];
                    from &= from - 1u;
                    if (n) {
                        won[p][x] |= n;
                        dirty[p] |= xb;
                        any = 1;
                    }
                }
                from = (kind == 1 ? ATT[1][x * 3 + 1] : cavalry_before(0, xb)) & reach & ~sb;
                while (from) {
                    int p = __builtin_ctz(from);
                    uint32_t pb = 1u << p;
                    uint32_t n = l & ~pb & ~won[s][p];
                    from &= from - 1u;
                    if (n) {
                        won[s][p] |= n;
                        dirty[s] |= pb;
                        any = 1;
                    }
                }
            }
        }
        if (!any) {
            return 0;
        }
        if (strong_moves && ((won[s0][x0] >> w0) & 1u)) {
            return d;
        }
    }
}

/* ascending worths of the pieces that attack the cell b */
static inline int attackers(const int *codes, int n, const uint32_t *tab, const double *val, uint32_t b,
                            double *out)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        int code = codes[i];
        if (tab[code] & b) {
            double v = val[code];
            int k = m;
            while (k > 0 && out[k - 1] > v) {
                out[k] = out[k - 1];
                k--;
            }
            out[k] = v;
            m++;
        }
    }
    return m;
}

/* gain of the attackers on the cell b, where a piece worth v stands */
static double exchange(double v, uint32_t b,
                       const int *att, int n_att, const uint32_t *att_tab, const double *att_val,
                       const int *def, int n_def, const uint32_t *def_tab, const double *def_val)
{
    double a[5];
    double d[5];
    double victims[12];
    int na = attackers(att, n_att, att_tab, att_val, b, a);
    int nd = attackers(def, n_def, def_tab, def_val, b, d);
    int i = 0;
    int j = 0;
    int steps = 0;
    double r = 0.0;
    while (i < na) {
        victims[steps] = v;
        steps++;
        v = a[i];
        i++;
        if (j >= nd) {
            break;
        }
        victims[steps] = v;
        steps++;
        v = d[j];
        j++;
    }
    while (steps > 0) {
        double g;
        steps--;
        g = victims[steps] - r;
        r = g > 0.0 ? g : 0.0;
    }
    return r;
}

/* -1: a move that mates exists; otherwise the number of safe checks. before_inf and before_cav are the cells
   from which infantry and cavalry attack the enemy's general */
static int probe(const int *codes, int n, const uint32_t *tab, uint32_t before_inf, uint32_t before_cav,
                 uint32_t ok, uint32_t gen_att, uint32_t occ)
{
    int checks = 0;
    for (int i = 0; i < n; i++) {
        int code = codes[i];
        int kind = code % 3;
        uint32_t m;
        uint32_t others = 0;
        if (kind == 0) {
            continue;
        }
        m = tab[code] & ok & (kind == 1 ? before_inf : before_cav);
        if (!m) {
            continue;
        }
        for (int j = 0; j < n; j++) {
            if (j != i) {
                others |= tab[codes[j]];
            }
        }
        while (m) {
            int t = __builtin_ctz(m);
            uint32_t tb = 1u << t;
            uint32_t cover = others | tab[t * 3 + kind];
            uint32_t fl = gen_att & ~cover & ~(occ & ~tb);
            m &= m - 1u;
            if (!fl) {
                return -1;
            }
            if (!(fl & tb)) {
                checks++;
            }
        }
    }
    return checks;
}

/* near[0 .. 3]: cells from which the player's infantry needs at most 1, 2, 3, 4 moves to the cell g;
   near[4]: cells from which the cavalry needs at most 2 */
static inline void near_sets(int player, int g, uint32_t *near)
{
    uint32_t gb = 1u << g;
    uint32_t c1 = cavalry_before(player, gb);
    near[0] = gb | infantry_step(1 - player, gb);
    near[1] = near[0] | infantry_step(1 - player, near[0]);
    near[2] = near[1] | infantry_step(1 - player, near[1]);
    near[3] = near[2] | infantry_step(1 - player, near[2]);
    near[4] = gb | c1 | cavalry_before(player, c1);
}

/* worth of a piece that is no general, with its distance from the enemy's general */
static inline double placed(const double *val, int code, const uint32_t *near)
{
    uint32_t b = 1u << (code / 3);
    double bonus;
    if (code % 3 == 1) {
        if (near[0] & b) {
            bonus = 0.1;
        } else if (near[1] & b) {
            bonus = 0.12;
        } else if (near[2] & b) {
            bonus = 0.05;
        } else if (near[3] & b) {
            bonus = 0.0;
        } else {
            bonus = -0.05;
        }
    } else {
        bonus = (near[4] & b) ? 0.1 : 0.0;
    }
    return val[code] + bonus;
}

static inline int flip_cell(int cell)
{
    return (4 - cell / 5) * 5 + cell % 5;
}

void value(const State *state, double *amounts)
{
    if (state->result) {
        give_result(state->result, amounts);
        return;
    }
    int plies = state->plies;
    int me = plies & 1;
    int he = 1 - me;
    const uint32_t *att_me = ATT[me];
    const uint32_t *att_he = ATT[he];
    int own[5];
    int opp[5];
    int n_own = list_pieces(state, me, own);
    int n_opp = list_pieces(state, he, opp);
    uint32_t own_occ = state->occ[me];
    uint32_t opp_occ = state->occ[he];

    uint32_t own_ng = 0;
    int og = 0;
    int own_live = 0;
    int own_inf = 0;
    for (int i = 0; i < n_own; i++) {
        int c = own[i];
        int k = c % 3;
        if (k == 0) {
            og = c;
        } else {
            uint32_t m = att_me[c];
            if (m) {
                own_ng |= m;
                own_live++;
                if (k == 1) {
                    own_inf++;
                }
            }
        }
    }
    uint32_t opp_ng = 0;
    int pg = 0;
    int opp_live = 0;
    int opp_inf = 0;
    for (int i = 0; i < n_opp; i++) {
        int c = opp[i];
        int k = c % 3;
        if (k == 0) {
            pg = c;
        } else {
            uint32_t m = att_he[c];
            if (m) {
                opp_ng |= m;
                opp_live++;
                if (k == 1) {
                    opp_inf++;
                }
            }
        }
    }

    int ogc = og / 3;
    int pgc = pg / 3;
    uint32_t og_bit = 1u << ogc;
    uint32_t pg_bit = 1u << pgc;
    uint32_t own_g = att_me[og];
    uint32_t opp_g = att_he[pg];
    uint32_t own_att = own_ng | own_g;
    uint32_t opp_att = opp_ng | opp_g;

    /* capture of the general at once */
    if (own_att & pg_bit) {
        give(amounts, me, 1.0);
        return;
    }
    int rem = 100 - plies;
    if (rem <= 1) {
        give_nothing(amounts);
        return;
    }

    uint32_t esc = own_g & ~own_occ & ~opp_att;
    uint32_t in_check = opp_att & og_bit;
    uint32_t abit = 0;
    uint32_t can_cap = 0;
    if (in_check) {
        int n = 0;
        for (int i = 0; i < n_opp; i++) {
            if (att_he[opp[i]] & og_bit) {
                n++;
                abit = 1u << (opp[i] / 3);
            }
        }
        if (n == 1) {
            can_cap = own_ng & abit;
        } else {
            abit = 0;
        }
        if (!esc && !can_cap) {
            give(amounts, me, -1.0);
            return;
        }
    } else if (!esc) {
        if (!(own_ng & ~own_occ) && (own_g & ~own_occ)) {
            /* only suicidal moves of the general */
            give(amounts, me, -1.0);
            return;
        }
    }
    if (rem == 2) {
        give_nothing(amounts);
        return;
    }

    /* mate in one */
    uint32_t ok = ~own_occ & ~opp_ng;
    if (in_check) {
        ok &= abit;
    }
    int checks = 0;
    if (ok) {
        checks = probe(own, n_own, att_me, ATT[he][pgc * 3 + 1], cavalry_before(me, pg_bit),
                       ok, opp_g, opp_occ);
        if (checks < 0) {
            give(amounts, me, 0.998);
            return;
        }
    }
    if (rem == 3) {
        give_nothing(amounts);
        return;
    }

    /* small endings */
    int total = n_own + n_opp;
    if (total <= 3) {
        int strong;
        int x;
        int sc;
        int wc;
        if (total == 2) {
            give_nothing(amounts);
            return;
        }
        if (n_own == 2) {
            strong = me;
            x = own[1] == og ? own[0] : own[1];
            sc = ogc;
            wc = pgc;
        } else {
            strong = he;
            x = opp[1] == pg ? opp[0] : opp[1];
            sc = pgc;
            wc = ogc;
        }
        int xc = x / 3;
        if (strong) {
            sc = flip_cell(sc);
            wc = flip_cell(wc);
            xc = flip_cell(xc);
        }
        int d = ending_depth(x % 3, strong == me, sc, xc, wc, rem);
        if (d && d <= rem) {
            give(amounts, strong, 1.0 - 0.002 * d);
            return;
        }
        give_nothing(amounts);
        return;
    }

    /* material and placement */
    double score = 0.08;
    uint32_t near[5];
    near_sets(me, pgc, near);
    for (int i = 0; i < n_own; i++) {
        if (own[i] != og) {
            score += placed(VAL[me], own[i], near);
        }
    }
    near_sets(he, ogc, near);
    for (int i = 0; i < n_opp; i++) {
        if (opp[i] != pg) {
            score -= placed(VAL[he], opp[i], near);
        }
    }

    /* exchanges */
    const double *own_val = VAL[me];
    const double *opp_val = VAL[he];
    double best = 0.0;
    uint32_t targets;
    if (in_check) {
        targets = esc & opp_occ;
        if (can_cap) {
            targets |= abit;
        }
    } else {
        targets = own_att & opp_occ;
    }
    if (targets) {
        for (int i = 0; i < n_opp; i++) {
            int c = opp[i];
            uint32_t b = 1u << (c / 3);
            if (b & targets) {
                double gain;
                if (!(b & opp_att)) {
                    gain = opp_val[c];
                } else if (b & own_ng) {
                    gain = exchange(opp_val[c], b, own, n_own, att_me, own_val,
                                    opp, n_opp, att_he, opp_val);
                } else {
                    continue;
                }
                if (gain > best) {
                    best = gain;
                }
            }
        }
    }
    double t1 = 0.0;
    double t2 = 0.0;
    targets = opp_att & own_occ & ~og_bit;
    if (targets) {
        for (int i = 0; i < n_own; i++) {
            int c = own[i];
            uint32_t b = 1u << (c / 3);
            if (b & targets) {
                double loss;
                if (!(b & own_att)) {
                    loss = own_val[c];
                } else if (b & opp_ng) {
                    loss = exchange(own_val[c], b, opp, n_opp, att_he, opp_val,
                                    own, n_own, att_me, own_val);
                } else {
                    continue;
                }
                if (loss > t1) {
                    t2 = t1;
                    t1 = loss;
                } else if (loss > t2) {
                    t2 = loss;
                }
            }
        }
    }

    int own_fl = __builtin_popcount(esc);
    int opp_fl = __builtin_popcount(opp_g & ~opp_occ & ~own_att);

    if (in_check) {
        score += 0.85 * (best - 0.8 * t1);
        score -= 0.15;
        if (own_fl + (can_cap ? 1 : 0) <= 1) {
            score -= 0.12;
        }
    } else {
        int threat = 0;
        ok = ~opp_occ & ~own_ng;
        if (opp_live) {
            threat = probe(opp, n_opp, att_he, ATT[me][ogc * 3 + 1], cavalry_before(he, og_bit),
                           ok, own_g, own_occ);
        }
        if (threat < 0) {
            score -= 0.35;
            best *= 0.5;
        } else {
            score -= 0.05 * (threat < 3 ? threat : 3);
        }
        double first = best - 0.7 * t1;
        double other = -t2 - 0.1 * t1;
        score += 0.9 * (first > other ? first : other);
    }

    score += 0.06 * (checks < 3 ? checks : 3);

    /* safety of the generals */
    score += FLIGHT[opp_fl] - FLIGHT[own_fl];
    score += 0.05 * (__builtin_popcount(own_ng & (opp_g | pg_bit))
                     - __builtin_popcount(opp_ng & (own_g | og_bit)));

    /* mobility */
    score += 0.02 * (__builtin_popcount(own_att & ~own_occ)
                     - __builtin_popcount(opp_att & ~opp_occ));

    /* attacking potential */
    if (!own_inf && !opp_inf) {
        score *= 0.6;
    }
    if (!opp_live) {
        if (own_inf) {
            score += 0.4;
        }
        if (score < -0.05) {
            score = -0.05;
        }
    }
    if (!own_live) {
        if (opp_inf) {
            score -= 0.4;
        }
        if (score > 0.05) {
            score = 0.05;
        }
    }

    double v = tanh(0.7 * score * rem / (rem + 5.0));
    if (v > 0.97) {
        v = 0.97;
    } else if (v < -0.97) {
        v = -0.97;
    }
    give(amounts, me, v);
}
