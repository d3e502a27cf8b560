"""The mutations: each operator's changes and nothing else, and the same draw for the same seed."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from covering import PACKAGES, Covering
from operators import mutations

# By its path, since `run` is another tool's name as well.
spec = importlib.util.spec_from_file_location("mutations_run", Path(__file__).with_name("run.py"))
run = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)


@pytest.mark.parametrize(
    "source, changed",
    [
        ("x = a < b", {"x = a <= b"}),
        ("x = a == b >= (c)", {"x = a != b >= (c)", "x = a == b > (c)"}),
        ("x = (a) not in b", {"x = (a) in b"}),
        ("x = a is None", {"x = a is not None"}),
        ("x = a and b(c)", {"x = a or b(c)"}),
        ("x = (a or\n     # and so on\n     b)", {"x = (a and\n     # and so on\n     b)"}),
        ("x = not a", {"x = (a)"}),
        ("x = a[1]", {"x = a[2]", "x = a[0]"}),
        ("x = -1", {"x = -2", "x = -0"}),
        ("x = 0", {"x = 1", "x = (-1)"}),
        ("x = 11 + 0.5", set()),
        ("x = True", {"x = False"}),
        ("x = 'é' == a", {"x = 'é' != a"}),
        ("file.close()", {"pass"}),
        ("x = max(a, b)", {"x = min(a, b)"}),
        ("x = f(a, b)", {"x = f(b, a)"}),
        ("x = f(a, a)", set()),
        ("x = isinstance(a, b)", set()),
        ("if a:\n    raise ValueError(f'{a + 1}')", {"if a:\n    pass"}),
        ("raise AssertionError('unreachable')", set()),
        ("assert a < b", set()),
        ("print(a < b)", set()),
        ("logging.info('x', 1)", set()),
        ("flags.DEFINE_integer('n', 3, 'Number.')", set()),
        ("@dataclass(frozen=True)\nclass A:\n    '''1 < 2'''", set()),
        ("def f(x: Literal[1]) -> A[2]:\n    '''Not 1.'''", set()),
        ("x = f'{a < 1}'", set()),
        ("if __name__ == '__main__':\n    main()", set()),
        ("x = f(timeout=3, depth=a)", set()),
        ("axes.set_title(a, b)", set()),
    ],
)
def test_every_operator_changes_what_it_says(source, changed):
    found = [mutation.apply(source) for mutation in mutations("m.py", source)]
    assert set(found) == changed and len(found) == len(changed)
    for text in found:
        ast.parse(text)


def test_a_file_that_has_changed_is_refused():
    [mutation] = mutations("m.py", "x = a < b")
    with pytest.raises(ValueError, match=r"m.py:1: expected '<'"):
        mutation.apply("x = aa < b")


@pytest.fixture
def tree(tmp_path):
    for package in PACKAGES:
        (tmp_path / package).mkdir()
        (tmp_path / package / "one.py").write_text("".join(f"x{n} = a and f({n}) < b\n" for n in range(9)))
    (tmp_path / PACKAGES[0] / "prompting.py").write_text("x = not a\n" * 99)
    return tmp_path


def test_the_seed_decides_and_a_larger_number_extends_the_draw(tree):
    drawn = run.draw(tree, 3, 30)
    assert drawn == run.draw(tree, 3, 40)[:30] != run.draw(tree, 4, 30)
    assert [mutation.file for mutation in drawn[: len(PACKAGES)]] == [f"{name}/one.py" for name in PACKAGES]
    assert len({(mutation.file, mutation.line) for mutation in drawn}) == 30
    assert len(run.draw(tree, 3, 1000)) == 9 * len(PACKAGES)  # one of each line


def test_nearer_tests_come_first(tmp_path):
    for path, text in {
        "arena/far.py": "from arena import near",
        "arena/near.py": "",
        "tests/arena/conftest.py": "",
        "tests/arena/test_a.py": "",
        "tests/arena/test_b.py": "import arena.far",
        "tests/arena/test_c.py": "from arena import near",
        "tests/games/test_d.py": "from arena import near",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    names = [Path(test).stem for test in Covering(tmp_path).tests("arena/near.py")]
    assert names == ["test_c", "test_b", "test_a"]


def test_an_old_name_is_covered_by_the_test_of_all_old_names():
    root = Path(__file__).parents[2]
    door = "games/micro_rts/doors/rules/maps.py"
    assert (root / door).is_file() and (root / "tests/runs/test_doors.py").is_file()
    assert Covering(root).tests(door)[0] == "tests/runs/test_doors.py"
    assert "tests/runs/test_doors.py" not in Covering(root).tests("games/micro_rts/rules/maps.py")


LIMITS = run.Limits(whole=600, silence=600)


@pytest.mark.parametrize(
    "body, limits, outcome, test, ran",
    [
        ("assert True", LIMITS, "survived", None, 2),
        ("assert False", LIMITS, "killed", "tests/test_one.py::test_b[a b - c]", 1),
        ("pytest.skip()", LIMITS, "survived", None, 2),
        ("assert True", run.Limits(whole=60, silence=0), "killed", "tests/test_one.py", 0),
        ("assert True", run.Limits(whole=0, silence=60), "unfinished", None, 0),
    ],
)
def test_what_tests_say(tmp_path, body, limits, outcome, test, ran):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_one.py").write_text(
        "import pytest\n\ndef test_a():\n    pass\n\n"
        f"@pytest.mark.parametrize('x', ['a b - c'])\ndef test_b(x):\n    {body}\n"
    )
    assert run.run_tests(tmp_path, ["tests/test_one.py"], limits) == run.Verdict(outcome, test, ran)


def test_a_module_that_cannot_be_imported_is_noticed(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_one.py").write_text("import nothing_of_this_name\n")
    assert run.run_tests(tmp_path, ["tests/test_one.py"], LIMITS).test == "tests/test_one.py"
