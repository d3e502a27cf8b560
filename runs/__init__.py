"""The ground floor: the parts that every command and every long run needs, whatever it is about."""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)
