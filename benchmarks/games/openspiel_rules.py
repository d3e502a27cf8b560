"""Asks a language model to write down the rules of games of OpenSpiel, from OpenSpiel's own documentation alone.

    python -m benchmarks.games.openspiel_rules --openspiel=../open_spiel --games=oware,hearts --llm=spool:chat \
        --output_dir=rules

The documentation is a game's line in docs/games.md, the comments of its header, and its registered type and
parameters; --openspiel names a source tree that has them. A rules text is the answer as it comes. Games whose text
lies in the folder already are left out.
"""

from __future__ import annotations

import os
from pathlib import Path

import jinja2

from arena.registry.games import load_game
from benchmarks.support.openspiel_documentation import documentation
from language_models import from_spec
from language_models.asking.questions import Question, ask_together, unchecked
from runs import cli, flags

_FLAGS = flags.FLAGS

PROMPT = """\
Below is all that the documentation of a library of games says about one game. Write the rules of this game in plain \
words, in Markdown, for a programmer who has neither the library nor this documentation and who will write a \
simulator of it that must agree with the library's in every situation.

Say what there is at the start, who acts when, which actions are legal, what each action and each chance event does, \
what each player can see, when the game ends, and what each player's return is then or on the way, for the parameters \
given below. The programmer will also see a few recorded games, which show how actions, cards and squares are written \
and how an observation looks, so do not invent a notation: describe the game. Where the documentation leaves something \
open, write the usual rule of this game and say that it is the usual one.

# The documentation

{{ documentation }}

# Answer

The rules alone, beginning with a line "# " and the game's name. Do not use double braces.
"""


def prompt(documented: str) -> str:
    """The request for the rules of one game."""
    return jinja2.Template(PROMPT, undefined=jinja2.StrictUndefined).render(documentation=documented)


def _define_flags() -> None:
    flags.DEFINE_string("openspiel", None, "Source tree of OpenSpiel.", required=True)
    flags.DEFINE_list("games", [], "Games whose rules are to be written, separated by commas.")
    flags.llm()
    flags.output_dir("the rules, a file NAME.md for each game")


def main() -> None:
    """The command; see the module's docstring."""
    os.makedirs(_FLAGS.output_dir, exist_ok=True)
    games = {str(game).removesuffix("()"): game for game in map(load_game, _FLAGS.games)}
    missing = {
        name: game
        for name, game in games.items()
        if not os.path.exists(os.path.join(_FLAGS.output_dir, f"{name}.md"))
    }
    questions = [
        Question.of(prompt(documentation(Path(_FLAGS.openspiel), game)), f"rules of {name}", unchecked)
        for name, game in missing.items()
    ]
    for name, reply in zip(missing, ask_together(from_spec(_FLAGS.llm), questions)):
        cli.write_text(os.path.join(_FLAGS.output_dir, f"{name}.md"), reply.text.strip() + "\n")
        print(f"{name}: {len(reply.text):,} characters")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
