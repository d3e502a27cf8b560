"""Mini-maps of fps_arena."""

from __future__ import annotations

import pytest

from games.fps_arena.play import match, scripted
from games.fps_arena.rules.setting import setting_of
from tests.runs import warm

Image = pytest.importorskip("PIL.Image")
drawing = pytest.importorskip("games.fps_arena.drawing")


@pytest.fixture(scope="module")
def played():
    made = match.play(
        {"mode": "control", "map": "open", "size": 24, "ticks": 200},
        [scripted.Strong() for _ in range(4)],
        2,
        record=True,
    )
    return setting_of(made.rules), made.frames


def _near(image, setting, cell, colour) -> int:
    """How many pixels of the colour are in a cell of the map."""
    unit = (image.size[0]) // setting.rules.size
    x = cell % setting.rules.size * unit
    y = cell // setting.rules.size * unit + image.size[1] - image.size[0]
    wanted = tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return sum(
        count for count, found in image.crop((x, y, x + unit, y + unit)).getcolors(1 << 16) if found == wanted
    )


def test_soldiers_are_where_they_are(played):
    setting, frames = played
    for index in (0, 60, 150):
        drawn = drawing.image(setting, frames, index)
        for player, (cell, _, health) in enumerate(frames[index].soldiers):
            others = {
                one
                for other, (one, _, alive) in enumerate(frames[index].soldiers)
                if alive and other % 2 != player % 2
            }
            if health and cell not in others:
                assert _near(drawn, setting, cell, drawing.COLOURS[player % 2]) > 20
    assert drawing.image(setting, frames).tobytes() != drawing.image(setting, frames, 0).tobytes()


def test_the_control_point_has_its_owners_colour(played):
    setting, frames = played
    owned = next(index for index, one in enumerate(frames) if one.owner == 0)
    cell = min(setting.arena.zone)
    before, after = (drawing.image(setting, [frames[owned]._replace(owner=owner)]) for owner in (-1, 0))
    assert before.crop((0, 30, 432, 460)).tobytes() != after.crop((0, 30, 432, 460)).tobytes()
    assert _near(before, setting, cell, "#c9c4b5") > 50 and _near(after, setting, cell, "#c9c4b5") == 0


def test_sheets_have_all_their_pictures(played):
    setting, frames = played
    wide, high = drawing.overview(setting, frames).size
    assert drawing.contact_sheet(setting, frames, 5, 2).size == (2 * wide + 8, 3 * high + 16)
    assert drawing.png(drawing.contact_sheet(setting, frames, 1, 3)).startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="1 picture and 1 column"):
        drawing.contact_sheet(setting, frames, 0)


def test_an_animation_has_its_frames(played, tmp_path):
    setting, frames = played
    drawing.save_animation(setting, frames[:41], tmp_path / "a.gif", every=10)
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 5
    with pytest.raises(ValueError, match="at least one frame"):
        drawing.save_animation(setting, [], tmp_path / "b.gif")
    assert [path.name for path in tmp_path.iterdir()] == ["a.gif"]


def _command(tmp_path, *flags):
    return warm.run("games.fps_arena.animate", *flags, cwd=tmp_path)


def test_the_command_draws(tmp_path):
    game = "--game=fps_arena(ticks=30,size=16)"
    done = _command(tmp_path, game, "--bots=fps_scripted,random", "--output=a.png", "--what=overview")
    assert done.returncode == 0, done.stderr
    assert "a.png: 30 ticks, scores of the teams" in done.stdout
    with Image.open(tmp_path / "a.png") as drawn:
        assert drawn.size == (16 * 18, 16 * 18 + 26)


@pytest.mark.parametrize(
    "flags, said",
    [
        (["--bots=random", "--output=a.gif"], "expected 2 bots, one for each team, or 4"),
        (["--bots=random,random", "--output=a.txt"], "ends in .gif or .png"),
        (["--bots=random,random", "--output=a.png", "--game=tic_tac_toe"], "expected fps_arena"),
    ],
)
def test_bad_input_to_the_command_is_one_sentence(tmp_path, flags, said):
    done = _command(tmp_path, *flags)
    assert done.returncode == 2 and said in done.stderr and not list(tmp_path.iterdir())
