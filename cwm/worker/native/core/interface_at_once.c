/* What is called from outside where players choose at once; see interface.c. */

/* An action of the player who searched, and its probability. */
typedef struct {
    int64_t action;
    double probability;
} NativeShare;

/* Into NUM_DISTINCT_ACTIONS. */
CORE_EXPORT int32_t native_player_legal_actions(const State *state, int32_t player, int32_t *actions, int32_t *count) {
    CORE_GUARDED
    int room[CORE_ACTIONS];
    *count = core_legal_at_once(state, player, room);
    memcpy(actions, room, (size_t)*count * sizeof *room);
    return CORE_FINE;
}

CORE_EXPORT int32_t native_apply_actions(State *state, const int32_t *actions) {
    CORE_GUARDED
    int room[CORE_ACTIONS], chosen[NUM_PLAYERS], player = core_player(state);
    if (!core_is_at_once(player)) core_fail(CORE_NOT_POSSIBLE, actions[0]);
    for (player = 0; player < NUM_PLAYERS; player++) {
        int count = core_legal_at_once(state, player, room), at = 0;
        while (at < count && room[at] != actions[player]) at++;
        if (count ? at == count : actions[player] != -1) core_fail(CORE_NOT_POSSIBLE, actions[player]);
        chosen[player] = actions[player];
    }
    apply_actions(state, chosen);
    return CORE_FINE;
}

/* As native_action_names. */
CORE_EXPORT int32_t native_player_action_names(const State *state, int32_t player, const int32_t *actions,
                                               int32_t count, Text *text, int64_t *ends) {
    CORE_GUARDED
    text->length = 0;
    for (int32_t at = 0; at < count; at++) {
        player_action_name(state, player, actions[at], text);
        ends[at] = text->length;
    }
    return CORE_FINE;
}

static SmctsSearch native_smcts_search;

/* Writes the player's strategy, and into `chosen` an action drawn from it. */
CORE_EXPORT int32_t native_smcts(const State *state, const SmctsOptions *options, void *memory, uint64_t bytes,
                                 NativeShare *shares, NativeFound *found, int64_t *chosen) {
    CORE_GUARDED
    SmctsSearch *search = &native_smcts_search;
    double mix[CORE_ACTIONS];
    int place;
    memset(search, 0, sizeof *search);
    search->options = *options;
    search->arena = (core_Arena){memory, bytes, 0};
    const SmctsSide *side = smcts_run(search, state, mix, &place);
    *found = (NativeFound){side->count, (int64_t)search->done, 0, (int64_t)search->arena.used};
    for (int at = 0; at < side->count; at++) shares[at] = (NativeShare){side->actions[at], mix[at]};
    *chosen = side->actions[place];
    return CORE_FINE;
}
