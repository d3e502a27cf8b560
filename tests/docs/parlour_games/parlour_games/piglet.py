"""`piglet(rounds=3)`: three players throw a die for points. Its observations have no view: they are a string."""

import pyspiel

from games import register_rules
from parlour_games import text_of

PARAMETERS = {"rounds": 3}
PLAYERS, THROWS = 3, 2
HOLD, ROLL = 0, 1

GAME_TYPE = pyspiel.GameType(
    short_name="piglet",
    long_name="Piglet",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=PLAYERS,
    min_num_players=PLAYERS,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification=PARAMETERS,
)


class Game(pyspiel.Game):
    def __init__(self, params=None):
        self.rounds = {**PARAMETERS, **(params or {})}["rounds"]
        info = pyspiel.GameInfo(
            num_distinct_actions=2,
            max_chance_outcomes=6,
            num_players=PLAYERS,
            min_utility=0.0,
            max_utility=6.0 * THROWS * self.rounds,
            max_game_length=PLAYERS * self.rounds * (THROWS + 1),
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self):
        return State(self)

    def max_chance_nodes_in_history(self):
        return PLAYERS * self.rounds * THROWS

    def make_py_observer(self, iig_obs_type=None, params=None):
        return Observer()


class State(pyspiel.State):
    """Points of each player, turns over, throws and sum of this turn, and whether the die is in the air."""

    def __init__(self, game):
        super().__init__(game)
        self.points = (0,) * PLAYERS
        self.turn = self.throws = self.sum = 0
        self.thrown = False
        self._turns = PLAYERS * game.rounds

    def current_player(self):
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.thrown else self.turn % PLAYERS

    def _legal_actions(self, player):
        return [HOLD, ROLL] if self.throws < THROWS else [HOLD]

    def chance_outcomes(self):
        return [(face, 1 / 6) for face in range(6)]

    def _apply_action(self, action):
        if self.thrown:
            self.thrown = False
            if action == 0:
                self._end_turn(0)
            else:
                self.sum += action + 1
        elif action == ROLL:
            self.thrown, self.throws = True, self.throws + 1
        else:
            self._end_turn(self.sum)

    def _end_turn(self, won):
        mover = self.turn % PLAYERS
        self.points = (*self.points[:mover], self.points[mover] + won, *self.points[mover + 1 :])
        self.turn, self.throws, self.sum = self.turn + 1, 0, 0

    def _action_to_string(self, player, action):
        return f"die {action + 1}" if player == pyspiel.PlayerId.CHANCE else ("hold", "roll")[action]

    def is_terminal(self):
        return self.turn == self._turns

    def returns(self):
        return [float(own) for own in self.points] if self.is_terminal() else [0.0] * PLAYERS

    def __str__(self):
        points = " ".join(map(str, self.points))
        return f"points: {points}; turns: {self.turn}; throws: {self.throws}; sum: {self.sum}; thrown: {self.thrown}"


class Observer:
    tensor = None
    dict = {}

    def set_from(self, state, player):
        pass

    def string_from(self, state, player):
        return str(state)


pyspiel.register_game(GAME_TYPE, Game)
register_rules("piglet", text_of("piglet"))
