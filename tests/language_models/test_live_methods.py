"""Each method once, end to end, on the real small model: one short request or a few, and what it reads of them."""

import json
import os
import signal

import numpy as np
import pytest

import arena  # noqa: F401  (registers games and bots)
from arena.matches.match import play_match
from arena.registry.games import load_game
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.writing import prompting
from bt_policies.writing.generation import Wanted, write_all
from cwm.trust.trajectories import collect
from cwm.writing import synthesis
from cwm.writing.tasks import OpenLesson
from games import rules
from language_models import LanguageModelError, find_layer, from_spec
from language_models.asking.client import Client
from language_models.asking.lockstep import result_of
from language_models.asking.session import Session
from language_models.backends.auto import Auto
from language_models.backends.local import process
from language_models.backends.local.backend import Local
from mcdml.agents.agents import PolicyAgent
from mcdml.asking.priors import Query, make_prior
from mcdml.asking.situations import situation
from policy_evolve.baselines import Baselines
from policy_evolve.evolution.settings import Settings
from runs.executors import make_executor
from runs.run_folder import open_folder
from skill_planner import familiarity
from skill_planner.domains.connect_four.domain import ConnectFourDomain
from skill_planner.planning import parser, planner
from skill_planner.planning.planner import Variant

pytestmark = pytest.mark.usefixtures("small_model")

LOCAL = "local+threads=1+context=4096+tokens=24"


@pytest.fixture(scope="module", autouse=True)
def one_process():
    yield
    process.close_all()


@pytest.fixture
def model():
    return from_spec(LOCAL)


def test_llm_policy_plays_a_legal_move():
    """One move of its own decides: the opening takes all others of tic-tac-toe but the last two."""
    record = play_match("tic_tac_toe", [f"llm_policy(llm={LOCAL})", "random"], 3, opening_plies=6)
    assert record.forfeit is None and len(record.moves) > 6
    [notes] = [move.notes for move in record.moves[record.opening_length :] if move.player == 0][:1]
    assert notes["action"] in notes["prompt"] and notes["language_model"].startswith("SmolLM2-135M-Instruct")


def test_mcdml_has_priors_by_continuations_and_by_number(model):
    here = situation(load_game("text_adventure(layout_seed=1000)").new_initial_state(), ())
    prior = make_prior("continuations")
    query = Query(here._replace(actions=here.actions[:3], numbers=here.numbers[:3]))
    client = Client(model)
    reading = prior.read(query, model.complete(prior.request(query)))
    assert reading.readable and reading.probabilities.sum() == pytest.approx(1)
    assert len(np.unique(reading.probabilities.round(6))) > 1
    state = load_game("tic_tac_toe").new_initial_state()
    decision = result_of(PolicyAgent(0).decide(state), client)
    assert decision.action in state.legal_actions() and decision.tally.unreadable == 0


def test_plap_has_a_plan(model):
    domain, state = ConnectFourDomain(), load_game("connect_four").new_initial_state()
    request = planner.request(domain, Variant(shots=0, tips=False, k=6), state, 0, 5)
    [completion] = model.complete(request)
    plan = parser.parse(completion.text, domain, state, 0)
    assert plan.steps and plan.dropped == []


def test_bt_policies_has_a_tree():
    vocabulary = vocabulary_of("leduc_poker")
    wanted = Wanted("bt live", lambda history: prompting.generate(vocabulary, "Raise.", history))
    [written] = write_all([wanted], vocabulary, Session(from_spec("local+threads=1+context=4096"), 0), 0)
    assert written.tree is not None and written.reasoning


def test_the_quiz_is_answered_with_a_number(model):
    [answer] = familiarity.ask(model, familiarity.QUESTIONS[:1])
    assert answer["reply"] == "unknown" or answer["reply"].isdigit()


def test_cwm_fails_well(model, tmp_path):
    """Answers of 24 tokens hold no program: the run ends with a manifest that says so, and keeps the answer."""
    game = load_game("tic_tac_toe")
    lesson = OpenLesson(rules(game), tuple(collect(game, 1, 0)))
    settings = synthesis.Settings("tic_tac_toe", "tree_search", LOCAL, 0, 1, lesson.fingerprint())
    outcome = synthesis.run(str(tmp_path / "m"), settings, lesson, model)
    assert outcome.best is None and outcome.manifest["llm"] == LOCAL
    [attempt] = map(json.loads, (tmp_path / "m" / "attempts.jsonl").read_text().splitlines())
    assert attempt["reply"] and attempt["source"] is None and attempt["model"].startswith("SmolLM2-135M")


def test_policy_evolve_is_told_that_its_prompt_is_too_long(tmp_path):
    """In one sentence, with nothing lost: the run's folder is there to go on with a model of a longer context."""
    wanted = Baselines(Settings("connect_four", matches=2, max_debug=0), rounds=0)
    open_folder(tmp_path / "run", wanted.identity())
    with make_executor("inline") as executor, pytest.raises(LanguageModelError) as caught:
        wanted.make(tmp_path / "run", from_spec("local+threads=1+context=512"), executor)
    assert "has 512 for both: shorten the prompt" in str(caught.value) and "\n" not in str(caught.value)
    open_folder(tmp_path / "run", wanted.identity())


def test_a_run_goes_on_where_the_model_could_not(model, small_model, tmp_path):
    """A truncated file and a killed process end the run in one sentence each; what was answered is not asked again."""
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(small_model.read_bytes()[: 50 << 20])
    kept = tmp_path / "calls.jsonl"

    def run(spec, questions=("Say a.", "Say b.")):
        live = from_spec(spec)
        session = Session.kept(kept, live, 0, strict=True)
        return live, [session.reply_to(text, "test") for text in questions]

    _, [first] = run(LOCAL, ["Say a."])
    with pytest.raises(LanguageModelError, match="truncated") as caught:
        run(f"local:{broken}")
    assert "\n" not in str(caught.value)
    os.kill(find_layer(model, Local).process.pid, signal.SIGKILL)
    live, answers = run(LOCAL)
    assert answers[0] == first and answers[1] and find_layer(live, Local).counts.requests == 1
    assert len(kept.read_text().splitlines()) == 2


def test_auto_asks_the_local_model_what_was_never_recorded():
    model = from_spec("auto")
    live = find_layer(model, Auto)
    assert live.name == "auto"
    [answer] = familiarity.ask(
        model, [familiarity.QuizQuestion("chess", "How many kings has white in chess?", 1)]
    )
    assert model.name == "local:smollm2-135m" and answer["reply"]
