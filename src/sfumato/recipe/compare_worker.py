"""One worker of a comparison: reads jobs from standard input, writes what became of them.

A process of its own, so that a job that runs out of memory
takes nothing else with it, and so that scripts need no guard around their main part. It ends when its
input does.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import FrameType
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc

from sfumato.core.errors import SfumatoError, SystemFault
from sfumato.core.evidence import StewardEvidence
from sfumato.core.system import explained
from sfumato.engine import open_engine
from sfumato.engine.frames import to_arrow
from sfumato.engine.sources import Frame
from sfumato.recipe.api import release_in_memory
from sfumato.recipe.job import Job

_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class Outcome:
    """What became of a job: its evidence, or why there is none. Neither holds a value of the data.

    ``attribute_risk`` is what the evidence does not say; None where no column is sensitive.
    """

    evidence: StewardEvidence | None
    failed: str = ""
    fault: bool = False
    """whether the surroundings are to blame, and not the configuration"""
    attribute_risk: float | None = None


def attribute_risk(released: pa.Table, quasi: Sequence[str], sensitive: Sequence[str]) -> float | None:
    """Return the highest share that one sensitive value has in a group.

    With n_g records in group g, n_gv of them with the value v: max over groups and values of n_gv / n_g.
    So surely can the value of a person be guessed who is known to be in the group; 1 / l bounds it under
    probabilistic l-diversity. A missing value tells nothing and is not guessed.

    >>> table = pa.table({"age": ["20-29"] * 3 + ["30-39"] * 2, "ill": ["flu", "flu", "cold", "flu", "cold"]})
    >>> round(attribute_risk(table, ["age"], ["ill"]), 3)
    0.667
    """
    highest = None
    for column in sensitive:
        counted = released.group_by([*quasi, column], use_threads=False).aggregate([([], "count_all")])
        known = counted.filter(pc.is_valid(counted.column(column)))
        if not known.num_rows:
            continue
        groups = counted.group_by(list(quasi), use_threads=False).aggregate([("count_all", "sum")])
        most = known.group_by(list(quasi), use_threads=False).aggregate([("count_all", "max")])
        # Joins drop missing keys: groups are matched by their position in one list of combinations.
        place = {tuple(row[name] for name in quasi): row["count_all_sum"] for row in groups.to_pylist()}
        shares = [
            row["count_all_max"] / place[tuple(row[name] for name in quasi)] for row in most.to_pylist()
        ]
        highest = max(shares if highest is None else [highest, *shares])
    return highest


def evaluate(job: Job, threads: int | None = None, memory: str | None = None) -> Outcome:
    """Carry a job out in memory; whatever goes wrong becomes a sentence.

    ``memory`` limits the engine where the job sets no limit of its own.
    """
    try:
        engine = open_engine(job.engine, memory_limit=job.memory or memory, threads=threads)
        try:
            data = job.source.data if isinstance(job.source, Frame) else None
            release = release_in_memory(job, engine, data, attack_by_default=False)
            risk = attribute_risk(to_arrow(release.data), job.schema.quasi, job.schema.sensitive)
            return Outcome(release.evidence, attribute_risk=risk)
        finally:
            engine.close()
    except SfumatoError as problem:
        return Outcome(None, str(problem), fault=isinstance(problem, SystemFault))
    except Exception as problem:
        clear = explained(problem)
        if clear is not None:
            return Outcome(None, str(clear), fault=isinstance(clear, SystemFault))
        # The message of an unforeseen error may quote data: only its kind and place are told.
        last = problem.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        place = f"{os.path.basename(last.tb_frame.f_code.co_filename)}:{last.tb_lineno}" if last else "?"
        return Outcome(None, f"something went wrong that should not ({type(problem).__name__} at {place})")


def send(pipe: IO[bytes], thing: Any) -> None:
    """Write one thing, its length before it."""
    packed = pickle.dumps(thing)
    pipe.write(_LENGTH.pack(len(packed)))
    pipe.write(packed)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """Read one thing; EOFError when there is no more."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    packed = pipe.read(_LENGTH.unpack(head)[0])
    return pickle.loads(packed)


def _leave(_number: int, _frame: FrameType | None) -> None:
    # An exception, not an end on the spot: temporary files hold raw data and must go.
    raise SystemExit(1)


def work() -> None:
    """Carry jobs out until there are no more."""
    signal.signal(signal.SIGTERM, _leave)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    jobs = sys.stdin.buffer
    try:
        while True:
            send(answers, evaluate(*receive(jobs)))
    except (EOFError, BrokenPipeError):
        return
