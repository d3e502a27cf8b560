"""Code policies: programs that a language model, or a person, writes to play a game; see README.md."""

import spielwright_rooms  # noqa: F401  (first: binds the names of the suite's packages)
