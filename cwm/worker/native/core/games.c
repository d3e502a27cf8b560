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

/* Games side by side. A game that is over, or has not begun, has TERMINAL_PLAYER to move. */
typedef struct {
    State *states;
    int32_t *players; /* who is to move in each */
    float *rows;      /* what each player knows, by game and player, see columns.c */
    int64_t count;
    NativeColumns columns;
} NativeGames;

static float *games_row(const NativeGames *games, int64_t game, int player) {
    return games->rows + (game * NUM_PLAYERS + player) * games->columns.size;
}

static void games_see(const NativeGames *games, int64_t game, int player) {
    games_encode(&games->columns, &games->states[game], player, games_row(games, game, player));
}

/* Plays the chance that comes next, so that a player is to move or the game is over. Players who remember see
every state on the way. */
static void games_settle(const NativeGames *games, int64_t game, Random *random) {
    State *state = &games->states[game];
    for (;;) {
        int mover = core_player_in_turn(state);
        games->players[game] = mover;
        for (int player = 0; games->columns.remembers && player < NUM_PLAYERS; player++)
            games_see(games, game, player);
        if (mover != CHANCE_PLAYER) return;
        apply_action(state, core_drawn_outcome(state, random));
    }
}

static void games_start(const NativeGames *games, int64_t game, Random *random) {
    for (int player = 0; player < NUM_PLAYERS; player++) {
        float *row = games_row(games, game, player);
        memset(row, 0, (size_t)games->columns.size * sizeof *row);
        row[player] = 1.0f;
    }
    memset(&games->states[game], 0, sizeof *games->states);
    initial_state(&games->states[game]);
    games_settle(games, game, random);
}

/* Takes one action in each game; one that is over starts anew instead. Returns the number of the first game whose
action is not legal, before which all were played, or `count`. */
static int64_t games_step(const NativeGames *games, const int32_t *actions, Random *random) {
    int legal[CORE_ACTIONS];
    for (int64_t game = 0; game < games->count; game++) {
        State *state = &games->states[game];
        int player = games->players[game];
        if (player == TERMINAL_PLAYER) {
            games_start(games, game, random);
            continue;
        }
        int number = core_legal(state, player, legal), at = 0;
        while (at < number && legal[at] != actions[game]) at++;
        if (at == number) return game;
        games_note_action(&games->columns, state, actions[game], games_row(games, game, player));
        apply_action(state, actions[game]);
        games_settle(games, game, random);
    }
    return games->count;
}

/* Writes the returns so far of all players of all games. */
static void games_returns(const NativeGames *games, double *amounts) {
    double once[CORE_SEATS];
    for (int64_t game = 0; game < games->count; game++) {
        core_finite_returns(&games->states[game], once);
        memcpy(amounts + game * NUM_PLAYERS, once, NUM_PLAYERS * sizeof *once);
    }
}

/* Writes which columns of a row are not 0, in bits, lowest first, and those of them that may be other than 1 as they
are; returns how many those are. */
static int64_t games_pack_row(const NativeColumns *of, const float *row, uint8_t *bits, float *others) {
    int64_t used = 0;
    memset(bits, 0, (size_t)(of->size + 7) / 8);
    for (int32_t at = 0; at < of->size; at++) {
        if (row[at] == 0.0f) continue;
        bits[at / 8] |= (uint8_t)(1 << at % 8);
        if (at >= of->size - of->others) others[used++] = row[at];
    }
    return used;
}

/* Packs the rows of all players of all games, or of the players to move, with zeros where a game is over. The rows of
players who do not remember are brought up to date first. Returns how many numbers were written to `others`. */
static int64_t games_pack(const NativeGames *games, int everyone, uint8_t *bits, float *others) {
    const NativeColumns *of = &games->columns;
    int64_t bytes = (of->size + 7) / 8, used = 0;
    for (int64_t game = 0; game < games->count; game++) {
        for (int player = 0; player < NUM_PLAYERS; player++) {
            if (!everyone && player != games->players[game]) continue;
            if (!of->remembers) games_see(games, game, player);
            used += games_pack_row(of, games_row(games, game, player), bits, others + used);
            bits += bytes;
        }
        if (everyone || games->players[game] >= 0) continue;
        memset(bits, 0, (size_t)bytes);
        bits += bytes;
    }
    return used;
}

/* Writes how many actions are legal in each game, and their numbers one game after the other, as far as there is
room for them; returns how many numbers that takes. */
static int64_t games_legal(const NativeGames *games, int32_t *counts, int32_t *actions, int64_t room) {
    int legal[CORE_ACTIONS];
    int64_t used = 0;
    for (int64_t game = 0; game < games->count; game++) {
        int player = games->players[game];
        counts[game] = player == TERMINAL_PLAYER ? 0 : core_legal(&games->states[game], player, legal);
        for (int at = 0; at < counts[game]; at++, used++)
            if (used < room) actions[used] = legal[at];
    }
    return used;
}
