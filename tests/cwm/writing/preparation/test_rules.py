"""The rules of a synthesis: files that are none, no rules at all, and what is added to a text."""

from __future__ import annotations

import pytest

import games
from arena.bots.llm_policy import LlmPolicyBot
from arena.registry.games import load_game
from cwm.writing.preparation import rules


@pytest.mark.parametrize(
    "content, expected",
    [
        (b"", "rules.md is empty; expected the rules in plain words, or --rules=none"),
        (b" \n\t\n", "rules.md is empty"),
        (b"\x7fELF\x00\x01", "holds bytes that no text holds"),
        ("Drei in einer Reihe".encode("utf-16"), "holds bytes that no text holds"),
        ("Wins.\nDer nächste Zug".encode("latin1"), "is not in UTF-8 (line 2 holds the byte 0xe4)"),
        (None, "cannot be read as a text file (No such file or directory)"),
        ("folder", "cannot be read as a text file (Is a directory)"),
    ],
)
def test_a_file_that_is_no_text_is_one_sentence(tmp_path, content, expected):
    path = tmp_path / "rules.md"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match="^--rules: ") as caught:
        rules.read_rules(str(path))
    assert expected in str(caught.value) and "\n" not in str(caught.value)


def test_a_text_is_read_whatever_editor_wrote_it(tmp_path):
    path = tmp_path / "rules.md"
    path.write_bytes("\ufeffNächster\r\nZug.".encode())
    assert rules.read_rules(str(path)) == "Nächster\nZug."


def test_no_rules_are_said_to_be_none():
    assert rules.rules_of(load_game("hex"), "none").startswith("Nobody has written down the rules")
    with pytest.raises(ValueError, match="no text of the rules of hex.* ships; .*--rules=none"):
        rules.rules_of(load_game("hex"), None)


def test_nothing_is_added_to_rules_that_ship_nor_to_a_users_own_game():
    game = load_game("tic_tac_toe")
    shipped = rules.rules_of(game, None)
    for path in (None, "my_rules.md"):
        assert rules.with_observations(shipped, game, path, [{"board": ["..."]}]) == shipped
    assert rules.with_observations("Rules.", None, "my_rules.md", [{"heaps": [1]}]) == "Rules."


def test_fields_are_explained_where_nobody_has_explained_them():
    text = rules.with_observations("Rules.", load_game("breakthrough"), "r.md", [{"observation": "b.\n.w"}])
    assert text.startswith("Rules.\n\n## What the players observe\n\n- `observation`: what the player sees")
    assert 'the observations were:\n\n- `observation`: always "b.\\n.w"' in text
    none = rules.with_observations("None.", load_game("tic_tac_toe"), "none", [{"board": ["..."]}])
    assert "the rows of the board" in none and "were:" not in none
    own = rules.with_observations("None.", None, "none", [{"heaps": 3}, {"heaps": 5}])
    assert own.endswith(("- `heaps`: one of 3, 5", "- `heaps`: a number, from 3 to 5"))


def test_a_package_brings_the_rules_of_its_game(monkeypatch):
    from games.seeing import rulebook

    monkeypatch.setattr(rulebook, "_REGISTERED", {})
    games.register_rules("breakthrough", "Played on {{ rows }} rows.\n\n{{ view }}")
    game = load_game("breakthrough(rows=6)")
    assert "breakthrough" in games.games_with_rules()
    assert rules.rules_of(game, None).startswith("Played on 6 rows.\n\n- `observation`")
    games.register_rules("breakthrough", "Played on {{ rows }} rows.\n\n{{ view }}")
    for name, text, expected in [
        ("breakthrough", "Other rules.", "has rules already"),
        ("tic_tac_toe", "Other rules.", "has rules already"),
        ("hex", " \n", "is empty"),
        ("hex", "{{ rows", "is no Jinja2 template"),
    ]:
        with pytest.raises(ValueError, match=expected):
            games.register_rules(name, text)


def test_a_packages_rules_that_do_not_say_what_players_see_are_completed(monkeypatch):
    from games.seeing import rulebook

    monkeypatch.setattr(rulebook, "_REGISTERED", {})
    games.register_rules("breakthrough", "Played on {{ rows }} rows.")
    games.register_rules("hex", "Played on {{ rows }} rows.")
    game = load_game("breakthrough")
    assert not rules.is_explained(game, None) and rules.is_explained(load_game("tic_tac_toe"), None)
    text = rules.with_observations(rules.rules_of(game, None), game, None, [{"observation": "b.\n.w"}])
    assert text.startswith("Played on 8 rows.\n\n## What the players observe") and '"b.\\n.w"' in text
    assert "the text that ships for tic_tac_toe" in rules.origin(load_game("tic_tac_toe"), None, "Rules.")
    with pytest.raises(
        ValueError, match="the text for 'hex' cannot be filled in .'rows' is undefined.; expected"
    ):
        rules.rules_of(load_game("hex"), None)
    with pytest.raises(ValueError, match="the text for 'hex' cannot be filled in"):
        LlmPolicyBot(load_game("hex"), 0, 0, model=None, show_legal=True)
    bot = LlmPolicyBot(load_game("hex"), 0, 0, model=None, show_legal=True, rules="Connect your edges.")
    prompt = bot.request(load_game("hex").new_initial_state()).messages[0].content
    assert "Connect your edges." in prompt and "in OpenSpiel's notation" not in prompt
    unknown = LlmPolicyBot(load_game("clobber"), 0, 0, model=None, show_legal=True)
    state = load_game("clobber").new_initial_state()
    assert "The game is Clobber, in OpenSpiel's notation" in unknown.request(state).messages[0].content
