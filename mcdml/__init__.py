"""MC-DML: Monte-Carlo tree search with a language model's prior and two memories.

The method is that of Shi, Fang and Chen (2025), "Monte Carlo Planning with Large Language Model for
Text-Based Game Agents"; README.md in this folder maps the paper's symbols and sections to files.
"""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from runs import doors

__path__ += doors.folders(__file__)
