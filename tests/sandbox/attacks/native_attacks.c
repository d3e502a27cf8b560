/* A world model in C that attacks, once it is told by which name. No such source would be compiled (assembly,
attributes, variables): here the walls behind that check are attacked. All in one file, because compiling takes
seconds. x86_64 only. */

enum { NUM_PLAYERS = 2, NUM_DISTINCT_ACTIONS = 4, MAX_CHANCE_OUTCOMES = 2, MAX_GAME_LENGTH = 8 };
#define MIN_UTILITY -1.0
#define MAX_UTILITY 1.0
#define EXPORT __attribute__((visibility("default")))

typedef struct {
    char said[256]; /* what an attack brings home */
    int moves;
} State;

static char attack[64], secret_path[512], new_path[512];
static long numbers[8]; /* process ids, addresses and ports, in the order of attack_choose */
enum { PARENT, VICTIM, VICTIM_ADDRESS, TCP, REQUEST };
static long attack_result = -1;
static char writable[4096];

static long raw(long number, long a, long b, long c, long d, long e) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = 0;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static long raw32(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
    return result;
}

static int same(const char *one, const char *other) {
    while (*one && *one == *other) one++, other++;
    return *one == *other;
}

static void copy(char *to, const char *from, int room) {
    int at = 0;
    for (; from[at] && at < room - 1; at++) to[at] = from[at];
    to[at] = 0;
}

EXPORT void attack_choose(const char *name, const char *secret, const char *fresh, const long *given) {
    copy(attack, name, sizeof attack);
    copy(secret_path, secret, sizeof secret_path);
    copy(new_path, fresh, sizeof new_path);
    for (int at = 0; at < 8; at++) numbers[at] = given[at];
    attack_result = -1;
}

EXPORT long attack_outcome(void) {
    return attack_result;
}

/* --- ways to run code that is not there --- */

typedef long (*Code)(long, long, long, long);

/* mov rax, rdi; mov rdi, rsi; mov rsi, rdx; mov rdx, rcx; syscall; ret */
#define SHELLCODE 0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x48, 0x89, 0xca, 0x0f, 0x05, 0xc3
static const unsigned char constant_code[] = {SHELLCODE};
static unsigned char variable_code[] = {SHELLCODE};

__attribute__((noinline)) static long hides_code(long x) {
    return x ^ 0x90c3050fca8948L; /* mov rdx, rcx; syscall; ret: among the constants of honest code */
}

static long hidden_gadget(long number, long a, long b, long c) {
    const unsigned char *at = (const unsigned char *)hides_code;
    for (int offset = 0; offset < 64; offset++, at++)
        if (at[0] == 0x0f && at[1] == 0x05 && at[2] == 0xc3) {
            long result;
            __asm__ volatile("call *%1" : "=a"(result) : "r"(at), "a"(number), "D"(a), "S"(b), "d"(c)
                             : "rcx", "r11", "memory");
            return result;
        }
    return -1;
}

static void read_into(State *state, long descriptor) {
    if (descriptor >= 0) raw(0, descriptor, (long)state->said, sizeof state->said - 1, 0, 0);
    attack_result = descriptor;
}

static int recursion(int depth) {
    volatile char room[512];
    room[depth % 512] = (char)depth;
    return recursion(depth + 1) + room[(depth + 1) % 512];
}

static void say(const char *frame, int length) {
    while (length > 0) {
        long sent = raw(1, 3, (long)frame, length, 0, 0);
        if (sent <= 0) return;
        frame += sent, length -= (int)sent;
    }
}

static void forge(void) {
    char frame[64], digits[20];
    int length = 4, count = 0;
    long number = numbers[REQUEST];
    copy(frame + length, "{\"id\":", 32), length += 6;
    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count) frame[length++] = digits[--count];
    copy(frame + length, ",\"value\":8}", 32), length += 11;
    frame[0] = frame[1] = frame[2] = 0, frame[3] = (char)(length - 4);
    say(frame, length);
    raw(231, 0, 0, 0, 0, 0);
}

/* --- the attacks --- */

typedef struct {
    unsigned short family, port;
    unsigned address;
    char rest[8];
} Address;

static void act(State *state) {
    long path = (long)secret_path, fresh = (long)new_path, out = (long)state->said;
    if (same(attack, "open")) read_into(state, raw(2, path, 0, 0, 0, 0));
    if (same(attack, "openat")) read_into(state, raw(257, -100, path, 0, 0, 0));
    if (same(attack, "open by int 0x80")) read_into(state, raw32(5, path, 0, 0));
    if (same(attack, "open by x32")) read_into(state, raw(0x40000002, path, 0, 0, 0, 0));
    if (same(attack, "open by bytes among constants")) read_into(state, hidden_gadget(2, path, 0, 0));
    if (same(attack, "create")) attack_result = raw(2, fresh, 0101, 0666, 0, 0);
    if (same(attack, "mkdir")) attack_result = raw(83, fresh, 0777, 0, 0, 0);
    if (same(attack, "unlink")) attack_result = raw(87, path, 0, 0, 0, 0);
    if (same(attack, "truncate")) attack_result = raw(76, path, 0, 0, 0, 0);
    if (same(attack, "rename")) attack_result = raw(82, path, fresh, 0, 0, 0);
    if (same(attack, "inherited descriptors"))
        for (long descriptor = 4; descriptor < 64; descriptor++) {
            long found = raw(0, descriptor, out, 255, 0, 0);
            if (found > 0) attack_result = found;
        }
    if (same(attack, "another's memory")) {
        long to[2] = {out, 64}, from[2] = {numbers[VICTIM_ADDRESS], 64};
        attack_result = raw(310, numbers[VICTIM], (long)to, 1, (long)from, 1);
    }
    if (same(attack, "ptrace")) attack_result = raw(101, 16, numbers[VICTIM], 0, 0, 0);
    if (same(attack, "kill the parent")) attack_result = raw(62, numbers[PARENT], 9, 0, 0, 0);
    if (same(attack, "kill the neighbour")) attack_result = raw(62, numbers[VICTIM], 9, 0, 0, 0);
    if (same(attack, "kill all")) attack_result = raw(62, -1, 9, 0, 0, 0);
    if (same(attack, "fork")) attack_result = raw(57, 0, 0, 0, 0, 0);
    if (same(attack, "vfork")) attack_result = raw(58, 0, 0, 0, 0, 0);
    if (same(attack, "clone")) attack_result = raw(56, 0x11, 0, 0, 0, 0);
    if (same(attack, "thread"))
        attack_result = raw(56, 0x50f00, (long)(writable + sizeof writable - 64), 0, 0, 0);
    if (same(attack, "exec")) {
        static const char shell[] = "/bin/sh", option[] = "-c";
        static char command[600] = "touch ";
        copy(command + 6, new_path, 512);
        long arguments[4] = {(long)shell, (long)option, (long)command, 0}, environment[1] = {0};
        attack_result = raw(59, (long)shell, (long)arguments, (long)environment, 0, 0);
    }
    if (same(attack, "connect")) {
        Address address = {2, (unsigned short)((numbers[TCP] & 255) << 8 | numbers[TCP] >> 8), 0x0100007f, {0}};
        long descriptor = raw(41, 2, 1, 0, 0, 0);
        attack_result = descriptor < 0 ? descriptor : raw(42, descriptor, (long)&address, sizeof address, 0, 0);
    }
    if (same(attack, "become root")) attack_result = raw(105, 0, 0, 0, 0, 0);
    if (same(attack, "loosen the filter")) {
        unsigned long allow[1] = {0x7fff000000000006UL}, program[2] = {1, (unsigned long)allow};
        attack_result = raw(317, 1, 0, (long)program, 0, 0);
        if (attack_result == 0) read_into(state, raw(2, path, 0, 0, 0, 0));
    }
    if (same(attack, "executable memory")) attack_result = raw(9, 0, 4096, 7, 0x22, -1);
    if (same(attack, "code made writable"))
        attack_result = raw(10, (long)act & ~4095L, 4096, 7, 0, 0);
    if (same(attack, "data made executable"))
        attack_result = raw(10, (long)writable & ~4095L, 4096, 5, 0, 0);
    if (same(attack, "a process key")) attack_result = raw(329, -1, 0, 0, 0, 0) == 0 ? raw(330, 0, 0, 0, 0, 0) : -1;
    if (same(attack, "io_uring")) attack_result = raw(425, 4, (long)writable, 0, 0, 0);
    if (same(attack, "memfd")) attack_result = raw(319, (long)"x", 0, 0, 0, 0);
    if (same(attack, "bpf")) attack_result = raw(321, 0, (long)writable, 64, 0, 0);
    if (same(attack, "jump into constants")) read_into(state, ((Code)(long)constant_code)(2, path, 0, 0));
    if (same(attack, "jump into variables")) read_into(state, ((Code)(long)variable_code)(2, path, 0, 0));
    if (same(attack, "jump into the stack")) {
        volatile unsigned char code[] = {SHELLCODE};
        read_into(state, ((Code)(long)code)(2, path, 0, 0));
    }
    if (same(attack, "jump into the state")) {
        for (unsigned at = 0; at < sizeof constant_code; at++) state->said[at] = (char)constant_code[at];
        read_into(state, ((Code)(long)state->said)(2, path, 0, 0));
    }
    if (same(attack, "jump to nowhere")) ((Code)0x1234)(0, 0, 0, 0);
    if (same(attack, "write into code")) *(volatile char *)(long)act = 0;
    if (same(attack, "write into constants")) *(volatile char *)(long)constant_code = 0;
    if (same(attack, "write everywhere upwards")) for (volatile char *at = (char *)state;; at++) *at = 1;
    if (same(attack, "write everywhere downwards")) for (volatile char *at = (char *)state;; at--) *at = 1;
    if (same(attack, "write past the state")) for (int at = 0; at < 4096; at++) ((volatile char *)(state + 1))[at] = 0x41;
    if (same(attack, "write before the state")) for (int at = 1; at < 4096; at++) ((volatile char *)state)[-at] = 0x41;
    if (same(attack, "smash the stack")) {
        volatile char room[8];
        for (int at = 0; at < 4096; at++) room[at] = 0x41;
    }
    if (same(attack, "read nowhere")) state->said[0] = *(volatile char *)16;
    if (same(attack, "divide by zero")) { volatile int zero = 0; state->moves = 1 / zero; }
    if (same(attack, "trap")) __builtin_trap();
    if (same(attack, "wild return")) {
        core_entry[0] = core_entry[1] = core_entry[2] = (void *)0x4141414141414141;
        core_fail(CORE_WRONG_SUM, 1.0);
    }
    if (same(attack, "endless loop")) for (volatile long at = 0;; at++) {}
    if (same(attack, "endless recursion")) state->moves = recursion(0);
    if (same(attack, "a stack of a gigabyte")) {
        volatile char *room = __builtin_alloca(1L << 30);
        for (long at = (1L << 30) - 1; at >= 0; at -= 4096) room[at] = 1;
    }
    if (same(attack, "all memory"))
        for (;;) {
            char *found = (char *)raw(9, 0, 1 << 24, 3, 0x22, -1);
            if ((long)found < 0) break;
            for (long at = 0; at < 1 << 24; at += 4096) found[at] = 1;
        }
    if (same(attack, "exit")) raw(231, 0, 0, 0, 0, 0);
    if (same(attack, "close the channel")) raw(3, 3, 0, 0, 0, 0);
    if (same(attack, "junk on the channel")) say("junkjunkjunkjunk", 16);
    if (same(attack, "flood")) for (;;) say(writable, sizeof writable);
    if (same(attack, "a guessed number")) numbers[REQUEST] = 1, forge();
    if (same(attack, "forge")) forge();
}

void initial_state(State *state) {
    act(state);
}

int current_player(const State *state) {
    if (same(attack, "a player of a billion")) return 1000000000;
    return same(attack, "chance for ever") ? CHANCE_PLAYER : 0;
}

int legal_actions(const State *state, int *actions) {
    if (same(attack, "no actions")) return 0;
    if (same(attack, "a billion actions")) return 1000000000;
    if (same(attack, "actions past the buffer"))
        for (int at = 0; at < 100000; at++) ((volatile int *)actions)[at] = 0x41414141;
    actions[0] = same(attack, "wild action") ? -1000000000 : 0;
    return 1;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    outcomes[0] = 0, probabilities[0] = same(attack, "no chance") ? 0.0 : 1.0;
    return 1;
}

void apply_action(State *state, int action) {
    /* A game that never ends. */
}

void returns(const State *state, double *amounts) {
    amounts[0] = amounts[1] = same(attack, "infinite returns") ? __builtin_inf() : 0.0;
}

void action_name(const State *state, int action, Text *text) {
    if (same(attack, "an endless name")) for (;;) put_char(text, 'x');
    if (same(attack, "a text elsewhere")) text->bytes = (char *)0x4141414141414141;
    if (same(attack, "a text of a terabyte")) text->length = 1L << 40;
    put(text, "\x1b[2J\xff");
}

void observation(const State *state, int player, Text *text) {
    for (int at = 0; at < 100000; at++) put(text, same(attack, "deep JSON") ? "[" : "\x1b]0;x\x07");
}
