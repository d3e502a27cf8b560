"""The experiment as a whole, with language models that follow a script."""

from __future__ import annotations

import json
import statistics

import numpy as np
import pytest

from benchmarks.cwm import cells, measuring, planted, seal, side_by_side
from benchmarks.cwm.cells import Cell, Store
from benchmarks.cwm.side_by_side import RANDOM_GAMES, REFINERS, WITHOUT_ORACLE, Run, State, Synthesis
from cwm.writing import synthesis
from language_models import Completion, from_spec
from language_models.types import Message, Request

GUST = "a gust lowers tall lanterns that have a neighbour"
CANCEL = "pledges cancel at 7"


class Model:
    """Answers by `source_of(call)`, calls counted from 0; keeps the requests."""

    name = "script"

    def __init__(self, source_of, said=""):
        self.source_of, self.said, self.requests = source_of, said, []

    def complete(self, request):
        self.requests.append(request)
        call = int(request.purpose.rsplit(" ", 1)[1]) - 1
        text = f"{self.said}\n```python\n{self.source_of(call)}\n```\n"
        return [Completion(text, "stop", None, None, None, self.name)]


def runs(game, texts=("everyday",), refiners=REFINERS):
    return [Run(Cell(game, text, 0), refiner) for text in texts for refiner in refiners]


def wrong(game, rule):
    return planted.wrong_program(game, planted.fault_named(game, rule))


def test_a_model_that_knows_the_truth_is_asked_once_for_all_refiners():
    model = Model(lambda call: planted.right_program("pledges"))
    found = side_by_side.played(runs("pledges"), model, max_calls=5, store=Store())
    assert len(model.requests) == 1 and all(one.solved and len(one.states) == 1 for one in found)
    measured = measuring.measured(found, 5, 100, 8, Store())
    assert all(one.final == 1.0 and one.call_of() == 1 for one in measured)
    [hypotheses] = [one for one in measured if one.synthesis.run.refiner == "hypotheses"]
    plies_of = {one.synthesis.run.refiner: one.synthesis.states[-1].plies for one in measured}
    assert plies_of[WITHOUT_ORACLE] == 0 and plies_of[RANDOM_GAMES] > 0
    recorded = sum(len(game.actions) for game in cells.recorded("pledges", 0))
    # Of the paper's refiners none asks the oracle; what hypothesis search asked for is counted.
    assert measured[0].known_at() == (recorded, 0)
    seen, plies = hypotheses.known_at()
    assert plies > 0 and seen == recorded + plies


def test_a_model_that_never_improves_costs_every_call_and_the_first_one_is_shared():
    model = Model(lambda call: wrong("lanterns", GUST))
    found = side_by_side.played(runs("lanterns"), model, max_calls=3, store=Store())
    # Without two candidates the oracle is not asked, so that all hypothesis searches ask the same.
    assert len(model.requests) == 1 + len(synthesis.METHODS) * 2
    assert not any(one.solved for one in found) and all(len(one.states) == 3 for one in found)
    [one, *_] = measuring.measured(found, 3, 200, 4, Store())
    assert one.call_of() is None and one.calls_to() == 4 and one.final < 1
    assert one.accuracies[-1].wrong and sum(failed for _, failed, _, _ in one.accuracies[-1].wrong) > 0


def test_what_was_recorded_is_not_asked_again(tmp_path):
    path = tmp_path / "rules.jsonl"
    sources = [wrong("pledges", CANCEL), planted.right_program("pledges")]
    model = Model(lambda call: sources[min(call, 1)])
    recording = tmp_path / "recorded.jsonl"
    from language_models.layers.recorder import Recorder

    first = side_by_side.played(
        runs("pledges"), Recorder(model, str(recording)), max_calls=4, store=Store(str(path))
    )
    asked = len(model.requests)
    again = side_by_side.played(
        runs("pledges"), from_spec(f"recorded:{recording}"), max_calls=4, store=Store(str(path))
    )
    assert asked == len(model.requests) > 0
    assert [one.states for one in first] == [one.states for one in again]


def test_no_prompt_of_a_run_holds_the_sealed_list():
    rule = seal.sealed()["lanterns"]
    model = Model(lambda call: wrong("lanterns", GUST), said="# CONTRADICTION: Something else.")
    found = side_by_side.played(
        runs("lanterns", ("wrong", "everyday", "none")), model, max_calls=3, store=Store()
    )
    faults = [fault.rule for fault in planted.FAULTS["lanterns"]]
    true = " ".join(rule.true.split())
    for request in model.requests:
        text = " ".join(" ".join(message.content for message in request.messages).split())
        assert not any(fault in text for fault in faults) and true not in text and "sealed" not in text
        assert (" ".join(rule.false.split()) in text) <= ("(wrong rules)" in request.purpose)
    assert all(one.contradictions == ("Something else.",) for one in found)


def test_the_false_sentence_is_known_by_its_words():
    for game, rule in seal.sealed().items():
        assert seal.likely_named(rule, ["Unlike that.", rule.false.upper()])
        assert seal.likely_named(rule, [f"the text says: {rule.false[: int(len(rule.false) * 0.8)]}"])
        assert not seal.likely_named(rule, ["Player 0 acts first; then the players act in turn."])
        assert not seal.likely_named(rule, []), game


def test_requests_about_one_game_are_never_in_one_batch():
    batches = []

    class Batched(Model):
        def complete_batch(self, requests):
            batches.append([request.purpose for request in requests])
            return [self.complete(request) for request in requests]

    model = Batched(lambda call: planted.right_program("pledges"))
    many = [
        Run(Cell(game, "everyday", seed), "tree_search")
        for game in ("pledges", "honey", "leduc_poker")
        for seed in (0, 1)
    ]
    side_by_side.played(many, model, max_calls=1, store=Store(), batch=4)
    for batch in batches:
        known = [purpose.split(" of ")[1].split(" (")[0] for purpose in batch]
        known = ["leduc_poker" if game == "honey" else game for game in known]
        assert len(known) == len(set(known)) and len(batch) <= 4


def test_one_by_one_sends_all_at_the_same_time():
    import threading

    barrier = threading.Barrier(3, timeout=20)

    class Waiting(Model):
        def complete(self, request):
            barrier.wait()
            return super().complete(request)

    model = side_by_side.OneByOne(Waiting(lambda call: "x"))
    requests = [Request((Message("user", str(number)),), purpose="call 1") for number in range(3)]
    assert len(model.complete_batch(requests)) == 3


# The figures.


def measured(game, refiner, accuracies, most=20, text="everyday", seed=0):
    states = tuple(
        State("x", 0, 1, 100 + 10 * number, 10 * number, number) for number in range(len(accuracies))
    )
    one = Synthesis(Run(Cell(game, text, seed), refiner), states, False, ())
    return measuring.Measured(
        one, tuple(measuring.Accuracy(round(1000 * share), 1000) for share in accuracies), most
    )


def test_the_call_of_a_level_is_the_first_of_those_that_keep_it():
    one = measured("lanterns", "tree_search", [0.5, 1.0, 0.9, 0.999, 1.0])
    assert (one.call_of(), one.call_of(0.999), one.call_of(0.4)) == (5, 4, 1)
    assert one.known_at() == (140, 40) and one.at(2) == 1.0 and one.at(20) == 1.0
    assert measured("lanterns", "tree_search", [0.5, 0.6]).calls_to() == 21


def test_differences_are_paired_by_cell_and_drawn_by_game():
    rng = np.random.default_rng(0)
    found = []
    for game, slow in (("lanterns", 8), ("pledges", 4)):
        for seed in (0, 1):
            found.append(measured(game, "tree_search", [0.5] * (slow - 1) + [1.0], seed=seed))
            found.append(measured(game, "hypotheses", [0.5, 1.0], seed=seed))
    [_, row] = measuring.differences(found, rng)
    # 2 - 8 and 2 - 4, of two games: the mean is -4, and a bootstrap over games reaches from -6 to -2.
    assert row[:3] == ["everyday", "hypotheses - tree_search", "4"]
    assert row[3] == row[4] == "-4.00 [-6.00, -2.00]" and row[5].startswith("+0.0000")
    low, high = measuring.paired_interval(["a", "a", "b"], [1.0, 1.0, 1.0], rng)
    assert (low, high) == (1.0, 1.0)


def test_the_interval_of_a_median_holds_it():
    values = list(range(1, 22))
    low, high = measuring.median_interval(values, np.random.default_rng(1))
    # By order statistics of 21 values the 95 % interval of the median is from the 6th to the 16th.
    assert low <= statistics.median(values) <= high and low == pytest.approx(6, abs=1.5)
    assert high == pytest.approx(16, abs=1.5)


def test_json_holds_every_call():
    row = json.loads(json.dumps(measured("lanterns", "hypotheses", [0.5, 1.0]).to_json()))
    assert row["calls"] == 2 and row["calls_to_1"] == 2 and row["by_call"][1]["accuracy"] == 1.0
    assert row["by_call"][1]["plies"] == 10 and row["known_at_1"] == [110, 10]
