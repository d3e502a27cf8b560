/* Monte-Carlo tree search (UCT). The rules are those of cwm/worker/search/uct.py, where they are explained and
cited; with the same random numbers the tree is the same to the bit, which is how this file is tested. */

typedef struct UctNode UctNode;

/* A state in the tree. The children of a node lie side by side, because selection reads them all. */
struct UctNode {
    double total;           /* sum of the returns of `player` over the visits */
    double mean;            /* total / visits, kept since a node is compared more often than it is visited */
    uint32_t visits;
    int32_t action;         /* that led here; -1 at the root */
    const double *outcome;  /* of all players where the node is terminal or proven, else NULL */
    State *state;           /* NULL: an outcome of chance that was not drawn yet, or an action not tried */
    UctNode *parent;
    UctNode *children;      /* NULL until expanded */
    int32_t *actions;       /* those not tried yet, or the outcomes; NULL until they are needed */
    uint16_t untried;       /* how many of `actions` are left; 0 where chance acts */
    uint16_t born;          /* how many children there are, at chance one for each outcome */
    int8_t player;          /* from whose view `total` counts: who chose `action`, or last chose above it */
    int8_t to_move;
};

typedef struct {
    uint64_t simulations;  /* at least 1 */
    double seconds;        /* of wall-clock time; 0 for no limit */
    double uct_c;
    int64_t length;        /* of rollouts in plies; 0 for the value function at once */
    int32_t rollouts;
    int32_t solve;
    int32_t use_value, use_rollout;  /* whether the model's functions of these names are used */
    int32_t player;                  /* who searches, for ismcts */
    int32_t generator;
    uint64_t seed;
} UctOptions;

typedef struct {
    UctOptions options;
    UctNode *root;
    uint64_t done;
    core_Arena arena;
    Random random;
} UctSearch;

/* --- nodes --- */

static UctNode *uct_arrive(UctSearch *search, UctNode *node, UctNode *parent, int action, int player) {
    State *state = core_take(&search->arena, sizeof *state);
    *state = *parent->state;
    apply_action(state, action);
    *node = (UctNode){.action = action, .parent = parent, .state = state, .player = (int8_t)player};
    node->to_move = (int8_t)core_player_in_turn(state);
    return node;
}

/* Where the running sums of the probabilities of a chance node lie: behind its children. */
static inline double *uct_sums(const UctNode *node) {
    return (double *)(node->children + node->born);
}

static void uct_find_actions(UctSearch *search, UctNode *node) {
    int actions[CORE_ACTIONS], count = core_legal(node->state, node->to_move, actions);
    node->actions = core_take(&search->arena, (uint64_t)count * sizeof *actions);
    memcpy(node->actions, actions, (size_t)count * sizeof *actions);
    node->untried = (uint16_t)count;
}

static void uct_expand_chance(UctSearch *search, UctNode *node) {
    int outcomes[CORE_OUTCOMES], count, last = -1;
    double probabilities[CORE_OUTCOMES], total = 0.0;
    count = core_chance(node->state, outcomes, probabilities);
    for (int at = 0; at < count; at++) {
        if (probabilities[at] < 0) core_fail(CORE_NEGATIVE_CHANCE, probabilities[at]);
        if (probabilities[at] > 0) last = at;
        probabilities[at] = total += probabilities[at];
    }
    core_check_sum(total);
    /* Rounding may leave the sum below a random number; impossible outcomes must stay impossible. */
    for (int at = last; at < count; at++) probabilities[at] = 1.0;
    node->born = (uint16_t)count;
    node->children = core_take(&search->arena, (uint64_t)count * (sizeof *node + sizeof *probabilities));
    for (int at = 0; at < count; at++) node->children[at] = (UctNode){.parent = node};
    memcpy(uct_sums(node), probabilities, (size_t)count * sizeof *probabilities);
    node->actions = core_take(&search->arena, (uint64_t)count * sizeof *outcomes);
    memcpy(node->actions, outcomes, (size_t)count * sizeof *outcomes);
}

/* Prepares the children of a node that is neither terminal nor expanded. */
static void uct_expand(UctSearch *search, UctNode *node) {
    if (node->to_move == CHANCE_PLAYER) {
        uct_expand_chance(search, node);
        return;
    }
    if (!node->actions) uct_find_actions(search, node);
    node->children = core_take(&search->arena, node->untried * sizeof *node);
}

/* --- from the root to a leaf --- */

/* The logarithm of a number of visits, from 1. Small ones come again and again and are kept; 0 stands for none. */
static inline double core_log(uint64_t visits) {
    enum { CORE_LOGS = 1 << 12 };
    static double known[CORE_LOGS];
    if (visits >= CORE_LOGS) return log((double)visits);
    if (known[visits] == 0.0) known[visits] = log((double)visits);
    return known[visits];
}

/* Works on all children, and a few places more, at once: roots and quotients are most of a short game's search. */
static UctNode *uct_best(const UctNode *node, double uct_c) {
    enum { AT_ONCE = 8 };
    double log_visits = core_log(node->visits), best = -__builtin_inf();
    double worths[CORE_ACTIONS + AT_ONCE];
    int born = node->born, chosen = 0;
    for (int at = 0; at < born; at++) worths[at] = node->children[at].visits;
    for (int at = born; at % AT_ONCE; at++) worths[at] = 1.0;
    for (int first = 0; first < born; first += AT_ONCE)
        for (int at = first; at < first + AT_ONCE; at++) worths[at] = uct_c * sqrt(log_visits / worths[at]);
    for (int at = 0; at < born; at++) {
        const UctNode *child = node->children + at;
        double worth = child->outcome ? child->outcome[node->to_move] : child->mean + worths[at];
        if (worth > best) {
            best = worth;
            chosen = at;
        }
    }
    return node->children + chosen;
}

static int uct_drawn(const UctNode *node, double number) {
    const double *sums = uct_sums(node);
    int low = 0, high = node->born - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (number < sums[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Goes down from the root to a node that is terminal or was never visited. */
static UctNode *uct_select(UctSearch *search) {
    UctNode *node = search->root;
    if (!search->done) return node; /* the first simulation evaluates the root itself */
    while (node->to_move != TERMINAL_PLAYER) {
        if (!node->children) uct_expand(search, node);
        if (node->to_move == CHANCE_PLAYER) {
            int index = uct_drawn(node, random_number(&search->random));
            UctNode *child = node->children + index;
            if (!child->state) return uct_arrive(search, child, node, node->actions[index], node->player);
            node = child;
        } else if (node->untried) {
            /* A random one of the rest each time is a shuffle, paid for only as far as it is used. */
            int index = random_below(&search->random, node->untried), action = node->actions[index];
            node->actions[index] = node->actions[--node->untried];
            return uct_arrive(search, node->children + node->born++, node, action, node->to_move);
        } else {
            node = uct_best(node, search->options.uct_c);
        }
    }
    return node;
}

/* --- what a leaf is worth --- */

static void uct_estimate(const State *state, double *amounts) {
    core_estimate(state, amounts);
    for (int player = 0; player < NUM_PLAYERS; player++) {
        if ((MIN_UTILITY) > amounts[player]) amounts[player] = MIN_UTILITY;
        if ((MAX_UTILITY) < amounts[player]) amounts[player] = MAX_UTILITY;
    }
}

static void uct_rollout(UctSearch *search, UctNode *leaf, double *amounts) {
#if CORE_HAS_ROLLOUT
    if (search->options.use_rollout) {
        core_mark(amounts + NUM_PLAYERS, sizeof *amounts);
        rollout(leaf->state, &search->random, amounts);
        core_check_mark(amounts + NUM_PLAYERS, sizeof *amounts);
        return;
    }
#endif
    State state = *leaf->state;
    if (leaf->to_move >= 0) {
        /* Kept on the leaf: all its rollouts and its expansion need them. */
        if (!leaf->actions) uct_find_actions(search, leaf);
        apply_action(&state, leaf->actions[random_below(&search->random, leaf->untried)]);
    } else {
        apply_action(&state, core_drawn_outcome(&state, &search->random));
    }
    core_play(&state, search->options.length - 1, &search->random);
    if (search->options.use_value && current_player(&state) != TERMINAL_PLAYER)
        uct_estimate(&state, amounts);
    else
        core_returns(&state, amounts);
}

static void uct_evaluate(UctSearch *search, UctNode *leaf, double *amounts) {
    double once[CORE_SEATS];
    int32_t rollouts = search->options.rollouts;
    if (!search->options.length) {
        uct_estimate(leaf->state, amounts);
        return;
    }
    if (rollouts == 1) {
        uct_rollout(search, leaf, amounts);
        return;
    }
    for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] = 0.0;
    for (int32_t number = 0; number < rollouts; number++) {
        uct_rollout(search, leaf, once);
        for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] += once[player];
    }
    for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] /= rollouts;
}

/* --- and back --- */

static int uct_prove_chance(UctNode *node) {
    const double *outcome = node->children[0].outcome;
    if (!outcome) return 0;
    for (int index = 1; index < node->born; index++) {
        const double *other = node->children[index].outcome;
        if (!other) return 0;
        for (int player = 0; player < NUM_PLAYERS; player++)
            if (other[player] != outcome[player]) return 0;
    }
    node->outcome = outcome;
    return 1;
}

/* Sets the outcome of a node if it follows from its children's; returns whether it does. */
static int uct_prove(UctNode *node) {
    if (node->to_move == CHANCE_PLAYER) return uct_prove_chance(node);
    const double *best = NULL;
    int player = node->to_move, all_proven = !node->untried;
    for (UctNode *child = node->children; child < node->children + node->born; child++) {
        if (!child->outcome)
            all_proven = 0;
        else if (!best || child->outcome[player] > best[player])
            best = child->outcome;
    }
    if (!best || !(all_proven || best[player] == (MAX_UTILITY))) return 0;
    node->outcome = best;
    return 1;
}

static void uct_backward(UctSearch *search, UctNode *leaf, const double *amounts) {
    for (UctNode *node = leaf; node; node = node->parent) {
        node->visits++;
        node->total += amounts[node->player];
        node->mean = node->total / node->visits;
    }
    if (leaf->to_move == TERMINAL_PLAYER && search->options.solve) {
        UctNode *node = leaf->parent;
        while (node && uct_prove(node)) node = node->parent;
    }
}

static void uct_simulate(UctSearch *search) {
    double amounts[CORE_SEATS];
    UctNode *leaf = uct_select(search);
    if (leaf->to_move != TERMINAL_PLAYER) {
        uct_evaluate(search, leaf, amounts);
        uct_backward(search, leaf, amounts);
    } else {
        if (!leaf->outcome) {
            double *outcome = core_take(&search->arena, CORE_SEATS * sizeof *outcome);
            core_finite_returns(leaf->state, outcome);
            leaf->outcome = outcome;
        }
        uct_backward(search, leaf, leaf->outcome);
    }
    search->done++;
}

/* --- the search --- */

/* Searches from `state`, in which a player is to move. The tree stays in the arena. */
static void uct_run(UctSearch *search, const State *state) {
    UctNode *root = search->root = core_take(&search->arena, sizeof *root);
    *root = (UctNode){.action = -1, .state = core_take(&search->arena, sizeof *state)};
    *root->state = *state;
    root->player = root->to_move = (int8_t)core_player_in_turn(state);
    if (root->to_move < 0) core_fail(CORE_NOT_TO_MOVE, root->to_move);
    core_seed(&search->random, search->options.generator, search->options.seed);
    uct_expand(search, root);
    uint64_t limit = search->options.simulations;
    if (root->untried == 1 && limit > 2) limit = 2; /* nothing to choose, as in OpenSpiel's */
    double deadline = core_deadline(search->options.seconds);
    while (search->done < limit) {
        uct_simulate(search);
        if (root->outcome || core_is_past(deadline)) break;
    }
    while (root->untried) {
        /* Actions never tried become children, too, in random order. */
        int index = random_below(&search->random, root->untried);
        UctNode *child = root->children + root->born++;
        *child = (UctNode){.action = root->actions[index], .parent = root, .player = root->to_move};
        root->untried--;
        for (; index < root->untried; index++) root->actions[index] = root->actions[index + 1];
    }
}
