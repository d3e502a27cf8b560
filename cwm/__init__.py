"""Code world models: a language model writes a game's simulator, search plays on it.

The method is that of Lehrach et al. (2025), "Code World Models for General Game Playing"; README.md
in this folder maps the paper's symbols and sections to files.
"""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from runs import doors

__path__ += doors.folders(__file__)
