"""What may stand in a model in C: nothing by which a compiler or a loader would do more than translate."""

from __future__ import annotations

from pathlib import Path

import pytest

from cwm.contract import native_source

MODELS = sorted((Path(__file__).parents[1] / "models").rglob("*.c"))
PIG = (Path(__file__).parents[1] / "models" / "pig.c").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_models_of_the_tests_pass(path):
    source = path.read_text(encoding="utf-8")
    assert native_source.breaches(source) == ()
    assert set(native_source.FUNCTIONS) <= native_source.functions_defined(source)


ONLY_DEFINE = "the only directive that is allowed"
TRICKS = {
    '#include "/etc/passwd"': ONLY_DEFINE,
    "#include <stdio.h>": ONLY_DEFINE,
    "# /* */ include </etc/passwd>": ONLY_DEFINE,
    "/* */ #include </etc/passwd>": ONLY_DEFINE,
    "#embed </etc/passwd>": ONLY_DEFINE,
    "#pragma GCC optimize(3)": ONLY_DEFINE,
    "#if __has_include(</etc/passwd>)": ONLY_DEFINE,
    "#line 3": ONLY_DEFINE,
    "#undef MIN_UTILITY": ONLY_DEFINE,
    "#define F(x) x": ONLY_DEFINE,
    "#define PASTED a ## b": ONLY_DEFINE,
    "#define if while": ONLY_DEFINE,
    "#define returns other": ONLY_DEFINE,
    "int x = 1; #define Y 1": ONLY_DEFINE,
    "#": ONLY_DEFINE,
    "#def\\\nine F(x) x": "continued by a backslash",
    "in\\ \nt x;": "continued by a backslash",
    "// comment \\\n#include <x>": "continued by a backslash",
    "??=include <x>": "a trigraph",
    "%:include <x>": "digraph '%:'",
    "int a<:3:>;": "digraph '<:'",
    "void f(void) <% %>": "digraph '<%'",
    '_Pragma("once")': "the name '_Pragma' begins with an underscore",
    "__attribute__((constructor)) void f(void) {}": "'__attribute__' begins",
    "[[gnu::constructor]] void f(void) {}": "an attribute is not allowed",
    "[ [gnu::constructor]] void f(void) {}": "an attribute is not allowed",
    'void f(void) { asm("syscall"); }': "'asm' is not allowed",
    'void f(void) { __asm__("syscall"); }': "'__asm__' begins",
    'void f(void) { __asm("syscall"); }': "'__asm' begins",
    '#define A asm\nvoid f(void) { A("syscall"); }': "'asm' is not allowed",
    "int f(void) { return __builtin_alloca(3) != 0; }": "'__builtin_alloca' begins",
    "const char *const where = __FILE__;": "'__FILE__' begins",
    "extern int puts(const char *);": "'extern' is not allowed",
    "int puts(const char *);": "'puts' is declared and not defined here",
    "static int f(void), g(void);": "declared and not defined here",
    "void f(void) { goto *(void *)0; }": "'goto' is not allowed",
    "typedef int (*Call)(void);": "a pointer to a function",
    "int f(long at) { return ((int (*)(void))at)(); }": "a pointer to a function",
    "void f(void) { void (*table[3])(void); }": "a pointer to a function",
    "int counter;": "a variable outside functions must be const",
    "static int counter = 3;": "a variable outside functions must be const",
    "struct { int x; } counter;": "a variable outside functions must be const",
    "int counters[3] = {1, 2, 3};": "a variable outside functions must be const",
    "int f(void) { static int counter; return ++counter; }": "a static variable must be const",
    "int f(void) { static int counter = 1; const int x = 2; return counter; }": "a static variable must be const",
    "static _Thread_local int x;": "'_Thread_local' begins",
    "_Atomic int x;": "'_Atomic' begins",
    "volatile int x;": "'volatile' is not allowed",
    "const typeof(1) x = 1;": "'typeof' is not allowed",
    "int clock_gettime(int, void *);": "'clock_gettime' is not allowed",
    "void core_fail(int x) {}": "belongs to the search",
    "typedef int UctNode;": "belongs to the search",
    'const char *const x = u8"a";': "a string with the prefix 'u8'",
    'const char *const x = R"(a)";': "a string with the prefix 'R'",
    "int caf\u00e9;": "not printable ASCII",
    "int x\x0c;": "not printable ASCII",
    "int x;\r\n": "not printable ASCII",
    'const char *const x = "a': "unexpected text",
    "/* no end": "unexpected text",
    "int $x;": "unexpected text",
    "int @x;": "unexpected text",
    "int \\u0061sm;": "unexpected text",
}


@pytest.mark.parametrize("trick", TRICKS, ids=range(len(TRICKS)))
def test_tricks_are_refused(trick):
    found = native_source.breaches(f"{PIG}\n{trick}\n")
    assert any(TRICKS[trick] in breach for breach in found), found


@pytest.mark.parametrize(
    "honest",
    [
        "static const int TABLE[2][2] = {{1, 2}, {3, 4}};",
        'static const char *const WORDS[] = {"a \\"quoted\\" #word", "??", "/*"};',
        "enum { LEFT, RIGHT = 1 << 3 };",
        "typedef struct { int x, y; } Point;",
        "struct Pair { int a[2]; };",
        "union Either { int a; double b; };",
        "#define WIDE 0x1fULL /* a comment\n over lines */",
        "#define NOTHING",
        "#define CELLS (3 * 4)",
        "static int later(int x);\nstatic int later(int x) { return x * (x) + '\\'' + '#'; }",
        "static inline struct Point2 { int x; } made(void) { struct Point2 p = {0}; return p; }",
        "static int f(int *p, int n) { static const int T[2] = {1, 2}; return (*p) * (n) + T[n & 1]; }",
        "static int bits(uint64_t x) { return __builtin_popcountll(x) + __builtin_ctz(1u); }",
        "_Static_assert(sizeof(State) < 64, \"small\");",
        "static int g(bool x) { // a 'comment'\n  return x ? 1 : 0; }",
    ],
)  # fmt: skip
def test_honest_c_passes(honest):
    assert native_source.breaches(f"{PIG}\n{honest}\n") == ()


def test_what_is_missing_is_named():
    without = PIG.replace("void returns", "void other").replace("MAX_GAME_LENGTH = 40", "LENGTH = 40")
    without = without.replace("MAX_GAME_LENGTH", "LENGTH")
    found = " ".join(native_source.breaches(without))
    assert "the function returns is missing" in found
    assert "the constant MAX_GAME_LENGTH is missing" in found


def test_hidden_games_need_more():
    found = " ".join(native_source.breaches(PIG, True))
    assert "the function information_state is missing" in found and "the function resample is missing" in found
    assert "the type Information is missing" in found
    half = PIG + "\ntypedef struct { int x; } Information;\n"
    half += "void information_state(const State *s, int p, Information *i) {}\n"
    assert native_source.breaches(half) == ("the function resample is missing",)


def test_a_source_that_is_too_long_is_refused():
    assert "characters, expected at most" in native_source.breaches(PIG + " " * 300_000)[0]


def test_lines_are_counted_over_comments():
    found = native_source.breaches(PIG + "/* one\ntwo */\nint counter;")
    assert found == (f"line {PIG.count(chr(10)) + 3}: a variable outside functions must be const",)


def test_the_header_names_what_a_model_may_use_and_must_define():
    header = native_source.header()
    for name in native_source.FUNCTIONS + native_source.HIDDEN_FUNCTIONS + native_source.OPTIONAL_FUNCTIONS:
        assert f" {name}(" in header


ZUMO = next(path for path in MODELS if path.stem == "oshi_zumo").read_text(encoding="utf-8")


def test_choices_made_at_once_need_more():
    found = " ".join(native_source.breaches(PIG, False, True))
    for name in native_source.SIMULTANEOUS_FUNCTIONS:
        assert f"the function {name} is missing" in found
    half = ZUMO.replace("void player_action_name(", "static void named(")
    assert native_source.breaches(half) == ("the function player_action_name is missing",)
    assert native_source.breaches(half, False, True) == native_source.breaches(half)


@pytest.mark.parametrize("name", ["smcts_run", "SMCTS_UCT", "SmctsNode"])
def test_names_of_the_search_belong_to_it_where_it_is_there(name):
    """A game in turn has no such search, and its contract does not speak of the names."""
    line = f"\nstatic int {name}(void) {{ return 1; }}\n"
    assert native_source.breaches(PIG + line) == ()
    assert native_source.breaches(ZUMO + line) == (
        f"line {ZUMO.count(chr(10)) + 2}: the name {name!r} belongs to the search; choose another",
    )


def test_the_second_header_names_what_a_model_must_define_besides():
    second = native_source.header_at_once()
    for name in native_source.SIMULTANEOUS_FUNCTIONS:
        assert f" {name}(" in second and f" {name}(" not in native_source.header()
    assert native_source.headers(True) == f"{native_source.header()}\n{second}"
    assert native_source.headers(False) == native_source.header()
