"""What all tests need.

The commands that measure lie in the source tree only: their tests find them there, wherever the suite itself is
installed. And a suite that runs in the background of a script has Ctrl-C ignored, which processes inherit:
the tests that press it need it as a terminal has it. Plug-ins that happen to be installed are left out, but for
those that the tests of plug-ins bring themselves.
"""

import importlib.util
import os
import signal
import sys
from pathlib import Path

import spielwright_packages  # noqa: F401  (the suite's packages before any others of these names)

os.environ["SPIELWRIGHT_PLUGINS"] = "subtraction-game,broken-bots,elsewhere"

INIT = Path(__file__).parents[1] / "benchmarks" / "__init__.py"

if importlib.util.find_spec("benchmarks") is None:
    spec = importlib.util.spec_from_file_location(
        "benchmarks", INIT, submodule_search_locations=[str(INIT.parent)]
    )
    sys.modules["benchmarks"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["benchmarks"])

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
