"""Models in C of games in which players choose at once: compared with the verified one, asked for, taken in, played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from cwm.contract import manifest, native_source
from cwm.play import mcts_bot
from cwm.worker import compiling as compiling_python
from cwm.worker import speed
from cwm.worker.native import compiling
from cwm.writing.rewriting import (
    native_agreement,
    native_judging,
    native_rollouts,
    native_writing,
    optimization,
)
from cwm.writing.rewriting.native_agreement import NativeDisagreement

pytestmark = [
    pytest.mark.skipif(compiling.missing() is not None, reason=str(compiling.missing())),
    pytest.mark.usefixtures("quick_builds", "few_games"),
]
MODELS = Path(__file__).parents[1] / "models" / "at_once"
FEW = 400
ZUMO = "oshi_zumo(coins=6)"


def _text(name: str) -> str:
    return (MODELS / name).read_text(encoding="utf-8")


def _compare(
    name: str, before: str = "", after: str = "", hidden: bool = False
) -> native_agreement.NativeAgreement:
    source = _text(f"{name}.c")
    assert before in source
    changed = source.replace(before, after, 1)
    return native_agreement.compare(_text(f"{name}.py"), changed, FEW, hidden=hidden, simultaneous=True)


# --- agreement ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name, hidden", [("oshi_zumo", False), ("sowing", False), ("goofspiel", True)])
def test_the_same_game_agrees(name, hidden):
    agreed = _compare(name, hidden=hidden)
    assert agreed.transitions >= FEW and agreed.games > 3
    assert agreed.draws == (native_agreement.DRAWN_GAMES * native_agreement.DRAWS if hidden else 0)


FAULTS = [
    ("oshi_zumo", "return state->coins[player] + 1;", "return state->coins[0] + 1;", "player_legal_actions"),
    ("oshi_zumo", "put_int(text, player);", "put_int(text, 0);", "player_action_name"),
    ("oshi_zumo", "(actions[0] > actions[1])", "(actions[0] >= actions[1])", "observation"),
    ("oshi_zumo", "(state->place > MIDDLE) -", "(state->place >= MIDDLE) -", "returns"),
    ("oshi_zumo", "state->place == 0 ||", "state->place == 2 ||", "current_player"),
    (
        "oshi_zumo",
        "bid <= state->coins[player]; bid++) actions[bid]",
        "bid <= 7; bid++) actions[bid]",
        "buffer|it fails",
    ),
    ("sowing", "0.3, 0.2}", "0.2, 0.3}", "probabilities"),
    ("sowing", "if (!most) return 0;", "if (!most) most = 0;", "player_legal_actions"),
    ("sowing", "among[amount] > 1", "among[amount] > 2", "observation"),
    ("sowing", "-4 : 2", "-4 : 3", "observation"),
]


@pytest.mark.parametrize("name, before, after, what", FAULTS)
def test_a_planted_fault_is_found_and_named(name, before, after, what):
    with pytest.raises(NativeDisagreement, match=what):
        _compare(name, before, after)


def test_a_difference_tells_the_moves_of_all_players():
    with pytest.raises(NativeDisagreement) as caught:
        _compare("oshi_zumo", "(actions[0] > actions[1])", "(actions[0] >= actions[1])")
    [*_, last] = caught.value.difference.history
    first, second = json.loads(last)
    assert first[-1] == second[-1] and (first[:4], second[:4]) == ("[P0]", "[P1]")


@pytest.mark.parametrize(
    "before, after, what",
    [
        ("information->bids[at] = state->bids[player][at];", "", "information_state of player"),
        ("others[at] = (int8_t)(1 + random_below(random, CARDS));", "others[at] = state->bids[1 - player][at];",
         "resample for player"),
        ("if (now != winner(state->bids[0][at], state->bids[1][at])) return false;", "(void)now;",
         "states that the player cannot tell apart"),
    ],
)  # fmt: skip
def test_wrong_inference_is_found(before, after, what):
    with pytest.raises(NativeDisagreement, match=what):
        _compare("goofspiel", before, after, hidden=True)


def test_a_file_without_the_functions_is_refused():
    with pytest.raises(NativeDisagreement, match="the function apply_actions is missing"):
        _compare("oshi_zumo", "void apply_actions(", "static void applied(")


# --- asked for ----------------------------------------------------------------------------------------


@pytest.fixture
def rates(monkeypatch):
    """Timing is not what is tested: a model in C searches ten times as fast."""
    measured = {"cpython": 10, "native": 100}
    monkeypatch.setattr(
        speed, "interpreter_report", lambda *programs: {"chosen": "native", "simulations_per_second": measured}
    )


def test_what_is_wrong_goes_back_until_a_right_file_comes(at_once_folder, scripted, rates):
    folder, right = at_once_folder("oshi_zumo"), _text("oshi_zumo.c")
    path = Path(folder) / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "seed": 0}))
    wrong = right.replace("state->coins[player] + 1;", "state->coins[0] + 1;")
    llm = scripted(*(f"```c\n{text}```\n" for text in (wrong, right)))
    verdicts = native_writing.rewrite(folder, llm, 3, FEW)
    assert [verdict.accepted for verdict in verdicts] == [False, True]
    first, second = (request.messages[-1].content for request in llm.requests)
    assert native_source.header().strip() in first and native_source.header_at_once().strip() in first
    assert "player_legal_actions of every player" in first and "Write neither `value` nor `rollout`" in first
    assert verdicts[0].reason in second and "is the JSON list of the names of their actions" in second
    assert manifest.load(folder).native_source == right


def _hidden(folder: str) -> str:
    path = Path(folder) / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "deck": "open"}))
    return folder


@pytest.mark.parametrize(
    "command, said",
    [
        (lambda folder, llm: native_writing.rewrite(_hidden(folder), llm), "no search in C for both"),
        (
            lambda folder, llm: optimization.optimize(folder, llm),
            "--language=python: .* players choose at once",
        ),
        (lambda folder, llm: native_rollouts.add(folder, llm), "--rollouts=1: .* players choose at once"),
    ],
)
def test_what_would_not_be_used_is_not_asked_for(at_once_folder, scripted, command, said):
    llm = scripted()
    with pytest.raises(ValueError, match=said):
        command(at_once_folder("oshi_zumo"), llm)
    assert llm.requests == []


# --- taken in, and played -----------------------------------------------------------------------------


def _installed(folder: str, source: str, rates: dict[str, float | None]) -> manifest.Model:
    verdict = native_judging.NativeCandidate(True, "by the test", 7, rates)
    native_judging.install(folder, manifest.load(folder), source, verdict)
    return manifest.load(folder)


def test_judging_races_the_search_of_choices_made_at_once(at_once_folder, monkeypatch):
    for constant in ("WARM_UP_SECONDS", "ROUND_SECONDS"):
        monkeypatch.setattr(speed, constant, 0.0)
    monkeypatch.setattr(compiling_python, "missing", lambda: "not in this test")  # it compiles for seconds
    loaded, right = manifest.load(at_once_folder("oshi_zumo")), _text("oshi_zumo.c")
    verdict = native_judging.judge(loaded, right, FEW)
    assert verdict.rates["native"] is not None, "it searches as CPython does"
    # That it is faster is not for a test to promise; that the verdict follows the rates is.
    others = max(rate or 0 for name, rate in verdict.rates.items() if name != "native")
    assert verdict.accepted == (verdict.rates["native"] > others)


def test_returns_that_differ_by_rounding_alone_are_another_search(at_once_folder, monkeypatch):
    """Random games agree to 9 digits; searches are compared to the bit."""
    for constant in ("WARM_UP_SECONDS", "ROUND_SECONDS"):
        monkeypatch.setattr(speed, constant, 0.0)
    monkeypatch.setattr(speed, "available_interpreters", lambda has_native: ["cpython", "native"])
    loaded = manifest.load(at_once_folder("oshi_zumo"))
    near = _text("oshi_zumo.c").replace(
        "amounts[1] = -amounts[0];", "amounts[1] = -amounts[0] * (1 - 1e-12 * state->bids);"
    )
    verdict = native_judging.judge(loaded, near, FEW)
    assert not verdict.accepted and "comes out otherwise" in verdict.reason and verdict.transitions >= FEW


def test_the_bot_plays_the_same_match_in_c(at_once_folder):
    folder = at_once_folder("oshi_zumo")
    _installed(folder, _text("oshi_zumo.c"), {"cpython": 10, "native": 100})
    played = {}
    for interpreter in ("cpython", "native", "auto"):
        spec = f"cwm_smcts(model={folder},simulations=200,interpreter={interpreter})"
        records = [play_match(ZUMO, [spec, "random"], seed) for seed in range(4)]
        assert all(record.forfeit is None for record in records)
        moves = [move for record in records for move in record.moves if move.player == 0]
        assert {move.notes["interpreter"] for move in moves} == {interpreter.replace("auto", "native")}
        played[interpreter] = [(move.notes["action"], move.notes["policy"]) for move in moves]
    assert played["native"] == played["cpython"] == played["auto"] and len(played["native"]) > 8


def test_by_name_there_is_no_fallback_and_auto_goes_by_the_rates(at_once_folder):
    folder = at_once_folder("oshi_zumo")
    with pytest.raises(ValueError, match="has no accepted model in C; choose interpreter=auto"):
        make_bot(f"cwm_smcts(model={folder},interpreter=native)", load_game(ZUMO), 0, 0)
    slow = _installed(folder, _text("oshi_zumo.c"), {"cpython": 10, "native": 1})
    assert mcts_bot.resolve_interpreter("auto", slow) == ("cpython", None)
