/* Two players on a 4 x 4 board; each sees its own cell and the quadrant of the other.
   A cell is 4 * row + column, a quadrant 2 * (bottom) + (right), and a place within a quadrant
   2 * (lower row) + (right column). */

enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 5,
    MAX_CHANCE_OUTCOMES = 4,
    MAX_GAME_LENGTH = 20
};
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0

enum {
    ALL_EVENTS = 22,   /* two placements and 20 moves */
    MAX_LAYERS = 11    /* events of one player: a placement and 10 moves */
};

typedef struct {
    uint64_t path[2];    /* the cells of a player after each of its events, 4 bits each, first one lowest */
    uint32_t quads[2];   /* the quadrants of these cells, 2 bits each, first one lowest */
    int8_t cell[2];      /* -1 while the player is not placed */
    int8_t to_act;
    int8_t events;
    int8_t winner;       /* -1 for nobody */
} State;

typedef struct {
    uint64_t own;
    uint32_t quads;
    uint32_t rest;
} Information;

static const int8_t HOME[2][4] = {{0, 1, 4, 5}, {10, 11, 14, 15}};

static const int8_t QUAD[16] = {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3};

static const int8_t LOCAL[16] = {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3};

static const int8_t QUAD_CELLS[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};

static const int8_t DELTA[5] = {-4, 4, -1, 1, 0};

static const int8_t DEGREE[16] = {3, 4, 4, 3, 4, 5, 5, 4, 4, 5, 5, 4, 3, 4, 4, 3};

/* the legal actions in each cell, filled up with zeros */
static const int8_t LEGAL[16][5] = {
    {1, 3, 4, 0, 0}, {1, 2, 3, 4, 0}, {1, 2, 3, 4, 0}, {1, 2, 4, 0, 0},
    {0, 1, 3, 4, 0}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 4, 0},
    {0, 1, 3, 4, 0}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 4, 0},
    {0, 3, 4, 0, 0}, {0, 2, 3, 4, 0}, {0, 2, 3, 4, 0}, {0, 2, 4, 0, 0}
};

/* the cells to which these actions lead */
static const int8_t TARGET[16][5] = {
    {4, 1, 0, 0, 0}, {5, 0, 2, 1, 0}, {6, 1, 3, 2, 0}, {7, 2, 3, 0, 0},
    {0, 8, 5, 4, 0}, {1, 9, 4, 6, 5}, {2, 10, 5, 7, 6}, {3, 11, 6, 7, 0},
    {4, 12, 9, 8, 0}, {5, 13, 8, 10, 9}, {6, 14, 9, 11, 10}, {7, 15, 10, 11, 0},
    {8, 13, 12, 0, 0}, {9, 12, 14, 13, 0}, {10, 13, 15, 14, 0}, {11, 14, 15, 0, 0}
};

/* who acts after so many events, if nobody has won */
static const int8_t NEXT[23] = {
    -1, -1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, -4
};

/* 1 / the number of legal actions, for each quadrant and place in it */
static const double INVERSE[4][4] = {
    {0.3333333333333333, 0.25, 0.25, 0.2},
    {0.25, 0.3333333333333333, 0.2, 0.25},
    {0.25, 0.2, 0.3333333333333333, 0.25},
    {0.2, 0.25, 0.25, 0.3333333333333333}
};

static const char ACTION_NAMES[5][8] = {"up", "down", "left", "right", "stay"};

static const char QUAD_NAMES[4][16] = {"top left", "top right", "bottom left", "bottom right"};

void initial_state(State *state)
{
    state->path[0] = 0;
    state->path[1] = 0;
    state->quads[0] = 0;
    state->quads[1] = 0;
    state->cell[0] = -1;
    state->cell[1] = -1;
    state->to_act = CHANCE_PLAYER;
    state->events = 0;
    state->winner = -1;
}

int current_player(const State *state)
{
    return state->to_act;
}

int legal_actions(const State *state, int *actions)
{
    int cell = state->cell[state->events & 1];
    actions[0] = LEGAL[cell][0];
    actions[1] = LEGAL[cell][1];
    actions[2] = LEGAL[cell][2];
    actions[3] = LEGAL[cell][3];
    actions[4] = LEGAL[cell][4];
    return DEGREE[cell];
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities)
{
    int i;
    if (state->to_act != CHANCE_PLAYER)
        return 0;
    for (i = 0; i < 4; i++) {
        outcomes[i] = i;
        probabilities[i] = 0.25;
    }
    return 4;
}

void apply_action(State *state, int action)
{
    int n = state->events;
    int player = n & 1;
    int turn = n >> 1;
    int cell;
    if (n >= 2)
        cell = state->cell[player] + DELTA[action];
    else
        cell = HOME[n][action];
    state->cell[player] = (int8_t)cell;
    state->path[player] |= (uint64_t)cell << (4 * turn);
    state->quads[player] |= (uint32_t)QUAD[cell] << (2 * turn);
    n++;
    state->events = (int8_t)n;
    if (cell == state->cell[player ^ 1]) {
        state->winner = (int8_t)player;
        state->to_act = TERMINAL_PLAYER;
    } else {
        state->to_act = NEXT[n];
    }
}

void returns(const State *state, double *amounts)
{
    double first = 0.0;
    if (state->winner >= 0)
        first = state->winner == 0 ? 1.0 : -1.0;
    amounts[0] = first;
    amounts[1] = 0.0 - first;
}

void action_name(const State *state, int action, Text *text)
{
    if (state->to_act == CHANCE_PLAYER) {
        int cell = HOME[state->events & 1][action];
        put(text, "start at ");
        put_int(text, cell >> 2);
        put_char(text, ',');
        put_int(text, cell & 3);
    } else {
        put(text, ACTION_NAMES[action]);
    }
}

void observation(const State *state, int player, Text *text)
{
    int own = state->cell[player];
    int other = state->cell[1 - player];
    int n = state->events;
    put(text, "{\"cell\": ");
    if (own >= 0) {
        put_char(text, '[');
        put_int(text, own >> 2);
        put(text, ", ");
        put_int(text, own & 3);
        put_char(text, ']');
    } else {
        put(text, "null");
    }
    put(text, ", \"opponent_quadrant\": ");
    if (other >= 0)
        put_quoted(text, QUAD_NAMES[QUAD[other]]);
    else
        put(text, "null");
    put(text, ", \"moves\": ");
    put_int(text, n > 2 ? n - 2 : 0);
    put(text, ", \"winner\": ");
    if (state->winner >= 0)
        put_int(text, state->winner);
    else
        put(text, "null");
    put_char(text, '}');
}

void information_state(const State *state, int player, Information *information)
{
    information->own = state->path[player];
    information->quads = state->quads[1 - player];
    information->rest = (uint32_t)state->events
        | ((uint32_t)(state->winner + 1) << 8)
        | ((uint32_t)player << 16);
}

/* One of the places in `candidates`, with probability proportional to its weight. */
static int pick(const double *weights, unsigned int candidates, Random *random)
{
    double total = 0.0;
    double left;
    int chosen = 0;
    int i;
    for (i = 0; i < 4; i++) {
        if ((candidates >> i) & 1u)
            total += weights[i];
    }
    left = random_number(random) * total;
    for (i = 0; i < 4; i++) {
        if (((candidates >> i) & 1u) && weights[i] > 0.0) {
            chosen = i;
            if (left < weights[i])
                return i;
            left -= weights[i];
        }
    }
    return chosen;
}

/* It is the turn of `player`, so nobody has won and the last event was one of the other player.
   Layer t is for the other player's cell after its event t: the weight of each place in the quadrant
   that was seen. While the other player stood there, `player` was first in the cell own[t] and then
   (but for the last layer) in own[t + 1]; neither can have been the same cell. */
void resample(State *state, int player, Random *random)
{
    double layers[MAX_LAYERS][4];
    int other = 1 - player;
    int last = ((state->events + player) >> 1) - 1;
    uint32_t quads = state->quads[other];
    uint64_t own = state->path[player];
    uint64_t path;
    int before = 0;
    int place, quad, t;

    if (state->to_act != player || last < 0 || last >= MAX_LAYERS)
        return;
    /* Player 1 is placed after player 0; its start cell stands in for the missing one and excludes
       nothing, as the start cells of the players are different ones. */
    if (player == 1)
        own = (own << 4) | (own & 15u);

    for (t = 0; t <= last; t++) {
        double *v = layers[t];
        int cell = (int)((own >> (4 * t)) & 15u);
        quad = (int)((quads >> (2 * t)) & 3u);
        if (t == 0) {
            v[0] = 1.0;
            v[1] = 1.0;
            v[2] = 1.0;
            v[3] = 1.0;
        } else {
            const double *u = layers[t - 1];
            int crossing = quad ^ before;
            if (crossing == 0) {
                v[0] = u[0] + u[1] + u[2];
                v[1] = u[0] + u[1] + u[3];
                v[2] = u[0] + u[2] + u[3];
                v[3] = u[1] + u[2] + u[3];
            } else if (crossing == 1) {
                if (before & 1) {
                    v[0] = 0.0;
                    v[1] = u[0];
                    v[2] = 0.0;
                    v[3] = u[2];
                } else {
                    v[0] = u[1];
                    v[1] = 0.0;
                    v[2] = u[3];
                    v[3] = 0.0;
                }
            } else {
                if (before & 2) {
                    v[0] = 0.0;
                    v[1] = 0.0;
                    v[2] = u[0];
                    v[3] = u[1];
                } else {
                    v[0] = u[2];
                    v[1] = u[3];
                    v[2] = 0.0;
                    v[3] = 0.0;
                }
            }
        }
        if (QUAD[cell] == quad)
            v[LOCAL[cell]] = 0.0;
        if (t < last) {
            cell = (int)((own >> (4 * t + 4)) & 15u);
            if (QUAD[cell] == quad)
                v[LOCAL[cell]] = 0.0;
            v[0] *= INVERSE[quad][0];
            v[1] *= INVERSE[quad][1];
            v[2] *= INVERSE[quad][2];
            v[3] *= INVERSE[quad][3];
        }
        before = quad;
    }

    quad = before;
    place = pick(layers[last], 15u, random);
    state->cell[other] = QUAD_CELLS[quad][place];
    path = (uint64_t)QUAD_CELLS[quad][place] << (4 * last);
    for (t = last - 1; t >= 0; t--) {
        int earlier = (int)((quads >> (2 * t)) & 3u);
        int crossing = quad ^ earlier;
        if (crossing == 0)
            place = pick(layers[t], 15u & ~(1u << (place ^ 3)), random);
        else if (crossing == 1)
            place ^= 1;
        else
            place ^= 2;
        quad = earlier;
        path |= (uint64_t)QUAD_CELLS[quad][place] << (4 * t);
    }
    state->path[other] = path;
}

void rollout(const State *state, Random *random, double *amounts)
{
    int n = state->events;
    int cells[2];
    int mover, waiting;

    cells[0] = state->cell[0];
    cells[1] = state->cell[1];
    while (n < 2) {
        double left = random_number(random);
        int outcome = 0;
        left -= 0.25;
        while (left >= 0.0 && outcome < 3) {
            outcome++;
            left -= 0.25;
        }
        cells[n] = HOME[n][outcome];
        n++;
    }
    mover = cells[n & 1];
    waiting = cells[(n & 1) ^ 1];
    while (n < ALL_EVENTS) {
        int cell = TARGET[mover][random_below(random, DEGREE[mover])];
        if (cell == waiting) {
            double first = (n & 1) ? -1.0 : 1.0;
            amounts[0] = first;
            amounts[1] = 0.0 - first;
            return;
        }
        mover = waiting;
        waiting = cell;
        n++;
    }
    amounts[0] = 0.0;
    amounts[1] = 0.0;
}
