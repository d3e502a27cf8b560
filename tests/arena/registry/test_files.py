"""Bots in a file of the user's own: `mybot.py:MyBot(strength=3)`."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

from arena.matches.match import play_match
from arena.registry.bots import canonical, make_bot, resolve
from arena.registry.specs import BotSpec, parse_spec, split_specs
from arena.store.database import Database

ROOT = Path(__file__).parents[3]
GAME = pyspiel.load_game("tic_tac_toe")
SOURCE = '''
import pyspiel
from open_spiel.python.policy import UniformRandomPolicy


class MyBot(pyspiel.Bot):
    """Plays the action of number `strength` of those that are legal."""

    def __init__(self, game, seed, player_id, *, strength=3, name: str | None = None):
        super().__init__()
        self.given = game, player_id, seed, strength, name
        self._player_id, self._strength = player_id, strength

    def restart_at(self, state):
        pass

    def step(self, state):
        legal = state.legal_actions(self._player_id)
        return legal[self._strength % len(legal)]


class Bare(pyspiel.Bot):
    def step(self, state):
        return state.legal_actions()[0]


def by_policy(game):
    return UniformRandomPolicy(game)


def by_seat(*, player_id, high: bool = True):
    return MyBot(None, 0, player_id, strength=-1 if high else 0)


def positional(game, depth):
    pass


def hinted(*, x: list = None):
    pass


def hashed(*, sha256: str = ""):
    pass


def nothing():
    return 3


class NoSuper(pyspiel.Bot):
    def __init__(self):
        pass


a_number = 3
'''


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "mybot.py"
    path.write_text(SOURCE)
    return path


def test_a_path_stands_where_a_name_does():
    assert parse_spec("a b/my-bot.py:MyBot( x = 1 )") == BotSpec("a b/my-bot.py:MyBot", {"x": "1"})
    assert split_specs("./x.py:A(y=1),random,/z.py:B") == ["./x.py:A(y=1)", "random", "/z.py:B"]
    for text in ("x.py", "x.py:", "x.py:1a", "x.txt:A", "x.py:A.b"):
        with pytest.raises(ValueError, match=r"expected a name such as (x\.py:MyBot|mcts)"):
            parse_spec(text)


def test_it_is_given_what_it_names_and_its_own_parameters(path):
    bot = make_bot(f"{path}:MyBot(strength=5,name=none)", GAME, 1, 11)
    assert bot.given == (GAME, 1, 11, 5, None)
    assert make_bot(f"{path}:MyBot(name=x)", GAME, 0, 2).given == (GAME, 0, 2, 3, "x")
    assert make_bot(f"{path}:Bare", GAME, 0, 2).step(GAME.new_initial_state()) == 0
    assert make_bot(f"{path}:by_seat(high=false)", GAME, 1, 0)._strength == 0


def test_a_policy_is_played(path):
    bot = make_bot(f"{path}:by_policy", GAME, 0, 2)
    assert dict(bot.get_policy(GAME.new_initial_state())) == pytest.approx(
        {action: 1 / 9 for action in range(9)}
    )


def test_the_hash_of_the_file_is_kept(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    spec = canonical(f"{path}:MyBot( strength = 5 )")
    assert spec == f"{path}:MyBot(strength=5,sha256={digest})" == canonical(spec)
    record = play_match("tic_tac_toe", [f"{path}:MyBot", "random"], 3)
    assert record.seats[0] == f"{path}:MyBot(sha256={digest})"


def test_a_changed_file_is_another_bot(path):
    before = canonical(f"{path}:MyBot")
    path.write_text(SOURCE + "\n# changed\n")
    after = canonical(f"{path}:MyBot")
    assert before != after
    assert make_bot(before, GAME, 0, 0) is not None  # it was loaded: a tournament goes on as it was
    with pytest.raises(ValueError, match="expected the file with sha256=0123456789ab, found one with"):
        canonical(f"{path}:MyBot(sha256=0123456789ab)")


@pytest.mark.parametrize(
    "name, said",
    {
        "Mine": "has no class or factory 'Mine', expected one of Bare, MyBot, NoSuper, by_policy, by_seat",
        "a_number": "has no class or factory 'a_number'",
        "MyBot(depth=1)": "has no parameter 'depth'; expected one of: strength, name, sha256",
        "MyBot(strength=x)": "parameter 'strength': expected a whole number, found 'x'",
        "positional": "found 'depth' before it; write .game, player_id, seed, [*], depth=",
        "hinted": "parameter 'x' needs the type hint",
        "hashed": "has a parameter 'sha256', which stands for the file's hash",
    }.items(),
)
def test_a_wrong_spec_is_refused(path, name, said):
    with pytest.raises(ValueError, match=said):
        resolve(f"{path}:{name}")


@pytest.mark.parametrize(
    "name, said",
    {
        "nothing": "expected a pyspiel.Bot or an OpenSpiel policy, found int",
        "NoSuper": "cannot be made: TypeError: pyspiel.Bot.__init__.. must be called",
    }.items(),
)
def test_what_is_no_bot_is_refused(path, name, said):
    with pytest.raises(ValueError, match=said):
        make_bot(f"{path}:{name}", GAME, 0, 0)


def test_a_file_that_cannot_be_used_is_named(tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n")
    for name, said in (
        ("none.py", "cannot be read: No such file"),
        ("broken.py", "ZeroDivisionError: division"),
    ):
        with pytest.raises(ValueError, match=said):
            canonical(f"{tmp_path}/{name}:A")
    broken.write_text("import a_package_that_is_not_there\n")
    with pytest.raises(ImportError, match="a_package_that_is_not_there"):
        canonical(f"{broken}:A")
    assert not [name for name in sys.modules if name.startswith("spielwright_bot_broken")]


def test_the_command_plays_it_in_other_processes(path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "arena.tournament",
            "--game=tic_tac_toe",
            "--bots=mybot.py:MyBot(strength=1),mybot.py:MyBot,random",
            "--num_games=4",
            "--executor=processes:2",
            "--db=m.db",
        ],
        cwd=path.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    with Database(path.parent / "m.db") as database:
        records = list(database.records())
    assert len(records) == 12 and not any(record.forfeit for record in records)
    assert {seat for record in records for seat in record.seats} == {
        "random",
        f"mybot.py:MyBot(sha256={digest})",
        f"mybot.py:MyBot(strength=1,sha256={digest})",
    }
