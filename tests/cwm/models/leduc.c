/* Leduc poker for two players: cards 0 and 1 are jacks, 2 and 3 queens, 4 and 5 kings. */

enum { NUM_PLAYERS = 2, NUM_DISTINCT_ACTIONS = 3, MAX_CHANCE_OUTCOMES = 6, MAX_GAME_LENGTH = 8 };
#define MIN_UTILITY -13.0
#define MAX_UTILITY 13.0

enum { FOLD, CALL, RAISE };
enum { NO_CARD = -1, NOBODY = -1, MOST_BETS = 4 };

typedef struct {
    int8_t cards[2], public_card; /* NO_CARD where not dealt yet */
    int8_t round;                 /* of betting, 0 or 1 */
    int8_t actor;                 /* of the players, whose turn it is when nobody deals */
    int8_t calls, raises;         /* of this round, the calls since the last raise */
    int8_t folded;                /* who has, or NOBODY */
    int8_t is_closed;             /* no bets are left in this round */
    int8_t counts[2];             /* how many bets each round had */
    int8_t bets[2][MOST_BETS];
    int8_t chips[2];              /* of each player in the pot */
} State;

typedef struct {
    int8_t card, public_card, round, counts[2], bets[2][MOST_BETS];
} Information;

static const char *const NAMES[] = {"fold", "call", "raise"};
static const char *const CARDS[] = {"Js", "Jh", "Qs", "Qh", "Ks", "Kh"};

void initial_state(State *state) {
    state->cards[0] = state->cards[1] = state->public_card = NO_CARD;
    state->chips[0] = state->chips[1] = 1;
    state->folded = NOBODY;
}

int current_player(const State *state) {
    if (state->cards[1] == NO_CARD) return CHANCE_PLAYER;
    if (state->folded != NOBODY) return TERMINAL_PLAYER;
    if (!state->is_closed) return state->actor;
    return state->round == 0 ? CHANCE_PLAYER : TERMINAL_PLAYER;
}

int legal_actions(const State *state, int *actions) {
    int count = 0;
    if (state->chips[state->actor] < state->chips[1 - state->actor]) actions[count++] = FOLD;
    actions[count++] = CALL;
    if (state->raises < 2) actions[count++] = RAISE;
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    int count = 0;
    for (int card = 0; card < 6; card++)
        if (card != state->cards[0] && card != state->cards[1]) outcomes[count++] = card;
    for (int at = 0; at < count; at++) probabilities[at] = 1.0 / count;
    return count;
}

static void deal(State *state, int card) {
    if (state->cards[0] == NO_CARD) {
        state->cards[0] = (int8_t)card;
    } else if (state->cards[1] == NO_CARD) {
        state->cards[1] = (int8_t)card;
    } else {
        state->public_card = (int8_t)card;
        state->round = 1;
        state->actor = state->calls = state->raises = state->is_closed = 0;
    }
}

void apply_action(State *state, int action) {
    int player = state->actor, other = 1 - player;
    if (current_player(state) == CHANCE_PLAYER) {
        deal(state, action);
        return;
    }
    state->bets[state->round][state->counts[state->round]++] = (int8_t)action;
    state->actor = (int8_t)other;
    if (action == FOLD) {
        state->folded = (int8_t)player;
    } else if (action == CALL) {
        if (state->chips[player] < state->chips[other]) state->chips[player] = state->chips[other];
        state->calls++;
    } else {
        int most = state->chips[player] > state->chips[other] ? state->chips[player] : state->chips[other];
        state->chips[player] = (int8_t)(most + (state->round ? 4 : 2));
        state->raises++;
        state->calls = 0;
    }
    state->is_closed = state->calls == (state->raises ? 1 : 2);
}

static int hand(const State *state, int player) {
    int rank = state->cards[player] / 2;
    return rank == state->public_card / 2 ? 10 : rank;
}

void returns(const State *state, double *amounts) {
    int loser = state->folded;
    amounts[0] = amounts[1] = 0.0;
    if (current_player(state) != TERMINAL_PLAYER) return;
    if (loser == NOBODY) {
        if (hand(state, 0) == hand(state, 1)) return;
        loser = hand(state, 0) > hand(state, 1);
    }
    amounts[loser] = -state->chips[loser];
    amounts[1 - loser] = state->chips[loser];
}

void action_name(const State *state, int action, Text *text) {
    if (current_player(state) == CHANCE_PLAYER) {
        put(text, "deal ");
        put(text, CARDS[action]);
    } else {
        put(text, NAMES[action]);
    }
}

static void put_card(Text *text, int card) {
    if (card == NO_CARD)
        put(text, "null");
    else
        put_quoted(text, CARDS[card]);
}

void observation(const State *state, int player, Text *text) {
    put(text, "{\"card\": ");
    put_card(text, state->cards[player]);
    put(text, ", \"public_card\": ");
    put_card(text, state->public_card);
    put(text, ", \"round\": ");
    put_int(text, state->round || (state->is_closed && state->folded == NOBODY) ? 2 : 1);
    put(text, ", \"bets\": [");
    for (int round = 0; round < 2; round++) {
        put(text, round ? "], [" : "[");
        for (int at = 0; at < state->counts[round]; at++) {
            if (at) put(text, ", ");
            put_quoted(text, NAMES[state->bets[round][at]]);
        }
    }
    put(text, "]], \"chips\": [");
    put_int(text, state->chips[0]);
    put(text, ", ");
    put_int(text, state->chips[1]);
    put(text, "]}");
}

void information_state(const State *state, int player, Information *information) {
    information->card = state->cards[player];
    information->public_card = state->public_card;
    information->round = (int8_t)((state->cards[1] != NO_CARD) + (state->cards[0] != NO_CARD) + state->round);
    memcpy(information->counts, state->counts, sizeof state->counts);
    memcpy(information->bets, state->bets, sizeof state->bets);
}

void resample(State *state, int player, Random *random) {
    int unseen[6], count = 0;
    if (state->cards[1 - player] == NO_CARD) return;
    for (int card = 0; card < 6; card++)
        if (card != state->cards[player] && card != state->public_card) unseen[count++] = card;
    state->cards[1 - player] = (int8_t)unseen[random_below(random, count)];
}
