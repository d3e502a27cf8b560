"""Prompt templates: how they are rendered, and that the settings stand."""

from __future__ import annotations

import sys

import jinja2
import pytest

from language_models.asking.templates import Templates

SAMPLE = """\
{% if named %}
  {% for name in names %}
<b> {{ name }} &
  {% endfor %}
{% endif %}
end
"""


@pytest.fixture
def templates(tmp_path, monkeypatch):
    (tmp_path / "prompted" / "prompts").mkdir(parents=True)
    (tmp_path / "prompted" / "__init__.py").write_text("")
    (tmp_path / "prompted" / "prompts" / "sample.j2").write_text(SAMPLE)
    monkeypatch.syspath_prepend(tmp_path)
    yield Templates("prompted")
    sys.modules.pop("prompted", None)


def test_statements_leave_no_lines_and_nothing_is_escaped(templates):
    assert templates.render("sample.j2", named=True, names=["<x>", "y"]) == "<b> <x> &\n<b> y &\nend"


def test_missing_fields_and_files_are_errors(templates):
    with pytest.raises(jinja2.UndefinedError, match="names"):
        templates.render("sample.j2", named=True)
    with pytest.raises(jinja2.TemplateNotFound):
        templates.render("none.j2")
