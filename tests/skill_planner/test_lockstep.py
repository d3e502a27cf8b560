"""Lockstep: one batch for each channel whenever all tasks wait, and what happens to errors."""

from __future__ import annotations

import threading

import pytest

from language_models import Completion, LanguageModelError, Message, Recorded, Recorder, Request
from skill_planner.measuring import lockstep


class Batched:
    """Takes batches; answers with the prompt in capitals."""

    name = "batched"

    def __init__(self, fail_at: int | None = None):
        self.batches: list[list[str]] = []
        self._fail_at = fail_at

    def complete(self, request):
        return self.complete_batch([request])[0]

    def complete_batch(self, requests):
        if len(self.batches) == self._fail_at:
            raise LanguageModelError("no more")
        self.batches.append([request.messages[0].content for request in requests])
        return [[Completion(text.upper(), "stop", None, None, None, self.name)] for text in self.batches[-1]]


def ask(model, text):
    return model.complete(Request((Message("user", text),)))[0].text


def task(channel, name, questions):
    return lambda gathered: [ask(gathered(channel), f"{name}{number}") for number in range(questions)]


def test_all_waiting_requests_of_a_channel_go_out_together_in_the_order_of_the_tasks():
    few, zero = Batched(), Batched()
    one, other = lockstep.Channel("few", few), lockstep.Channel("zero", zero)
    tasks = [task(one, "a", 3), task(other, "b", 1), task(one, "c", 2), task(one, "d", 0)]
    results = dict(lockstep.run(tasks))
    assert results == {0: ["A0", "A1", "A2"], 1: ["B0"], 2: ["C0", "C1"], 3: []}
    assert few.batches == [["a0", "c0"], ["a1", "c1"], ["a2"]] and zero.batches == [["b0"]]
    assert (one.requests, one.batches, other.requests) == (5, 3, 1)


def test_one_task_may_ask_two_channels():
    model = Batched()
    one, other = lockstep.Channel("one", model), lockstep.Channel("other", model)

    def both(gathered):
        return ask(gathered(one), "x") + ask(gathered(other), "y")

    assert dict(lockstep.run([both, both])) == {0: "XY", 1: "XY"}
    assert model.batches == [["x", "x"], ["y", "y"]]


def test_channels_are_asked_at_the_same_time():
    class Meeting(Batched):
        """Answers when the other channel is being asked too."""

        def complete_batch(self, requests):
            both.wait(timeout=30)
            return super().complete_batch(requests)

    both = threading.Barrier(2)
    channels = [lockstep.Channel(name, Meeting()) for name in ("few", "zero")]
    results = dict(lockstep.run([task(channel, channel.name, 2) for channel in channels]))
    assert results == {0: ["FEW0", "FEW1"], 1: ["ZERO0", "ZERO1"]}


def test_nothing_to_do():
    assert list(lockstep.run([])) == []


def test_only_one_task_runs_at_a_time():
    running, most, guard = [], [], threading.Lock()
    channel = lockstep.Channel("few", Batched())

    def busy(gathered):
        for number in range(3):
            with guard:
                running.append(number)
                most.append(len(running))
            sum(range(20_000))
            with guard:
                running.pop()
            ask(gathered(channel), "x")

    list(lockstep.run([busy] * 8))
    assert max(most) == 1


def test_a_failing_model_ends_the_run_and_what_had_ended_is_there():
    channel = lockstep.Channel("few", Batched(fail_at=1))
    seen = []
    with pytest.raises(LanguageModelError, match="no more"):
        for index, result in lockstep.run([task(channel, "a", 1), task(channel, "b", 2)]):
            seen.append((index, result))
    assert seen == [(0, ["A0"])]


def test_the_error_of_a_task_and_of_a_check_ends_the_run():
    channel = lockstep.Channel("few", Batched())

    def broken(gathered):
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        list(lockstep.run([task(channel, "a", 1), broken]))

    def refuse(asks):
        assert [(entry.task, entry.first) for entry in asks] == [(0, True)]
        raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        list(lockstep.run([task(channel, "a", 2)], refuse))
    assert channel.model.batches == []


def test_a_recording_that_was_begun_is_continued(tmp_path):
    path = tmp_path / "few.jsonl"

    def run(model):
        channel = lockstep.Channel("few", model)
        return dict(lockstep.run([task(channel, name, 2) for name in "ab"]))

    with pytest.raises(LanguageModelError):
        run(Recorder(Batched(fail_at=1), path))
    model = Batched()
    results = run(lockstep.Continued(Recorder(model, path), Recorded(path)))
    assert results == {0: ["A0", "A1"], 1: ["B0", "B1"]}
    assert model.batches == [["a1", "b1"]]
    # The file now holds each request once, and replays the whole run.
    recorded = Recorded(path)
    assert len(lockstep.recorded_keys(recorded)) == 4
    assert run(recorded) == results
    assert recorded.unused() == [] and lockstep.recorded_keys(model) is None
