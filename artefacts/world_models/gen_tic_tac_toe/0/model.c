/* Four in a row on a 6 x 6 board. Cell 6 * row + column is a bit of the sets of stones. */

enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 36,
    MAX_CHANCE_OUTCOMES = 0,
    MAX_GAME_LENGTH = 36
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

#define FULL_BOARD 68719476735ULL
#define LEFT_HALF 7635497415ULL
#define RIGHT_HALF 61083979320ULL

typedef struct {
    uint64_t stones[2];   /* x, o */
    int8_t to_act;
    int8_t result;        /* 0 none, 1 x has won, 2 o has won */
} State;

void initial_state(State *state)
{
    state->stones[0] = 0;
    state->stones[1] = 0;
    state->to_act = 0;
    state->result = 0;
}

int current_player(const State *state)
{
    return state->to_act;
}

int legal_actions(const State *state, int *actions)
{
    uint64_t empty = FULL_BOARD & ~(state->stones[0] | state->stones[1]);
    int count = 0;
    while (empty) {
        actions[count++] = __builtin_ctzll(empty);
        empty &= empty - 1;
    }
    return count;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities)
{
    (void)state;
    (void)outcomes;
    (void)probabilities;
    return 0;
}

/* Is there a four? Lines to the right begin in the left half, those to the lower left in the right half. */
static inline bool has_four(uint64_t b)
{
    uint64_t row = b & (b >> 1);
    uint64_t column = b & (b >> 6);
    uint64_t falling = b & (b >> 7);
    uint64_t rising = b & (b >> 5);
    row &= row >> 2;
    column &= column >> 12;
    falling &= falling >> 14;
    rising &= rising >> 10;
    return (((row | falling) & LEFT_HALF) | (rising & RIGHT_HALF) | column) != 0;
}

void apply_action(State *state, int action)
{
    int player = state->to_act;
    uint64_t own = state->stones[player] | ((uint64_t)1 << action);
    state->stones[player] = own;
    if (has_four(own)) {
        state->to_act = TERMINAL_PLAYER;
        state->result = (int8_t)(player + 1);
    } else if ((own | state->stones[player ^ 1]) == FULL_BOARD) {
        state->to_act = TERMINAL_PLAYER;
    } else {
        state->to_act = (int8_t)(player ^ 1);
    }
}

void returns(const State *state, double *amounts)
{
    double first = 0.0;
    if (state->result != 0)
        first = state->result == 1 ? 1.0 : -1.0;
    amounts[0] = first;
    amounts[1] = 0.0 - first;
}

void action_name(const State *state, int action, Text *text)
{
    put_char(text, state->to_act == 1 ? 'o' : 'x');
    put_char(text, '(');
    put_int(text, action / 6);
    put_char(text, ',');
    put_int(text, action % 6);
    put_char(text, ')');
}

void observation(const State *state, int player, Text *text)
{
    int row, column;
    (void)player;
    put(text, "{\"board\": [");
    for (row = 0; row < 6; row++) {
        put(text, row ? ", \"" : "\"");
        for (column = 0; column < 6; column++) {
            int cell = 6 * row + column;
            char mark = '.';
            if ((state->stones[0] >> cell) & 1u)
                mark = 'x';
            else if ((state->stones[1] >> cell) & 1u)
                mark = 'o';
            put_char(text, mark);
        }
        put_char(text, '"');
    }
    put(text, "]}");
}

/* ---------------------------------------------------------------- the value function

   From here on a row takes 7 bits, of which the last is always 0: cell 7 * row + column. */

#define PADDED_FULL 2181708111807ULL

/* columns 0 to 2 of all six rows */
#define ROW_STARTS 242412012423ULL

/* columns 0 to 5, 0 to 2 and 3 to 5 of the upper three rows */
#define UPPER 1040319ULL
#define UPPER_LEFT 115591ULL
#define UPPER_RIGHT 924728ULL

static const uint64_t ALL_WINDOWS = 1040319ULL | (1040319ULL << 21) | (1040319ULL << 42);

static const double SCALE[37] = {
    0.02958579881656805, 0.030303030303030304, 0.03105590062111801, 0.03184713375796178,
    0.032679738562091505, 0.03355704697986577, 0.034482758620689655, 0.035460992907801414,
    0.03649635036496351, 0.03759398496240601, 0.03875968992248062, 0.04,
    0.04132231404958677, 0.042735042735042736, 0.04424778761061947, 0.04587155963302752,
    0.047619047619047616, 0.04950495049504951, 0.051546391752577324, 0.05376344086021505,
    0.056179775280898875, 0.058823529411764705, 0.0617283950617284, 0.06493506493506493,
    0.0684931506849315, 0.07246376811594203, 0.07692307692307693, 0.07692307692307693,
    0.07692307692307693, 0.07692307692307693, 0.07692307692307693, 0.07692307692307693,
    0.07692307692307693, 0.07692307692307693, 0.07692307692307693, 0.07692307692307693,
    0.07692307692307693
};

static const double MINE[5] = {0.0, 1.2, 5.0, 8.0, 20.0};
static const double THEIRS[5] = {0.0, 1.0, 3.6, 6.0, 20.0};

/* the lines in the order of the Python function: first cell, step, number of windows of four cells */
static const int8_t LINES[22][3] = {
    {0, 1, 3}, {7, 1, 3}, {14, 1, 3}, {21, 1, 3}, {28, 1, 3}, {35, 1, 3},
    {0, 7, 3}, {1, 7, 3}, {2, 7, 3}, {3, 7, 3}, {4, 7, 3}, {5, 7, 3},
    {2, 8, 1}, {1, 8, 2}, {0, 8, 3}, {7, 8, 2}, {14, 8, 1},
    {3, 6, 1}, {4, 6, 2}, {5, 6, 3}, {12, 6, 2}, {19, 6, 1}
};

static uint64_t padded(uint64_t b)
{
    return (b & 63ULL)
        | ((b << 1) & (63ULL << 7))
        | ((b << 2) & (63ULL << 14))
        | ((b << 3) & (63ULL << 21))
        | ((b << 4) & (63ULL << 28))
        | ((b << 5) & (63ULL << 35));
}

/* The score, added up window by window in the order of the Python function. */
static double ordered_score(uint64_t me, uint64_t op)
{
    double s = 0.0;
    int line, i, j;
    for (line = 0; line < 22; line++) {
        int first = LINES[line][0];
        int step = LINES[line][1];
        int windows = LINES[line][2];
        double sum = 0.0;
        for (i = 0; i < windows; i++) {
            int nm = 0;
            int no = 0;
            for (j = 0; j < 4; j++) {
                int cell = first + (i + j) * step;
                nm += (int)((me >> cell) & 1u);
                no += (int)((op >> cell) & 1u);
            }
            if (nm && no)
                sum += 0.0;
            else if (nm)
                sum += MINE[nm];
            else if (no)
                sum += -THEIRS[no];
            else
                sum += 0.13;
        }
        s += sum;
    }
    return s;
}

/* For each of the 54 windows a bit: is its cell number k in b? Bits 0 to 20 are the rows (of which the
   lower three stand to the right of the upper three), then come the columns, then both diagonals. */
static inline uint64_t window_cells(uint64_t b, int k)
{
    uint64_t rows = (b >> k) & ROW_STARTS;
    uint64_t columns = (b >> (7 * k)) & UPPER;
    uint64_t diagonals = ((b >> (8 * k)) & UPPER_LEFT) | ((b >> (6 * k)) & UPPER_RIGHT);
    rows = (rows | (rows >> 18)) & UPPER;
    return rows | (columns << 21) | (diagonals << 42);
}

/* Only called where nobody has a four or can complete one: a window with stones of one side only holds
   one or two of them. The terms are multiples of 0.01. Where nothing remains of them (also after the
   6.0 that may be taken off later), the order of the additions shows, so it is kept there. */
static double score(uint64_t me, uint64_t op)
{
    uint64_t a0 = window_cells(me, 0);
    uint64_t a1 = window_cells(me, 1);
    uint64_t a2 = window_cells(me, 2);
    uint64_t a3 = window_cells(me, 3);
    uint64_t b0 = window_cells(op, 0);
    uint64_t b1 = window_cells(op, 1);
    uint64_t b2 = window_cells(op, 2);
    uint64_t b3 = window_cells(op, 3);
    uint64_t any_a = a0 | a1 | a2 | a3;
    uint64_t any_b = b0 | b1 | b2 | b3;
    uint64_t two_a = (a0 & a1) | (a2 & a3) | ((a0 | a1) & (a2 | a3));
    uint64_t two_b = (b0 & b1) | (b2 & b3) | ((b0 | b1) & (b2 | b3));
    uint64_t only_a = any_a & ~any_b;
    uint64_t only_b = any_b & ~any_a;
    int empty = __builtin_popcountll(ALL_WINDOWS & ~(any_a | any_b));
    int mine_one = __builtin_popcountll(only_a & ~two_a);
    int mine_two = __builtin_popcountll(only_a & two_a);
    int theirs_one = __builtin_popcountll(only_b & ~two_b);
    int theirs_two = __builtin_popcountll(only_b & two_b);
    int sum = 13 * empty + 120 * mine_one + 500 * mine_two - 100 * theirs_one - 360 * theirs_two;
    if (sum == 0 || sum == 600)
        return ordered_score(me, op);
    return (double)sum / 100.0;
}

/* Cells that complete a four for b (to be masked with the empty cells). */
static inline uint64_t wins(uint64_t b)
{
    uint64_t p, w;
    p = b & (b << 1);
    w = ((p << 1) & ((b << 3) | (b >> 1))) | ((p >> 2) & ((b << 1) | (b >> 3)));
    p = b & (b << 7);
    w |= ((p << 7) & ((b << 21) | (b >> 7))) | ((p >> 14) & ((b << 7) | (b >> 21)));
    p = b & (b << 8);
    w |= ((p << 8) & ((b << 24) | (b >> 8))) | ((p >> 16) & ((b << 8) | (b >> 24)));
    p = b & (b << 6);
    w |= ((p << 6) & ((b << 18) | (b >> 6))) | ((p >> 12) & ((b << 6) | (b >> 18)));
    return w;
}

typedef struct {
    uint64_t one;   /* cells that create at least one winning cell */
    uint64_t two;   /* cells that create two */
} Threats;

static inline Threats add_threats(Threats sum, uint64_t b, uint64_t e, int d)
{
    uint64_t q1 = b & (b >> d);
    uint64_t q2 = b & (b >> (2 * d));
    uint64_t q3 = b & (b >> (3 * d));
    uint64_t t;
    t = e & (e >> d) & ((q1 >> (2 * d)) | (q1 << (2 * d)) | (q3 << d));
    sum.two |= sum.one & t;
    sum.one |= t;
    t <<= d;
    sum.two |= sum.one & t;
    sum.one |= t;
    t = e & (e >> (2 * d)) & ((q2 >> d) | (q2 << d));
    sum.two |= sum.one & t;
    sum.one |= t;
    t <<= 2 * d;
    sum.two |= sum.one & t;
    sum.one |= t;
    t = e & (e >> (3 * d)) & (q1 >> d);
    sum.two |= sum.one & t;
    sum.one |= t;
    t <<= 3 * d;
    sum.two |= sum.one & t;
    sum.one |= t;
    return sum;
}

static Threats threats(uint64_t b, uint64_t e)
{
    Threats sum;
    sum.one = 0;
    sum.two = 0;
    sum = add_threats(sum, b, e, 1);
    sum = add_threats(sum, b, e, 7);
    sum = add_threats(sum, b, e, 8);
    sum = add_threats(sum, b, e, 6);
    return sum;
}

/* Can the mover win by a chain of forcing threats, starting in `one`? */
static bool forced_win(uint64_t me, uint64_t op, uint64_t e, uint64_t one, int *budget)
{
    while (one) {
        uint64_t a, m2, e2, f, o2, w, one2;
        Threats next;
        if (budget[0] <= 0)
            return false;
        budget[0]--;
        a = one & (~one + 1);
        one ^= a;
        m2 = me | a;
        e2 = e ^ a;
        f = wins(m2) & e2;
        o2 = op | f;
        e2 &= ~f;
        w = wins(o2) & e2;
        if (w & (w - 1))
            continue;
        next = threats(m2, e2);
        one2 = next.one;
        if (w) {
            if (next.two & w)
                return true;
            one2 &= w;
        } else if (next.two) {
            return true;
        }
        if (one2 && forced_win(m2, o2, e2, one2, budget))
            return true;
    }
    return false;
}

/* Value for the side to move (stones `me`). */
static double quiet(uint64_t me, uint64_t op, uint64_t e, int depth, int *budget)
{
    uint64_t w, t, c, f, g;
    Threats own, theirs;
    double s;

    if (!e)
        return 0.0;
    if (wins(me) & e)
        return 1.0;
    w = wins(op) & e;
    if (w) {
        if (w & (w - 1))
            return -0.998;
        return -quiet(op, me | w, e ^ w, depth, budget);
    }
    own = threats(me, e);
    if (own.two)
        return 0.995;
    if (own.one && forced_win(me, op, e, own.one, budget))
        return 0.985;
    theirs = threats(op, e);
    if (theirs.two) {
        /* The opponent threatens to make two winning cells at once. */
        uint64_t kill = e;
        double best, v;
        t = theirs.two;
        while (t) {
            c = t & (~t + 1);
            t ^= c;
            f = wins(op | c) & (e ^ c);
            g = f & (f - 1);
            if (g & (g - 1))
                kill &= c;
            else
                kill &= c | f;
            if (!kill)
                break;
        }
        if (!kill && !own.one)
            return -0.99;
        if (depth <= 0 || budget[1] <= 0) {
            if (!kill)
                return -0.8;
            v = 0.9 * tanh(score(me, op) * SCALE[__builtin_popcountll(e)]) - 0.25;
            return v > -0.9 ? v : -0.9;
        }
        best = -0.985;
        t = kill;
        while (t) {
            c = t & (~t + 1);
            t ^= c;
            budget[1]--;
            v = -quiet(op, me | c, e ^ c, depth - 1, budget);
            if (v > best) {
                best = v;
                if (best >= 0.9)
                    return best;
            }
        }
        if (best <= -0.9) {
            t = own.one & ~kill;
            while (t) {
                if (budget[1] <= 0) {
                    if (best < -0.9)
                        best = -0.9;
                    break;
                }
                c = t & (~t + 1);
                t ^= c;
                budget[1]--;
                v = -quiet(op, me | c, e ^ c, depth - 1, budget);
                if (v > best) {
                    best = v;
                    if (best >= 0.9)
                        return best;
                }
            }
        }
        return best;
    }
    s = score(me, op);
    if (theirs.one && forced_win(op, me, e, theirs.one, budget)) {
        /* The mover has to spend the move on defence. */
        s -= 6.0;
    }
    return 0.9 * tanh(s * SCALE[__builtin_popcountll(e)]);
}

void value(const State *state, double *amounts)
{
    uint64_t x, o, e;
    int budget[2];
    double v;
    if (state->to_act < 0) {
        returns(state, amounts);
        return;
    }
    x = padded(state->stones[0]);
    o = padded(state->stones[1]);
    e = PADDED_FULL ^ (x | o);
    budget[0] = 16;
    budget[1] = 12;
    if (state->to_act == 0) {
        v = quiet(x, o, e, 3, budget);
        amounts[0] = v;
        amounts[1] = -v;
    } else {
        v = quiet(o, x, e, 3, budget);
        amounts[0] = -v;
        amounts[1] = v;
    }
}

/* ---------------------------------------------------------------- the random game

   From here on a row takes a byte, of which the upper two bits are always 0: cell 8 * row + column. */

#define ROLL_ONES 0x0101010101010101ULL
#define ROLL_BELOW_HIGH 0x7F7F7F7F7F7F7F7FULL
#define ROLL_FULL 0x00003F3F3F3F3F3FULL

/* bit n: do the six cells n of a row hold four neighbours? n = 15, 30, 31, 47, 60 to 63 */
#define ROLL_ROW_FOURS 0xF0008000C0008000ULL

/* the cell of a set of six cells that has j cells of the set above it, as a bit */
static const uint8_t ROLL_CELL[64][8] = {
    {0}, {1}, {2}, {2, 1},
    {4}, {4, 1}, {4, 2}, {4, 2, 1},
    {8}, {8, 1}, {8, 2}, {8, 2, 1},
    {8, 4}, {8, 4, 1}, {8, 4, 2}, {8, 4, 2, 1},
    {16}, {16, 1}, {16, 2}, {16, 2, 1},
    {16, 4}, {16, 4, 1}, {16, 4, 2}, {16, 4, 2, 1},
    {16, 8}, {16, 8, 1}, {16, 8, 2}, {16, 8, 2, 1},
    {16, 8, 4}, {16, 8, 4, 1}, {16, 8, 4, 2}, {16, 8, 4, 2, 1},
    {32}, {32, 1}, {32, 2}, {32, 2, 1},
    {32, 4}, {32, 4, 1}, {32, 4, 2}, {32, 4, 2, 1},
    {32, 8}, {32, 8, 1}, {32, 8, 2}, {32, 8, 2, 1},
    {32, 8, 4}, {32, 8, 4, 1}, {32, 8, 4, 2}, {32, 8, 4, 2, 1},
    {32, 16}, {32, 16, 1}, {32, 16, 2}, {32, 16, 2, 1},
    {32, 16, 4}, {32, 16, 4, 1}, {32, 16, 4, 2}, {32, 16, 4, 2, 1},
    {32, 16, 8}, {32, 16, 8, 1}, {32, 16, 8, 2}, {32, 16, 8, 2, 1},
    {32, 16, 8, 4}, {32, 16, 8, 4, 1}, {32, 16, 8, 4, 2}, {32, 16, 8, 4, 2, 1}
};

/* From six bits a row to eight. */
static inline uint64_t roll_spread(uint64_t b)
{
    b = (b & 0x3FFFFULL) | ((b & (0x3FFFFULL << 18)) << 6);
    return (b & ((63ULL << 0) | (63ULL << 24)))
        | ((b & ((63ULL << 6) | (63ULL << 30))) << 2)
        | ((b & ((63ULL << 12) | (63ULL << 36))) << 4);
}

/* Is there a four, after a move in the row that begins at bit `at`? */
static inline bool roll_four(uint64_t b, int at)
{
    uint64_t row = (ROLL_ROW_FOURS >> ((b >> at) & 63)) & 1;
    uint64_t column = b & (b >> 8);
    uint64_t falling = b & (b >> 9);
    uint64_t rising = b & (b >> 7);
    column &= column >> 16;
    falling &= falling >> 18;
    rising &= rising >> 14;
    return ((row | column) | (falling | rising)) != 0;
}

void rollout(const State *state, Random *random, double *amounts)
{
    int player = state->to_act;
    uint64_t own = roll_spread(state->stones[player]);
    uint64_t other = roll_spread(state->stones[player ^ 1]);
    uint64_t empty = ROLL_FULL & ~(own | other);
    uint64_t sums, place, rows, bit;
    double first;
    int left, at, result = 0;

    /* empty cells of each row, then of all rows up to each */
    sums = empty - ((empty >> 1) & 0x5555555555555555ULL);
    sums = (sums & 0x3333333333333333ULL) + ((sums >> 2) & 0x3333333333333333ULL);
    sums = (sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    sums *= ROLL_ONES;
    left = (int)(sums >> 56);

    /* With 127 added, a byte less k has its high bit where more than k cells are empty up to its row:
       in the row of cell number k and in those after it, which lose a cell. In that row the rest of the
       byte is the number of empty cells after this one. No byte borrows from the next. */
    sums += ROLL_BELOW_HIGH;

    for (;;) {
        place = sums - (uint64_t)(uint32_t)random_below(random, left) * ROLL_ONES;
        rows = (place >> 7) & ROLL_ONES;
        at = __builtin_ctzll(rows);
        sums -= rows;
        bit = (uint64_t)ROLL_CELL[(empty >> at) & 63][(place >> at) & 7] << at;
        empty ^= bit;
        own |= bit;
        if (__builtin_expect(roll_four(own, at), 0)) {
            result = 1 - 2 * player;
            break;
        }
        left--;
        if (__builtin_expect(left == 0, 0))
            break;

        place = sums - (uint64_t)(uint32_t)random_below(random, left) * ROLL_ONES;
        rows = (place >> 7) & ROLL_ONES;
        at = __builtin_ctzll(rows);
        sums -= rows;
        bit = (uint64_t)ROLL_CELL[(empty >> at) & 63][(place >> at) & 7] << at;
        empty ^= bit;
        other |= bit;
        if (__builtin_expect(roll_four(other, at), 0)) {
            result = 2 * player - 1;
            break;
        }
        left--;
        if (__builtin_expect(left == 0, 0))
            break;
    }

    first = (double)result;
    amounts[0] = first;
    amounts[1] = 0.0 - first;
}
