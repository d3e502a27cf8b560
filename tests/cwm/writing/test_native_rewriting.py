"""A model in C is taken in only if it is the verified model; where it is not, the smallest difference is told."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from cwm.contract import manifest
from cwm.play import mcts_bot
from cwm.worker import compiling as compiling_python
from cwm.worker import speed
from cwm.worker.native import compiling
from cwm.writing.rewriting import native_agreement, native_judging
from cwm.writing.rewriting.native_agreement import NativeDisagreement
from sandbox import WorkerTimeout
from tests.cwm.models import pig

pytestmark = [
    pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing())),
    pytest.mark.usefixtures("quick_builds", "few_games"),
]
MODELS = Path(__file__).parents[1] / "models"
SHIPPED = Path(__file__).parents[3] / "artefacts" / "world_models" / "chosen" / "leduc_poker" / "0"
LEDUC = (MODELS / "leduc.c").read_text(encoding="utf-8")
RATES = {"cpython": 10, "pypy": 50, "cython": None, "native": 1000}
FEW = 600


def _text(name: str) -> str:
    return (MODELS / name).read_text(encoding="utf-8")


def _difference(name: str, before: str, after: str, transitions: int = FEW) -> native_agreement.Difference:
    source = _text(f"{name}.c")
    assert before in source
    with pytest.raises(NativeDisagreement) as caught:
        native_agreement.compare(_text(f"{name}.py"), source.replace(before, after, 1), transitions)
    return caught.value.difference


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "three_heaps"])
def test_the_same_game_agrees(name):
    done = []
    agreed = native_agreement.compare(_text(f"{name}.py"), _text(f"{name}.c"), FEW, progress=done.append)
    assert agreed.transitions >= FEW and agreed.games > 3
    assert done == sorted(done) and done[-1] == agreed.transitions


def _shortest_won_by(winner: int, games: int) -> int:
    """Number of actions of the shortest of the first random games that are compared in which this player wins."""
    lengths = []
    for game in range(games):
        rng, state, taken = random.Random(game), pig.initial_state(), 0
        while (player := pig.current_player(state)) != -4:
            actions = pig.legal_actions(state) if player >= 0 else range(6)
            state, taken = pig.apply_action(state, actions[int(rng.random() * len(actions))]), taken + 1
        if pig.returns(state)[winner] == 1.0:
            lengths.append(taken)
    return min(lengths)


def test_the_smallest_difference_is_told(monkeypatch):
    # The third player never wins, which is seen at the end of a game.
    monkeypatch.setattr(native_agreement, "SEARCHED_GAMES", 30)
    found = _difference("pig", ">= WIN_SCORE ? 1.0", ">= WIN_SCORE && player < 2 ? 1.0")
    assert found.what == "returns" and found.expected[2] == "1" and found.found[2] != "1"
    assert 0 < len(found.history) <= _shortest_won_by(2, 30)
    assert "after" in str(found) and "returns: expected" in str(found)


@pytest.mark.parametrize(
    "name, before, after, what, most",
    [
        ("tic_tac_toe", "= __builtin_ctz(empty);", "= 8 - __builtin_ctz(empty);", "legal_actions", 0),
        ("tic_tac_toe", "put_char(text, '(');", "put_char(text, '[');", "action_name", 0),
        ("tic_tac_toe", "'x' : state->", "'y' : state->", "observation", 1),
        ("tic_tac_toe", "0124};", "0125};", "current_player", 7),
        ("tic_tac_toe", "NUM_DISTINCT_ACTIONS = 9", "NUM_DISTINCT_ACTIONS = 10", "the constants", 0),
        ("pig", "= 1.0 / 6.0;", "= outcome ? 0.15 : 0.25;", "probabilities", 1),
    ],
)
def test_each_kind_of_difference_is_found(name, before, after, what, most):
    found = _difference(name, before, after)
    assert found.what == what and len(found.history) <= most


@pytest.mark.parametrize(
    "before, after, message",
    [
        ("state->moves++;", "state->moves += state->moves == 6 ? *(int *)(8L * state->moves) : 1;",
         "it fails (the sandbox worker is gone"),
        ("state->moves++;", "state->moves++; if (state->moves == 7) state->turn_total = 0x7fffffff + state->moves;",
         "it fails (a sum overflows at line"),
        ("state->moves++;", "state->moves++; if (state->moves == 7) state->scores[state->moves] = 0;",
         "it fails (an index outside its array at line"),
    ],
)  # fmt: skip
def test_a_failure_is_told_with_the_actions_that_lead_to_it(before, after, message):
    found = _difference("pig", before, after)
    assert found.what.startswith(message), found.what
    assert [name in ("roll", "stop") for name in found.history].count(True) == 7


class _Hanging:
    """A program that answers up to some number of actions of a game, and hangs after them."""

    def __init__(self, last: int):
        self.last = last

    def call(self, function, game, options, start, stop, *, seconds):
        if stop > self.last:
            raise WorkerTimeout("the worker did not answer by its deadline")
        return {}


@pytest.mark.parametrize("last", [-1, 0, 1, 4, 9])
def test_what_hangs_is_told_with_the_fewest_actions_after_which_it_does(last):
    comparison = object.__new__(native_agreement._Comparison)
    comparison.options = {}
    names = [str(action) for action in range(10)]
    found = comparison._failure(3, _Hanging(last), names)
    assert found.what == "it fails (the worker did not answer by its deadline)"
    assert found.history == tuple(names[: last + 1])


def test_what_fails_once_is_told():
    comparison = object.__new__(native_agreement._Comparison)
    comparison.options = {}
    assert "not when tried again" in comparison._failure(3, _Hanging(10), ["roll"]).what


def test_what_is_read_before_it_is_written_is_told():
    found = _difference("tic_tac_toe", "int count = 0;", "int count, room[3]; count = room[1] & 2;")
    assert found.what == "legal_actions" or "fails" in found.what


@pytest.mark.parametrize(
    "source, message",
    [("#include <stdio.h>", "only directive"), ("typedef struct { int x; } State;", "is missing")],
)
def test_what_is_no_model_is_told(source, message):
    with pytest.raises(NativeDisagreement, match=message):
        native_agreement.compare(_text("pig.py"), source, FEW)


def test_what_does_not_compile_is_told():
    with pytest.raises(NativeDisagreement, match=r"the checked build does not load: .*model.c:\d+:\d+: error"):
        native_agreement.compare(_text("pig.py"), _text("pig.c").replace("moves++;", "moves++"), FEW)


# --- hidden information -------------------------------------------------------------------------------


LIKENED = r"information_state of player \d: in the verified program it .*; in the file in C it is the one that it has after"


def _compare_leduc(before: str = "", after: str = "") -> native_agreement.NativeAgreement:
    assert before in LEDUC
    verified = (SHIPPED / "model.py").read_text(encoding="utf-8")
    return native_agreement.compare(verified, LEDUC.replace(before, after, 1), FEW, hidden=True)


def test_a_model_with_secrets_agrees():
    agreed = _compare_leduc()
    assert agreed.draws == native_agreement.DRAWN_GAMES * native_agreement.DRAWS


@pytest.mark.parametrize(
    "before, after, message",
    [
        ("information->card = state->cards[player];", "information->card = 0;", LIKENED),
        ("information->card = state->cards[player];", "information->card = state->cards[1 - player];",
         LIKENED),
        ("unseen[random_below(random, count)]", "unseen[0]", "resample for player .* have"),
        ("unseen[random_below(random, count)]", "(random_below(random, 2) ? unseen[0] : unseen[count - 1])",
         "resample for player .* have"),
        ("state->cards[1 - player] = (int8_t)unseen[random_below(random, count)];",
         "state->cards[player] = (int8_t)unseen[random_below(random, count)];",
         "states that the player cannot tell apart: expected 400, found"),
        ("    state->cards[1 - player] = (int8_t)unseen", "    if (random_below(random, 2)) state->cards[1 - player] ="
         " (int8_t)unseen", "resample for player .* have"),  # it knows what it should not
    ],
)  # fmt: skip
def test_wrong_inference_is_found(before, after, message):
    with pytest.raises(NativeDisagreement, match=message):
        _compare_leduc(before, after)


# --- value and rollout functions ----------------------------------------------------------------------

VALUE_IN_C = """
void value(const State *state, double *amounts) {
    for (int player = 0; player < NUM_PLAYERS; player++) amounts[player] = 0.1 * player - 0.25 * state->rolling;
}
"""
VALUE = """
import model
def value(state):
    return [0.1 * player - (0.25 if model.current_player(state) == -1 else 0.0) for player in range(3)]
"""
ROLLOUT_IN_C = """
void rollout(const State *given, Random *random, double *amounts) {
    State state = *given;
    int actions[2], player;
    while ((player = current_player(&state)) != TERMINAL_PLAYER) {
        if (player == CHANCE_PLAYER) {
            double number = random_number(random);
            int outcome = 0;
            while ((number -= 1.0 / 6.0) >= 0 && outcome < 5) outcome++;
            apply_action(&state, outcome);
        } else {
            int count = legal_actions(&state, actions);
            apply_action(&state, actions[random_below(random, count)]);
        }
    }
    returns(&state, amounts);
}
"""


def test_value_functions_are_compared():
    native_agreement.compare(_text("pig.py"), _text("pig.c") + VALUE_IN_C, FEW, value_source=VALUE)
    wrong = VALUE_IN_C.replace("0.25 * state->rolling", "0.26 * state->rolling")
    with pytest.raises(NativeDisagreement, match="value: expected"):
        native_agreement.compare(_text("pig.py"), _text("pig.c") + wrong, FEW, value_source=VALUE)


def test_rollout_functions_are_compared():
    agreed = native_agreement.compare(_text("pig.py"), _text("pig.c") + ROLLOUT_IN_C, FEW)
    assert agreed.rollouts > 50
    wrong = ROLLOUT_IN_C.replace("    returns(&state", "    random_number(random);\n    returns(&state")
    with pytest.raises(NativeDisagreement, match="rollout, random game .* returns and the next number"):
        native_agreement.compare(_text("pig.py"), _text("pig.c") + wrong, FEW)


# --- taken in -----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(SHIPPED, tmp_path / "leduc")
    return str(tmp_path / "leduc")


def _installed(folder: str, rates: dict[str, float | None] = RATES) -> manifest.Model:
    verdict = native_judging.NativeCandidate(True, "by the test", 7, rates)
    native_judging.install(folder, manifest.load(folder), LEDUC, verdict)
    return manifest.load(folder)


def test_judging_measures_and_installing_writes(folder, monkeypatch):
    for constant in ("WARM_UP_SECONDS", "ROUND_SECONDS"):
        monkeypatch.setattr(speed, constant, 0.0)
    monkeypatch.setattr(compiling_python, "missing", lambda: "not in this test")  # it compiles for seconds
    loaded = manifest.load(folder)
    verdict = native_judging.judge(loaded, LEDUC, FEW)
    assert verdict.transitions >= FEW and set(verdict.rates) >= {"cpython", "native"}
    # That it is faster is not for a test to promise; that the verdict follows the rates is.
    others = max(rate or 0 for name, rate in verdict.rates.items() if name != "native")
    assert verdict.accepted == (verdict.rates["native"] > others)
    refused = native_judging.judge(loaded, LEDUC.replace("? 4 : 2", "? 4 : 3"), FEW)
    assert not refused.accepted and refused.reason.startswith("after")
    with pytest.raises(ValueError, match="was refused"):
        native_judging.install(folder, loaded, LEDUC, refused)
    assert not (Path(folder) / "model.c").exists()


def test_a_model_is_loaded_with_its_c_as_long_as_it_is_the_same_model(folder):
    assert _installed(folder).native_source == LEDUC
    program = Path(folder, "model.py")
    program.write_text(program.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    assert manifest.load(folder).native_source is None


def test_auto_goes_by_the_measured_rates(folder):
    assert mcts_bot.resolve_interpreter("auto", _installed(folder)) == ("native", None)
    slow = {**RATES, "native": 1}
    assert mcts_bot.resolve_interpreter("auto", _installed(folder, slow))[0] != "native"


def test_auto_says_why_it_is_not_native(folder, monkeypatch, tmp_path):
    model = _installed(folder)
    chosen, why = mcts_bot.resolve_interpreter("auto", model, use_value=True)
    assert chosen != "native" and why == "the model in C has no value function"
    broken = replace(model, native_source=LEDUC.replace("count++;", "count++", 1))
    assert "model.c" in mcts_bot.resolve_interpreter("auto", replace(broken, native_source="int x"))[1]
    monkeypatch.setattr(compiling, "compiler", lambda: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    chosen, why = mcts_bot.resolve_interpreter("auto", model)
    assert chosen != "native" and "neither the package ziglang" in why


def test_what_was_compiled_before_needs_no_compiler(folder, monkeypatch):
    model = _installed(folder)
    assert mcts_bot.resolve_interpreter("auto", model) == ("native", None)
    monkeypatch.setattr(compiling, "compiler", lambda: None)
    assert mcts_bot.resolve_interpreter("auto", model) == ("native", None)
    assert mcts_bot.resolve_interpreter("native", model) == ("native", None)


def test_by_name_there_is_no_fallback(folder, monkeypatch, tmp_path):
    plain = manifest.load(folder)
    with pytest.raises(ValueError, match="no accepted model in C"):
        mcts_bot.resolve_interpreter("native", plain)
    model = _installed(folder)
    with pytest.raises(ValueError, match="has no value function; choose interpreter=auto"):
        mcts_bot.resolve_interpreter("native", model, use_value=True)
    monkeypatch.setattr(compiling, "compiler", lambda: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ValueError, match="neither the package ziglang"):
        mcts_bot.resolve_interpreter("native", model)


def test_a_manifest_of_a_model_in_c_is_json(folder):
    _installed(folder)
    content = json.loads(Path(folder, "manifest.json").read_text(encoding="utf-8"))
    assert content["native"]["accepted"] and content["interpreter"]["chosen"] == "native"
