"""Kuhn poker with a leak planted on purpose: `leaky_kuhn(leak=NAME)`, NAME one of `LEAKS`, or `none`."""

from __future__ import annotations

import numpy as np
import pyspiel

LEAKS = (
    "observation",
    "observation tensor",
    "information state",
    "information state tensor",
    "legal actions",
    "returns",
    "resampling",
    "resampling while waiting",
    "resampling leans",
    "resampled own card",
)
CARDS = 4
PASS, BET = 0, 1
_KIND = pyspiel.GameType
_TYPE = _KIND(
    short_name="leaky_kuhn",
    long_name="Kuhn poker with a leak",
    dynamics=_KIND.Dynamics.SEQUENTIAL,
    chance_mode=_KIND.ChanceMode.EXPLICIT_STOCHASTIC,
    information=_KIND.Information.IMPERFECT_INFORMATION,
    utility=_KIND.Utility.ZERO_SUM,
    reward_model=_KIND.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    default_loadable=True,
    parameter_specification={"leak": "none"},
)
_OVER = ("pp", "bb", "bp", "pbp", "pbb")


class LeakyKuhn(pyspiel.Game):
    def __init__(self, params=None):
        params = params or {}
        self.leak = params.get("leak", "none")
        info = pyspiel.GameInfo(
            num_distinct_actions=2,
            max_chance_outcomes=CARDS,
            num_players=2,
            min_utility=-2.0,
            max_utility=2.0,
            utility_sum=0.0,
            max_game_length=3,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self):
        return LeakyKuhnState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return Observer(self.leak, iig_obs_type is not None and iig_obs_type.perfect_recall)


class LeakyKuhnState(pyspiel.State):
    def __init__(self, game):
        super().__init__(game)
        self.leak = game.leak
        self.cards, self.bets = [], ""

    def current_player(self):
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if len(self.cards) < 2 else len(self.bets) % 2

    def is_terminal(self):
        return self.bets in _OVER

    def chance_outcomes(self):
        left = [card for card in range(CARDS) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def _legal_actions(self, player):
        afraid = self.leak == "legal actions" and self.cards[1 - player] == CARDS - 1
        return [PASS] if afraid else [PASS, BET]

    def _apply_action(self, action):
        if len(self.cards) < 2:
            self.cards.append(action)
        else:
            self.bets += "pb"[action]

    def _action_to_string(self, player, action):
        return f"deal {action}" if player < 0 else ("pass", "bet")[action]

    def returns(self):
        if not self.is_terminal():
            known = self.leak == "returns" and len(self.cards) == 2
            sign = 0 if not known else 1 if self.cards[0] > self.cards[1] else -1
            return [0.1 * sign, -0.1 * sign]
        stake = 2 if self.bets.endswith("bb") else 1
        if self.bets in ("bp", "pbp"):
            won = 1 if self.bets == "bp" else -1
        else:
            won = 1 if self.cards[0] > self.cards[1] else -1
        return [float(won * stake), float(-won * stake)]

    def __str__(self):
        return f"{self.cards} {self.bets}"

    def resample_from_infostate(self, player, rng):
        waits = self.current_player() != player
        other = self.cards[1 - player : 2 - player]
        own = self.cards[player : player + 1]
        if self.leak == "resampled own card" and own:
            own = [(own[0] + 1) % CARDS]
        keeps = self.leak == "resampling" or (self.leak == "resampling while waiting" and waits)
        if other and not (keeps or (self.leak == "resampling leans" and rng() < 0.5)):
            left = [card for card in range(CARDS) if card not in own]
            other = [left[int(rng() * len(left))]]
        state = self.get_game().new_initial_state()
        for card in [*own, *other] if player == 0 else [*other, *own]:
            state.apply_action(card)
        for bet in self.bets:
            state.apply_action("pb".index(bet))
        return state


class Observer:
    def __init__(self, leak, recalls):
        self.tells = leak == ("information state" if recalls else "observation")
        self.writes = leak == ("information state tensor" if recalls else "observation tensor")
        self.recalls = recalls
        self.tensor = np.zeros(2 * CARDS + 6, np.float32)
        self.dict = {"all": self.tensor}

    def set_from(self, state, player):
        self.tensor.fill(0)
        for seat, card in enumerate(state.cards):
            if seat == player or self.writes:
                self.tensor[CARDS * seat + card] = 1
        for place, bet in enumerate(state.bets):
            self.tensor[2 * CARDS + 2 * place + "pb".index(bet)] = 1

    def string_from(self, state, player):
        seen = [str(card) if seat == player or self.tells else "?" for seat, card in enumerate(state.cards)]
        return f"player {player}: {' '.join(seen)} {state.bets}"


def register():
    """Registers the game, once."""
    if _TYPE.short_name not in pyspiel.registered_names():
        pyspiel.register_game(_TYPE, LeakyKuhn)
