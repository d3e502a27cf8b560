"""Positions of MicroRTS as SVG, as both players see them: without the orders that are listed and not yet given."""

from __future__ import annotations

from games.micro_rts.openspiel.game import MicroRTSState
from games.micro_rts.palette import BOARD, CELL, FILLS, GRID, LINES, RIMS, WALL
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import ATTACK, PRODUCE, WAIT
from games.micro_rts.rules.unit_tables import HEAVY, LIGHT, RANGED, WORKER
from games.micro_rts.rules.units import Unit
from games.seeing.pictures import register_seat_picture

_HEAD = 26
_RADII = {WORKER: 10, LIGHT: 13, HEAVY: 16, RANGED: 13}


def svg(state: State) -> str:
    """Returns the position as the text of an SVG, with clock and banks above the board."""
    board = state.map
    width, height = board.width * CELL, board.height * CELL + _HEAD
    parts = [
        "<style>text{font-family:system-ui,sans-serif;font-size:14px}.h{fill:#5d6772}"
        "@media (prefers-color-scheme:dark){.h{fill:#a0a8b2}}</style>"
        f'<text class="h" x="2" y="17">tick {state.clock}</text>'
        f'<text x="110" y="17" fill="{RIMS[0]}">player 0: {state.banks[0]}</text>'
        f'<text x="210" y="17" fill="{RIMS[1]}">player 1: {state.banks[1]}</text>'
        f'<rect y="{_HEAD}" width="{width}" height="{height - _HEAD}" fill="{BOARD}"/>'
    ]
    lines = "".join(f"M{x * CELL} {_HEAD}V{height}" for x in range(board.width + 1))
    lines += "".join(f"M0 {_HEAD + y * CELL}H{width}" for y in range(board.height + 1))
    parts.append(f'<path d="{lines}" stroke="{GRID}" fill="none"/>')
    for cell, (x, y) in enumerate(board.positions):
        if board.walls[cell]:
            parts.append(
                f'<rect x="{x * CELL}" y="{_HEAD + y * CELL}" width="{CELL}" height="{CELL}" fill="{WALL}"/>'
            )
    parts += [_unit(state, unit) for unit in state.units.values()]
    parts += [_job(state, unit) for unit in state.units.values()]
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}'>"
        f"{''.join(parts)}</svg>"
    )


def _middle(state: State, cell: int) -> tuple[int, int]:
    x, y = state.map.positions[cell]
    return x * CELL + CELL // 2, _HEAD + y * CELL + CELL // 2


def _unit(state: State, unit: Unit) -> str:
    x, y = _middle(state, unit.cell)
    rim = "#1e7a26" if unit.player < 0 else RIMS[unit.player]
    style = f'fill="{FILLS[unit.type]}" stroke="{rim}" stroke-width="3"'
    radius = _RADII.get(unit.type)
    drawn = (
        f'<rect x="{x - 16}" y="{y - 16}" width="32" height="32" rx="3" {style}/>'
        if radius is None
        else f'<circle cx="{x}" cy="{y}" r="{radius}" {style}/>'
    )
    if unit.carried:
        drawn += f'<text x="{x}" y="{y + 5}" text-anchor="middle" fill="#111">{unit.carried}</text>'
    most = state.kind(unit).hp
    if unit.hp < most:
        drawn += (
            f'<rect x="{x - 16}" y="{y + 15}" width="32" height="3" fill="#c0c0c0"/>'
            f'<rect x="{x - 16}" y="{y + 15}" width="{32 * unit.hp / most:.1f}" height="3" fill="#20a020"/>'
        )
    return drawn


def _job(state: State, unit: Unit) -> str:
    job = state.jobs.get(unit.id)
    if job is None or job.order.kind == WAIT:
        return ""
    order = job.order
    cell = order.arg if order.kind == ATTACK else state.map.neighbours[unit.cell][order.arg]
    x, y = _middle(state, cell)
    if order.kind == PRODUCE:
        return f'<rect x="{x - 8}" y="{y - 8}" width="16" height="16" fill="none" stroke="{RIMS[unit.player]}" stroke-width="2"/>'
    own_x, own_y = _middle(state, unit.cell)
    return f'<path d="M{own_x} {own_y}L{x} {y}" stroke="{LINES[order.kind]}" stroke-width="2"/>'


def _seat_picture(state: MicroRTSState, player: int | None) -> str:
    del player  # both see all that stands on the board
    return svg(state.node.position)


register_seat_picture("micro_rts", _seat_picture)
