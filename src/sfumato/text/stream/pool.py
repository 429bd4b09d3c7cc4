"""Handle batches in several processes: each builds its finder once, and takes batch after batch.

Only numbers go between processes: a worker reads its batch from the sorted file and writes what came of it.
Processes are spawned, not forked, so that threads of libraries cannot be caught in between; a worker whose
parent is gone ends itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.text.stream.batch import handle_batch
from sfumato.text.stream.handling import Handler, Handling
from sfumato.text.stream.layout import Layout
from sfumato.text.stream.work import Work

_WORTH = 2
"""batches for each process from which on another process is worth its start"""


@dataclass(frozen=True)
class Task:
    """What workers need to know."""

    handling: Handling
    layout: Layout
    folder: Path
    sampled: tuple[int, ...]


class _Worker:
    """Handles batches of one task."""

    def __init__(self, task: Task, handler: Handler | None = None) -> None:
        self._task = task
        self._work = Work(task.folder)
        self._handler = handler or task.handling.open()
        self._file = pq.ParquetFile(self._work.sorted)
        self._sampled: Collection[int] = frozenset(task.sampled)

    def do(self, number: int) -> None:
        """Handle one batch and write it."""
        table = self._file.read_row_group(number)
        done = handle_batch(self._handler, table, self._task.layout, self._sampled)
        done.write(self._work.batch(number))


_worker: _Worker | None = None


def _begin(task: Task) -> None:
    """Make this process a worker: it leaves interrupts to its parent, and does not outlive it."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _worker = _Worker(task)


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _do(number: int) -> int:
    assert _worker is not None
    _worker.do(number)
    return number


def processes(jobs: int | None, batches: int) -> int:
    """Say how many processes are used: all cores, but none for too little work.

    >>> processes(8, 3), processes(1, 1000)
    (1, 1)
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores if jobs is None else jobs, batches // _WORTH))


def handle_all(task: Task, work: Work, jobs: int | None = None, progress: Progress = SILENT) -> None:
    """Handle all batches that are not done yet."""
    lengths, finished = work.lengths, set(work.finished())
    todo = [number for number in range(len(lengths)) if number not in finished]
    total = sum(lengths)
    done = total - sum(lengths[number] for number in todo)
    shown = _Shown(progress, done, total)
    if not todo:
        return
    for number in _numbers(task, todo, processes(jobs, len(todo))):
        shown.add(lengths[number])


@dataclass
class _Shown:
    """Tells how many characters are done."""

    progress: Progress
    done: int
    total: int

    def __post_init__(self) -> None:
        self.add(0)

    def add(self, characters: int) -> None:
        self.done += characters
        share = self.done / self.total if self.total else 1.0
        self.progress.update(share, f"of {self.total:,} characters")


def _numbers(task: Task, todo: Sequence[int], jobs: int) -> Iterator[int]:
    """Yield the number of each batch when it is done."""
    if jobs == 1:
        worker = _Worker(task)
        for number in todo:
            worker.do(number)
            yield number
        return
    with _pool(task, jobs) as pool:
        waiting: set[Future[int]] = set()
        queue = iter(todo)
        while True:
            for number in queue:
                waiting.add(pool.submit(_do, number))
                if len(waiting) >= 2 * jobs:
                    break
            if not waiting:
                return
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                yield future.result()


@contextmanager
def _pool(task: Task, jobs: int) -> Iterator[ProcessPoolExecutor]:
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(task,))
    try:
        yield pool
    except BrokenProcessPool:
        raise BadInput(
            "a process that handled notes was ended from outside, or its memory was not enough",
            remedy="run it again to go on, with fewer --jobs",
        ) from None
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
