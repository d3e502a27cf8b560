"""Card and dice games as SVG: what one player sees of kuhn_poker, leduc_poker, goofspiel and liars_dice.

Each drawing is made from a text that OpenSpiel gives to the player, never from the state itself. Where nobody looks
(None) only what everybody may see is taken from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

import pyspiel

from games.openspiel_views.leduc_poker import LeducView
from games.seeing.pictures import register_seat_picture

WIDTH = 480
_ROW = 92
_CARD = (46, 66)
_SUITS = {"s": "♠", "h": "♥"}
_SPOTS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
_STYLE = (
    "text{font-family:system-ui,sans-serif;fill:#1e2329}.soft{fill:#5d6772}.card{fill:#fffdf8;stroke:#b9b3a5}"
    ".back{fill:#1f5fa6;stroke:#17497f}.back2{fill:none;stroke:#8fb6de}.face{font-weight:600;fill:#23272c}"
    ".red{fill:#c23a2e}.gone{fill:none;stroke:#b9b3a5;stroke-dasharray:3 3}.line{stroke:#dedad2}"
    ".chip{fill:#f0b323;stroke:#a87800}.spot{fill:#23272c}"
    "@media (prefers-color-scheme:dark){text{fill:#e7e5df}.soft{fill:#a0a8b2}.line{stroke:#343b44}"
    ".face{fill:#23272c}.red{fill:#c23a2e}.back{fill:#2f6fb5;stroke:#7fb4ec}}"
)


def _card(x: float, y: float, face: str | None) -> str:
    """A card with its face, or its back where the face is None."""
    width, height = _CARD
    if face is None:
        return (
            f'<rect class="back" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'
            f'<rect class="back2" x="{x + 5}" y="{y + 5}" width="{width - 10}" height="{height - 10}" rx="3"/>'
        )
    suit = _SUITS.get(face[1:], "")
    shown = escape(face[0] + suit if suit else face)
    red = " red" if suit == "♥" else ""
    return (
        f'<rect class="card" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'
        f'<text class="face{red}" x="{x + width / 2}" y="{y + height / 2 + 8}" font-size="22" '
        f'text-anchor="middle">{shown}</text>'
    )


def _empty(x: float, y: float) -> str:
    return f'<rect class="gone" x="{x}" y="{y}" width="{_CARD[0]}" height="{_CARD[1]}" rx="6"/>'


def _text(x: float, y: float, text: str, size: int = 15, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" font-size="{size}">{escape(text)}</text>'


def _die(x: float, y: float, number: int) -> str:
    spots = "".join(
        f'<circle class="spot" cx="{x + 10 + 12 * (spot % 3)}" cy="{y + 10 + 12 * (spot // 3)}" r="3.6"/>'
        for spot in _SPOTS.get(number, ())
    )
    return f'<rect class="card" x="{x}" y="{y}" width="44" height="44" rx="8"/>{spots}'


def _drawing(height: float, parts: Iterable[str]) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height:g}' width='{WIDTH}' "
        f"height='{height:g}'><style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _seat(player: int, own: int | None, top: float) -> str:
    line = f'<line class="line" x1="8" x2="{WIDTH - 8}" y1="{top}" y2="{top}"/>' if top else ""
    return (
        line
        + _text(12, top + 40, f"Player {player}", 16)
        + (_text(12, top + 58, "you", 12, "soft") if player == own else "")
    )


def _poker(
    own: int | None,
    cards: Sequence[str | None],
    dealt: Sequence[bool],
    chips: Sequence[int],
    acts: Sequence[Sequence[str]],
    public: str | None = None,
    rounds: Sequence[str] = (),
) -> str:
    """Players in rows: a card or its back, chips in the pot, what they did; below them the common card."""
    parts = []
    for player, card in enumerate(cards):
        top = player * _ROW
        parts.append(_seat(player, own, top))
        parts.append(_card(110, top + 13, card) if dealt[player] else _empty(110, top + 13))
        for chip in range(min(chips[player], 12)):
            parts.append(f'<ellipse class="chip" cx="190" cy="{top + 70 - 4.5 * chip}" rx="13" ry="5"/>')
        parts.append(_text(212, top + 40, f"{chips[player]} in the pot", 15))
        parts.append(_text(212, top + 60, ", ".join(acts[player]) or " ", 13, "soft"))
    height = len(cards) * _ROW
    if rounds:
        parts.append(f'<line class="line" x1="8" x2="{WIDTH - 8}" y1="{height}" y2="{height}"/>')
        parts.append(_text(12, height + 46, "Table", 16))
        parts.append(_card(110, height + 13, public) if public else _empty(110, height + 13))
        parts += [_text(176, height + 38 + 24 * place, line, 14, "soft") for place, line in enumerate(rounds)]
        height += _ROW
    return _drawing(height, parts)


def _kuhn(state: pyspiel.State, player: int | None) -> str:
    players = state.num_players()
    known = re.fullmatch(r"(\d*)([pb]*)", state.information_state_string(0 if player is None else player))
    names = "JQKA" if players == 3 else "JQK" if players == 2 else None
    faces: list[str | None] = [None] * players
    if player is not None and known[1]:
        faces[player] = names[int(known[1])] if names else known[1]
    chips, acts = [1] * players, [[] for _ in range(players)]
    raised = False
    for number, bet in enumerate(known[2]):
        mover = number % players
        acts[mover].append(("call" if raised else "bet") if bet == "b" else ("fold" if raised else "check"))
        chips[mover] += bet == "b"
        raised = raised or bet == "b"
    # The cards are dealt before the first bet; how many lie on the table in between everybody sees.
    dealt = [number < len(state.history()) for number in range(players)]
    return _poker(player, faces, dealt, chips, acts)


def _leduc(state: pyspiel.State, player: int | None) -> str:
    players = state.num_players()
    seen = LeducView().data(state, 0 if player is None else player)
    faces: list[str | None] = [None] * players
    if player is not None:
        faces[player] = seen["card"]
    dealt = [number < len(state.history()) for number in range(players)]
    acts: list[list[str]] = [[] for _ in range(players)]
    rounds = [
        f"round {number}: {', '.join(bets) or 'no bets yet'}" for number, bets in enumerate(seen["bets"], 1)
    ]
    return _poker(player, faces, dealt, seen["chips"], acts, seen["public_card"], rounds[: seen["round"]])


def _goofspiel(state: pyspiel.State, player: int | None) -> str | None:
    text = state.observation_string(0 if player is None else player)
    lines = dict(re.findall(r"^([^:\n]+): ?(.*)$", text, re.MULTILINE))
    parts = [_text(12, 44, "Prize", 16)]
    prize = lines.get("Current point card", "").strip()
    parts.append(_card(110, 13, prize) if prize and prize.isdecimal() else _empty(110, 13))
    rest = lines.get("Remaining Point Cards", "").split()
    parts.append(_text(176, 40, f"{len(rest)} more to come" if rest else "the last one", 15))
    parts.append(_text(176, 60, f"won so far: {' : '.join(lines.get('Points', '').split())}", 13, "soft"))
    everything = state.get_game().get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    top = _ROW
    for seat in range(state.num_players()):
        parts.append(_seat(seat, player, top))
        hand = lines.get(f"P{seat} hand")
        shown = hand is not None and (everything or seat == player)
        cards = hand.split() if shown else []
        step = min(_CARD[0] + 6, (WIDTH - 120) / max(1, len(cards)))
        if shown:
            parts += [_card(110 + step * place, top + 13, card) for place, card in enumerate(cards)]
        else:
            parts.append(_card(110, top + 13, None))
        top += _ROW
    return _drawing(top, parts)


def _liars_dice(state: pyspiel.State, player: int | None) -> str:
    words = state.information_state_string(0 if player is None else player).split()
    bids = [word for word in words if "-" in word or not word.isdecimal()]
    own = [int(digit) for word in words if word.isdecimal() for digit in word]
    parts, top = [], 0
    parameters = state.get_game().get_parameters()
    for seat in range(state.num_players()):
        parts.append(_seat(seat, player, top))
        count = parameters.get("numdice", 1)
        for place in range(count):
            x = 110 + 54 * place
            if seat == player and place < len(own):
                parts.append(_die(x, top + 24, own[place]))
            else:
                parts.append(f'<rect class="back" x="{x}" y="{top + 24}" width="44" height="44" rx="8"/>')
        made = [_bid(bid) for number, bid in enumerate(bids) if number % state.num_players() == seat]
        parts.append(_text(110 + 54 * count + 14, top + 51, made[-1] if made else "", 14))
        top += _ROW
    return _drawing(top, parts)


def _bid(word: str) -> str:
    quantity, _, face = word.partition("-")
    return f"bids {quantity} × {face}" if face else "calls: liar!"


register_seat_picture("kuhn_poker", _kuhn)
register_seat_picture("leduc_poker", _leduc)
register_seat_picture("goofspiel", _goofspiel)
register_seat_picture("liars_dice", _liars_dice)
