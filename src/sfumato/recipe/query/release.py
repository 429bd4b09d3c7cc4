"""Make a release under differential privacy: spend, write, read again, check, and then put it in place."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

from sfumato.core import evidence as ev
from sfumato.core.evidence_query import QueryEvidence, StewardQueryEvidence
from sfumato.core.findings import Verification
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.engine.contract import Engine, Order
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.files_read import file_of_source
from sfumato.engine.sources import Frame
from sfumato.recipe.query.evidence import gather_query
from sfumato.recipe.query.job import QueryJob
from sfumato.recipe.query.outcome import QueryOutcome, carry_out_query, input_bytes
from sfumato.recipe.query.released_schema import released_query, written_tables
from sfumato.recipe.query.verify import verify_query
from sfumato.recipe.query.written import counts_table, records_table
from sfumato.release.data_files import released_data
from sfumato.release.pipeline import refuse_seeds


class QueryKind(Kind[QueryJob, QueryOutcome, StewardQueryEvidence]):
    """Records or tables of counts, made under differential privacy."""

    def inputs(self, job: QueryJob) -> Iterable[Path]:
        """The file of the database, where it comes from one."""
        return file_of_source(job.source)

    def ready(self, job: QueryJob, target: Path, *, replace: bool) -> QueryJob:
        """Refuse seeds."""
        refuse_seeds(job.random, "random")
        return job

    def protect(self, job: QueryJob, held: None, progress: Progress) -> QueryOutcome:
        """Read, and draw the noise."""
        return carry_out_query(job, progress)

    def write(self, outcome: QueryOutcome, folders: Folders) -> Written:
        """Write the tables of counts, and the records where there are some."""
        job, solution = outcome.job, outcome.solution
        schema = released_query(job, solution)
        tables = []
        with DuckEngine() as engine:
            for told, (table, axes) in zip(schema.tables, written_tables(job, solution), strict=True):
                tables.append(
                    _written(engine, counts_table(table, axes), folders.release / told.file, Order.KEPT)
                )
            data = tables[0] if tables else None
            if solution.records is not None:
                records = records_table(job, solution.records)
                data = _written(engine, records, folders.release / f"data.{job.format}", Order.SHUFFLED)
        assert data is not None
        return Written(data, schema, tables)

    def input(self, outcome: QueryOutcome) -> tuple[Iterable[bytes], int]:
        """The file, or else the rows."""
        return input_bytes(outcome.job), outcome.facts.rows

    def gather(
        self,
        outcome: QueryOutcome,
        folders: Folders,
        written: Written,
        described: Described,
        progress: Progress,
    ) -> Gathered[QueryEvidence, StewardQueryEvidence]:
        """Gather what metadata and the mechanism say."""
        return gather_query(
            outcome,
            described.data,
            written.more,
            described.schema_sha256,
            described.fingerprint,
            described.seconds,
        )

    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check figures and records from their bytes."""
        return verify_query(release, original=original, progress=progress)


QUERY = QueryKind()


def _written(engine: Engine, table: pa.Table, path: Path, order: Order) -> ev.DataEvidence:
    rows = engine.write(engine.read(Frame(table)), path, order=order)
    return released_data(path, rows)
