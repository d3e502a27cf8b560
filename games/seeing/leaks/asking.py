"""Whether a bot's move depends on what its player cannot know.

The bot is made anew, told the game from its start, and asked at two states that its player cannot tell apart. With
equal seeds it ought to answer the same. A bot that draws may answer differently without peeking, if
its draws go another way; then it is counted whether answers of other seeds agree more often at one state
than between the two, which is as likely as the reverse where the bot sees no difference: an exact sign test. A
pair at which all of many seeds give one answer here and another there is enough alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pyspiel

from games.seeing.leaks import channels
from games.seeing.leaks.channels import Moment
from games.seeing.leaks.findings import Row
from games.seeing.leaks.signs import Signs

MakeBot = Callable[[pyspiel.Game, int, int], pyspiel.Bot]
"""`make(game, player, seed)` returns a new bot."""


_ALWAYS = 16
"""Seeds: that they give one answer here and another there has a chance of at most 4^-16 without peeking."""


class Asked:
    """Tests one bot.

    Args:
      name: its name, for the table.
      make: makes it.
      seed: the first of its seeds.
      most: pairs at most at which it is asked.
      seconds: time after which it is asked no more.
    """

    def __init__(self, name: str, make: MakeBot, seed: int, most: int, seconds: float) -> None:
        self._make, self._seed, self._most, self._seconds = make, seed, most, seconds
        self.row = Row(f"move of {name}", "both references, equal seeds")
        self.signs = Signs()
        self.always = 0

    def compare(self, one: Moment, other: Moment) -> None:
        """Asks at two moments that the player cannot tell apart."""
        if self.row.pairs >= self._most or self._seconds < 0 or not channels.to_act(one.state, one.player):
            return
        if channels.LEGAL in one.readers and len(one.text(channels.LEGAL)) < 2:
            return
        start = time.monotonic()
        self._compare(one, other)
        self._seconds -= time.monotonic() - start

    def _compare(self, one: Moment, other: Moment) -> None:
        seed = self._seed + 4 * self.row.pairs
        first, again = self._ask(one, seed), self._ask(one, seed + 1)
        same, twin, twin_again = (self._ask(other, seed + more) for more in (0, 2, 3))
        self.signs.add((first == again) + (twin == twin_again) - (first == twin) - (again == twin_again))
        told = None
        if first != same:
            told = tuple(one.state.action_to_string(one.player, action) for action in (first, same))
            self.always += self._always(one, first, other, same, seed)
        self.row.count(one, other, told)

    def peeks(self) -> bool:
        """Returns whether the moves depend on what is hidden, beyond chance."""
        return self.always > 0 or self.signs.certain()

    def _always(self, one: Moment, first: int, other: Moment, same: int, seed: int) -> bool:
        """Returns whether further seeds give the same two answers all the time."""
        return all(
            self._ask(one, seed + more) == first and self._ask(other, seed + more) == same
            for more in range(1, _ALWAYS)
        )

    def _ask(self, moment: Moment, seed: int) -> int:
        game, player = moment.state.get_game(), moment.player
        bot = self._make(game, player, seed)
        state = game.new_initial_state()
        if type(bot).restart_at is pyspiel.Bot.restart_at:
            bot.restart()
        else:
            bot.restart_at(state.clone())
        for move in moment.moves:
            if isinstance(move, tuple):
                bot.inform_actions(state.clone(), list(move))
            else:
                bot.inform_action(state.clone(), int(state.current_player()), move)
            channels.apply(state, move)
        try:
            return int(bot.step(state))
        finally:
            getattr(bot, "close", lambda: None)()
