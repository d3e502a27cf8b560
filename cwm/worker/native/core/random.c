/* Random numbers, in blocks: a number is read from a buffer, whichever generator fills it.

CORE_GENERATOR_PYTHON gives the numbers of Python's random.Random(seed).random() (Matsumoto and Nishimura 1998,
"Mersenne Twister"), CORE_GENERATOR_FAST those of xoshiro256+ (Blackman and Vigna 2021, "Scrambled linear
pseudorandom number generators"). */

enum { CORE_GENERATOR_PYTHON, CORE_GENERATOR_FAST };
enum { CORE_WORDS = 624, CORE_SHIFT = 397, CORE_NUMBERS = CORE_WORDS / 2 };

struct Random {
    uint64_t numbers[CORE_NUMBERS]; /* each of 53 bits: a random number in units of 2^-53 */
    int next;
    int generator;
    uint32_t words[CORE_WORDS];
    uint64_t fast[4];
};

static uint32_t core_twist(uint32_t high, uint32_t low, uint32_t far) {
    uint32_t mixed = (high & 0x80000000u) | (low & 0x7fffffffu);
    return far ^ (mixed >> 1) ^ (low & 1 ? 0x9908b0dfu : 0);
}

static uint32_t core_temper(uint32_t word) {
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}

/* The generator's next state, of which tempering makes random words. */
static inline void core_twist_all(uint32_t *words) {
    int at = 0;
    for (; at < CORE_WORDS - CORE_SHIFT; at++)
        words[at] = core_twist(words[at], words[at + 1], words[at + CORE_SHIFT]);
    for (; at < CORE_WORDS - 1; at++)
        words[at] = core_twist(words[at], words[at + 1], words[at + CORE_SHIFT - CORE_WORDS]);
    words[at] = core_twist(words[at], words[0], words[CORE_SHIFT - 1]);
}

static void core_refill_python(Random *random) {
    uint32_t *words = random->words;
    core_twist_all(words);
    for (int number = 0; number < CORE_NUMBERS; number++) {
        /* 53 bits of two words, as in CPython's _random_Random_random_impl. */
        uint64_t high = core_temper(words[2 * number]) >> 5, low = core_temper(words[2 * number + 1]) >> 6;
        random->numbers[number] = high << 26 | low;
    }
}

static void core_refill_fast(Random *random) {
    uint64_t a = random->fast[0], b = random->fast[1], c = random->fast[2], d = random->fast[3];
    for (int number = 0; number < CORE_NUMBERS; number++) {
        random->numbers[number] = (a + d) >> 11;
        uint64_t shifted = b << 17;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = (d << 45) | (d >> 19);
    }
    random->fast[0] = a, random->fast[1] = b, random->fast[2] = c, random->fast[3] = d;
}

static __attribute__((noinline)) void core_refill(Random *random) {
    if (random->generator == CORE_GENERATOR_PYTHON)
        core_refill_python(random);
    else
        core_refill_fast(random);
    random->next = 0;
}

static inline uint64_t core_bits(Random *random) {
    if (random->next == CORE_NUMBERS) core_refill(random);
    return random->numbers[random->next++];
}

static inline double core_fraction(uint64_t bits) {
    return (double)(int64_t)bits * (1.0 / 9007199254740992.0);
}

static inline double random_number(Random *random) {
    return core_fraction(core_bits(random));
}

/* (int)(random_number * count), as the searches in Python draw, but in integers, because this is on the longest
path of a rollout. Only just below a whole number can the rounding of the product tell the two apart. */
static inline int random_below(Random *random, int count) {
    enum { CORE_SMALL = 1 << 11, CORE_PLACES = 53 };
    uint64_t bits = core_bits(random), ones = ((uint64_t)1 << CORE_PLACES) - 1;
    uint64_t product = bits * (uint64_t)count;
    if (__builtin_expect(count >= CORE_SMALL || (product & ones) > ones - CORE_SMALL, 0))
        return (int)(core_fraction(bits) * count);
    return (int)(product >> CORE_PLACES);
}

/* As CPython seeds with an int: init_by_array over its 32-bit words, the lowest first. */
static void core_seed_python(Random *random, uint64_t seed) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, *words = random->words;
    uint32_t length = key[1] ? 2 : 1, at = 1, in_key = 0;
    words[0] = 19650218u;
    for (uint32_t i = 1; i < CORE_WORDS; i++)
        words[i] = 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
    for (int step = 0; step < CORE_WORDS; step++) {
        words[at] = (words[at] ^ ((words[at - 1] ^ (words[at - 1] >> 30)) * 1664525u)) + key[in_key] + in_key;
        if (++at == CORE_WORDS) words[0] = words[CORE_WORDS - 1], at = 1;
        if (++in_key == length) in_key = 0;
    }
    for (int step = 0; step < CORE_WORDS - 1; step++) {
        words[at] = (words[at] ^ ((words[at - 1] ^ (words[at - 1] >> 30)) * 1566083941u)) - at;
        if (++at == CORE_WORDS) words[0] = words[CORE_WORDS - 1], at = 1;
    }
    words[0] = 0x80000000u;
}

/* By splitmix64, as the generator's authors advise. */
static void core_seed_fast(Random *random, uint64_t seed) {
    for (int at = 0; at < 4; at++) {
        uint64_t mixed = seed += 0x9e3779b97f4a7c15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        random->fast[at] = mixed ^ (mixed >> 31);
    }
}

static void core_seed(Random *random, int generator, uint64_t seed) {
    random->generator = generator;
    random->next = CORE_NUMBERS;
    if (generator == CORE_GENERATOR_PYTHON)
        core_seed_python(random, seed);
    else
        core_seed_fast(random, seed);
}
