"""Value functions for hidden information: scored by mean return, and cwm_ismcts plays with them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from cwm.contract import manifest
from cwm.writing import prompting, value_functions
from games import rules
from tests.cwm.test_commands import command, sentence

CALLING = '''
import model

_known = {}


def called_down(state):
    """Returns if everybody calls from here on."""
    if state not in _known:
        player = model.current_player(state)
        if player == -4:
            _known[state] = tuple(model.returns(state))
        else:
            outcomes = model.chance_outcomes(state) if player == -1 else [(1, 1.0)]
            after = [(called_down(model.apply_action(state, action)), chance)
                     for action, chance in outcomes]
            _known[state] = tuple(sum(value[seat] * chance for value, chance in after)
                                  for seat in range(2))
    return _known[state]


def value(state):
    return called_down(state)
'''
UPSIDE_DOWN = CALLING.replace("return called_down(state)\n", "return tuple(-v for v in called_down(state))\n")
assert UPSIDE_DOWN != CALLING


@pytest.fixture
def folder(leduc_folder):
    return leduc_folder()


def test_a_tournament_of_cwm_ismcts_tells_a_good_value_from_its_negative(folder, scripted, answer):
    entry = value_functions.add(
        folder,
        "Rules.",
        scripted(answer(UPSIDE_DOWN), answer(CALLING), "nothing"),
        3,
        games_per_pair=12,
        simulations=20,
    )
    totals = entry["total_score"]
    assert totals["0"] < totals["rollouts"] and totals["0"] < totals["1"] and entry["chosen"] != 0
    assert sum(totals.values()) == pytest.approx(0.0)  # zero-sum, and all have played as many games
    assert entry["candidates"][2]["refused"] == "the answer held no program"
    assert entry["scored_by"] == "mean return"


@dataclass
class Played:
    returns: tuple[float, float]


@pytest.mark.parametrize(
    "earned, other, accepted",
    [
        ((10.0, 1.0, 1.0, 1.0), 2.0, True),  # wins one game of four and earns more
        ((3.0, 3.0, 3.0, 0.0), 2.5, False),
    ],
)  # wins three of four and earns less
def test_what_counts_is_the_mean_return(folder, scripted, answer, monkeypatch, earned, other, accepted):
    """A general-sum game, played by script: the candidate earns `earned` in turn, rollouts `other`."""
    games = iter(earned)
    openings = set()

    def played(game, bots, seed, *, opening_plies):
        openings.add(opening_plies)
        pair = (next(games), other)
        with_value = [bot._use_value for bot in bots]
        assert sorted(with_value) == [False, True]
        return Played(pair if with_value[0] else pair[::-1])

    monkeypatch.setattr(value_functions, "play_match", played)
    entry = value_functions.add(folder, "Rules.", scripted(answer(CALLING)), 1, games_per_pair=4)
    assert entry["accepted"] is accepted and openings == {0}
    assert entry["total_score"] == {"0": sum(earned) / 4, "rollouts": other}
    assert entry["score_by_pair"] == {"0 v rollouts": sum(earned) / 4 - other}
    if accepted:
        assert manifest.load(folder).value_source == CALLING


def test_cwm_ismcts_plays_with_its_value_function_or_says_that_there_is_none(folder):
    game = load_game("leduc_poker")
    with pytest.raises(ValueError, match="no accepted value function; run python -m cwm.value_functions"):
        make_bot(f"cwm_ismcts(model={folder},value=true)", game, 0, 0)
    content = manifest.load(folder).manifest
    with open(f"{folder}/value.py", "w") as file:
        file.write(CALLING)
    manifest.write_json(f"{folder}/manifest.json", dict(content, value_function={"accepted": True}))
    roots = []
    for value in ("true", "false"):
        record = play_match(
            "leduc_poker",
            [f"cwm_ismcts(model={folder},simulations=40,value={value})", "random"],
            3,
            opening_plies=0,
        )
        first = next(move.notes for move in record.moves if move.player == 0)
        assert record.forfeit is None and first["value_function"] is (value == "true")
        assert f"value={value}" in record.seats[0]
        roots.append(first["value"])
    assert roots[0] != roots[1]


def test_the_prompt_for_hidden_games_has_its_own_words():
    """The one for games without secrets must stay as it was recorded; see tests/cwm/test_recordings.py."""
    plain, hidden = (
        prompting.value_function("The rules.", "NUM_PLAYERS = 2", hidden=hides) for hides in (False, True)
    )
    assert "hidden" not in plain and "resample_history" in hidden
    assert "The rules." in hidden and "NUM_PLAYERS = 2" in hidden and "value(state)" in hidden


def test_the_command_asks_what_it_says_and_refuses_in_one_sentence(folder, tmp_path):
    game_rules = rules(load_game("leduc_poker"))
    asked = value_functions.request(game_rules, manifest.load(folder), 0)
    answers = tmp_path / "answers.jsonl"
    answers.write_text("")
    done = command("cwm.value_functions", f"--model={folder}", f"--llm=recorded:{answers}", cwd=tmp_path)
    assert "cwm value function of leduc_poker, run 0, candidate 1" in sentence(done)
    assert asked.purpose == "cwm value function of leduc_poker, run 0, candidate 1"
    odd = command("cwm.value_functions", f"--model={folder}", "--games_per_pair=3", cwd=tmp_path)
    assert "--games_per_pair: expected an even number" in sentence(odd)
    content = manifest.load(folder).manifest
    manifest.write_json(f"{folder}/manifest.json", dict(content, game="pebbles"))
    unknown = command("cwm.value_functions", f"--model={folder}", f"--llm=recorded:{answers}", cwd=tmp_path)
    assert "--rules=FILE" in sentence(unknown)
