"""Make a release of a table and codes: carry the job out, write, read again, check, then put it in place."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_codes import CodesEvidence, StewardCodesEvidence
from sfumato.core.findings import Verification
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Order
from sfumato.engine.files_read import file_of_source, input_bytes
from sfumato.engine.sources import Frame
from sfumato.recipe.codes.released_records import read_records
from sfumato.recipe.codes.released_schema import ReleasedCodes, released_codes
from sfumato.recipe.codes.verify import verify_codes
from sfumato.recipe.records.evidence import public_evidence, steward_evidence
from sfumato.recipe.records.job import RecordsJob
from sfumato.recipe.records.outcome import RecordsOutcome, carry_out_records
from sfumato.record.relational_codes.published import PublishedRecords
from sfumato.release.data_files import released_data
from sfumato.release.pipeline import BUG, refuse_seeds


class RecordsKind(Kind[RecordsJob, RecordsOutcome, StewardCodesEvidence]):
    """A table and codes of the same people, protected together."""

    def inputs(self, job: RecordsJob) -> Iterable[Path]:
        """Both files."""
        return [*file_of_source(job.people), *file_of_source(job.codes)]

    def ready(self, job: RecordsJob, target: Path, *, replace: bool) -> RecordsJob:
        """Refuse seeds."""
        refuse_seeds(job.random, "order")
        return job

    @contextmanager
    def opened(self, job: RecordsJob, target: Path, progress: Progress) -> Iterator[Engine]:
        """Hold the engine that reads both files."""
        with closing(open_engine("duckdb", memory_limit=job.memory)) as engine:
            yield engine

    def protect(self, job: RecordsJob, held: Engine, progress: Progress) -> RecordsOutcome:
        """Join, and search."""
        return carry_out_records(job, held, progress)

    def write(self, outcome: RecordsOutcome, folders: Folders) -> Written:
        """Write a row for each person, with the codes in it."""
        job, published, engine = outcome.job, outcome.solution.published, outcome.opened.people.engine
        path = folders.release / f"data.{job.format}"
        rows = engine.write(engine.read(Frame(outcome.data)), path, order=Order.KEPT)
        schema = released_codes(published.sets, job.asked.code_hierarchy, (), path.name, job.output_layout)
        return Written(
            released_data(path, rows), schema.model_copy(update={"quasi": list(published.columns)})
        )

    def input(self, outcome: RecordsOutcome) -> tuple[Iterable[bytes], int]:
        """Both files, or else their rows."""
        job, opened = outcome.job, outcome.opened
        rows = len(outcome.solution.published) + opened.found.read.counts.rows
        return (*input_bytes(job.people, opened.people), *input_bytes(job.codes, opened.codes)), rows

    def gather(
        self,
        outcome: RecordsOutcome,
        folders: Folders,
        written: Written,
        described: Described,
        progress: Progress,
    ) -> Gathered[CodesEvidence, StewardCodesEvidence]:
        """Check the written records, and measure what they lost."""
        started = time.perf_counter()
        assert isinstance(written.schema, ReleasedCodes)
        released = read_records(folders.release / written.data.file, written.schema)
        _refuse_difference(outcome, released)
        verdict = outcome.job.asked.model.check(released)
        if not verdict.holds:
            raise PromiseNotMet(f"the check of the written release failed: {verdict}", remedy=BUG)
        seconds = {**described.seconds, "check": round(time.perf_counter() - started, 3)}
        public = public_evidence(outcome, released, verdict, described.data, described.schema_sha256)
        progress.step("measuring risk and loss")
        steward = steward_evidence(outcome, public, described.fingerprint, seconds)
        return Gathered((verdict,), public, steward)

    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check records from their bytes."""
        return verify_codes(release, original=original, progress=progress)


RECORDS = RecordsKind()


def _refuse_difference(outcome: RecordsOutcome, released: PublishedRecords) -> None:
    """What was read again must be what was found, record by record, in whatever order."""
    one, other = (sorted(_rows(part), key=repr) for part in (outcome.solution.published, released))
    if one != other:
        raise PromiseNotMet("the file that was written does not hold the records that were found", remedy=BUG)


def _rows(records: PublishedRecords) -> Iterator[tuple[object, ...]]:
    columns = [column.to_pylist() for column in records.quasi.columns]
    for row, values in enumerate(zip(*columns, strict=True)):
        yield (*values, tuple(sorted(records.sets.record(row))))
