"""Which games and bots a visitor may name.

A spec may load a file (`mybot.py:MyBot`), start a program (`gtp(command=...)`) or spend money on a language model. On
this machine alone that is the owner's right. Where others can reach the server, a visitor may name registered bots
whose texts are the defaults or names of things that ship, the specs that the owner offers, and games whose parameters
are numbers and plain words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence

from arena.registry.specs import parse_spec, split_file
from arena.server.tables import Refused
from runs.suggestions import nearest

MOST_SEATS = 32
MOST_CHARACTERS = 500
"""Most characters of a game string or spec."""
_WORD = re.compile(r"[A-Za-z0-9_+.-]*\Z")
_PLAIN_GAME = re.compile(r"[A-Za-z0-9_+.,=() -]*\Z")
_NAMES_FILE = re.compile(r"file|path|dir|folder|map|game_", re.IGNORECASE)


class Permissions:
    """Args:
    remote: whether others than the owner can reach the server.
    offered: specs that the owner allows in any case.
    """

    def __init__(self, *, remote: bool, offered: Sequence[str] = ()):
        self.remote = remote
        self.offered = tuple(offered)

    def check_bot(
        self, spec: str, known: Mapping[str, Mapping], shipped: Mapping[str, Collection[str]]
    ) -> None:
        """Looks at a spec without making the bot.

        Args:
          spec: what the visitor wrote.
          known: the registered bots by name, as `arena.registry.descriptions.describe_bot` describes them.
          shipped: names of things that ship, by the name of the parameter that takes them.

        Raises:
          Refused: the visitor may not name it.
          ValueError: it is no spec.
        """
        if len(spec) > MOST_CHARACTERS:
            raise Refused(f"a bot's spec has at most {MOST_CHARACTERS} characters, found {len(spec)}")
        parsed = parse_spec(spec)
        if not self.remote or spec in self.offered:
            return
        if split_file(parsed.name) is not None:
            raise Refused(
                "a bot in a file runs as a program of the server's owner, so it is played on the owner's machine only; "
                "the owner can offer it with --offer"
            )
        if parsed.name not in known:
            raise Refused(f"unknown bot {parsed.name!r}; {nearest(parsed.name, known)}")
        parameters = {one["name"]: one for one in known[parsed.name]["parameters"]}
        for key, value in parsed.parameters.items():
            declared = parameters.get(key)
            if declared is None or declared["type"] != "str":
                continue  # numbers do no harm, and unknown names are refused where the bot is made
            if value != declared.get("default") and value not in shipped.get(key, ()):
                raise Refused(
                    f"bot {parsed.name!r}, parameter {key!r}: a visitor from elsewhere may choose the default or what "
                    f"ships, found {value!s:.60}; the owner can offer a spec with --offer"
                )

    def check_game(self, game: str) -> None:
        """Looks at a game string without loading the game.

        Raises:
          Refused: the visitor may not name it.
        """
        if not game or len(game) > MOST_CHARACTERS:
            raise Refused(f"a game string has 1 to {MOST_CHARACTERS} characters, found {len(game)}")
        if not self.remote:
            return
        if not _PLAIN_GAME.match(game):
            raise Refused("a visitor from elsewhere names games whose parameters are numbers and plain words")
        for key, value in re.findall(r"([A-Za-z0-9_]+)=([^,()=]*)", game):
            shipped_map = key == "map" and _WORD.match(value)
            if (_NAMES_FILE.search(key) and not shipped_map) or os.path.lexists(value):
                raise Refused(f"a visitor from elsewhere may not name a file, found {key}={value}")
