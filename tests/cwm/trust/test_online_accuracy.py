"""Online accuracy of cwm_ismcts: what its player saw of the real game, and what it inferred from that."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.matches.match import play_match
from arena.tournament import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import audit_results, summarize
from cwm.trust import online_accuracy
from tests.cwm.play.test_hidden_bot import spec


@pytest.fixture
def played(leduc_folder):
    """A folder of the right model, and matches that it played, in either seat."""
    folder = leduc_folder()
    bot = spec(folder, simulations=10)
    return folder, [
        play_match("leduc_poker", seats, seed, opening_plies=0)
        for seed in range(4)
        for seats in ([bot, "random"], ["random", bot])
    ]


def damage(folder, old, new):
    path = Path(folder) / "model.py"
    source = path.read_text()
    assert old in source
    path.write_text(source.replace(old, new))


def accuracies(records):
    found = online_accuracy.audit(records)
    return found["online_transition_accuracy"], found["online_inference_accuracy"]


def test_a_right_model_predicts_all_that_was_seen(played):
    folder, records = played
    found = online_accuracy.audit(records)
    own = sum(
        move.player == (0 if "cwm" in record.seats[0] else 1) for record in records for move in record.moves
    )
    steps = sum(len(record.moves) for record in records)
    assert (found["online_transition_accuracy"], found["online_inference_accuracy"]) == (1.0, 1.0)
    assert (found["online_transitions"], found["online_inferences"]) == (steps, own)
    assert found["online_by_model"] == {folder: [steps, steps]}
    assert found["online_inference_by_model"] == {folder: [own, own]}


SEEN = '"round": _ROUND[line],'


def test_what_its_player_does_not_see_counts_for_nothing(played):
    """An observation that is wrong for the second player only, and one seat's matches."""
    folder, records = played
    first = [record for record in records if "cwm" in record.seats[0]]
    damage(folder, SEEN, '"round": _ROUND[line] + player,')
    assert accuracies(first) == (1.0, 1.0)
    second = [record for record in records if "cwm" in record.seats[1]]
    assert accuracies(second) == (0.0, 0.0)


def test_a_wrong_return_is_a_wrong_transition_and_no_wrong_inference(played):
    folder, records = played
    damage(folder, "return (_WON if hand > other_hand", "return (_WON if hand < other_hand")
    damage(folder, "return (_LOST if folded == 0", "return (_LOST if folded == 1")
    drawn = sum(record.returns[0] == 0 for record in records)
    found = online_accuracy.audit(records)
    wrong = found["online_transitions"] - found["online_by_model"][folder][0]
    assert wrong == len(records) - drawn and found["online_inference_accuracy"] == 1.0


@pytest.mark.parametrize("kind", ["history", "state"])
def test_the_kind_of_inference_that_played_is_the_one_tested(leduc_folder, kind):
    folder = leduc_folder()
    records = [
        play_match("leduc_poker", [spec(folder, simulations=10, inference=kind), "random"], 1, opening_plies=0)
    ]
    assert accuracies(records) == (1.0, 1.0)
    damage(folder, "    return state\n", "    return initial_state()\n")  # the end of resample_state
    assert accuracies(records) == ((1.0, 1.0) if kind == "history" else (1.0, 0.0))


def test_a_decision_that_inference_failed_in_counts_too(leduc_folder):
    folder = leduc_folder('own = _CARD_NAMES.index(seen["card"])', "own = 0")
    records = [
        play_match("leduc_poker", [spec(folder, simulations=10), "random"], seed, opening_plies=0)
        for seed in range(4)
    ]
    lost = [record for record in records if record.forfeit]
    own = sum(move.player == 0 for record in records for move in record.moves)
    found = online_accuracy.audit(records)
    assert lost and found["online_inferences"] == own + len(lost)
    assert found["online_inference_by_model"][folder][0] == own
    assert accuracies(lost[:1])[1] == 0.0


def test_a_tournament_reports_it(leduc_folder):
    tournament = Tournament.checked(
        "leduc_poker", [spec(leduc_folder(), simulations=5), "random"], num_games=4, seed=1, opening_plies=0
    )
    records = play(tournament)
    result = summarize(tournament, records, audit_results(tournament, records))
    assert result["online_transition_accuracy"] == result["online_inference_accuracy"] == 1.0
