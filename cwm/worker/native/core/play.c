/* The model's functions as the searches call them, what they give being checked; and games at random. */

#if CORE_CHECKED
enum { CORE_GUARD = 256 };
#else
enum { CORE_GUARD = 0 };
#endif
enum { CORE_ACTIONS = NUM_DISTINCT_ACTIONS + CORE_GUARD, CORE_OUTCOMES = MAX_CHANCE_OUTCOMES + 1 + CORE_GUARD };
enum { CORE_SEATS = NUM_PLAYERS + CORE_GUARD };

static const int64_t CORE_UNLIMITED = (int64_t)1 << 60; /* no rollout is so long */
static const double CORE_LARGEST = 1.7976931348623157e308;

_Static_assert(NUM_PLAYERS >= 1 && NUM_PLAYERS <= 16, "NUM_PLAYERS is outside 1 .. 16");
_Static_assert(NUM_DISTINCT_ACTIONS >= 1 && NUM_DISTINCT_ACTIONS <= 65535, "NUM_DISTINCT_ACTIONS is outside 1 .. 65535");
_Static_assert(MAX_CHANCE_OUTCOMES >= 0 && MAX_CHANCE_OUTCOMES <= 65535, "MAX_CHANCE_OUTCOMES is outside 0 .. 65535");
_Static_assert(sizeof(State) <= 4096, "State is larger than 4096 bytes");

/* In a checked build a buffer that a model writes into is longer than it was told, and what lies behind its
end must stay. */
enum { CORE_MARK = 0x5a };
static inline void core_mark(void *end, size_t item) {
    if (CORE_GUARD) memset(end, CORE_MARK, CORE_GUARD * item);
}

static inline void core_check_mark(const void *end, size_t item) {
    for (size_t at = 0; at < CORE_GUARD * item; at++)
        if (((const unsigned char *)end)[at] != CORE_MARK) core_fail(CORE_OUT_OF_BUFFER, (double)(at / item + 1));
}

/* Whether it stands for players who choose at once; native_at_once.h names it for models that have such states. */
static inline int core_is_at_once(int player) {
    return CORE_HAS_AT_ONCE && player == -2;
}

static inline int core_player(const State *state) {
    int player = current_player(state);
    if (player >= NUM_PLAYERS ||
        (player < 0 && player != CHANCE_PLAYER && player != TERMINAL_PLAYER && !core_is_at_once(player)))
        core_fail(CORE_HAS_AT_ONCE ? CORE_UNKNOWN_MOVER : CORE_UNKNOWN_PLAYER, player);
    return player;
}

/* The same for searches of games in turn. */
static inline int core_player_in_turn(const State *state) {
    int player = core_player(state);
    if (core_is_at_once(player)) core_fail(CORE_AT_ONCE, player);
    return player;
}

/* Writes the legal actions of `player`, who is to act, into CORE_ACTIONS ints; returns how many there are. */
static inline int core_legal(const State *state, int player, int *actions) {
    core_mark(actions + NUM_DISTINCT_ACTIONS, sizeof *actions);
    int count = legal_actions(state, actions);
    core_check_mark(actions + NUM_DISTINCT_ACTIONS, sizeof *actions);
    if (count < 1) core_fail(CORE_NO_ACTIONS, player);
    if (count > NUM_DISTINCT_ACTIONS) core_fail(CORE_TOO_MANY, count);
    return count;
}

/* Writes outcomes and probabilities into CORE_OUTCOMES of each; returns how many there are. */
static inline int core_chance(const State *state, int *outcomes, double *probabilities) {
    core_mark(outcomes + MAX_CHANCE_OUTCOMES, sizeof *outcomes);
    core_mark(probabilities + MAX_CHANCE_OUTCOMES, sizeof *probabilities);
    int count = chance_outcomes(state, outcomes, probabilities);
    core_check_mark(outcomes + MAX_CHANCE_OUTCOMES, sizeof *outcomes);
    core_check_mark(probabilities + MAX_CHANCE_OUTCOMES, sizeof *probabilities);
    if (count > MAX_CHANCE_OUTCOMES) core_fail(CORE_TOO_MANY, count);
    return count;
}

static void core_check_sum(double total) {
    if (!(fabs(total - 1.0) < 1e-6)) core_fail(CORE_WRONG_SUM, total);
}

/* Writes the returns of all players into CORE_SEATS numbers. */
static inline void core_returns(const State *state, double *amounts) {
    core_mark(amounts + NUM_PLAYERS, sizeof *amounts);
    returns(state, amounts);
    core_check_mark(amounts + NUM_PLAYERS, sizeof *amounts);
}

static void core_finite_returns(const State *state, double *amounts) {
    core_returns(state, amounts);
    for (int player = 0; player < NUM_PLAYERS; player++)
        if (!(fabs(amounts[player]) <= CORE_LARGEST)) core_fail(CORE_BAD_RETURNS, amounts[player]);
}

static inline int core_drawn_action(const State *state, int player, Random *random) {
    int actions[CORE_ACTIONS];
    int count = core_legal(state, player, actions);
    return actions[random_below(random, count)];
}

static inline int core_drawn_outcome(const State *state, Random *random) {
    int outcomes[CORE_OUTCOMES];
    double probabilities[CORE_OUTCOMES], number = random_number(random);
    int count = core_chance(state, outcomes, probabilities), likeliest = 0;
    for (int at = 0; at < count; at++) {
        number -= probabilities[at];
        if (number < 0) return outcomes[at];
    }
    /* Rounding left the sum a little below 1: any outcome will do that is possible at all. */
    double total = 0.0;
    for (int at = 0; at < count; at++) {
        total += probabilities[at];
        if (probabilities[at] > probabilities[likeliest]) likeliest = at;
    }
    core_check_sum(total);
    return outcomes[likeliest];
}

#if CORE_HAS_AT_ONCE
/* Writes the legal actions of `player`, where players choose at once, into CORE_ACTIONS ints; returns how many there
are, 0 where the player does not choose. */
static inline int core_legal_at_once(const State *state, int player, int *actions) {
    core_mark(actions + NUM_DISTINCT_ACTIONS, sizeof *actions);
    int count = player_legal_actions(state, player, actions);
    core_check_mark(actions + NUM_DISTINCT_ACTIONS, sizeof *actions);
    if (count < 0 || count > NUM_DISTINCT_ACTIONS) core_fail(CORE_TOO_MANY, count);
    return count;
}

/* One random action of each player who chooses, by one number each, in the order of seats. */
static inline void core_random_actions(State *state, Random *random) {
    int actions[CORE_ACTIONS], chosen[NUM_PLAYERS], choosing = 0;
    for (int player = 0; player < NUM_PLAYERS; player++) {
        int count = core_legal_at_once(state, player, actions);
        chosen[player] = count ? actions[random_below(random, count)] : -1;
        choosing += count > 0;
    }
    if (!choosing) core_fail(CORE_NOBODY_CHOOSES, SIMULTANEOUS_PLAYER);
    apply_actions(state, chosen);
}
#endif

/* Plays at most `length` uniformly random plies, chance included; returns how many were played. */
static inline __attribute__((always_inline)) int64_t core_play(State *state, int64_t length, Random *random) {
    int64_t ply = 0;
    for (; ply < length; ply++) {
        int player = core_player(state);
        if (player >= 0)
            apply_action(state, core_drawn_action(state, player, random));
        else if (player == CHANCE_PLAYER)
            apply_action(state, core_drawn_outcome(state, random));
#if CORE_HAS_AT_ONCE
        else if (core_is_at_once(player))
            core_random_actions(state, random);
#endif
        else
            break;
    }
    return ply;
}

static inline void core_estimate(const State *state, double *amounts) {
#if CORE_HAS_VALUE
    core_mark(amounts + NUM_PLAYERS, sizeof *amounts);
    value(state, amounts);
    core_check_mark(amounts + NUM_PLAYERS, sizeof *amounts);
    for (int player = 0; player < NUM_PLAYERS; player++)
        if (amounts[player] != amounts[player]) core_fail(CORE_BAD_VALUE, amounts[player]);
#else
    (void)state, (void)amounts;
#endif
}
