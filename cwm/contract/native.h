/* native.h: the contract of a world model in C.

A model is one file, model.c. It is compiled between this header and a search, as one program, so that the
search can inline it. The game is the one of the verified model in Python, and actions, outcomes of chance,
their order, names, observations and returns are exactly that model's.

The model defines, in any order that C allows:

    enum {
        NUM_PLAYERS,           number of players, 1 to 16 (chance is not one of them)
        NUM_DISTINCT_ACTIONS,  every action of a player is in 0 .. NUM_DISTINCT_ACTIONS - 1; at most 65535
        MAX_CHANCE_OUTCOMES,   every outcome is in 0 .. MAX_CHANCE_OUTCOMES - 1; 0 without chance; at most 65535
        MAX_GAME_LENGTH        upper bound of the number of actions of players in one game
    };
    #define MIN_UTILITY and #define MAX_UTILITY
        smallest and largest return that a player can end the game with, as double constants

    typedef struct { ... } State;
        all that the rules need, of fixed size, at most 4096 bytes, without pointers: it is copied by
        assignment, millions of times, so keep it small. It is all zero before initial_state.

    void initial_state(State *state);
        The state before anything has happened, dice and cards included.

    int current_player(const State *state);
        The player to act (0, 1, ...), CHANCE_PLAYER where chance acts, TERMINAL_PLAYER at the end.

    int legal_actions(const State *state, int *actions);
        Writes the legal actions of the player to act, ascending and distinct, and returns how many there
        are, at least 1. `actions` holds NUM_DISTINCT_ACTIONS. Only called where a player acts.

    int chance_outcomes(const State *state, int *outcomes, double *probabilities);
        Writes the outcomes, ascending, and their probabilities, which are positive and sum to 1, and
        returns how many there are. Both hold MAX_CHANCE_OUTCOMES. Only called where chance acts; a game
        without chance returns 0.

    void apply_action(State *state, int action);
        Changes `state` into the one after a legal action or an outcome of chance.

    void returns(const State *state, double *amounts);
        Writes, for each player, what the player has earned so far; at the end the final result.

    void action_name(const State *state, int action, Text *text);
        Puts the name of a legal action or of an outcome of chance.

    void observation(const State *state, int player, Text *text);
        Puts what the player sees of the state, as JSON.

A game that hides information from players defines besides:

    typedef struct { ... } Information;
        what tells the information states of a player apart, of fixed size, at most 1024 bytes, without
        pointers. It is compared byte by byte and is all zero before information_state, which assigns its
        members one by one.

    void information_state(const State *state, int player, Information *information);
        Two states get equal bytes exactly if `player` has seen and done the same in both. So a State must
        keep what each player has noticed, as far as it is not what can be read off the rest of it.

    void resample(State *state, int player, Random *random);
        Changes `state` into one drawn among all that `player` cannot tell from it: the same information
        state of `player`, in which all that is hidden from `player` is drawn anew, each state as likely
        as it is when the other players choose uniformly among their legal actions. It may depend on
        what `player` knows and on `random` only, never on what is hidden in `state`.

It may define besides:

    void value(const State *state, double *amounts);
        Writes an estimate of each player's final return, in MIN_UTILITY .. MAX_UTILITY.

    void rollout(const State *state, Random *random, double *amounts);
        Writes the final returns of a game played on at random from `state`, which is not over. It takes
        the same random numbers in the same way as playing move by move does: at a player's turn
        actions[random_below(random, count)]; at chance one number, from which the probabilities are taken
        off in order until it is below 0.

Rules: C11, one file, ASCII. No #include: all there is stands in this header. The only directive is
#define NAME VALUE, without parameters. No variable outside functions and no static one in them unless it is
const: tables are `static const`, written out. No pointers kept, no allocation, no variable-length arrays, no
goto, no function pointers, no attributes, no inline assembly, no `extern`, no `volatile`, no name that begins
with an underscore, but for the functions __builtin_popcount, __builtin_ctz, __builtin_clz, __builtin_ffs,
__builtin_parity (each also with l and ll) and __builtin_expect. Names that begin with core_, uct_, ismcts_,
games_, native_, CORE_, ISMCTS_, NATIVE_, Uct, Ismcts or Native belong to the search. Nothing may overflow a
signed integer, shift by too much or leave an array: a program that does is refused. */

#ifndef NATIVE_H
#define NATIVE_H

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long size_t;
typedef _Bool bool;
enum { false, true };
#define NULL ((void *)0)

enum { CHANCE_PLAYER = -1, TERMINAL_PLAYER = -4 };

/* Randomness, of which a model has no other. */
typedef struct Random Random;
static inline double random_number(Random *random);           /* in [0, 1) */
static inline int random_below(Random *random, int count);    /* in 0 .. count - 1, of one random number */

/* Text is put together piece by piece; there is no need to look after its length. */
typedef struct Text Text;
static void put(Text *text, const char *string);              /* as it is */
static void put_char(Text *text, char character);
static void put_int(Text *text, int64_t number);
static void put_number(Text *text, double number);            /* as a JSON number, exact up to 15 digits */
static void put_quoted(Text *text, const char *string);       /* as a JSON string */

/* The parts of the C library that there are. */
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int memcmp(const void *one, const void *other, size_t bytes);
int abs(int number);
double sqrt(double), log(double), exp(double), pow(double, double), tanh(double);
double floor(double), ceil(double), fabs(double), fmin(double, double), fmax(double, double);

#endif
