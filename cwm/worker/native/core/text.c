/* Text that a model puts together. What does not fit is counted and left out, and the reader refuses it. */

struct Text {
    char *bytes;
    int64_t capacity, length;
};

static void put_char(Text *text, char character) {
    if (text->length < text->capacity) text->bytes[text->length] = character;
    text->length++;
}

static void put(Text *text, const char *string) {
    while (*string) put_char(text, *string++);
}

static void put_int(Text *text, int64_t number) {
    char digits[20];
    int count = 0;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) put_char(text, '-');
    while (count) put_char(text, digits[--count]);
}

/* The shortest decimal fraction m / 10^d that is the number. Both fit into a double without rounding, so
reading it back gives the number again (Clinger 1990, "How to read floating point numbers accurately"). */
static void put_number(Text *text, double number) {
    if (number != number || fabs(number) > 9e15) {
        put(text, number != number ? "NaN" : number > 0 ? "Infinity" : "-Infinity");
        return;
    }
    double scale = 1.0, size = fabs(number), mantissa = floor(size);
    int places = 0;
    while (mantissa / scale != size && places < 22 && size * scale < 9e14) {
        places++;
        scale *= 10.0;
        mantissa = floor(size * scale + 0.5);
    }
    if (number < 0) put_char(text, '-');
    put_int(text, (int64_t)mantissa);
    put(text, "e-");
    put_int(text, places);
}

static void put_quoted(Text *text, const char *string) {
    put_char(text, '"');
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;
        if (byte == '"' || byte == '\\') put_char(text, '\\');
        if (byte < ' ') {
            put(text, "\\u00");
            put_char(text, (char)('0' + byte / 16));
            byte = (unsigned char)"0123456789abcdef"[byte % 16];
        }
        put_char(text, (char)byte);
    }
    put_char(text, '"');
}
