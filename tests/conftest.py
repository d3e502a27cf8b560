"""What all tests need.

The commands that measure lie in the source tree only: their tests find them there, wherever the suite itself is
installed. And a suite that runs in the background of a script has Ctrl-C ignored, which processes inherit:
the tests that press it need it as a terminal has it. Plug-ins that happen to be installed are left out, but for
those that the tests of plug-ins bring themselves. The long files are begun first, so that no process is left alone with
one at the end.
"""

import gc
import importlib.util
import os
import random
import signal
import sys
from pathlib import Path

import pytest

import spielwright_packages  # noqa: F401  (the suite's packages before any others of these names)
from language_models.backends.null import drawn

os.environ["SPIELWRIGHT_PLUGINS"] = "subtraction-game,broken-bots,elsewhere"

# Hundreds of processes are started here; each would compile the suite anew, and each worker all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

INIT = Path(__file__).parents[1] / "benchmarks" / "__init__.py"
SPREAD = "tests/docs/test_pages.py"
"""A file whose tests, some of which take a minute, share nothing: each may run in another process."""
LONG = [
    SPREAD,
    "tests/cwm/test_recordings.py",
    "tests/cwm/worker/test_compiling.py",
    "tests/cwm/test_commands.py",
    "tests/docs/test_your_own_game.py",
    "tests/cwm/play/test_export.py",
    "tests/sandbox/test_attacks.py",
    "tests/cwm/test_more_players.py",
    "tests/cwm/worker/native/test_games.py",
    "tests/arena/tournaments/test_playing.py",
    "tests/cwm/writing/test_synthesis.py",
    "tests/cwm/play/test_game.py",
    "tests/arena/test_quickstart.py",
]
"""Files that take more than some fifteen seconds."""


def file_of(nodeid):
    return nodeid.partition("::")[0]


def pytest_collection_finish():
    """Leaves the thousands of tests and all modules out of every later search for garbage."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items):
    rank = {name: number for number, name in enumerate(LONG)}
    items.sort(key=lambda item: rank.get(file_of(item.nodeid), len(LONG)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """That of `--dist loadfile`, in the order of the tests, and with each test of `SPREAD` by itself."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Spreading(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return nodeid if file_of(nodeid) == SPREAD else file_of(nodeid)

    config.option.loadscopereorder = False
    return Spreading(config, log)


@pytest.fixture(scope="session")
def texts_of_form():
    """Many texts of a form: `texts_of_form(form, count)`."""
    return lambda form, count=100: [drawn(form, random.Random(seed)) for seed in range(count)]


if importlib.util.find_spec("benchmarks") is None:
    spec = importlib.util.spec_from_file_location(
        "benchmarks", INIT, submodule_search_locations=[str(INIT.parent)]
    )
    sys.modules["benchmarks"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules["benchmarks"])

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
