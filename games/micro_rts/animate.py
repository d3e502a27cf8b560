"""Plays one match of `micro_rts` and draws it.

    python -m games.micro_rts.animate --bots=A,B --output=game.gif

An output that ends in .gif is an animation; one that ends in .png is the last position.
"""

from __future__ import annotations

from arena.matches.match import play_match
from arena.registry.games import load_game
from arena.registry.specs import split_specs
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
    animating.define_flags("micro_rts", "two bots", 10, "ticks")
    flags.opening_plies(0)


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = animating.output_file()
    game = animating.checked_game(load_game(FLAGS.game), MicroRTSGame, "micro_rts")
    bots = split_specs(FLAGS.bots)
    record = play_match(FLAGS.game, bots, FLAGS.seed, opening_plies=FLAGS.opening_plies)
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
