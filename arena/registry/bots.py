"""Bots by name. A spec string such as `mcts(simulations=1000)` makes a `pyspiel.Bot`.

    @register_bot("greedy", summary="takes the first legal action that wins at once")
    def _greedy(game, player_id, seed, *, depth: int = 1) -> pyspiel.Bot:
        ...

    bot = make_bot("greedy(depth=2)", game, player_id=0, seed=7)

The keyword-only part of the factory's signature declares the bot's parameters: their types (`int`,
`float`, `bool`, `str`, or one of these `| None`) and their defaults. A bot may have two methods
beyond those of `pyspiel.Bot`: `notes()` -> JSON-able dict of facts about its last move, kept in the
match record, and `close()`, called once after the match. Bots of other distributions are found through
entry points, see `arena.registry.plugins`; a bot in a file, `mybot.py:MyBot`, needs none of this, see
`arena.registry.files`.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import math
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyspiel

from arena.registry import files, plugins
from arena.registry.specs import BotSpec, format_spec, parse_spec, split_file
from runs.suggestions import nearest

if typing.TYPE_CHECKING:
    from arena.matches.records import MatchRecord

BOT_PROVIDERS = (
    "arena.bots.reference",
    "arena.bots.ground_truth",
    "arena.bots.openspiel",
    "arena.bots.simultaneous",
    "arena.bots.solvers",
    "arena.bots.engines",
    "arena.bots.bridge",
    "arena.bots.human",
    "arena.bots.llm_policy",
    "arena.bots.fps_arena",
    "arena.bots.micro_rts",
    "arena.bots.micro_rts_real",
    "cwm.play.bot",
    "bt_policies.bot",
    "skill_planner.bot",
    "policy_evolve.bot",
    "mcdml.bot",
)
"""Modules of this suite that register bots when they are imported; imported on first use."""

Factory = Callable[..., pyspiel.Bot]
"""`factory(game: pyspiel.Game, player_id: int, seed: int, **parameters) -> pyspiel.Bot`.

`seed` is in [0, 2**31), so that it fits a C++ int. The factory raises ValueError, in one sentence,
for a game that the bot cannot play and for a parameter out of range.
"""

Audit = Callable[[Sequence["MatchRecord"]], Mapping[str, object]]
"""A function from the records of all matches of a tournament to further JSON-able results, by name."""

Deterministic = bool | Callable[[Mapping[str, object]], bool]
"""Whether a bot is deterministic, or a function that tells it from the parameters that a spec gives."""

_SCALARS = (bool, int, float, str)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a registered bot: its type, and its default (`inspect.Parameter.empty` where
    a value must be given). `optional` says that `none` is a value too."""

    type: type
    optional: bool
    default: object

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True)
class BotEntry:
    """A registered bot. `audit`, `source` and `deterministic` are as in `register_bot`; `origin` is the
    plug-in that it came with, None for one of the suite or of the user's program."""

    name: str
    summary: str
    factory: Factory
    parameters: Mapping[str, Parameter]
    audit: Audit | None = None
    source: str | None = None
    origin: plugins.Origin | None = None
    deterministic: Deterministic = False

    def signature(self) -> str:
        """The spec that spells out every default, e.g. `mcts(simulations=1000,...)`."""
        shown = {key: f"<{p.type.__name__}>" if p.required else p.default for key, p in self.parameters.items()}
        return format_spec(BotSpec(self.name, shown))


_entries: dict[str, BotEntry] = {}


def _declared(signature: inspect.Signature, hints: Mapping[str, object], name: str) -> dict[str, Parameter]:
    declared = {}
    for key, parameter in signature.parameters.items():
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            continue
        hint = hints.get(key)
        members = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
        scalars = [member for member in members if member is not type(None)]
        if len(scalars) != 1 or scalars[0] not in _SCALARS:
            raise TypeError(
                f"bot {name!r}: parameter {key!r} needs the type hint int, float, bool or "
                f"str, alone or with '| None', found {hint!r}"
            )
        declared[key] = Parameter(scalars[0], len(members) == 2, parameter.default)
    return declared


def register_bot(
    name: str,
    *,
    summary: str,
    audit: Audit | None = None,
    source: str | None = None,
    deterministic: Deterministic = False,
) -> Callable[[Factory], Factory]:
    """Decorator that registers a factory under `name` and returns it unchanged.

    Args:
      name: letters, digits, `_`, `.`, `-`, starting with a letter or `_`.
      summary: one line for listings.
      audit: a function that is called once after a tournament in which the bot took part; its result is added to
        the tournament's results. Bots that share an audit function share one call.
      source: origin of the program that plays, for listings, where the factory only makes somebody else's bot,
        e.g. "OpenSpiel C++".
      deterministic: whether its moves follow from the states shown to it, and from nothing else: neither its
        seed nor a clock. Or a function of the parameters in a spec, without their defaults, that says so.
        Matches that repeat each other count once only between such bots.

    Raises:
      ValueError: the name is malformed or taken.
      TypeError: a keyword-only parameter has no usable type hint.
    """

    def register(factory: Factory) -> Factory:
        if parse_spec(name) != BotSpec(name):
            raise ValueError(f"bot name {name!r}: expected a bare name without parameters")
        if name in _entries:
            raise ValueError(
                f"bot name {name!r} is already registered by "
                f"{_entries[name].factory.__module__}; choose another name"
            )
        declared = _declared(inspect.signature(factory), typing.get_type_hints(factory), name)
        _entries[name] = BotEntry(name, summary, factory, declared, audit, source, deterministic=deterministic)
        return factory

    return register


@plugins.guard
@contextlib.contextmanager
def _bots_of_plugin(origin: plugins.Origin, registered: set[tuple[str, str]]) -> Iterator[None]:
    before = dict(_entries)
    try:
        yield
    except BaseException:
        registered |= {(plugins.BOTS, name) for name in _entries.keys() - before.keys()}
        _entries.clear()
        _entries.update(before)
        raise
    for name, entry in _entries.items():
        # The module may have been imported, by the user's program, before anybody looked for plug-ins.
        if entry.origin is None and (name not in before or entry.factory.__module__ == origin.module):
            _entries[name] = replace(entry, origin=origin)


def bots() -> dict[str, BotEntry]:
    """All registered bots by name, in alphabetical order."""
    for module in BOT_PROVIDERS:
        importlib.import_module(module)
    plugins.load(plugins.BOTS)
    return dict(sorted(_entries.items()))


@contextlib.contextmanager
def lent(name: str, factory: Factory, deterministic: bool = False) -> Iterator[None]:
    """Registers a bot under a free name while the context lasts, in this process only.

    Args:
      name: the bot's name in specs.
      factory, deterministic: as for `register_bot`.
    """
    register_bot(name, summary="made by the program that runs", deterministic=deterministic)(factory)
    try:
        yield
    finally:
        del _entries[name]


def _entry(spec: BotSpec) -> BotEntry:
    """The bot that a spec names; one in a file is loaded.

    Raises:
      ValueError: there is none, or the file is not the one whose hash the spec holds.
    """
    if split_file(spec.name) is not None:
        found = files.load(spec.name, spec.parameters.get(files.HASH))
        try:
            declared = _declared(found.signature, found.hints, spec.name)
        except TypeError as error:
            raise ValueError(str(error)) from error
        hashed = Parameter(str, False, found.sha256)
        return BotEntry(
            found.name,
            found.summary,
            found.make,
            {**declared, files.HASH: hashed},
            deterministic=getattr(found.target, "deterministic", False) is True,
        )
    known = bots()
    if spec.name not in known:
        reason = plugins.why_missing(plugins.BOTS, spec.name)
        if reason:
            raise ValueError(f"bot {reason}")
        raise ValueError(f"unknown bot {spec.name!r}; {nearest(spec.name, known)}{plugins.suspects()}")
    return known[spec.name]


def audits(specs: typing.Iterable[str]) -> list[Audit]:
    """The audit functions of the bots that these specs name, each once."""
    found = [_entry(parse_spec(spec)).audit for spec in specs]
    return list(dict.fromkeys(audit for audit in found if audit is not None))


def _converted(value: object, parameter: Parameter, where: str) -> object:
    """`value` in the declared type; strings are read, other values must have the type already."""
    if parameter.optional and (value is None or value == "none"):
        return None
    kind = parameter.type
    if isinstance(value, str) and kind is not str:
        if kind is bool:
            converted: object = {"true": True, "false": False}.get(value.lower())
        else:
            try:
                converted = kind(value)
            except ValueError:
                converted = None
    elif kind is float and isinstance(value, int) and not isinstance(value, bool):
        converted = float(value)
    else:
        converted = value if type(value) is kind else None
    if converted is None or (kind is float and not math.isfinite(converted)):
        expected = {bool: "true or false", int: "a whole number", float: "a finite number", str: "text"}[kind]
        raise ValueError(f"{where}: expected {expected}, found {value!r}")
    return converted


def resolve(spec: str | BotSpec) -> BotSpec:
    """Checks a spec against the registry and converts its values to their declared types.

    Raises:
      ValueError: malformed spec, unknown bot or parameter (the sentence names the nearest known
        ones), value of a wrong type, or a missing parameter that has no default.
    """
    parsed = parse_spec(spec) if isinstance(spec, str) else spec
    entry = _entry(parsed)
    declared = entry.parameters
    values = {}
    for key, value in parsed.parameters.items():
        if key not in declared:
            raise ValueError(f"bot {parsed.name!r} has no parameter {key!r}; {nearest(key, declared)}")
        values[key] = _converted(value, declared[key], f"bot {parsed.name!r}, parameter {key!r}")
    for key, parameter in declared.items():
        if parameter.required and key not in values:
            raise ValueError(
                f"bot {parsed.name!r} needs the parameter {key!r}, which has no default; "
                f"write {entry.signature()}"
            )
    if split_file(parsed.name) is not None:
        values[files.HASH] = values.pop(files.HASH, declared[files.HASH].default)  # the last one
    return BotSpec(parsed.name, values)


def canonical(spec: str | BotSpec) -> str:
    """The spec in the one form used in records and tables: checked, without idle blanks or quotes.

    Parameters keep their order, and defaults are not added; a bot in a file gets the file's hash.

    Raises:
      ValueError: as `resolve`.
    """
    return format_spec(resolve(spec))


def is_deterministic(bot: str | BotSpec | pyspiel.Bot) -> bool:
    """Whether a bot's moves follow from the states shown to it alone, as it was registered or, for a bot that is
    there already, as its attribute `deterministic` says. False for a bot that nobody knows here: the
    records of others' bots are rated too.
    """
    if isinstance(bot, pyspiel.Bot):
        return getattr(bot, "deterministic", False) is True
    try:
        resolved = resolve(bot)
        declared = _entry(resolved).deterministic
        return bool(declared(resolved.parameters) if callable(declared) else declared)
    except (ValueError, OSError):  # such as one whose plug-in, or whose file, is not here
        return False


def make_bot(spec: str | BotSpec, game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
    """Makes the bot that `spec` describes, for one seat of one game.

    Args:
      spec: a spec string, or a parsed spec.
      game: the game that it will play.
      player_id: its seat, in [0, game.num_players()).
      seed: seed of all its randomness, in [0, 2**31).

    Raises:
      ValueError: as `resolve`; or the bot refuses this game or a parameter's value.
    """
    if not 0 <= player_id < game.num_players():
        raise ValueError(f"player_id: expected 0 to {game.num_players() - 1} in {game}, found {player_id}")
    if not 0 <= seed < 2**31:
        raise ValueError(f"seed of a bot: expected 0 to 2**31 - 1, found {seed}")
    resolved = resolve(spec)
    parameters = dict(resolved.parameters)
    if split_file(resolved.name) is not None:
        return files.load(resolved.name, parameters.pop(files.HASH)).make(game, player_id, seed, **parameters)
    return bots()[resolved.name].factory(game, player_id, seed, **parameters)
