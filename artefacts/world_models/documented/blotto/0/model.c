enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 66,
    MAX_CHANCE_OUTCOMES = 0,
    MAX_GAME_LENGTH = 1
};

#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

typedef struct {
    uint8_t over;
    uint8_t chosen[2];
} State;

static const int8_t allocations[66][3] = {
    {0, 0, 10}, {0, 1, 9}, {0, 2, 8}, {0, 3, 7}, {0, 4, 6}, {0, 5, 5},
    {0, 6, 4}, {0, 7, 3}, {0, 8, 2}, {0, 9, 1}, {0, 10, 0},
    {1, 0, 9}, {1, 1, 8}, {1, 2, 7}, {1, 3, 6}, {1, 4, 5},
    {1, 5, 4}, {1, 6, 3}, {1, 7, 2}, {1, 8, 1}, {1, 9, 0},
    {2, 0, 8}, {2, 1, 7}, {2, 2, 6}, {2, 3, 5}, {2, 4, 4},
    {2, 5, 3}, {2, 6, 2}, {2, 7, 1}, {2, 8, 0},
    {3, 0, 7}, {3, 1, 6}, {3, 2, 5}, {3, 3, 4}, {3, 4, 3},
    {3, 5, 2}, {3, 6, 1}, {3, 7, 0},
    {4, 0, 6}, {4, 1, 5}, {4, 2, 4}, {4, 3, 3}, {4, 4, 2},
    {4, 5, 1}, {4, 6, 0},
    {5, 0, 5}, {5, 1, 4}, {5, 2, 3}, {5, 3, 2}, {5, 4, 1}, {5, 5, 0},
    {6, 0, 4}, {6, 1, 3}, {6, 2, 2}, {6, 3, 1}, {6, 4, 0},
    {7, 0, 3}, {7, 1, 2}, {7, 2, 1}, {7, 3, 0},
    {8, 0, 2}, {8, 1, 1}, {8, 2, 0},
    {9, 0, 1}, {9, 1, 0},
    {10, 0, 0}
};

static const int all_actions[66] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
    21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
    31, 32, 33, 34, 35, 36, 37, 38, 39, 40,
    41, 42, 43, 44, 45, 46, 47, 48, 49, 50,
    51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
    61, 62, 63, 64, 65
};

static void put_allocation(Text *text, int action)
{
    put_char(text, '[');
    put_int(text, allocations[action][0]);
    put_char(text, ',');
    put_int(text, allocations[action][1]);
    put_char(text, ',');
    put_int(text, allocations[action][2]);
    put_char(text, ']');
}

void initial_state(State *state)
{
    state->over = 0;
    state->chosen[0] = 0;
    state->chosen[1] = 0;
}

int current_player(const State *state)
{
    if (state->over) {
        return TERMINAL_PLAYER;
    }
    return SIMULTANEOUS_PLAYER;
}

int legal_actions(const State *state, int *actions)
{
    (void)state;
    (void)actions;
    return 0;
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
    (void)state;
    (void)action;
}

void returns(const State *state, double *amounts)
{
    int sign = 0;
    if (state->over) {
        const int8_t *x = allocations[state->chosen[0]];
        const int8_t *y = allocations[state->chosen[1]];
        int diff = (x[0] > y[0]) - (x[0] < y[0])
                 + (x[1] > y[1]) - (x[1] < y[1])
                 + (x[2] > y[2]) - (x[2] < y[2]);
        sign = (diff > 0) - (diff < 0);
    }
    amounts[0] = (double)sign;
    amounts[1] = (double)(-sign);
}

void action_name(const State *state, int action, Text *text)
{
    (void)state;
    (void)action;
    (void)text;
}

void observation(const State *state, int player, Text *text)
{
    (void)player;
    if (!state->over) {
        put(text, "{\"observation\": \"Non-terminal\"}");
        return;
    }
    put(text, "{\"observation\": \"Terminal. History string: ");
    put_int(text, state->chosen[0]);
    put(text, ", ");
    put_int(text, state->chosen[1]);
    put(text, "\"}");
}

int player_legal_actions(const State *state, int player, int *actions)
{
    (void)player;
    if (state->over) {
        return 0;
    }
    memcpy(actions, all_actions, sizeof(all_actions));
    return 66;
}

void apply_actions(State *state, const int *actions)
{
    state->chosen[0] = (uint8_t)actions[0];
    state->chosen[1] = (uint8_t)actions[1];
    state->over = 1;
}

void player_action_name(const State *state, int player, int action, Text *text)
{
    (void)state;
    (void)player;
    put_allocation(text, action);
}
