"""Who dies with whom: parents, zygotes, workers, forks, threads."""

import concurrent.futures
import gc
import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sandbox import SandboxError, Worker, WorkerDied, zygote

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "import time\ndef echo(x): return x\ndef nap(): time.sleep(60)"
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs pidfds")


def _wait_for_end(pid: int, seconds: float = 10.0) -> bool:
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poller = select.poll()
        poller.register(fd, select.POLLIN)
        return bool(poller.poll(seconds * 1000))
    finally:
        os.close(fd)


def _zygote_of(worker: Worker) -> zygote.Zygote:
    return worker._process._zygote


@LINUX
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_die_with_their_parent(how):
    """Also when the parent is stuck in a call and gets no chance to tidy up."""
    source = (
        "from sandbox import Worker; import sys\n"
        f"w = Worker({PROGRAM!r})\n"
        "print(w.report['pid'], w._process._zygote.pid, flush=True)\n"
        "w.call('nap', timeout=60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", source], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    worker, its_zygote = map(int, parent.stdout.readline().split())
    parent.send_signal(how)
    parent.wait(10)
    parent.stdout.close()
    assert _wait_for_end(worker) and _wait_for_end(its_zygote)


@LINUX
def test_a_dead_zygote_takes_its_workers_along_and_is_replaced():
    worker = Worker(PROGRAM)
    old = _zygote_of(worker).pid
    os.kill(old, signal.SIGKILL)
    assert _wait_for_end(worker.report["pid"])
    assert not worker.alive
    with pytest.raises(WorkerDied):
        worker.call("echo", 1)
    with Worker(PROGRAM) as new:
        assert new.call("echo", 2) == 2
        assert _zygote_of(new).pid != old


def test_the_zygote_outlives_the_thread_that_started_it():
    zygote.close_all()
    made = []
    thread = threading.Thread(target=lambda: made.append(Worker(PROGRAM)))
    thread.start()
    thread.join()
    with made[0] as worker:
        assert worker.call("echo", 1) == 1
        with Worker(PROGRAM) as second:
            assert _zygote_of(second) is _zygote_of(worker)


def test_many_threads_share_the_zygote_and_a_worker():
    with Worker(PROGRAM) as shared, concurrent.futures.ThreadPoolExecutor(8) as pool:

        def use(n):
            with Worker(PROGRAM) as own:
                return [own.call("echo", n), shared.call("echo", n)]

        assert list(pool.map(use, range(40))) == [[n, n] for n in range(40)]


def test_closing_ends_a_call_in_another_thread():
    worker = Worker(PROGRAM)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        call = pool.submit(worker.call, "nap", timeout=60)
        while worker._lock.acquire(blocking=False):  # until the call holds it
            worker._lock.release()
        assert worker.alive
        worker.close()
        with pytest.raises(WorkerDied):
            call.result(20)


def _in_child(inherited, queue):
    try:
        inherited.call("echo", 1)
    except SandboxError as error:
        queue.put(str(error))
    with Worker(PROGRAM) as own:
        queue.put([own.call("echo", 5), _zygote_of(own).pid])
    inherited.close()


def test_a_forked_process_gets_a_zygote_of_its_own_and_leaves_ours_alone():
    context = multiprocessing.get_context("fork")
    with Worker(PROGRAM) as worker:
        queue = context.Queue()
        child = context.Process(target=_in_child, args=(worker, queue))
        child.start()
        assert "was forked" in queue.get(timeout=20)
        value, its_zygote = queue.get(timeout=20)
        child.join(20)
        assert value == 5 and its_zygote != _zygote_of(worker).pid
        assert child.exitcode == 0
        assert worker.call("echo", 6) == 6


@LINUX
def test_a_worker_that_is_forgotten_is_killed_and_reaped():
    worker = Worker(PROGRAM)
    pid = worker.report["pid"]
    del worker
    gc.collect()
    assert _wait_for_end(pid)
    Worker(PROGRAM).close()  # its end reaps the other one
    assert not os.path.exists(f"/proc/{pid}")


@LINUX
def test_nothing_is_left_open():
    Worker(PROGRAM).close()
    before = sorted(os.listdir("/proc/self/fd"))
    for _ in range(20):
        Worker(PROGRAM).close()
        with pytest.raises(SandboxError):
            Worker("1 / 0")
    assert sorted(os.listdir("/proc/self/fd")) == before
    with Worker(PROGRAM) as worker:
        new = {int(fd) for fd in set(os.listdir("/proc/self/fd")) - set(before)}
        inherited = [fd for fd in new if os.path.exists(f"/proc/self/fd/{fd}") and os.get_inheritable(fd)]
        assert worker.alive and len(new) >= 2 and not inherited


def test_an_interrupted_call_ends_the_worker():
    class Interrupt(Exception):
        pass

    def raise_interrupt(*unused):
        raise Interrupt

    worker = Worker(PROGRAM)
    old = signal.signal(signal.SIGALRM, raise_interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Interrupt):
            worker.call("nap", timeout=60)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert not worker.alive
    with pytest.raises(WorkerDied, match="interrupted"):
        worker.call("echo", 1)


def test_the_parent_may_ignore_its_childrens_ends():
    """With SIGCHLD ignored the kernel reaps children behind our back, unless the zygote puts that
    right."""
    source = (
        "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        f"from sandbox import Worker, WorkerDied\nw = Worker({PROGRAM + chr(10) + 'def bye(): import os; os._exit(9)'!r})\n"
        "try: w.call('bye')\nexcept WorkerDied as e: print(e.reason)"
    )
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert done.stdout.strip() == "it exited with status 9", done.stderr
