"""Colours of MicroRTS positions, those of the original; numbers of pixels that its pictures share."""

from games.micro_rts.rules.orders import ATTACK, HARVEST, MOVE, RETURN
from games.micro_rts.rules.unit_tables import BARRACKS, BASE, HEAVY, LIGHT, RANGED, RESOURCE, WORKER

CELL = 40
RIMS = ("#1f5fd0", "#d02020")
"""The rim of each player's units."""
FILLS = {
    RESOURCE: "#3cb043",
    BASE: "#d9d9d9",
    BARRACKS: "#8c8c8c",
    WORKER: "#a6a6a6",
    LIGHT: "#ff9f1c",
    HEAVY: "#ffe14d",
    RANGED: "#40d0d0",
}
LINES = {MOVE: "#404040", ATTACK: "#ff0000", HARVEST: "#1e7a26", RETURN: "#1e7a26"}
BOARD, GRID, WALL = "#f4f1ea", "#d8d2c4", "#4a4038"
