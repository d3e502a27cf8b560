"""The process that holds the interpreter of a Z-machine story, so that it can be killed when it hangs.

It runs as a program of its own and imports nothing of the suite but `jericho_trials`, which lies beside it;
`jericho_process` speaks to it:

    python jericho_worker.py FILE_DESCRIPTOR ROM SEED [text]

Each request is `(operation, arguments)`, each answer the result of the method of `Interpreter` of that name;
the first answer, unasked, is `about()`, or a string, the reason why the story cannot be played.

The list of valid commands is found as in "Interactive Fiction Games: A Colossal Adventure"
(https://arxiv.org/abs/1909.05398), section 3: templates of the game's grammar are filled with the objects
in sight, and commands that change the world are valid; among commands with equal effects the one with the
most usual verb stands for all. Unlike in Jericho's own, words are taken for objects by the game's dictionary,
not by a language model; nothing depends on the order of sets; and a command that halts the interpreter costs
that command only.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import re
import signal
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable
from multiprocessing.connection import Connection
from typing import Any

TAGGER_VERSION = 1
"""Part of the name of stored lists: to be raised when this module finds other commands than before."""
RELEASE_119 = "1d4606016ea58ee038da53d994392323"
"""MD5 of Zork I release 119, which its owner put under the MIT licence; Jericho knows release 88 only."""

_WORDS_WITHOUT_THINGS = (
    "it its him his he her hers she them they their themselves himself herself itself me my mine myself i "
    "you your yours yourself us we our ourselves self all both each other one ones this that these those "
    "a an the and or but then of with to in on"
)
_PRONOUNS = frozenset(_WORDS_WITHOUT_THINGS.split())
_WORD = re.compile(r"[a-z][a-z'\-]*")
_STATUS_LINE = re.compile(r"\A>?[^\n]*Score:[^\n]*Moves:[^\n]*(?:\n|\Z)|\n>[^\n]*\s*\Z")
_NOTHING = ("inventory", "look", "wait", "diagnose", "look at all")
"""Commands that do nothing: the changes that they make all the same are noise."""
_ENDED = "Would you like to restart the game from the beginning"
_MAX_SCORE = 350
_DIFF = 128
_ALONE_SECONDS = 600

State = tuple[bytes, bytes, int, int, int, int, int, tuple[int, int, int], bytes]
"""Memory, stack, program counter, stack and frame pointers, frames, opcode, random numbers, last text."""


def tag(text: str, dictionary: dict[str, Any], word_length: int) -> set[tuple[str, str]]:
    """Returns the words of a text that the game knows as things, each with `NOUN` or `ADJ`.

    Args:
      text: text that the game printed.
      dictionary: the game's own, by word as it stores them; the values have `is_noun`, `is_adj` and the
        like. Where no word is marked as a noun, all that are neither verb nor preposition nor direction
        are taken for nouns.
      word_length: number of letters of a word that the game looks at.
    """
    marked = any(entry.is_noun for entry in dictionary.values())
    found = set()
    for word in _WORD.findall(text.lower()):
        entry = dictionary.get(word[:word_length])
        if entry is None or word in _PRONOUNS:
            continue
        other = entry.is_verb or entry.is_prep or entry.is_dir or entry.is_adj
        if entry.is_noun if marked else not other:
            found.add((word, "NOUN"))
        elif entry.is_adj:
            found.add((word, "ADJ"))
    return found


def tidy(text: str) -> str:
    """Returns a text without a status line, empty lines, and white space that has no meaning."""
    lines = (" ".join(line.split()) for line in _STATUS_LINE.sub("", text.lstrip("\n")).splitlines())
    return "\n".join(line for line in lines if line)


class Interpreter:
    """One story in Jericho's interpreter.

    Args:
      rom: path of the story.
      seed: seed of its random numbers; 0 for that of its known walkthrough, 1 where there is none.
      text_only: whether any story will do, for its text alone.

    Raises:
      ValueError: neither Jericho nor this module knows the story.
    """

    def __init__(self, rom: str, seed: int, text_only: bool = False) -> None:
        import jericho
        from jericho import defines, template_action_generator, util

        self._util = util
        warnings.simplefilter("ignore")
        self._env = jericho.FrotzEnv(rom, seed=seed or 1)
        with open(rom, "rb") as file:
            digest = hashlib.md5(file.read()).hexdigest()
        self._own = digest == RELEASE_119
        bindings = defines.BINDINGS_DICT.get(digest) or {}
        if self._own:
            bindings = next(b for b in defines.BINDINGS_DICT.values() if b["name"] == "zork1")
        elif text_only:
            bindings = {"name": "text", "grammar": "", "max_word_length": 9}
        elif not (self._env.is_fully_supported and bindings):
            raise ValueError("Jericho does not know this story: it has no score and no grammar for it")
        self._bindings = bindings
        if not seed and "seed" in bindings:
            self._env = jericho.FrotzEnv(rom, seed=bindings["seed"])
        self._generator = template_action_generator.TemplateActionGenerator(bindings)
        self._dictionary = {entry.word: entry for entry in self._env.get_dictionary()}
        self._word_length = max(map(len, self._dictionary))
        self._max_score = _MAX_SCORE if self._own else self._env.get_max_score()
        self._trials, self._slow = None, ""
        if not (self._own or text_only):
            self._trials, self._slow = _trials(self._env.frotz_lib, jericho.__version__, os.path.getsize(rom))

    def about(self) -> dict[str, Any]:
        """Returns the story's name, most points, walkthrough, Jericho's version, and why commands are tried
        slowly; empty where they are not.
        """
        import jericho

        walkthrough = self._bindings.get("walkthrough", "")
        return {
            "name": self._bindings["name"],
            "jericho": jericho.__version__,
            "max_score": self._max_score,
            "slow": self._slow,
            "walkthrough": walkthrough.split("/") if walkthrough else [],
        }

    def start(self) -> dict[str, Any]:
        """Returns the beginning of the story, in the form of `step`."""
        text, _ = self._env.reset()
        return self._moment(text)

    def step(self, state: State, command: str) -> dict[str, Any] | None:
        """Returns the moment that a command leads to: `state`, `text`, `score`, `over`, `failed`, and two
        digests, `key` of the world and `exact` of the state; None where the interpreter halts.
        """
        self._set(state)
        text = self._env.step(command)[0]
        if self._halted():
            return None
        return self._moment(text)

    def texts(self, state: State) -> list[str]:
        """Returns the texts that the commands `look` and `inventory` print."""
        return [tidy(self._say(state, command)) for command in ("look", "inventory")]

    def candidates(self, state: State, pairs: bool) -> list[str]:
        """Returns the commands that may be valid, sorted; with `pairs` those that name two objects too."""
        names = self._objects(state)
        return sorted(
            {
                command
                for template in self._generator.templates
                if pairs or template.count("OBJ") < 2
                for command in _filled(template, names)
            }
        )

    def effects(self, state: State, commands: list[str]) -> list[tuple[str, bytes]]:
        """Returns those of `commands` that change the world, each with its effect; equal ones are equal
        bytes.
        """
        if self._own:
            return self._effects_by_memory(state, commands)
        if self._trials is None:
            return self._effects_by_jericho(state, commands)
        found: list[tuple[str, bytes]] = []
        while commands:
            self._set(state)
            some, tried = self._trials.effects(commands)
            found += some
            if tried < len(commands) and not self._halted():
                found += self._effects_by_jericho(state, commands[tried : tried + 1])
            # A command that halts the interpreter costs that command only.
            commands = commands[tried + 1 :]
        return found

    def _effects_by_jericho(self, state: State, commands: list[str]) -> list[tuple[str, bytes]]:
        """Returns the effects, found by Jericho's own loop."""
        self._set(state)
        text = ctypes.create_string_buffer(";".join(commands).encode("cp1252"))
        valid = ctypes.create_string_buffer(len(text) + 2)
        diffs = (ctypes.c_uint16 * (_DIFF * len(commands)))()
        number = self._env.frotz_lib.filter_candidate_actions(text, valid, diffs)
        if self._halted():
            if len(commands) == 1:
                return []
            middle = len(commands) // 2
            return self._effects_by_jericho(state, commands[:middle]) + self._effects_by_jericho(
                state, commands[middle:]
            )
        names = valid.value.decode("cp1252").split(";")[:number]
        raw, size = bytes(diffs), 2 * _DIFF
        return [(name, raw[index * size : (index + 1) * size]) for index, name in enumerate(names)]

    def choose(self, effects: Iterable[tuple[str, bytes]], most: int) -> list[str]:
        """Returns one command for each effect, sorted; of more than `most`, those with the most usual
        verbs.
        """
        groups = defaultdict(list)
        for command, effect in effects:
            groups[effect].append(command)
        commands = {min(group, key=self._rank) for group in groups.values()}
        return sorted(sorted(commands, key=self._rank)[:most])

    def _rank(self, command: str) -> tuple[int, int, str]:
        return -self._util.verb_usage_count(command), len(command), command

    def _set(self, state: State) -> None:
        memory, stack, pc, sp, fp, frames, opcode, generator, text = state
        lib = self._env.frotz_lib
        lib.setRng(*generator)
        lib.setRAM(memory)
        lib.setStack(stack)
        lib.setPC(pc)
        lib.setSP(sp)
        lib.setFP(fp)
        lib.set_opcode(opcode)
        lib.setFrameCount(frames)
        lib.set_narrative_text(text)

    def _get(self) -> State:
        memory, stack, *registers, generator, text = self._env.get_state()
        return (memory.tobytes(), stack.tobytes(), *registers, tuple(int(n) for n in generator), text)

    def _memory(self) -> bytes:
        return self._env._get_ram().tobytes()

    def _say(self, state: State, command: str) -> str:
        self._set(state)
        text = self._env.step(command)[0]
        return "" if self._halted() else text

    def _halted(self) -> bool:
        """Says whether the interpreter has halted, and makes it fit to go on."""
        if not self._env._emulator_halted():
            return False
        self._env.reset()
        return True

    def _moment(self, text: str) -> dict[str, Any]:
        state = self._get()
        over = self._env.victory() or self._env.game_over()
        won = self._env.victory()
        if self._own:
            # A story of version 3 keeps the score in its second global variable, for the status line.
            score = int.from_bytes(_global(state[0], 1), "big", signed=True)
            over = over or _ENDED in text
            key = b"".join(_objects(state[0])) + _global(state[0], 0)
        else:
            score = self._env.get_score()
            key = bytes(self._env.get_world_objects(clean=True)) + self._env._get_special_ram().tobytes()
        # Some stories end with all points in the same words as with a death.
        failed = over and not won and score < self._max_score
        exact = hashlib.blake2b(repr(state[2:8]).encode() + state[0] + state[1], digest_size=16).digest()
        return {
            "state": state,
            "text": tidy(text),
            "score": score,
            "over": over,
            "failed": failed,
            "key": hashlib.blake2b(key, digest_size=16).digest(),
            "exact": exact,
        }

    def _objects(self, state: State) -> list[str]:
        """Returns one name for each thing in sight that can be examined, and `all`."""
        seen = set()
        for command in ("look", "inventory"):
            text = self._say(state, command)
            seen |= {(*found, 0) for found in tag(text, self._dictionary, self._word_length)}
        seen |= {(*found, 1) for found in self._tree_names(state)}
        known = {
            found for found in seen if " " in found[0] or found[0][: self._word_length] in self._dictionary
        }
        by_answer = defaultdict(list)
        answers: dict[str, str] = {}
        for found in sorted(known):
            if found[0] not in answers:
                answer = _STATUS_LINE.sub("", self._say(state, f"examine {found[0]}"))
                answers[found[0]] = self._util.clean(answer)
            if self._util.recognized(answers[found[0]]):
                by_answer[answers[found[0]]].append(found)
        return [min(group, key=_name_rank)[0] for group in by_answer.values()] + ["all"]

    def _tree_names(self, state: State) -> set[tuple[str, str]]:
        """Returns the names from the object tree around the player."""
        self._set(state)
        place = None if self._own else self._env.get_player_location()
        if place is None:
            return set()
        player = self._env.get_player_object()
        names = set()
        for thing in self._util.get_subtree(place.child, self._env.get_world_objects()):
            words = thing.name.split()
            if thing == player or not words:
                continue
            names.add((thing.name, "PROPN"))
            if len(words) > 1:
                names |= {(word, "ADJ") for word in words[:-1]} | {(words[-1], "NOUN")}
        return names

    def _effects_by_memory(self, state: State, commands: list[str]) -> list[tuple[str, bytes]]:
        """Returns the effects in a story that Jericho does not know: the changes in the table of objects, less
        those that commands make which do nothing.
        """
        before = _objects(state[0])
        noise = set()
        for command in _NOTHING:
            self._say(state, command)
            noise |= _changes(before, _objects(self._memory()))
        # A thing that moves by itself moves elsewhere each time.
        wanderers = {number for number, what, _ in noise if what == "in"}
        found = []
        for command in commands:
            text = self._say(state, command)
            after = self._memory()
            changes = {
                change
                for change in _changes(before, _objects(after)) - noise
                if change[1] != "in" or change[0] not in wanderers
            }
            over = self._env.game_over()
            if (changes or over or _global(after, 1) != _global(state[0], 1)) and "(Taken)" not in text:
                found.append((command, repr((sorted(changes), over, _global(after, 1))).encode()))
        return found


def _trials(library: ctypes.CDLL, version: str, story_bytes: int) -> tuple[Any, str]:
    """Returns the `Trials` of an interpreter, or None and the reason why there are none."""
    # As a program this file has no package: the one beside it is found by its path.
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jericho_trials.py")
    specification = importlib.util.spec_from_file_location("jericho_trials", place)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    try:
        return module.Trials(library, version, story_bytes), ""
    except module.Unavailable as error:
        return None, str(error)


def _name_rank(found: tuple[str, str, int]) -> tuple[float, tuple[str, str, int]]:
    """Returns the rank of a name; the one with the least rank stands for a thing: a noun before an adjective,
    one of the object tree before one of a text, then the shorter.
    """
    name, kind, in_tree = found
    return 0.01 * len(name) - {"NOUN": 1.0, "PROPN": 0.5, "ADJ": 0.0}[kind] - 0.1 * in_tree, found


def _filled(template: str, names: list[str]) -> Iterable[str]:
    if template.count("OBJ") < 2:
        yield from (template.replace("OBJ", name) for name in names) if "OBJ" in template else (template,)
        return
    for first in names:
        for second in names:
            if first != second:
                yield template.replace("OBJ", first, 1).replace("OBJ", second, 1)


def _global(memory: bytes, number: int) -> bytes:
    """Returns a global variable of a story (Z-Machine Standards Document 1.1, section 6.2), two bytes."""
    start = int.from_bytes(memory[0x0C:0x0E], "big") + 2 * number
    return memory[start : start + 2]


def _objects(memory: bytes) -> list[bytes]:
    """Returns the entries of the table of objects of a version 3 story, nine bytes each (section 12.3.1)."""
    start = int.from_bytes(memory[0x0A:0x0C], "big") + 31 * 2
    # The first object's properties begin where the table ends.
    end = int.from_bytes(memory[start + 7 : start + 9], "big")
    return [memory[place : place + 9] for place in range(start, end - 8, 9)]


def _changes(before: list[bytes], after: list[bytes]) -> set[tuple[int, str, int]]:
    """Returns the differences: for each object its new parent, and each attribute set or cleared."""
    changes = set()
    for number, (old, new) in enumerate(zip(before, after), 1):
        if old == new:
            continue
        if old[4] != new[4]:
            changes.add((number, "in", new[4]))
        differing = int.from_bytes(old[:4], "big") ^ int.from_bytes(new[:4], "big")
        changes |= {(number, "attribute", bit) for bit in range(32) if differing >> bit & 1}
    return changes


def main(descriptor: int, rom: str, seed: int, text_only: bool) -> None:
    """Answers requests until the other side closes the connection."""
    # The interpreter prints on its own account; nobody is to read that.
    sys.stdout.flush()
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    connection = Connection(descriptor)
    try:
        interpreter = Interpreter(rom, seed, text_only)
    except Exception as error:  # whatever goes wrong here is the ROM's or the installation's fault
        connection.send(" ".join(str(error).split()) or type(error).__name__)
        return
    connection.send(interpreter.about())
    while True:
        try:
            operation, arguments = connection.recv()
        except (EOFError, OSError):
            return
        # Where the other side is killed, nobody is left to end a story that hangs.
        signal.alarm(_ALONE_SECONDS)
        connection.send(getattr(interpreter, operation)(*arguments))
        signal.alarm(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:] == ["text"])
