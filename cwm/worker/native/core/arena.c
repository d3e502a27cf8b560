/* Memory of one search: a block that the caller hands in, taken from its start on and given back at once. */

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
