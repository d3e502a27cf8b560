"""Recordings that ship: searches and episodes replay from them, without a request that nobody answered."""

from __future__ import annotations

from pathlib import Path

import pytest

import language_models
from arena.matches.match import play_match
from arena.registry.games import load_game
from arena.tournaments.schedule import Tournament
from language_models import Recorded
from language_models.asking.client import Client
from language_models.asking.lockstep import run
from mcdml.agents import variants
from mcdml.agents.episodes import Contest, Store, agent_of, play_all
from mcdml.bottleneck import COMPARED

RECORDINGS = Path(language_models.__file__).parent / "recordings" / "mcdml"
BOTTLENECK = "temperature=5,c_puct=20,rehearsals=40,prefetch_depth=1,ask_depth=2"
SEARCH = "temperature=5,c_puct=20,simulations_per_action=20,prefetch_depth=1,ask_depth=2"
EPISODES = {
    **dict.fromkeys(["mcdml", "no_cross_trial", "none"], f"{SEARCH},rehearsals=20"),
    "puct_static": SEARCH,
    "llm_policy": "",
    "reflection_agent": "",
}
"""Options of each recorded arm."""
ADVENTURE = "text_adventure(layout_seed=1000,death=5)"


@pytest.mark.parametrize("arm", COMPARED)
def test_the_search_at_a_bottleneck_replays(arm):
    """With c_puct=20 the lantern is taken; the reflections raise its prior and lower that of the trap."""
    game = load_game(ADVENTURE)
    state, actions = game.bottleneck_state(), game.bottleneck_actions()
    client = Client(Recorded(RECORDINGS / f"bottleneck_{arm}.jsonl"))
    spec = variants.specs([arm], BOTTLENECK)[arm]
    ended = dict(run([agent_of(spec, game, seed, 0).decide(state) for seed in range(3)], client))
    for decision in ended.values():
        rows = {row.action: row for row in decision.rows}
        assert decision.name == actions["lantern"] and decision.tally.misses == 0
        lantern, trap = rows[actions["lantern"]].prior, rows[actions["trap"]].prior
        assert bool(decision.reflections) == (arm == "mcdml")
        assert lantern > 5 * trap if arm == "mcdml" else lantern < 2 * trap


@pytest.mark.parametrize("arm", EPISODES)
def test_an_episode_replays(arm):
    spec = variants.specs([arm], EPISODES[arm])[arm]
    client = Client(Recorded(RECORDINGS / f"benchmark_{arm}.jsonl"))
    store = Store(None, {})
    play_all([Contest(ADVENTURE, spec, 0)], client, store, 4, arm)
    (episode,) = store.episodes.values()
    assert episode.tally.misses == 0 and episode.tally.calls > 0 and len(episode.moves) == 4


@pytest.mark.parametrize(
    "game, bot, opponent, opening_plies",
    [
        ("connect_four", "llm_mcts", "gt_mcts(simulations=100)", 2),
        ("gen_tic_tac_toe", "llm_mcts", "gt_mcts(simulations=100)", 2),
        ("cwm(model=gen_tic_tac_toe/0)", "llm_mcts", "mcts(simulations=100)", 2),
        ("leduc_poker", "llm_ismcts", "ismcts(simulations=100,reproducible=true)", 0),
    ],
)
def test_a_match_of_the_evaluator_replays(game, bot, opponent, opening_plies):
    """The first match of the tournament that docs/results/mcdml.md names."""
    ours = f"{bot}(llm=recorded,simulations=100,cross_trial=0,ask_depth=1)"
    seats, seed = next(
        Tournament.checked(
            game, [ours, opponent], num_games=2, seed=1, opening_plies=opening_plies, move_seconds=None
        ).schedule()
    )
    record = play_match(game, seats, seed, opening_plies=opening_plies)
    tallies = [move.notes["tally"] for move in record.moves if move.player == 0 and move.notes]
    assert record.forfeit is None and tallies
    assert all(tally["misses"] == 0 and tally["calls"] == 1 for tally in tallies)
