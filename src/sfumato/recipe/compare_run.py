"""Carry many jobs out at the same time, each in a process, and hand results over as they come."""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from sfumato.core.memory import LEAST, half_of_memory
from sfumato.recipe.compare_worker import Outcome, evaluate, receive, send
from sfumato.recipe.job import Job

_PATIENCE = 5.0
"""seconds that a worker may take to clean up before it is ended"""
_WORK = "from sfumato.recipe.compare_worker import work; work()"
"""run as a program, the module would be another one than the one that reads its answers"""
Numbered = tuple[int, Outcome]


def run_all(jobs: Sequence[Job], workers: int | None = None) -> Iterator[Numbered]:
    """Yield (position, outcome) for every job, in the order in which they end.

    ``workers`` processes work at a time: the number of cores unless given. When the caller stops, they
    are stopped too.
    """
    cores = os.cpu_count() or 1
    many = min(workers or cores, len(jobs))
    if any(job.engine == "spark" for job in jobs):
        many = min(many, 1)
    if many <= 1 or not _can_travel(jobs):
        for position, job in enumerate(jobs):
            yield position, evaluate(job)
        return
    yield from _in_processes(jobs, many, max(1, cores // many), _share_of_memory(many))


def _can_travel(jobs: Sequence[Job]) -> bool:
    """Say whether another process would understand the jobs; what a script defines itself stays here."""
    parts = [
        part for job in jobs for part in (*job.models, job.method, job.utility, *job.hierarchies.values())
    ]
    if any(type(part).__module__ == "__main__" for part in parts):
        return False
    try:
        pickle.dumps(jobs[0])
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True


def _share_of_memory(workers: int) -> str:
    """Return what the engine of each worker may take when the job sets no limit: 80 % for all together."""
    return f"{max(LEAST, int(1.6 * half_of_memory() / workers)) >> 20}MB"


def _in_processes(jobs: Sequence[Job], workers: int, threads: int, memory: str) -> Iterator[Numbered]:
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for position in range(len(jobs)):
        waiting.put(position)
    done: queue.SimpleQueue[Numbered] = queue.SimpleQueue()
    stopped = threading.Event()
    hands = [
        threading.Thread(target=_hand, args=(jobs, threads, memory, waiting, done, stopped), daemon=True)
        for _ in range(workers)
    ]
    for hand in hands:
        hand.start()
    try:
        for _ in jobs:
            yield _next(done)
    finally:
        stopped.set()
        for hand in hands:
            hand.join(2 * _PATIENCE)


def _next(done: queue.SimpleQueue[Numbered]) -> Numbered:
    """Wait for the next result; wake now and then, so that an interrupt is noticed."""
    while True:
        with suppress(queue.Empty):
            return done.get(timeout=0.2)


def _hand(
    jobs: Sequence[Job],
    threads: int,
    memory: str,
    waiting: queue.SimpleQueue[int],
    done: queue.SimpleQueue[Numbered],
    stopped: threading.Event,
) -> None:
    """Feed one worker; when it dies over a job, say so and start another."""
    while not stopped.is_set() and not waiting.empty():
        with _worker(stopped) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            while not stopped.is_set():
                try:
                    position = waiting.get_nowait()
                except queue.Empty:
                    return
                try:
                    send(process.stdin, (jobs[position], threads, memory))
                    done.put((position, receive(process.stdout)))
                except Exception:
                    # Whatever it was, the parent waits for an answer.
                    process.kill()
                    code = process.wait()
                    why = f"signal {-code}" if code < 0 else f"code {code}"
                    done.put((position, Outcome(None, f"the process ended ({why}); memory may be short")))
                    break


@contextmanager
def _worker(stopped: threading.Event) -> Iterator[subprocess.Popen[bytes]]:
    """Start a worker; it is ended when ``stopped`` is set, also in the middle of a job."""
    process = subprocess.Popen(
        [sys.executable, "-c", _WORK],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # What libraries print may quote data.
        stderr=None if os.environ.get("SFUMATO_DEBUG") else subprocess.DEVNULL,
        # Ctrl-C in a terminal reaches the whole group: the worker is told by its parent instead.
        start_new_session=True,
    )
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            if stopped.is_set():
                process.terminate()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield process
    finally:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        if stopped.is_set():
            process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        over.set()
        watcher.join()
