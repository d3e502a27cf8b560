"""Stored matches by opponent and seat: forfeits apart, mean returns, and the picture of them."""

from __future__ import annotations

import matplotlib.figure
import pytest

from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.store.database import Database
from benchmarks import figure2
from benchmarks.support import stored_results
from cwm.trust import figures
from tests.runs import warm

HERO = "cwm_ismcts(simulations=5)"
CRASH = "crash"


def match(game, seats, seed, returns, forfeit=None, opening_plies=0):
    """A match as it might have been stored; only what it paid and who broke off matters here."""
    return MatchRecord(
        game,
        tuple(seats),
        seed,
        opening_plies,
        None,
        opening_plies,
        (Move(-1, 0), Move(0, 1)),
        tuple(returns),
        None if forfeit is None else ForfeitRecord(forfeit, CRASH, "it broke"),
    )


@pytest.fixture
def database(tmp_path):
    """Leduc poker against random, hero first: +3, -1, 0, +13 by forfeit; hero second: -13 by its own
    forfeit, +5, +2. Bargaining, one match a seat; and matches that are not the hero's."""
    leduc, bargaining = "leduc_poker", "bargaining"
    records = [
        match(leduc, (HERO, "random"), seed, (paid, -paid), forfeit)
        for seed, (paid, forfeit) in enumerate([(3, None), (-1, None), (0, None), (13, 1)])
    ]
    records += [
        match(leduc, ("random", HERO), seed, (-paid, paid), forfeit)
        for seed, (paid, forfeit) in enumerate([(-13, 1), (5, None), (2, None)])
    ]
    records += [
        match(bargaining, (HERO, "gt_ismcts"), 1, (6, 8)),
        match(bargaining, (HERO, "gt_ismcts"), 2, (8, 3)),
        match(bargaining, ("gt_ismcts", HERO), 1, (5, 5)),
        match(leduc, ("random", "gt_ismcts"), 1, (1, -1)),
    ]
    path = tmp_path / "m.db"
    with Database(path) as opened:
        opened.add_all(opened.experiment({"kind": "test"}), records)
    return str(path)


def test_the_counts_and_means_are_those_of_the_matches(database):
    bargaining, leduc = stored_results.read(database, "cwm_ismcts")
    assert (leduc["game"], leduc["bots"]) == ("leduc_poker", [HERO, "random"])
    first, second = leduc["pairs"][0]["by_seat"]
    counts = ("wins", "draws", "losses", "wins_by_forfeit", "forfeits")
    assert [first[key] for key in counts] == [1, 1, 1, 1, 0]
    assert [second[key] for key in counts] == [2, 0, 0, 0, 1]
    assert first["mean_return"] == (3 - 1 + 0 + 13) / 4 and second["mean_return"] == -2.0
    assert first["return_low"] <= first["mean_return"] <= first["return_high"]
    assert "other_return" not in first  # zero-sum
    assert leduc["per_bot"][HERO]["forfeits"] == {"illegal": 0, "timeout": 0, "crash": 1}
    assert leduc["per_bot"][HERO]["score"] == (3 + 1 / 2 + 1) / 7
    first, second = bargaining["pairs"][0]["by_seat"]
    assert (first["mean_return"], first["other_return"]) == (7.0, 5.5)
    assert (second["mean_return"], second["return_low"]) == (5.0, None)  # one match has no spread


def test_the_picture_shows_what_the_table_says(database, tmp_path, monkeypatch):
    drawn = []
    save = matplotlib.figure.Figure.savefig
    monkeypatch.setattr(
        matplotlib.figure.Figure, "savefig", lambda self, *a, **k: (drawn.append(self), save(self, *a, **k))
    )
    results = stored_results.read(database, "cwm_ismcts")
    figures.results_by_seat(results, str(tmp_path / "f.png"))
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    axes = {axis.get_title(): axis for axis in drawn[0].axes if axis.get_title()}
    assert set(axes) == {"bargaining", "leduc_poker"}
    hatched = sorted(
        round(bar.get_width(), 3) for bar in axes["leduc_poker"].patches if bar.get_hatch() and bar.get_width()
    )
    assert hatched == [0.25, 0.333]  # one of four won, one of three lost by forfeit
    assert sum(bar.get_width() for bar in axes["leduc_poker"].patches) == pytest.approx(2.0)  # both full
    texts = [text.get_text() for text in axes["bargaining"].texts]
    assert any(text.startswith("+7.00 (") and text.endswith(", +5.50") for text in texts)
    header, *rows = figure2.rows(results)
    assert all(len(row) == len(header) for row in rows)
    cells = dict(zip(header, rows[1]))
    assert cells["W-D-L first"] == "2-1-1" and cells["forfeits of cwm_ismcts"] == "0/0/1"
    assert cells["mean return first"].startswith("3.750 (")


def test_rows_of_several_settings_can_be_told_apart(tmp_path):
    specs = [f"cwm_ismcts(value={value})" for value in ("false", "true")]
    with Database(tmp_path / "m.db") as opened:
        opened.add_all(
            opened.experiment({"kind": "test"}),
            [
                match("leduc_poker", seats, 1, (1, -1))
                for spec in specs
                for seats in ((spec, "random"), ("random", spec))
            ],
        )
    results = stored_results.read(str(tmp_path / "m.db"), "cwm_ismcts")
    labels = [label for label, _ in figures._panels(results)["leduc_poker"]]
    assert labels == [f"random\n{spec}" for spec in specs]


def test_matches_from_openings_are_a_row_of_their_own(tmp_path):
    """Two of three mirrored deals are won twice without openings, none with two random plies."""
    with Database(tmp_path / "m.db") as opened:
        for plies, paid in ((0, (2, 2, -2)), (2, (-1, -1, -1))):
            opened.add_all(
                opened.experiment({"kind": "test", "opening_plies": plies}),
                [
                    match("leduc_poker", seats, seed, returns, opening_plies=plies)
                    for seed, amount in enumerate(paid)
                    for seats, returns in (
                        ((HERO, "random"), (amount, -amount)),
                        (("random", HERO), (-amount, amount)),
                    )
                ],
            )
    header, *rows = figure2.rows(stored_results.read(str(tmp_path / "m.db"), "cwm_ismcts"))
    cells = [dict(zip(header, row)) for row in rows]
    assert sorted(cell["score"] for cell in cells) == ["0.000", "0.667"]
    assert len({cell["game"] for cell in cells}) == 2
    # Three blocks, and not six matches, were lost; Student's quantile for two degrees of freedom is 4.303.
    (lost,) = (cell["95 %"] for cell in cells if cell["score"] == "0.000")
    assert lost == f"0.000-{4.302653**2 / (3 + 4.302653**2):.3f}"


def test_the_command_and_its_refusals(database, tmp_path):
    def run(*arguments):
        return warm.run("benchmarks.figure2", *arguments)

    done = run(f"--db={database}", f"--plot={tmp_path / 'f.png'}")
    assert done.returncode == 0 and "| leduc_poker | simulations=5 | random | 7 (7) |" in done.stdout
    for arguments, reason in (((), "found neither"), ((f"--db={database}", "--bot=nobody"), "holds no match")):
        refused = run(*arguments)
        assert refused.returncode == 2 and reason in refused.stderr.strip().splitlines()[-1], refused.stderr
