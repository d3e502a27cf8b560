/* Sowing, the twin of sowing.py: three players sow at once, chance draws once or twice, the richest one shares. */

enum { NUM_PLAYERS = 3, NUM_DISTINCT_ACTIONS = 3, MAX_CHANCE_OUTCOMES = 3, MAX_GAME_LENGTH = 4 };
#define MIN_UTILITY -2.0
#define MAX_UTILITY 12.0

enum { FAIR, DRY, STORM, NOT_DRAWN = -1, KEEP = 0, SHARE = 2 };

typedef struct {
    int16_t earned[NUM_PLAYERS]; /* in tenths */
    int8_t round, weather, strength, sown, grain[NUM_PLAYERS];
} State;

static const char *const WEATHER[] = {"fair", "dry", "storm"};
static const double CHANCES[] = {0.5, 0.3, 0.2};
static const double STRENGTHS[] = {0.25, 0.75};
static const int TENTHS[] = {17, 9, 4};

void initial_state(State *state) {
    for (int player = 0; player < NUM_PLAYERS; player++) state->grain[player] = (int8_t)(3 - player);
    state->weather = state->strength = NOT_DRAWN;
}

static int richest(const State *state) {
    int best = 0;
    for (int player = 1; player < NUM_PLAYERS; player++)
        if (state->earned[player] > state->earned[best]) best = player;
    return best;
}

static bool chance_acts(const State *state) {
    return state->weather == NOT_DRAWN || (state->weather == STORM && state->strength == NOT_DRAWN);
}

int current_player(const State *state) {
    if (state->round == 2) return TERMINAL_PLAYER;
    if (chance_acts(state)) return CHANCE_PLAYER;
    if (!state->sown && (state->grain[0] || state->grain[1] || state->grain[2])) return SIMULTANEOUS_PLAYER;
    return richest(state);
}

int legal_actions(const State *state, int *actions) {
    (void)state;
    actions[0] = KEEP;
    actions[1] = SHARE;
    return 2;
}

int player_legal_actions(const State *state, int player, int *actions) {
    int count = 0, most = state->grain[player] < 2 ? state->grain[player] : 2;
    if (!most) return 0;
    while (count <= most) {
        actions[count] = count;
        count++;
    }
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    int count = state->weather == NOT_DRAWN ? 3 : 2;
    for (int at = 0; at < count; at++) {
        outcomes[at] = at;
        probabilities[at] = state->weather == NOT_DRAWN ? CHANCES[at] : STRENGTHS[at];
    }
    return count;
}

void apply_action(State *state, int action) {
    if (state->weather == NOT_DRAWN) {
        state->weather = (int8_t)action;
    } else if (chance_acts(state)) {
        state->strength = (int8_t)action;
    } else {
        if (action == SHARE) {
            int giver = richest(state);
            for (int player = 0; player < NUM_PLAYERS; player++) state->earned[player] += player == giver ? -4 : 2;
            if (state->weather == FAIR) state->earned[giver] += 7;
        }
        state->round++;
        state->weather = state->strength = NOT_DRAWN;
        state->sown = 0;
    }
}

void apply_actions(State *state, const int *actions) {
    int gain = TENTHS[state->weather] - (state->strength == 1 ? 3 : 0), among[3] = {0, 0, 0};
    for (int player = 0; player < NUM_PLAYERS; player++)
        if (actions[player] > 0) among[actions[player]]++;
    for (int player = 0; player < NUM_PLAYERS; player++) {
        int amount = actions[player] > 0 ? actions[player] : 0;
        state->grain[player] -= (int8_t)amount;
        state->earned[player] += (int16_t)(amount * gain - (amount && among[amount] > 1));
    }
    state->sown = 1;
}

void returns(const State *state, double *amounts) {
    for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] = state->earned[player] / 10.0;
}

void action_name(const State *state, int action, Text *text) {
    if (state->weather == NOT_DRAWN) {
        put(text, WEATHER[action]);
    } else if (chance_acts(state)) {
        put(text, "strength ");
        put_int(text, action);
    } else {
        put(text, action == SHARE ? "share" : "keep");
    }
}

void player_action_name(const State *state, int player, int action, Text *text) {
    (void)state;
    put(text, "player ");
    put_int(text, player);
    put(text, " sows ");
    put_int(text, action);
}

void observation(const State *state, int player, Text *text) {
    (void)player;
    put(text, "{\"round\": ");
    put_int(text, state->round);
    put(text, ", \"weather\": ");
    if (state->weather == NOT_DRAWN)
        put(text, "null");
    else
        put_quoted(text, WEATHER[state->weather]);
    put(text, ", \"strength\": ");
    put_int(text, state->strength);
    put(text, ", \"grain\": [");
    for (int at = 0; at < NUM_PLAYERS; at++) {
        if (at) put(text, ", ");
        put_int(text, state->grain[at]);
    }
    put(text, "], \"earned\": [");
    for (int at = 0; at < NUM_PLAYERS; at++) {
        if (at) put(text, ", ");
        put_number(text, state->earned[at] / 10.0);
    }
    put(text, "], \"sown\": ");
    put(text, state->sown ? "true}" : "false}");
}
