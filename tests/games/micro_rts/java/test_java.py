"""The real engine beside ours. Most of this needs JPype1 and the jar that MICRORTS_JAR names."""

from __future__ import annotations

import functools
import os
import random
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import pyspiel
import pytest

import games  # noqa: F401  (registers the game)
from arena.registry.bots import bots, make_bot
from games.micro_rts import compare
from games.micro_rts.bots.random_biased import random_orders
from games.micro_rts.java import jvm, recorded
from games.micro_rts.java.mirror import Mirror
from games.micro_rts.java.real_engine import RealEngine, record
from games.micro_rts.java.real_script import RealScript
from games.micro_rts.openspiel.players import ScriptBot
from games.micro_rts.rules import engine, maps
from games.micro_rts.rules.java_random import JavaRandom
from games.micro_rts.rules.unit_tables import TABLES

TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*.gz"))
needs_java = pytest.mark.skipif(
    jvm.jpype is None or jvm.JAR_VARIABLE not in os.environ,
    reason="needs JPype1 and, in MICRORTS_JAR, the path of microrts.jar of gym-microrts 0.4.3",
)


# --- without Java -----------------------------------------------------------------------------------


def test_the_bot_is_listed_without_java():
    assert bots()["micro_rts_real"].parameters["name"].required


def test_a_jar_that_is_named_nowhere(monkeypatch):
    monkeypatch.delenv(jvm.JAR_VARIABLE, raising=False)
    with pytest.raises(ValueError, match="Pass jar=PATH or set MICRORTS_JAR; pip download gym-microrts"):
        jvm.find_jar()


def test_a_jar_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setenv(jvm.JAR_VARIABLE, str(tmp_path))
    with pytest.raises(FileNotFoundError, match="expected the file microrts.jar"):
        jvm.find_jar()
    with pytest.raises(FileNotFoundError, match="other.jar"):
        jvm.find_jar("other.jar")


def test_without_jpype_the_sentence_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(jvm, "jpype", None)
    with pytest.raises(ImportError, match=r"pip install 'spielwright\[microrts\]'"):
        make_bot("micro_rts_real(name=CoacAI)", pyspiel.load_game("micro_rts"), 0, 0)


def test_a_file_that_is_no_jar(monkeypatch, tmp_path):
    file = tmp_path / "microrts.jar"
    file.write_text("hello")
    monkeypatch.setattr(jvm, "jpype", jvm.jpype or types.SimpleNamespace())
    monkeypatch.setattr(jvm, "_library", None)
    with pytest.raises(ValueError, match="expected a jar, found another kind of file"):
        jvm.start(str(file))


def test_the_command_without_a_jar_fails_in_one_sentence():
    environment = {name: value for name, value in os.environ.items() if name != jvm.JAR_VARIABLE}
    done = subprocess.run(
        [sys.executable, "-m", "games.micro_rts.compare", "--games=1"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("error: ")


@pytest.mark.parametrize("unit_table", TABLES)
def test_random_maps_are_played_by_both_players(unit_table):
    for seed in range(100):
        board = compare.random_map(random.Random(seed), TABLES[unit_table])
        state = engine.State(board, unit_table, damages=JavaRandom(0))
        assert min(state.counts) > 0


def test_random_orders_are_of_all_kinds_and_can_be_replayed():
    rng, board = random.Random(0), maps.load("basesWorkers8x8")
    state = engine.State(board)
    made = [compare.random_order(rng, board) for _ in range(500)]
    assert {fields[0] for fields in made} == set(range(6))
    unit = state.units_of(0)[1]
    for fields in made:
        state.clone().issue(0, [(unit.id, recorded.recorded_order(state, fields))])


# --- the engine -------------------------------------------------------------------------------------


@needs_java
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_the_engine_repeats_recorded_games(path):
    header, *ticks, end = recorded.read_lines(path)
    start = recorded.start_state(header, ticks[0])
    real = RealEngine(start.map, header["utt_version"], header["conflict_policy"], seed=header["seed"])

    def by_place(line: dict, known: list[int]) -> tuple:
        place = {unit: number for number, unit in enumerate(known)}
        return (
            line["t"],
            line["res"],
            [unit[1:] for unit in line["units"]],
            [[place[job[0]], *job[1:]] for job in line["jobs"]],
        )

    assert real.header(header["bots"], header["max_cycles"])["utt"] == header["utt"]
    for line in [*ticks, end]:
        snapshot = real.snapshot()
        theirs, ours = ([unit[0] for unit in each["units"]] for each in (line, snapshot))
        assert by_place(snapshot, ours) == by_place(line, theirs)
        if line["kind"] == "tick":
            ids = dict(zip(theirs, ours))
            for player in (0, 1):
                real.issue(player, [[ids[unit], *fields] for unit, *fields in line[f"a{player}"]])
            real.advance()
    assert (real.over, real.winner) == (end["gameover"], end["winner"])


@needs_java
def test_a_list_with_a_unit_of_the_opponent_is_refused():
    real = RealEngine(maps.load("basesWorkers8x8"))
    with pytest.raises(ValueError, match="expected units of this player, found unit 3"):
        real.issue(0, [[3, 0, 1, 0, 0, -1]])
    with pytest.raises(ValueError, match="found unit 77"):
        real.issue(0, [[77, 0, 1, 0, 0, -1]])


@needs_java
@pytest.mark.parametrize("number", range(18))
def test_fuzzed_games_do_not_differ(number):
    lines = compare.fuzzed_game(number, seed=6, max_cycles=120, jar=None)
    assert recorded.first_difference(lines) is None
    assert lines == compare.fuzzed_game(number, seed=6, max_cycles=120, jar=None)


@needs_java
def test_fuzzed_games_find_a_wrong_rule(monkeypatch):
    """A rule of clashes, of attacks and of harvests is broken, in ours, in turn."""

    def differing() -> int:
        return sum(recorded.first_difference(lines) is not None for lines in played)

    played = [compare.fuzzed_game(number, 3, 150, None) for number in (0, 9)]
    assert differing() == 0
    for name, broken in {
        "_settle": lambda self, job, other_id, other: job,
        "_hit": lambda self, unit, cell: None,
        "_harvest": lambda self, unit, cell, alive: None,
    }.items():
        with monkeypatch.context() as patch:
            patch.setattr(engine.State, name, broken)
            assert differing() > 0, name


@needs_java
def test_the_command_writes_recordings_and_reports_differences(monkeypatch, tmp_path, capsys):
    flags = types.SimpleNamespace(games=2, seed=1, max_cycles=30, jar=None, write=str(tmp_path))
    monkeypatch.setattr(compare, "_FLAGS", flags)
    compare.main()
    assert capsys.readouterr().out.startswith("2 games, 60 ticks, ")
    written = sorted(tmp_path.iterdir())
    assert [path.name[:4] for path in written] == ["0000", "0001"]
    assert all(recorded.first_difference(recorded.read_lines(path)) is None for path in written)
    monkeypatch.setattr(engine.State, "legal_orders", lambda self, unit: [])
    with pytest.raises(SystemExit) as left:
        compare.main()
    assert left.value.code == 1
    assert "tick 0: legal orders" in capsys.readouterr().out


@needs_java
@pytest.mark.parametrize(
    "name",
    ["basesWorkers4x4", "basesWorkers8x8", "FourBasesWorkers8x8", "basesWorkers16x16", "TwoBasesBarracks16x16"],
)
def test_maps_of_standard_names_start_as_those(name):
    board, library = maps.load(name), jvm.start()
    file = library.jars[0].parent / "maps" / f"{board.width}x{board.height}" / f"{name}.xml"
    if not file.exists():
        pytest.skip(f"needs {file}, which gym-microrts has beside its jar")
    theirs = library.PhysicalGameState.load(str(file), library.UnitTypeTable(2, 1))
    assert [theirs.getTerrain(x, y) for x, y in board.positions] == [int(wall) for wall in board.walls]
    assert [
        (
            unit.getType().ID,
            unit.getPlayer(),
            unit.getX(),
            unit.getY(),
            unit.getHitPoints(),
            unit.getResources(),
        )
        for unit in theirs.getUnits()
    ] == [tuple(unit) for unit in board.units]
    assert tuple(theirs.getPlayer(player).getResources() for player in (0, 1)) == board.banks


# --- its bots ---------------------------------------------------------------------------------------


@needs_java
@pytest.mark.parametrize("unit_table, policy", [(1, 1), (2, 3), (3, 2)])
def test_the_engine_is_shown_the_position(unit_table, policy):
    rng, chance = random.Random(1), JavaRandom(1)
    state = engine.State(maps.load("FourBasesWorkers8x8"), unit_table, policy, coins=chance, damages=chance)
    mirror = Mirror(jvm.start(), state)
    while not state.over and state.clock < 400:
        mirror.show(state, {})
        shown = [
            [
                unit.getID(),
                unit.getType().ID,
                unit.getPlayer(),
                state.map.cell(unit.getX(), unit.getY()),
                unit.getHitPoints(),
                unit.getResources(),
            ]
            for unit in mirror.state.getUnits()
        ]
        assert shown == [list(unit) for unit in state.units.values()]
        assert mirror.state.getTime() == state.clock and mirror.banks == state.banks
        due = {
            job.unit.getID(): job.time + max(1, job.action.ETA(job.unit))
            for job in mirror.state.getUnitActions().values()
        }
        assert due == {unit_id: job.due for unit_id, job in state.jobs.items()}
        assert mirror.types.getMoveConflictResolutionStrategy() == policy
        lists = [random_orders(state, player, rng) for player in (0, 1)]
        for player in (0, 1):
            state.issue(player, lists[player])
        state.advance()


def in_the_engine(names: tuple[str, str], board: str, unit_table: int) -> tuple:
    real = RealEngine(maps.load(board), unit_table)
    ais = [real.library.ai_class(name)(real.game.types) for name in names]
    lines = record(
        real, lambda game, _: tuple(game.ask(ai, player) for player, ai in enumerate(ais)), names, 2000
    )
    assert recorded.first_difference(lines) is None
    return real.clock, real.winner, real.snapshot()["units"], real.game.banks


def in_our_game(names: tuple[str, str], board: str, unit_table: int, **limits: int) -> tuple:
    game = pyspiel.load_game("micro_rts", {"map": board, "unit_table": unit_table})
    players = [ScriptBot(game, player, RealScript(name, **limits)) for player, name in enumerate(names)]
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(players[state.current_player()].step(state))
    end = state.position()
    units = [
        [unit.id, unit.type, unit.player, *end.map.positions[unit.cell], unit.hp, unit.carried]
        for unit in end.units.values()
    ]
    return end.clock, end.winner, units, end.banks


@needs_java
@pytest.mark.parametrize(
    "names, board, unit_table",
    [
        (("WorkerRush", "LightRush"), "basesWorkers8x8", 2),
        (("HeavyRush", "LightRush"), "basesWorkers8x8", 2),
        (("RangedRush", "WorkerRush"), "basesWorkers16x16", 2),
        # Table 1: a worker brings what it carries to a base that is destroyed meanwhile, and is refused.
        (("WorkerRush", "HeavyRush"), "basesWorkers16x16", 1),
    ],
)
def test_bots_play_the_same_game_in_both_engines(names, board, unit_table):
    assert in_our_game(names, board, unit_table) == in_the_engine(names, board, unit_table)


@needs_java
def test_coac_beats_the_rushes_in_our_game():
    for rush in ("WorkerRush", "LightRush"):
        assert in_our_game(("CoacAI", rush), "basesWorkers8x8", 2)[1] == 0


@needs_java
def test_the_same_seed_is_the_same_game():
    play = functools.partial(in_our_game, ("NaiveMCTS", "NaiveMCTS"), "basesWorkers4x4", 2, iterations=10)
    first = play(seed=1)
    assert play(seed=1) == first != play(seed=2)


@needs_java
def test_waits_of_other_lengths_are_kept_by_the_bot():
    """LightRush's bots only wait 10 ticks; what others do is answered here in their place."""
    state = engine.State(maps.load("basesWorkers8x8"))
    script = RealScript("LightRush")
    script.orders(state, 0)
    base, worker = state.units_of(0)

    def answer(*orders: tuple) -> list:
        library = script._library
        given = library.PlayerAction()
        for unit, fields in orders:
            given.addUnitAction(script._mirror._by_id[unit.id], script._mirror.action(fields))
        script._ai = types.SimpleNamespace(getAction=lambda player, game: given)
        return script.orders(state, 0)

    # A harvest where nothing is takes 20 ticks to be refused; one tick is as good as no order.
    assert answer((worker, [2, 2, 0, 0, -1]), (base, [0, 1, 0, 0, -1])) == []
    state.advance(19)
    with pytest.raises(ValueError, match=f"orders unit {worker.id} at tick 19, which has a job"):
        answer((worker, [0, 10, 0, 0, -1]))
    state.advance()
    assert answer((worker, [1, 2, 0, 0, -1])) == [(worker.id, (1, 2, -1))]
    with pytest.raises(ValueError, match="unit 3 at tick 20, which is not its own"):
        answer((state.units_of(1)[0], [0, 10, 0, 0, -1]))


@needs_java
@pytest.mark.parametrize(
    "spec, said",
    [
        ("micro_rts_real(name=NobodyAI)", "expected one class of that name .* found none"),
        ("micro_rts_real(name=Move)", "found ai.abstraction.Move and ai.puppet.Move; write one of these"),
        ("micro_rts_real(name=UnitActionTableEntry)", "is no bot"),
        ("micro_rts_real(name=AbstractionLayerAI)", "is no bot"),
        ("micro_rts_real(name=RandomBiasedAI,iterations=5)", "has no limit"),
        ("micro_rts_real(name=NaiveMCTS,iterations=5,milliseconds=5)", "found both"),
        ("micro_rts_real(name=NaiveMCTS,iterations=0)", "expected 1 or more, found 0"),
    ],
)
def test_specs_that_make_no_sense(spec, said):
    with pytest.raises(ValueError, match=said):
        make_bot(spec, pyspiel.load_game("micro_rts"), 0, 0)


@needs_java
def test_the_bot_plays_micro_rts_only():
    with pytest.raises(ValueError, match="plays micro_rts only"):
        make_bot("micro_rts_real(name=ai.coac.CoacAI)", pyspiel.load_game("tic_tac_toe"), 0, 0)


@needs_java
def test_a_jar_without_the_engine(tmp_path):
    """In a process of its own, as Java starts once."""
    jar = tmp_path / "microrts.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("hello.txt", "hello")
    done = subprocess.run(
        [sys.executable, "-m", "games.micro_rts.compare", f"--jar={jar}", "--games=1"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr == (
        f"error: {jar}: expected the class rts.units.UnitTypeTable, found none; use the "
        "microrts.jar of gym-microrts 0.4.3\n"
    )


@needs_java
def test_one_process_runs_one_jar(tmp_path):
    jvm.start()
    other = tmp_path / "microrts.jar"
    other.write_bytes(b"")
    with pytest.raises(ValueError, match="Java starts once in a process"):
        jvm.start(str(other))
