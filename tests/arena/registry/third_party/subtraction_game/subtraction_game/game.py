"""The game `subtraction(heap=21)`; importing this module registers it with OpenSpiel."""

import pyspiel

_PARAMETERS = {"heap": 21}
_LARGEST = 3

_GAME_TYPE = pyspiel.GameType(
    short_name="subtraction",
    long_name="Subtraction",
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
    parameter_specification=_PARAMETERS,
)


class SubtractionGame(pyspiel.Game):
    def __init__(self, params=None):
        self.heap = (params or {}).get("heap", _PARAMETERS["heap"])
        super().__init__(
            _GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=_LARGEST,
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.heap,
            ),
            params or {},
        )

    def new_initial_state(self):
        return SubtractionState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return SubtractionObserver()


class SubtractionState(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.heap = game.heap
        self.mover = 0

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.heap == 0 else self.mover

    def _legal_actions(self, player):
        return list(range(min(self.heap, _LARGEST)))

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
        return [-1.0, 1.0] if self.mover == 0 else [1.0, -1.0]

    def __str__(self):
        return f"{self.heap} left"


class SubtractionObserver:
    tensor = None
    dict = {}

    def set_from(self, state, player):
        pass

    def string_from(self, state, player):
        return str(state)


pyspiel.register_game(_GAME_TYPE, SubtractionGame)
