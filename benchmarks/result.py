"""What every benchmark hands back: one row for each piece of work, and a table of them."""

from __future__ import annotations

import os
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = HERE.parent.parent / "shared"
"""the neighbour folder with real tables; benchmarks that need it say so when it is not there"""
DATA = HERE / ".data"
"""generated tables are kept here between runs"""


@dataclass(frozen=True)
class Result:
    """A piece of work: our figure, the bar that was set, and a peer's figure for the same work."""

    work: str
    ours: float
    unit: str
    bar: float | None = None
    peer: str = ""
    theirs: float | None = None
    note: str = ""

    @property
    def met(self) -> str:
        """Say whether the bar is met."""
        if self.bar is None:
            return ""
        return "yes" if self.ours <= self.bar else f"no ({self.ours / self.bar:.2f} × the bar)"

    @property
    def ratio(self) -> str:
        """Say how many times the peer's figure is ours."""
        return f"{self.theirs / self.ours:.1f} ×" if self.theirs is not None and self.ours else ""


def table(title: str, results: Sequence[Result]) -> str:
    """Lay results out as Markdown."""
    lines = [
        f"### {title}",
        "",
        "| work | Sfumato | bar | met | peer | peer / Sfumato | note |",
        "|---|---|---|---|---|---|---|",
    ]
    for r in results:
        bar = "" if r.bar is None else f"{r.bar:g} {r.unit}"
        peer = f"{r.peer}: {r.theirs:.4g} {r.unit}" if r.theirs is not None else r.peer
        lines.append(
            f"| {r.work} | {r.ours:.3g} {r.unit} | {bar} | {r.met} | {peer} | {r.ratio} | {r.note} |"
        )
    return "\n".join(lines)


def cpu_seconds(work: Callable[[], object], runs: int = 5, warm: int = 1) -> float:
    """Return the median CPU seconds (all threads) of some runs after warm-up."""
    for _ in range(warm):
        work()
    spent = []
    for _ in range(runs):
        before = time.process_time()
        work()
        spent.append(time.process_time() - before)
    return statistics.median(spent)


def in_child(work: Callable[[], object]) -> tuple[float, float, float]:
    """Run something in a process of its own; return wall seconds, CPU seconds and peak RSS in GB."""
    started = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError("the work failed")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6


def children_cpu() -> float:
    """Return the CPU seconds of all finished child processes so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
