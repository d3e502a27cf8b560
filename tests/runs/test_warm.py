"""A command from a process that has imported it is the same as one from a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.runs import warm

SHOWN = """
import os, sys
from absl import flags
from runs import cli

def main():
    print(flags.FLAGS.say, sys.argv, sys.path[0], os.getcwd(), sys.stdin.read(), os.environ.get("TOLD"), __name__)
    print(sorted(name for name in sys.modules if name.startswith(("cwm", "arena", "shown"))), file=sys.stderr)
    sys.exit(3) if flags.FLAGS.say else os.kill(os.getpid(), 9)

if __name__ == "__main__":
    flags.DEFINE_string("say", "", "A word.")
    cli.run(main)
"""
SLOW = "import time\nif __name__ == '__main__':\n    print('here', flush=True)\n    time.sleep(60)\n"


@pytest.fixture
def environment(tmp_path):
    (tmp_path / "shown.py").write_text(SHOWN)
    (tmp_path / "slow.py").write_text(SLOW)
    return {**os.environ, "PYTHONPATH": str(warm.ROOT), "TOLD": "yes"}


@pytest.mark.parametrize(
    ("module", "flags"),
    [
        ("shown", ["--say=é"]),
        ("shown", ["--say=again"]),
        ("shown", []),
        ("shown", ["--sya=é"]),
        ("arena.list", ["bots", "--grep=^random$"]),
        ("arena.tournament", ["--game=conect_four"]),
    ],
)
def test_the_same_comes_of_both(tmp_path, environment, module, flags):
    fresh = subprocess.run(
        [sys.executable, "-m", module, *flags],
        cwd=tmp_path,
        env=environment,
        input="read\n",
        capture_output=True,
        text=True,
    )
    for _ in range(2):
        done = warm.run(module, *flags, cwd=tmp_path, env=environment, input="read\n")
        assert (done.returncode, done.stdout, done.stderr) == (fresh.returncode, fresh.stdout, fresh.stderr)


def test_what_takes_too_long_is_killed_and_the_next_runs(tmp_path, environment):
    with pytest.raises(subprocess.TimeoutExpired):
        warm.run("slow", cwd=tmp_path, env=environment, timeout=0.5)
    assert warm.run("shown", "--say=x", cwd=tmp_path, env=environment).returncode == 3


def test_few_servers_are_kept(tmp_path, environment):
    for number in range(warm.MOST_SERVERS + 2):
        assert (
            warm.run("shown", "--say=x", cwd=tmp_path, env={**environment, "TOLD": str(number)}).returncode == 3
        )
        assert len(warm._servers) <= warm.MOST_SERVERS
