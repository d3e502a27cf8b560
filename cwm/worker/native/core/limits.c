/* What a search may use: memory and time. */

/* --- memory: a block that the caller hands in, taken from its start on and given back at once --- */

typedef struct {
    unsigned char *start;
    uint64_t bytes, used;
} core_Arena;

static inline void *core_take(core_Arena *arena, uint64_t bytes) {
    bytes = (bytes + 7) & ~(uint64_t)7;
    if (bytes > arena->bytes - arena->used) core_fail(CORE_OUT_OF_MEMORY, (double)arena->bytes);
    void *taken = arena->start + arena->used;
    arena->used += bytes;
    return taken;
}

/* --- wall-clock time, for searches that are given so long --- */

typedef struct {
    long seconds, nanoseconds;
} core_Time;
int clock_gettime(int clock, core_Time *time);

static double core_now(void) {
    core_Time time;
    clock_gettime(1 /* CLOCK_MONOTONIC */, &time);
    return (double)time.seconds + 1e-9 * (double)time.nanoseconds;
}

/* When a search that may take `seconds` must end; 0 for no limit gives never. */
static double core_deadline(double seconds) {
    return seconds > 0 ? core_now() + seconds : __builtin_inf();
}

static inline int core_is_past(double deadline) {
    return deadline < __builtin_inf() && core_now() >= deadline;
}
