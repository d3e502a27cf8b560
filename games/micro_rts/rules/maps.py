"""Maps of MicroRTS: terrain, and the units and banks that a game starts with.

A map is a text file. Its first lines draw the terrain (`.` free, `#` wall); the lines `bank` and `unit`
follow, `;` starts a comment. The order of the units is that of the engine's unit list.

    ....
    .##.
    bank 5 5
    ; type, player (- for nobody), x, y, hit points, resources carried or in stock
    unit Resource - 0 0 1 20
    unit Base 0 2 1 10 0

The maps here stand in `maps/`; those that bear the name of a standard map start as that one does. A file that ends in
`.xml` is a map as MicroRTS itself keeps them.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from games.micro_rts.rules.orders import OFFSETS
from games.micro_rts.rules.unit_tables import NAMES

_FOLDER = Path(__file__).parent / "maps"
_LONGEST_SIDE = 64


class StartUnit(NamedTuple):
    """A unit of a map; `player` is 0, 1 or -1 (nobody)."""

    type: int
    player: int
    x: int
    y: int
    hp: int
    carried: int


class Map:
    """The terrain, the starting units and the starting banks of a map, which does not change.

    Attributes:
      name: name of the map, for messages.
      width, height: sides in cells; cell (x, y) has the number x + y * width.
      walls: by cell, whether it is one.
      units: the starting units, in the order of the unit list.
      banks: the money with which the players start.
      neighbours: by cell, the cells up, right, down and left of it; -1 off the board.
      positions: by cell, (x, y).

    Raises:
      ValueError: the sides, the terrain, a unit or a bank is impossible; one sentence.
    """

    def __init__(
        self,
        name: str,
        width: int,
        height: int,
        walls: tuple[bool, ...],
        units: tuple[StartUnit, ...],
        banks: tuple[int, int] = (5, 5),
    ):
        if not (1 <= width <= _LONGEST_SIDE and 1 <= height <= _LONGEST_SIDE):
            raise ValueError(
                f"map {name}: expected sides of 1 to {_LONGEST_SIDE} cells, found {width} x {height}"
            )
        if len(walls) != width * height:
            raise ValueError(f"map {name}: expected {width * height} cells of terrain, found {len(walls)}")
        if len(banks) != 2 or min(banks) < 0:
            raise ValueError(f"map {name}: expected two banks of 0 or more, found {banks}")
        self.name, self.width, self.height = name, width, height
        self.walls, self.units, self.banks = walls, units, banks
        self.positions = tuple((cell % width, cell // width) for cell in range(width * height))
        self.neighbours = tuple(
            tuple(self.cell(x + dx, y + dy) for dx, dy in OFFSETS) for x, y in self.positions
        )
        self._check_units()

    def cell(self, x: int, y: int) -> int:
        """Returns the number of cell (x, y); -1 off the board."""
        return x + y * self.width if 0 <= x < self.width and 0 <= y < self.height else -1

    def steps(self, one: int, other: int) -> int:
        """Returns the steps from one cell to another if nothing is in the way."""
        (x, y), (other_x, other_y) = self.positions[one], self.positions[other]
        return abs(x - other_x) + abs(y - other_y)

    def _check_units(self) -> None:
        taken: set[int] = set()
        for unit in self.units:
            where = f"map {self.name}: {NAMES[unit.type]} at ({unit.x}, {unit.y})"
            cell = self.cell(unit.x, unit.y)
            if cell < 0:
                raise ValueError(f"{where} is off the board of {self.width} x {self.height} cells")
            if self.walls[cell]:
                raise ValueError(f"{where} stands on a wall; move it to a free cell")
            if cell in taken:
                raise ValueError(f"{where} stands on another unit; a cell holds one unit")
            if unit.hp < 1 or unit.carried < 0:
                raise ValueError(
                    f"{where}: expected at least 1 hit point and 0 carried, found {unit.hp} and {unit.carried}"
                )
            if (unit.type == 0) != (unit.player == -1):
                raise ValueError(
                    f"{where}: resources belong to nobody (-) and all other units to player "
                    f"0 or 1, found player {unit.player}"
                )
            taken.add(cell)


def parse(name: str, text: str) -> Map:
    """Returns the map that a text describes.

    Raises:
      ValueError: the text is not a map; the sentence names the line.
    """
    rows: list[str] = []
    units: list[StartUnit] = []
    banks = (5, 5)
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition(";")[0].split()
        where = f"map {name}, line {number}"
        if not words:
            continue
        if len(words) == 1 and set(words[0]) <= set(".#"):
            rows.append(words[0])
            if len(words[0]) != len(rows[0]):
                raise ValueError(
                    f"{where}: expected a row of {len(rows[0])} cells as above, found {len(words[0])}"
                )
        elif words[0] == "bank" and len(words) == 3:
            banks = (_number(where, words[1]), _number(where, words[2]))
        elif words[0] == "unit" and len(words) == 7:
            units.append(_unit(where, words[1:]))
        else:
            raise ValueError(
                f"{where}: expected a row of . and #, 'bank B0 B1' or 'unit TYPE PLAYER X Y "
                f"HP CARRIED', found {line.strip()!r:.60}"
            )
    walls = tuple(cell == "#" for row in rows for cell in row)
    return Map(name, len(rows[0]) if rows else 0, len(rows), walls, tuple(units), banks)


def parse_xml(name: str, text: str) -> Map:
    """Returns the map that a file of MicroRTS's own format describes.

    Raises:
      ValueError: the text is not such a map; one sentence.
    """
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(
            f"map {name}: expected a map of MicroRTS in XML, found what is none ({error})"
        ) from None
    terrain = "".join((root.findtext("terrain") or "").split())
    if set(terrain) - {"0", "1"}:
        raise ValueError(f"map {name}, terrain: expected 0 (free) and 1 (wall), found {terrain!r:.20}")
    banks = {_field(name, each, "ID"): _field(name, each, "resources") for each in root.iter("rts.Player")}
    units = []
    for each in root.iter("rts.units.Unit"):
        kind = each.get("type")
        if kind not in NAMES:
            raise ValueError(f"map {name}: expected a type ({', '.join(NAMES)}), found {kind!r:.20}")
        numbers = [_field(name, each, field) for field in ("player", "x", "y", "hitpoints", "resources")]
        units.append(StartUnit(NAMES.index(kind), *numbers))
    return Map(
        name,
        _field(name, root, "width"),
        _field(name, root, "height"),
        tuple(cell == "1" for cell in terrain),
        tuple(units),
        (banks.get(0, 0), banks.get(1, 0)),
    )


def _field(name: str, element: ElementTree.Element, field: str) -> int:
    return _number(f"map {name}, {element.tag}, {field}", element.get(field, "nothing"))


def _number(where: str, word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise ValueError(f"{where}: expected a whole number, found {word!r:.20}") from None


def _unit(where: str, words: list[str]) -> StartUnit:
    kind, player, *numbers = words
    if kind not in NAMES:
        raise ValueError(f"{where}: expected a type ({', '.join(NAMES)}), found {kind!r:.20}")
    if player not in ("-", "0", "1"):
        raise ValueError(f"{where}: expected player 0, 1 or - for nobody, found {player!r:.20}")
    return StartUnit(
        NAMES.index(kind), -1 if player == "-" else int(player), *(_number(where, word) for word in numbers)
    )


def names() -> list[str]:
    """Returns the names of the maps that ship, in alphabetical order."""
    return sorted((path.stem for path in _FOLDER.glob("*.txt")), key=str.lower)


def load(name: str) -> Map:
    """Returns the map of this name, or in the file of this path (it holds a `/`, or ends in `.txt` or `.xml`).

    Raises:
      ValueError: no such map, or its text is not one.
      OSError: the file cannot be read.
    """
    if "/" in name or name.endswith((".txt", ".xml")):
        text = Path(name).read_text(encoding="utf-8")
        return parse_xml(name, text) if name.endswith(".xml") else parse(name, text)
    if name not in names():
        raise ValueError(
            f"map {name!r}: expected the path of a .txt or .xml file or one of {', '.join(names())}"
        )
    return _shipped(name)


@functools.cache
def _shipped(name: str) -> Map:
    return parse(name, (_FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
