"""`textworld(kind=simple,level=1,seed=0)`: games that TextWorld generates on this machine (extra `text`).

"TextWorld: A Learning Environment for Text-based Games" (https://arxiv.org/abs/1806.11532). A game is made
once, which takes some seconds and no network, and kept in a folder. Play goes through the logic of the
game: its facts, its rules, its quests; that is what a search needs. Text costs more and is asked for more
seldom: the compiled game prints it, in Jericho's interpreter, when somebody looks, by repeating the
commands.

The valid commands are those that change a fact, and `examine cookbook`, without which no recipe is known.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from games.text import textworld_make
from games.text.action_store import cache_folder
from games.text.bounded_cache import kept
from games.text.jericho_process import INSTALL, InterpreterLost, InterpreterProcess, require_jericho
from games.text.state import NUM_DISTINCT_ACTIONS, Snapshot, TextGame, game_type, register

_DEFAULTS = {"kind": "simple", "level": 1, "seed": 0, "max_moves": 100, "cache": ""}
_TYPE = game_type("textworld", "Generated text games (TextWorld)", _DEFAULTS, default_loadable=False)
_MAKE_SECONDS = 300.0
_ANSWER_SECONDS = 10.0
_KEPT, _KEPT_MOMENTS = 1 << 14, 512
_RECIPE = "examine cookbook"


class LogicWorld(NamedTuple):
    """A world of facts.

    Attributes:
      facts: the facts that hold, as TextWorld's `State`; never changed.
      key: the facts as a set, and `done`.
      done: the quests that are completed, a bit for each.
      commands: the commands that led here, for the text.
    """

    facts: Any
    key: Hashable
    done: int
    commands: tuple[str, ...]


class TextWorld:
    """The engine of one generated game; see `games.text.state.Engine`.

    Args:
      kind, level, seed: the parameters of the game, see `TextWorldGame`.
      cache: folder for generated games; empty for the user's cache folder.

    Raises:
      ImportError: TextWorld or Jericho is not installed.
      ValueError: the game cannot be made.
    """

    min_score = 0

    def __init__(self, kind: str, level: int, seed: int, cache: str) -> None:
        if importlib.util.find_spec("textworld") is None:
            raise ImportError(f"textworld: the package textworld is not installed; {INSTALL}")
        require_jericho()
        self._arguments = (kind, level, seed, cache)
        folder = generated(kind, level, seed, Path(cache) if cache else cache_folder() / "textworld")
        from textworld.generator.game import Game
        from textworld.generator.inform7 import Inform7Game

        self._game = Game.load(str(folder / "game.json"))
        self._naming = Inform7Game(self._game)
        self.max_score = self._game.max_score
        self._story = str(folder / "game.z8")
        self._process: InterpreterProcess | None = None
        self._actions: OrderedDict[Hashable, dict[str, Any]] = OrderedDict()
        self._moments: OrderedDict[tuple[str, ...], dict[str, Any]] = OrderedDict()
        self._texts: OrderedDict[tuple[str, ...], list[str]] = OrderedDict()

    def __deepcopy__(self, memo: object) -> TextWorld:
        return self

    def __reduce__(self) -> tuple[Callable, tuple]:
        return generated_world, self._arguments

    def start(self) -> Snapshot:
        return self._snapshot(self._game.world.state.copy(), 0, 0, ())

    def step(self, snapshot: Snapshot, command: str) -> Snapshot:
        world = snapshot.world
        facts = world.facts.copy()
        facts.apply(self._named(world)[command])
        return self._snapshot(facts, world.done, snapshot.score, (*world.commands, command))

    def valid_actions(self, snapshot: Snapshot) -> tuple[str, ...]:
        return tuple(self._named(snapshot.world))

    def observation(self, snapshot: Snapshot) -> str:
        commands = snapshot.world.commands
        try:
            text = self._moment(commands)["text"]
        except InterpreterLost as error:
            return f"[The interpreter {error}: there is no text.]"
        if commands:
            return text
        # The story begins with a large drawing of its maker's name.
        return "\n".join(line for line in text.splitlines() if any(map(str.islower, line)))

    def look(self, snapshot: Snapshot) -> str:
        return self._both_texts(snapshot.world.commands)[0]

    def inventory(self, snapshot: Snapshot) -> str:
        return self._both_texts(snapshot.world.commands)[1]

    def key(self, snapshot: Snapshot) -> Hashable:
        return snapshot.world.key

    def walkthrough(self) -> list[str]:
        """Returns the commands that win the game, less those that change nothing."""
        commands, snapshot = [], self.start()
        for command in self._game.walkthrough or ():
            if command in self._named(snapshot.world):
                commands.append(command)
                snapshot = self.step(snapshot, command)
        if not commands:
            raise ValueError("textworld: expected a walkthrough in the generated game, found none")
        return commands

    def _snapshot(self, facts: Any, done: int, score: int, commands: tuple[str, ...]) -> Snapshot:
        failed, open_quests = False, False
        for number, quest in enumerate(self._game.quests):
            if done >> number & 1:
                continue
            if quest.is_winning(facts):
                score += quest.reward
                done |= 1 << number
            elif quest.is_failing(facts):
                failed = failed or not quest.optional
            elif quest.win_events and not quest.optional:
                open_quests = True
        world = LogicWorld(facts, (frozenset(facts.facts), done), done, commands)
        return Snapshot(world, score=score, over=failed or not open_quests, failed=failed)

    def _named(self, world: LogicWorld) -> dict[str, Any]:
        """Returns TextWorld's actions that change a fact, by command, sorted."""

        def find() -> dict[str, Any]:
            knowledge = self._game.kb
            actions = [
                action
                for action in world.facts.all_applicable_actions(
                    knowledge.rules.values(), knowledge.types.constants_mapping
                )
                if action.added or action.removed or action.name.startswith("examine")
            ]
            named = sorted(
                zip(self._naming.gen_commands_from_actions(actions), actions),
                key=lambda pair: (pair[0], pair[1].name),
            )
            valid = {
                command: action
                for command, action in named
                if action.added or action.removed or command == _RECIPE
            }
            return dict(list(valid.items())[:NUM_DISTINCT_ACTIONS])

        return kept(self._actions, _KEPT, world.key, find)

    def _moment(self, commands: tuple[str, ...]) -> dict[str, Any]:
        """Returns the moment of the compiled game after some commands, from the longest beginning that is
        kept.
        """
        known = len(commands)
        while known and commands[:known] not in self._moments:
            known -= 1
        moment = self._moments.get(commands[:known])
        if moment is None:
            moment = kept(self._moments, _KEPT_MOMENTS, (), lambda: self._ask("start"))
        for length in range(known + 1, len(commands) + 1):
            before = moment
            moment = kept(
                self._moments,
                _KEPT_MOMENTS,
                commands[:length],
                lambda: self._ask("step", before["state"], commands[length - 1]),  # noqa: B023
            )
        return moment

    def _both_texts(self, commands: tuple[str, ...]) -> list[str]:
        try:
            return kept(
                self._texts, _KEPT, commands, lambda: self._ask("texts", self._moment(commands)["state"])
            )
        except InterpreterLost as error:
            return [f"[The interpreter {error}: there is no text.]"] * 2

    def _ask(self, operation: str, *arguments: Any) -> Any:
        """Returns the answer of the interpreter of the compiled game; raises InterpreterLost if there is
        none.
        """
        if self._process is None:
            self._process = InterpreterProcess(self._story, 1, _ANSWER_SECONDS, text_only=True)
        answer = self._process.call(operation, *arguments)
        if answer is None:
            raise InterpreterLost("halted")
        return answer


class TextWorldGame(TextGame):
    """The game `textworld(kind=simple,level=1,seed=0,max_moves=100,cache=FOLDER)`.

    Parameters:
      kind: `simple` (a house, a key, a meal; levels 1 to 3: dense, balanced, sparse rewards),
        `coin_collector` (1 to 300: the hundreds are the number of rooms that lead nowhere, the rest the length
        of the way), `treasure_hunter` (1 to 30: rooms, doors, boxes with locks) or `cooking` (1 to 5:
        rooms, ingredients, and steps of preparation).
      level: difficulty, see `kind`.
      seed: seed of the game of this kind and level.
      max_moves: commands until the game stops.
      cache: folder where games are kept; by default `~/.cache/spielwright/textworld` (or under
        `XDG_CACHE_HOME`).

    Raises:
      ValueError, ImportError: as `TextWorld`; a parameter is out of range.
    """

    engine: TextWorld

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = {**_DEFAULTS, **(params or {})}
        kind, level, seed = values["kind"], values["level"], values["seed"]
        levels = textworld_make.LEVELS
        if kind not in levels:
            raise ValueError(f"textworld: kind must be one of {', '.join(levels)}, got {kind!r}.")
        if not 1 <= level <= levels[kind]:
            raise ValueError(f"textworld: level of {kind} must be from 1 to {levels[kind]}, got {level}.")
        if not 0 <= seed < 1 << 31:
            raise ValueError(f"textworld: seed must be from 0 to {(1 << 31) - 1}, got {seed}.")
        engine = generated_world(kind, level, seed, values["cache"])
        super().__init__(_TYPE, engine, values["max_moves"], params or {})


@lru_cache(maxsize=16)
def generated_world(kind: str, level: int, seed: int, cache: str) -> TextWorld:
    """Returns the engine of these parameters, one for the whole process."""
    return TextWorld(kind, level, seed, cache)


def generated(kind: str, level: int, seed: int, cache: Path) -> Path:
    """Returns the folder of a game, which is made if it is not there; it is there as a whole or not at all.

    Raises:
      ValueError: TextWorld does not make it.
      OSError: the folder cannot be written.
    """
    import textworld

    folder = cache / f"{kind}-{level}-{seed}-{textworld.__version__}"
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=cache) as place:
        made = Path(place, "game")
        made.mkdir()
        try:
            run = subprocess.run(
                [sys.executable, "-P", textworld_make.__file__, kind, str(level), str(seed), str(made)],
                cwd=place,
                env={**os.environ, "PYTHONHASHSEED": "0"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_MAKE_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise ValueError(
                f"textworld: making {kind} of level {level} with seed {seed} took more than "
                f"{_MAKE_SECONDS:g} s; choose another seed or a lower level"
            ) from error
        if run.returncode or not (made / "game.z8").is_file():
            reason = (run.stderr.strip().splitlines() or ["it says nothing"])[-1]
            raise ValueError(
                f"textworld: {kind} of level {level} with seed {seed} cannot be made, choose "
                f"others; it says {reason!r}"
            )
        try:
            made.rename(folder)
        except OSError:
            # Another process was faster.
            if not folder.is_dir():
                raise
    return folder


register(_TYPE, TextWorldGame)
