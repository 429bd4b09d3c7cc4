"""Make a release under differential privacy: spend, write, read again, check, and then put it in place."""

from __future__ import annotations

import time
from pathlib import Path

import pyarrow as pa

from sfumato.core import evidence as ev
from sfumato.core.evidence_query import StewardQueryEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.engine.contract import Engine, Order
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.sources import Frame
from sfumato.recipe.fingerprint import input_fingerprint, key_of_the_house, sha256_of
from sfumato.recipe.finished import refuse_refuted, write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing
from sfumato.recipe.on_disk import SCHEMA
from sfumato.recipe.query.evidence import GatheredQuery, gather_query
from sfumato.recipe.query.job import QueryJob
from sfumato.recipe.query.outcome import QueryOutcome, carry_out_query, input_bytes
from sfumato.recipe.query.released_schema import released_query, written_tables
from sfumato.recipe.query.verify import verify_query
from sfumato.recipe.query.written import counts_table, records_table
from sfumato.recipe.release import Released, refuse_input_inside, refuse_seeds
from sfumato.recipe.released_data import released_data


def make_query_release(
    job: QueryJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardQueryEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    key_of_the_house()
    refuse_seeds(job.random, "random")
    refuse_input_inside(job.source, target)
    with all_or_nothing(target, replace=replace) as folders:
        outcome = carry_out_query(job, progress)
        gathered = _write(outcome, folders, progress)
    release, steward = target / RELEASE, target / STEWARD
    data = release / gathered.public.data.file
    return Released(release, steward, data, gathered.verdicts, gathered.steward)


def _write(outcome: QueryOutcome, folders: Folders, progress: Progress) -> GatheredQuery:
    job, solution = outcome.job, outcome.solution
    progress.step("writing")
    started = time.perf_counter()
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
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2), encoding="utf-8")
    seconds = {"write": round(time.perf_counter() - started, 3)}
    gathered = gather_query(
        outcome,
        data,
        tables,
        sha256_of(folders.release / SCHEMA),
        input_fingerprint(input_bytes(job), outcome.facts.rows, folders.steward),
        seconds,
    )
    progress.step("writing evidence and report")
    write_evidence(folders, gathered.public, gathered.steward)
    progress.step("checking the release by reading it again")
    refuse_refuted(verify_query(folders.release))
    progress.step("putting the release in place")
    return gathered


def _written(engine: Engine, table: pa.Table, path: Path, order: Order) -> ev.DataEvidence:
    rows = engine.write(engine.read(Frame(table)), path, order=order)
    return released_data(path, rows)
