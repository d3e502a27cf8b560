enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 1352,
    MAX_CHANCE_OUTCOMES = 30,
    MAX_GAME_LENGTH = 1000
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

#define BAR_BIT 0x2000000u
#define BOARD_BITS 0x3FFFFFFu

enum {
    BAR = 25,
    SECOND_BLOCK = 676, /* codes from here on play the higher die first */
    MAX_TURNS = 500
};

typedef struct {
    uint32_t occupied[2];     /* points 1 .. 25 with checkers, in own numbering */
    uint32_t made[2];         /* points with two or more, in the opponent's numbering */
    uint8_t checkers[2][26];  /* in own numbering: 0 off, 25 bar */
    uint16_t turns;           /* turns begun */
    int8_t turn;              /* player to act, CHANCE_PLAYER or TERMINAL_PLAYER */
    int8_t who;               /* whose turn it is; -1 at the opening throw */
    uint8_t lo;
    uint8_t hi;
    uint8_t second;           /* second play of a double */
} State;

static const uint8_t ROLL_LO[21] = {
    1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 1, 2, 3, 4, 5, 6
};
static const uint8_t ROLL_HI[21] = {
    2, 3, 4, 5, 6, 3, 4, 5, 6, 4, 5, 6, 5, 6, 6, 1, 2, 3, 4, 5, 6
};

void initial_state(State *state)
{
    memset(state, 0, sizeof *state);
    for (int p = 0; p < 2; p++) {
        state->checkers[p][24] = 2;
        state->checkers[p][13] = 5;
        state->checkers[p][8] = 3;
        state->checkers[p][6] = 5;
        state->occupied[p] = 16785728u;
        state->made[p] = 659458u;
    }
    state->turn = CHANCE_PLAYER;
    state->who = -1;
}

int current_player(const State *state)
{
    return state->turn;
}

/* The points from which die d can move a checker; ok: starts on the board whose end is open. */
static inline uint32_t sources(uint32_t occ, uint32_t ok, int d)
{
    if (occ >= BAR_BIT)
        return ok & BAR_BIT;
    if (occ < 128u) {
        uint32_t bear;
        if (occ >> (d + 1))
            bear = occ & (1u << d);
        else if (occ)
            bear = 1u << (31 - __builtin_clz(occ));
        else
            bear = 0u;
        return (occ & ok) | bear;
    }
    return occ & ok;
}

/* The occupied points after die d has moved a checker from s. */
static inline uint32_t moved(const uint8_t *own, uint32_t occ, int s, int d)
{
    uint32_t o = own[s] > 1 ? occ : occ ^ (1u << s);
    if (s > d)
        o |= 1u << (s - d);
    return o;
}

static inline uint32_t up_to(int s)
{
    return (2u << s) - 1u;
}

static inline uint32_t below(int s)
{
    return (1u << s) - 1u;
}

static inline int emit(int *actions, int number, int base, uint32_t mask)
{
    while (mask) {
        actions[number++] = base + __builtin_ctz(mask);
        mask &= mask - 1u;
    }
    return number;
}

/* One move only, each followed by "nothing". */
static inline int emit_single(int *actions, int base, uint32_t mask)
{
    int number = 0;
    while (mask) {
        actions[number++] = base + 26 * __builtin_ctz(mask);
        mask &= mask - 1u;
    }
    return number;
}

/* Two different dice where bearing off can play a part (nothing on the bar). */
static int bearing_actions(const uint8_t *own, uint32_t occ, uint32_t okl, uint32_t okh,
                           uint32_t srl, uint32_t srh, int lo, int hi, int *actions)
{
    uint32_t row_a[26];
    uint32_t row_b[26];
    uint32_t rows_a = 0u, rows_b = 0u;
    int number = 0;

    memset(row_a, 0, sizeof row_a);
    memset(row_b, 0, sizeof row_b);

    for (uint32_t rest = srl; rest; rest &= rest - 1u) {
        int s = __builtin_ctz(rest);
        uint32_t next = sources(moved(own, occ, s, lo), okh, hi);
        uint32_t low = next & up_to(s);
        uint32_t high = next & ~up_to(s);
        if (low) {
            row_a[s] |= low;
            rows_a |= 1u << s;
        }
        for (; high; high &= high - 1u) {
            int u = __builtin_ctz(high);
            if (u <= lo) {
                row_a[u] |= 1u << s;
                rows_a |= 1u << u;
            } else {
                row_b[u] |= 1u << s;
                rows_b |= 1u << u;
            }
        }
    }

    for (uint32_t rest = srh; rest; rest &= rest - 1u) {
        int s = __builtin_ctz(rest);
        uint32_t o = moved(own, occ, s, hi);
        uint32_t next;
        uint32_t low, high;
        if (o >= 128u) {
            /* only the same checker moving on; here s > hi */
            next = s > hi ? okl & (1u << (s - hi)) : 0u;
        } else {
            next = sources(o, okl, lo);
        }
        low = next & below(s);
        high = next & ~below(s);
        if (low) {
            if (s <= lo) {
                row_a[s] |= low;
                rows_a |= 1u << s;
            } else {
                row_b[s] |= low;
                rows_b |= 1u << s;
            }
        }
        for (; high; high &= high - 1u) {
            int u = __builtin_ctz(high);
            row_a[u] |= 1u << s;
            rows_a |= 1u << u;
        }
    }

    for (; rows_a; rows_a &= rows_a - 1u) {
        int s = __builtin_ctz(rows_a);
        number = emit(actions, number, 26 * s, row_a[s]);
    }
    for (; rows_b; rows_b &= rows_b - 1u) {
        int s = __builtin_ctz(rows_b);
        number = emit(actions, number, SECOND_BLOCK + 26 * s, row_b[s]);
    }
    return number;
}

int legal_actions(const State *state, int *actions)
{
    int player = state->turn;
    const uint8_t *own = state->checkers[player];
    uint32_t occ = state->occupied[player];
    uint32_t blocked = state->made[1 - player];
    int lo = state->lo;
    int hi = state->hi;
    uint32_t okl = BOARD_BITS & ~up_to(lo) & ~(blocked << lo);
    uint32_t srl = sources(occ, okl, lo);
    uint32_t okh, srh, outside;
    int number = 0;

    if (lo == hi) {
        if (!srl) {
            actions[0] = 0;
            return 1;
        }
        for (uint32_t rest = srl; rest; rest &= rest - 1u) {
            int s = __builtin_ctz(rest);
            uint32_t next = sources(moved(own, occ, s, lo), okl, lo) & up_to(s);
            number = emit(actions, number, 26 * s, next);
        }
        if (number)
            return number;
        return emit_single(actions, 0, srl);
    }

    okh = BOARD_BITS & ~up_to(hi) & ~(blocked << hi);
    srh = sources(occ, okh, hi);
    outside = occ >> 7;

    if (occ >= BAR_BIT) {
        uint32_t row_a = 0u, row_b = 0u;
        if (srl)
            row_a = sources(moved(own, occ, BAR, lo), okh, hi);
        if (srh) {
            uint32_t next = sources(moved(own, occ, BAR, hi), okl, lo);
            row_a |= next & BAR_BIT;
            row_b = next & ~BAR_BIT;
        }
        number = emit(actions, 0, 26 * BAR, row_a);
        number = emit(actions, number, SECOND_BLOCK + 26 * BAR, row_b);
    } else if (outside && ((outside & (outside - 1u)) || own[31 - __builtin_clz(occ)] > 1)) {
        /* a checker stays outside whatever moves first: no bearing off */
        for (uint32_t rest = srl; rest; rest &= rest - 1u) {
            int s = __builtin_ctz(rest);
            uint32_t next = moved(own, occ, s, lo) & okh & up_to(s);
            number = emit(actions, number, 26 * s, next);
        }
        for (uint32_t rest = srh; rest; rest &= rest - 1u) {
            int s = __builtin_ctz(rest);
            uint32_t next = (srl & below(s)) | (okl & (1u << (s - hi)));
            number = emit(actions, number, SECOND_BLOCK + 26 * s, next);
        }
    } else {
        number = bearing_actions(own, occ, okl, okh, srl, srh, lo, hi, actions);
    }

    if (number)
        return number;
    if (srh)
        return emit_single(actions, SECOND_BLOCK, srh);
    if (srl)
        return emit_single(actions, 0, srl);
    actions[0] = 0;
    return 1;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities)
{
    if (state->who < 0) {
        for (int i = 0; i < 30; i++) {
            outcomes[i] = i;
            probabilities[i] = 1.0 / 30.0;
        }
        return 30;
    }
    for (int i = 0; i < 21; i++)
        outcomes[i] = i;
    for (int i = 0; i < 15; i++)
        probabilities[i] = 1.0 / 18.0;
    for (int i = 15; i < 21; i++)
        probabilities[i] = 1.0 / 36.0;
    return 21;
}

void apply_action(State *state, int action)
{
    int player = state->turn;

    if (player < 0) {
        int roll = action;
        if (state->who < 0) {
            roll = action >> 1;
            state->who = (int8_t)(action & 1);
        }
        state->turns = (uint16_t)(state->turns + 1);
        state->lo = ROLL_LO[roll];
        state->hi = ROLL_HI[roll];
        state->second = 0;
        state->turn = state->who;
        return;
    }

    uint8_t *own = state->checkers[player];
    uint8_t *theirs = state->checkers[1 - player];
    uint32_t occ = state->occupied[player];
    uint32_t other = state->occupied[1 - player];
    uint32_t made = state->made[player];
    int code = action;
    int first_die = state->lo;
    int next_die = state->hi;
    int first, next;
    bool over;

    if (code >= SECOND_BLOCK) {
        code -= SECOND_BLOCK;
        first_die = state->hi;
        next_die = state->lo;
    }
    first = code / 26;
    next = code - 26 * first;

    for (int i = 0; i < 2; i++) {
        int s = i ? next : first;
        int d = i ? next_die : first_die;
        int e, n;
        if (!s)
            break;
        n = own[s] - 1;
        own[s] = (uint8_t)n;
        if (n == 0)
            occ ^= 1u << s;
        else if (n == 1)
            made &= ~(1u << (25 - s));
        e = s - d;
        if (e > 0) {
            n = own[e] + 1;
            own[e] = (uint8_t)n;
            if (n == 1) {
                int r = 25 - e;
                occ |= 1u << e;
                if (other & (1u << r)) {
                    theirs[BAR] = (uint8_t)(theirs[BAR] + 1);
                    theirs[r] = (uint8_t)(theirs[r] - 1);
                    other = (other ^ (1u << r)) | BAR_BIT;
                }
            } else if (n == 2) {
                made |= 1u << (25 - e);
            }
        } else {
            own[0] = (uint8_t)(own[0] + 1);
        }
    }

    state->occupied[player] = occ;
    state->occupied[1 - player] = other;
    state->made[player] = made;

    over = occ == 0u || state->turns > MAX_TURNS;
    if (next && state->lo == state->hi && !state->second) {
        state->turn = (int8_t)(over ? TERMINAL_PLAYER : player);
        state->second = 1;
        state->who = (int8_t)player;
    } else {
        state->turn = (int8_t)(over ? TERMINAL_PLAYER : CHANCE_PLAYER);
        state->second = 0;
        state->lo = 0;
        state->hi = 0;
        state->who = (int8_t)(1 - player);
    }
}

void returns(const State *state, double *amounts)
{
    amounts[0] = 0.0;
    amounts[1] = 0.0;
    if (state->turn == TERMINAL_PLAYER) {
        if (state->occupied[0] == 0u) {
            amounts[0] = 1.0;
            amounts[1] = -1.0;
        } else if (state->occupied[1] == 0u) {
            amounts[0] = -1.0;
            amounts[1] = 1.0;
        }
    }
}

static void put_roll(Text *text, int roll)
{
    put_int(text, ROLL_HI[roll]);
    put_char(text, '-');
    put_int(text, ROLL_LO[roll]);
}

static void put_move(Text *text, int d, int s)
{
    if (s == BAR)
        put(text, "Bar");
    else
        put_int(text, s);
    put_char(text, '/');
    if (s - d > 0)
        put_int(text, s - d);
    else
        put(text, "Off");
}

void action_name(const State *state, int action, Text *text)
{
    int code = action;
    int first_die = state->lo;
    int next_die = state->hi;
    int first, next;

    if (state->turn < 0) {
        if (state->who < 0) {
            put(text, (action & 1) ? "o starts " : "x starts ");
            put_roll(text, action >> 1);
        } else {
            put_roll(text, action);
        }
        return;
    }
    if (code >= SECOND_BLOCK) {
        code -= SECOND_BLOCK;
        first_die = state->hi;
        next_die = state->lo;
    }
    first = code / 26;
    next = code % 26;
    if (!first) {
        put(text, "Pass");
        return;
    }
    put_move(text, first_die, first);
    put_char(text, ' ');
    if (!next)
        put(text, "Pass");
    else
        put_move(text, next_die, next);
}

void observation(const State *state, int player, Text *text)
{
    (void)player;
    put(text, "{\"points\":[");
    for (int i = 0; i < 24; i++) {
        if (i)
            put_char(text, ',');
        put_int(text, (int)state->checkers[0][24 - i] - (int)state->checkers[1][i + 1]);
    }
    put(text, "],\"bar\":{\"x\":");
    put_int(text, state->checkers[0][BAR]);
    put(text, ",\"o\":");
    put_int(text, state->checkers[1][BAR]);
    put(text, "},\"off\":{\"x\":");
    put_int(text, state->checkers[0][0]);
    put(text, ",\"o\":");
    put_int(text, state->checkers[1][0]);
    put(text, "},\"dice\":[");
    if (state->lo) {
        put_int(text, state->lo);
        put_char(text, ',');
        put_int(text, state->hi);
    }
    put(text, "],\"second_half_of_double\":");
    put(text, state->second ? "true" : "false");
    put_char(text, '}');
}
