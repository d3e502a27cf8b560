"""The benchmark of language models that choose every move: how it counts."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from arena.matches.match import load_match_game
from arena.matches.records import ForfeitRecord, MatchRecord, Move
from benchmarks import llm_policy
from cwm.worker.native import compiling
from language_models import Completion, LanguageModelError, Recorded, Recorder, RecordingMiss, from_spec
from language_models.asking.resumed import Resumed
from language_models.backends.recorded import SHIPPED_RECORDINGS
from tests.runs import warm

needs_compiler = pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing()))
GAMES = ("tic_tac_toe", "leduc_poker")
RECORDING = SHIPPED_RECORDINGS / "llm_policy" / "against_random.jsonl"
TABLE = Path(__file__).parents[2] / "docs" / "results" / "tables" / "llm_policy.csv"


class FirstLegal:
    """Takes batches, answers with the first legal action, and fails from the `fail_at`-th batch on."""

    name = "first legal"

    def __init__(self, fail_at=None):
        self.batches = []
        self._fail_at = fail_at

    def complete_batch(self, requests):
        if len(self.batches) == self._fail_at:
            raise LanguageModelError("no more")
        self.batches.append(requests)
        answers = []
        for request in requests:
            legal = re.search(r"^Your legal actions: (.+?)(, |$)", request.messages[0].content, re.MULTILINE)[1]
            answers.append([Completion(f"ACTION: {legal}", "stop", None, None, None, "first-legal-1")])
        return answers

    def complete(self, request):
        return self.complete_batch([request])[0]


def matches(number=4):
    return [contest for game in GAMES for contest in llm_policy.contests(game, "spool:chat", number, 1)]


def played(model, batch=30):
    records = llm_policy.play_together(matches(), model, 16, 2, batch, 1)
    return {contest: record.actions() for contest, record in records.items()}


NOTES = {"language_model": "small-1"}


def match(returns, answered, forfeit=None):
    moves = (Move(0, 1), Move(1, 1), *(Move(player, 1, notes=NOTES) for player in answered))
    return MatchRecord("g", ("a", "b"), 0, 2, None, 2, moves, returns, forfeit)


def test_answers_and_forfeits_are_those_of_the_agent():
    records = [
        (0, match((1.0, -1.0), (0, 1, 0))),
        (1, match((0.0, 0.0), (0, 1))),
        (0, match((-1.0, 1.0), (0, 1), ForfeitRecord(0, "illegal", "no"))),
        (1, match((1.0, -1.0), (0,), ForfeitRecord(1, "crash", "too long"))),
        (0, match((1.0, -1.0), (0,), ForfeitRecord(1, "illegal", "the opponent's"))),
        (1, match((-1.0, 1.0), ())),
    ]
    found = llm_policy.row("g", "local", records)
    assert (found.matches, found.answers, found.invalid, found.failed) == (6, 2 + 1 + 2 + 0 + 1 + 0, 1, 1)
    # 1, 1/2, 0, 0, 1, 1 for the agent in its seats
    assert found.score == pytest.approx(3.5 / 6) and found.low < found.score < found.high
    assert "1 (17%)" in llm_policy.table([found]) and found.model == "small-1"


def test_pairs_are_mirrored_and_the_null_is_no_match_twice():
    matches = llm_policy.contests("tic_tac_toe", "random", 20, 0)
    records = list(llm_policy.play(matches, "random", 16, 2).values())
    assert [match.seat for match in matches] == [0, 1] * 10
    assert len({record.seed for record in records}) == 20
    assert records[0].moves != records[1].moves
    assert {record.opening_length for record in records} == {2}


def test_each_opponent_is_played_from_openings_of_its_own():
    opponents = ("random", "mcts(simulations=2)", "mcts(simulations=4)")
    matches = llm_policy.contests("tic_tac_toe", "spool:chat", 4, 1, opponents)
    assert [match.opponent for match in matches] == [name for name in opponents for _ in range(4)]
    assert [match.seat for match in matches] == [0, 1] * 6
    # The pairs of a seed are those of one opponent: no text of one point of a curve is one of another's.
    assert Counter(match.seed for match in matches) == dict.fromkeys((1000, 1001, 1004, 1005, 1008, 1009), 2)
    records = llm_policy.play(matches, "first legal action", 16, 2)
    for match, record in records.items():
        assert record.seats[1 - match.seat] == match.opponent


def test_the_first_legal_action_is_played_in_both_seats():
    records = llm_policy.play(
        llm_policy.contests("connect_four", "first legal action", 4, 0), "first legal action", 16, 2
    )
    for (_, seat, *_), record in records.items():
        state = load_match_game("connect_four", players=2).new_initial_state()
        for index, (player, action) in enumerate(record.actions()):
            if player == seat and index >= record.opening_length:
                assert action == state.legal_actions()[0]
            state.apply_action(action)
    assert [record.seed for record in records.values()] == [0, 0, 1, 1]


def test_local_models_stand_in_the_table_with_a_grammar_and_without_and_others_once():
    assert llm_policy.agents(llm_policy.models("")) == ["random", "first legal action"]
    found = llm_policy.agents(
        llm_policy.models("local:qwen+cache=on,recorded,spool:local,local+threads=1,recorded")
    )
    assert found == [
        "random",
        "first legal action",
        "local:qwen+cache=on",
        "local:qwen+cache=on+grammar=off",
        "recorded",
        "spool:local",
        "local+threads=1",
        "local+threads=1+grammar=off",
    ]


def test_streams_hold_one_match_of_a_pair_and_mix_the_games():
    everything = matches(20)
    found = llm_policy.streams(everything, 15, 1)
    assert Counter(contest for stream in found for contest in stream) == Counter(everything)
    assert [len(stream) for stream in found] == [10] * 4  # 20 matches in each seat: two streams of at most 15
    for stream in found:
        assert len({contest.seat for contest in stream}) == 1
        assert len({(contest.game, contest.seed) for contest in stream}) == len(stream)
        order = [contest.game for contest in stream]
        assert order not in (sorted(order), sorted(order, reverse=True))


def test_matches_go_on_in_lockstep_and_a_pair_never_shares_a_batch():
    model = FirstLegal()
    records = llm_policy.play_together(matches(), model, 16, 2, 30, 1)
    assert set(records) == set(matches()) and all(record.forfeit is None for record in records.values())
    # Two streams of four matches: at first all of them wait.
    assert [len(batch) for batch in model.batches[:2]] == [4, 4]
    place = {
        move.notes["request"]: (contest.game, contest.seed, contest.seat)
        for contest, record in records.items()
        for move in record.moves
        if move.notes
    }
    for batch in model.batches:
        assert {request.max_tokens for request in batch} == {16}
        found = [place[request.key()] for request in batch]
        assert len({(game, seed) for game, seed, _ in found}) == len(found)
        assert len({seat for _, _, seat in found}) == 1
    games = [{place[request.key()][0] for request in batch} for batch in model.batches[:2]]
    assert games == [set(GAMES)] * 2


def test_a_run_that_was_cut_off_goes_on_and_replays(tmp_path):
    expected = played(FirstLegal())
    whole = FirstLegal()
    played(whole)
    path = tmp_path / "r.jsonl"
    with pytest.raises(LanguageModelError, match="no more"):
        played(Recorder(FirstLegal(fail_at=2), path))
    kept = len(path.read_text().splitlines()) - 1
    rest = FirstLegal()
    assert played(Resumed(Recorder(rest, path), Recorded(path))) == expected
    assert kept == 8 and sum(map(len, rest.batches)) == sum(map(len, whole.batches)) - kept
    assert played(from_spec(f"recorded:{path}")) == expected
    # A longer table is not what was recorded.
    with pytest.raises(RecordingMiss):
        llm_policy.play_together(matches(6), from_spec(f"recorded:{path}"), 16, 2, 30, 1)


def command(*arguments):
    return warm.run("benchmarks.llm_policy", f"--games={','.join(GAMES)}", *arguments)


def test_the_command_replays_a_recording_beside_the_null(tmp_path):
    path = tmp_path / "r.jsonl"
    records = llm_policy.play_together(matches(), Recorder(FirstLegal(), path), 16, 2, 30, 1)
    done = command(f"--llm=recorded:{path}", "--matches=4", "--seed=1", f"--json={tmp_path}/a.json")
    assert done.returncode == 0, done.stderr
    rows = {(row["game"], row["agent"]): row for row in json.loads((tmp_path / "a.json").read_text())}
    assert set(rows) == {
        (game, agent) for game in GAMES for agent in ("random", "first legal action", f"recorded:{path}")
    }
    for game in GAMES:
        row = rows[game, f"recorded:{path}"]
        own = [record.score(contest.seat) for contest, record in records.items() if contest.game == game]
        assert row["score"] == pytest.approx(sum(own) / 4) and row["model"] == "first-legal-1"
        assert row["invalid"] == 0 and rows[game, "random"]["model"] == ""


def test_a_recording_holds_the_answers_of_one_model(tmp_path):
    path = tmp_path / "r.jsonl"
    refused = command(f"--llm=spool:{tmp_path}/a,spool:{tmp_path}/b", f"--record={path}")
    assert refused.returncode == 2 and "--record: expected one model that is not local" in refused.stderr
    refused = command("--llm=local", f"--record={path}")
    assert refused.returncode == 2 and "found 0 in --llm=local" in refused.stderr and not path.exists()


def published():
    """The rows of the recorded model in the table of the results, by game, but for what they have in words."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["agent"] == "recorded"]
    columns = ("matches", "score", "95% low", "95% high", "answers", "invalid", "no answer")
    return {row["game"]: [float(row[column]) for column in columns] for row in rows}


def figures(row):
    found = llm_policy.Row(**row) if isinstance(row, dict) else row
    rounded = [round(value, 3) for value in (found.score, found.low, found.high)]
    return [found.matches, *rounded, found.answers, found.invalid, found.failed]


def test_the_recorded_models_matches_replay_to_the_published_table():
    """As `--llm=recorded --matches=20 --max_tokens=16 --seed=1` plays them, and with no answer left over."""
    recorded = Recorded(RECORDING)
    everything = [one for game in llm_policy.GAMES for one in llm_policy.contests(game, "recorded", 20, 1)]
    records = llm_policy.play_together(everything, recorded, 16, 2, 30, 1)
    rows = {
        game: llm_policy.row(
            game, "recorded", [(one.seat, records[one]) for one in everything if one.game == game]
        )
        for game in llm_policy.GAMES
    }
    assert {game: figures(row) for game, row in rows.items()} == published()
    assert {row.model for row in rows.values()} == {"large language model, through the spool backend"}
    assert sum(row.answers for row in rows.values()) == 463 and recorded.unused() == []


def curve():
    """The rows of the page's table of the model against searches, by number of simulations: score, low, high, answers."""
    page = (TABLE.parents[1] / "search.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d,]+) \| (\.\d+) \[(\.\d+), (\.\d+|1\.0+)\] .*\| (\d+) \|$", page, re.MULTILINE)
    assert len(rows) == 3
    return {int(row[0].replace(",", "")): [float(value) for value in row[1:]] for row in rows}


@needs_compiler
def test_the_recorded_matches_against_searches_replay_to_the_published_curve():
    """All but the largest search, which would take half a minute: its answers are those left over."""
    recorded, published = Recorded(SHIPPED_RECORDINGS / "llm_policy" / "against_cwm_mcts.jsonl"), curve()
    searches = [f"cwm_mcts(model=connect_four/0,simulations={count})" for count in published]
    everything = llm_policy.contests("connect_four", "recorded", 20, 2, searches)
    for count, search in list(zip(published, searches))[:2]:
        own = [one for one in everything if one.opponent == search]
        records = llm_policy.play_together(own, recorded, 16, 2, 8, 2)
        row = llm_policy.row("connect_four", "recorded", [(one.seat, records[one]) for one in own])
        assert [*(round(value, 2) for value in (row.score, row.low, row.high)), row.answers] == published[count]
        assert row.invalid == row.failed == 0
    assert len(recorded.unused()) == published[100_000][-1]


def test_auto_is_the_recorded_model_where_the_first_request_was_recorded(tmp_path):
    path = tmp_path / "a.json"
    done = command(
        "--games=tic_tac_toe", "--llm=auto", "--matches=20", "--max_tokens=16", "--seed=1", f"--json={path}"
    )
    assert done.returncode == 0, done.stderr
    *nulls, row = json.loads(path.read_text())
    assert [null["agent"] for null in nulls] == ["random", "first legal action"] and row["agent"] == "recorded"
    assert figures(row) == published()["tic_tac_toe"]
