"""Bots in a file of the user's own, without a package: `mybot.py:MyBot(strength=3)`.

What stands after the colon is a class or a factory. It is given `game`, `player_id` and `seed` by name, each if
it names it; its other keyword-only parameters are the bot's parameters, whose types are their hints or else those
of their defaults. It makes a `pyspiel.Bot`, or an OpenSpiel policy, whose actions are sampled.

The canonical spec holds the sha256 of the file, so that records say which program played: a file that was changed
is another bot. The file is code that runs in this process, unsealed; files that it imports are not hashed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pyspiel

from arena.registry.live import as_bot
from arena.registry.specs import split_file

GIVEN = ("game", "player_id", "seed")
"""The arguments that a class or factory is given if it names them."""

HASH = "sha256"
"""The parameter that every bot in a file has: the file's hash, written by `canonical`."""

DIGITS = 12
"""Hexadecimal digits of the hash in a spec."""

_modules: dict[tuple[str, str], ModuleType] = {}
"""Files that were loaded, by path and hash: one that changes while a tournament runs goes on as it was."""


@dataclass(frozen=True)
class FileBot:
    """A class or factory in a file.

    Attributes:
      name: the name as in a spec, e.g. "mybot.py:MyBot".
      sha256: the first `DIGITS` hexadecimal digits of the file's hash.
      target: the class or factory.
    """

    name: str
    sha256: str
    target: Callable[..., object]

    @property
    def signature(self) -> inspect.Signature:
        """The parameters that a spec may set."""
        kept = [own for key, own in _signature(self.target).parameters.items() if key not in GIVEN]
        return inspect.Signature(kept)

    @property
    def hints(self) -> dict[str, object]:
        """Their types: those of their defaults where there is no hint."""
        return {
            key: type(own.default) if own.annotation is own.empty else own.annotation
            for key, own in self.signature.parameters.items()
        }

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (inspect.getdoc(self.target) or "a bot in a file").partition("\n")[0]

    def make(self, game: pyspiel.Game, player_id: int, seed: int, **parameters: object) -> pyspiel.Bot:
        """Makes the bot, as `arena.registry.bots.Factory` describes it.

        Raises:
          ValueError: the class or factory raises, or makes neither a bot nor a policy.
        """
        wanted = _signature(self.target).parameters
        given = {"game": game, "player_id": player_id, "seed": seed}
        try:
            made = self.target(**{key: given[key] for key in GIVEN if key in wanted}, **parameters)
        except (ValueError, ImportError, OSError):
            raise
        except Exception as error:
            raise ValueError(f"bot {self.name!r} cannot be made: {type(error).__name__}: {error}") from error
        return as_bot(made, self.name, player_id, seed)


def load(name: str, sha256: str | None = None) -> FileBot:
    """The class or factory that `FILE.py:NAME` names.

    Args:
      name: the name as it stands in a spec; a relative path is looked for in the current folder.
      sha256: the hash that the file must have, None for whatever it has.

    Raises:
      ValueError: the file cannot be read or imported, has another hash, has no such class or factory, or that
        one asks for something by position that it is not given.
    """
    path, attribute = split_file(name)
    absolute = os.path.abspath(os.path.expanduser(path))
    if sha256 is None or (absolute, sha256) not in _modules:
        found = _import(path, absolute)
        if sha256 is not None and sha256 != found:
            raise ValueError(
                f"bot {name!r}: expected the file with sha256={sha256}, found one with {found}; it was changed "
                "since, so leave sha256 out to play it as it is, or restore it"
            )
        sha256 = found
    module = _modules[absolute, sha256]
    target = getattr(module, attribute, None)
    if not callable(target):
        own = sorted(
            key
            for key, value in vars(module).items()
            if callable(value) and getattr(value, "__module__", None) == module.__name__ and key[0] != "_"
        )
        raise ValueError(
            f"bot {name!r}: {path} has no class or factory {attribute!r}, expected one of {', '.join(own) or 'none'}"
        )
    for key, parameter in _signature(target).parameters.items():
        if key == HASH:
            raise ValueError(
                f"bot {name!r} has a parameter {HASH!r}, which stands for the file's hash; choose another name"
            )
        if key not in GIVEN and parameter.kind is not parameter.KEYWORD_ONLY:
            raise ValueError(
                f"bot {name!r}: expected game, player_id, seed and parameters after a star, found {str(parameter)!r} "
                f"before it; write (game, player_id, seed, *, {key.lstrip('*')}=...)"
            )
    return FileBot(name, sha256, target)


def _import(path: str, absolute: str) -> str:
    """Loads a file unless it is loaded as it is; returns its hash."""
    try:
        source = Path(absolute).read_bytes()
    except OSError as error:
        raise ValueError(
            f"bot in a file: {path} cannot be read: {error.strerror}; expected the path of a Python file"
        ) from error
    digest = hashlib.sha256(source).hexdigest()[:DIGITS]
    if (absolute, digest) not in _modules:
        spec = importlib.util.spec_from_loader(
            f"spielwright_bot_{Path(path).stem}_{digest}", None, origin=absolute
        )
        module = importlib.util.module_from_spec(spec)
        module.__file__ = absolute
        sys.modules[module.__name__] = module  # dataclasses and pickle look there
        try:
            exec(compile(source, absolute, "exec"), vars(module))
        except ImportError:
            del sys.modules[module.__name__]
            raise
        except Exception as error:
            del sys.modules[module.__name__]
            raise ValueError(
                f"bot in a file: {path} cannot be imported: {type(error).__name__}: {error}"
            ) from error
        _modules[absolute, digest] = module
    return digest


def _signature(target: Callable[..., object]) -> inspect.Signature:
    try:
        return inspect.signature(target, eval_str=True)
    except ValueError:  # a class without an __init__ of its own
        return inspect.Signature()
