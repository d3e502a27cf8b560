"""Plays one match of `fps_arena` and draws it.

    python -m games.fps_arena.animate --bots=A,B --output=match.gif

`--bots` names one bot for each team, which plays all its soldiers, or one for each player. An output that ends
in .gif is an animation; one that ends in .png is a contact sheet, or with `--what` the whole match in one
picture, or its last moment.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.matches.match import play_match
from arena.matches.records import Move
from arena.registry.games import load_game
from arena.registry.specs import split_specs
from games import animating
from games.fps_arena import drawing
from games.fps_arena.openspiel.game import FpsArenaGame
from games.fps_arena.play.match import Frame, frame
from games.fps_arena.rules.parameters import Rules
from games.fps_arena.rules.setting import setting_of
from games.seeing.images import png
from runs import cli, flags

FLAGS = flags.FLAGS

_PICTURES = {"sheet": drawing.contact_sheet, "overview": drawing.overview, "last": drawing.image}


def frames_of(game: FpsArenaGame, moves: Sequence[Move]) -> list[Frame]:
    """Returns a frame for each state of a recorded match after the seed was drawn."""
    state, players = game.new_initial_state(), game.num_players()
    state.apply_action(moves[0].action)
    frames = [frame(state.position)]
    for start in range(1, len(moves), players):
        state.apply_actions([move.action for move in moves[start : start + players]])
        frames.append(frame(state.position))
    return frames


def seats(rules: Rules, bots: Sequence[str]) -> list[str]:
    """Returns the bot of each player, from one for each team or one for each player.

    Raises:
      ValueError: the number of bots is neither of these.
    """
    if len(bots) not in (rules.teams, rules.players):
        raise ValueError(
            f"--bots: expected {rules.teams} bots, one for each team, or {rules.players}, one "
            f"for each player, found {len(bots)}"
        )
    return [bots[player % len(bots)] for player in range(rules.players)]


def _define_flags() -> None:
    animating.define_flags("fps_arena", "one bot for each team or one for each player", 2, "decisions")
    flags.DEFINE_enum("what", "sheet", sorted(_PICTURES), "Kind of picture of a .png.")


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = animating.output_file()
    game = animating.checked_game(load_game(FLAGS.game), FpsArenaGame, "fps_arena")
    bots = seats(game.rules, split_specs(FLAGS.bots))
    record = play_match(FLAGS.game, bots, FLAGS.seed, opening_plies=0)
    frames = frames_of(game, record.moves)
    setting = setting_of(game.rules)
    if output.suffix == ".gif":
        drawing.save_animation(setting, frames, output, FLAGS.every)
    else:
        with cli.writing(output, binary=True) as file:
            file.write(png(_PICTURES[FLAGS.what](setting, frames)))
    scores = ", ".join(map(str, frames[-1].scores))
    animating.report(output, f"{frames[-1].tick} ticks, scores of the teams {scores}", record.forfeit)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
