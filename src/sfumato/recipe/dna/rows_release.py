"""Make a release of rows: carry the job out, write, read again, check, and only then put it in place."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_dna import DnaEvidence, StewardDnaEvidence
from sfumato.core.findings import Verification
from sfumato.core.fingerprint import sha256_of
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.writing.order import row_order
from sfumato.recipe.dna.rows_evidence import gather_rows
from sfumato.recipe.dna.rows_file import Content, read_content, write_content
from sfumato.recipe.dna.rows_job import RowsJob
from sfumato.recipe.dna.rows_outcome import BUG, RowsOutcome, carry_out_rows, held
from sfumato.recipe.dna.rows_reading import input_bytes, path_of
from sfumato.recipe.dna.rows_schema import ReleasedRows, released_rows
from sfumato.recipe.dna.rows_verify import verify_rows
from sfumato.release.data_files import released_data
from sfumato.release.pipeline import refuse_seeds


class RowsKind(Kind[RowsJob, RowsOutcome, StewardDnaEvidence]):
    """Rows of DNA: sequences or genotypes."""

    def inputs(self, job: RowsJob) -> Iterable[Path]:
        """The file with the rows, where they come from one."""
        path = path_of(job.data)
        return () if path is None else (path,)

    def ready(self, job: RowsJob, target: Path, *, replace: bool) -> RowsJob:
        """Refuse seeds."""
        refuse_seeds(job.random, "order")
        return job

    def protect(self, job: RowsJob, held: None, progress: Progress) -> RowsOutcome:
        """Read the rows and search."""
        return carry_out_rows(job, progress)

    def write(self, outcome: RowsOutcome, folders: Folders) -> Written:
        """Write the rows in a fresh order, and what belongs to them."""
        job = outcome.job
        order = row_order(len(outcome.released), job.order, job.random)
        content = content_in(outcome, order)
        schema = released_rows(job, outcome.read, content.rows, outcome.shape)
        path = write_content(content, schema, folders.release)
        more = {name: sha256_of(path.with_name(name)) for name in outcome.shape.more_files}
        schema = schema.model_copy(update={"more": more})
        return Written(released_data(path, len(content.rows)), schema, (content, order))

    def input(self, outcome: RowsOutcome) -> tuple[Iterable[bytes], int]:
        """The file, or else the cells."""
        return input_bytes(outcome.job), len(outcome.read.rows)

    def gather(
        self,
        outcome: RowsOutcome,
        folders: Folders,
        written: Written,
        described: Described,
        progress: Progress,
    ) -> Gathered[DnaEvidence, StewardDnaEvidence]:
        """Check the written rows, measure and attack them."""
        job, started = outcome.job, time.perf_counter()
        content, order = written.more
        assert isinstance(written.schema, ReleasedRows)
        again = read_content(folders.release / written.data.file, written.schema)
        _refuse_difference(content, again)
        owners = outcome.read.rows.owners[outcome.kept][order] if job.counts_persons else None
        population = outcome.found.problem.population
        shown = dataclasses.replace(again.rows, persons=owners)
        verdicts = tuple(held(model, shown, population) for model in job.models)
        seconds = {**described.seconds, "check": round(time.perf_counter() - started, 3)}
        return gather_rows(
            outcome,
            again.rows,
            verdicts,
            described.data,
            described.schema_sha256,
            described.fingerprint,
            seconds,
            progress=progress,
        )

    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check rows from their bytes."""
        return verify_rows(release, original=original, progress=progress)


ROWS = RowsKind()


def content_in(outcome: RowsOutcome, order: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Content:
    """Return what is written: rows, in a fresh order, and what stands beside them in the same."""
    shown = outcome.shown
    rows: Aligned | Unaligned
    if isinstance(shown, Aligned):
        rows = dataclasses.replace(shown.rows(order), persons=None)
    else:
        rows = Unaligned(tuple(shown.sequences[at] for at in order.tolist()))
    beside = outcome.read.beside
    if beside is not None:
        beside = beside.take(outcome.kept[order])
    return Content(rows, outcome.read.sites, beside)


def _refuse_difference(written: Content, again: Content) -> None:
    """What was read again must be what was found, row by row."""
    one, other = written.rows, again.rows
    if isinstance(one, Aligned) and isinstance(other, Aligned):
        same = np.array_equal(one.cells, other.cells) and one.positions == other.positions
    elif isinstance(one, Unaligned) and isinstance(other, Unaligned):
        same = len(one) == len(other) and all(
            np.array_equal(a, b) for a, b in zip(one.sequences, other.sequences, strict=True)
        )
    else:
        same = False
    if not same:
        raise PromiseNotMet("the file that was written does not hold the rows that were found", remedy=BUG)
