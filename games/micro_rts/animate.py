"""Draws one match of `micro_rts`, played now or kept in a database.

    python -m games.micro_rts.animate --bots=A,B --output=game.gif
    python -m games.micro_rts.animate --db=matches.db --match=7 --output=game.gif

An output that ends in .gif is an animation; one that ends in .png is the last position.
"""

from __future__ import annotations

from arena.matches.match import play_match
from arena.matches.records import MatchRecord
from arena.registry.games import load_game
from arena.registry.specs import split_specs
from arena.store.database import Database
from games import animating
from games.micro_rts import drawing
from games.micro_rts.openspiel.game import MicroRTSGame
from games.micro_rts.rules.engine import State
from runs import cli, flags

FLAGS = flags.FLAGS


def positions(game: MicroRTSGame, actions: list[int], every: int) -> list[State]:
    """Returns the positions of a game, from the first to the last, at least `every` ticks apart."""
    state = game.new_initial_state()
    shown = [state.position()]
    for action in actions:
        state.apply_action(action)
        if state.node.position.clock >= shown[-1].clock + every:
            shown.append(state.position())
    last = state.position()
    return shown + [last] * (last.clock > shown[-1].clock)


def _define_flags() -> None:
    animating.define_flags("micro_rts", "two bots; without them --db and --match", 10, "ticks", required=False)
    flags.opening_plies(0)
    flags.DEFINE_string("db", None, "Database of matches, as arena.tournament --db writes it.")
    flags.DEFINE_integer("match", None, "Number of the match in --db.")


def _record() -> MatchRecord:
    kept = FLAGS.db is not None and FLAGS.match is not None
    if kept == (FLAGS.bots is not None):
        raise ValueError("--bots: expected two bots, or a kept match by --db and --match; give one of these")
    if kept:
        with Database(FLAGS.db, must_exist=True) as database:
            return database.match(FLAGS.match)
    return play_match(FLAGS.game, split_specs(FLAGS.bots), FLAGS.seed, opening_plies=FLAGS.opening_plies)


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = animating.output_file()
    animating.checked_game(load_game(FLAGS.game), MicroRTSGame, "micro_rts")
    record = _record()
    game = animating.checked_game(load_game(record.game), MicroRTSGame, "micro_rts")
    shown = positions(game, [move.action for move in record.moves], FLAGS.every)
    if output.suffix == ".gif":
        drawing.save_animation(shown, output)
    else:
        with cli.writing(output, binary=True) as file:
            file.write(drawing.png(shown[-1]))
    first, second = record.returns
    animating.report(output, f"{shown[-1].clock} ticks, returns {first:+g} and {second:+g}", record.forfeit)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
