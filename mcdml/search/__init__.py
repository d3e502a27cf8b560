"""The tree search of the paper, and its prior as OpenSpiel's evaluator."""

from runs.doors import handed_on

__getattr__ = handed_on(__name__, "mcdml.search.search")
