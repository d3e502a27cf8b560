enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 4,
    MAX_CHANCE_OUTCOMES = 4,
    MAX_GAME_LENGTH = 12
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

/* Phases of the game: the number t of actions so far decides. */
enum { DRAW_BY_0 = 0, DRAW_BY_1 = 1, LEAD = 2, FOLLOW = 3, OVER = 4 };
enum { LAST_STEP = 27, NOT_LED = 4, ALL_CARDS = 2340 };

/* Ranks are 0..3, from the highest (A) to the lowest (J).
   A hand has 2 bits per rank, the cards not drawn yet have 3 bits per rank. */
typedef struct {
    uint32_t drawn[2];   /* 8 bits: first hand (0 until complete), then 2 bits for each later draw */
    uint32_t battles;    /* 4 bits each, the oldest in the lowest bits: card of 0 times 4 + card of 1 */
    uint16_t pile;       /* cards not drawn yet */
    uint8_t hand[2];
    uint8_t taken[2];
    uint8_t t;
    uint8_t leader;
    uint8_t led;         /* NOT_LED without one */
    int8_t turn;         /* who acts */
} State;

typedef struct {
    uint64_t bits;
} Information;

static const char LETTERS[4] = {'A', 'K', 'Q', 'J'};

static const uint8_t PHASE[29] = {
    0, 0, 0, 1, 1, 1,
    2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3,
    4
};

static const uint8_t PILES[29][2] = {
    {8, 8}, {7, 8}, {6, 8}, {5, 8}, {5, 7}, {5, 6},
    {5, 5}, {5, 5}, {5, 5}, {4, 5},
    {4, 4}, {4, 4}, {4, 4}, {3, 4},
    {3, 3}, {3, 3}, {3, 3}, {2, 3},
    {2, 2}, {2, 2}, {2, 2}, {1, 2},
    {1, 1}, {1, 1}, {1, 1}, {0, 1},
    {0, 0}, {0, 0}, {0, 0}
};

/* From this t on a player knows the own hand. */
static const uint8_t KNOWN_FROM[2] = {3, 6};

static const double INVERSE[17] = {
    0.0, 1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0, 1.0 / 8.0,
    1.0 / 9.0, 1.0 / 10.0, 1.0 / 11.0, 1.0 / 12.0, 1.0 / 13.0, 1.0 / 14.0, 1.0 / 15.0, 1.0 / 16.0
};

/* A rest is the two cards that a player has left after playing one; there are 10 of them:
   AA AK AQ AJ KK KQ KJ QQ QJ JJ. */
static const uint8_t PAIR[4][4] = {
    {0, 1, 2, 3},
    {1, 4, 5, 6},
    {2, 5, 7, 8},
    {3, 6, 8, 9}
};

static const uint8_t REST_CODE[10] = {2, 5, 17, 65, 8, 20, 68, 32, 80, 128};

static const int8_t REST_COUNT[10][4] = {
    {2, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}, {0, 2, 0, 0},
    {0, 1, 1, 0}, {0, 1, 0, 1}, {0, 0, 2, 0}, {0, 0, 1, 1}, {0, 0, 0, 2}
};

/* OTHER[p][g]: the other card of the rest g beside p, 4 if p is not in g. */
static const uint8_t OTHER[4][10] = {
    {0, 1, 2, 3, 4, 4, 4, 4, 4, 4},
    {4, 0, 4, 4, 1, 2, 3, 4, 4, 4},
    {4, 4, 0, 4, 4, 1, 4, 2, 3, 4},
    {4, 4, 4, 0, 4, 4, 1, 4, 2, 3}
};

/* SHARE[r][g]: 6 / number of legal actions with the rest g and the card r in hand. */
static const double SHARE[4][10] = {
    {6.0, 3.0, 3.0, 3.0, 3.0, 2.0, 2.0, 3.0, 2.0, 3.0},
    {3.0, 3.0, 2.0, 2.0, 6.0, 3.0, 3.0, 3.0, 2.0, 3.0},
    {3.0, 2.0, 3.0, 2.0, 3.0, 3.0, 2.0, 6.0, 3.0, 3.0},
    {3.0, 2.0, 2.0, 3.0, 3.0, 2.0, 3.0, 3.0, 3.0, 6.0}
};

static const double CHOOSE[5][4] = {
    {1.0, 0.0, 0.0, 0.0},
    {1.0, 1.0, 0.0, 0.0},
    {1.0, 2.0, 1.0, 0.0},
    {1.0, 3.0, 3.0, 1.0},
    {1.0, 4.0, 6.0, 4.0}
};

void initial_state(State *state)
{
    state->drawn[0] = 0;
    state->drawn[1] = 0;
    state->battles = 0;
    state->pile = ALL_CARDS;
    state->hand[0] = 0;
    state->hand[1] = 0;
    state->taken[0] = 0;
    state->taken[1] = 0;
    state->t = 0;
    state->leader = 0;
    state->led = NOT_LED;
    state->turn = CHANCE_PLAYER;
}

int current_player(const State *state)
{
    return state->turn;
}

int legal_actions(const State *state, int *actions)
{
    unsigned hand = state->hand[state->turn];
    int n = 0;
    /* before the entry for rank r is written, n is at most r */
    actions[0] = 0;
    n += (hand & 3u) != 0;
    actions[n] = 1;
    n += (hand & 12u) != 0;
    actions[n] = 2;
    n += (hand & 48u) != 0;
    actions[n] = 3;
    n += (hand & 192u) != 0;
    return n;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities)
{
    unsigned pile = state->pile;
    int a = (int)(pile & 7u);
    int b = (int)((pile >> 3) & 7u);
    int c = (int)((pile >> 6) & 7u);
    int d = (int)((pile >> 9) & 7u);
    double inverse = INVERSE[a + b + c + d];
    int n = 0;
    /* before the entry for rank r is written, n is at most r */
    outcomes[0] = 0;
    probabilities[0] = a * inverse;
    n += a != 0;
    outcomes[n] = 1;
    probabilities[n] = b * inverse;
    n += b != 0;
    outcomes[n] = 2;
    probabilities[n] = c * inverse;
    n += c != 0;
    if (d != 0) {
        outcomes[n] = 3;
        probabilities[n] = d * inverse;
        n++;
    }
    return n;
}

void apply_action(State *state, int action)
{
    int t = state->t;
    int phase = PHASE[t];
    if (phase == OVER) {
        return;
    }
    state->t = (uint8_t)(t + 1);
    if (phase == LEAD) {
        int leader = state->leader;
        state->hand[leader] = (uint8_t)(state->hand[leader] - (1 << (2 * action)));
        state->led = (uint8_t)action;
        state->turn = (int8_t)(1 - leader);
    } else if (phase == FOLLOW) {
        int leader = state->leader;
        int follower = 1 - leader;
        int led = state->led;
        int c0 = leader ? action : led;
        int c1 = leader ? led : action;
        int win0 = c0 < c1;
        int win1 = c1 < c0;
        state->hand[follower] = (uint8_t)(state->hand[follower] - (1 << (2 * action)));
        state->battles |= (uint32_t)(c0 * 4 + c1) << (t - 7);
        state->taken[0] = (uint8_t)(state->taken[0] + 2 * win0);
        state->taken[1] = (uint8_t)(state->taken[1] + 2 * win1);
        state->leader = (uint8_t)((leader | win1) & (win0 ^ 1));
        state->led = NOT_LED;
        state->turn = (int8_t)(t == LAST_STEP ? TERMINAL_PLAYER : CHANCE_PLAYER);
    } else {
        state->hand[phase] = (uint8_t)(state->hand[phase] + (1 << (2 * action)));
        state->pile = (uint16_t)(state->pile - (1 << (3 * action)));
        if (t > 5) {
            state->drawn[phase] |= (uint32_t)action << (8 + 2 * ((t - 8) >> 2));
        } else if (t == 2 || t == 5) {
            state->drawn[phase] = state->hand[phase];
        }
        if (phase == DRAW_BY_1 && t >= 5) {
            state->turn = (int8_t)state->leader;
        }
    }
}

void returns(const State *state, double *amounts)
{
    int result = 0;
    if (state->turn == TERMINAL_PLAYER) {
        int a = state->taken[0];
        int b = state->taken[1];
        result = (a > b) - (a < b);
    }
    amounts[0] = (double)result;
    amounts[1] = (double)(-result);
}

void action_name(const State *state, int action, Text *text)
{
    put(text, state->turn == CHANCE_PLAYER ? "draw " : "play ");
    put_char(text, LETTERS[action]);
}

static void letter(Text *text, int rank)
{
    put_char(text, '"');
    put_char(text, LETTERS[rank]);
    put_char(text, '"');
}

void observation(const State *state, int player, Text *text)
{
    int t = state->t;
    int battles = t < 8 ? 0 : (t - 4) >> 2;
    put(text, "{\"hand\": [");
    if (t >= KNOWN_FROM[player]) {
        unsigned hand = state->hand[player];
        int written = 0;
        for (int r = 0; r < 4; r++) {
            int count = (int)((hand >> (2 * r)) & 3u);
            for (int i = 0; i < count; i++) {
                if (written) {
                    put(text, ", ");
                }
                letter(text, r);
                written = 1;
            }
        }
    }
    put(text, "], \"piles\": [");
    put_int(text, PILES[t][0]);
    put(text, ", ");
    put_int(text, PILES[t][1]);
    put(text, "], \"leader\": ");
    put_int(text, state->leader);
    put(text, ", \"led\": ");
    if (state->led == NOT_LED) {
        put(text, "null");
    } else {
        letter(text, state->led);
    }
    put(text, ", \"battles\": [");
    for (int i = 0; i < battles; i++) {
        unsigned pair = (state->battles >> (4 * i)) & 15u;
        if (i > 0) {
            put(text, ", ");
        }
        put(text, "[");
        letter(text, (int)(pair >> 2));
        put(text, ", ");
        letter(text, (int)(pair & 3u));
        put(text, "]");
    }
    put(text, "], \"taken\": [");
    put_int(text, state->taken[0]);
    put(text, ", ");
    put_int(text, state->taken[1]);
    put(text, "]}");
}

void information_state(const State *state, int player, Information *information)
{
    information->bits = (uint64_t)state->battles
                      | ((uint64_t)state->drawn[player] << 24)
                      | ((uint64_t)state->t << 42)
                      | ((uint64_t)state->led << 47)
                      | ((uint64_t)player << 50);
}

/* From 2 bits per rank to 3 bits per rank. */
static unsigned spread(unsigned hand)
{
    return (hand & 3u) | ((hand & 12u) << 1) | ((hand & 48u) << 2) | ((hand & 192u) << 3);
}

/* One of the cards, which have 3 bits per rank; there is at least one. */
static int draw_card(unsigned cards, Random *random)
{
    int total = (int)((cards & 7u) + ((cards >> 3) & 7u) + ((cards >> 6) & 7u) + ((cards >> 9) & 7u));
    int x = random_below(random, total);
    for (int r = 0; r < 3; r++) {
        int count = (int)((cards >> (3 * r)) & 7u);
        if (x < count) {
            return r;
        }
        x -= count;
    }
    return 3;
}

void resample(State *state, int player, Random *random)
{
    if (state->turn != player) {
        return;
    }
    int opponent = 1 - player;
    int rounds = (state->t - 6) >> 2;    /* 0..5 battles over, as many later draws of each player */
    unsigned own = state->drawn[player];
    unsigned cards = (unsigned)ALL_CARDS - spread(own & 255u);
    for (int j = 0; j < rounds; j++) {
        cards -= 1u << (3u * ((own >> (8 + 2 * j)) & 3u));
    }

    if (rounds == 0 && state->led == NOT_LED) {
        unsigned hand = 0;
        for (int j = 0; j < 3; j++) {
            int r = draw_card(cards, random);
            cards -= 1u << (3 * r);
            hand += 1u << (2 * r);
        }
        state->hand[opponent] = (uint8_t)hand;
        state->drawn[opponent] = hand;
        state->pile = (uint16_t)cards;
        return;
    }

    /* what the opponent played: at most 6 cards */
    int plays[6];
    int count = rounds;
    int shift = opponent == 0 ? 2 : 0;
    for (int j = 0; j < rounds; j++) {
        plays[j] = (int)((state->battles >> (4 * j + shift)) & 3u);
    }
    if (state->led != NOT_LED) {
        plays[count] = state->led;
        count++;
    }

    /* bases[i]: cards neither drawn by the player nor among the first i that the opponent played */
    unsigned bases[7];
    bases[0] = cards;
    for (int j = 0; j < count; j++) {
        bases[j + 1] = bases[j] - (1u << (3 * plays[j]));
    }

    /* after[i][g]: weight of all that follows if the opponent has the rest g after i plays */
    double after[7][10];
    for (int g = 0; g < 10; g++) {
        after[count][g] = 1.0;
    }
    for (int i = count - 1; i >= 1; i--) {
        int p = plays[i];
        int left[4];
        for (int r = 0; r < 4; r++) {
            left[r] = (int)((bases[i] >> (3 * r)) & 7u);
        }
        double same = (double)left[p];
        for (int g = 0; g < 10; g++) {
            after[i][g] = same * SHARE[p][g] * after[i + 1][g];
        }
        for (int q = 0; q < 4; q++) {
            int g = PAIR[p][q];
            double sum = 0.0;
            for (int r = 0; r < 4; r++) {
                int a = left[r] - REST_COUNT[g][r];
                a = a > 0 ? a : 0;
                sum += (double)a * SHARE[r][g] * after[i + 1][PAIR[q][r]];
            }
            after[i][g] = sum;
        }
    }

    /* the first hand */
    int first = plays[0];
    double ways[4][3];
    for (int r = 0; r < 4; r++) {
        int available = (int)((bases[0] >> (3 * r)) & 7u);
        int extra = r == first;
        for (int n = 0; n < 3; n++) {
            ways[r][n] = CHOOSE[available][n + extra];
        }
    }
    double weights[10];
    double total = 0.0;
    for (int g = 0; g < 10; g++) {
        weights[g] = SHARE[first][g] * after[1][g]
                   * ways[0][REST_COUNT[g][0]] * ways[1][REST_COUNT[g][1]]
                   * ways[2][REST_COUNT[g][2]] * ways[3][REST_COUNT[g][3]];
        total += weights[g];
    }
    double x = random_number(random) * total;
    int rest = 0;
    for (int g = 0; g < 10; g++) {
        if (weights[g] > 0.0) {
            rest = g;
            x -= weights[g];
            if (x < 0.0) {
                break;
            }
        }
    }
    unsigned drawn = (unsigned)REST_CODE[rest] + (1u << (2 * first));

    /* the later draws */
    for (int i = 1; i < count; i++) {
        int p = plays[i];
        int q = OTHER[p][rest];
        int chosen = p;
        if (q < 4) {
            x = random_number(random) * after[i][rest];
            for (int r = 0; r < 4; r++) {
                int a = (int)((bases[i] >> (3 * r)) & 7u) - REST_COUNT[rest][r];
                if (a > 0) {
                    double weight = (double)a * SHARE[r][rest] * after[i + 1][PAIR[q][r]];
                    if (weight > 0.0) {
                        chosen = r;
                        x -= weight;
                        if (x < 0.0) {
                            break;
                        }
                    }
                }
            }
            rest = PAIR[q][chosen];
        }
        drawn |= (unsigned)chosen << (8 + 2 * (i - 1));
    }

    unsigned hand = REST_CODE[rest];
    if (rounds >= count) {
        int r = draw_card(bases[count] - spread(hand), random);
        hand += 1u << (2 * r);
        drawn |= (unsigned)r << (8 + 2 * (count - 1));
    }
    state->hand[opponent] = (uint8_t)hand;
    state->drawn[opponent] = drawn;
    state->pile = (uint16_t)(bases[count] - spread(hand));
}
