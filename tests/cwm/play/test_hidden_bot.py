"""cwm_ismcts: plays, does not peek, and forfeits with a reason when its model's inference fails."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from cwm.play.ismcts_bot import SeenHistory
from cwm.trust.inference import seen_by
from cwm.trust.trajectories import collect
from games.seeing import views


def spec(folder, **options):
    options = {"simulations": 60, "interpreter": "cpython", **options}
    return f"cwm_ismcts(model={folder}," + ",".join(f"{k}={v}" for k, v in options.items()) + ")"


@pytest.mark.parametrize("inference", ["history", "state"])
def test_it_plays_matches_without_a_forfeit(leduc_folder, inference):
    bot = spec(leduc_folder(), inference=inference)
    for seed in range(4):
        record = play_match("leduc_poker", [bot, "random"], seed, opening_plies=0)
        assert record.forfeit is None and sum(record.returns) == 0
        notes = [move.notes for move in record.moves if move.player == 0]
        assert all(note["inference"] == inference and note["drawn_again"] == 0 for note in notes)


def test_the_history_is_what_the_recorded_game_says_the_player_saw():
    game = load_game("leduc_poker")
    for trajectory in collect(game, 5, 1):
        for player in range(2):
            seen, history = seen_by(trajectory, player), SeenHistory(game, player)
            state = game.new_initial_state()
            for number, name in enumerate(trajectory.actions):
                assert history.update(state) == seen.history(number)
                state.apply_action(views.action_from_name(state, name))
            assert history.update(state) == seen.history(len(trajectory.actions))
            assert SeenHistory(game, player).update(state) == seen.history(len(trajectory.actions))


def states_to_decide(game, count, seed):
    rng = np.random.default_rng(seed)
    while count:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() >= 0 and rng.random() < 0.5:
                count -= 1
                yield state, rng
                break
            state.apply_action(int(rng.choice(state.legal_actions())))


def test_it_does_not_peek(leduc_folder):
    """The hidden part of the state is swapped for another that fits: same seed, same search, same move."""
    game, bot, differing = load_game("leduc_poker"), spec(leduc_folder()), 0
    for number, (state, rng) in enumerate(states_to_decide(game, 25, 3)):
        player = state.current_player()
        other = state.resample_from_infostate(player, rng.random)
        differing += other.history() != state.history()
        found = []
        for shown in (state, other):
            player_bot = make_bot(bot, game, player, number)
            found.append((player_bot.step(shown), player_bot.notes()))
        assert found[0] == found[1]
    assert differing > 10


FAILURES = {
    "draws nothing that fits": (
        'own = _CARD_NAMES.index(seen["card"])',
        "own = 0",
        "crash",
        "none of 200 states drawn fits",
    ),
    "raises": ("seen = history[-1][0]", "seen = history[-1][0]['no']", "crash", "KeyError"),
    "hangs": ("seen = history[-1][0]", "while True: pass", "timeout", "did not answer"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failing_inference_forfeits_with_a_reason(leduc_folder, failure, monkeypatch):
    monkeypatch.setattr("cwm.play.mcts_bot.MIN_SEARCH_SECONDS", 0.0)
    monkeypatch.setattr("cwm.play.mcts_bot.FOLLOW_SECONDS", 1.0)
    monkeypatch.setattr("cwm.play.mcts_bot.SECONDS_PER_SIMULATION", 0.01)
    old, new, kind, reason = FAILURES[failure]
    bot = spec(leduc_folder(old, new))
    forfeits = [play_match("leduc_poker", [bot, "random"], seed, opening_plies=0).forfeit for seed in range(3)]
    found = [forfeit for forfeit in forfeits if forfeit is not None]
    assert found and all(f.kind == kind and reason in f.reason and f.player == 0 for f in found)


def test_wrong_uses_are_refused_in_one_sentence(leduc_folder):
    game = load_game("leduc_poker")
    with pytest.raises(ValueError, match="expected history or state, found 'guess'"):
        make_bot(spec(leduc_folder(), inference="guess"), game, 0, 0)
    with pytest.raises(ValueError, match="choose cwm_mcts"):
        make_bot("cwm_ismcts(model=tic_tac_toe/0)", pyspiel.load_game("tic_tac_toe"), 0, 0)


GAMES = ("leduc_poker", "bargaining", "gin_rummy", "quadranto", "hand_of_war")


@pytest.mark.parametrize("name", GAMES)
def test_both_kinds_of_inference_play_the_shipped_models(name):
    specs = [f"cwm_ismcts(simulations=5,inference={kind})" for kind in ("state", "history")]
    record = play_match(name, specs, 1, opening_plies=0)
    assert record.forfeit is None and list(record.seats) == specs
    decisions = [move for move in record.moves if move.player >= 0]
    assert {move.player for move in decisions} == {0, 1}
    for move in decisions:
        assert f"inference={move.notes['inference']}" in record.seats[move.player]
        assert move.notes["drawn_again"] == 0


@pytest.mark.parametrize(
    "lost, refused, advice",
    [
        ("resample_state", "state", "choose inference=history"),
        ("resample_history", "history", "choose inference=state"),
        ("information_state", "history", "choose another model"),
    ],
)
def test_a_model_that_lacks_a_kind_of_inference_is_refused(leduc_folder, lost, refused, advice):
    folder = leduc_folder(f"def {lost}(", "def forgotten(")
    with pytest.raises(ValueError, match=rf"inference={refused}: .* defines no {lost}\(.*; {advice}$"):
        make_bot(spec(folder, inference=refused), load_game("leduc_poker"), 0, 0)


def test_a_model_with_one_kind_of_inference_plays_with_that(leduc_folder):
    folder = leduc_folder("def resample_state(", "def forgotten(")
    assert play_match("leduc_poker", [spec(folder), "random"], 2, opening_plies=0).forfeit is None


@pytest.mark.parametrize("name", ["leduc_poker", "bargaining", "quadranto", "hand_of_war"])
def test_the_prompt_of_llm_policy_holds_nothing_hidden(name, scripted):
    from arena.bots.llm_policy import LlmPolicyBot

    game, differing = load_game(name), 0
    for state, rng in states_to_decide(game, 12, 5):
        player = state.current_player()
        other = state.resample_from_infostate(player, rng.random)
        differing += other.history() != state.history()
        prompts = [
            LlmPolicyBot(game, player, 1, model=scripted(), show_legal=True).request(shown)
            for shown in (state, other)
        ]
        assert prompts[0].key() == prompts[1].key()
    assert differing > 4
