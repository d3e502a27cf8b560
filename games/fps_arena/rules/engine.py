"""The game without OpenSpiel: one tick after the other, for all soldiers at once.

    >>> from games.fps_arena.rules.engine import State
    >>> from games.fps_arena.rules.parameters import Rules
    >>> state = State.start(Rules(players=2, ticks=100), seed=7)
    >>> state.step([0, 0])
    >>> state.tick, state.scores
    (1, [0, 0])

A tick, in this order; where soldiers act one after the other, it begins with player
(tick // move_ticks) % players, so that no one is always ahead of another:

1. Reloads that are due end. Acts: soldiers turn, change weapon, start to reload, fire. All shots are
   fired from where the soldiers stood, at enemies that they saw; hurt and death take effect when all have
   fired.
2. Moves. A step takes effect at once; the next one is possible `move_ticks` later, and until then the
   soldier counts as moving. No step leads to a cell with a living enemy.
3. A soldier that stands on a pick-up takes it, if it is of any use.
4. The control point: a team that is alone on it for `capture_ticks` owns it; its owner scores one a tick
   unless an enemy stands on it.
5. Soldiers whose time has come return. 6. All look and listen.

A pellet hits as `weapons` says, with a spread that is wider while the shooter, and while the target is
moving. Low cover: a hit is stopped with probability `cover` if the cell beside the target in the direction
(of eight) of the shooter is low cover and the shooter is more than `cover_distance` away. A hit that kills
several times over is credited to the soldier that did the most damage to the victim in that tick, and among
equals to the one that fired first. All chance comes from one stream of numbers that is part of the state.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.fps_arena.rules import orders, senses
from games.fps_arena.rules.parameters import Rules
from games.fps_arena.rules.setting import setting_of
from games.fps_arena.rules.soldier import NEVER, Soldier, can_reload, load, take

_MASK = (1 << 64) - 1
NOBODY = -1

Event = tuple
"""One of ("shot", shooter, target, pellets that hit), ("kill", killer, victim), ("spawn", player),
("pickup", player, number) and ("capture", team)."""


def _mixed(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


class State:
    """A moment of a match.

    Attributes:
      setting: rules, map and tables, which all states of the game share.
      tick: ticks played.
      soldiers: by player.
      scores: by team.
      owner: the team that owns the control point, NOBODY at first; `capturing` and `capture_ticks`: the
        team that is alone on it without owning it, and for how long.
      gone: for each pick-up the tick in which it is there again; in the past: it is there.
      memories: one for each team with radio, else one for each player: for each player the (cell, tick)
        in which an enemy was last seen, tick NEVER for not at all or where it was proved wrong.
      homes: the base, a position in `Arena.bases`, where each team starts.
      events: the events of the last tick, see `Event`.
      over: whether the match has ended.
    """

    __slots__ = (
        "_random",
        "capture_ticks",
        "capturing",
        "events",
        "gone",
        "homes",
        "memories",
        "over",
        "owner",
        "scores",
        "setting",
        "soldiers",
        "tick",
    )

    @classmethod
    def start(cls, rules: Rules, seed: int) -> State:
        """Returns the first moment of the match with this seed, any whole number."""
        state = cls()
        state.setting = setting = setting_of(rules)
        # Mixed, since the streams of two seeds that differ by the increment are one stream, shifted.
        state._random = _mixed((seed + 1) * 0x5851F42D4C957F2D & _MASK)
        state.tick = 0
        state.soldiers = [Soldier(player, rules) for player in range(rules.players)]
        state.scores = [0] * rules.teams
        state.owner = state.capturing = NOBODY
        state.capture_ticks = 0
        state.gone = [0] * len(setting.arena.pickups)
        memories = rules.teams if rules.radio else rules.players
        state.memories = [[(0, NEVER)] * rules.players for _ in range(memories)]
        state.events = []
        state.over = False
        state.homes = state._shuffled(range(len(setting.arena.bases)))
        for soldier in state.soldiers:
            state._enter(soldier, setting.arena.bases[state.homes[soldier.team]])
        state._count_lives()
        senses.look(state)
        return state

    def clone(self) -> State:
        """Returns a state of its own that is equal, and stays so under the same orders."""
        other = State()
        other.setting, other._random, other.tick = self.setting, self._random, self.tick
        other.soldiers = [soldier.copy() for soldier in self.soldiers]
        other.scores, other.gone = self.scores[:], self.gone[:]
        other.owner, other.capturing, other.capture_ticks = self.owner, self.capturing, self.capture_ticks
        other.memories = [memory[:] for memory in self.memories]
        other.events, other.over, other.homes = self.events, self.over, self.homes
        return other

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def memory(self, soldier: Soldier) -> list[tuple[int, int]]:
        """Returns the memory that a soldier reads and writes."""
        return self.memories[soldier.team if self.setting.rules.radio else soldier.player]

    def step(self, actions: Sequence[int]) -> None:
        """Plays `ticks_per_decision` ticks, or to the end of the match, with the same orders.

        Args:
          actions: for each player a number of `orders.Codec`; those of the dead do not count.
        """
        for _ in range(self.setting.rules.ticks_per_decision):
            if not self.over:
                self._play_tick(actions)

    def returns(self) -> list[float]:
        """Returns the utility of each player: the number of teams that its own is ahead of, less the number
        ahead of it, as a share of the other teams: 1 for the best alone, -1 for the worst alone, 0 on average.
        """
        scores = self.scores
        worth = [sum((own > other) - (own < other) for other in scores) / (len(scores) - 1) for own in scores]
        return [worth[soldier.team] for soldier in self.soldiers]

    def _uniform(self) -> float:
        """Returns the next random number in [0, 1): SplitMix64 (Steele, Lea, Flood 2014)."""
        self._random = (self._random + 0x9E3779B97F4A7C15) & _MASK
        return (_mixed(self._random) >> 11) / (1 << 53)

    def _shuffled(self, values: Sequence[int]) -> list[int]:
        rest = list(values)
        return [rest.pop(int(self._uniform() * len(rest))) for _ in values]

    def _play_tick(self, actions: Sequence[int]) -> None:
        self.events = []
        soldiers = self.soldiers
        first = self.tick // self.setting.rules.move_ticks % len(soldiers)
        in_order = [soldier for soldier in soldiers[first:] + soldiers[:first] if soldier.health > 0]
        wounds: list[tuple[Soldier, Soldier, int]] = []
        codec = self.setting.codec
        for soldier in in_order:
            action = actions[soldier.player]
            self._act(soldier, codec.moves_of[action], codec.acts_of[action], wounds)
        if wounds:
            self._hurt(wounds)
        for soldier in in_order:
            if soldier.health > 0:
                soldier.tally.alive_ticks += 1
                move = codec.moves_of[actions[soldier.player]]
                if move and soldier.step_at <= self.tick:
                    self._move(soldier, move)
        self._pick_up(in_order)
        self._score_zone()
        self.tick += 1
        for soldier in soldiers:
            if soldier.health <= 0 and NEVER != soldier.returns_at <= self.tick:
                self._enter(soldier, self._base_of(soldier))
        senses.look(self)
        self._count_lives()
        self.over = self.over or self.tick >= self.setting.rules.ticks

    def _act(self, soldier: Soldier, move: int, act: int, wounds: list[tuple[Soldier, Soldier, int]]) -> None:
        tick, rules = self.tick, self.setting.rules
        weapon = soldier.weapon
        if soldier.reload_at and soldier.reload_at <= tick:
            load(soldier, rules)
        if act >= orders.FIRE:
            if act - orders.FIRE in soldier.visible:
                target = self.soldiers[act - orders.FIRE]
                soldier.facing = self.setting.towards(soldier.cell, target.cell)
                if soldier.ready_at <= tick and not soldier.reload_at and soldier.magazines[weapon] > 0:
                    self._fire(soldier, target, wounds)
        elif act == orders.RELOAD:
            if can_reload(soldier, rules):
                soldier.reload_at = tick + rules.weapons[weapon].reload
        elif act >= orders.switch(0):
            chosen = act - orders.switch(0)
            if chosen != weapon and soldier.magazines[chosen] >= 0:
                soldier.weapon = chosen
                soldier.reload_at = 0
                soldier.ready_at = tick + rules.switch_ticks
        elif act != orders.GO or move != orders.STAY:
            wanted = move - 1 if act == orders.GO else act - orders.look(0)
            soldier.facing = self.setting.turns[soldier.facing][wanted]

    def _fire(self, soldier: Soldier, target: Soldier, wounds: list[tuple[Soldier, Soldier, int]]) -> None:
        tick, setting = self.tick, self.setting
        rules = setting.rules
        kind = rules.weapons[soldier.weapon]
        soldier.magazines[soldier.weapon] -= 1
        soldier.ready_at = tick + kind.cooldown
        # From the next tick on: what happens in one tick happens at once.
        soldier.protected_until = min(soldier.protected_until, tick + 1)
        chance = setting.hit_chance(
            soldier.weapon,
            setting.squared(soldier.cell, target.cell),
            soldier.step_at > tick,
            target.step_at > tick,
        )
        if setting.covered(soldier.cell, target.cell):
            chance *= 1 - rules.cover
        hits = 0
        for _ in range(kind.pellets):
            hits += self._uniform() < chance
        soldier.tally.shots += 1
        self.events.append(("shot", soldier.player, target.player, hits))
        senses.sound(self, soldier, rules.shot_hearing, True)
        if hits:
            soldier.tally.hits += 1
            target.hurt = (setting.towards(target.cell, soldier.cell), tick)
            if target.protected_until <= tick:
                wounds.append((target, soldier, hits * kind.damage))

    def _hurt(self, wounds: list[tuple[Soldier, Soldier, int]]) -> None:
        done: dict[int, dict[int, int]] = {}
        for target, shooter, damage in wounds:
            by = done.setdefault(target.player, {})
            by[shooter.player] = by.get(shooter.player, 0) + damage
        for victim, by in done.items():
            target = self.soldiers[victim]
            left = target.health
            total = sum(by.values())
            for shooter, damage in by.items():
                # Shooters share the victim's health, which may be less than the damage.
                dealt = damage if total <= left else damage * left / total
                self.soldiers[shooter].tally.damage_dealt += dealt
            target.tally.damage_taken += min(total, left)
            target.health = max(0, left - total)
            if target.health == 0:
                self._kill(target, self.soldiers[max(by, key=by.__getitem__)])

    def _kill(self, victim: Soldier, killer: Soldier) -> None:
        rules = self.setting.rules
        self.events.append(("kill", killer.player, victim.player))
        killer.tally.kills += 1
        killer.tally.kill_ticks += (self.tick,)
        victim.tally.deaths += 1
        victim.visible = ()
        victim.lives -= rules.lives > 0
        victim.returns_at = NEVER if rules.lives and not victim.lives else self.tick + rules.respawn_ticks
        if rules.mode in ("dm", "tdm"):
            self.scores[killer.team] += 1
            self._end_at_limit()
        # Everybody is told of a death.
        for memory in self.memories:
            memory[victim.player] = (0, NEVER)
        if not rules.radio:
            self.memories[victim.player] = [(0, NEVER)] * rules.players

    def _end_at_limit(self) -> None:
        limit = self.setting.rules.score_limit
        self.over = self.over or 0 < limit <= max(self.scores)

    def _move(self, soldier: Soldier, move: int) -> None:
        there = self.setting.arena.neighbours[soldier.cell][move]
        if there < 0:
            return
        rules = self.setting.rules
        for other in self.soldiers:
            if (
                other.cell == there
                and other.health > 0
                and (other.team != soldier.team or rules.team_collision)
            ):
                return
        soldier.cell = there
        soldier.step_at = self.tick + rules.move_ticks
        soldier.tally.distance += 1
        if rules.step_hearing:
            senses.sound(self, soldier, rules.step_hearing, False)

    def _pick_up(self, in_order: Sequence[Soldier]) -> None:
        pickup_at = self.setting.pickup_at
        for soldier in in_order:
            number = pickup_at.get(soldier.cell)
            if (
                number is not None
                and soldier.health > 0
                and self.gone[number] <= self.tick
                and take(soldier, self.setting.arena.pickups[number].kind, self.setting.rules)
            ):
                self.gone[number] = self.tick + self.setting.rules.pickup_ticks
                self.events.append(("pickup", soldier.player, number))

    def _score_zone(self) -> None:
        if self.setting.rules.mode != "control":
            return
        zone = self.setting.arena.zone
        inside = [soldier for soldier in self.soldiers if soldier.health > 0 and soldier.cell in zone]
        teams = {soldier.team for soldier in inside}
        for soldier in inside:
            soldier.tally.objective_ticks += 1
        if len(teams) == 1:
            alone = inside[0].team
            if alone == self.owner:
                self.capturing, self.capture_ticks = NOBODY, 0
            else:
                self.capture_ticks = self.capture_ticks + 1 if alone == self.capturing else 1
                self.capturing = alone
                if self.capture_ticks >= self.setting.rules.capture_ticks:
                    self.owner, self.capturing, self.capture_ticks = alone, NOBODY, 0
                    self.events.append(("capture", alone))
                    for soldier in inside:
                        soldier.tally.captures += 1
        elif not teams:
            self.capturing, self.capture_ticks = NOBODY, 0
        if self.owner != NOBODY and teams <= {self.owner}:
            self.scores[self.owner] += 1
            self._end_at_limit()

    def _base_of(self, soldier: Soldier) -> Sequence[int]:
        """Returns the base where a soldier returns: its own with two teams, else one of two far from
        enemies.
        """
        bases = self.setting.arena.bases
        if self.setting.rules.teams == 2:
            return bases[self.homes[soldier.team]]
        enemies = [
            self.soldiers[other].cell
            for other in self.setting.enemies[soldier.player]
            if self.soldiers[other].health > 0
        ]
        ranked = sorted(
            bases,
            key=lambda base: (
                -min((self.setting.squared(base[0], cell) for cell in enemies), default=0),
                base[0],
            ),
        )
        return ranked[int(self._uniform() * 2)]

    def _enter(self, soldier: Soldier, base: Sequence[int]) -> None:
        rules = self.setting.rules
        taken = {other.cell for other in self.soldiers if other.health > 0}
        free = [cell for cell in base if cell not in taken] or [
            cell for cell in self.setting.arena.floor if cell not in taken
        ]
        soldier.equip(rules)
        soldier.cell = free[int(self._uniform() * len(free))]
        soldier.facing = self.setting.towards(soldier.cell, self.setting.arena.zone_centre)
        soldier.health = rules.health
        soldier.protected_until = self.tick + rules.protection_ticks
        self.events.append(("spawn", soldier.player))

    def _count_lives(self) -> None:
        rules = self.setting.rules
        if not rules.lives:
            return
        left = [
            sum(self.soldiers[player].lives for player in rules.members(team)) for team in range(rules.teams)
        ]
        if rules.mode == "elimination":
            self.scores = left
        self.over = self.over or sum(map(bool, left)) <= 1
