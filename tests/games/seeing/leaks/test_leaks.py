"""Every planted leak is found, and nothing is found where there is none."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path

import pyspiel
import pytest

import games  # noqa: F401  (registers the games)
from games.seeing.leaks import channels, checking
from games.seeing.leaks.checking import CLEAN, NOTHING, Effort
from games.seeing.leaks.findings import DOUBT, FAULT, LEAK, NOTE
from games.seeing.leaks.resampling import HIDES, KEEPS
from games.seeing.leaks.signs import Signs

_spec = importlib.util.spec_from_file_location("leaky_kuhn", Path(__file__).with_name("leaky_kuhn.py"))
leaky_kuhn = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(leaky_kuhn)
leaky_kuhn.register()

# OpenSpiel writes its own report of each thing that a game does not have to file descriptor 2.
pytestmark = pytest.mark.usefixtures("capfd")

EFFORT = Effort(num_games=10, twins=10, seconds=5)


def leaky(leak="none"):
    return pyspiel.load_game("leaky_kuhn", {"leak": leak})


def graded(report, *grades):
    """What has these grades: pairs of what was tested, and the reference."""
    return {(row.tested, row.reference) for row, grade in report.rows if grade in grades}


def example_of(report, tested):
    return next(row.example for row, grade in report.rows if row.tested == tested and grade in (LEAK, DOUBT))


@pytest.fixture(scope="module")
def reports():
    made = {}

    def report(leak):
        if leak not in made:
            made[leak] = checking.check(leaky(leak), EFFORT, seed=1)
        return made[leak]

    return report


def test_without_a_leak_all_is_clean_and_everything_was_compared(reports):
    report = reports("none")
    assert report.verdict == CLEAN and not report.found and report.games == EFFORT.num_games
    assert graded(report, LEAK, DOUBT, FAULT, NOTE) == set()
    *rows, recall = [row for row, _ in report.rows]
    assert all(row.pairs > 20 and row.differing == 0 for row in rows)
    assert recall.tested == "information state: remembers" and recall.pairs > 0 and recall.differing == 0
    tested = {row.tested for row in rows}
    assert {"observation tensor", "information state string", "legal actions", KEEPS, HIDES} <= tested
    assert "bots: none was named" in report.untested


@pytest.mark.parametrize(
    ("leak", "tested", "reference"),
    [
        ("observation", "observation string", "information states"),
        ("observation tensor", "observation tensor", "information states"),
        ("information state", "information state string", "observations"),
        ("information state tensor", "information state tensor", "information states"),
        ("legal actions", "legal actions", "information states"),
        ("returns", "returns so far", "information states"),
        ("resampling", HIDES, "to move"),
        ("resampling while waiting", HIDES, "waiting"),
        ("resampling leans", HIDES, "to move"),
    ],
)
def test_a_planted_leak_is_found(reports, leak, tested, reference):
    report = reports(leak)
    assert report.verdict == LEAK and report.found
    assert (tested, reference) in graded(report, LEAK) and tested in report.reason


def test_only_what_leaks_is_called_a_leak(reports):
    legal = reports("legal actions")
    assert {tested for tested, _ in graded(legal, LEAK)} == {"legal actions"}
    waiting = reports("resampling while waiting")
    assert graded(waiting, LEAK) == {(HIDES, "waiting")}
    # The strings of observations say less than their tensors, but no player can tell which of the two is right.
    tensor = reports("observation tensor")
    assert {tested for tested, _ in graded(tensor, LEAK, DOUBT)} == {"observation tensor"}


def test_an_information_state_that_resampling_does_not_keep_is_a_leak(reports):
    row = next(row for row, grade in reports("information state").rows if grade == LEAK)
    assert "resampling leaves the observations as they are" in row.remark


def test_without_resampling_nobody_knows_which_of_two_strings_is_wrong(monkeypatch):
    def refuses(state, player, rng):
        raise NotImplementedError("not implemented here")

    monkeypatch.setattr(leaky_kuhn.LeakyKuhnState, "resample_from_infostate", refuses)
    report = checking.check(leaky("information state"), EFFORT, seed=1)
    assert report.verdict == DOUBT and report.found
    assert "resampling, player to move: not implemented here" in report.untested


def test_a_resampled_state_that_tells_the_player_something_else_is_a_fault(reports):
    report = reports("resampled own card")
    assert report.verdict == FAULT and (KEEPS, "to move") in graded(report, FAULT)


def test_the_example_is_the_shortest_and_shows_the_difference(reports):
    example = example_of(reports("observation"), "observation string")
    one, other = example.moves
    assert len(one) == len(other) == 2  # both cards dealt, nobody has bet
    assert one[example.player] == other[example.player] and one != other
    shown = example.lines()
    assert f"player {example.player} after 2 moves: {' '.join(one)}" in shown[0]
    assert shown[-2].startswith("- player") and shown[-1].startswith("+ player")
    assert example.told[0] != example.told[1]


class Peeker(pyspiel.Bot):
    """Bets if it holds the higher card, which it reads from the state; or, if it is honest, by a coin."""

    def __init__(self, player, seed, peeks):
        super().__init__()
        self.player, self.peeks, self.rng = player, peeks, random.Random(seed)

    def restart(self):
        pass

    def inform_action(self, state, player, action):
        pass

    def step(self, state):
        legal = state.legal_actions()
        if self.peeks(self.rng):
            # A clone keeps the cards: `state` is one, of this game.
            first, second = state.history()[:2]
            higher = (first > second) == (self.player == 0)
            return legal[-1] if higher else legal[0]
        return self.rng.choice(legal)


@pytest.mark.parametrize(
    ("peeks", "verdict"),
    [(lambda rng: True, LEAK), (lambda rng: rng.random() < 0.9, LEAK), (lambda rng: False, CLEAN)],
    ids=["always", "mostly", "never"],
)
def test_a_bot_that_peeks_is_found(peeks, verdict):
    def make(game, player, seed):
        return Peeker(player, seed, peeks)

    effort = Effort(num_games=30, twins=10, resampled_pairs=2, seconds=5, bot_pairs=80)
    report = checking.check(leaky(), effort, seed=1, bots={"bot": make})
    assert report.verdict == verdict
    row = next(row for row, _ in report.rows if row.tested == "move of bot")
    assert row.pairs == 80 and (row.differing > 0) == (verdict == LEAK)


def test_a_bot_that_is_declared_to_peek_is_no_leak():
    def make(game, player, seed):
        return Peeker(player, seed, lambda rng: True)

    report = checking.check(leaky(), EFFORT, seed=1, bots={"bot": make}, declared=frozenset({"bot"}))
    assert report.verdict == CLEAN
    assert ("move of bot", "both references, equal seeds") in graded(report, NOTE)


def test_where_nothing_is_hidden_there_is_nothing_to_test():
    report = checking.check(pyspiel.load_game("tic_tac_toe"), EFFORT, seed=1)
    assert (report.verdict, report.reason, report.rows) == (NOTHING, "perfect information", [])
    assert checking.check(pyspiel.load_game("matrix_rps"), EFFORT, seed=1).verdict == NOTHING


def test_an_information_state_that_forgets_is_named_and_no_leak():
    report = checking.check(
        pyspiel.load_game("phantom_ttt_ir"), Effort(num_games=60, twins=2, seconds=5), seed=1
    )
    assert report.verdict == CLEAN and report.reason.endswith("; imperfect recall")
    row, grade = next(found for found in report.rows if found[0].tested == "information state: remembers")
    assert grade == NOTE and row.differing > 0 and row.acting == row.differing


def test_the_same_seed_gives_the_same_report():
    reports = [checking.check(pyspiel.load_game("leduc_poker"), EFFORT, seed=3).to_json() for _ in range(2)]
    for report in reports:
        del report["seconds"]
    assert reports[0] == reports[1]


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "liars_dice", "quadranto", "ferry", "leduc_twist", "bargaining_twist"]
)
def test_these_games_are_clean(name):
    report = checking.check(
        pyspiel.load_game(name), Effort(num_games=5, twins=8, resampled_pairs=5, seconds=2.0), seed=1
    )
    assert report.verdict == CLEAN, report.reason
    assert sum(row.pairs for row, _ in report.rows) > 200


@pytest.mark.parametrize("name", ["hand_of_war", "gin_twist"])
def test_these_large_games_are_clean(name):
    effort = Effort(num_games=2, twins=15, max_moves=60, resampled_pairs=2, seconds=0.5)
    report = checking.check(pyspiel.load_game(name), effort, seed=1)
    assert report.verdict == CLEAN, report.reason


def test_signs_are_counted_exactly():
    signs = Signs()
    for difference in [1] * 19 + [-1, 0, 0]:
        signs.add(difference)
    assert (signs.up, signs.down) == (19, 1)
    assert signs.p_value() == 21 / 2**20 and not signs.certain()
    signs.add(2)
    signs.add(2)
    assert signs.p_value() == pytest.approx(23 / 2**22) and not signs.certain()
    assert Signs(up=20).certain() and not Signs(up=19).certain()
    assert Signs(up=600, down=600).p_value() == pytest.approx(0.5, abs=0.02)


def test_what_is_empty_for_everybody_is_no_channel(monkeypatch):
    """A game in Python without tensors has empty ones, and comparing these compares nothing."""
    readers = {
        channels.OBSERVATION: lambda state, player: "",
        channels.OBSERVATION_TENSOR: lambda state, player: b"",
        channels.PUBLIC: lambda state, player: "seen" if player == 1 else "",
        channels.INFORMATION: lambda state, player: state.information_state_string(player),
    }
    monkeypatch.setattr(channels, "_readers", lambda game: readers)
    report = checking.check(pyspiel.load_game("kuhn_poker"), Effort(num_games=5), seed=1)
    tested = {row.tested for row, _ in report.rows}
    assert {channels.PUBLIC, channels.LEGAL} <= tested
    assert not {channels.OBSERVATION, channels.OBSERVATION_TENSOR} & tested
    assert {
        f"{name}: the game has none" for name in (channels.OBSERVATION, channels.OBSERVATION_TENSOR)
    } <= set(report.untested)
