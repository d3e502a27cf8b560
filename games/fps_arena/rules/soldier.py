"""One soldier of `fps_arena`: its state, its memory, and the counts of its deeds."""

from __future__ import annotations

from games.fps_arena.rules import weapons
from games.fps_arena.rules.parameters import Rules

NEVER = -1 << 30
"""A tick before all others."""


class Tally:
    """The counts of one soldier, see `metrics`; all are numbers of events or ticks unless said otherwise.

    Attributes:
      hits: shots of which at least one pellet hit.
      damage_dealt, damage_taken: damage in health points.
      objective_ticks: ticks alive on the control point.
      captures: changes of its owner while the soldier stood there for the new one.
      distance: steps made.
      kill_ticks: the tick of each kill.
    """

    __slots__ = (
        "alive_ticks",
        "ammo",
        "captures",
        "damage_dealt",
        "damage_taken",
        "deaths",
        "distance",
        "health",
        "hits",
        "kill_ticks",
        "kills",
        "objective_ticks",
        "shots",
        "weapon",
    )

    def __init__(self) -> None:
        for name in self.__slots__:
            setattr(self, name, 0)
        self.kill_ticks: tuple[int, ...] = ()


class Soldier:
    """One soldier. Times are numbers of ticks, from 0.

    Attributes:
      cell, facing: the cell where it is, and the direction in which it looks, 0 to 7; for a dead one the cell
        where it fell.
      health: health points; 0 is dead.
      returns_at: the tick in which a dead one returns; NEVER if it does not.
      protected_until, ready_at, step_at: the ticks until which nothing hurts it, from which its weapon can
        fire, and from which it can step again.
      reload_at: the tick in which the present reload is done, 0 for none.
      weapon: the weapon in hand.
      magazines, reserves: shots loaded, and shots left, by weapon; -1 in magazines: not carried, in reserves:
        any number.
      lives: lives left, the present one included; 0 with any number of lives.
      visible: enemies that it sees, players in order.
      heard: for each player (cell, tick, whether a shot) of the last noise of an enemy.
      hurt: (direction that the last hit came from, tick).
      expected: for each pick-up the tick from which it expects it to be there.
      tally: the counts.
    """

    __slots__ = (
        "cell",
        "expected",
        "facing",
        "health",
        "heard",
        "hurt",
        "lives",
        "magazines",
        "player",
        "protected_until",
        "ready_at",
        "reload_at",
        "reserves",
        "returns_at",
        "step_at",
        "tally",
        "team",
        "visible",
        "weapon",
    )

    def __init__(self, player: int, rules: Rules) -> None:
        self.player, self.team = player, rules.team(player)
        self.lives = rules.lives
        self.expected = [0] * rules.pickups
        self.tally = Tally()
        self.returns_at = 0
        self.health = 0
        self.cell = self.facing = 0
        self.equip(rules)

    def equip(self, rules: Rules) -> None:
        """Gives it the equipment of a soldier that enters the map, and lets it forget what it noticed."""
        self.weapon = weapons.NAMES.index(rules.start_weapon)
        self.magazines = [-1] * len(weapons.NAMES)
        self.reserves = [0] * len(weapons.NAMES)
        for weapon in {weapons.PISTOL, self.weapon}:
            self.take(weapon, rules)
        self.ready_at = self.step_at = self.protected_until = NEVER
        self.reload_at = 0
        self.visible: tuple[int, ...] = ()
        self.heard = [(0, NEVER, False)] * rules.players
        self.hurt = (0, NEVER)

    def take(self, weapon: int, rules: Rules) -> None:
        """Gives it a weapon with all that comes with it."""
        kind = rules.weapons[weapon]
        self.magazines[weapon] = kind.magazine
        self.reserves[weapon] = kind.reserve

    def copy(self) -> Soldier:
        """Returns a soldier of its own that is equal."""
        other = Soldier.__new__(Soldier)
        for name in Soldier.__slots__:
            setattr(other, name, getattr(self, name))
        other.magazines, other.reserves = self.magazines[:], self.reserves[:]
        other.heard, other.expected = self.heard[:], self.expected[:]
        other.tally = Tally.__new__(Tally)
        for name in Tally.__slots__:
            setattr(other.tally, name, getattr(self.tally, name))
        return other


def can_reload(soldier: Soldier, rules: Rules) -> bool:
    """Says whether it could start to reload the weapon in hand."""
    weapon = soldier.weapon
    return (
        not soldier.reload_at
        and soldier.reserves[weapon] != 0
        and soldier.magazines[weapon] < rules.weapons[weapon].magazine
    )


def load(soldier: Soldier, rules: Rules) -> None:
    """Ends a reload."""
    weapon = soldier.weapon
    missing = rules.weapons[weapon].magazine - soldier.magazines[weapon]
    if soldier.reserves[weapon] >= 0:
        missing = min(missing, soldier.reserves[weapon])
        soldier.reserves[weapon] -= missing
    soldier.magazines[weapon] += missing
    soldier.reload_at = 0


def take(soldier: Soldier, kind: str, rules: Rules) -> bool:
    """Gives it a thing that lies on the floor, one of `maps.PICKUP_KINDS`, if that is of use to it: health
    if it has lost any, ammunition if a carried weapon's reserve is not full, a weapon if it has none of the
    kind or its reserve is not full. Returns whether it was of use."""
    tally = soldier.tally
    if kind == "health":
        if soldier.health >= rules.health:
            return False
        soldier.health = min(rules.health, soldier.health + rules.medkit)
        tally.health += 1
    elif kind == "ammo":
        lacking = [
            weapon
            for weapon, loaded in enumerate(soldier.magazines)
            if loaded >= 0 and soldier.reserves[weapon] < rules.weapons[weapon].reserve
        ]
        if not lacking:
            return False
        for weapon in lacking:
            soldier.reserves[weapon] = rules.weapons[weapon].reserve
        tally.ammo += 1
    else:
        weapon = weapons.NAMES.index(kind)
        if soldier.magazines[weapon] < 0:
            soldier.take(weapon, rules)
        elif soldier.reserves[weapon] < rules.weapons[weapon].reserve:
            soldier.reserves[weapon] = rules.weapons[weapon].reserve
        else:
            return False
        tally.weapon += 1
    return True
