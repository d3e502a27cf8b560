"""PLAP: a language model plans with parameterized skills, an executor turns the plan into actions.

The method is that of Cui et al. (2025), "Empowering LLMs with Parameterized Skills for Adversarial
Long-Horizon Planning"; README.md in this folder maps the paper's symbols and sections to files.
"""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from runs import doors

__path__ += doors.folders(__file__)
