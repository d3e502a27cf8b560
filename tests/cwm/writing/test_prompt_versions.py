"""Version 2 of the prompts: what it shows, and which version a run takes."""

import json
import re

import pytest

from arena.registry.games import load_game
from cwm.trust.inference import seen_by
from cwm.trust.trajectories import collect
from cwm.writing import prompting
from cwm.writing.preparation.prompt_version import with_prompt_version
from cwm.writing.prompting import differences, states
from cwm.writing.tasks import OpenLesson
from language_models import Message, Recorded, Request

WIDE = ("breakthrough", "othello", "oware", "clobber", "hearts", "go_fish", "battleship", "liars_dice")
"""Games whose states are long texts or structs."""


def applied(old, texts):
    """What a reader makes of an observation and of the changes that are shown: written from the prompt's words alone."""
    found = json.loads(json.dumps(old))
    for text in texts:
        if text.startswith("all="):
            return json.loads(text[4:])
        head = re.match(r"^(.*?)(?: line \d+)?(\+?)=", text)
        steps = [
            int(step[1:-1]) if step.startswith("[") else step.lstrip(".")
            for step in re.findall(r"\[\d+\]|\.?[^.\[\]]+", head.group(1))
        ]
        place = found
        for step in steps[:-1]:
            place = place[step]
        if head.group(2):
            place[steps[-1]] = place[steps[-1]] + json.loads(text[head.end() :])
        elif re.match(r"^[^=]* line \d+=", text):
            lines, rest = place[steps[-1]].split("\n"), text[len(head.group(1)) :]
            decoder = json.JSONDecoder()
            while match := re.match(r"^,? line (\d+)=", rest):
                line, end = decoder.raw_decode(rest, match.end())
                lines[int(match.group(1)) - 1], rest = line, rest[end:]
            assert not rest
            place[steps[-1]] = "\n".join(lines)
        else:
            place[steps[-1]] = json.loads(text[head.end() :])
    return found


@pytest.mark.parametrize("name", [*WIDE, "gin_rummy", "backgammon", "coin_game", "phantom_ttt"])
def test_changes_say_all_of_the_new_observation(name):
    changed = 0
    for game in collect(load_game(name), 2, seed=5):
        for before, after in zip(game.steps[:150], game.steps[1:151]):
            for old, new in zip(before.observations, after.observations):
                texts = differences.changes(new, old)
                assert applied(old, texts) == new
                changed += bool(texts)
    assert changed


def test_changes_of_lists_dicts_and_texts():
    old = {"a": [1, [2, 3]], "b": {"c": "xxxxxxxx\ny\nzzzzzzzz", "d": "log"}, "e": 1, "f": [1]}
    new = {
        "a": [1, [2, 4]],
        "b": {"c": "xxxxxxxx\nq\nzzzzzzzz", "d": "log, more"},
        "e": 1,
        "f": [1, 2],
        "g": None,
    }
    assert differences.changes(new, old) == ["a[1][1]=4", 'b.c line 2="q"', 'b.d+=", more"', "f+=[2]", "g=null"]
    assert differences.changes(old, new) == [f"all={json.dumps(old, separators=(',', ':'))}"]  # a field is gone
    assert differences.changes(True, 1) == ["all=true"]


def _shown(text: str, games) -> int:
    hidden = sum(int(number) for number in re.findall(r"\[\.\.\. (\d+) states not shown\]", text))
    return sum(len(game.steps) for game in games) - hidden


@pytest.mark.parametrize("name", WIDE)
def test_more_of_a_game_is_shown_within_the_same_budget(name):
    games = list(collect(load_game(name), 5, seed=0))
    hidden = len(games[0].steps[0].observations) > 1 and not states.observed_alike(games)
    if hidden:
        old, new, budget = (
            states.show_hidden_games(games),
            differences.show_hidden_games(games),
            states.HIDDEN_BUDGET,
        )
    else:
        old, new, budget = states.show_games(games), differences.show_games(games), states.RECORDINGS_BUDGET
    assert _shown(new, games) > _shown(old, games) or _shown(old, games) == sum(len(g.steps) for g in games)
    # A first state and a last one are shown of every game, whatever they cost, and the state after a gap is whole.
    longest = max(len(line) for line in new.split("\n"))
    assert len(new) <= budget + 3 * len(games) * longest


def test_a_game_of_one_player_is_told_by_changes_too():
    seen = [seen_by(game, 1) for game in collect(load_game("phantom_ttt"), 1, seed=3)]
    lines = differences.show_seen(seen).split("\n")
    assert lines[0] == "Game 1, as player 1 saw it:"
    assert len(lines) == 1 + len(seen[0].observations)
    assert any("nothing changed" in line for line in lines) and " line " in "".join(lines)


def _request(lesson):
    return Request((Message("user", lesson.first_prompt()),))


def _recorded(tmp_path, request):
    path = tmp_path / "recorded.jsonl"
    line = {"key": request.key(), "purpose": "", "request": request.to_json(), "completions": [{"text": "no"}]}
    path.write_text(
        json.dumps({"header": {"model": "m", "date": "d", "note": ""}}) + "\n" + json.dumps(line) + "\n"
    )
    return Recorded(path)


def test_the_version_of_a_run(tmp_path):
    lesson = OpenLesson("Rules.", tuple(collect(load_game("oware"), 2, seed=0)))
    old, new = (OpenLesson(lesson.rules, lesson.trajectories, version) for version in (1, 2))
    assert prompting.NEWEST == 2
    assert old.first_prompt() != new.first_prompt() and old.fingerprint() != new.fingerprint()

    def version(wished=None, folder=None, model=None):
        return with_prompt_version(lesson, wished, folder, model, _request).prompt_version

    assert version() == 2
    assert version(wished="1") == 1
    assert version(model=_recorded(tmp_path, _request(old))) == 1
    assert version(model=_recorded(tmp_path, _request(new))) == 2
    (tmp_path / "run.json").write_text(json.dumps({"training": old.fingerprint()}))
    assert version(folder=str(tmp_path)) == 1
    (tmp_path / "run.json").write_text(json.dumps({"training": "another"}))
    assert version(folder=str(tmp_path)) == 2
