"""The request for a rules text: what of OpenSpiel's documentation it holds."""

import pytest

from arena.registry.games import load_game
from benchmarks.games import openspiel_rules
from benchmarks.support.openspiel_documentation import comments, documentation
from language_models import Completion

HEADER = """\
// Copyright 2019 Somebody
// Licensed to nobody.

#ifndef OPEN_SPIEL_GAMES_OWARE_H_
// Sow the seeds.
// Parameters: none
namespace open_spiel {
inline constexpr int kMinCapture = 2;  // fewest seeds that are captured
inline constexpr int kSecret = 3;
std::string url = "x";  // NOLINT
}  // namespace open_spiel
"""
PAGE = """\
Status | Game | Players | Deterministic | Perfect info | Description
------ | ---- | ------- | ------------- | ------------ | -----------
🔶      | [Oware](https://en.wikipedia.org/wiki/Oware) | 2       | ✅ | ✅ | Players redistribute tokens.
🔶      | Nim | 2       | ✅ | ✅ | Heaps.
"""


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "open_spiel/games/oware").mkdir(parents=True)
    (tmp_path / "open_spiel/games/oware/oware.h").write_text(HEADER)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/games.md").write_text(PAGE)
    return tmp_path


def test_the_comments_of_a_header_and_nothing_of_its_code():
    assert (
        comments(HEADER) == "Sow the seeds.\nParameters: none\nkMinCapture = 2; fewest seeds that are captured"
    )


def test_the_documentation_of_a_game(checkout):
    text = documentation(checkout, load_game("oware(num_houses_per_player=4)"))
    assert "Players: 2. Players redistribute tokens." in text and "Heaps" not in text
    assert "Sow the seeds." in text and "kSecret" not in text
    assert "parameter num_houses_per_player: 4" in text and "information: PERFECT_INFORMATION" in text
    with pytest.raises(ValueError, match="has no header hex.h below open_spiel/games"):
        documentation(checkout, load_game("hex"))


def test_the_request_holds_the_documentation_and_the_answer_is_the_text(checkout, tmp_path, monkeypatch):
    asked = []

    class Model:
        name = "m"

        def complete(self, request):
            asked.append(request.messages[0].content)
            return [Completion("\n# Oware\nSow.\n\n", "stop", None, None, None, "m")]

    monkeypatch.setattr(openspiel_rules, "from_spec", lambda spec: Model())
    flags = {"openspiel": str(checkout), "games": ["oware"], "llm": "m", "output_dir": str(tmp_path / "rules")}
    monkeypatch.setattr(openspiel_rules, "_FLAGS", type("Flags", (), flags))
    openspiel_rules.main()
    openspiel_rules.main()  # the text is there: nothing is asked again
    assert (tmp_path / "rules/oware.md").read_text() == "# Oware\nSow.\n"
    (prompt,) = asked
    assert documentation(checkout, load_game("oware")) in prompt
