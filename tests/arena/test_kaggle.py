"""Our bots as agents of kaggle-environments: against a stand-in for its protocol, and there itself where
it is installed."""

from __future__ import annotations

import importlib
import importlib.util

import numpy as np
import pyspiel
import pytest

from arena.kaggle import kaggle_agent
from arena.matches.forfeit import Forfeit
from arena.matches.match import play_match
from arena.registry.games import load_game

registry = importlib.import_module("arena.registry.bots")

GAMES = [
    "tic_tac_toe",
    "python_tic_tac_toe",
    "backgammon",
    "leduc_poker",
    "goofspiel(num_cards=5)",
    "breakthrough",
    "python_kuhn_poker",
    "universal_poker",
    "gen_tic_tac_toe(size=3,length=3)",
    "oshi_zumo(horizon=9)",
]


def observation(game, state, player):
    """As the environment makes it (`open_spiel_env.interpreter`), as far as the agent reads it."""
    return {
        "playerId": player,
        "currentPlayer": int(state.current_player()),
        "isTerminal": state.is_terminal(),
        "serializedGameAndState": pyspiel.serialize_game_and_state(game, state),
    }


def episode(game_string, agents, seed, opening=()):
    """Plays like the environment does: asks who is to move, and nobody else. Returns the state."""
    game = load_game(game_string)
    state = game.new_initial_state()
    rng = np.random.default_rng(seed)

    def roll():
        while state.is_chance_node():
            outcomes, probabilities = zip(*state.chance_outcomes())
            state.apply_action(int(rng.choice(outcomes, p=probabilities)))

    roll()
    for action in opening:
        state.apply_action(action)
    while not state.is_terminal():
        roll()
        if state.is_simultaneous_node():
            state.apply_actions(
                [
                    agents[player](observation(game, state, player), {})["submission"]
                    if state.legal_actions(player)
                    else pyspiel.INVALID_ACTION
                    for player in range(len(agents))
                ]
            )
        else:
            mover = state.current_player()
            answer = agents[mover](observation(game, state, mover), {})
            if answer["submission"] not in state.legal_actions():
                break
            state.apply_action(answer["submission"])
        roll()
    return state


class Follower(pyspiel.Bot):
    """Keeps a state of its own from what it is told, and compares it whenever it moves."""

    made: list[Follower] = []

    def __init__(self, player_id, forced):
        super().__init__()
        self.player_id, self.forced, self.compared, self.closed = player_id, forced, 0, 0
        Follower.made.append(self)

    def restart_at(self, state):
        self.own = state.clone()

    def provides_force_action(self):
        return self.forced

    def force_action(self, state, action):
        self._follow(state, action)

    def inform_action(self, state, player_id, action):
        assert player_id == state.current_player()
        assert not (self.forced and player_id == self.player_id)
        self._follow(state, action)

    def inform_actions(self, state, actions):
        assert str(state) == str(self.own)
        self.own.apply_actions(actions)

    def _follow(self, state, action):
        assert str(state) == str(self.own)
        self.own.apply_action(action)

    def step(self, state):
        assert str(state) == str(self.own)
        self.compared += 1
        action = state.legal_actions(self.player_id)[-1]
        if not state.is_simultaneous_node():
            self.own.apply_action(action)
        return action

    def close(self):
        self.closed += 1


@pytest.fixture
def follower(monkeypatch):
    monkeypatch.setattr(registry, "_entries", dict(registry.bots()))
    monkeypatch.setattr(Follower, "made", [])

    @registry.register_bot("follower", summary="")
    def _follower(game, player_id, seed, *, forced: bool = False):
        return Follower(player_id, forced)


@pytest.mark.parametrize("game_string", GAMES)
def test_the_bot_is_told_of_everything_once_and_in_order(game_string, follower):
    agents = [kaggle_agent("follower"), kaggle_agent("random", seed=4)]
    for turn in range(3):  # three episodes, in changing seats
        seats = agents if turn % 2 == 0 else agents[::-1]
        state = episode(game_string, seats, seed=turn)
        assert state.is_terminal()
        assert len(Follower.made) == turn + 1
        assert Follower.made[turn].compared > 0
    assert [bot.closed for bot in Follower.made] == [1, 1, 0]
    agents[0].close()
    assert Follower.made[-1].closed == 1


@pytest.mark.parametrize("forced", ["false", "true"])
def test_an_opening_that_the_environment_chose(forced, follower):
    agents = [kaggle_agent(f"follower(forced={forced})"), kaggle_agent(f"follower(forced={forced})")]
    assert episode("connect_four", agents, 0, opening=[3, 3, 2]).is_terminal()
    assert all(bot.compared > 0 for bot in Follower.made)


@pytest.mark.parametrize(
    "game_string, seats",
    [
        ("connect_four", ["mcts(simulations=20)", "random"]),
        ("breakthrough", ["random", "minimax(depth=1)"]),
        ("goofspiel(num_cards=4,points_order=descending)", ["random", "random"]),
    ],
)
def test_it_plays_as_in_the_arena(game_string, seats):
    """Games without chance: the same bots with the same seed make the same moves here and there."""
    there = episode(game_string, [kaggle_agent(spec, seed=7) for spec in seats], 0)
    here = play_match(game_string, seats, 7, opening_plies=0)
    assert there.history() == [action for _, action in here.actions()]


def test_an_episode_that_ended_after_one_move_is_followed_by_a_new_one(follower):
    game = load_game("tic_tac_toe")
    agent = kaggle_agent("follower")
    start = observation(game, game.new_initial_state(), 0)
    assert agent(start) == agent(start) == {"submission": 8}  # between them, the other seat forfeited
    assert len(Follower.made) == 2


def test_the_question_before_an_episode_begins_a_new_one(follower):
    game = load_game("tic_tac_toe")
    agent = kaggle_agent("follower")
    for _ in range(2):
        assert agent({"remainingOverageTime": 12, "step": 0}, {}) == {"submission": -1}
        assert agent(observation(game, game.new_initial_state(), 0)) == {"submission": 8}
    assert [bot.closed for bot in Follower.made] == [1, 0]


def test_who_is_not_to_move_submits_nothing(follower):
    game = load_game("tic_tac_toe")
    assert kaggle_agent("follower")(observation(game, game.new_initial_state(), 1)) == {"submission": -1}


def test_a_forfeit_loses_and_says_why(monkeypatch, capsys):
    class Quitter(pyspiel.Bot):
        def step(self, state):
            raise Forfeit("timeout", "tired")

    monkeypatch.setattr("arena.kaggle.make_bot", lambda *arguments: Quitter())
    state = episode("tic_tac_toe", [kaggle_agent("random"), kaggle_agent("random")], 0)
    assert not state.is_terminal() and state.history() == []
    assert capsys.readouterr().err == "random forfeits (timeout): tired\n"


@pytest.mark.parametrize(
    "call, part",
    [
        (lambda: kaggle_agent("mtcs"), "did you mean mcts"),
        (lambda: kaggle_agent("random", seed=-1), "expected 0 or more, found -1"),
        (lambda: kaggle_agent("random")({"playerId": 0}), "games that withhold it cannot be played"),
        (lambda: kaggle_agent("random")({"playerId": 0, "serializedGameAndState": "hello"}), "found 'hello'"),
        (
            lambda: kaggle_agent("random")(
                {"playerId": 0, "serializedGameAndState": "[Game]\nwhatever_proxy()\n[State]\nhistory=\n"}
            ),
            "unknown game 'whatever'",
        ),
        (
            lambda: kaggle_agent("random")(
                {
                    "playerId": 0,
                    "serializedGameAndState": "[Game]\npython_tic_tac_toe()\n[State]\n__dict__=gASV\n",
                }
            ),
            "expected the history of python_tic_tac_toe()",
        ),
        (
            lambda: kaggle_agent("random")(
                {
                    "playerId": 0,
                    "serializedGameAndState": "[Game]\nconnect_four_proxy()\n[State]\nhistory=1:3\n",
                }
            ),
            "expected player 0 to have made action 1",
        ),
        (
            lambda: kaggle_agent("ismcts")(
                observation(load_game("tic_tac_toe"), load_game("tic_tac_toe").new_initial_state(), 0)
            ),
            "choose mcts",
        ),
    ],
)
def test_errors_are_one_sentence(call, part):
    with pytest.raises(ValueError) as caught:
        call()
    assert part in str(caught.value) and "\n" not in str(caught.value)


# In kaggle-environments itself ----------------------------------------------------------------------

needs_kaggle = pytest.mark.skipif(
    importlib.util.find_spec("kaggle_environments") is None,
    reason="kaggle-environments is not installed; its wheel asks for another OpenSpiel, so: pip install "
    "--no-deps kaggle-environments && pip install jsonschema requests",
)


@needs_kaggle
@pytest.mark.parametrize(
    "name, specs",
    [
        ("open_spiel_connect_four", ["mcts(simulations=50)", "random"]),  # behind a proxy
        ("open_spiel_tic_tac_toe", ["minimax(depth=9)", "mcts(simulations=500)"]),
        ("open_spiel_backgammon", ["random", "mcts(simulations=5)"]),  # dice, behind a proxy
        ("open_spiel_gin_rummy", ["simple_gin_rummy", "random"]),  # cards, behind a proxy
        ("open_spiel_goofspiel", ["random", "random"]),  # moves at once
        ("open_spiel_markov_soccer", ["random", "random"]),  # moves at once, behind a proxy
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_a_full_episode_there(name, specs, strict):
    from kaggle_environments import make

    env = make(name, configuration={"seed": 3, "strictMode": strict})
    env.run([kaggle_agent(spec, seed=5) for spec in specs])
    last = env.steps[-1]
    assert [seat.status for seat in last] == ["DONE", "DONE"]
    returns = env.os_state.returns()
    assert env.os_state.is_terminal() and [seat.reward for seat in last] == returns
    if name in ("open_spiel_connect_four",):
        assert returns == [1, -1]
    if name == "open_spiel_tic_tac_toe":
        assert returns == [0, 0]
    # The same bots in the arena, where nothing is left to chance.
    game_string = str(env.os_game).replace("_proxy", "")
    if load_game(game_string).get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC:
        here = play_match(game_string, specs, 5, opening_plies=0)
        assert [action for _, action in here.actions()] == env.os_state.history()


@needs_kaggle
def test_one_agent_plays_several_episodes_there_and_an_opening():
    from kaggle_environments import make

    agents = [kaggle_agent("mcts(simulations=20)"), kaggle_agent("random", seed=2)]
    for opening in ([], [3, 3], [3, 3, 2]):
        env = make("open_spiel_connect_four", configuration={"initialActions": opening})
        env.run(agents)
        assert [seat.status for seat in env.steps[-1]] == ["DONE", "DONE"]
        assert env.os_state.is_terminal()
        assert env.os_state.history()[: len(opening)] == opening


@needs_kaggle
def test_a_forfeit_loses_there(monkeypatch):
    from kaggle_environments import make

    class Quitter(pyspiel.Bot):
        def step(self, state):
            raise Forfeit("timeout", "tired")

    agents = [kaggle_agent("random"), kaggle_agent("random")]
    monkeypatch.setattr("arena.kaggle.make_bot", lambda *arguments: Quitter())
    env = make("open_spiel_tic_tac_toe")
    env.run(agents)
    assert [(seat.status, seat.reward) for seat in env.steps[-1]] == [("DONE", -1), ("DONE", 1)]
    assert "random forfeits (timeout): tired" in env.logs[-1][0]["stderr"]


@needs_kaggle
def test_a_game_that_withholds_its_state_is_refused_there():
    from kaggle_environments import make

    env = make("open_spiel_hanabi_arena")
    env.run([kaggle_agent("random") for _ in range(4)])
    assert "games that withhold it cannot be played" in str(env.logs)
