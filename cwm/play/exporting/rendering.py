"""The text of an exported game: the world model's program unchanged, and below it what OpenSpiel asks for."""

from __future__ import annotations

import ast
import builtins
import hashlib
import json
import keyword
import random
import re
import textwrap
from dataclasses import dataclass
from typing import Any

import jinja2
import pyspiel

from cwm import contract
from cwm.contract import manifest
from cwm.play.exporting.columns import Columns

_WIDTH = 108
_INFORMATION_STATE, _RESAMPLE_HISTORY = "information_state", "resample_history"


def _paragraph(text: str) -> str:
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("cwm.play.exporting"),
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,
)
_ENVIRONMENT.filters |= {"paragraph": _paragraph, "python": repr}


@dataclass(frozen=True)
class Export:
    """What is written about one game.

    Attributes:
      model: the world model.
      name: the game's short name in OpenSpiel.
      module: name of the file without `.py`.
      columns: the columns of its tensors, or None for a game without tensors.
    """

    model: manifest.Model
    name: str
    module: str
    columns: Columns | None = None

    def __post_init__(self) -> None:
        for what, text in (("name", self.name), ("file", self.module)):
            if not re.fullmatch(r"[a-z][a-z0-9_]*", text) or keyword.iskeyword(text):
                raise ValueError(
                    f"the {what} of the exported game: expected small letters, digits and underscores, with a "
                    f"letter first and no word of Python's own, found {text!r}"
                )

    @property
    def hidden(self) -> bool:
        """Whether the game hides information."""
        return not self.model.manifest["properties"]["perfect_information"]

    @property
    def simultaneous(self) -> bool:
        """Whether players choose at once in it."""
        return self.model.manifest["properties"].get("simultaneous", False)

    @property
    def _mover(self) -> str:
        return "a player who chooses" if self.simultaneous else "the player to move"

    @property
    def resamples(self) -> bool:
        """Whether states can be drawn that a player cannot tell apart."""
        return self.hidden and contract.defines(self.model.source, _RESAMPLE_HISTORY)

    @property
    def remembers(self) -> bool:
        """Whether the program gives information states of its own."""
        return self.hidden and contract.defines(self.model.source, _INFORMATION_STATE)

    @property
    def camel(self) -> str:
        """The beginning of the names of the classes; the program has no class of such a name."""
        found = "".join(part.capitalize() for part in self.name.split("_"))
        while any(contract.defines(self.model.source, found + end) for end in ("Game", "State", "Observer")):
            found = f"OpenSpiel{found}"
        return found

    def side(self) -> str:
        """The part of the file that OpenSpiel calls, which is ours; the program's names must be bound before it."""
        text = _ENVIRONMENT.get_template("side.py.j2").render(self._fields())
        for name in sorted(_bound(ast.parse(text))):
            other = name
            while name.startswith("_") and contract.defines(self.model.source, other):
                other += "_"
            text = re.sub(rf"(?<![\w.]){name}(?!\w)", other, text) if other != name else text
        return text

    def file(self) -> str:
        """The whole file.

        Raises:
          ValueError: the program gives a meaning of its own to a name that the rest of the file needs.
        """
        side = self.side()
        clashes = sorted(name for name in _needed(side) if contract.defines(self.model.source, name))
        if clashes:
            raise ValueError(
                f"{self.model.path}: the program defines {', '.join(clashes)}, which the exported file needs for "
                "OpenSpiel; give it another name in model.py, and test the model again with python -m cwm.verify"
            )
        future, program = _split(self.model.source)
        return _ENVIRONMENT.get_template("head.py.j2").render(self._fields()) + future + program + side

    def fingerprint(self, game: pyspiel.Game, games: int) -> str:
        """The hash of so many random games that the test's file compares, by the functions that stand in it."""
        names: dict[str, Any] = {"hashlib": hashlib, "json": json, "random": random, "pyspiel": pyspiel}
        exec(_ENVIRONMENT.get_template("record.py.j2").render(self._fields()), names)
        return names["_fingerprint"](game, games)

    def test(self, games: int, recorded: int, fingerprint: str, nash_conv: float | None) -> str:
        """The test's file.

        Args:
          games: number of random games in each of its tests.
          recorded: number of recorded ones.
          fingerprint: the hash of the recorded ones.
          nash_conv: what uniform play loses to best responses, or None.
        """
        fields = {
            **self._fields(),
            "games": games,
            "recorded": recorded,
            "fingerprint": fingerprint,
            "nash_conv": nash_conv,
        }
        return _ENVIRONMENT.get_template("test.py.j2").render(fields)

    def _fields(self) -> dict[str, Any]:
        properties = self.model.manifest["properties"]
        return {
            "name": self.name,
            "module": self.module,
            "camel": self.camel,
            "hidden": self.hidden,
            "resamples": self.resamples,
            "simultaneous": self.simultaneous,
            "mover": self._mover,
            "remembers": self.remembers,
            "columns": self.columns,
            "long_name": f"Code world model of {_plain(self.model.manifest.get('game', self.name))}",
            **{key: properties[key] for key in ("chance", "zero_sum", "terminal_rewards")},
            "about": self._about(),
            "strings": self._strings(),
            "tensors": self._tensors(),
        }

    def _about(self) -> str:
        said = _plain(self.model.manifest.get("game", "a game"))
        verdicts: dict[str, list[str]] = {}
        for rung in self.model.manifest["rungs"]:
            verdicts.setdefault(rung["status"], []).append(rung["rung"].replace("_", " "))
        tests = "; ".join(f"{_plain(status)}: {_plain(', '.join(names))}" for status, names in verdicts.items())
        return (
            f"The rules are those of {said}, in the words of a program that a language model wrote (a code world "
            "model); it makes up the first part of this file, unchanged. Its functions are pure, its states "
            f"immutable. The game has no parameters. Tests of the program against the game: {tests}. SHA-256 of "
            f"the program: {manifest.program_hash(self.model.source)}."
        )

    def _strings(self) -> str:
        if not self.hidden:
            return "The observation is JSON; all is public, so the information state is the history."
        kept = "what the program keeps of it" if self.remembers else "all observations and own actions, as JSON"
        drawn = (
            f" resample_from_infostate draws a state that {self._mover} cannot tell from the present one."
            if self.resamples
            else ""
        )
        return f"The observation of a player is JSON, the information state {kept}, after the player's number.{drawn}"

    def _tensors(self) -> str:
        if self.simultaneous:
            return "There are no tensors."
        if self.columns is None:
            return "There are no tensors: the observations hold too many different things for one column each."
        spelt = " Rows of a board are read character by character." if self.columns.spelt else ""
        recall = (
            " The tensor of the information state adds a trace of all that its player has seen and done, which "
            "fades by half with each state."
            if self.hidden
            else ""
        )
        return (
            "The tensor of an observation has a column for each value that a field took in random games, and one for "
            f"each number; other values have none.{spelt}{recall}"
        )


def _plain(text: str) -> str:
    """The text without characters that mean something in a string or comment of Python."""
    return re.sub(r"[^\w .,:;()=/+-]", "?", text)


def _needed(side: str) -> set[str]:
    """The names that the part for OpenSpiel binds, and those of Python's own functions that it calls."""
    tree = ast.parse(side)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return _bound(tree) | (used & set(dir(builtins)))


def _bound(tree: ast.Module) -> set[str]:
    """The names that a module of imports, classes, functions and plain assignments binds."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return found


def _split(source: str) -> tuple[str, str]:
    """The imports from `__future__`, which must be the first statements of a file, and the rest of a program."""
    lines, future = source.split("\n"), []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            future.append(ast.unparse(node))
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    header = "# --- The rules: the world model's program ---"
    return (
        "".join(f"{line}\n" for line in future) + "\n" * bool(future),
        f"{header}{'-' * (101 - len(header))}\n\n" + "\n".join(lines).strip("\n") + "\n\n",
    )
