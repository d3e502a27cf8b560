/* What goes wrong ends the call that is under way: the core goes back to its entry, and whoever called reads
what was noted here. The codes are those of FAILURES in adapter.py. */

enum {
    CORE_FINE,
    CORE_NO_ACTIONS,         /* number: the player */
    CORE_TOO_MANY,           /* number: how many actions or outcomes */
    CORE_UNKNOWN_PLAYER,     /* number: what current_player gave */
    CORE_NEGATIVE_CHANCE,    /* number: the probability */
    CORE_WRONG_SUM,          /* number: what the probabilities sum to */
    CORE_BAD_RETURNS,        /* number: the return that is not finite */
    CORE_BAD_VALUE,          /* number: the estimate that is not one */
    CORE_NOT_TO_MOVE,        /* number: current_player of the state to search */
    CORE_OTHER_INFORMATION,  /* number: how often in turn resample drew another information state */
    CORE_OTHER_ACTIONS,      /* number: how many actions are legal in the state drawn */
    CORE_BAD_TOTALS,         /* number: the action whose total return is not finite */
    CORE_OUT_OF_MEMORY,      /* number: bytes of the arena */
    CORE_OUT_OF_BUFFER,      /* number: how much was written beyond a caller's buffer; only in a checked build */
    CORE_UNDEFINED,          /* see file, line and what; only in a checked build */
    CORE_NOT_POSSIBLE,       /* number: the action or outcome that a caller wanted applied */
    CORE_AT_ONCE,            /* number: nothing; players choose at once where only games in turn are searched */
    CORE_UNKNOWN_MOVER,      /* number: what current_player gave, in a game in which players may choose at once */
    CORE_NOBODY_CHOOSES,     /* number: current_player of a state in which all players have no action */
    CORE_BAD_WEIGHTS,        /* number: the sum of weights by which nothing can be drawn */
    CORE_NOT_JSON,           /* number: the byte of an observation from which on it is no JSON */
    CORE_TEXT_TOO_LONG       /* number: bytes of an observation or a name */
};

static struct {
    int32_t code;
    int32_t line;
    double number;
    const char *file, *what;
} core_failure;
static void *core_entry[5];

static __attribute__((noinline, noreturn)) void core_fail(int code, double number) {
    core_failure.code = code;
    core_failure.number = number;
    __builtin_longjmp(core_entry, 1);
}

/* Opens the body of an exported function that returns the code of its failure, or CORE_FINE. */
#define CORE_GUARDED                                          \
    core_failure.code = CORE_FINE;                            \
    if (__builtin_setjmp(core_entry)) return core_failure.code;

#define CORE_EXPORT __attribute__((visibility("default")))
