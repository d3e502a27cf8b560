"""Plays one match with the board shown, against people or between bots.

    python -m arena.play --game=connect_four --bots="human,mcts(simulations=200)" [--seed=1]

`?` at the prompt explains how to name a move, take it back, or resign.
"""

from __future__ import annotations

import textwrap
from contextlib import ExitStack

import pyspiel

from arena.matches.board_text import board_text
from arena.matches.match import load_match_game, play_match
from arena.matches.positions import positions
from arena.matches.records import MatchRecord
from arena.registry.bots import canonical, make_bot
from arena.registry.forwarding import ForwardingBot
from arena.registry.games import load_game
from arena.registry.specs import parse_spec, split_specs
from games.seeing import views
from runs import cli, flags
from runs.seeds import bot_seed

_FLAGS = flags.FLAGS


def _board(state: pyspiel.State) -> str:
    """The state as it looks to a spectator who knows everything."""
    secrets = state.get_game().get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    return textwrap.indent(str(state).strip("\n") if secrets else board_text(state, 0), "  ")


class _Shown(ForwardingBot):
    """A bot that prints every action of the match and the board after it."""

    def __init__(self, bot: pyspiel.Bot, player_id: int):
        super().__init__(bot)
        self._player_id = player_id

    def force_action(self, state: pyspiel.State, action: int) -> None:
        self._show(state, [(self._player_id, action)])
        self._bot.force_action(state, action)

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        self._show(state, [(player_id, action)])
        self._bot.inform_action(state, player_id, action)

    def inform_actions(self, state: pyspiel.State, actions: list[int]) -> None:
        self._show(
            state, [(player, action) for player, action in enumerate(actions) if state.legal_actions(player)]
        )
        self._bot.inform_actions(state, actions)

    def step(self, state: pyspiel.State) -> int:
        action = self._bot.step(state)
        if not state.is_simultaneous_node() and action in state.legal_actions():
            self._show(state, [(self._player_id, action)])
        return action

    def _show(self, state: pyspiel.State, moves: list[tuple[int, int]]) -> None:
        names = (f"{_seat(player)}: {views.action_name(state, action, player)}" for player, action in moves)
        print(f"\n{', '.join(names)}")
        after = state.clone()
        if state.is_simultaneous_node():
            chosen = dict(moves)
            after.apply_actions(
                [chosen.get(player, pyspiel.INVALID_ACTION) for player in range(state.num_players())]
            )
        else:
            after.apply_action(moves[0][1])
        print(_board(after), flush=True)


def _seat(player: int) -> str:
    return "chance" if player == pyspiel.PlayerId.CHANCE else f"player {player}"


def result_text(record: MatchRecord, specs: list[str]) -> str:
    """The end of a match: the last board, a forfeit with its reason, the returns and the winner.

    Args:
      record: record of the match.
      specs: specs of its bots by seat.
    """
    for state, _ in positions(load_game(record.game), record.moves):
        pass
    moves = len(record.moves)
    lines = [f"=== the end, after {moves} action{'' if moves == 1 else 's'}", _board(state)]
    if record.forfeit is not None:
        player = record.forfeit.player
        lines.append(f"player {player}, {specs[player]}, forfeited: {record.forfeit.reason}")
    lines += [f"player {player}  {value:+g}  {specs[player]}" for player, value in enumerate(record.returns)]
    best = [player for player, value in enumerate(record.returns) if value == max(record.returns)]
    if len(record.returns) > 1:
        lines.append(
            "a draw"
            if len(best) == len(record.returns)
            else " and ".join(f"player {player}" for player in best) + (" wins" if len(best) == 1 else " win")
        )
    return "\n".join(lines)


def play(
    game_string: str, specs: list[str], seed: int, *, opening_plies: int = 0, move_seconds: float | None = None
) -> MatchRecord:
    """Plays a match on this terminal. Where no person takes part, every action is shown with the board
    after it; a person is shown what the player may see.

    Args:
      game_string: an OpenSpiel game.
      specs: specs of the bots, one for each seat.
      seed, opening_plies, move_seconds: see `arena.matches.match.play_match`.

    Raises:
      ValueError: as `play_match`.
    """
    seats = load_game(game_string).num_players()
    if len(specs) != seats:
        raise ValueError(
            f"game {game_string!r} has {seats} seats, expected as many bots, found {len(specs)}; "
            "name one for each seat, separated by commas"
        )
    if any(parse_spec(spec).name == "human" for spec in specs):
        return play_match(game_string, specs, seed, opening_plies=opening_plies, move_seconds=move_seconds)
    game = load_match_game(game_string, len(specs))
    with ExitStack() as to_close:
        bots = []
        for seat, spec in enumerate(specs):
            bots.append(make_bot(spec, game, seat, bot_seed(seed, seat)))
            to_close.callback(getattr(bots[-1], "close", lambda: None))
        return play_match(
            game_string,
            [_Shown(bots[0], 0), *bots[1:]],
            seed,
            opening_plies=opening_plies,
            move_seconds=move_seconds,
        )


def _define_flags() -> None:
    flags.game("such as connect_four", required=True)
    flags.bots("one for each seat, such as 'human,mcts(simulations=200)'", required=True)
    flags.seed("the dice and the bots")
    flags.opening_plies(0)
    flags.move_seconds()


def main() -> None:
    """The command; see the module's docstring."""
    specs = [canonical(spec) for spec in split_specs(_FLAGS.bots)]
    record = play(
        _FLAGS.game, specs, _FLAGS.seed, opening_plies=_FLAGS.opening_plies, move_seconds=_FLAGS.move_seconds
    )
    print("\n" + result_text(record, specs))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
