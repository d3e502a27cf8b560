"""The attack corpus, as root and as an ordinary user, in CPython and in PyPy.

The table of results: `python tests/sandbox/attacks/run.py`.
"""

import os
import platform
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "attacks"))

import run
from scene import usable_python

from cwm.worker.native import compiling

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() != "x86_64",
    reason="the attacks use the system call numbers of Linux on x86_64",
)
IS_ROOT = os.geteuid() == 0
needs_drop = pytest.mark.skipif(
    not IS_ROOT or usable_python() is None,
    reason="dropping to another user needs root and a python3 for all users",
)
needs_pypy = pytest.mark.skipif(shutil.which("pypy3") is None, reason="needs pypy3 on the PATH")

# What every design of this kind must concede: the program writes its own answers.
INHERENT = {"forged reply"}


def _only_the_inherent_get_through(results, interpreter):
    expected = [
        a for a in run.ATTACKS if not a.native or (interpreter == "cpython" and compiling.missing() is None)
    ]
    assert len(results) == len(expected) >= 110
    through = [r for r in results if r["effects"] and r["family"] not in INHERENT]
    assert not through, through
    conceded = [r for r in results if r["family"] in INHERENT]
    assert conceded and all(r["effects"] for r in conceded), "the checks did not notice a forged reply"


@pytest.mark.parametrize(
    "user, interpreter",
    [
        pytest.param(False, "cpython", id="self-cpython"),
        pytest.param(True, "cpython", id="user-cpython", marks=needs_drop),
        pytest.param(False, "pypy", id="self-pypy", marks=needs_pypy),
        pytest.param(True, "pypy", id="user-pypy", marks=[needs_drop, needs_pypy]),
    ],
)
def test_nothing_gets_through_but_a_forged_reply(user, interpreter):
    _only_the_inherent_get_through(run.launch(user, interpreter), interpreter)


def test_the_checks_see_what_the_same_attacks_do_unsealed():
    """As an ordinary user where possible: root in a container lacks some rights that a user has
    over itself."""
    results = run.launch(IS_ROOT and usable_python() is not None, control=True)
    assert len(results) > 100
    blind = [r["name"] for r in results if not r["effects"]]
    assert not blind, blind


def test_every_attack_is_valid_source():
    for attack in run.ATTACKS:
        compile(attack.source, attack.name, "exec")
