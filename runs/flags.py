"""Flags that several commands have, each with one wording, and absl's own definitions for all others.

    from runs import cli, flags

    def _define_flags() -> None:
        flags.llm()
        flags.seed("the openings and the bots")
        flags.DEFINE_integer("width", 6, "Number of trees in a round.", lower_bound=1)

    if __name__ == "__main__":
        _define_flags()
        cli.run(main)

Flags are defined when a command runs, not when its module is imported: two modules may have flags of one name.
A flag that is `required` has to be given; `cli.run` says which one is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from absl import flags as absl_flags
from absl.flags import (  # noqa: F401  (for commands)
    FLAGS,
    DEFINE_alias,
    DEFINE_bool,
    DEFINE_enum,
    DEFINE_float,
    DEFINE_integer,
    DEFINE_list,
    DEFINE_string,
)

# So that --help of a command shows the flags that it gets from here.
absl_flags.disclaim_key_flags()


def require(name: str) -> None:
    """Makes sure that a flag, defined before, has a value that is not empty."""
    message = f"Flag --{name} must have a value other than None."
    absl_flags.register_validator(name, lambda value: value not in (None, "", []), message)


# Language models.


def llm(*, several: bool = False, streams: bool = False, default: str = "auto") -> None:
    """Defines --llm.

    Args:
      several: whether it is a list of models.
      streams: whether each agent asks in a stream of its own, which `{arm}` in the spec tells apart.
      default: its default.
    """
    what = "Language models by spec, separated by commas" if several else "Language model by spec"
    names = ", with {arm} for each agent's name" if streams else ""
    specs = (
        "gemini:MODEL, openai:MODEL@URL, local[:NAME or PATH.gguf], recorded[:PATH], spool:DIR, random[:SEED], "
        "constant:FILE, or auto"
    )
    DEFINE_string("llm", default, f"{what}{names}: {specs}, which is recorded where it can be, else local.")


def budget() -> None:
    """Defines --budget."""
    DEFINE_string("budget", None, "Limits of the calls, such as calls=20,tokens=1e6,usd=5.")


def record(*, resumes: bool = False, streams: bool = False) -> None:
    """Defines --record.

    Args:
      resumes: whether a run goes on from such a file.
      streams: as for `llm`.
    """
    names = ", with {arm} for each agent's name" if streams else ""
    further = "; the same command goes on from it" if resumes else ""
    DEFINE_string("record", None, f"File to append the calls to{names}, for --llm=recorded:FILE{further}.")


def on_miss(choices: Sequence[str]) -> None:
    """Defines --on_miss."""
    DEFINE_enum(
        "on_miss",
        "error",
        list(choices),
        "Answer to a request that a recording lacks: an error, or the uniform prior (a random action where the "
        "model is the policy), which is counted.",
    )


def max_calls(default: int) -> None:
    """Defines --max_calls."""
    DEFINE_integer("max_calls", default, "Most calls of the language model.", lower_bound=1)


def repairs(default: int) -> None:
    """Defines --repairs."""
    DEFINE_integer("repairs", default, "Most repairs of one answer's faults.", lower_bound=0)


def max_debug(default: int) -> None:
    """Defines --max_debug."""
    DEFINE_integer("max_debug", default, "Most calls of the debug module for one policy.", lower_bound=0)


def rules() -> None:
    """Defines --rules."""
    DEFINE_string(
        "rules",
        None,
        "File with the rules as text, in which {{ NAME }} stands for a parameter of the game, or none for no rules; "
        "the text that ships for the game by default.",
    )


# Games, and the players of matches.


def game(
    note: str = "",
    *,
    default: str | None = None,
    required: bool = False,
    several: bool = False,
    name: str = "game",
) -> None:
    """Defines --game.

    Args:
      note: the end of its help text, such as "such as connect_four".
      default: a game string.
      required: whether it has to be given.
      several: whether it is a list of games.
      name: the name of the flag.
    """
    what = "OpenSpiel game strings, separated by commas" if several else "OpenSpiel game string"
    DEFINE_string(name, default, f"{what}, {note}." if note else f"{what}.")
    if required:
        require(name)


def bots(note: str = "", *, default: str | None = None, required: bool = False) -> None:
    """Defines --bots; `note` is the end of its help text."""
    what = "Bots by spec, separated by commas"
    DEFINE_string("bots", default, f"{what}, {note}." if note else f"{what}.")
    if required:
        require("bots")


def opponents(what: str, *, default: str = "") -> None:
    """Defines --opponents; `what` says what may stand there."""
    DEFINE_string("opponents", default, f"Opponents, separated by commas: {what}.")


def pair_matches(name: str, default: int | None, between: str, note: str = "", *, lowest: int = 2) -> None:
    """Defines the number of matches of each pair, a flag that has several names.

    Args:
      name: the name of the flag.
      default: an even number.
      between: the players, in the plural.
      note: the end of its help text.
      lowest: the least number.
    """
    text = f"Matches between each two {between}, an even number{note}."
    DEFINE_integer(name, default, text, lower_bound=lowest)


def opening_plies(default: int, note: str = "", *, lowest: int | None = 0) -> None:
    """Defines --opening_plies; `note` is the end of its help text, `lowest` its least value."""
    text = f"Random moves before the players take over{note}."
    DEFINE_integer("opening_plies", default, text, lower_bound=lowest)


def move_seconds() -> None:
    """Defines --move_seconds."""
    DEFINE_float("move_seconds", None, "Time limit of a move in seconds; none by default.")


def simulations(default: int, of: str = "each search", *, lowest: int = 2) -> None:
    """Defines --simulations; `of` names the searches, `lowest` is its least value."""
    DEFINE_integer("simulations", default, f"Simulations of {of}.", lower_bound=lowest)


def luck_adjusted(methods: Sequence[str]) -> None:
    """Defines --luck_adjusted; `methods` are those there are."""
    text = (
        "Way to take the luck out of the mean returns of small games, which are then shown beside the raw ones."
    )
    DEFINE_enum("luck_adjusted", None, list(methods), text)


def max_moves(default: int) -> None:
    """Defines --max_moves."""
    DEFINE_integer("max_moves", default, "Number of moves after which an episode ends.", lower_bound=1)


def seed(of: str, *, default: int = 0, highest: int | None = None) -> None:
    """Defines --seed; `of` names what follows from it, `highest` is its largest value."""
    DEFINE_integer("seed", default, f"Seed of {of}.", lower_bound=0, upper_bound=highest)


def executor(what: str = "matches") -> None:
    """Defines --executor; `what` runs there."""
    text = f"Place where {what} run: inline, processes:N, or dask:ADDRESS of a Dask scheduler."
    DEFINE_string("executor", "inline", text)


# Files.


def db(*, default: str | None = None, read: bool = False) -> None:
    """Defines --db, a database to write, or one that is only `read`, which is required."""
    text = "as arena.tournament --db writes it" if read else "to add to and to resume from"
    DEFINE_string("db", default, f"Database of matches {text}.")
    if read:
        require("db")


def experiment(verb: str) -> None:
    """Defines --experiment; `verb` says what the command does with the matches."""
    text = f"Id of the only experiment to {verb}; all of them by default."
    DEFINE_integer("experiment", None, text, lower_bound=1)


def json(what: str = "the result", *, resumes: bool = False) -> None:
    """Defines --json, a file for `what`; with `resumes` a run goes on from it."""
    further = "; the same command goes on from it" if resumes else ""
    DEFINE_string("json", None, f"File for {what} as JSON{further}.")


def plot(what: str) -> None:
    """Defines --plot, a picture of `what`."""
    DEFINE_string("plot", None, f"File for a picture (PNG) of {what}.")


def output(what: str, *, default: str | None = None, required: bool = False) -> None:
    """Defines --output, a file for `what`."""
    DEFINE_string("output", default, f"File for {what}.")
    if required:
        require("output")


def output_dir(what: str = "the run", *, default: str | None = None, required: bool = True) -> None:
    """Defines --output_dir, a folder for `what`, which is required where it has no default, unless the command
    itself asks for it (`required` false)."""
    DEFINE_string("output_dir", default, f"Folder for {what}.")
    if default is None and required:
        require("output_dir")


# World models.


def model(note: str = "") -> None:
    """Defines --model, which is required; `note` is the end of its help text."""
    DEFINE_string("model", None, f"World model: its folder, or the name of one that ships{note}.")
    require("model")


def models(note: str = "", *, default: Sequence[str] | None = None) -> None:
    """Defines --models, which is required where it has no default."""
    DEFINE_list("models", default, f"World models: their folders, or names of ones that ship{note}.")
    if default is None:
        require("models")


def held_out() -> None:
    """Defines --test_transitions and --test_games."""
    for name, what, default in (("test_transitions", "transitions", 10_000), ("test_games", "games", 100)):
        DEFINE_integer(name, default, f"Least number of held-out {what}.", lower_bound=1)


# Behaviour trees.


def tree(*, several: bool = False, required: bool = False) -> None:
    """Defines --tree."""
    what = "Behaviour trees, separated by commas: files" if several else "Behaviour tree: a file"
    text = f"{what} (.bt, .json, .team), or the name of one that ships."
    (DEFINE_list if several else DEFINE_string)("tree", None, text)
    if required:
        require("tree")


def maps(default: Sequence[str]) -> None:
    """Defines --maps."""
    DEFINE_list("maps", list(default), "Kinds of maps of fps_arena that are drawn from.")


def modes(default: Sequence[str]) -> None:
    """Defines --modes."""
    DEFINE_list("modes", list(default), "Modes of fps_arena that are drawn from.")


def families(known: Iterable[str]) -> None:
    """Defines --families."""
    DEFINE_list(
        "families", [], f"Families of variants of fps_arena that take turns: {', '.join(known)}; or all."
    )


def memory(choices: Sequence[str], *, default: str | None = None) -> None:
    """Defines --memory."""
    further = "" if default else "; the file's own by default"
    DEFINE_enum("memory", default, list(choices), f"Kind of memory that composites have{further}.")


def tactics() -> None:
    """Defines --tactics."""
    DEFINE_string("tactics", "", "Tactics of the tree in plain words; the game's own by default.")


def forms(known: Iterable[str]) -> None:
    """Defines --forms."""
    DEFINE_list(
        "forms", [], f"Forms of the language beyond the paper's that prompts offer: {', '.join(known)}."
    )


def leave_out() -> None:
    """Defines --leave_out."""
    DEFINE_list("leave_out", [], "Words of the vocabulary that a tree may not use.")


# MicroRTS.


def jar(note: str = "") -> None:
    """Defines --jar; `note` is the end of its help text."""
    DEFINE_string("jar", None, f"Path of microrts.jar{note}.")


def unit_table(default: int) -> None:
    """Defines --unit_table."""
    DEFINE_integer("unit_table", default, "Unit table of micro_rts: 1 (as in its papers), 2 or 3.")


def max_cycles(default: int, end: str) -> None:
    """Defines --max_cycles; `end` says how a game ends there."""
    DEFINE_integer("max_cycles", default, f"Ticks after which a game {end}.", lower_bound=1)
