"""All games made from `Rules`: what a player must know, may know, and may not know."""

from __future__ import annotations

import json
import pickle
import random
from collections import Counter, defaultdict

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

from games.hidden import hidden_information, posterior
from games.hidden.caravan import table
from games.seeing import views

GAMES = [
    "quadranto",
    "quadranto(size=6,max_moves=9)",
    "hand_of_war",
    "hand_of_war(ranks=3,copies=2,hand_size=1)",
    "leduc_twist",
    "bargaining_twist",
    "gin_twist",
    "gin_twist(corner=false,hand_size=5)",
    "ferry",
    "ferry(tiles=7,turns=3)",
    "caravan",
]
# Small enough to walk through: with the numbers of steps after which posteriors are compared, and
# whether the possible histories differ much in probability.
SMALL = {
    "quadranto(max_moves=3)": ((3, 4), False),
    "hand_of_war(ranks=3,copies=2,hand_size=2)": ((5, 7, 8), True),
    "leduc_twist(ranks=2)": ((3, 6), False),
    "bargaining_twist(min_items=3,max_items=4,worth=3,max_turns=2)": ((4,), False),
    "ferry(turns=1)": ((5, 6), False),
}


def walk(state: pyspiel.State, rng: random.Random):
    """Yields the states of one random game, the first and the last one included.

    Where one can end a game by melds or lots, one does, and goes on as long as one can.
    """
    gin = state.get_game().get_type().short_name == "gin_twist"
    while not state.is_terminal():
        yield state
        legal = state.legal_actions()
        if state.is_chance_node() and gin and rng.random() < 0.8:
            legal = [outcome for outcome in legal if outcome % 13 > 7] or legal
        names = {state.action_to_string(state.current_player(), a): a for a in legal}
        ends = [action for name, action in names.items() if name in ("call", "close")]
        others = [action for name, action in names.items() if name not in ("stop", "done")]
        state.apply_action(rng.choice(ends or (others if rng.random() < 0.8 else legal) or legal))
    yield state


def tree(state: pyspiel.State, probability: float = 1.0):
    """Yields all states from here with the probability of uniformly random play."""
    yield state, probability
    if state.is_terminal():
        return
    if state.is_chance_node():
        options = state.chance_outcomes()
    else:
        actions = state.legal_actions()
        options = [(action, 1 / len(actions)) for action in actions]
    for action, chance in options:
        yield from tree(state.child(action), probability * chance)


def lived_through(state: pyspiel.State, player: int) -> str:
    """All that a player sees until a state, and does: the views of every state, own actions."""
    replayed, seen = state.get_game().new_initial_state(), []
    for action in state.history():
        acts = replayed.current_player() == player
        seen.append((replayed.seen(player), views.action_name(replayed, action) if acts else None))
        replayed.apply_action(action)
    return json.dumps([*seen, replayed.seen(player)])


def knowledge(state: pyspiel.State, player: int) -> list:
    """Everything about a state that a player has access to."""
    game_type = state.get_game().get_type()
    known = [
        state.information_state_string(player),
        state.observation_string(player),
        state.observation_tensor(player),
        views.view(state, player),
        state.current_player(),
    ]
    if game_type.provides_information_state_tensor:
        known.append(state.information_state_tensor(player))
    if state.current_player() == player:
        known.append(state.legal_actions())
    return known


@pytest.mark.parametrize("name", [*GAMES, *SMALL])
def test_openspiel_random_simulations(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_player_may_not_know_changes_nothing_for_the_player(name):
    rng = random.Random(name)
    hidden, phases = 0, set()
    long = name.startswith(("gin", "caravan"))
    for _ in range(4):
        state = pyspiel.load_game(name).new_initial_state()
        for number, state in enumerate(walk(state, rng)):
            phase = state.seen(0).get("phase")
            if long and phase in phases and rng.random() < 0.85:
                continue
            phases.add(phase)
            for player in range(2):
                other = state.resample_from_infostate(player, rng.random)
                hidden += str(other) != str(state)
                assert len(other.history()) == len(state.history())
                assert knowledge(other, player) == knowledge(state, player)
                seeded = [
                    s.resample_from_infostate(player, random.Random(number).random).history()
                    for s in (state, other)
                ]
                assert seeded[0] == seeded[1]  # what is hidden does not even matter for the draw
                if number % 5 == 0 or state.is_terminal():
                    assert lived_through(other, player) == lived_through(state, player)
                    assert noticed(other, player) == noticed(state, player)
    assert hidden > 15
    assert name != "gin_twist" or phases >= {"deal", "first", "take", "drop", "show", "add", "over"}
    assert name != "caravan" or phases == set(table.PHASES)


def noticed(state: pyspiel.State, player: int) -> list[str | None]:
    """What a player notices of each step until a state."""
    replayed, found = state.get_game().new_initial_state(), []
    for action in state.history():
        found.append(views.noticed(replayed, action, player))
        replayed.apply_action(action)
    return found


@pytest.mark.parametrize("name", SMALL)
def test_information_states_are_what_was_lived_through(name):
    """In the whole game: same views and own actions if and only if same information state."""
    strings, stories, tensors = defaultdict(set), defaultdict(set), defaultdict(set)
    rng = random.Random(3)
    for state, _ in tree(pyspiel.load_game(name).new_initial_state()):
        if rng.random() > 0.1:
            continue
        for player in range(2):
            string = state.information_state_string(player)
            story = (player, lived_through(state, player))
            strings[string].add(story)
            stories[story].add(string)
            tensors[tuple(state.information_state_tensor(player))].add(string)
    assert len(strings) > 100
    for found in (strings, stories, tensors):
        assert all(len(same) == 1 for same in found.values())


@pytest.mark.parametrize("name", GAMES)
def test_observation_tensors_say_what_views_say(name):
    rng = random.Random(name)
    data, tensors = defaultdict(set), defaultdict(set)
    for _ in range(2 if name.startswith(("gin", "caravan")) else 9):
        for state in walk(pyspiel.load_game(name).new_initial_state(), rng):
            for player in range(2):
                seen = json.dumps(views.view(state, player).data)
                tensor = tuple(state.observation_tensor(player))
                assert json.loads(state.observation_string(player)) == {"player": player, **json.loads(seen)}
                data[player, seen].add(tensor)
                tensors[tensor].add((player, seen))
    assert len(tensors) > 50
    for found in (data, tensors):
        assert all(len(same) == 1 for same in found.values())


@pytest.mark.parametrize("name", SMALL)
def test_resampling_is_exact_under_random_play_of_the_others(name):
    """Against the posterior that comes from walking through the whole game."""
    game, (steps, differ) = pyspiel.load_game(name), SMALL[name]
    posteriors = defaultdict(lambda: defaultdict(float))
    for state, probability in tree(game.new_initial_state()):
        if len(state.history()) in steps:
            for player in range(2):
                key = (len(state.history()), state.information_state_string(player), player)
                posteriors[key][tuple(state.history())] += probability / own_share(state, player)
    keys = sorted(key for key, histories in posteriors.items() if 2 < len(histories) < 40)
    rng = random.Random(5)
    uneven = 0
    for key in rng.sample(keys, 8):
        histories = posteriors[key]
        total = sum(histories.values())
        exact = {history: weight / total for history, weight in histories.items()}
        uneven += distance(exact, dict.fromkeys(exact, 1 / len(exact))) > 0.1
        state = game.new_initial_state()
        for action in next(iter(histories)):
            state.apply_action(action)
        drawn = Counter(tuple(state.resample_from_infostate(key[2], rng.random).history()) for _ in range(1500))
        found = {history: count / 1500 for history, count in drawn.items()}
        assert distance(exact, found) < 0.07
    assert uneven > 1 or not differ


def own_share(state: pyspiel.State, player: int) -> float:
    """The probability that random play gives the player's own actions."""
    share, replayed = 1.0, state.get_game().new_initial_state()
    for action in state.history():
        if replayed.current_player() == player:
            share /= len(replayed.legal_actions())
        replayed.apply_action(action)
    return share


def distance(first: dict, second: dict) -> float:
    """Total variation distance of two distributions."""
    keys = set(first) | set(second)
    return sum(abs(first.get(key, 0) - second.get(key, 0)) for key in keys) / 2


@pytest.mark.parametrize("name", GAMES)
def test_clones_and_pickles_are_equal_and_independent(name):
    rng = random.Random(1)
    for state in walk(pyspiel.load_game(name).new_initial_state(), rng):
        if rng.random() < 0.8:
            continue
        before = [knowledge(state, player) for player in range(2)]
        for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
            assert [knowledge(copy, player) for player in range(2)] == before
            if not state.is_terminal():
                copy.apply_action(copy.legal_actions()[-1])
            assert [knowledge(state, player) for player in range(2)] == before


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_information_set_search_plays(name):
    """It asserts that samples have the same information state."""
    game, rng = pyspiel.load_game(name), np.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, 6, random_state=rng)
    state, decisions = game.new_initial_state(), 0
    while decisions < 4:
        chance = state.is_chance_node()
        action = state.legal_actions()[0] if chance else bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(int(action))
        decisions += not chance


@pytest.mark.parametrize("name", GAMES)
def test_bounds(name):
    game = pyspiel.load_game(name)
    rng = random.Random(2)
    for _ in range(20):
        *_, last = walk(game.new_initial_state(), rng)
        chances = sum(player == -1 for player, _ in map(tuple_of, last.full_history()))
        assert chances <= game.max_chance_nodes_in_history()
        assert len(last.history()) - chances <= game.max_game_length()
        for player in range(2):
            assert len(last.memory(player)) <= game.rules.max_events
            assert all(event < game.rules.num_events for event in last.memory(player))


def tuple_of(step: pyspiel.PlayerAction) -> tuple[int, int]:
    return step.player, step.action


def test_beliefs_add_up_and_hold_the_truth():
    rng, most = random.Random(9), 0
    for state in walk(pyspiel.load_game("hand_of_war").new_initial_state(), rng):
        for player in range(2):
            memory, steps = state.memory(player), len(state.history())
            found = posterior.positions(state.get_game().rules, memory, player, steps)
            assert sum(found.values()) == pytest.approx(1)
            assert state.position in found
            most = max(most, len(found))
    assert most > 10


def test_an_impossible_memory_is_an_error():
    rules = pyspiel.load_game("quadranto").rules
    with pytest.raises(ValueError, match="history of 2 steps must lead to the 1 events of player 0"):
        posterior.sample(rules, (99,), 0, 2, random.random)


def test_observers_refuse_what_they_cannot_give():
    game = pyspiel.load_game("quadranto")
    with pytest.raises(ValueError, match="take no parameters, got {'a': 1}"):
        game.make_py_observer(None, {"a": 1})
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ValueError, match="only all that one player knows"):
        game.make_py_observer(everything)


def test_weights_decide_choices():
    marks = [(number + 0.5) / 100 for number in range(100)]
    drawn = Counter(posterior.choice("abc", [1, 0, 3], lambda: mark) for mark in marks)
    assert drawn == {"a": 25, "c": 75}
    assert posterior.choice("ab", [1, 0], lambda: 1 - 1e-17) == "a"


def test_registering_again_changes_nothing():
    game = pyspiel.load_game("quadranto")
    fields = views.describe(game)
    hidden_information.register(type(game.rules), "quadranto", "Quadranto", fields)
    assert type(pyspiel.load_game("quadranto")) is type(game)
    assert views.describe(game) == fields
