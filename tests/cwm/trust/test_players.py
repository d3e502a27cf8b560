"""Test players: the paper's where a search can play, and what takes its place elsewhere."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest

from arena.registry.games import load_game
from cwm.trust import players
from cwm.trust.trajectories import choose_randomly, collect

AMAF = f"amaf(games={players.AMAF_GAMES},moves={players.AMAF_MOVES})"
MCCFR = f"mccfr(iterations={players.MCCFR_ITERATIONS})"
FLAT = f"flat_monte_carlo(playouts={players.PLAYOUTS},moves={players.PLAYOUT_MOVES})"


@pytest.mark.parametrize(
    "game, names, reason",
    [
        ("tic_tac_toe", ["random", "mcts(simulations=25)"], None),
        ("leduc_poker", ["random", "ismcts(simulations=25)"], None),
        ("gin_rummy", ["random", "ismcts(simulations=25)", "simple_gin_rummy"], None),
        ("tiny_hanabi", ["random", AMAF, MCCFR], "does not resample what a player cannot see"),
        ("hearts", ["random", AMAF], "does not resample"),
        ("crazy_eights", ["random", AMAF], "does not resample"),
        ("cliff_walking", ["random", FLAT], "pays during play"),
    ],
)
def test_each_game_has_players_for_its_kind(game, names, reason):
    found = players.players_of(load_game(game))
    assert found.names == names
    assert found.unsearchable is None if reason is None else reason in found.unsearchable


def test_they_play_every_game_to_its_end():
    for name in ("tiny_hanabi", "cliff_walking", "phantom_ttt"):
        game = load_game(name)
        for chooser in players.players_of(game).choosers:
            (trajectory,) = collect(game, 1, 3, (chooser,))
            assert trajectory.steps[-1].action is None


def mean_return(game, choosers, games):
    """The first player's mean return where seat i is played by chooser i."""

    def choose(state, rng):
        return choosers[state.current_player()](state, rng)

    return np.mean([one.steps[-1].returns[0] for one in collect(game, games, 11, (choose,))])


def test_all_moves_as_first_begins_in_the_middle_and_beats_random_play():
    """The cell of phantom tic-tac-toe that lies on the most lines, four of eight, is the one in the middle."""
    game = load_game("phantom_ttt")
    choose = players.all_moves_as_first(game)
    assert choose(game.new_initial_state(), np.random.default_rng(0)) == 4
    purposeful = mean_return(game, (choose, choose_randomly), 150)
    assert purposeful > mean_return(game, (choose_randomly, choose_randomly), 150) + 0.1


def test_all_moves_as_first_does_not_see_what_is_hidden():
    """The first player of phantom tic-tac-toe cannot know where the second one has played."""
    game = load_game("phantom_ttt")
    choose = players.all_moves_as_first(game)
    choices = set()
    for hidden in (1, 2, 5, 8):
        state = game.new_initial_state()
        for action in (4, hidden):
            state.apply_action(action)
        choices.add(choose(state, np.random.default_rng(0)))
    assert len(choices) == 1


def test_a_flat_search_takes_the_win():
    """Crosses on 0 and 1, noughts on 3 and 4: the cross on 2 wins in all playouts, and any other cell loses where
    the nought comes on 5."""
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    chosen = [players.flat_monte_carlo(state, np.random.default_rng(seed)) for seed in range(20)]
    assert chosen.count(2) >= 18


def test_a_search_that_fails_is_no_search(monkeypatch):
    def broken(game, simulations):
        def choose(state, rng):
            raise RuntimeError("no search here\nand more")

        return choose

    players._why_unsearchable.cache_clear()
    monkeypatch.setattr(players, "mcts_chooser", broken)
    try:
        found = players.players_of(load_game("nim"))
    finally:
        players._why_unsearchable.cache_clear()
    assert found.names == ["random", FLAT] and found.unsearchable == "no search here"


def test_a_search_that_fails_in_one_state_moves_at_random_there():
    """As IS-MCTS does in gin_rummy, where what a player sees does not tell its legal actions."""

    def broken(state, rng):
        raise KeyError(102)

    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    with pytest.warns(UserWarning, match=r"a search of tic_tac_toe\(\) failed with KeyError \(102\)"):
        chosen = {players.going_on(broken)(state, np.random.default_rng(seed)) for seed in range(60)}
    assert chosen == set(range(9))
