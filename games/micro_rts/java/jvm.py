"""Starts Java with the engine's jar, and finds the engine's classes and bots."""

from __future__ import annotations

import functools
import os
import zipfile
from pathlib import Path
from typing import Any

try:
    import jpype
    import jpype.config
except ImportError:
    # Bots are listed, and commands show their help, without it; `start` says what to do.
    jpype = None

JAR_VARIABLE = "MICRORTS_JAR"
_GET_JAR = (
    "pip download gym-microrts==0.4.3 --no-deps --no-binary :all: && "
    "tar -xf gym-microrts-0.4.3.tar.gz unpacks it as "
    "gym-microrts-0.4.3/gym_microrts/microrts/microrts.jar"
)
_CLASSES = {
    "UnitTypeTable": "rts.units.UnitTypeTable",
    "Unit": "rts.units.Unit",
    "Player": "rts.Player",
    "GameState": "rts.GameState",
    "PhysicalGameState": "rts.PhysicalGameState",
    "UnitAction": "rts.UnitAction",
    "Assignment": "rts.UnitActionAssignment",
    "PlayerAction": "rts.PlayerAction",
    "AI": "ai.core.AI",
    "BudgetAI": "ai.core.AIWithComputationBudget",
    "StringWriter": "java.io.StringWriter",
}


def find_jar(jar: str | None = None) -> Path:
    """Returns the engine's jar: `jar`, or the file that the environment variable MICRORTS_JAR names.

    Raises:
      ValueError: neither says where it is.
      OSError: there is no file of that name.
    """
    named = jar or os.environ.get(JAR_VARIABLE)
    if not named:
        raise ValueError(f"where is microrts.jar? Pass jar=PATH or set {JAR_VARIABLE}; {_GET_JAR}")
    path = Path(named)
    if not path.is_file():
        raise FileNotFoundError(f"{named}: expected the file microrts.jar, found none; {_GET_JAR}")
    return path.resolve()


class Library:
    """The engine's classes in the running Java; made by `start`.

    Attributes:
      jars: the files that hold them; a class that the first one has is not looked for in the others.
      UnitTypeTable, Unit, Player, GameState, PhysicalGameState, UnitAction, Assignment, PlayerAction, AI,
        BudgetAI, StringWriter: classes.

    Raises:
      ValueError: a class is not there.
    """

    def __init__(self, jars: list[Path]):
        self.jars = jars
        for name, path in _CLASSES.items():
            setattr(self, name, self.java_class(path))
        self._time = self._field(self.GameState, "time")
        self._coins = self._field(self.GameState, "r")
        self._shared = [
            self._coins,
            self._field(self.UnitAction, "r"),
            self._field(self.java_class("ai.mcts.MCTSNode"), "r"),
            self._field(self.java_class("util.Sampler"), "generator"),
        ]
        self._random = self.java_class("java.util.Random")

    def java_class(self, path: str) -> Any:
        """Returns the class of this dotted name.

        Raises:
          ValueError: there is none.
        """
        try:
            return jpype.JClass(path)
        except TypeError:
            raise ValueError(
                f"{self.jars[0]}: expected the class {path}, found none; use the microrts.jar "
                "of gym-microrts 0.4.3"
            ) from None

    def _field(self, owner: Any, name: str) -> Any:
        field = owner.class_.getDeclaredField(name)
        field.setAccessible(True)
        return field

    def set_time(self, game_state: Any, clock: int) -> None:
        """Sets the clock of a GameState, which has no public way to do so."""
        self._time.setInt(game_state, clock)

    def seed_rules(self, seed: int) -> None:
        """Seeds the two generators of the rules, of conflict policy 2 and unit table 3. They are the same
        for all games in this process."""
        self._coins.get(None).setSeed(seed)
        self.UnitAction.r.setSeed(seed)

    @functools.cached_property
    def ai_names(self) -> dict[str, list[str]]:
        """Short name -> dotted names of the classes so called in packages under `ai`."""
        found: dict[str, list[str]] = {}
        for jar in self.jars:
            with zipfile.ZipFile(jar) as archive:
                for entry in archive.namelist():
                    path = entry.removesuffix(".class").replace("/", ".")
                    if entry.startswith("ai/") and entry.endswith(".class") and "$" not in entry:
                        listed = found.setdefault(path.rpartition(".")[2], [])
                        if path not in listed:
                            listed.append(path)
        return found

    def ai_class(self, name: str) -> Any:
        """Returns the class of a bot by its short or dotted name, e.g. CoacAI or ai.coac.CoacAI.

        Raises:
          ValueError: no such class, several, or it is none of a bot.
        """
        short = name.rpartition(".")[2]
        paths = [path for path in self.ai_names.get(short, ()) if name in (short, path)]
        if len(paths) != 1:
            found = f"found {' and '.join(paths)}; write one of these" if paths else "found none"
            raise ValueError(
                f"bot {name!r}: expected one class of that name in a package under ai in "
                f"{self.jars[0]} and the jars beside it, {found}"
            )
        found_class = self.java_class(paths[0])
        if not issubclass(found_class, self.AI) or found_class.class_.getModifiers() & _ABSTRACT:
            raise ValueError(
                f"bot {name!r}: {paths[0]} is no bot; expected a class that extends "
                "ai.core.AI, such as CoacAI, NaiveMCTS or WorkerRush"
            )
        return found_class

    def seed_shared(self, seed: int) -> None:
        """Seeds the generators that all bots of this process share, each differently; those of the rules
        too, from which searching bots draw when they look ahead."""
        for number, field in enumerate(self._shared):
            field.get(None).setSeed(seed + number * _STRIDE)

    def seed_ai(self, ai: Any, seed: int) -> None:
        """Seeds all generators that a bot holds, itself and through other objects of packages under `ai`,
        each differently."""
        # Java's equals and hashCode may be anything; only the same object counts.
        waiting, seen = [ai], jpype.java.util.IdentityHashMap()
        while waiting:
            holder = waiting.pop()
            if seen.put(holder, holder) is not None:
                continue
            owner = holder.getClass()
            while owner is not None and str(owner.getName()).startswith("ai."):
                for field in owner.getDeclaredFields():
                    if field.getType().isPrimitive():
                        continue
                    field.setAccessible(True)
                    value = field.get(holder)
                    if value is None:
                        continue
                    if isinstance(value, self._random):
                        value.setSeed(seed)
                        seed += _STRIDE
                    elif str(value.getClass().getName()).startswith("ai."):
                        waiting.append(value)
                owner = owner.getSuperclass()


_OLDEST_JAVA = (11,)
_NO_JAVA = (
    "the real MicroRTS engine needs Java 11 or newer, found {}; install a Java runtime, e.g. "
    "openjdk-17-jre-headless, or set JAVA_HOME"
)
_ABSTRACT = 0x400
_STRIDE = 0x9E3779B9
"""The distance between the seeds of two generators: neighbouring seeds of java.util.Random draw alike at
first.
"""
_library: Library | None = None


def start(jar: str | None = None) -> Library:
    """Returns the engine's classes; starts Java on the first call. The jars beside the engine's hold further
    bots and are searched after it. The output of the engine is dropped.

    Args:
      jar: path of microrts.jar; None for the file that MICRORTS_JAR names.

    Raises:
      ImportError: JPype1 is missing.
      OSError: there is no jar, or no Java.
      ValueError: the jar is named nowhere or is another program's, or Java runs in this process without
        it.
    """
    global _library
    if jpype is None:
        raise ImportError(
            "the real MicroRTS engine needs JPype1, which is not installed; run "
            "pip install 'spielwright[microrts]' (it also needs Java "
            f"{_OLDEST_JAVA[0]} or newer and microrts.jar, see README)"
        )
    path = find_jar(jar)
    if _library is not None:
        if path != _library.jars[0]:
            raise ValueError(
                f"{path}: this process runs {_library.jars[0]} already, and Java starts once "
                "in a process; use one jar"
            )
        return _library
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path}: expected a jar, found another kind of file; {_GET_JAR}")
    jars = [path, *sorted(other for other in path.parent.glob("*.jar") if other != path)]
    if jpype.isJVMStarted():
        raise ValueError(
            "Java runs in this program already, without a microrts.jar that can be used; let "
            "games.micro_rts.java.jvm.start be the first to start it"
        )
    try:
        # interrupt=False leaves Ctrl-C to Python.
        # At the interpreter's end nothing waits for Java's own threads, and none of them calls back into it.
        jpype.config.destroy_jvm = False
        jpype.startJVM("-Djava.awt.headless=true", classpath=[str(jar) for jar in jars], interrupt=False)
    except jpype.JVMNotFoundException:
        raise FileNotFoundError(_NO_JAVA.format("none")) from None
    if jpype.getJVMVersion() < _OLDEST_JAVA:
        raise OSError(_NO_JAVA.format(".".join(map(str, jpype.getJVMVersion()))))
    silence = jpype.java.io.PrintStream(jpype.java.io.OutputStream.nullOutputStream())
    jpype.java.lang.System.setOut(silence)
    jpype.java.lang.System.setErr(silence)
    _library = Library(jars)
    return _library
