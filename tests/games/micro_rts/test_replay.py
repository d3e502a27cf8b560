"""Recorded games of the real engine, played again."""

from __future__ import annotations

import copy
import gzip
import json
import subprocess
from pathlib import Path

import pytest

from games.micro_rts import replay
from games.micro_rts.java import recorded
from games.micro_rts.rules.java_random import JavaRandom
from tests.runs import warm

TRACES = sorted((Path(__file__).parent / "traces").glob("*.gz"))


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_recorded_game_is_played_without_a_difference(path):
    assert recorded.first_difference(recorded.read_lines(path)) is None


def test_the_recordings_hold_every_table_and_kind_of_order():
    lines = [line for path in TRACES for line in recorded.read_lines(path)]
    headers = [line for line in lines if line["kind"] == "header"]
    assert {header["utt_version"] for header in headers} == {1, 2, 3}
    assert {header["conflict_policy"] for header in headers} >= {1, 3}
    given = {order[1] for line in lines for player in ("a0", "a1") for order in line.get(player, ())}
    assert given == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize(
    "what, change",
    [
        ("banks", lambda line: line["res"].__setitem__(0, 6)),
        ("units", lambda line: line["units"][-1].__setitem__(5, 7)),
        ("units", lambda line: line["units"].reverse()),
        ("jobs", lambda line: line["jobs"][0].__setitem__(-1, 99)),
        ("jobs", lambda line: line["jobs"].reverse()),
        ("legal orders", lambda line: line["legal"].pop()),
        ("legal orders", lambda line: line["legal"][0][1].reverse()),
        ("issued orders", lambda line: line["issued"].reverse()),
    ],
)
def test_a_changed_recording_is_told_by_its_first_difference(what, change):
    lines = copy.deepcopy(recorded.read_lines(TRACES[0]))
    tick = next(
        n
        for n, line in enumerate(lines)
        if line["kind"] == "tick" and len(line["legal"]) > 1 and len(line["jobs"]) > 1
    )
    change(lines[tick])
    difference = recorded.first_difference(lines)
    assert (difference.tick, difference.what) == (lines[tick]["t"], what)


def test_the_end_is_compared_too():
    lines = copy.deepcopy(recorded.read_lines(TRACES[0]))
    lines[-1]["winner"] = 1 - lines[-1]["winner"]
    assert recorded.first_difference(lines).what == "winner"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return warm.run("games.micro_rts.replay", *arguments)


def test_the_command_tells_by_its_exit_code(tmp_path):
    lines = recorded.read_lines(TRACES[-1])
    same = tmp_path / "same.jsonl"
    same.write_text("\n".join(map(json.dumps, lines)))
    lines[3]["res"] = [7, 7]
    other = tmp_path / "other.jsonl.gz"
    with gzip.open(other, "wt") as file:
        file.write("\n".join(map(json.dumps, lines)))
    good, differs = run(same), run(other, same)
    assert (good.returncode, differs.returncode) == (0, 1)
    assert "no difference" in good.stdout
    assert f"tick {lines[3]['t']}: banks: recorded [7, 7], replayed [0, 0]" in differs.stdout


@pytest.mark.parametrize(
    "text",
    ["", "not json", "[1, 2]", '{"kind": "header"}\n{"kind": "tick"}', '{"kind": "header"}\n{"kind": "end"}'],
)
def test_what_is_not_a_recording_is_refused_in_one_sentence(tmp_path, text):
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"bad\.jsonl: (expected|a malformed)"):
        replay.main([str(path)])


def test_errors_of_the_command_have_exit_code_2(tmp_path):
    nothing, missing = run(), run(tmp_path / "missing.jsonl")
    assert (nothing.returncode, missing.returncode) == (2, 2)
    assert "no recording named" in nothing.stderr and "missing.jsonl" in missing.stderr


def test_the_java_generator_draws_the_published_numbers():
    # The first values of new java.util.Random(42).nextInt(): -1170105035, 234785527, -1360544799,
    # 205897768; nextInt(2**30) are their upper 30 bits.
    random = JavaRandom(42)
    for signed in (-1170105035, 234785527, -1360544799, 205897768):
        assert random.below(1 << 30) == signed % (1 << 32) >> 2


def test_a_clone_of_the_java_generator_draws_the_same():
    random = JavaRandom(7)
    random.below(3)
    clone = random.clone()
    assert [random.below(100) for _ in range(50)] == [clone.below(100) for _ in range(50)]
