"""python -m games.micro_rts.animate --bots=A,B --output=game.gif

Plays one match of `micro_rts` in the arena and draws it: an animated GIF, or with an output that ends in
.png its last position.
"""

from __future__ import annotations

from absl import flags

from arena.matches.match import play_match
from arena.registry.games import load_game
from arena.registry.specs import split_specs
from games.micro_rts import drawing
from games.micro_rts.openspiel.game import MicroRTSGame
from games.micro_rts.rules.engine import State
from runs import cli

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


def main() -> None:
    output = cli.check_output(FLAGS.output, "output")
    if output.suffix not in (".gif", ".png"):
        raise ValueError(f"--output: expected a name that ends in .gif or .png, found {output.name}")
    if FLAGS.every < 1:
        raise ValueError(f"--every: expected 1 or more ticks, found {FLAGS.every}")
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
    flags.DEFINE_string("game", "micro_rts", "micro_rts with its parameters")
    flags.DEFINE_string("bots", None, "two bots, with a comma between them", required=True)
    flags.DEFINE_string("output", None, "the file to write: .gif or .png", required=True)
    flags.DEFINE_integer("seed", 0, "of opening, chance and bots", lower_bound=0)
    flags.DEFINE_integer("opening_plies", 0, "random decisions at the start", lower_bound=0)
    flags.DEFINE_integer("every", 10, "ticks between pictures")
    cli.run(main)
