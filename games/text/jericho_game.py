"""`jericho(rom=PATH)`: the stories of Infocom and others, played by Jericho's interpreter (extra `text`).

The ROMs are the user's: none comes with this suite. A free one to start with is Zork I, release 119, which
its owner put under the MIT licence: `COMPILED/zork1.z3` of https://github.com/historicalsource/zork1. All
stories that Jericho supports can be played, among them the nine of "Monte Carlo Planning with Large
Language Model for Text-Based Game Agents".

The interpreter runs in a process of its own (`jericho_process`). A command that it does not survive costs
one move: the world stays as it was, and the observation says what happened. The list of valid commands,
which takes up to seconds, is found once for each world (`Jericho.key`) and kept in memory and on the disk;
several processes can look for it side by side.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from games.text import jericho_worker
from games.text.action_store import ActionStore, cache_folder
from games.text.bounded_cache import kept
from games.text.jericho_process import InterpreterLost, InterpreterProcess, require_jericho
from games.text.state import NUM_DISTINCT_ACTIONS, Snapshot, TextGame, game_type, register

_DEFAULTS = {
    "rom": "",
    "seed": 0,
    "max_moves": 100,
    "pairs": True,
    "seconds": 10.0,
    "cache": "",
    "interpreters": 1,
}
_TYPE = game_type("jericho", "Z-machine stories (Jericho)", _DEFAULTS, default_loadable=False)
_KEPT_STEPS = 4096
_KEPT_LISTS = 1 << 16
_NO_CACHE = "none"
_IDLE = ("look",)
"""The commands where nothing changes the world."""


class StoryWorld(NamedTuple):
    """The interpreter's state, and digests of it.

    Attributes:
      state: all that the interpreter needs to go on from here.
      key: equal for equal worlds: objects, their places and attributes, and all else that Jericho counts as
        the world of this story.
      exact: equal for equal states, random numbers and clocks included.
    """

    state: jericho_worker.State
    key: bytes
    exact: bytes


class Jericho:
    """The engine of one story; see `games.text.state.Engine`.

    Args:
      rom: path of the story.
      seed: seed of its random numbers; 0 for that of the known walkthrough.
      pairs: whether commands that name two objects are tried.
      seconds: time in which the interpreter must answer.
      cache: folder for the lists of valid commands; empty for the user's cache folder, `none` for none.
      interpreters: number of processes that look for valid commands side by side.

    Raises:
      OSError: there is no such file.
      ValueError: it is no story that can be played.
      ImportError: Jericho is not installed.
    """

    def __init__(
        self, rom: str, seed: int, pairs: bool, seconds: float, cache: str, interpreters: int = 1
    ) -> None:
        self._arguments = (rom, seed, pairs, seconds, cache, interpreters)
        self.rom, self._pairs = rom, pairs
        require_jericho()
        data = _checked(rom)
        self._process = InterpreterProcess(os.path.abspath(rom), seed, seconds, interpreters=interpreters)
        about = self._process.about
        self.name, self.max_score, self.min_score = about["name"], about["max_score"], -about["max_score"]
        self._walkthrough: list[str] = about["walkthrough"]
        self._store: ActionStore | None = None
        if cache != _NO_CACHE:
            folder = Path(cache) if cache else cache_folder() / "valid_actions"
            self._store = ActionStore(
                folder
                / "-".join(
                    (
                        self.name,
                        hashlib.sha256(data).hexdigest()[:16],
                        about["jericho"],
                        f"v{jericho_worker.TAGGER_VERSION}",
                        "pairs.sqlite" if pairs else "single.sqlite",
                    )
                )
            )
        self._steps: OrderedDict[tuple[bytes, str], Snapshot] = OrderedDict()
        self._texts: OrderedDict[bytes, list[str]] = OrderedDict()
        self._lists: OrderedDict[bytes, tuple[str, ...]] = OrderedDict()

    def __deepcopy__(self, memo: object) -> Jericho:
        return self

    def __reduce__(self) -> tuple[Callable, tuple]:
        return story, self._arguments

    def start(self) -> Snapshot:
        try:
            return _snapshot(self._process.call("start"))
        except InterpreterLost as error:
            raise ValueError(f"jericho: the interpreter of {self.rom} {error} at the start") from error

    def step(self, snapshot: Snapshot, command: str) -> Snapshot:
        """Returns the snapshot that a command leads to, be it valid or not."""
        place = (snapshot.world.exact, command)
        return kept(self._steps, _KEPT_STEPS, place, lambda: self._step(snapshot, command))

    def valid_actions(self, snapshot: Snapshot) -> tuple[str, ...]:
        world = snapshot.world
        return kept(self._lists, _KEPT_LISTS, world.key, lambda: self._find_list(world))

    def observation(self, snapshot: Snapshot) -> str:
        return snapshot.observation

    def look(self, snapshot: Snapshot) -> str:
        return self._both_texts(snapshot)[0]

    def inventory(self, snapshot: Snapshot) -> str:
        return self._both_texts(snapshot)[1]

    def key(self, snapshot: Snapshot) -> Hashable:
        return snapshot.world.key

    def walkthrough(self) -> list[str]:
        """Returns Jericho's own walkthrough; it holds with the walkthrough's seed only, and its commands need
        not be among the valid ones, for those have equals with other words.
        """
        if not self._walkthrough:
            raise ValueError(f"jericho: expected a walkthrough of {self.name}, found none")
        return list(self._walkthrough)

    def _step(self, snapshot: Snapshot, command: str) -> Snapshot:
        try:
            moment = self._process.call("step", snapshot.world.state, command)
            reason = "halted"
        except InterpreterLost as error:
            moment, reason = None, str(error)
        if moment is not None:
            return _snapshot(moment)
        lost = f"[The interpreter {reason} on {command!r}: the move is lost, nothing has changed.]"
        return Snapshot(snapshot.world, lost, snapshot.score)

    def _find_list(self, world: StoryWorld) -> tuple[str, ...]:
        stored = None if self._store is None else self._store.get(world.key)
        if stored is not None:
            return stored
        try:
            found = self._process.valid_commands(world.state, self._pairs, NUM_DISTINCT_ACTIONS)
        except InterpreterLost:
            # Not kept on the disk: another time the machine may be less busy.
            return _IDLE
        commands = tuple(found) or _IDLE
        if self._store is not None:
            self._store.put(world.key, commands)
        return commands

    def _both_texts(self, snapshot: Snapshot) -> list[str]:
        def ask() -> list[str]:
            try:
                return self._process.call("texts", snapshot.world.state)
            except InterpreterLost as error:
                return [f"[The interpreter {error}.]"] * 2

        return kept(self._texts, _KEPT_STEPS, snapshot.world.exact, ask)


class JerichoGame(TextGame):
    """The game `jericho(rom=PATH,seed=0,max_moves=100,pairs=true,seconds=10,cache=FOLDER,interpreters=1)`.

    Parameters:
      rom: path of the story; it holds neither `=` nor `,`.
      seed: seed of the story's random numbers; 0 for that of its known walkthrough.
      max_moves: commands until the game stops.
      pairs: whether commands that name two objects ("put leaflet in mailbox") are tried; without them
        lists are found up to ten times faster and are up to 40 % shorter.
      seconds: time in which the interpreter must answer before it is killed.
      cache: folder for the lists of valid commands; by default `~/.cache/spielwright/valid_actions` (or
        under `XDG_CACHE_HOME`); `none` for no such files.
      interpreters: number of processes that look for valid commands side by side, at most one for each core
        that is free; the lists are the same for any number.

    Raises:
      ValueError, OSError, ImportError: as `Jericho`.
    """

    engine: Jericho

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = {**_DEFAULTS, **(params or {})}
        if not values["rom"]:
            raise ValueError("jericho: rom must be the path of a story such as zork1.z5, got none")
        if values["seed"] < 0:
            raise ValueError(f"jericho: seed must be at least 0, got {values['seed']}.")
        if not values["seconds"] > 0:
            raise ValueError(f"jericho: seconds must be more than 0, got {values['seconds']}.")
        if values["interpreters"] < 1:
            raise ValueError(f"jericho: interpreters must be at least 1, got {values['interpreters']}.")
        engine = story(
            values["rom"],
            values["seed"],
            values["pairs"],
            values["seconds"],
            values["cache"],
            values["interpreters"],
        )
        super().__init__(_TYPE, engine, values["max_moves"], params or {})


@lru_cache(maxsize=8)
def story(rom: str, seed: int, pairs: bool, seconds: float, cache: str, interpreters: int = 1) -> Jericho:
    """Returns the engine of these parameters, one for the whole process."""
    return Jericho(rom, seed, pairs, seconds, cache, interpreters)


def _checked(rom: str) -> bytes:
    """Returns the bytes of a file that may be a story; raises OSError or ValueError for one that cannot be."""
    path = Path(rom)
    if not path.is_file():
        raise FileNotFoundError(f"jericho: there is no file {rom}; expected a story such as zork1.z5")
    data = path.read_bytes()
    # Z-Machine Standards Document 1.1, section 11: version, length of the file, and sum of its bytes.
    if len(data) < 64 or data[0] not in range(1, 9):
        raise ValueError(
            f"jericho: {rom} is no Z-machine story; expected a file that begins with a "
            f"version from 1 to 8, found {data[:1].hex() or 'nothing'}"
        )
    scale = 2 if data[0] <= 3 else 4 if data[0] <= 5 else 8
    length = scale * int.from_bytes(data[0x1A:0x1C], "big")
    if length > len(data):
        raise ValueError(
            f"jericho: {rom} is damaged: expected the {length} bytes that its header "
            f"promises, found {len(data)}; copy it again"
        )
    promised, found = int.from_bytes(data[0x1C:0x1E], "big"), sum(data[0x40:length]) & 0xFFFF
    if length and promised not in (0, found):
        raise ValueError(
            f"jericho: {rom} is damaged: expected the checksum {promised} of its header, found "
            f"{found}; copy it again"
        )
    return data


def _snapshot(moment: dict[str, Any]) -> Snapshot:
    world = StoryWorld(moment["state"], moment["key"], moment["exact"])
    return Snapshot(world, moment["text"], moment["score"], moment["over"], moment["failed"])


register(_TYPE, JerichoGame)
