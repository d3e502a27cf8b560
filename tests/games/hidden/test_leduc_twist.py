"""leduc_twist against OpenSpiel's leduc_poker in every state, and what the twist changes."""

from __future__ import annotations

from collections import defaultdict

import pyspiel
import pytest

from games.seeing import views

NAMES = {"raise": "push", "fold": "drop", "call": "stay"}
TILES = {"Js": "ash1", "Jh": "ash2", "Qs": "birch1", "Qh": "birch2", "Ks": "cedar1", "Kh": "cedar2"}


def renamed(name: str) -> str:
    return f"deal {TILES[name.split()[1]]}" if name.startswith("deal") else NAMES[name]


def renamed_data(data: dict) -> dict:
    return {
        "tile": TILES.get(data["card"]),
        "common_tile": TILES.get(data["public_card"]),
        "round": data["round"],
        "acts": [[NAMES[bet] for bet in bets] for bets in data["bets"]],
        "stakes": data["chips"],
    }


def play(parameters: str, *names: str) -> pyspiel.State:
    state = pyspiel.load_game("leduc_twist" + parameters).new_initial_state()
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state


def test_without_the_twist_every_state_is_openspiels():
    ours = pyspiel.load_game("leduc_twist(ranks=3,pairs_lose=false)")
    theirs = pyspiel.load_game("leduc_poker")
    assert ours.max_game_length() == theirs.max_game_length()
    assert (ours.min_utility(), ours.max_utility()) == (theirs.min_utility(), theirs.max_utility())
    pending = [(ours.new_initial_state(), theirs.new_initial_state())]
    strings, visited = [defaultdict(set), defaultdict(set)], 0
    while pending:
        state, truth = pending.pop()
        visited += 1
        assert state.current_player() == truth.current_player()
        assert state.returns() == truth.returns()
        for player in range(2):
            assert views.view(state, player).data == renamed_data(views.view(truth, player).data)
        if truth.current_player() >= 0:
            keys = [s.information_state_string(truth.current_player()) for s in (state, truth)]
            strings[0][truth.current_player(), keys[0]].add(keys[1])
            strings[1][truth.current_player(), keys[1]].add(keys[0])
        actions = views.actions_by_name(state)
        wanted = {renamed(name): a for name, a in views.actions_by_name(truth).items()}
        assert set(actions) == set(wanted)
        if truth.is_chance_node():
            expected = {renamed(n): p for n, p in views.chance_distribution(truth).items()}
            assert views.chance_distribution(state) == pytest.approx(expected)
        pending += [(state.child(actions[n]), truth.child(wanted[n])) for n in wanted]
    assert visited > 9000
    # The same information states: OpenSpiel counts 936 of them.
    assert len(strings[0]) == len(strings[1]) == 936
    assert all(len(same) == 1 for found in strings for same in found.values())


@pytest.mark.parametrize(
    "tiles, returns",
    [
        (("ash1", "elm1", "elm2"), [1, -1]),  # the pair of elms, the highest rank, loses
        (("elm1", "ash1", "elm2"), [-1, 1]),
        (("elm1", "cedar2", "ash1"), [1, -1]),
        (("birch1", "birch2", "elm1"), [0, 0]),
    ],
)
def test_pairs_lose(tiles, returns):
    first, second, common = (f"deal {tile}" for tile in tiles)
    state = play("", first, second, "stay", "stay", common, "stay", "stay")
    assert state.returns() == returns


def test_the_deal_is_numbered_from_the_highest_tile():
    names = list(views.actions_by_name(play("")))
    assert names[0] == "deal elm2" and names[-1] == "deal ash1" and len(names) == 8
    assert views.view(play("", "deal ash1", "deal ash2", "push"), 1).legal == ("push", "drop", "stay")


def test_parameters_are_checked():
    with pytest.raises(ValueError, match="ranks must be from 2 to 8, got 9"):
        pyspiel.load_game("leduc_twist(ranks=9)")
