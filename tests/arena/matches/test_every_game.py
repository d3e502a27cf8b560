"""Every game that OpenSpiel or this suite registers either plays by name or is refused in one sentence."""

from __future__ import annotations

import shutil

import pyspiel
import pytest

from arena.matches.match import load_match_game, play_match
from arena.registry.games import import_games, load_game

import_games()
GAMES = {
    game_type.short_name: game_type
    for game_type in pyspiel.registered_games()
    if not game_type.short_name.startswith("arena_test_")
}  # games of other tests

REFUSED = {
    "bridge_uncontested_bidding": "samples its chance outcomes by itself",
    "negotiation": "samples its chance outcomes by itself",
    "stones_and_gems": "samples its chance outcomes by itself",
    "tarok": "samples its chance outcomes by itself",
    "mfg_crowd_modelling": "is a mean-field game",
    "mfg_crowd_modelling_2d": "is a mean-field game",
    "mfg_dynamic_routing": "is a mean-field game",
    "mfg_garnet": "is a mean-field game",
    "crossword": "cannot be played: LegalActions unimplemented",
    "python_hangman": "cannot be played: AttributeError",
}
"""Games that load without parameters, but do not play, with the reason."""


MEAN_FIELD = pyspiel.GameType.Dynamics.MEAN_FIELD
LOADABLE = {
    name
    for name, known in GAMES.items()
    if known.default_loadable and (known.dynamics != MEAN_FIELD or name in REFUSED)
} | {"coop_to_1p"}
"""OpenSpiel says that coop_to_1p needs parameters, but it has defaults. Its mean-field games in Python are there only
where something, such as another test, has imported them."""


@pytest.mark.parametrize("name", sorted(LOADABLE))
def test_a_game_plays_by_its_name_or_says_why_not(name, capfd):
    if name == "bridge" and shutil.which("free") is None:
        pytest.skip("OpenSpiel's bridge asks the program free, which is not there: apt-get install procps")
    if name in REFUSED:
        with pytest.raises(ValueError) as caught:
            load_match_game(name, max(1, GAMES[name].min_num_players))
        assert REFUSED[name] in str(caught.value) and "\n" not in str(caught.value)
    else:
        players = load_game(name).num_players()
        record = play_match(name, ["random"] * players, 1)
        assert record.forfeit is None
        assert len(record.returns) == players
        game = load_game(name)
        assert all(game.min_utility() <= value <= game.max_utility() for value in record.returns)
    assert capfd.readouterr().err == ""


# What textworld and jericho say depends on what is installed: tests/games/text.
@pytest.mark.parametrize("name", sorted(GAMES.keys() - LOADABLE - {"textworld", "jericho"}))
def test_a_game_that_needs_parameters_says_so(name):
    with pytest.raises(ValueError) as caught:
        load_match_game(name, 2)
    assert "it needs parameters, see python -m arena.list games" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "game",
    [
        "misere(game=tic_tac_toe())",
        "turn_based_simultaneous_game(game=goofspiel(num_cards=3))",
        "repeated_game(stage_game=matrix_pd(),num_repetitions=5)",
        "start_at(game=tic_tac_toe(),history=4;0)",
        "zerosum(game=matrix_pd())",
        "add_noise(game=kuhn_poker(),epsilon=0.1,seed=1)",
        "cached_tree(game=kuhn_poker())",
        "restricted_nash_response(game=kuhn_poker(),fixed_player=0,p=0.5)",
        "normal_form_extensive_game(game=matrix_rps())",
        "repeated_poker(max_num_hands=2,reset_stacks=True,rotate_dealer=True,universal_poker_game_string="
        "universal_poker(betting=nolimit,bettingAbstraction=fullgame,blind=2 1,firstPlayer=2 1 1 1,"
        "numBoardCards=0 3 1 1,numHoleCards=2,numPlayers=2,numRanks=13,numRounds=4,numSuits=4,"
        "stack=200 200))",
    ],
)
def test_games_around_games_play(game):
    record = play_match(game, ["random", "random"], 2)
    assert record.forfeit is None


def test_what_is_refused_is_still_there():
    """A reason that OpenSpiel has mended must not stay in the list."""
    assert REFUSED.keys() <= GAMES.keys()
