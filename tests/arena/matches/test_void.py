"""What is not a bot's doing voids a match: it is no score, is stored nowhere, and ends the run with its reason."""

from __future__ import annotations

import functools
import importlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pyspiel
import pytest

from arena import Unplayable, play_match
from arena.store.database import Database
from arena.tournaments.playing import play, play_key
from arena.tournaments.schedule import Tournament
from language_models import BudgetExceeded, RecordingMiss
from runs.played_once import Void, play_batch
from tests.runs import warm

registry = importlib.import_module("arena.registry.bots")

HEADER = '{"header": {"model": "m", "date": "2026-01-01", "note": ""}}\n'
COMMAND = ("arena.tournament", "--game=tic_tac_toe", "--num_games=4", "--opening_plies=0")


class Lowest(pyspiel.Bot):
    """Plays its lowest action, and raises in between what `fails(state)` gives it."""

    def __init__(self, fails=lambda state: None):
        super().__init__()
        self._fails = fails

    def restart_at(self, state):
        pass

    def step(self, state):
        error = self._fails(state)
        if error is not None:
            raise error
        return state.legal_actions()[0]


@pytest.mark.parametrize(
    "error",
    [
        Unplayable("the wizard is out"),
        RecordingMiss("the wizard is out"),
        BudgetExceeded("the wizard is out"),
        ModuleNotFoundError("the wizard is out"),
    ],
)
def test_what_is_missing_voids_the_match(error):
    with pytest.raises(Unplayable, match="bot 'Lowest' cannot play as player 1: the wizard is out"):
        play_match("tic_tac_toe", [Lowest(), Lowest(lambda state: error)], 0, opening_plies=0)


@pytest.mark.parametrize("error", [OSError("no"), ValueError("no"), KeyError("no")])
def test_any_other_exception_is_still_the_bots_own_crash(error):
    record = play_match("tic_tac_toe", [Lowest(), Lowest(lambda state: error)], 0, opening_plies=0)
    assert (record.forfeit.player, record.forfeit.kind) == (1, "crash")


def test_a_bot_that_cannot_be_made_voids_the_match(bots):
    bots("unmade", lambda seed: (_ for _ in ()).throw(ImportError("pip install wizard")))
    with pytest.raises(Unplayable, match="bot 'unmade' cannot play as player 0: pip install wizard"):
        play_match("tic_tac_toe", ["unmade", "random"], 0)


@pytest.fixture
def bots(monkeypatch):
    """Registers a bot under a name, made of its seed, and restores the registry afterwards."""
    monkeypatch.setattr(registry, "_entries", dict(registry.bots()))

    def register(name, make):
        registry.register_bot(name, summary="")(lambda game, player_id, seed: make(seed))

    return register


def _tournament(**changes):
    values = {"game": "tic_tac_toe", "bots": ["lowest", "failing"], "num_games": 6, "seed": 0}
    return Tournament.checked(**{**values, **changes})


def test_a_void_match_is_stored_nowhere_and_the_rest_is_played_later(bots, tmp_path):
    broken = True
    steps = []

    def fails(state):
        if state.current_player() == 1 and not state.history()[2:]:
            steps.append(1)
        return RecordingMiss("no answer to this") if broken and len(steps) == 3 else None

    bots("lowest", lambda seed: Lowest())
    bots("failing", lambda seed: Lowest(fails))
    tournament = _tournament(opening_plies=0)
    path = tmp_path / "m.db"
    # Of each pair the first match has `failing` in seat 1: its third is match number 4 of the schedule.
    with pytest.raises(
        Unplayable, match="^1 match is void and stored nowhere, first the match of lowest and failing"
    ):
        play(tournament, db=path)
    with Database(path) as database:
        assert len(database.match_ids()) == 4
    broken = False
    seen = []
    records = play(tournament, db=path, observers=[seen.append])
    assert len(records) == len(seen) == 6 and not any(record.forfeit for record in records)


def test_what_is_in_progress_ends_and_is_kept(bots, tmp_path):
    failed, started = threading.Event(), threading.Barrier(2, timeout=20)

    def make_failing(seed):
        def fails(state):
            if not state.history()[1:]:
                started.wait()
            return RecordingMiss("no answer")

        return Lowest(fails)

    class Slow(Lowest):
        def step(self, state):
            if not state.history():
                started.wait()
                failed.wait(1)
            return super().step(state)

    bots("failing", make_failing)
    bots("lowest", lambda seed: Lowest())
    bots("slow", lambda seed: Slow())
    keys = [(("failing", "lowest"), 1), (("slow", "lowest"), 1)]
    with ThreadPoolExecutor(2) as executor:
        executor.workers = 1  # so that the run has two matches at a time
        chosen = _tournament(bots=["failing", "lowest", "slow"], num_games=2, opening_plies=0)
        object.__setattr__(chosen, "schedule", lambda: iter(keys))
        path = tmp_path / "m.db"
        with pytest.raises(Unplayable, match="first the match of failing and lowest with seed 1"):
            play(chosen, db=path, executor=executor)
    with Database(path) as database:
        assert [record.seats for record in database.records()] == [("slow", "lowest")]


def test_the_matches_of_a_task_before_a_void_one_are_handed_back(bots):
    bots("lowest", lambda seed: Lowest())
    bots("failing", lambda seed: Lowest(lambda state: RecordingMiss("no answer")))
    keys = [(("lowest", "lowest"), 1), (("failing", "lowest"), 2), (("lowest", "lowest"), 3)]
    play_one = functools.partial(play_key, game="tic_tac_toe", opening_plies=0)
    played, _ = play_batch(play_one, keys)
    assert played[0].seats == ("lowest", "lowest")
    assert played[1:] == [Void("bot 'failing' cannot play as player 0: no answer")]


def _run(*arguments):
    return warm.run(*COMMAND, *arguments)


@pytest.mark.parametrize("executor", ["inline", "processes:2"])
def test_a_recording_without_the_answer_ends_the_command(tmp_path, executor):
    recording = tmp_path / "empty.jsonl"
    recording.write_text(HEADER)
    done = _run(f"--bots=llm_policy(llm=recorded:{recording}),random", f"--executor={executor}")
    assert done.returncode == 2 and done.stdout == ""
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("error: ") and "void and stored nowhere, first the match of " in last
    assert "bot 'llm_policy(" in last and "with --db, those that ended are kept" in last


def test_a_missing_recording_is_known_before_play(tmp_path):
    done = _run(f"--bots=random,llm_policy(llm=recorded:{tmp_path}/none.jsonl)", f"--db={tmp_path}/m.db")
    assert done.returncode == 2 and "none.jsonl" in done.stderr and "void" not in done.stderr
    assert not (tmp_path / "m.db").exists()
