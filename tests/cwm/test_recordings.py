"""Recordings that ship: everything in them is asked for, and what was made of them ships unchanged."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path

import pytest

import artefacts
import cwm
import language_models
from arena.bots.llm_policy import LlmPolicyBot, action_of
from arena.matches.records import record_from_json
from arena.registry.games import load_game
from benchmarks.games import documented_games
from cwm.contract import manifest, model_folders
from cwm.trust import checks
from cwm.trust.inference import Seen
from cwm.trust.trajectories import Step, Trajectory, collect, read
from cwm.worker.native import compiling as native_compiling
from cwm.worker.simulator import Simulator
from cwm.writing import prompting, refiners, selection, synthesis, value_functions
from cwm.writing.learning import Learner
from cwm.writing.rewriting import native_agreement, native_rollouts, native_writing, optimization, rollouts
from cwm.writing.rewriting.native_judging import NativeCandidate
from cwm.writing.tasks import HiddenLesson, OpenLesson
from games import rules as shipped_rules
from games.seeing import views
from language_models import Recorded
from language_models.asking.questions import Checked
from runs.seeds import bot_seed

RECORDINGS = Path(language_models.__file__).parent / "recordings"
MODELS = artefacts.folder("world_models")
EVERYDAY = Path(cwm.__file__).parent / "writing" / "rules" / "backgammon_everyday.md"

DICTS = Path(__file__).parents[2] / "benchmarks" / "support" / "models" / "connect_four_dicts"
OWN_GAME = Path(__file__).parents[2] / "docs" / "examples"

SYNTHESES = (
    [
        (game, "tree_search", seed, None)
        for game in ("tic_tac_toe", "connect_four", "gen_tic_tac_toe", "gen_chess", "backgammon")
        for seed in range(5)
    ]
    + [("backgammon", "tree_search", seed, EVERYDAY) for seed in (10, 11, 12)]
    + [("backgammon", "conversation", seed, EVERYDAY) for seed in (20, 21, 22)]
)


@pytest.fixture(scope="module")
def recorded():
    """One instance for the module, so that the last test sees what all others asked for."""
    return Recorded(RECORDINGS)


@pytest.mark.parametrize("game_name, method, seed, rules_file", SYNTHESES)
def test_a_synthesis_replays_from_its_recording(tmp_path, recorded, game_name, method, seed, rules_file):
    game = load_game(game_name)
    rules = rules_file.read_text() if rules_file else shipped_rules(game)
    games = list(collect(game, 5, seed))
    settings = synthesis.Settings(game_name, method, "recorded", seed, 20, "hash")
    outcome = synthesis.run(str(tmp_path / "m"), settings, OpenLesson(rules, tuple(games)), recorded)
    assert outcome.best.perfect
    if rules_file is None:
        shipped = manifest.load(str(MODELS / game_name / str(seed)))
        assert outcome.best.source == shipped.source
        assert shipped.manifest["llm_calls"] == len(outcome.attempts)


HIDDEN = (
    [
        (game, "open", seed)
        for game in ("leduc_poker", "bargaining", "gin_rummy", "quadranto", "hand_of_war")
        for seed in range(5)
    ]
    + [
        (game, "closed", seed)
        for game in ("leduc_poker", "bargaining", "gin_rummy", "quadranto", "hand_of_war")
        for seed in range(3)
    ]
    + [
        (game, "open", seed)
        for game in ("leduc_twist", "bargaining_twist", "gin_twist", "ferry", "caravan")
        for seed in range(3)
    ]
)
REPLAYED = {
    ("leduc_poker", "open", 0),
    ("leduc_poker", "closed", 1),
    ("quadranto", "closed", 2),
    ("ferry", "open", 0),
    ("hand_of_war", "open", 3),
}
"""Those that are judged again; the others are compared with what ships."""


@pytest.mark.parametrize("game_name, deck, seed", HIDDEN)
def test_a_model_of_a_hidden_game_is_one_that_was_recorded(tmp_path, recorded, game_name, deck, seed):
    game = load_game(game_name)
    make = HiddenLesson.open if deck == "open" else HiddenLesson.closed
    lesson = make(shipped_rules(game), list(collect(game, 5, seed)))
    place = MODELS / game_name / str(seed) if deck == "open" else MODELS / "closed" / game_name / str(seed)
    shipped = manifest.load(str(place))
    if (game_name, deck, seed) in REPLAYED:
        settings = synthesis.Settings(game_name, "tree_search", "recorded", seed, 20, "hash", deck)
        outcome = synthesis.run(str(tmp_path / "m"), settings, lesson, recorded)
        assert outcome.best.perfect and len(outcome.attempts) == shipped.manifest["llm_calls"]
        assert outcome.best.source == shipped.source
    else:
        request, _ = refiners.TreeSearch(lesson, seed, "").next_request([])
        assert prompting.program_of(recorded.complete(request)[0].text) == shipped.source
    assert shipped.manifest["deck"] == deck and shipped.manifest["llm_calls"] == 1


CHOSEN = sorted(path.parent for path in MODELS.glob("chosen*/*/[0-9]*/manifest.json"))
"""Learnt from chosen games: chosen/GAME/N, and with the closed deck chosen_closed/GAME/N."""


DOCUMENTED = sorted(path.parent for path in MODELS.glob("documented/*/[0-9]*/manifest.json"))
"""Learnt from rules that were written from OpenSpiel's documentation: documented/GAME/0."""
LONG = {"battleship", "colored_trails", "havannah", "hearts", "laser_tag", "y"}
"""Games whose prompts take seconds to make; their models are compared with the recorded text alone."""


@pytest.mark.parametrize("folder", DOCUMENTED, ids=lambda path: path.parent.name)
def test_a_model_of_a_documented_game_is_one_that_was_recorded(recorded, folder):
    shipped, name = manifest.load(str(folder)), folder.parent.name
    lines = (RECORDINGS / "cwm" / f"documented_{name}.jsonl").read_text("utf-8").splitlines()[1:]
    programs = [prompting.program_of(json.loads(line)["completions"][0]["text"]) for line in lines]
    assert len(programs) == shipped.manifest["llm_calls"] and shipped.source in programs
    if name not in LONG:
        request, _ = refiners.TreeSearch(documented_games.lesson_of(name), 0, "").next_request([])
        assert prompting.program_of(recorded.complete(request)[0].text) == programs[0]


REFINED = "synthesis_chosen_gin_rummy_open_0.jsonl"
"""The one recording from chosen games with a second call."""


@pytest.mark.parametrize("folder", CHOSEN, ids=lambda path: "-".join(path.parts[-3:]))
def test_a_model_from_chosen_games_is_one_that_was_recorded(recorded, folder):
    """The games are those that ship beside it. That a pool gives them again is tested on small games."""
    shipped = manifest.load(str(folder))
    game = load_game(shipped.manifest["game"])
    chosen = selection.kept(str(folder), game)
    assert shipped.manifest["trajectories"] == chosen.figures()
    if folder.parts[-3] == "chosen_closed":
        lesson = HiddenLesson.closed(shipped_rules(game), chosen.games)
    elif "deck" in shipped.manifest:
        lesson = HiddenLesson.open(shipped_rules(game), chosen.games)
    else:
        lesson = OpenLesson(shipped_rules(game), chosen.games)
    assert lesson.deck == shipped.manifest.get("deck")
    seed, calls = int(folder.name), shipped.manifest["llm_calls"]
    if calls == 1:
        request, _ = refiners.TreeSearch(lesson, seed, "").next_request([])
        assert prompting.program_of(recorded.complete(request)[0].text) == shipped.source
    else:  # Gin rummy's 700 tests take half a minute: the programs are compared with the recorded text.
        path = RECORDINGS / "cwm" / REFINED
        lines = path.read_text("utf-8").splitlines()[1:]
        programs = [prompting.program_of(json.loads(line)["completions"][0]["text"]) for line in lines]
        request, _ = refiners.TreeSearch(lesson, seed, "").next_request([])
        assert prompting.program_of(recorded.complete(request)[0].text) == programs[0]
        assert (len(programs), programs[-1]) == (calls, shipped.source)


def with_value_functions():
    return sorted(
        path.parent
        for path in MODELS.glob("*/[0-9]*/manifest.json")
        if json.loads(path.read_text())["value_function"]["candidates"]
    )


@pytest.mark.parametrize("folder", with_value_functions(), ids=lambda path: "-".join(path.parts[-2:]))
def test_a_shipped_value_function_is_one_that_was_recorded(recorded, folder):
    loaded = manifest.load(str(folder))
    entry = loaded.manifest["value_function"]
    rules = shipped_rules(load_game(loaded.manifest["game"]))
    requests = [value_functions.request(rules, loaded, index) for index in range(entry["llm_calls"])]
    replies = [recorded.complete(request)[0].text for request in requests]
    chosen = entry["chosen"]
    assert loaded.value_source == (None if chosen is None else prompting.program_of(replies[chosen]))


@pytest.mark.parametrize("folder", sorted(MODELS.glob("optimized/*")), ids=lambda path: path.name)
def test_a_shipped_optimization_is_one_that_was_recorded(recorded, folder):
    """What ships is the recorded rewriting where one was accepted, and the verified model where not;
    an accepted one is put through differential play again, if shorter."""
    entry = manifest.load(str(folder)).manifest["optimization"]
    verified = manifest.load(str(MODELS / folder.name / "0"))
    replies = [
        recorded.complete(optimization.request(verified, index))[0].text for index in range(entry["llm_calls"])
    ]
    source = (folder / "model.py").read_text()
    accepted = [c["index"] for c in entry["candidates"] if c["accepted"]]
    if not accepted:
        assert source == verified.source
        return
    assert source in [prompting.program_of(replies[index]) for index in accepted]
    assert all(entry["candidates"][index]["transitions"] >= 100_000 for index in accepted)
    assert optimization.differential_play(verified.source, source, 2_000).transitions >= 2_000


@pytest.mark.parametrize("folder", sorted(MODELS.glob("optimized/*")), ids=lambda path: path.name)
def test_a_shipped_rollout_function_is_one_that_was_recorded(recorded, folder):
    """An accepted one is compared with games played move by move again, if shorter."""
    loaded = manifest.load(str(folder))
    entry = loaded.manifest["rollout"]
    replies = [
        recorded.complete(rollouts.request(loaded, index))[0].text for index in range(entry["llm_calls"])
    ]
    accepted = [c["index"] for c in entry["candidates"] if c["accepted"]]
    assert entry["accepted"] == bool(accepted) == (loaded.rollout_source is not None)
    if accepted:
        assert loaded.rollout_source in [prompting.program_of(replies[index]) for index in accepted]
        assert all(entry["candidates"][index]["moves"] >= 100_000 for index in accepted)
        assert rollouts.compare(loaded.source, loaded.rollout_source, 3_000) >= 3_000


@pytest.mark.parametrize(
    "path", sorted(MODELS.rglob("model.c")), ids=lambda path: str(path.parent.relative_to(MODELS))
)
def test_a_shipped_model_in_c_is_one_that_was_recorded(recorded, path):
    """Its questions are asked again, with the faults that were found at the time, and the accepted answer
    ships; where there is a compiler it is compared with the verified model again, if shorter."""
    loaded = manifest.load(str(path.parent))
    entry = loaded.manifest["native"]
    assert loaded.native_source == path.read_text(encoding="utf-8")

    def replayed(question, candidates: list[dict]) -> str:
        """The accepted text among the answers to these questions."""
        replies: list = []
        for candidate in candidates:
            verdict = NativeCandidate(**candidate)

            def check(text: str, verdict: NativeCandidate = verdict) -> Checked[native_writing.Written]:
                written = native_writing.Written(prompting.program_of(text, "c"), verdict)
                return Checked(written, None if verdict.accepted else verdict.reason)

            asked = question(replies, check)
            replies.append(asked.answered(recorded.complete(asked.request)[0]))
        assert replies[-1].fault is None and candidates[-1]["transitions"] >= native_agreement.MIN_TRANSITIONS
        return replies[-1].value.native

    written = replayed(functools.partial(native_writing.question, loaded), entry["candidates"])
    if entry.get("rollout", {"accepted": False})["accepted"]:
        bare = replace(loaded, native_source=written)
        function = replayed(functools.partial(native_rollouts.question, bare), entry["rollout"]["candidates"])
        written = native_rollouts.joined(written, function)
    assert written == loaded.native_source
    if native_compiling.missing() is None:
        hidden = model_folders.hides_information(loaded)
        native_agreement.compare(
            loaded.source, loaded.native_source, 500, value_source=loaded.value_source, hidden=hidden
        )


def test_a_model_in_dicts_is_rewritten_as_recorded(recorded):
    """The benchmark's rewriting of a model that keeps dicts and copies them."""
    before, after = (manifest.load(str(DICTS / name)) for name in ("before", "after"))
    reply = recorded.complete(optimization.request(before, 0))[0].text
    assert prompting.program_of(reply) == after.source
    assert optimization.differential_play(before.source, after.source, 1_000).transitions >= 1_000


ONLINE_GAME = Path(__file__).parent / "online_gin_game.json"
ASKED_THERE = ("against_random.jsonl", "against_cwm_mcts.jsonl")
MATCHES = Path(__file__).parent / "recorded_matches.jsonl"
"""The matches of the tournaments of docs/results/cwm.md, as JSON Lines."""


def test_recorded_matches_ask_what_was_recorded(recorded):
    """Replays every recorded match: the prompt at each move of the language model is on record, and
    the recorded answer names the action that was played."""
    asked = 0
    for line in MATCHES.read_text().splitlines():
        record = record_from_json(line)
        seat = next(s for s, spec in enumerate(record.seats) if spec.startswith("llm_policy"))
        game = load_game(record.game)
        bot = LlmPolicyBot(
            game,
            seat,
            bot_seed(record.seed, seat),
            model=recorded,
            show_legal="legal=false" not in record.seats[seat],
        )
        state = game.new_initial_state()
        for index, (player, action) in enumerate(record.actions()):
            if player == seat and index >= len(record.opening):
                reply = recorded.complete(bot.request(state))[0].text
                assert views.action_from_name(state, action_of(reply)) == action
                asked += 1
            state.apply_action(action)
        if record.forfeit is not None and record.forfeit.player == seat:
            recorded.complete(bot.request(state))
    assert asked > 100


@pytest.mark.parametrize("version", [1, 2])
def test_a_game_of_ones_own_replays_from_its_recording(tmp_path, recorded, version):
    """A game that OpenSpiel does not have, from two files: rules and five recorded games."""
    rules = (OWN_GAME / "three_heaps.md").read_text()
    games = read(str(OWN_GAME / "three_heaps.jsonl"))
    settings = synthesis.Settings("three_heaps", "tree_search", "recorded", 0, 20, "hash")
    outcome = synthesis.run(str(tmp_path / "m"), settings, OpenLesson(rules, tuple(games), version), recorded)
    assert outcome.best.perfect and len(outcome.attempts) == 1
    hand_written = (Path(__file__).parent / "models" / "three_heaps.py").read_text()
    report = checks.run(outcome.best.source, everything_of(hand_written))
    assert report.perfect and report.transitions > 1_000


def everything_of(source):
    """Two hundred random games of the hand-written model, as recorded games."""
    with Simulator(source) as simulator:
        for seed in range(200):
            names = simulator.call("random_play", seed, 50)["names"]
            facts = simulator.call("replay", names)["steps"]
            yield Trajectory(
                "three_heaps",
                3,
                tuple(
                    Step(
                        row["player"],
                        tuple(row["observations"]),
                        tuple(row["returns"]),
                        name,
                        tuple(row["legal"]) if "legal" in row else None,
                    )
                    for row, name in zip(facts, [*names, None])
                ),
            )


def test_a_model_that_mispredicted_a_game_is_revised_as_recorded(tmp_path, recorded):
    """The game is the first of the run of `cwm.online` in docs/results/cwm.md: it ends with the 50th upcard, which
    the rules text does not mention and no training game showed."""
    game, first = load_game("gin_rummy"), manifest.load(model_folders.resolve("gin_rummy/0"))
    seen = Seen.from_json(json.loads(ONLINE_GAME.read_text()))
    learnt = Learner(str(tmp_path / "kept"), game, first, recorded, calls=5).learn(seen)
    assert (learnt.tests, learnt.passed, learnt.calls) == (70, 69, 1)
    assert learnt.revision == "revision_1" and learnt.after == learnt.all_tests == 70


def test_no_recording_is_left_that_nothing_asks_for(recorded):
    """Runs last: by now every recording was asked for by one of the tests above, or is by those of the benchmarks:
    `tests/benchmarks/test_llm_policy.py` asks for those in `ASKED_THERE`."""
    own = [
        line
        for line in recorded.unused()
        if line.path.parent.name in ("cwm", "llm_policy")
        and not line.path.name.startswith("documented_")
        and (line.path.name, line.purpose[-6:]) != (REFINED, "call 2")
        and line.path.name not in ASKED_THERE
    ]
    assert [line.purpose for line in own] == []


def test_every_recording_says_where_it_comes_from():
    for path in RECORDINGS.rglob("*.jsonl"):
        header = json.loads(path.read_text().splitlines()[0])["header"]
        assert header["model"] and header["date"]
    assert refiners.METHODS.keys() == {"tree_search", "conversation"}
