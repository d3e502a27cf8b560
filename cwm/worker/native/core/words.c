/* Random numbers as the methods of CPython's random.Random make them of 32-bit words, for searches that are proven
against Python's: `random` takes two words, `randrange` and `choice` the upper bits of one until they are small enough,
`choices` one number that is looked up among running sums (CPython 3.11, Lib/random.py and _randommodule.c). */

typedef struct {
    Random random;                  /* of the Python generator the state alone, of the fast one all of it */
    uint32_t tempered[CORE_WORDS];  /* the words that the state gives */
    int next;
} core_Words;

static void core_words_seed(core_Words *words, int generator, uint64_t seed) {
    core_seed(&words->random, generator, seed);
    words->next = CORE_WORDS;
}

static __attribute__((noinline)) void core_words_refill(core_Words *words) {
    core_twist_all(words->random.words);
    for (int at = 0; at < CORE_WORDS; at++) words->tempered[at] = core_temper(words->random.words[at]);
    words->next = 0;
}

static inline uint32_t core_word(core_Words *words) {
    if (words->random.generator == CORE_GENERATOR_FAST) return (uint32_t)(core_bits(&words->random) >> 21);
    if (words->next == CORE_WORDS) core_words_refill(words);
    return words->tempered[words->next++];
}

/* In [0, 1), as `random`. */
static inline double core_words_number(core_Words *words) {
    uint64_t high = core_word(words) >> 5, low = core_word(words) >> 6;
    return core_fraction(high << 26 | low);
}

/* In 0 .. count - 1, as `randrange(count)`; count is at least 1. */
static inline int core_words_below(core_Words *words, int count) {
    int unused = __builtin_clz((unsigned)count);
    uint32_t drawn;
    do drawn = core_word(words) >> unused;
    while (drawn >= (uint32_t)count);
    return (int)drawn;
}

/* A place in 0 .. count - 1, as `choices` draws it by weights whose running sums these are. */
static inline int core_words_place(core_Words *words, const double *sums, int count) {
    double total = sums[count - 1], mark;
    if (!(total > 0.0 && total <= CORE_LARGEST)) core_fail(CORE_BAD_WEIGHTS, total);
    mark = core_words_number(words) * total;
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (mark < sums[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
