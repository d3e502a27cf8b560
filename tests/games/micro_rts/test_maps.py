"""Maps: those that ship, and what a map file may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.micro_rts.java import recorded
from games.micro_rts.rules import maps
from games.micro_rts.rules.unit_tables import BASE, RESOURCE

RECORDED = {
    "01": "basesWorkers4x4",
    "04": "basesWorkers8x8",
    "11": "FourBasesWorkers8x8",
    "15": "TwoBasesBarracks16x16",
    "19": "basesWorkers16x16",
}


@pytest.mark.parametrize("number", sorted(RECORDED))
def test_standard_maps_start_as_the_recorded_games_of_them_do(number):
    (path,) = (Path(__file__).parent / "traces").glob(f"{number}_*.gz")
    header, first, *_ = recorded.read_lines(path)
    board = maps.load(RECORDED[number])
    assert header["map"].endswith(f"/{board.name}.xml")
    assert (board.width, board.height) == (header["width"], header["height"])
    assert "".join("01"[wall] for wall in board.walls) == header["terrain"]
    assert [list(unit) for unit in board.units] == [fields[1:] for fields in first["units"]]
    assert list(board.banks) == first["res"]


@pytest.mark.parametrize("name", maps.names())
def test_every_map_is_fair(name):
    board = maps.load(name)
    last = board.width * board.height - 1
    units = {board.cell(unit.x, unit.y): unit for unit in board.units}
    if name == "FourBasesWorkers8x8":
        # The standard map is mirrored for the players, but not for all of its fields.
        units = {cell: unit for cell, unit in units.items() if unit.type != RESOURCE}
    for cell, unit in units.items():
        other = units[last - cell]
        assert (other.type, other.hp, other.carried) == (unit.type, unit.hp, unit.carried)
        assert other.player == (1 - unit.player if unit.player >= 0 else -1)
    assert all(board.walls[cell] == board.walls[last - cell] for cell in range(last + 1))
    assert board.banks[0] == board.banks[1]


@pytest.mark.parametrize("name", maps.names())
def test_every_cell_without_a_wall_can_be_reached(name):
    board = maps.load(name)
    free = {cell for cell, wall in enumerate(board.walls) if not wall}
    reached, edge = set(), [min(free)]
    while edge:
        cell = edge.pop()
        reached.add(cell)
        edge += [other for other in board.neighbours[cell] if other in free - reached]
    assert reached == free


def test_maps_of_all_sizes_ship():
    sizes = {(maps.load(name).width, maps.load(name).height) for name in maps.names()}
    assert {(4, 4), (8, 8), (16, 16), (24, 24)} <= sizes
    assert any(any(maps.load(name).walls) for name in maps.names())
    assert any(not any(unit.type == BASE for unit in maps.load(name).units) for name in maps.names())


@pytest.mark.parametrize(
    "text, problem",
    [
        ("", "expected sides of 1 to 64 cells, found 0 x 0"),
        ("...\n..\n", "line 2: expected a row of 3 cells"),
        ("..x\n", "line 1: expected a row of . and #"),
        ("...\nunit Knight 0 0 0 1 0\n", "line 2: expected a type"),
        ("...\nunit Base 2 0 0 1 0\n", "line 2: expected player 0, 1 or -"),
        ("...\nunit Base 0 0 zero 1 0\n", "line 2: expected a whole number, found 'zero'"),
        ("...\nunit Base 0 3 0 1 0\n", r"Base at \(3, 0\) is off the board"),
        (".#.\nunit Base 0 1 0 1 0\n", r"Base at \(1, 0\) stands on a wall"),
        ("...\nunit Base 0 1 0 1 0\nunit Worker 1 1 0 1 0\n", r"Worker at \(1, 0\) stands on another unit"),
        ("...\nunit Base 0 1 0 0 0\n", "expected at least 1 hit point"),
        ("...\nunit Base - 1 0 1 0\n", "resources belong to nobody"),
        ("...\nunit Resource 0 1 0 1 9\n", "resources belong to nobody"),
        ("...\nbank 1 -1\n", "expected two banks of 0 or more"),
        ("." * 65 + "\n", "expected sides of 1 to 64 cells, found 65 x 1"),
    ],
)
def test_impossible_maps_are_refused_in_one_sentence(text, problem):
    with pytest.raises(ValueError, match=problem):
        maps.parse("odd", text)


def test_a_map_of_the_users_own_is_read_from_its_file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("..#  ; a wall\nbank 3 4\nunit Worker 1 1 0 1 0\n")
    board = maps.load(str(path))
    assert (board.walls, board.banks, len(board.units)) == ((False, False, True), (3, 4), 1)
    with pytest.raises(ValueError, match="expected the path of a .txt or .xml file or one of barracks10x10"):
        maps.load("nowhere")


XML = """<rts.PhysicalGameState width="3" height="2">
  <terrain>010
           000</terrain>
  <players><rts.Player ID="0" resources="5"></rts.Player><rts.Player ID="1" resources="7"></rts.Player></players>
  <units>
    <rts.units.Unit type="Resource" ID="16" player="-1" x="0" y="0" resources="25" hitpoints="1" ></rts.units.Unit>
    <rts.units.Unit type="Base" ID="9" player="1" x="2" y="1" resources="0" hitpoints="10" ></rts.units.Unit>
  </units>
</rts.PhysicalGameState>"""


def test_a_map_of_micro_rts_itself(tmp_path):
    (tmp_path / "own.xml").write_text(XML, encoding="utf-8")
    board = maps.load(str(tmp_path / "own.xml"))
    same = maps.parse("same", ".#.\n...\nbank 5 7\nunit Resource - 0 0 1 25\nunit Base 1 2 1 10 0\n")
    assert (board.width, board.height, board.walls) == (same.width, same.height, same.walls)
    assert (board.units, board.banks) == (same.units, same.banks)


@pytest.mark.parametrize(
    "old, new, problem",
    [
        ("<terrain>010", "<terrain>01", "expected 6 cells of terrain, found 5"),
        ("010", "012", "terrain: expected 0 .free. and 1 .wall., found '012000'"),
        ('x="2"', "", "rts.units.Unit, x: expected a whole number, found 'nothing'"),
        ("Base", "Castle", "expected a type .*found 'Castle'"),
        ("</rts.PhysicalGameState>", "", "expected a map of MicroRTS in XML"),
    ],
)
def test_a_map_of_micro_rts_that_is_none_is_refused(old, new, problem):
    with pytest.raises(ValueError, match=problem):
        maps.parse_xml("own", XML.replace(old, new))
