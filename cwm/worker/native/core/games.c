/* Many games at once: random games for statistics, and games side by side that a learner plays. */

/* Plays `count` random games from the start, one after the other on one stream of random numbers. Writes the
returns of all players of each, and how many plies it took, chance included. */
static void games_play(int64_t count, Random *random, double *amounts, int64_t *plies) {
    State start, state;
    double once[CORE_SEATS];
    memset(&start, 0, sizeof start);
    initial_state(&start);
    for (int64_t game = 0; game < count; game++) {
        state = start;
        plies[game] = core_play(&state, CORE_UNLIMITED, random);
        core_finite_returns(&state, once);
        memcpy(amounts + game * NUM_PLAYERS, once, NUM_PLAYERS * sizeof *once);
    }
}

/* Plays the chance that comes next, so that a player is to move or the game is over; returns the player. */
static int games_settle(State *state, Random *random) {
    int player = core_player_in_turn(state);
    while (player == CHANCE_PLAYER) {
        apply_action(state, core_drawn_outcome(state, random));
        player = core_player_in_turn(state);
    }
    return player;
}

static int games_start(State *state, Random *random) {
    memset(state, 0, sizeof *state);
    initial_state(state);
    return games_settle(state, random);
}

/* Takes one action in each of `count` games. Writes the returns so far; a game that ends is marked in `over`
and starts anew. `players` holds who is to move before, and after, the step. Returns the number of the first
game whose action is not legal, before which all were played, or `count`. */
static int64_t games_step(State *states, int64_t count, const int32_t *actions, int32_t *players, double *amounts,
                          uint8_t *over, Random *random) {
    int legal[CORE_ACTIONS];
    double once[CORE_SEATS];
    for (int64_t game = 0; game < count; game++) {
        State *state = &states[game];
        int number = core_legal(state, players[game], legal), at = 0;
        while (at < number && legal[at] != actions[game]) at++;
        if (at == number) return game;
        apply_action(state, actions[game]);
        players[game] = games_settle(state, random);
        core_returns(state, once);
        memcpy(amounts + game * NUM_PLAYERS, once, NUM_PLAYERS * sizeof *once);
        over[game] = players[game] == TERMINAL_PLAYER;
        if (over[game]) players[game] = games_start(state, random);
    }
    return count;
}

/* Writes 1 for each legal action of each game, into `count` rows of NUM_DISTINCT_ACTIONS. */
static void games_masks(const State *states, int64_t count, const int32_t *players, uint8_t *masks) {
    int legal[CORE_ACTIONS];
    memset(masks, 0, (size_t)count * NUM_DISTINCT_ACTIONS);
    for (int64_t game = 0; game < count; game++) {
        int number = core_legal(&states[game], players[game], legal);
        for (int at = 0; at < number; at++)
            if (legal[at] >= 0 && legal[at] < NUM_DISTINCT_ACTIONS)
                masks[game * NUM_DISTINCT_ACTIONS + legal[at]] = 1;
    }
}
