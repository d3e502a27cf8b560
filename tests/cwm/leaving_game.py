"""A game in Python in which players choose at once, some of them no more, and one in turn at the end: `test_leaving`."""

from __future__ import annotations

import pyspiel

_TYPE = pyspiel.GameType(
    short_name="test_leaving",
    long_name="Leaving",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=3,
    min_num_players=3,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={},
)
_INFO = pyspiel.GameInfo(
    num_distinct_actions=2,
    max_chance_outcomes=0,
    num_players=3,
    min_utility=0.0,
    max_utility=5.0,
    utility_sum=None,
    max_game_length=3,
)


class LeavingGame(pyspiel.Game):
    def __init__(self, params=None):
        super().__init__(_TYPE, _INFO, params or {})

    def new_initial_state(self):
        return LeavingState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return _Observer()


class LeavingState(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.gone: dict[int, int] = {}
        self.rounds = 0
        self.end: int | None = None

    def current_player(self):
        inside = [player for player in range(3) if player not in self.gone]
        if not inside or self.end is not None:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.SIMULTANEOUS if self.rounds < 2 else inside[0]

    def _legal_actions(self, player):
        return [] if player in self.gone else [0, 1]

    def _apply_action(self, action):
        self.end = action

    def _apply_actions(self, actions):
        self.rounds += 1
        for player, action in enumerate(actions):
            if player not in self.gone and action == 1:
                self.gone[player] = self.rounds

    def _action_to_string(self, player, action):
        if self.rounds == 2:
            return "give" if action else "take"
        return "leave" if action else "stay"

    def is_terminal(self):
        return self.current_player() == pyspiel.PlayerId.TERMINAL

    def returns(self):
        earned = [float(self.gone.get(player, 0)) for player in range(3)]
        if self.end == 0:
            earned[next(player for player in range(3) if player not in self.gone)] = 5.0
        if self.end == 1:
            for player in self.gone:
                earned[player] += 1.0
        return earned

    def __str__(self):
        choice = -1 if self.end is None else self.end
        return f"{[self.gone.get(player, 0) for player in range(3)]} {self.rounds} {choice}"


class _Observer:
    tensor = None
    dict: dict = {}

    def set_from(self, state, player):
        pass

    def string_from(self, state, player):
        return str(state)


pyspiel.register_game(_TYPE, LeavingGame)
