"""Matches on a Dask cluster, from a few processes to many machines.

    dask scheduler
    dask worker tcp://10.0.0.1:8786 --nworkers=auto --nthreads=1      # on each machine
    python -m arena.tournament ... --executor=dask:tcp://10.0.0.1:8786

Dask gives a match whose worker process dies to another worker, and gives it up when it has ended
more of them than the scheduler's setting `allowed-failures` (3).
"""

from __future__ import annotations

import concurrent.futures
import importlib
from collections.abc import Callable
from typing import Any

from runs.versions import versions

try:
    import distributed
    from distributed.scheduler import KilledWorker
except ImportError as error:
    raise ImportError(
        "an executor dask:ADDRESS needs Dask; install it with pip install 'spielwright[dask]'"
    ) from error

CONNECT_SECONDS = 10


def _check_workers(client: distributed.Client, address: str) -> None:
    """Makes sure that matches played there are the matches that would be played here.

    Raises:
      ValueError: a worker lacks this package, has other versions, or runs several matches in one
        process; or there is no worker.
    """
    threads = client.nthreads()
    if not threads:
        raise ValueError(
            f"the Dask scheduler at {address} has no workers; start some with dask worker "
            f"{address} --nworkers=auto --nthreads=1"
        )
    if several := [worker for worker, count in threads.items() if count != 1]:
        raise ValueError(
            f"the Dask worker {several[0]} runs {threads[several[0]]} tasks at a time in one "
            "process, which bots do not allow; start workers with --nthreads=1"
        )
    imported = client.run(importlib.import_module, "arena.matches.match", on_error="return")
    for worker, outcome in imported.items():
        if isinstance(outcome, BaseException):
            raise ValueError(
                f"the Dask worker {worker} cannot import arena.matches.match "
                f"({type(outcome).__name__}: {outcome}); install spielwright there, in the "
                "versions of this machine"
            )
    wanted = {**versions(), "python": versions()["python"].rpartition(".")[0]}
    for worker, found in client.run(versions).items():
        found = {**found, "python": found["python"].rpartition(".")[0]}
        for program, version in wanted.items():
            if found[program] != version:
                raise ValueError(
                    f"the Dask worker {worker} has {program} {found[program]}, expected "
                    f"{version} as on this machine; install the same version there"
                )


class DaskCluster(concurrent.futures.Executor):
    """An executor that runs tasks on the workers of a Dask scheduler, which are left running.

    Args:
      address: the address of the scheduler, such as tcp://10.0.0.1:8786.

    Raises:
      ValueError: the workers are unfit, or there are none. Workers that join later are not checked.
      OSError: nobody answers at the address.
    """

    deaths = (KilledWorker,)

    def __init__(self, address: str):
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ConnectionError(
                f"no Dask scheduler answers at {address!r} ({error}); expected an "
                "address such as tcp://10.0.0.1:8786"
            ) from error
        try:
            _check_workers(self._client, address)
        except BaseException:
            self._client.close()
            raise
        self.workers = len(self._client.nthreads())
        # Not pure: a task that is tried again is not the failure of the first time.
        self._executor = self._client.get_executor(pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future:
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leaves the cluster."""
        self._executor.shutdown(wait=wait)
        self._client.close()
