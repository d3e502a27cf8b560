"""Draws a game of micro_rts as a picture or an animation.

    python -m games.micro_rts.animate --bots=A,B --output=game.gif

Plays one match of `micro_rts` in the arena and draws it: an animated GIF, or with an output that ends in
.png its last position.
"""

from __future__ import annotations

from arena.matches.match import play_match
from arena.registry.games import load_game
from arena.registry.specs import split_specs
from games.micro_rts import drawing
from games.micro_rts.openspiel.game import MicroRTSGame
from games.micro_rts.rules.engine import State
from runs import cli, flags

FLAGS = flags.FLAGS


def positions(game: MicroRTSGame, actions: list[int], every: int) -> list[State]:
    """The positions of a game, from the first to the last, at least `every` ticks apart."""
    state = game.new_initial_state()
    shown = [state.position()]
    for action in actions:
        state.apply_action(action)
        if state.node.position.clock >= shown[-1].clock + every:
            shown.append(state.position())
    last = state.position()
    return shown + [last] * (last.clock > shown[-1].clock)


def _define_flags() -> None:
    flags.game("of micro_rts with its parameters", default="micro_rts")
    flags.bots("two of them", required=True)
    flags.output("the picture, .gif or .png", required=True)
    flags.seed("the opening, chance and the bots")
    flags.opening_plies(0)
    flags.DEFINE_integer("every", 10, "Number of ticks between pictures.", lower_bound=1)


def main() -> None:
    """The command; see the module\'s docstring."""
    output = cli.check_output(FLAGS.output, "output")
    if output.suffix not in (".gif", ".png"):
        raise ValueError(f"--output: expected a name that ends in .gif or .png, found {output.name}")
    game = load_game(FLAGS.game)
    if not isinstance(game, MicroRTSGame):
        raise ValueError(f"--game: expected micro_rts with its parameters, found {FLAGS.game!r}")
    bots = split_specs(FLAGS.bots)
    record = play_match(FLAGS.game, bots, FLAGS.seed, opening_plies=FLAGS.opening_plies)
    shown = positions(game, [move.action for move in record.moves], FLAGS.every)
    if output.suffix == ".png":
        output.write_bytes(drawing.png(shown[-1]))
    else:
        drawing.save_animation(shown, output)
    forfeit = record.forfeit
    ended = "" if forfeit is None else f", player {forfeit.player} forfeits: {forfeit.reason}"
    print(
        f"{output}: {shown[-1].clock} ticks, returns {record.returns[0]:+g} and {record.returns[1]:+g}{ended}"
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
