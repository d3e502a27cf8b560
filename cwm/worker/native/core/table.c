/* Hash tables by lists of numbers, in the arena of a search, and lists that grow. */

/* What lies in a table, at the start of what it is a part of: numbers, and a key that is made of them. */
typedef struct {
    uint64_t key;
    const int32_t *numbers;
    int64_t length;
} SmctsEntry;

typedef struct {
    SmctsEntry **slots;
    uint64_t size, used; /* size: 0 or a power of 2 */
} SmctsTable;

static SmctsEntry **smcts_slot(const SmctsTable *table, uint64_t key, const int32_t *numbers, int64_t length) {
    uint64_t at = (key * 0x9e3779b97f4a7c15u) >> 32;
    for (;; at++) {
        SmctsEntry **slot = table->slots + (at & (table->size - 1)), *entry = *slot;
        if (!entry) return slot;
        if (entry->key == key && entry->length == length &&
            !memcmp(entry->numbers, numbers, (size_t)length * sizeof *numbers))
            return slot;
    }
}

static void *smcts_find(const SmctsTable *table, uint64_t key, const int32_t *numbers, int64_t length) {
    return table->size ? *smcts_slot(table, key, numbers, length) : NULL;
}

/* Puts an entry that the table does not hold into it, with numbers of its own. */
static void smcts_put(core_Arena *arena, SmctsTable *table, SmctsEntry *entry, uint64_t key, const int32_t *numbers,
                      int64_t length) {
    if (2 * table->used >= table->size) {
        SmctsTable old = *table;
        table->size = old.size ? 4 * old.size : 4;
        table->slots = core_take(arena, table->size * sizeof *table->slots);
        memset(table->slots, 0, table->size * sizeof *table->slots);
        for (uint64_t at = 0; at < old.size; at++)
            if (old.slots[at])
                *smcts_slot(table, old.slots[at]->key, old.slots[at]->numbers, old.slots[at]->length) = old.slots[at];
    }
    int32_t *own = core_take(arena, (uint64_t)length * sizeof *own);
    memcpy(own, numbers, (size_t)length * sizeof *own);
    *entry = (SmctsEntry){key, own, length};
    *smcts_slot(table, key, own, length) = entry;
    table->used++;
}

/* A larger room for `length` items, in which they lie, if the one they have is full. */
static void *smcts_room(core_Arena *arena, void *items, uint64_t length, uint64_t *room, uint64_t item) {
    if (length < *room) return items;
    *room = *room ? 2 * *room : 64;
    void *larger = core_take(arena, *room * item);
    if (length) memcpy(larger, items, length * item);
    return larger;
}
