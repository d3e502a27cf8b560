"""Code policies: programs that a language model, or a person, writes to play a game; see README.md."""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from runs import doors

__path__ += doors.folders(__file__)
