/* Monte-Carlo tree search where players choose at once. The rules are those of arena/bots/simultaneous/search.py, where
they are explained and cited; with the same random numbers each player's strategy is the same to the bit, which is how
this file is tested. The order of floating-point operations is that file's, too. */

enum { SMCTS_UCT, SMCTS_REGRET_MATCHING };

typedef struct {
    uint64_t simulations;
    double uct_c;
    double exploration;  /* share of random choices in regret matching */
    int32_t rollouts;    /* random games per leaf */
    int32_t rule;
    int32_t player;      /* whose strategy is wanted */
    int32_t generator;
    uint64_t seed;
} SmctsOptions;

/* The statistics of one player at one node; actions are numbered from 0. */
typedef struct {
    int32_t player, count;  /* count: how many actions it has */
    int32_t *actions;
    uint64_t stride;        /* of its choice in the key of a joint choice */
    uint64_t visits;
    double *totals;         /* by action. UCT: of returns. Regret matching: the regrets */
    uint32_t *tries;        /* UCT: by action, how often it was tried */
    int32_t fresh;          /* UCT: how many actions were never tried */
    double *shares;         /* regret matching: by action, the sum of the strategies */
} SmctsSide;

/* A joint choice at a node: the place of each mover's action. */
typedef struct {
    SmctsEntry entry;
    uint64_t visits;
    double *totals;  /* of the returns of each mover */
} SmctsJoint;

/* A decision of one player, or of several at once. */
typedef struct {
    SmctsEntry entry;  /* the joint choice and the outcomes of chance that lead here */
    SmctsSide *sides;  /* of those who choose, in the order of seats */
    int32_t movers, at_once;
    SmctsTable joints, children;
} SmctsNode;

typedef struct {
    SmctsNode *node;
    SmctsJoint *joint;
} SmctsStep;

typedef struct {
    SmctsOptions options;
    const State *given;
    SmctsNode *root;
    SmctsStep *path;
    int32_t *numbers;  /* the joint choice under way and the outcomes behind it */
    uint64_t path_length, path_room, numbers_length, numbers_room;
    uint64_t done;
    core_Arena arena;
    core_Words random;
} SmctsSearch;

/* --- nodes --- */

static double *smcts_zeros(SmctsSearch *search, int32_t count) {
    double *numbers = core_take(&search->arena, (uint64_t)count * sizeof *numbers);
    for (int32_t at = 0; at < count; at++) numbers[at] = 0.0;
    return numbers;
}

static void smcts_open_side(SmctsSearch *search, SmctsNode *node, int player, const int *actions, int count) {
    SmctsSide *side = node->sides + node->movers;
    uint64_t stride = node->movers ? side[-1].stride * (uint64_t)side[-1].count : 1;
    *side = (SmctsSide){.player = player, .count = count, .stride = stride, .fresh = count};
    node->movers++;
    side->actions = core_take(&search->arena, (uint64_t)count * sizeof *actions);
    memcpy(side->actions, actions, (size_t)count * sizeof *actions);
    side->totals = smcts_zeros(search, count);
    if (search->options.rule == SMCTS_UCT) {
        side->tries = core_take(&search->arena, (uint64_t)count * sizeof *side->tries);
        memset(side->tries, 0, (size_t)count * sizeof *side->tries);
    } else {
        side->shares = smcts_zeros(search, count);
    }
}

static SmctsNode *smcts_open(SmctsSearch *search, const State *state) {
    int actions[CORE_ACTIONS], player = core_player(state), count;
    SmctsNode *node = core_take(&search->arena, sizeof *node);
    *node = (SmctsNode){.at_once = core_is_at_once(player)};
    node->sides = core_take(&search->arena, (node->at_once ? NUM_PLAYERS : 1) * sizeof *node->sides);
    if (!node->at_once) {
        count = core_legal(state, player, actions);
        smcts_open_side(search, node, player, actions, count);
        return node;
    }
    for (player = 0; player < NUM_PLAYERS; player++) {
        count = core_legal_at_once(state, player, actions);
        if (count) smcts_open_side(search, node, player, actions, count);
    }
    if (!node->movers) core_fail(CORE_NOBODY_CHOOSES, SIMULTANEOUS_PLAYER);
    return node;
}

/* --- UCT: a choice by UCB1; ties, and the order of first visits, are random --- */

static int smcts_choose_uct(SmctsSearch *search, SmctsSide *side) {
    double worths[CORE_ACTIONS], best = -__builtin_inf(), log_visits;
    int places[CORE_ACTIONS], found = 0;
    if (side->fresh) {
        for (int at = 0; at < side->count; at++)
            if (!side->tries[at]) places[found++] = at;
        return places[core_words_below(&search->random, found)];
    }
    log_visits = core_log(side->visits);
    for (int at = 0; at < side->count; at++) {
        double tries = side->tries[at];
        worths[at] = side->totals[at] / tries + search->options.uct_c * sqrt(log_visits / tries);
        if (worths[at] > best) best = worths[at];
    }
    for (int at = 0; at < side->count; at++)
        if (worths[at] == best) places[found++] = at;
    if (!found) core_fail(CORE_BAD_TOTALS, side->actions[0]);
    return places[core_words_below(&search->random, found)];
}

static void smcts_learn_uct(SmctsSide *side, int chosen, double value) {
    side->visits++;
    if (!side->tries[chosen]++) side->fresh--;
    side->totals[chosen] += value;
}

/* --- regret matching, on the mean values of joint choices --- */

static int smcts_choose_by_regret(SmctsSearch *search, SmctsSide *side) {
    double strategy[CORE_ACTIONS], total = 0.0;
    int count = side->count;
    side->visits++;
    for (int at = 0; at < count; at++) {
        strategy[at] = side->totals[at] > 0.0 ? side->totals[at] : 0.0;
        total += strategy[at];
    }
    for (int at = 0; at < count; at++) {
        strategy[at] = total > 0 ? strategy[at] / total : 1.0 / count;
        side->shares[at] += strategy[at];
    }
    if (core_words_number(&search->random) < search->options.exploration / sqrt((double)side->visits))
        return core_words_below(&search->random, count);
    for (int at = 1; at < count; at++) strategy[at] += strategy[at - 1];
    return core_words_place(&search->random, strategy, count);
}

/* What the mover at place `at` would have earned on average by another action, against what the others chose. */
static void smcts_learn_regret(const SmctsNode *node, int at, const SmctsJoint *joint, int32_t *choice, double value) {
    SmctsSide *side = node->sides + at;
    int chosen = choice[at];
    for (int other = 0; other < side->count; other++) {
        if (other == chosen) continue;
        choice[at] = other;
        uint64_t key = joint->entry.key + (uint64_t)(int64_t)(other - chosen) * side->stride;
        const SmctsJoint *instead = smcts_find(&node->joints, key, choice, node->movers);
        if (instead) side->totals[other] += instead->totals[at] / (double)instead->visits - value;
    }
    choice[at] = chosen;
}

/* --- from the root to a leaf --- */

static int smcts_drawn_outcome(SmctsSearch *search, const State *state) {
    int outcomes[CORE_OUTCOMES];
    double sums[CORE_OUTCOMES];
    int count = core_chance(state, outcomes, sums);
    if (count < 1) core_fail(CORE_WRONG_SUM, 0.0);
    for (int at = 1; at < count; at++) sums[at] += sums[at - 1];
    core_check_sum(sums[count - 1]);
    return outcomes[core_words_place(&search->random, sums, count)];
}

static void smcts_note(SmctsSearch *search, int number) {
    search->numbers = smcts_room(&search->arena, search->numbers, search->numbers_length, &search->numbers_room,
                                 sizeof *search->numbers);
    search->numbers[search->numbers_length++] = number;
}

/* All movers choose at the node; the choice is noted as the next step of the path. */
static SmctsJoint *smcts_choose(SmctsSearch *search, SmctsNode *node) {
    uint64_t key = 0;
    search->numbers_length = 0;
    for (int at = 0; at < node->movers; at++) {
        SmctsSide *side = node->sides + at;
        int chosen = search->options.rule == SMCTS_UCT ? smcts_choose_uct(search, side)
                                                       : smcts_choose_by_regret(search, side);
        key += (uint64_t)chosen * side->stride;
        smcts_note(search, chosen);
    }
    SmctsJoint *joint = smcts_find(&node->joints, key, search->numbers, node->movers);
    if (!joint) {
        joint = core_take(&search->arena, sizeof *joint);
        joint->visits = 0;
        joint->totals = smcts_zeros(search, node->movers);
        smcts_put(&search->arena, &node->joints, &joint->entry, key, search->numbers, node->movers);
    }
    search->path = smcts_room(&search->arena, search->path, search->path_length, &search->path_room,
                              sizeof *search->path);
    search->path[search->path_length++] = (SmctsStep){node, joint};
    return joint;
}

/* Plays a joint choice and the chance behind it, noting its outcomes. Returns the player to move then, and in `key`
what tells the state from others below the node. */
static int smcts_apply(SmctsSearch *search, const SmctsNode *node, const SmctsJoint *joint, State *state,
                       uint64_t *key) {
    int actions[NUM_PLAYERS], player;
    for (player = 0; player < NUM_PLAYERS; player++) actions[player] = -1;
    for (int at = 0; at < node->movers; at++)
        actions[node->sides[at].player] = node->sides[at].actions[joint->entry.numbers[at]];
    if (node->at_once)
        apply_actions(state, actions);
    else
        apply_action(state, actions[node->sides->player]);
    *key = joint->entry.key;
    while ((player = core_player(state)) == CHANCE_PLAYER) {
        int outcome = smcts_drawn_outcome(search, state);
        apply_action(state, outcome);
        smcts_note(search, outcome);
        *key = (*key ^ (uint64_t)(outcome + 1)) * 0xff51afd7ed558ccdu;
    }
    return player;
}

static SmctsNode *smcts_expand(SmctsSearch *search, SmctsNode *node, const State *state, uint64_t key) {
    SmctsNode *child = smcts_open(search, state);
    smcts_put(&search->arena, &node->children, &child->entry, key, search->numbers, (int64_t)search->numbers_length);
    return child;
}

/* --- what a leaf is worth --- */

static void smcts_play(SmctsSearch *search, State *state) {
    int actions[CORE_ACTIONS], chosen[NUM_PLAYERS], player;
    while ((player = core_player(state)) != TERMINAL_PLAYER) {
        if (player == CHANCE_PLAYER) {
            apply_action(state, smcts_drawn_outcome(search, state));
        } else if (core_is_at_once(player)) {
            int choosing = 0;
            for (player = 0; player < NUM_PLAYERS; player++) {
                int count = core_legal_at_once(state, player, actions);
                chosen[player] = count ? actions[core_words_below(&search->random, count)] : -1;
                choosing += count > 0;
            }
            if (!choosing) core_fail(CORE_NOBODY_CHOOSES, SIMULTANEOUS_PLAYER);
            apply_actions(state, chosen);
        } else {
            int count = core_legal(state, player, actions);
            apply_action(state, actions[core_words_below(&search->random, count)]);
        }
    }
}

static void smcts_evaluate(SmctsSearch *search, const State *leaf, double *amounts) {
    double once[CORE_SEATS];
    for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] = 0.0;
    for (int32_t number = 0; number < search->options.rollouts; number++) {
        State state = *leaf;
        smcts_play(search, &state);
        core_finite_returns(&state, once);
        for (int player = 0; player < NUM_PLAYERS; player++)
            amounts[player] += once[player] / search->options.rollouts;
    }
}

/* --- and back --- */

static void smcts_learn(SmctsSearch *search, const SmctsNode *node, SmctsJoint *joint, const double *amounts) {
    int32_t choice[NUM_PLAYERS];
    memcpy(choice, joint->entry.numbers, (size_t)node->movers * sizeof *choice);
    joint->visits++;
    for (int at = 0; at < node->movers; at++) {
        double value = amounts[node->sides[at].player];
        joint->totals[at] += value;
        if (search->options.rule == SMCTS_UCT)
            smcts_learn_uct(node->sides + at, choice[at], value);
        else
            smcts_learn_regret(node, at, joint, choice, value);
    }
}

static void smcts_backward(SmctsSearch *search, const double *amounts) {
    for (uint64_t at = 0; at < search->path_length; at++)
        smcts_learn(search, search->path[at].node, search->path[at].joint, amounts);
}

static void smcts_simulate(SmctsSearch *search) {
    State state = *search->given;
    double amounts[CORE_SEATS];
    SmctsNode *node = search->root;
    search->path_length = 0;
    while (node) {
        uint64_t key;
        SmctsJoint *joint = smcts_choose(search, node);
        if (smcts_apply(search, node, joint, &state, &key) == TERMINAL_PLAYER) {
            core_finite_returns(&state, amounts);
            break;
        }
        SmctsNode *child = smcts_find(&node->children, key, search->numbers, (int64_t)search->numbers_length);
        if (!child) {
            smcts_expand(search, node, &state, key);
            smcts_evaluate(search, &state, amounts);
        }
        node = child;
    }
    smcts_backward(search, amounts);
    search->done++;
}

/* --- the search --- */

/* Writes a player's strategy at a node, a probability for each action. */
static void smcts_mix(const SmctsSearch *search, const SmctsSide *side, double *mix) {
    int by_visits = search->options.rule == SMCTS_UCT;
    double total = by_visits ? (double)side->visits : 0.0;
    for (int at = 0; !by_visits && at < side->count; at++) total += side->shares[at];
    for (int at = 0; at < side->count; at++) {
        double own = by_visits ? side->tries[at] : side->shares[at];
        mix[at] = total > 0.0 ? own / total : 1.0 / side->count;
    }
}

/* Where a player chooses alone, the strategy is its first likeliest action. */
static void smcts_make_pure(double *mix, int count) {
    int best = 0;
    for (int at = 1; at < count; at++)
        if (mix[at] > mix[best]) best = at;
    for (int at = 0; at < count; at++) mix[at] = at == best;
}

/* Searches from `state`, in which options.player chooses. Writes its strategy into CORE_ACTIONS numbers, and returns
its statistics at the root; the place of an action drawn from the strategy comes into `chosen`. */
static const SmctsSide *smcts_run(SmctsSearch *search, const State *state, double *mix, int *chosen) {
    double sums[CORE_ACTIONS];
    int at = 0;
    core_words_seed(&search->random, search->options.generator, search->options.seed);
    search->given = state;
    if (core_player(state) == CHANCE_PLAYER || core_player(state) == TERMINAL_PLAYER)
        core_fail(CORE_NOT_TO_MOVE, core_player(state));
    search->root = smcts_open(search, state);
    while (at < search->root->movers && search->root->sides[at].player != search->options.player) at++;
    if (at == search->root->movers) core_fail(CORE_NOT_TO_MOVE, core_player(state));
    while (search->done < search->options.simulations) smcts_simulate(search);
    const SmctsSide *side = search->root->sides + at;
    smcts_mix(search, side, mix);
    if (search->root->movers == 1) smcts_make_pure(mix, side->count);
    memcpy(sums, mix, (size_t)side->count * sizeof *sums);
    for (int place = 1; place < side->count; place++) sums[place] += sums[place - 1];
    *chosen = core_words_place(&search->random, sums, side->count);
    return side;
}
