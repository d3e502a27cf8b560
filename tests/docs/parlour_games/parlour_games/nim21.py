"""`nim21(heap=21)`: two players take 1 to 3 matches in turn, and whoever takes the last one loses."""

import pyspiel

from games import GameView, register_picture, register_rules, register_view
from parlour_games import text_of

MOST = 3
PARAMETERS = {"heap": 21}

GAME_TYPE = pyspiel.GameType(
    short_name="nim21",
    long_name="Nim with one heap",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification=PARAMETERS,
)


class Game(pyspiel.Game):
    def __init__(self, params=None):
        self.heap = {**PARAMETERS, **(params or {})}["heap"]
        info = pyspiel.GameInfo(
            num_distinct_actions=MOST,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.heap,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self):
        return State(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return Observer()


class State(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.heap = game.heap
        self.mover = 0

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.heap == 0 else self.mover

    def _legal_actions(self, player):
        return list(range(min(self.heap, MOST)))

    def _apply_action(self, action):
        self.heap -= action + 1
        self.mover = 1 - self.mover

    def _action_to_string(self, player, action):
        return f"take {action + 1}"

    def is_terminal(self):
        return self.heap == 0

    def returns(self):
        if self.heap > 0:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.mover == 0 else [-1.0, 1.0]

    def __str__(self):
        return f"{self.heap} matches"


class Observer:
    tensor = None
    dict = {}

    def set_from(self, state, player):
        pass

    def string_from(self, state, player):
        return str(state)


class View(GameView):
    def data(self, state, player):
        return {"matches": state.heap}

    def describe(self, game):
        return "- `matches`: the number of matches on the table."


def picture(state):
    bars = "".join(f"<rect x='{2 * number + 1}' y='1' width='1' height='6'/>" for number in range(state.heap))
    return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 44 8'>{bars}</svg>"


pyspiel.register_game(GAME_TYPE, Game)
register_rules("nim21", text_of("nim21"))
register_view("nim21", View())
register_picture("nim21", picture)
