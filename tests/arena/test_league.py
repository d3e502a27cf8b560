"""The league: its configuration, that it goes on and repeats itself, and its matrix."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from arena import league
from arena.rating.rate import rate
from arena.store.database import Database
from arena.tournaments import league_config

CONFIG = """
title = "Small"
seed = 1
[methods]
search = ["mcts", "gt_ismcts"]
chance = ["random", "uniform_random"]
[[games]]
game = "tic_tac_toe"
num_games = 4
bots = ["mcts(simulations=20)", "mcts(simulations=5)", "random"]
[[games.also]]
bots = ["random", "uniform_random"]
num_games = 2
seed = 2
[[games]]
game = "kuhn_poker"
num_games = 2
opening_plies = 0
bots = ["random", "uniform_random"]
exploitability = true
absent = {search = "left out"}
"""


@pytest.fixture
def config(tmp_path):
    def write(text=CONFIG, **changes):
        for old, new in changes.items():
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "league.toml").write_text(text)
        return tmp_path / "league.toml"

    return write


def test_what_a_configuration_says(config):
    read = league_config.read(config())
    first, second = read.games
    assert [one.num_games for one in first.tournaments] == [4, 2]
    assert [one.seed for one in first.tournaments] == [1, 2]
    assert first.tournaments[1].opening_plies == first.tournaments[0].opening_plies == 0
    assert second.tournaments[0].opening_plies == 0 and second.absent == {"search": "left out"}
    assert first.bots[-1] == "uniform_random"
    assert read.method_of("mcts(simulations=20)") == "search"


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ("title", "titel", "unknown key 'titel'; did you mean title"),
        ("num_games = 4", "num_games = 3", "tic_tac_toe: num_games: expected an even number"),
        ("num_games = 4", 'num_games = "4"', "num_games: expected int, found '4'"),
        ("seed = 2", "seed = true", "also 1: seed: expected int, found True"),
        ('game = "kuhn_poker"', 'game = "kuhn_pokr"', "kuhn_pokr"),
        ('game = "kuhn_poker"', "", "game 2: game is missing"),
        ("[methods]", "[methods", "is no TOML file"),
        ('"random", "uniform_random"]\n[[games', '"random"]\n[[games', "no method has the bot uniform_random"),
        ('absent = {search = "left out"}', "", "search has no bot here; add one, or say why"),
        ('{search = "left out"}', '{search = "x", chance = "y"}', "chance is both played and absent"),
        ('{search = "left out"}', '{serch = "x"}', "unknown key 'serch'; did you mean search"),
        ("seed = 2", "seed = 1", None),
        (
            'bots = ["random", "uniform_random"]\nnum_games = 2\nseed = 2',
            'bots = ["random", "mcts(simulations=5)"]',
            "meet twice with one seed",
        ),
    ],
)
def test_faults_are_named(config, old, new, sentence):
    path = config(CONFIG.replace(old, new, 1))
    if sentence is None:  # other bots may share a seed
        assert league_config.read(path)
        return
    with pytest.raises(ValueError) as caught:
        league_config.read(path)
    assert sentence in str(caught.value) and "\n" not in str(caught.value).strip()


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="nowhere.toml cannot be read"):
        league_config.read(tmp_path / "nowhere.toml")


def test_a_league_that_was_stopped_goes_on_and_gives_the_same_tables(config, tmp_path):
    read = league_config.read(config())

    def ratings(name):
        league.play_league(read, tmp_path / name)
        with Database(tmp_path / name) as database:
            return rate(database.results(), seed=read.seed)

    whole = ratings("whole.db")
    part = league_config.read(config(CONFIG.replace("num_games = 4", "num_games = 2")))
    league.play_league(part, tmp_path / "part.db")
    resumed = ratings("part.db")
    # Fewer games of tic_tac_toe were asked for at first, which is an extension; nothing else differs.
    notes = {one["game"]: [note for note in one["notes"] if "extended" in note] for one in resumed["games"]}
    assert len(notes["tic_tac_toe"]) == 1 and not notes["kuhn_poker"]
    for one in resumed["games"]:
        one["notes"] = [note for note in one["notes"] if "extended" not in note]
    assert resumed == whole
    made = league.matrix(read, whole)
    assert made.games == ["tic_tac_toe", "kuhn_poker"]
    cells = dict(made.rows)
    assert [cell.place for cell in cells["search"]] == ["1 of 4", ""]
    assert cells["search"][0].bot == "mcts(simulations=20)" and cells["search"][1].note == "left out"
    assert cells["chance"][1].place == "1 of 2"
    assert "search in kuhn_poker: left out" in league.matrix_text(made)


def test_a_perfect_adversary_where_a_policy_can_be_read(config):
    text = CONFIG.replace(
        'bots = ["random", "uniform_random"]\nexploit',
        'bots = ["random", "gt_ismcts", "uniform_random"]\nexploit',
    )
    read = league_config.read(config(text.replace('absent = {search = "left out"}', "")))
    [found] = league.adversaries(read)
    assert found.game == "kuhn_poker" and found.unread == ["gt_ismcts"]
    # OpenSpiel's own tests have 11/12 for the uniform policy.
    assert dict(found.nash_conv)["random"] == pytest.approx(11 / 12)
    text = league.adversaries_text([found])
    assert "random" in text and "0.917" in text and "no distribution of moves to read: gt_ismcts" in text


def test_the_command(config, tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "arena.league",
            f"--config={config()}",
            f"--db={tmp_path}/l.db",
            f"--output={tmp_path}/l.html",
            f"--json={tmp_path}/l.json",
        ],
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "place of each method's best bot" in done.stdout
    written = json.loads((tmp_path / "l.json").read_text())
    assert set(written["matrix"]) == {"search", "chance"}
    assert written["nash_conv"]["kuhn_poker"]["random"] == pytest.approx(11 / 12)
    page = (tmp_path / "l.html").read_text()
    assert "Which method plays which game" in page and "left out" in page
    assert "Against a perfect adversary: kuhn_poker" in page


def test_the_shipped_configuration_is_read():
    """Every bot in it is made once in each seat, recordings and trees included."""
    shipped = league_config.read(league.SHIPPED)
    assert {game.game.partition("(")[0] for game in shipped.games} == {
        "connect_four",
        "gen_tic_tac_toe",
        "leduc_poker",
        "micro_rts",
        "fps_arena",
        "kuhn_poker",
        "goofspiel",
        "crazy_eights",
    }


SEVERAL = """
title = "Three at a table"
seed = 1
[methods]
search = ["mcts"]
chance = ["random", "uniform_random"]
[[games]]
game = "kuhn_poker(players=3)"
num_games = 12
opening_plies = 0
bots = ["mcts(simulations=20)", "random", "uniform_random"]
exploitability = true
[[games.also]]
bots = ["random", "uniform_random"]
"""


def test_games_of_three_are_ranked_by_mean_return(config, tmp_path):
    read = league_config.read(config(SEVERAL))
    [game] = read.games
    # The second tournament has two bots for three seats, ten blocks of two line-ups by default, and other matches.
    assert [one.num_games for one in game.tournaments] == [12, 12]
    league.play_league(read, tmp_path / "m.db")
    with Database(tmp_path / "m.db") as database:
        assert len(database.match_ids()) == 12 + 2 * 2 * 3
        ratings = rate(database.results(), seed=read.seed)
    figures = ratings["games"][0]["mean_returns"]["bots"]
    made = league.matrix(read, ratings)
    ((_, [search]), (_, [chance])) = made.rows
    assert search.note.startswith(f"mean return {figures[search.bot]['mean']:+.2f}")
    best = max(figures, key=lambda bot: figures[bot]["mean"])
    assert {search.place, chance.place} > {"1 of 3"} and best in (search.bot, chance.bot)
    [found] = league.adversaries(read)
    assert dict(found.nash_conv)["random"] > 0


def test_two_line_ups_with_one_seed_are_refused_and_two_of_other_bots_are_not(config):
    same = SEVERAL.replace(
        'bots = ["random", "uniform_random"]\n', 'bots = ["uniform_random", "random", "mcts(simulations=20)"]\n'
    )
    with pytest.raises(ValueError, match="mcts.* and random and uniform_random meet twice with one seed"):
        league_config.read(config(same))
