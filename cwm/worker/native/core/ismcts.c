/* Information-set Monte-Carlo tree search. The rules are those of cwm/worker/search/ismcts.py, where they are
explained and cited; with the same random numbers the tree is the same to the bit. States are drawn by the
model's resample from one that fits what the player knows. */

_Static_assert(sizeof(Information) <= 1024, "Information is larger than 1024 bytes");

/* An action at an information state. */
typedef struct {
    double total; /* sum of the returns of the player who acts there */
    uint32_t visits;
    int32_t action;
} IsmctsEdge;

/* An information state in the tree. */
typedef struct {
    Information information;
    uint64_t visits;
    IsmctsEdge *edges;  /* the tried actions, in the order of their first visit */
    int32_t *settled;   /* the legal actions, if they are known to be exactly those of the edges, else NULL */
    int32_t count, room; /* edges: how many there are, and there can be */
    int32_t settled_count;
    int32_t player;
} IsmctsNode;

/* A step of the simulation under way: the edge is found by its place, as edges may move to larger rooms. */
typedef struct {
    IsmctsNode *node;
    int32_t edge;
} IsmctsStep;

typedef struct {
    UctOptions options;
    const State *given; /* a state that fits what the player knows */
    Information known;  /* the player's information state in it */
    IsmctsNode *root;
    int32_t *root_actions;
    int32_t root_count;
    IsmctsNode **table; /* of all nodes, by hash; its size is a power of 2 */
    uint64_t table_size, table_used;
    IsmctsStep *path;
    uint64_t path_length, path_room;
    uint64_t done, drawn_again;
    core_Arena arena;
    Random random;
} IsmctsSearch;

static const double ISMCTS_TIE = 1e-5;
enum { ISMCTS_TRIES = 200 };

/* --- nodes, by player and information state --- */

static void ismcts_inform(const State *state, int player, Information *information) {
    memset(information, 0, sizeof *information);
    information_state(state, player, information);
}

static uint64_t ismcts_hash(const Information *information, int player) {
    const unsigned char *bytes = (const unsigned char *)information;
    uint64_t hash = 0x9e3779b97f4a7c15u * (uint64_t)(player + 1);
    size_t at = 0;
    for (; at + 8 <= sizeof *information; at += 8) {
        uint64_t word;
        memcpy(&word, bytes + at, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    for (; at < sizeof *information; at++) hash = (hash ^ bytes[at]) * 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 29);
}

/* Where the node of this key is in the table, or would be. */
static IsmctsNode **ismcts_slot(const IsmctsSearch *search, const Information *information, int player) {
    uint64_t at = ismcts_hash(information, player);
    for (;; at++) {
        IsmctsNode **slot = search->table + (at & (search->table_size - 1));
        if (!*slot) return slot;
        if ((*slot)->player == player && !memcmp(&(*slot)->information, information, sizeof *information))
            return slot;
    }
}

static void ismcts_make_table(IsmctsSearch *search, uint64_t size) {
    IsmctsNode **old = search->table;
    uint64_t old_size = search->table_size;
    search->table = core_take(&search->arena, size * sizeof *search->table);
    search->table_size = size;
    memset(search->table, 0, size * sizeof *search->table);
    for (uint64_t at = 0; at < old_size; at++)
        if (old[at]) *ismcts_slot(search, &old[at]->information, old[at]->player) = old[at];
}

static IsmctsNode *ismcts_add(IsmctsSearch *search, const Information *information, int player) {
    if (2 * search->table_used >= search->table_size) ismcts_make_table(search, 2 * search->table_size);
    IsmctsNode *node = core_take(&search->arena, sizeof *node);
    *node = (IsmctsNode){.player = player};
    memcpy(&node->information, information, sizeof *information);
    *ismcts_slot(search, information, player) = node;
    search->table_used++;
    return node;
}

static int ismcts_add_edge(IsmctsSearch *search, IsmctsNode *node, int action, int room) {
    if (node->count == node->room) {
        node->room = room > 2 * node->room ? room : 2 * node->room;
        IsmctsEdge *edges = core_take(&search->arena, (uint64_t)node->room * sizeof *edges);
        if (node->count) memcpy(edges, node->edges, (size_t)node->count * sizeof *edges);
        node->edges = edges;
    }
    node->edges[node->count] = (IsmctsEdge){.action = action};
    return node->count++;
}

/* --- choosing --- */

static inline double ismcts_worth(const IsmctsEdge *edge, double log_visits, double uct_c) {
    return edge->total / edge->visits + uct_c * sqrt(log_visits / edge->visits);
}

/* The edge of highest worth among those given by their places, a random one of several. */
static int ismcts_choose(IsmctsSearch *search, const IsmctsNode *node, const int *places, int count) {
    int candidates[CORE_ACTIONS], found = 0;
    double worths[CORE_ACTIONS], best = 0.0, uct_c = search->options.uct_c;
    uint64_t visits = 0;
    for (int at = 0; at < count; at++) visits += node->edges[places[at]].visits;
    double log_visits = core_log(visits);
    for (int at = 0; at < count; at++) {
        worths[at] = ismcts_worth(&node->edges[places[at]], log_visits, uct_c);
        if (!at || worths[at] > best) best = worths[at];
    }
    best -= ISMCTS_TIE;
    for (int at = 0; at < count; at++)
        if (worths[at] > best) candidates[found++] = places[at];
    if (!found) core_fail(CORE_BAD_TOTALS, node->edges[places[0]].action);
    return found == 1 ? candidates[0] : candidates[random_below(&search->random, found)];
}

/* The best edge of a node whose legal actions are exactly its edges'. */
static int ismcts_best(IsmctsSearch *search, const IsmctsNode *node) {
    double log_visits = core_log(node->visits), best = -__builtin_inf(), second = best;
    int chosen = 0, places[CORE_ACTIONS];
    for (int at = 0; at < node->count; at++) {
        double worth = ismcts_worth(&node->edges[at], log_visits, search->options.uct_c);
        if (worth > best) {
            second = best;
            best = worth;
            chosen = at;
        } else if (worth > second) {
            second = worth;
        }
    }
    /* "Not greater" rather than "less": what is not a number must come here, too. */
    if (best - second > ISMCTS_TIE) return chosen;
    for (int at = 0; at < node->count; at++) places[at] = at;
    return ismcts_choose(search, node, places, node->count);
}

/* Marks that the node's edges are all of `actions`, and no others. */
static void ismcts_settle(IsmctsSearch *search, IsmctsNode *node, const int *actions, int count) {
    node->settled = core_take(&search->arena, (uint64_t)count * sizeof *actions);
    memcpy(node->settled, actions, (size_t)count * sizeof *actions);
    node->settled_count = count;
}

static int ismcts_is_settled(const IsmctsNode *node, const int *actions, int count) {
    return node->settled && node->settled_count == count &&
           !memcmp(node->settled, actions, (size_t)count * sizeof *actions);
}

/* The edge of a random untried one of `actions`, or of the best where all are tried. */
static int ismcts_expand(IsmctsSearch *search, IsmctsNode *node, const int *actions, int count) {
    int fresh[CORE_ACTIONS], fresh_count = 0, places[CORE_ACTIONS], known = 0;
    for (int at = 0; at < count; at++) {
        int edge = 0;
        while (edge < node->count && node->edges[edge].action != actions[at]) edge++;
        if (edge == node->count) fresh[fresh_count++] = actions[at];
    }
    if (fresh_count) {
        int edge = ismcts_add_edge(search, node, fresh[random_below(&search->random, fresh_count)], count);
        node->settled = NULL;
        if (fresh_count == 1 && node->count == count) ismcts_settle(search, node, actions, count);
        return edge;
    }
    /* In the order of the edges, as ties are broken by it. */
    for (int edge = 0; edge < node->count; edge++)
        for (int at = 0; at < count; at++)
            if (node->edges[edge].action == actions[at]) {
                places[known++] = edge;
                break;
            }
    return ismcts_choose(search, node, places, known);
}

/* --- one simulation --- */

/* Draws a state that the player cannot tell from the given one. */
static void ismcts_draw(IsmctsSearch *search, State *state) {
    Information information;
    int player = search->options.player;
    for (int tries = 0; tries < ISMCTS_TRIES; tries++) {
        *state = *search->given;
        resample(state, player, &search->random);
        if (core_player_in_turn(state) == player) {
            ismcts_inform(state, player, &information);
            if (!memcmp(&information, &search->known, sizeof information)) return;
        }
        search->drawn_again++;
    }
    core_fail(CORE_OTHER_INFORMATION, ISMCTS_TRIES);
}

/* Takes an action at the node, in the state; returns the player to move after it and after chance. */
static int ismcts_step(IsmctsSearch *search, IsmctsNode *node, State *state) {
    int actions[CORE_ACTIONS], count = core_legal(state, node->player, actions), edge;
    if (ismcts_is_settled(node, actions, count)) {
        edge = ismcts_best(search, node);
    } else {
        if (!search->path_length && (count != search->root_count ||
                                     memcmp(actions, search->root_actions, (size_t)count * sizeof *actions)))
            core_fail(CORE_OTHER_ACTIONS, count);
        edge = ismcts_expand(search, node, actions, count);
    }
    /* Counted on the way down, because a player who forgets may meet the node again. */
    node->visits++;
    node->edges[edge].visits++;
    if (search->path_length == search->path_room) {
        IsmctsStep *path = core_take(&search->arena, 2 * search->path_room * sizeof *path);
        memcpy(path, search->path, search->path_room * sizeof *path);
        search->path = path;
        search->path_room *= 2;
    }
    search->path[search->path_length++] = (IsmctsStep){node, edge};
    apply_action(state, node->edges[edge].action);
    int player = core_player_in_turn(state);
    while (player == CHANCE_PLAYER) {
        apply_action(state, core_drawn_outcome(state, &search->random));
        player = core_player_in_turn(state);
    }
    return player;
}

static void ismcts_rollout(IsmctsSearch *search, const State *leaf, double *amounts) {
    State state = *leaf;
#if CORE_HAS_ROLLOUT
    if (search->options.use_rollout) {
        core_mark(amounts + NUM_PLAYERS, sizeof *amounts);
        rollout(&state, &search->random, amounts);
        core_check_mark(amounts + NUM_PLAYERS, sizeof *amounts);
        return;
    }
#endif
    core_play(&state, CORE_UNLIMITED, &search->random);
    core_returns(&state, amounts);
}

/* What a new node is worth, judged at the state by which it was reached. */
static void ismcts_evaluate(IsmctsSearch *search, const State *leaf, double *amounts) {
    double once[CORE_SEATS];
    int32_t rollouts = search->options.rollouts;
    if (search->options.use_value) {
        core_estimate(leaf, amounts);
        return;
    }
    ismcts_rollout(search, leaf, amounts);
    if (rollouts == 1) return;
    for (int32_t number = 1; number < rollouts; number++) {
        ismcts_rollout(search, leaf, once);
        for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] += once[player];
    }
    for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] /= rollouts;
}

static void ismcts_backward(IsmctsSearch *search, const double *amounts) {
    for (uint64_t at = 0; at < search->path_length; at++) {
        IsmctsStep step = search->path[at];
        step.node->edges[step.edge].total += amounts[step.node->player];
    }
}

static void ismcts_simulate(IsmctsSearch *search) {
    State state;
    Information information;
    double amounts[CORE_SEATS];
    IsmctsNode *node = search->root;
    search->path_length = 0;
    ismcts_draw(search, &state);
    while (node) {
        int player = ismcts_step(search, node, &state);
        if (player == TERMINAL_PLAYER) {
            core_returns(&state, amounts);
            break;
        }
        ismcts_inform(&state, player, &information);
        node = *ismcts_slot(search, &information, player);
        if (!node) {
            ismcts_add(search, &information, player);
            ismcts_evaluate(search, &state, amounts);
        }
    }
    ismcts_backward(search, amounts);
    search->done++;
}

/* --- the search --- */

static void ismcts_finish(IsmctsSearch *search) {
    IsmctsNode *root = search->root;
    int rest[CORE_ACTIONS], count = 0;
    for (int edge = 0; edge < root->count; edge++)
        if (!(fabs(root->edges[edge].total) <= CORE_LARGEST)) core_fail(CORE_BAD_TOTALS, root->edges[edge].action);
    for (int at = 0; at < search->root_count; at++) {
        int edge = 0;
        while (edge < root->count && root->edges[edge].action != search->root_actions[at]) edge++;
        if (edge == root->count) rest[count++] = search->root_actions[at];
    }
    while (count) {
        /* Actions never tried become edges, too, in random order. */
        int index = random_below(&search->random, count);
        ismcts_add_edge(search, root, rest[index], search->root_count);
        count--;
        for (; index < count; index++) rest[index] = rest[index + 1];
    }
}

/* Searches what the player knows in the given state. The tree stays in the arena. */
static void ismcts_run(IsmctsSearch *search) {
    State state;
    int actions[CORE_ACTIONS], player = search->options.player;
    uint64_t limit = search->options.simulations;
    double deadline = core_deadline(search->options.seconds);
    core_seed(&search->random, search->options.generator, search->options.seed);
    search->path_room = 64;
    search->path = core_take(&search->arena, search->path_room * sizeof *search->path);
    ismcts_make_table(search, 256);
    ismcts_inform(search->given, player, &search->known);
    ismcts_draw(search, &state);
    search->root = ismcts_add(search, &search->known, player);
    search->root_count = core_legal(&state, player, actions);
    search->root_actions = core_take(&search->arena, (uint64_t)search->root_count * sizeof *actions);
    memcpy(search->root_actions, actions, (size_t)search->root_count * sizeof *actions);
    if (search->root_count == 1) limit = 1; /* nothing to choose */
    /* The first simulation only makes the root, as OpenSpiel's does. */
    search->done = 1;
    while (search->done < limit) {
        ismcts_simulate(search);
        if (core_is_past(deadline)) break;
    }
    ismcts_finish(search);
}
