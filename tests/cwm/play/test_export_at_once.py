"""Exported games in which players choose at once."""

from __future__ import annotations

import json

import pyspiel
import pytest

from arena.registry.games import load_game
from cwm import contract
from cwm.contract import manifest
from cwm.play.exporting import exporting
from tests.cwm.play.test_export import imported, run_alone

if not hasattr(contract, "SIMULTANEOUS_FUNCTIONS"):
    pytest.skip("the contract knows no choices made at once", allow_module_level=True)

GAMES = {
    "matrix_rps": ("matrix_rps", {}),
    "oshi_zumo": ("oshi_zumo(coins=6)", {}),
    "goofspiel": ("goofspiel(imp_info=True,num_cards=4)", {"chance": True, "perfect_information": False}),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_file_alone_passes_its_own_test_and_plays_like_the_ground_truth(folder_of, tmp_path, name):
    real, properties = GAMES[name]
    model = manifest.load(folder_of(name, simultaneous=True, **properties))
    file = tmp_path / f"out_{name}.py"
    exporting.export(model, file.stem, file)
    (tmp_path / "alone").mkdir()
    done = run_alone(file, tmp_path / "alone")
    assert done.returncode == 0, done.stderr
    imported(file)
    ours, theirs = pyspiel.load_game(file.stem), load_game(real)
    assert ours.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    pyspiel.random_sim_test(pyspiel.convert_to_turn_based(ours), 2, False, False)
    play_both(ours.new_initial_state(), theirs.new_initial_state())


def play_both(ours, theirs):
    """One game in which the last legal choices of all are made, by name."""
    while not theirs.is_terminal():
        assert ours.current_player() == theirs.current_player()
        if theirs.is_chance_node():
            action = theirs.legal_actions()[-1]
            ours.apply_action(by_name(ours, pyspiel.PlayerId.CHANCE)[theirs.action_to_string(action)])
            theirs.apply_action(action)
            continue
        names = [by_name(theirs, player) for player in range(2)]
        assert [set(by_name(ours, player)) for player in range(2)] == [set(own) for own in names]
        chosen = [list(own)[-1 - player] for player, own in enumerate(names)]
        ours.apply_actions([by_name(ours, player)[name] for player, name in enumerate(chosen)])
        theirs.apply_actions([names[player][name] for player, name in enumerate(chosen)])
        assert ours.returns() == theirs.returns()
        for player in range(2):
            seen = json.loads(ours.observation_string(player))
            assert seen.get("observation", theirs.observation_string(player)) == theirs.observation_string(
                player
            )
    assert ours.is_terminal() and ours.returns() == theirs.returns()


def by_name(state, player):
    return {state.action_to_string(player, action): action for action in state.legal_actions(player)}
