"""Commands that measure: they lie in the source tree only and are not installed."""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from runs import doors

__path__ += doors.folders(__file__)
