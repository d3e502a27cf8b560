"""Matches played once and kept, whoever plays them: what is kept, what is refused, and what a failure costs."""

from __future__ import annotations

import concurrent.futures
import json
import os
import threading

import pytest
from tqdm import tqdm

from runs import played_once
from runs.executors import InlineExecutor, make_executor
from runs.played_once import JsonLinesStore, MemoryStore

MATCHES = {f"key {number}": number for number in range(40)}
SQUARES = [{"square": number * number} for number in range(40)]


def square(number):
    return {"square": number * number}


def dies_at_seven(number):
    if number == 7:
        os._exit(9)
    return square(number)


class Nobody:
    """Plays nothing."""


@pytest.mark.parametrize("spec", ["inline", "processes:2"])
def test_all_are_played_in_order_and_none_a_second_time(tmp_path, spec):
    path, arrived = tmp_path / "m.jsonl", []
    with make_executor(spec) as executor, tqdm(total=40, disable=False, file=open(os.devnull, "w")) as bar:
        some = dict(list(MATCHES.items())[10:15])
        played_once.play(some, square, JsonLinesStore(path), executor)
        store = JsonLinesStore(path)
        found = played_once.play(MATCHES, square, store, executor, arrived=arrived.append, bar=bar)
    assert found == SQUARES and bar.n == 35
    assert sorted(arrived) == sorted(MATCHES.keys() - some.keys())
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(row["square"] for row in rows) == [row["square"] for row in SQUARES]
    assert played_once.play(MATCHES, square, JsonLinesStore(path), Nobody()) == SQUARES


def test_an_outcome_is_the_same_now_and_when_it_is_read(tmp_path):
    path = tmp_path / "m.jsonl"
    store, made = JsonLinesStore(path), []
    for _ in range(2):
        found = store.once("a", lambda: made.append(1) or {"pair": (1, 2), "by": {3: 4}})
    assert len(made) == 1
    assert found == {"pair": [1, 2], "by": {"3": 4}} == JsonLinesStore(path).outcome("a")


def test_the_file_of_another_experiment_is_refused(tmp_path):
    path = tmp_path / "m.jsonl"
    JsonLinesStore(path, {"rules": (1, 2)}).keep("a", {"square": 1})
    before = path.read_bytes()
    with open(path, "ab") as file:
        file.write(b'{"key": "torn')
    assert JsonLinesStore(path, {"rules": (1, 2)}).outcome("a") == {"square": 1}
    with pytest.raises(
        ValueError, match=r"m.jsonl, line 1: .*\{'rules': \[1, 3\]\}, found \{'rules': \[1, 2\]\}"
    ):
        JsonLinesStore(path, {"rules": (1, 3)})
    assert path.read_bytes() == before
    with pytest.raises(ValueError, match="expected lines with a key, found .*rules.*; name another file"):
        JsonLinesStore(path)


def test_the_death_of_a_worker_is_reported_after_all_others_were_played(tmp_path):
    store = JsonLinesStore(tmp_path / "m.jsonl")
    with make_executor("processes:1") as executor:
        with pytest.raises(ChildProcessError, match=r"^number 7 ended each process.*are kept in .*m\.jsonl"):
            played_once.play(MATCHES, dies_at_seven, store, executor, describe="number {}".format)
    assert MATCHES.keys() - store.known() == {"key 7"}


def test_ctrl_c_keeps_what_is_in_progress():
    begun, interrupted = threading.Event(), threading.Event()

    class Interrupted(concurrent.futures.ThreadPoolExecutor):
        workers = 1

        def submit(self, *task):
            if begun.wait(0 if not self._threads else 60):
                interrupted.set()
                raise KeyboardInterrupt
            return super().submit(*task)

    def slow(number):
        begun.set()
        assert interrupted.wait(60)
        return square(number)

    store = MemoryStore()
    with Interrupted(1) as executor, pytest.raises(KeyboardInterrupt):
        played_once.play(MATCHES, slow, store, executor)
    assert list(store.known()) == ["key 0"] and store.outcome("key 0") == SQUARES[0]


def test_an_error_of_a_match_ends_the_run_and_the_earlier_ones_are_kept():
    store = MemoryStore()
    with pytest.raises(ZeroDivisionError):
        played_once.play(MATCHES, lambda number: 1 / (3 - number), store, InlineExecutor())
    assert list(store.known()) == ["key 0", "key 1", "key 2"]
