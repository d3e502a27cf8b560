"""Lockstep: one batch for each client whenever all tasks wait, for generators and for functions in threads;
and what happens to errors."""

from __future__ import annotations

import threading

import pytest

from language_models import LanguageModelError, Message, Recorded, Recorder, RecordingMiss, Request
from language_models.asking import lockstep
from language_models.asking.client import Ask, Client, Tally
from language_models.asking.resumed import Resumed


def request(text):
    return Request((Message("user", text),), purpose="test")


def ask(model, text):
    return model.complete(request(text))[0].text


def function(client, name, questions):
    """Asks a client's model one question after the other."""
    return lockstep.threaded(
        lambda model_of: [ask(model_of(client), f"{name}{number}") for number in range(questions)]
    )


def generator(*rounds, tally=None, client=None):
    """Asks for each of the rounds (lists of texts) in turn; returns all answers."""
    found = []
    for texts in rounds:
        answers = yield Ask([request(text) for text in texts], tally, client)
        found += [completions and completions[0].text for completions in answers]
    return found


def independent(model):
    return Client(model, remembers=False)


def test_all_waiting_requests_of_a_client_go_out_together_in_the_order_of_the_tasks(kit):
    few, zero = kit.Batched(), kit.Batched()
    one, other = independent(few), independent(zero)
    tasks = [function(one, "a", 3), function(other, "b", 1), function(one, "c", 2), function(one, "d", 0)]
    results = dict(lockstep.run(tasks))
    assert results == {0: ["A0", "A1", "A2"], 1: ["B0"], 2: ["C0", "C1"], 3: []}
    assert few.batches == [["a0", "c0"], ["a1", "c1"], ["a2"]] and zero.batches == [["b0"]]
    assert (one.tally.calls, one.tally.batches, other.tally.calls) == (5, 3, 1)


def test_generators_and_functions_share_a_batch(kit):
    model = kit.Batched()
    client = Client(model)
    results = dict(lockstep.run([generator(["a", "b"], ["c"]), function(client, "d", 2)], client))
    assert results == {0: ["A", "B", "C"], 1: ["D0", "D1"]}
    assert model.batches == [["a", "b", "d0"], ["c", "d1"]]


def test_a_task_whose_answers_are_known_goes_on_at_once(kit):
    model = kit.Batched()
    tallies = [Tally(), Tally(), Tally()]
    tasks = [
        generator(["a", "b"], ["c"], tally=tallies[0]),
        generator(["a"], ["b"], ["d"], tally=tallies[1]),
        generator([], ["a"], tally=tallies[2]),
    ]
    seen = []
    client = Client(model)
    results = dict(
        lockstep.run(
            tasks,
            client,
            lambda waiting: seen.append({index: len(ask.requests) for index, ask in waiting.items()}),
        )
    )
    assert results == {0: ["A", "B", "C"], 1: ["A", "B", "D"], 2: ["A"]}
    # The second task needs no batch for "b", which the first one asked.
    assert model.batches == [["a", "b"], ["c", "d"]] and seen == [{0: 2, 1: 1, 2: 1}, {0: 1, 1: 1}]
    assert [(tally.calls, tally.hits) for tally in tallies] == [(3, 0), (1, 2), (0, 1)]
    assert (client.tally.calls, client.tally.hits) == (4, 3)
    assert client.tally.prompt_tokens == 400 and tallies[0].completion_tokens == 30


def test_one_task_may_ask_two_clients_and_equal_requests_are_independent_samples(kit):
    model = kit.Batched()
    one, other = independent(model), independent(model)

    def both(model_of):
        return ask(model_of(one), "x") + ask(model_of(other), "y")

    assert dict(lockstep.run([lockstep.threaded(both), lockstep.threaded(both)])) == {0: "XY", 1: "XY"}
    assert model.batches == [["x", "x"], ["y", "y"]]


def test_clients_are_asked_at_the_same_time(kit):
    class Meeting(kit.Batched):
        """Answers when the other client is being asked too."""

        def complete_batch(self, requests):
            both.wait(timeout=30)
            return super().complete_batch(requests)

    both = threading.Barrier(2)
    clients = [independent(Meeting()) for _ in range(2)]
    results = dict(lockstep.run([function(client, str(number), 2) for number, client in enumerate(clients)]))
    assert results == {0: ["00", "01"], 1: ["10", "11"]}


def test_nothing_to_do():
    assert list(lockstep.run([])) == []


def test_a_task_without_a_client_is_refused():
    with pytest.raises(ValueError, match="give one to the run"):
        list(lockstep.run([generator(["a"])]))


def test_only_one_task_runs_at_a_time(kit):
    running, most, guard = [], [], threading.Lock()
    client = independent(kit.Batched())

    def busy(model_of):
        for number in range(3):
            with guard:
                running.append(number)
                most.append(len(running))
            sum(range(20_000))
            with guard:
                running.pop()
            ask(model_of(client), "x")

    list(lockstep.run([lockstep.threaded(busy) for _ in range(8)]))
    assert max(most) == 1


def test_a_failing_model_ends_the_run_and_what_had_ended_is_there(kit):
    client = independent(kit.Batched(fail_at=1))
    seen = []
    with pytest.raises(LanguageModelError, match="no more"):
        for index, result in lockstep.run([function(client, "a", 1), function(client, "b", 2)]):
            seen.append((index, result))
    assert seen == [(0, ["A0"])]


def test_the_error_of_a_task_ends_the_run_and_the_others_are_closed(kit):
    client, closed = independent(kit.Batched()), []

    def broken(model_of):
        raise ValueError("broken")

    def waiting(model_of):
        try:
            ask(model_of(client), "a")
        except Exception:
            closed.append("taken for a failure")
        finally:
            closed.append(threading.current_thread())

    def watched():
        try:
            yield from generator(["a"], ["b"])
        finally:
            closed.append("generator")

    with pytest.raises(ValueError, match="broken"):
        list(lockstep.run([lockstep.threaded(waiting), watched(), lockstep.threaded(broken)], client))
    thread, generator_ended = closed
    assert generator_ended == "generator" and client.model.batches == []
    assert thread is not threading.main_thread() and not thread.is_alive()


def test_what_a_check_before_the_requests_raises_ends_the_run(kit):
    client = independent(kit.Batched())

    def refuse(waiting):
        assert [(index, ask.client) for index, ask in waiting.items()] == [(0, client)]
        raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        list(lockstep.run([function(client, "a", 2)], before=refuse))
    assert client.model.batches == []


@pytest.mark.parametrize(
    "make", [lambda client: function(client, "a", 2), lambda client: generator(["a0"], ["a1"])]
)
def test_a_miss_ends_the_run_and_keeps_what_was_recorded(kit, tmp_path, make):
    path = tmp_path / "short.jsonl"
    Recorder(kit.OneByOne(), path).complete(request("a0"))
    recorded = Recorded(path)
    client = independent(recorded)
    with pytest.raises(RecordingMiss, match="'a1' was never recorded"):
        list(lockstep.run([make(client)], client))
    assert client.tally.calls == 1 and recorded.unused() == []


def test_a_recording_that_was_begun_is_continued(kit, tmp_path):
    path = tmp_path / "few.jsonl"

    def run(model):
        client = independent(model)
        return dict(lockstep.run([function(client, name, 2) for name in "ab"]))

    with pytest.raises(LanguageModelError):
        run(Recorder(kit.Batched(fail_at=1), path))
    model = kit.Batched()
    results = run(Resumed(Recorder(model, path), Recorded(path)))
    assert results == {0: ["A0", "A1"], 1: ["B0", "B1"]}
    assert model.batches == [["a1", "b1"]]
    # The file now holds each request once, and replays the whole run.
    recorded = Recorded(path)
    assert len(recorded.unused()) == 4
    assert run(recorded) == results and recorded.unused() == []
