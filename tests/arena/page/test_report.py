from __future__ import annotations

import base64
import dataclasses
import gzip
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import markupsafe
import numpy as np
import pytest

from arena.matches.match import play_match
from arena.matches.records import ForfeitRecord
from arena.page.collecting import collect
from arena.page.render import render
from arena.page.replays import replay
from arena.rating.rate import rate
from arena.store.database import Database
from arena.store.results import Results
from arena.tournaments.statistics import standing

ROOT = Path(__file__).parents[3]
HOSTILE = "</script><img src=x onerror=\"alert('1')\"><!--<script>{{ 7 * 7 }}"


def played():
    """Matches of three bots in one game, with draws and forfeits, and of two in another."""
    specs = ["random", "mcts(simulations=2)", "mcts(simulations=20)"]
    for seed in range(8):
        for a in specs:
            for b in specs:
                if a != b:
                    yield play_match("tic_tac_toe", [a, b], seed, opening_plies=1)
    for seed in range(3):
        yield play_match("matrix_pd", ["random", "random"], seed)


@pytest.fixture(scope="module")
def records():
    made = list(played())
    lost = ForfeitRecord(1, "timeout", HOSTILE)
    made[3] = dataclasses.replace(made[3], moves=made[3].moves[:3], forfeit=lost, returns=(1.0, -1.0))
    made[4] = dataclasses.replace(
        made[4],
        moves=made[4].moves[:2],
        forfeit=dataclasses.replace(lost, player=0, kind="illegal"),
        returns=(-1.0, 1.0),
    )
    return [dataclasses.replace(record, ended=1.8e9 + number) for number, record in enumerate(made)]


@pytest.fixture
def database(tmp_path, records):
    with Database(tmp_path / "matches.db") as opened:
        experiment = opened.experiment({"game": "tic_tac_toe", "seed": 1})
        opened.add_all(experiment, records)
        yield opened


class Tables(HTMLParser):
    """The texts of all rows of cells, and all elements with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.elements, self._cell = [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self._cell.append(data)


def test_the_tables_hold_the_figures_of_ratings_and_statistics(database, records):
    page = collect(database, seed=3)
    rows = Tables(render(page)).rows
    own = Results.from_records([record for record in records if record.game == "tic_tac_toe"])
    rated = next(game for game in rate(own, seed=3)["games"])
    assert page.matches == len(records) and page.forfeits == 2
    section = page.sections[0]
    assert (section.matches, section.unique, section.openings) == (48, rated["unique_matches"], 8)
    ranked = [line.name for line in section.ratings.lines]
    assert ranked == sorted(ranked, key=lambda bot: -rated["elo"]["bots"][bot]["rating"])
    for bot in ranked:
        elo, score = rated["elo"]["bots"][bot], rated["standings"]["bots"][bot]
        mark = "" if elo["reliable"] else "*"
        expected = [
            f"{elo['rating']:,.0f} {elo['low']:,.0f} to {elo['high']:,.0f}{mark}".replace("-", "−"),
            f"{score['score']:.3f} {score['wilson_low']:.3f} to {score['wilson_high']:.3f}",
            str(score["matches"]),
        ]
        assert [f"{ranked.index(bot) + 1}{bot}", *expected] in rows
        stood = standing(own, bot, np.random.default_rng(0))
        assert [bot, *(f"{seat.wins}–{seat.draws}–{seat.losses}" for seat in stood.by_seat)] in rows
        if any(stood.forfeits.values()):
            assert [bot, *map(str, stood.forfeits.values()), str(stood.unique_matches)] in rows
        cells = next(
            row
            for row in rows
            if row[0] == f"{ranked.index(bot) + 1}{bot}" and len(row) == 4 and "n = " in row[-1] + row[1]
        )
        for other, cell in zip(ranked, cells[1:]):
            if other == bot:
                assert cell == "–"
                continue
            pair = own.where([{a, b} == {own.bots.index(bot), own.bots.index(other)} for a, b in own.seats])
            against = standing(pair, bot, np.random.default_rng(0))
            assert cell == (
                f"{against.score:.2f}{against.wilson_low:.2f} to {against.wilson_high:.2f}"
                f"n = {against.unique_matches}"
            )


def test_the_page_has_no_code_but_its_own_and_no_address(database):
    page = render(collect(database))
    tables = Tables(page)
    policy = next(
        attributes["content"]
        for tag, attributes in tables.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy and "http" not in policy
    assert re.findall(r"(?:src|href)=[\"'](?!#)", page) == []
    assert {
        tag
        for tag, attributes in tables.elements
        if any(name.startswith("on") or name == "style" for name in attributes)
    } == set()
    code = [
        attributes
        for tag, attributes in tables.elements
        if tag == "script" and attributes.get("type") not in ("application/json", "application/gzip")
    ]
    assert len(code) == 1 and "img" not in {tag for tag, _ in tables.elements}


def test_the_replays_in_the_page_are_those_of_the_matches(database, records):
    found = collect(database, replays=5)
    page = render(found)
    for one in found.replays:
        [data] = re.findall(f'id="replay-data-{one.id}">([A-Za-z0-9+/=]+)</script>', page)
        shown = json.loads(gzip.decompress(base64.b64decode(data)))
        expected = json.dumps(replay(database.match(one.id)))
        assert shown == json.loads(expected) and len(data) < len(expected)


def test_the_code_never_makes_markup_of_texts(database):
    page = render(collect(database))
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "setTimeout"):
        assert word not in page


def test_hostile_texts_stay_texts(tmp_path):
    record = play_match("tic_tac_toe", ["random", "random"], 1)
    record = dataclasses.replace(
        record,
        seats=(HOSTILE, f"{HOSTILE}2"),
        versions={HOSTILE: HOSTILE},
        forfeit=ForfeitRecord(0, "crash", HOSTILE, {HOSTILE: HOSTILE}),
        moves=record.moves[:4],
        returns=(-1.0, 1.0),
    )
    with Database(tmp_path / HOSTILE.replace("/", "_").replace('"', "")[:40]) as database:
        database.add(database.experiment({HOSTILE: HOSTILE, "game": [HOSTILE]}), record)
        page = render(collect(database, title=HOSTILE))
    tables = Tables(page)
    assert "img" not in {tag for tag, _ in tables.elements}
    assert page.count("</script>") == sum(tag == "script" for tag, _ in tables.elements)
    assert f"<h1>{markupsafe.escape(HOSTILE)}</h1>" in page
    assert any(row and row[0] == HOSTILE for row in tables.rows)


def test_matches_that_do_not_replay_are_listed_and_the_page_is_made(tmp_path, records):
    good, bad, strange = records[0], records[1], records[2]
    bad = dataclasses.replace(bad, moves=bad.moves[:-1] + bad.moves[:1])
    strange = dataclasses.replace(strange, game="game_of_a_package_that_is_not_here")
    with Database(tmp_path / "matches.db") as database:
        database.add_all(database.experiment({}), [good, bad, strange])
        page = collect(database)
    assert [replay.id for replay in page.replays] == [1]
    assert [(match.id, match.game) for match in page.broken] == [(2, "tic_tac_toe"), (3, strange.game)]
    assert "move " in page.broken[0].reason and "unknown game" in page.broken[1].reason
    unknown = next(section for section in page.sections if section.game == strange.game)
    assert unknown.utility == "not rated" and unknown.ratings is None and unknown.matches == 1
    text = render(page)
    assert "Matches that could not be replayed" in text and "1 of 3 matches are inside" in text


def test_games_of_more_players_and_general_sums_have_mean_returns(tmp_path):
    with Database(tmp_path / "matches.db") as database:
        experiment = database.experiment({})
        for seed in range(30):
            database.add(
                experiment,
                dataclasses.replace(play_match("matrix_pd", ["random", "random"], seed), seats=("a", "b")),
            )
            database.add(
                experiment,
                dataclasses.replace(
                    play_match("kuhn_poker(players=3)", ["random"] * 3, seed), seats=("a", "b", "c")
                ),
            )
        page = collect(database)
        rated = {game["game"]: game for game in rate(database.results())["games"]}
    for section in page.sections:
        players = rated[section.game]["players"]
        assert section.ratings.title == "Mean returns"
        assert section.ratings.other == ("Plackett-Luce" if players == 3 else "")
        if players == 3:
            strengths = rated[section.game]["plackett_luce"]["bots"]
            for line in section.ratings.lines:
                shown = float(line.other.replace("−", "-"))
                assert shown == pytest.approx(strengths[line.name]["strength"], abs=6e-4)
                assert line.other_low and line.other_high
        assert (section.crosstable is None) == (players == 3)
        assert all(len(line.means) == players and not line.tallies for line in section.seats)
    assert "Mean returns" in render(page)


def test_only_a_bot_against_itself(tmp_path):
    with Database(tmp_path / "matches.db") as database:
        database.add(database.experiment({}), play_match("tic_tac_toe", ["random", "random"], 1))
        page = collect(database)
    (section,) = page.sections
    assert section.ratings is None and "against itself" in section.notes[0]
    assert page.bot_matches == [("random", 1)] and len(page.replays) == 1
    assert "Replays" in render(page)


def test_curves_end_at_the_ratings_of_the_table(database, records):
    section = collect(database, seed=0).sections[0]
    assert section.history is not None and len(section.history.curves) == 3
    for line, curve in zip(section.ratings.lines, section.history.curves):
        height = float(curve.path.rpartition("L")[2].split()[1])
        scale = section.history.y
        value = scale.low + (1 - height / 1000) * (scale.high - scale.low)
        assert value == pytest.approx(float(line.value.replace("−", "-")), abs=2)


def test_an_experiment_by_itself(database, records):
    other = database.experiment({"game": "connect_four"})
    database.add(other, play_match("connect_four", ["random", "mcts(simulations=2)"], 5))
    page = collect(database, experiment=other)
    assert page.matches == 1 and [section.game for section in page.sections] == ["connect_four"]
    assert [experiment.id for experiment in page.experiments] == [other]
    assert collect(database).matches == len(records) + 1
    with pytest.raises(ValueError, match="has no experiment 9; expected one of: 1, 2"):
        collect(database, experiment=9)


def test_as_many_replays_as_asked_for(database, records):
    page = collect(database, replays=10)
    assert len(page.replays) == 10 and f"10 of {len(records)} matches are inside" in render(page)
    assert sum(replay.summary["forfeit"] is not None for replay in page.replays) == 2
    assert [reason.match for reason in page.sections[0].reasons] == [4, 5]
    none = render(collect(database, replays=0))
    assert f"0 of {len(records)} matches are inside" in none and 'id="viewer"' not in none


def test_a_page_too_large_to_open_holds_fewer_replays(database, monkeypatch):
    monkeypatch.setattr("arena.page.collecting.REPLAY_CHARACTERS", 3000)
    page = collect(database, replays=40)
    assert 1 < len(page.replays) < 40
    assert f"{40 - len(page.replays)} more were chosen, but would have made" in page.replays_note


def test_the_same_database_gives_the_same_page(database):
    assert render(collect(database, replays=7, seed=4)) == render(collect(database, replays=7, seed=4))


def command(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "arena.report", *arguments],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_the_command(database, tmp_path):
    output = tmp_path / "report.html"
    running = command(f"--db={database.path}", f"--output={output}", "--replays=3", "--title=My <talk>")
    printed, _ = running.communicate(timeout=60)
    assert running.returncode == 0 and "51 matches, 3 of them with replay" in printed
    page = output.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "<title>My &lt;talk&gt;</title>" in page


def test_bad_input_is_one_sentence(tmp_path):
    output, database = f"--output={tmp_path}/report.html", f"--db={tmp_path}/none.db"
    running = {
        sentence: command(*arguments)
        for sentence, arguments in {
            "--db is missing": [output],
            "none.db does not exist": [database, output],
            "of report.html does not exist": [database, f"--output={tmp_path}/no_folder/report.html"],
        }.items()
    }
    for sentence, process in running.items():
        _, complaint = process.communicate(timeout=60)
        assert process.returncode == 2 and complaint.count("\n") == 1
        assert complaint.startswith("error: ") and sentence in complaint
    assert not list(tmp_path.iterdir())


def test_a_database_without_matches_is_refused(tmp_path):
    with Database(tmp_path / "empty.db") as database:
        database.experiment({"game": "chess"})
        with pytest.raises(ValueError, match="holds no matches yet"):
            collect(database)


def test_a_database_without_experiments_is_refused(tmp_path):
    with Database(tmp_path / "new.db") as database, pytest.raises(ValueError, match="holds no experiments"):
        collect(database)
