enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 3,
    MAX_CHANCE_OUTCOMES = 6,
    MAX_GAME_LENGTH = 8
};
#define MIN_UTILITY -13.0
#define MAX_UTILITY 13.0

enum { NO_CARD = 6 };

typedef struct {
    uint8_t node;        /* place in the betting tree, 0..91 */
    uint8_t cards[3];    /* of player 0, of player 1, public; NO_CARD if not dealt */
} State;

typedef struct {
    uint8_t player;
    uint8_t node;
    uint8_t card;
    uint8_t open;
} Information;

static const char CARD_NAMES[6][3] = {"Js", "Jh", "Qs", "Qh", "Ks", "Kh"};
static const char ACTION_NAMES[3][6] = {"fold", "call", "raise"};

/* Who acts. */
static const int8_t ACTOR[92] = {
    -1, -1,
    0, 1,
    -1, 0, 1, -4, 0, -4, -4, 1, -4, -4, 1, -4, -4, 0, -4, -4,
    0, -4,
    -1, 0, 1, -4, 0, -4, -4, 1, -4, -4, 1, -4, -4, 0, -4, -4,
    1, -4,
    -1, 0, 1, -4, 0, -4, -4, 1, -4, -4, 1, -4, -4, 0, -4, -4,
    1, -4,
    -1, 0, 1, -4, 0, -4, -4, 1, -4, -4, 1, -4, -4, 0, -4, -4,
    0, -4,
    -1, 0, 1, -4, 0, -4, -4, 1, -4, -4, 1, -4, -4, 0, -4, -4
};

/* The legal actions are a run: the first one, and how many there are. */
static const uint8_t LEGAL_FIRST[92] = {
    0, 0,
    1, 1,
    0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
    0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
    0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
    0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
    0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
};

static const uint8_t LEGAL_COUNT[92] = {
    0, 0,
    2, 2,
    0, 2, 2, 0, 3, 0, 0, 2, 0, 0, 3, 0, 0, 2, 0, 0,
    3, 0,
    0, 2, 2, 0, 3, 0, 0, 2, 0, 0, 3, 0, 0, 2, 0, 0,
    2, 0,
    0, 2, 2, 0, 3, 0, 0, 2, 0, 0, 3, 0, 0, 2, 0, 0,
    3, 0,
    0, 2, 2, 0, 3, 0, 0, 2, 0, 0, 3, 0, 0, 2, 0, 0,
    2, 0,
    0, 2, 2, 0, 3, 0, 0, 2, 0, 0, 3, 0, 0, 2, 0, 0
};

/* The node after fold, call and raise. */
static const uint8_t NEXT[92][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0},                                                  /* 0, 1 */
    {0, 3, 56, 0}, {0, 4, 20, 0},                                                /* 2, 3 */
    {0, 0, 0, 0}, {0, 6, 14, 0}, {0, 7, 8, 0}, {0, 0, 0, 0},                     /* 4 .. 7 */
    {9, 10, 11, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {12, 13, 0, 0},                  /* 8 .. 11 */
    {0, 0, 0, 0}, {0, 0, 0, 0}, {15, 16, 17, 0}, {0, 0, 0, 0},                   /* 12 .. 15 */
    {0, 0, 0, 0}, {18, 19, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},                    /* 16 .. 19 */
    {21, 22, 38, 0}, {0, 0, 0, 0},                                               /* 20, 21 */
    {0, 0, 0, 0}, {0, 24, 32, 0}, {0, 25, 26, 0}, {0, 0, 0, 0},                  /* 22 .. 25 */
    {27, 28, 29, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {30, 31, 0, 0},                 /* 26 .. 29 */
    {0, 0, 0, 0}, {0, 0, 0, 0}, {33, 34, 35, 0}, {0, 0, 0, 0},                   /* 30 .. 33 */
    {0, 0, 0, 0}, {36, 37, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},                    /* 34 .. 37 */
    {39, 40, 0, 0}, {0, 0, 0, 0},                                                /* 38, 39 */
    {0, 0, 0, 0}, {0, 42, 50, 0}, {0, 43, 44, 0}, {0, 0, 0, 0},                  /* 40 .. 43 */
    {45, 46, 47, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {48, 49, 0, 0},                 /* 44 .. 47 */
    {0, 0, 0, 0}, {0, 0, 0, 0}, {51, 52, 53, 0}, {0, 0, 0, 0},                   /* 48 .. 51 */
    {0, 0, 0, 0}, {54, 55, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},                    /* 52 .. 55 */
    {57, 58, 74, 0}, {0, 0, 0, 0},                                               /* 56, 57 */
    {0, 0, 0, 0}, {0, 60, 68, 0}, {0, 61, 62, 0}, {0, 0, 0, 0},                  /* 58 .. 61 */
    {63, 64, 65, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {66, 67, 0, 0},                 /* 62 .. 65 */
    {0, 0, 0, 0}, {0, 0, 0, 0}, {69, 70, 71, 0}, {0, 0, 0, 0},                   /* 66 .. 69 */
    {0, 0, 0, 0}, {72, 73, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0},                    /* 70 .. 73 */
    {75, 76, 0, 0}, {0, 0, 0, 0},                                                /* 74, 75 */
    {0, 0, 0, 0}, {0, 78, 86, 0}, {0, 79, 80, 0}, {0, 0, 0, 0},                  /* 76 .. 79 */
    {81, 82, 83, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {84, 85, 0, 0},                 /* 80 .. 83 */
    {0, 0, 0, 0}, {0, 0, 0, 0}, {87, 88, 89, 0}, {0, 0, 0, 0},                   /* 84 .. 87 */
    {0, 0, 0, 0}, {90, 91, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}                     /* 88 .. 91 */
};

/* What player 0 wins where somebody has folded. */
static const int8_t FIXED[92] = {
    0, 0,
    0, 0,
    0, 0, 0, 0, 0, -1, 0, 0, 5, 0, 0, 1, 0, 0, -5, 0,
    0, -1,
    0, 0, 0, 0, 0, -3, 0, 0, 7, 0, 0, 3, 0, 0, -7, 0,
    0, 3,
    0, 0, 0, 0, 0, -5, 0, 0, 9, 0, 0, 5, 0, 0, -9, 0,
    0, 1,
    0, 0, 0, 0, 0, -3, 0, 0, 7, 0, 0, 3, 0, 0, -7, 0,
    0, -3,
    0, 0, 0, 0, 0, -5, 0, 0, 9, 0, 0, 5, 0, 0, -9, 0
};

/* Chips of each player at a showdown, else 0. */
static const int8_t STAKE[92] = {
    0, 0,
    0, 0,
    0, 0, 0, 1, 0, 0, 5, 0, 0, 9, 0, 0, 5, 0, 0, 9,
    0, 0,
    0, 0, 0, 3, 0, 0, 7, 0, 0, 11, 0, 0, 7, 0, 0, 11,
    0, 0,
    0, 0, 0, 5, 0, 0, 9, 0, 0, 13, 0, 0, 9, 0, 0, 13,
    0, 0,
    0, 0, 0, 3, 0, 0, 7, 0, 0, 11, 0, 0, 7, 0, 0, 11,
    0, 0,
    0, 0, 0, 5, 0, 0, 9, 0, 0, 13, 0, 0, 9, 0, 0, 13
};

static const uint8_t CHIPS[92][2] = {
    {1, 1}, {1, 1},
    {1, 1}, {1, 1},
    {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 5}, {1, 5}, {5, 5}, {9, 5},
    {9, 5}, {9, 9}, {5, 1}, {5, 1}, {5, 5}, {5, 9}, {5, 9}, {9, 9},
    {1, 3}, {1, 3},
    {3, 3}, {3, 3}, {3, 3}, {3, 3}, {3, 7}, {3, 7}, {7, 7}, {11, 7},
    {11, 7}, {11, 11}, {7, 3}, {7, 3}, {7, 7}, {7, 11}, {7, 11}, {11, 11},
    {5, 3}, {5, 3},
    {5, 5}, {5, 5}, {5, 5}, {5, 5}, {5, 9}, {5, 9}, {9, 9}, {13, 9},
    {13, 9}, {13, 13}, {9, 5}, {9, 5}, {9, 9}, {9, 13}, {9, 13}, {13, 13},
    {3, 1}, {3, 1},
    {3, 3}, {3, 3}, {3, 3}, {3, 3}, {3, 7}, {3, 7}, {7, 7}, {11, 7},
    {11, 7}, {11, 11}, {7, 3}, {7, 3}, {7, 7}, {7, 11}, {7, 11}, {11, 11},
    {3, 5}, {3, 5},
    {5, 5}, {5, 5}, {5, 5}, {5, 5}, {5, 9}, {5, 9}, {9, 9}, {13, 9},
    {13, 9}, {13, 13}, {9, 5}, {9, 5}, {9, 9}, {9, 13}, {9, 13}, {13, 13}
};

/* From node 2 on there are 5 groups of 18 nodes: two of the first round, then a deal and
   the 15 nodes of the second round. f: fold, c: call, r: raise. */
static const char FIRST_BETS[5][3][5] = {
    {"", "c", "cc"},
    {"cr", "crf", "crc"},
    {"crr", "crrf", "crrc"},
    {"r", "rf", "rc"},
    {"rr", "rrf", "rrc"}
};

static const char SECOND_BETS[18][5] = {
    "", "",
    "", "", "c", "cc", "cr", "crf", "crc", "crr", "crrf", "crrc",
    "r", "rf", "rc", "rr", "rrf", "rrc"
};

void initial_state(State *state)
{
    state->node = 0;
    state->cards[0] = NO_CARD;
    state->cards[1] = NO_CARD;
    state->cards[2] = NO_CARD;
}

int current_player(const State *state)
{
    return ACTOR[state->node];
}

int legal_actions(const State *state, int *actions)
{
    int node = state->node;
    int first = LEGAL_FIRST[node];
    actions[0] = first;
    actions[1] = first + 1;
    actions[2] = 2;    /* counts only where all three are legal */
    return LEGAL_COUNT[node];
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities)
{
    int node = state->node;
    unsigned left = 63u & ~((1u << state->cards[0]) | (1u << state->cards[1]));
    double probability = node == 0 ? 1.0 / 6.0 : node == 1 ? 0.2 : 0.25;
    int n = 0;
    while (left != 0) {
        outcomes[n] = __builtin_ctz(left);
        probabilities[n] = probability;
        n++;
        left &= left - 1;
    }
    return n;
}

void apply_action(State *state, int action)
{
    int node = state->node;
    if (ACTOR[node] == CHANCE_PLAYER) {
        state->cards[node < 2 ? node : 2] = (uint8_t)action;
        state->node = (uint8_t)(node + 1);
    } else {
        state->node = NEXT[node][action];
    }
}

void returns(const State *state, double *amounts)
{
    int node = state->node;
    int stake = STAKE[node];
    int result = FIXED[node];
    if (stake != 0) {
        int a = state->cards[0] >> 1;
        int b = state->cards[1] >> 1;
        int c = state->cards[2] >> 1;
        a += a == c ? 3 : 0;
        b += b == c ? 3 : 0;
        result = stake * ((a > b) - (a < b));
    }
    amounts[0] = (double)result;
    amounts[1] = (double)(-result);
}

void action_name(const State *state, int action, Text *text)
{
    if (ACTOR[state->node] == CHANCE_PLAYER) {
        put(text, "deal ");
        put(text, CARD_NAMES[action]);
    } else {
        put(text, ACTION_NAMES[action]);
    }
}

static void card_or_null(Text *text, int card)
{
    if (card == NO_CARD) {
        put(text, "null");
    } else {
        put_quoted(text, CARD_NAMES[card]);
    }
}

static void list_of_bets(Text *text, const char *letters)
{
    put_char(text, '[');
    for (int i = 0; letters[i] != 0; i++) {
        int action = letters[i] == 'f' ? 0 : letters[i] == 'c' ? 1 : 2;
        if (i > 0) {
            put(text, ", ");
        }
        put_quoted(text, ACTION_NAMES[action]);
    }
    put_char(text, ']');
}

void observation(const State *state, int player, Text *text)
{
    int node = state->node;
    int place = node < 2 ? 0 : node - 2;
    int group = place / 18;
    int local = place % 18;
    put(text, "{\"card\": ");
    card_or_null(text, state->cards[player]);
    put(text, ", \"public_card\": ");
    card_or_null(text, state->cards[2]);
    put(text, ", \"round\": ");
    put_int(text, local < 2 ? 1 : 2);
    put(text, ", \"bets\": [");
    list_of_bets(text, FIRST_BETS[group][local < 2 ? local : 2]);
    put(text, ", ");
    list_of_bets(text, SECOND_BETS[local]);
    put(text, "], \"chips\": [");
    put_int(text, CHIPS[node][0]);
    put(text, ", ");
    put_int(text, CHIPS[node][1]);
    put(text, "]}");
}

void information_state(const State *state, int player, Information *information)
{
    information->player = (uint8_t)player;
    information->node = state->node;
    information->card = state->cards[player];
    information->open = state->cards[2];
}

void resample(State *state, int player, Random *random)
{
    int other = 1 - player;
    if (state->cards[other] == NO_CARD) {
        return;
    }
    /* a card that is not dealt is bit 6, outside the deck */
    unsigned unknown = 63u & ~((1u << state->cards[player]) | (1u << state->cards[2]));
    int skip = random_below(random, __builtin_popcount(unknown));
    for (int i = 0; i < skip; i++) {
        unknown &= unknown - 1;
    }
    state->cards[other] = (uint8_t)__builtin_ctz(unknown);
}
