/* What a player sees, the JSON that the model puts, as numbers for a network: the columns of a `Codec` in
cwm/play/features.py, and the trace of a `Trail`. Which columns there are stands in a hash table of FNV-1a hashes
(Fowler, Noll and Vo), made by vector_driver.py with the same hash. */

typedef struct {
    const uint64_t *keys;   /* 0: a free slot */
    const int32_t *columns; /* by slot: a column, counted from the first of the observation's */
    const double *scales;   /* by slot: what a number is divided by */
    int64_t slots;          /* a power of two, more than there are keys */
    int32_t width;          /* columns of an observation */
    int32_t actions;        /* columns of a player's own actions behind the trace */
    int32_t remembers;      /* whether a row holds the trace */
    int32_t size;           /* of a row: one-hot player, the observation, the trace where there is one */
    int32_t others;         /* columns at the end of a row that may be other than 0 and 1 */
    char *text;             /* room for what the model puts */
    int64_t capacity;
    float *before;          /* room for `width` numbers */
} NativeColumns;

typedef struct {
    const NativeColumns *of;
    const char *start, *at, *end;
    float *row;
    int depth;
} NativeReader;

enum { CORE_DEPTH = 100 };
static const uint64_t CORE_HASH = 14695981039346656037u;

static uint64_t games_hash(uint64_t hash, const void *bytes, int64_t count) {
    for (int64_t at = 0; at < count; at++) hash = (hash ^ ((const unsigned char *)bytes)[at]) * 1099511628211u;
    return hash;
}

/* The hash of a place in the data together with one of the kinds of keys, see vector_driver.py. */
static uint64_t games_kind(uint64_t path, char kind) {
    char bytes[2] = {0, kind};
    return games_hash(path, bytes, 2);
}

static int64_t games_find(const NativeColumns *of, uint64_t key) {
    int64_t slot = (int64_t)(key & (uint64_t)(of->slots - 1));
    while (of->keys[slot] && of->keys[slot] != key) slot = (slot + 1) & (of->slots - 1);
    return of->keys[slot] ? slot : -1;
}

static void games_set(NativeReader *reader, uint64_t key) {
    int64_t slot = games_find(reader->of, key);
    if (slot >= 0) reader->row[reader->of->columns[slot]] = 1.0f;
}

/* The next character that is no space, or 0 at the end. */
static char games_peek(NativeReader *reader) {
    while (reader->at < reader->end &&
           (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t' || *reader->at == '\r'))
        reader->at++;
    return reader->at < reader->end ? *reader->at : 0;
}

static void games_malformed(NativeReader *reader) {
    core_fail(CORE_NOT_JSON, (double)(reader->at - reader->start));
}

static char games_take(NativeReader *reader) {
    if (reader->at >= reader->end) games_malformed(reader);
    return *reader->at++;
}

static uint32_t games_read_hexadecimal(NativeReader *reader) {
    uint32_t number = 0;
    for (int digit = 0; digit < 4; digit++) {
        char one = games_take(reader);
        if (one >= '0' && one <= '9') number = number * 16 + (uint32_t)(one - '0');
        else if (one >= 'a' && one <= 'f') number = number * 16 + (uint32_t)(one - 'a' + 10);
        else if (one >= 'A' && one <= 'F') number = number * 16 + (uint32_t)(one - 'A' + 10);
        else games_malformed(reader);
    }
    return number;
}

static int games_utf8(uint32_t point, char *bytes) {
    if (point < 0x80) return bytes[0] = (char)point, 1;
    int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    bytes[0] = (char)((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | point >> 6 * more);
    for (int at = 1; at <= more; at++) bytes[at] = (char)(0x80 | (point >> 6 * (more - at) & 0x3f));
    return more + 1;
}

/* Takes one character of a string, past its opening quotation mark, as UTF-8 into `bytes`; returns how many bytes
it has, 0 at the closing quotation mark. */
static int games_read_character(NativeReader *reader, char *bytes) {
    unsigned char first = (unsigned char)(bytes[0] = games_take(reader));
    if (first == '"') return 0;
    if (first != '\\') {
        int more = first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        for (int at = 1; at <= more; at++) bytes[at] = games_take(reader);
        return more + 1;
    }
    bytes[0] = games_take(reader);
    switch (bytes[0]) {
        case 'b': return bytes[0] = '\b', 1;
        case 'f': return bytes[0] = '\f', 1;
        case 'n': return bytes[0] = '\n', 1;
        case 'r': return bytes[0] = '\r', 1;
        case 't': return bytes[0] = '\t', 1;
        case 'u': break;
        default: return 1;
    }
    uint32_t point = games_read_hexadecimal(reader);
    if (point >= 0xd800 && point < 0xdc00 && reader->end - reader->at >= 6 && reader->at[0] == '\\' &&
        reader->at[1] == 'u') {
        reader->at += 2;
        point = 0x10000 + ((point - 0xd800) << 10) + ((games_read_hexadecimal(reader) - 0xdc00) & 0x3ff);
    }
    return games_utf8(point, bytes);
}

/* The hash of what a string holds, past its opening quotation mark. */
static uint64_t games_read_string(NativeReader *reader, uint64_t hash) {
    char bytes[4];
    for (int count; (count = games_read_character(reader, bytes));) hash = games_hash(hash, bytes, count);
    return hash;
}

static uint64_t games_item(uint64_t path, int64_t index) {
    char digits[24];
    Text text = {digits, sizeof digits, 0};
    put_char(&text, '/');
    put_int(&text, index);
    return games_hash(path, digits, text.length);
}

/* A string of which each character has its own columns. */
static void games_read_spelt(NativeReader *reader, uint64_t path) {
    char bytes[4];
    int64_t index = 0;
    for (int count; (count = games_read_character(reader, bytes)); index++)
        games_set(reader, games_hash(games_kind(games_item(path, index), 's'), bytes, count));
    if (!index) games_set(reader, games_hash(games_kind(path, 'c'), "[]", 2));
}

static int games_at_digit(const NativeReader *reader) {
    return reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9';
}

/* Takes digits behind those in `mantissa`; returns how many, of which those that find no more room there are
counted in `left_out`. */
static int64_t games_read_digits(NativeReader *reader, uint64_t *mantissa, int64_t *left_out) {
    int64_t count = 0;
    for (; games_at_digit(reader); reader->at++, count++) {
        if (*mantissa < 100000000000000000u) *mantissa = *mantissa * 10 + (uint64_t)(*reader->at - '0');
        else ++*left_out;
    }
    return count;
}

static double games_read_number(NativeReader *reader) {
    int negative = *reader->at == '-', below = 0;
    uint64_t mantissa = 0, power = 0;
    int64_t left_out = 0, ignored = 0, places = 0;
    reader->at += negative;
    if (!games_read_digits(reader, &mantissa, &left_out)) games_malformed(reader);
    if (reader->at < reader->end && *reader->at == '.') {
        reader->at++;
        places = games_read_digits(reader, &mantissa, &left_out);
    }
    if (reader->at < reader->end && (*reader->at == 'e' || *reader->at == 'E')) {
        reader->at++;
        if (reader->at < reader->end && (*reader->at == '-' || *reader->at == '+')) below = *reader->at++ == '-';
        games_read_digits(reader, &power, &ignored);
    }
    int64_t exponent = (power > 1000 ? 1000 : (int64_t)power) * (below ? -1 : 1) + left_out - places;
    /* Exact wherever put_number made the text: the powers up to 10^22 are doubles. */
    double size = (double)mantissa;
    size = exponent < 0 ? size / pow(10.0, (double)-exponent) : size * pow(10.0, (double)exponent);
    return (negative ? -size : size) + 0.0; /* no negative zero */
}

static void games_read_value(NativeReader *reader, uint64_t path);

/* An object or an array, past its opening bracket. */
static void games_read_inside(NativeReader *reader, uint64_t path, char open) {
    char close = open == '{' ? '}' : ']';
    if (games_peek(reader) == close) {
        reader->at++;
        games_set(reader, games_hash(games_kind(path, 'c'), open == '{' ? "{}" : "[]", 2));
        return;
    }
    for (int64_t index = 0;; index++) {
        uint64_t place;
        if (open == '{') {
            if (games_peek(reader) != '"') games_malformed(reader);
            reader->at++;
            place = games_read_string(reader, games_hash(path, "/", 1));
            if (games_peek(reader) != ':') games_malformed(reader);
            reader->at++;
        } else {
            place = games_item(path, index);
        }
        games_read_value(reader, place);
        char next = games_peek(reader);
        if (next != ',' && next != close) games_malformed(reader);
        reader->at++;
        if (next == close) return;
    }
}

static void games_read_word(NativeReader *reader, uint64_t path) {
    static const char *const words[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity"};
    for (int word = 0; word < 6; word++) {
        int64_t length = 0, left = reader->end - reader->at;
        while (length < left && words[word][length] && words[word][length] == reader->at[length]) length++;
        if (!words[word][length]) {
            games_set(reader, games_hash(games_kind(path, 'c'), words[word], length));
            reader->at += length;
            return;
        }
    }
    games_malformed(reader);
}

static void games_read_value(NativeReader *reader, uint64_t path) {
    char first = games_peek(reader);
    if (first == '{' || first == '[') {
        if (++reader->depth > CORE_DEPTH) games_malformed(reader);
        reader->at++;
        games_read_inside(reader, path, first);
        reader->depth--;
    } else if (first == '"') {
        reader->at++;
        if (games_find(reader->of, games_kind(path, 'p')) >= 0) games_read_spelt(reader, path);
        else games_set(reader, games_read_string(reader, games_kind(path, 's')));
    } else if (games_at_digit(reader) || (first == '-' && reader->end - reader->at > 1 && reader->at[1] != 'I')) {
        double number = games_read_number(reader);
        games_set(reader, games_hash(games_kind(path, 'd'), &number, sizeof number));
        int64_t slot = games_find(reader->of, games_kind(path, 'n'));
        if (slot >= 0) reader->row[reader->of->columns[slot]] = (float)(number / reader->of->scales[slot]);
    } else {
        games_read_word(reader, path);
    }
}

/* Adds what a player sees of a state to the player's row. */
static void games_encode(const NativeColumns *of, const State *state, int player, float *row) {
    float *now = row + NUM_PLAYERS, *trace = now + of->width;
    Text text = {of->text, of->capacity, 0};
    observation(state, player, &text);
    if (text.length > text.capacity) core_fail(CORE_TEXT_TOO_LONG, (double)text.length);
    if (of->remembers) memcpy(of->before, now, (size_t)of->width * sizeof *now);
    memset(now, 0, (size_t)of->width * sizeof *now);
    NativeReader reader = {of, of->text, of->text, of->text + text.length, now, 0};
    games_read_value(&reader, CORE_HASH);
    if (games_peek(&reader)) games_malformed(&reader);
    if (!of->remembers) return;
    for (int32_t at = 0; at < of->width + of->actions; at++) trace[at] *= 0.5f;
    for (int32_t at = 0; at < of->width; at++)
        if (now[at] != of->before[at]) trace[at] += now[at];
}

/* Adds the action that a player takes in a state to the player's row. */
static void games_note_action(const NativeColumns *of, const State *state, int action, float *row) {
    if (!of->remembers) return;
    Text text = {of->text, of->capacity, 0};
    action_name(state, action, &text);
    if (text.length > text.capacity) core_fail(CORE_TEXT_TOO_LONG, (double)text.length);
    int64_t slot = games_find(of, games_hash(games_kind(CORE_HASH, 'a'), of->text, text.length));
    if (slot >= 0) row[NUM_PLAYERS + of->width + of->columns[slot]] += 1.0f;
}
