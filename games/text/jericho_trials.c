/* Tries commands in a story faster than Jericho's own loop does.

   Nine tenths of a trial are the decoding of instructions. Here the frequent ones are decoded and carried out
   in one function; all others, and every frequent one that could be an error, are handed as they stand to
   Jericho's interpreter, which also prints, reads, and keeps count of the changes. The state (memory, stack,
   program counter) is the interpreter's own throughout, so that either may carry out the next instruction.

   Instructions, tables and sizes are those of the Z-Machine Standards Document 1.1, sections 4 to 6, 12, 14
   and 15. The layout of a stack frame is the interpreter's, growing downwards: argument count in bits 0 to 7,
   number of locals in bits 8 to 11, kind of call in bits 12 to 15; the caller's frame as an index less one;
   the return address in two words of 9 bits and the rest; above them, further down, the locals.

   `jericho_trials.py` compiles this file and fills `struct host` in this order. */

#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;

enum { STACK_WORDS = 1024, SPARE_WORDS = 64, EFFECT = 128, LONGEST = 250, READ = 228, READ_KEY = 246 };
enum { FUNCTION, PROCEDURE };

struct host {
    u8 **memory, **pc;
    u16 **sp, **fp, *stack, *globals, *objects, *dynamic;
    u8 *version, *opcode;
    int *halted, *frames, *moves, *sets, *clears, *specials;
    char *text;
    void (*run)(u8);
    u8 (*fetch)(void);
    void (*type)(char *);
    char *(*screen)(void);
    void (*clear)(void);
    char *(*clean)(char *);
    void (*before)(void), (*after)(void);
    short (*score)(void);
    int (*over)(void), (*victory)(void), (*changed)(void);
    void (*effect)(u16 *, u16 *);
    long (*generator)(void);
    int (*interval)(void), (*counter)(void);
    void (*set_generator)(long, int, int);
};

static struct host h;
static u32 size;

#define WORD(a) ((u16)(m[a] << 8 | m[(a) + 1]))
#define PUT(a, v) (m[a] = (v) >> 8, m[(a) + 1] = (u8)(v))
#define GLOBAL(v) (globals + 2 * ((v) - 16))
#define ENTRY(o) (objects + ((o) - 1) * (old ? 9 : 14))
#define RELATIVE(o, n) (old ? m[ENTRY(o) + 4 + (n)] : WORD(ENTRY(o) + 6 + 2 * (n)))
/* An operand that is a variable: 0 pops the stack, 1 to 15 are locals. */
#define LOAD(x) \
    do { \
        u32 b_ = *pc++; \
        if (!b_) x = *sp++; \
        else if (b_ < 16) x = *(fp - b_); \
        else { b_ = GLOBAL(b_); x = WORD(b_); } \
    } while (0)
/* The result, into the variable that the instruction names last. */
#define STORE(v) \
    do { \
        u16 v_ = (v); \
        u32 b_ = *pc++; \
        if (!b_) *--sp = v_; \
        else if (b_ < 16) *(fp - b_) = v_; \
        else { b_ = GLOBAL(b_); PUT(b_, v_); } \
    } while (0)
#define BRANCH(c) do { truth = (c); goto branch; } while (0)
#define RETURN(v) do { result = (v); goto leave; } while (0)
#define OBJECT(o) ((o) && (o) <= (old ? 255 : 2000))

/* Carries out the instruction at hand and all until the story waits for input or halts. */
static void run(void) {
    u8 *const m = *h.memory, *pc = *h.pc, *start, op = *h.opcode;
    u16 *sp = *h.sp, *fp = *h.fp, *sp_start, x[8], result;
    const u32 globals = *h.globals, dynamic = *h.dynamic, version = *h.version;
    const int old = version <= 3;
    const u32 objects = *h.objects + (old ? 62 : 126), attributes = old ? 32 : 48;
    int n, count, truth, kind, first;
    u32 a, to;

    for (first = 1;; first = 0) {
        start = pc;
        sp_start = sp;
        if (op < 0x80) {
            if (op & 0x40) LOAD(x[0]);
            else x[0] = *pc++;
            if (op & 0x20) LOAD(x[1]);
            else x[1] = *pc++;
            count = 2;
            n = op & 31;
        } else if (op < 0xb0) {
            if (op >= 0xa0) LOAD(x[0]);
            else if (op >= 0x90) x[0] = *pc++;
            else { x[0] = pc[0] << 8 | pc[1]; pc += 2; }
            count = 1;
            n = 64 + (op & 15);
        } else if (op < 0xc0) {
            count = 0;
            n = 96 + (op & 15);
        } else {
            u32 types = *pc++ << 8;
            if (op == 0xec || op == 0xfa) types |= *pc++;
            else types |= 0xff;
            for (count = 0; count < 8; count++, types = types << 2 & 0xffff) {
                u32 type = types >> 14;
                if (type == 3) break;
                if (type == 2) LOAD(x[count]);
                else if (type == 1) x[count] = *pc++;
                else { x[count] = pc[0] << 8 | pc[1]; pc += 2; }
            }
            n = op < 0xe0 ? op & 31 : 32 + (op & 31);
            if (n < 32 && n != 1 && count != 2 && n != 25 && n != 26) goto host;
            if (!count && n != 32) goto host;
        }
        switch (n) {
        case 1:
            if (count < 2) goto host;
            BRANCH(x[0] == x[1] || (count > 2 && x[0] == x[2]) || (count > 3 && x[0] == x[3]));
        case 2: BRANCH((int16_t)x[0] < (int16_t)x[1]);
        case 3: BRANCH((int16_t)x[0] > (int16_t)x[1]);
        case 4: case 5: case 69: case 70: /* dec_chk, inc_chk, inc, dec */
            if (x[0] > 255) goto host;
            kind = n == 5 || n == 69 ? 1 : -1;
            if (x[0] < 16) { u16 *p = x[0] ? fp - x[0] : sp; result = *p += kind; }
            else { a = GLOBAL(x[0]); result = WORD(a) + kind; PUT(a, result); }
            if (n > 5) break;
            BRANCH(n == 5 ? (int16_t)result > (int16_t)x[1] : (int16_t)result < (int16_t)x[1]);
        case 36: case 54: /* read, read_char: those that end a trial are not carried out */
            if (!first) goto stop;
            goto host;
        case 6:
            if (!OBJECT(x[0])) goto host;
            BRANCH(RELATIVE(x[0], 0) == x[1]);
        case 7: BRANCH((x[0] & x[1]) == x[1]);
        case 8: STORE(x[0] | x[1]); break;
        case 9: STORE(x[0] & x[1]); break;
        case 10:
            if (!OBJECT(x[0]) || x[1] >= attributes) goto host;
            BRANCH(m[ENTRY(x[0]) + x[1] / 8] & 0x80 >> (x[1] & 7));
        case 13:
            if (x[0] > 255) goto host;
            if (x[0] < 16) *(x[0] ? fp - x[0] : sp) = x[1];
            else { a = GLOBAL(x[0]); PUT(a, x[1]); }
            break;
        case 15: a = (u16)(x[0] + 2 * x[1]); STORE(WORD(a)); break;
        case 16: a = (u16)(x[0] + x[1]); STORE(m[a]); break;
        case 17: case 18: /* get_prop, get_prop_addr */
            if (!OBJECT(x[0])) goto host;
            a = ENTRY(x[0]) + (old ? 7 : 12);
            a = WORD(a);
            a += 1 + 2 * m[a];
            for (;;) { /* properties are in falling order, zero ends them */
                int b = m[a], number = b & (old ? 31 : 63);
                u32 head = !old && b & 0x80 ? 2 : 1;
                u32 length = old ? (b >> 5) + 1 : head == 1 ? 1 + (b >> 6) : m[a + 1] & 63 ? m[a + 1] & 63 : 64;
                if (number == x[1]) {
                    if (!number) goto host;
                    a += head;
                    if (n == 18) { STORE(a); break; }
                    if (head > 1) goto host;
                    STORE(length == 1 ? m[a] : WORD(a));
                    break;
                }
                if (number < x[1]) {
                    if (n == 17) { a = *h.objects + 2 * (x[1] - 1); STORE(WORD(a)); } /* the default */
                    else STORE(0);
                    break;
                }
                a += head + length;
            }
            break;
        case 20: STORE(x[0] + x[1]); break;
        case 21: STORE(x[0] - x[1]); break;
        case 22: STORE((u16)((u32)x[0] * x[1])); break;
        case 23: case 24: /* div, mod */
            if (!x[1]) goto host;
            STORE(n == 23 ? (int16_t)x[0] / (int16_t)x[1] : (int16_t)x[0] % (int16_t)x[1]);
            break;
        case 25: case 32: case 44: case 72: /* call_2s, call_vs, call_vs2, call_1s */
            kind = FUNCTION;
            goto call;
        case 26: case 57: case 58: /* call_2n, call_vn, call_vn2 */
            kind = PROCEDURE;
            goto call;
        case 33: case 34: /* storew, storeb */
            if (count != 3) goto host;
            a = (u16)(x[0] + (n == 33 ? 2 * x[1] : x[1]));
            /* The header is written with side effects, read-only memory is an error. */
            if (a < 64 || a + 1 >= dynamic) goto host;
            if (n == 33) PUT(a, x[2]);
            else m[a] = (u8)x[2];
            break;
        case 40: *--sp = x[0]; break;
        case 41: /* pull */
            if (version == 6 || !x[0] || x[0] > 255) goto host;
            if (x[0] < 16) *(fp - x[0]) = *sp;
            else { a = GLOBAL(x[0]); PUT(a, *sp); }
            sp++;
            break;
        case 63: if (*h.frames < 1) goto host; BRANCH(x[0] <= (fp[0] & 0xff));
        case 64: BRANCH(!x[0]);
        case 65: case 66: case 67: /* get_sibling, get_child, get_parent */
            if (!OBJECT(x[0])) goto host;
            result = RELATIVE(x[0], n == 65 ? 1 : n == 66 ? 2 : 0);
            STORE(result);
            if (n == 67) break;
            BRANCH(result != 0);
        case 68: { /* get_prop_len */
            int b = x[0] ? m[x[0] - 1] : 0;
            if (!old && b & 0x80) goto host;
            STORE(!x[0] ? 0 : old ? (b >> 5) + 1 : (b >> 6) + 1);
            break;
        }
        case 75: RETURN(x[0]);
        case 76:
            a = (u32)(pc - m) + (int16_t)x[0] - 2;
            if (a >= size) goto host;
            pc = m + a;
            break;
        case 78: /* load */
            if (x[0] > 255) goto host;
            if (x[0] < 16) result = *(x[0] ? fp - x[0] : sp);
            else { a = GLOBAL(x[0]); result = WORD(a); }
            STORE(result);
            break;
        case 79: if (version < 5) STORE(~x[0]); else { kind = PROCEDURE; goto call; } break;
        case 96: RETURN(1);
        case 97: RETURN(0);
        case 104: result = *sp++; goto leave; /* ret_popped */
        default: goto host;
        }
        op = *pc++;
        continue;

    branch: {
        u8 b = *pc++;
        int16_t offset = b & 63;
        if (!(b & 0x40)) { offset = (int16_t)((b & 63) << 10) >> 2 | *pc++; }
        if (!truth == !(b & 0x80)) {
            if (offset == 0 || offset == 1) RETURN(offset);
            pc += offset - 2;
        }
        op = *pc++;
        continue;
    }

    call:
        to = x[0] * (old ? 2 : version <= 5 ? 4 : 8);
        if (version == 6 || version == 7 || sp - h.stack < SPARE_WORDS) goto host;
        if (to + 1 >= size || (to && m[to] > 15)) goto host;
        if (!to) {
            if (kind == FUNCTION) STORE(0);
        } else {
            a = (u32)(pc - m);
            *--sp = a >> 9;
            *--sp = a & 0x1ff;
            *--sp = (u16)(fp - h.stack - 1);
            *--sp = (count - 1) | m[to] << 8 | kind << 12;
            fp = sp;
            ++*h.frames;
            pc = m + to + 1;
            for (int local = 1; local <= m[to]; local++) {
                u16 value = 0;
                if (version <= 4) { value = pc[0] << 8 | pc[1]; pc += 2; }
                *--sp = local < count ? x[local] : value;
            }
        }
        op = *pc++;
        continue;

    leave:
        kind = fp[0] >> 12;
        if (sp > fp || kind > PROCEDURE) goto host;
        sp = fp + 4;
        pc = m + ((u32)fp[3] << 9 | fp[2]);
        fp = h.stack + 1 + fp[1];
        --*h.frames;
        if (kind == FUNCTION) STORE(result);
        op = *pc++;
        continue;

    host:
        *h.pc = start;
        *h.sp = sp_start;
        *h.fp = fp;
        h.run(op);
        *h.opcode = op = h.fetch();
        if (*h.halted > 0) return;
        pc = *h.pc;
        sp = *h.sp;
        fp = *h.fp;
    }
stop: /* its operands are decoded again when it is carried out */
    *h.pc = start;
    *h.sp = sp_start;
    *h.fp = fp;
    *h.opcode = op;
}

/* Tries each of the commands, which end with a zero byte each, in the present state, and restores it. Writes
   to `valid` 1 or 0 for each, and to `effects` 128 words for each. Returns how many were tried: less than
   all where the interpreter halts. `length` is that of the story, in bytes. */
int try_all(const struct host *from, u32 length, const char *commands, int number, u8 *valid, u16 *effects) {
    static u8 memory[65536];
    static u16 stack[STACK_WORDS];
    char line[LONGEST + 2];
    int done;
    h = *from;
    size = length;
    u16 *sp = *h.sp, *fp = *h.fp;
    u8 *pc = *h.pc, opcode = *h.opcode;
    int frames = *h.frames, interval = h.interval(), counter = h.counter();
    long generator = h.generator();
    short score = h.score();
    memcpy(memory, *h.memory, *h.dynamic);
    memcpy(stack, h.stack, sizeof stack);
    for (done = 0; done < number; done++, commands += strlen(commands) + 1, effects += EFFECT) {
        if (strlen(commands) > LONGEST) return done;
        strcat(strcpy(line, commands), "\n");
        *h.moves = *h.sets = *h.clears = *h.specials = 0;
        h.before();
        h.type(line);
        /* The instruction at hand is `read`, which the host carries out. */
        run();
        h.after();
        char *text = h.clean(h.screen());
        strcpy(h.text, text);
        h.clear();
        if (*h.halted > 0) return done;
        /* As Jericho has it: what is done to something taken by the way is no command of its own. */
        valid[done] = !strstr(text, "(Taken)")
            && (h.score() != score || h.over() > 0 || h.victory() > 0 || h.changed() > 0);
        if (valid[done]) h.effect(effects, effects + EFFECT / 2);
        h.set_generator(generator, interval, counter);
        memcpy(*h.memory, memory, *h.dynamic);
        memcpy(h.stack, stack, sizeof stack);
        *h.pc = pc;
        *h.sp = sp;
        *h.fp = fp;
        *h.opcode = opcode;
        *h.frames = frames;
    }
    return done;
}
