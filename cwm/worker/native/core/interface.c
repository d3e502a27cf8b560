/* What is called from outside. Each function returns the code of its failure, see failure.c, or CORE_FINE; states are
plain bytes to the caller. The structures here are declared again in adapter.py, in the same order. */

#if !CORE_HAS_INFORMATION
typedef struct {
    char none;
} Information;
#endif

typedef struct {
    int32_t players, distinct_actions, chance_outcomes, game_length;
    int32_t state_bytes, information_bytes; /* 0: the model gives no information states */
    int32_t has_value, has_rollout, has_resample, has_at_once, checked;
    double min_utility, max_utility;
} NativeFacts;

/* An action at the root, in the order in which the search came to it. */
typedef struct {
    int64_t action, visits;
    double total;
    int64_t proven;
    double outcome[16];
} NativeRow;

typedef struct {
    int64_t rows, simulations, drawn_again, arena_used;
} NativeFound;

CORE_EXPORT int32_t native_facts(NativeFacts *facts) {
    *facts = (NativeFacts){
        NUM_PLAYERS, NUM_DISTINCT_ACTIONS, MAX_CHANCE_OUTCOMES, MAX_GAME_LENGTH, sizeof(State),
        CORE_HAS_INFORMATION ? sizeof(Information) : 0, CORE_HAS_VALUE, CORE_HAS_ROLLOUT,
        CORE_HAS_RESAMPLE, CORE_HAS_AT_ONCE, CORE_CHECKED, MIN_UTILITY, MAX_UTILITY,
    };
    return CORE_FINE;
}

/* The last failure: code, line, number; file and what are written as text of at most 200 characters each. */
CORE_EXPORT void native_failure(double *numbers, char *file, char *what) {
    const char *texts[] = {core_failure.file, core_failure.what};
    char *rooms[] = {file, what};
    numbers[0] = core_failure.code, numbers[1] = core_failure.line, numbers[2] = core_failure.number;
    for (int at = 0; at < 2; at++) {
        int length = 0;
        for (; texts[at] && texts[at][length] && length < 200; length++) rooms[at][length] = texts[at][length];
        rooms[at][length] = 0;
    }
}

/* --- the model's own functions --- */

CORE_EXPORT int32_t native_initial_state(State *state) {
    CORE_GUARDED
    memset(state, 0, sizeof *state);
    initial_state(state);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_current_player(const State *state, int32_t *player) {
    CORE_GUARDED
    *player = core_player(state);
    return CORE_FINE;
}

/* Into NUM_DISTINCT_ACTIONS. */
CORE_EXPORT int32_t native_legal_actions(const State *state, int32_t *actions, int32_t *count) {
    CORE_GUARDED
    int room[CORE_ACTIONS];
    *count = core_legal(state, core_player(state), room);
    memcpy(actions, room, (size_t)*count * sizeof *room);
    return CORE_FINE;
}

/* Into MAX_CHANCE_OUTCOMES of each. */
CORE_EXPORT int32_t native_chance_outcomes(const State *state, int32_t *outcomes, double *chances, int32_t *count) {
    CORE_GUARDED
    int room[CORE_OUTCOMES];
    double probabilities[CORE_OUTCOMES];
    *count = core_chance(state, room, probabilities);
    if (*count < 0) *count = 0;
    memcpy(outcomes, room, (size_t)*count * sizeof *room);
    memcpy(chances, probabilities, (size_t)*count * sizeof *probabilities);
    return CORE_FINE;
}

/* Writes what is possible in the state, actions or outcomes, into `room`; returns how many there are. */
static int native_possible(const State *state, int *room) {
    double probabilities[CORE_OUTCOMES];
    int player = core_player(state);
    if (player == TERMINAL_PLAYER || core_is_at_once(player)) return 0;
    return player >= 0 ? core_legal(state, player, room) : core_chance(state, room, probabilities);
}

enum { NATIVE_ROOM = NUM_DISTINCT_ACTIONS > MAX_CHANCE_OUTCOMES ? CORE_ACTIONS : CORE_OUTCOMES };

CORE_EXPORT int32_t native_apply_action(State *state, int32_t action) {
    CORE_GUARDED
    int room[NATIVE_ROOM], count = native_possible(state, room), at = 0;
    while (at < count && room[at] != action) at++;
    if (at >= count) core_fail(CORE_NOT_POSSIBLE, action);
    apply_action(state, action);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_returns(const State *state, double *amounts) {
    CORE_GUARDED
    double room[CORE_SEATS];
    core_finite_returns(state, room);
    memcpy(amounts, room, NUM_PLAYERS * sizeof *room);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_value(const State *state, double *amounts) {
    CORE_GUARDED
    double room[CORE_SEATS] = {0};
    core_estimate(state, room);
    memcpy(amounts, room, NUM_PLAYERS * sizeof *room);
    return CORE_FINE;
}

/* Into `text->capacity` bytes; a length beyond that says that it was cut. */
CORE_EXPORT int32_t native_action_name(const State *state, int32_t action, Text *text) {
    CORE_GUARDED
    text->length = 0;
    action_name(state, action, text);
    return CORE_FINE;
}

/* The names of several actions behind each other, and where each of them ends. */
CORE_EXPORT int32_t native_action_names(
    const State *state, const int32_t *actions, int32_t count, Text *text, int64_t *ends
) {
    CORE_GUARDED
    text->length = 0;
    for (int32_t at = 0; at < count; at++) {
        action_name(state, actions[at], text);
        ends[at] = text->length;
    }
    return CORE_FINE;
}

CORE_EXPORT int32_t native_observation(const State *state, int32_t player, Text *text) {
    CORE_GUARDED
    text->length = 0;
    observation(state, player, text);
    return CORE_FINE;
}

/* The action or outcome of this name that is possible in the state, or -1; names of 4096 bytes at most. */
CORE_EXPORT int32_t native_find(const State *state, const char *name, int32_t *found) {
    CORE_GUARDED
    int room[NATIVE_ROOM], count = native_possible(state, room);
    char bytes[4096];
    *found = -1;
    for (int at = 0; at < count && *found < 0; at++) {
        Text text = {bytes, sizeof bytes, 0};
        action_name(state, room[at], &text);
        int64_t same = 0;
        while (same < text.length && same < text.capacity && name[same] && name[same] == bytes[same]) same++;
        if (same == text.length && !name[same]) *found = room[at];
    }
    return CORE_FINE;
}

#if CORE_HAS_INFORMATION
CORE_EXPORT int32_t native_information_state(const State *state, int32_t player, Information *information) {
    CORE_GUARDED
    memset(information, 0, sizeof *information);
    information_state(state, player, information);
    return CORE_FINE;
}
#endif

static Random native_random; /* of calls that draw outside a search */

CORE_EXPORT int32_t native_seed(int32_t generator, uint64_t seed) {
    core_seed(&native_random, generator, seed);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_random_number(double *number) {
    *number = random_number(&native_random);
    return CORE_FINE;
}

#if CORE_HAS_RESAMPLE
CORE_EXPORT int32_t native_resample(State *state, int32_t player) {
    CORE_GUARDED
    resample(state, player, &native_random);
    return CORE_FINE;
}
#endif

#if CORE_HAS_ROLLOUT
CORE_EXPORT int32_t native_rollout(const State *state, double *amounts) {
    CORE_GUARDED
    double room[CORE_SEATS];
    core_mark(room + NUM_PLAYERS, sizeof *room);
    rollout(state, &native_random, room);
    core_check_mark(room + NUM_PLAYERS, sizeof *room);
    memcpy(amounts, room, NUM_PLAYERS * sizeof *room);
    return CORE_FINE;
}
#endif

/* --- searches --- */

static UctSearch native_uct_search;

CORE_EXPORT int32_t native_uct(const State *state, const UctOptions *options, void *memory, uint64_t bytes,
                               NativeRow *rows, NativeFound *found) {
    CORE_GUARDED
    UctSearch *search = &native_uct_search;
    search->options = *options;
    search->arena = (core_Arena){memory, bytes, 0};
    search->done = 0;
    uct_run(search, state);
    *found = (NativeFound){search->root->born, (int64_t)search->done, 0, (int64_t)search->arena.used};
    for (int at = 0; at < search->root->born; at++) {
        const UctNode *child = &search->root->children[at];
        rows[at] = (NativeRow){child->action, child->visits, child->total, child->outcome != NULL, {0}};
        if (child->outcome) memcpy(rows[at].outcome, child->outcome, NUM_PLAYERS * sizeof(double));
    }
    return CORE_FINE;
}

/* Writes the tree of the last search, depth first: of each node action, visits, total, whether it is proven, the
outcome, and the number of children. Returns how many numbers that takes; only what fits is written. */
CORE_EXPORT int64_t native_uct_tree(double *numbers, int64_t room) {
    const UctNode *node = native_uct_search.root;
    int64_t used = 0;
    while (node) {
        double about[5 + NUM_PLAYERS] = {node->action, node->visits, node->total, node->outcome != NULL};
        if (node->outcome) memcpy(about + 4, node->outcome, NUM_PLAYERS * sizeof *about);
        about[4 + NUM_PLAYERS] = node->children ? node->born : 0;
        if (used + 5 + NUM_PLAYERS <= room) memcpy(numbers + used, about, sizeof about);
        used += 5 + NUM_PLAYERS;
        if (node->children && node->born) {
            node = node->children;
            continue;
        }
        while (node && (!node->parent || node == node->parent->children + node->parent->born - 1)) node = node->parent;
        if (node) node++;
    }
    return used;
}

#if CORE_HAS_RESAMPLE
static IsmctsSearch native_ismcts_search;

/* `state` is one that fits what the player knows. */
CORE_EXPORT int32_t native_ismcts(const State *state, const UctOptions *options, void *memory, uint64_t bytes,
                                  NativeRow *rows, NativeFound *found) {
    CORE_GUARDED
    IsmctsSearch *search = &native_ismcts_search;
    memset(search, 0, sizeof *search);
    search->options = *options;
    search->given = state;
    search->arena = (core_Arena){memory, bytes, 0};
    ismcts_run(search);
    *found = (NativeFound){search->root->count, (int64_t)search->done, (int64_t)search->drawn_again,
                           (int64_t)search->arena.used};
    for (int at = 0; at < search->root->count; at++) {
        const IsmctsEdge *edge = &search->root->edges[at];
        rows[at] = (NativeRow){edge->action, edge->visits, edge->total, 0, {0}};
    }
    return CORE_FINE;
}

/* Writes all nodes of the last search: of each player, visits, number of edges, and of each edge action, visits and
total. Returns how many numbers that takes; only what fits is written. */
CORE_EXPORT int64_t native_ismcts_tree(double *numbers, int64_t room) {
    const IsmctsSearch *search = &native_ismcts_search;
    int64_t used = 0;
    for (uint64_t at = 0; at < search->table_size; at++) {
        const IsmctsNode *node = search->table[at];
        if (!node) continue;
        int64_t size = 3 + 3 * node->count;
        if (used + size <= room) {
            double *next = numbers + used;
            *next++ = node->player, *next++ = (double)node->visits, *next++ = node->count;
            for (int edge = 0; edge < node->count; edge++) {
                *next++ = node->edges[edge].action;
                *next++ = node->edges[edge].visits;
                *next++ = node->edges[edge].total;
            }
        }
        used += size;
    }
    return used;
}
#endif

/* --- many games, see games.c; the random numbers are those of native_seed --- */

CORE_EXPORT int32_t native_play_games(int64_t count, double *amounts, int64_t *plies) {
    CORE_GUARDED
    games_play(count, &native_random, amounts, plies);
    return CORE_FINE;
}

/* Starts those games anew that are marked. */
CORE_EXPORT int32_t native_start_games(const NativeGames *games, const uint8_t *marked) {
    CORE_GUARDED
    for (int64_t game = 0; game < games->count; game++)
        if (marked[game]) games_start(games, game, &native_random);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_step_games(const NativeGames *games, const int32_t *actions, int64_t *played) {
    CORE_GUARDED
    *played = games_step(games, actions, &native_random);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_game_returns(const NativeGames *games, double *amounts) {
    CORE_GUARDED
    games_returns(games, amounts);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_pack_games(const NativeGames *games, int32_t everyone, uint8_t *bits, float *others,
                                      int64_t *used) {
    CORE_GUARDED
    *used = games_pack(games, everyone, bits, others);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_legal_in_games(const NativeGames *games, int32_t *counts, int32_t *actions, int64_t room,
                                          int64_t *used) {
    CORE_GUARDED
    *used = games_legal(games, counts, actions, room);
    return CORE_FINE;
}

/* Writes bytes as Base64 (RFC 4648), of 4 characters for each 3 bytes begun. */
CORE_EXPORT void native_base64(const uint8_t *bytes, int64_t count, char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int64_t at = 0; at < count; at += 3, text += 4) {
        uint32_t group = (uint32_t)bytes[at] << 16;
        if (at + 1 < count) group |= (uint32_t)bytes[at + 1] << 8;
        if (at + 2 < count) group |= bytes[at + 2];
        text[0] = digits[group >> 18];
        text[1] = digits[group >> 12 & 63];
        text[2] = at + 1 < count ? digits[group >> 6 & 63] : '=';
        text[3] = at + 2 < count ? digits[group & 63] : '=';
    }
}
