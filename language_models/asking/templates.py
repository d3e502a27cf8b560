"""The prompt templates of a package, in the template language Jinja.

A changed prompt no longer matches the recordings that ship with the suite, so a change of a template, or of
the settings here, means recording again.
"""

from __future__ import annotations

from typing import Any

import jinja2


class Templates:
    """The templates in the folder `prompts` of a package.

    A line that holds nothing but a statement leaves no line behind, the newline at the end of a file is
    dropped, and nothing is escaped.

    Args:
      package: the package's full name, such as `mcdml.asking`.
    """

    def __init__(self, package: str):
        self._environment = jinja2.Environment(
            loader=jinja2.PackageLoader(package, "prompts"),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            autoescape=False,
        )

    def render(self, template: str, **fields: Any) -> str:
        """A template with its fields filled in.

        Raises:
          jinja2.TemplateNotFound: the folder has no such file.
          jinja2.UndefinedError: the template names a field that is not given.
        """
        return self._environment.get_template(template).render(**fields)
