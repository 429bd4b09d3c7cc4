"""Make a release of a table and codes: carry the job out, write, read again, check, then put it in place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_codes import StewardCodesEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Order
from sfumato.engine.sources import FILES, Frame
from sfumato.recipe.codes.released_records import read_records
from sfumato.recipe.codes.released_schema import released_codes
from sfumato.recipe.fingerprint import chunks_of, input_fingerprint, key_of_the_house, sha256_of
from sfumato.recipe.finished import write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing
from sfumato.recipe.on_disk import SCHEMA
from sfumato.recipe.records.evidence import public_evidence, steward_evidence
from sfumato.recipe.records.job import RecordsJob
from sfumato.recipe.records.outcome import RecordsOutcome, carry_out_records
from sfumato.recipe.release import Released, refuse_input_inside, refuse_seeds
from sfumato.recipe.released_data import released_data
from sfumato.record.relational_codes.published import PublishedRecords

_BUG = "nothing was published; please report this as a bug"


def make_records_release(
    job: RecordsJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardCodesEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    key_of_the_house()
    refuse_seeds(job.random, "order")
    for source in (job.people, job.codes):
        refuse_input_inside(source, target)
    with all_or_nothing(target, replace=replace) as folders:
        engine = open_engine("duckdb", memory_limit=job.memory)
        try:
            outcome = carry_out_records(job, engine, progress)
            made = _write(outcome, engine, folders, progress)
        finally:
            engine.close()
    release, steward = target / RELEASE, target / STEWARD
    return Released(release, steward, release / made.evidence.data.file, made.verdicts, made.evidence)


def _write(
    outcome: RecordsOutcome, engine: Engine, folders: Folders, progress: Progress
) -> Released[StewardCodesEvidence]:
    job, published = outcome.job, outcome.solution.published
    name = f"data.{job.format}"
    path = folders.release / name
    progress.step("writing")
    started = time.perf_counter()
    rows = engine.write(engine.read(Frame(outcome.data)), path, order=Order.KEPT)
    written = time.perf_counter()
    schema = released_codes(published.sets, job.asked.code_hierarchy, (), name, job.output_layout)
    schema = schema.model_copy(update={"quasi": list(published.columns)})
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2), encoding="utf-8")
    progress.step("checking the release by reading it again")
    released = read_records(path, schema)
    _refuse_difference(outcome, released)
    verdict = job.asked.model.check(released)
    if not verdict.holds:
        raise PromiseNotMet(f"the check of the written release failed: {verdict}", remedy=_BUG)
    seconds = {"write": round(written - started, 3), "check": round(time.perf_counter() - written, 3)}
    data = released_data(path, rows)
    public = public_evidence(outcome, released, verdict, data, sha256_of(folders.release / SCHEMA))
    counted = len(published) + outcome.opened.found.read.counts.rows
    fingerprint = input_fingerprint(_input_bytes(outcome), counted, folders.steward)
    progress.step("measuring risk and loss")
    steward = steward_evidence(outcome, public, fingerprint, seconds)
    progress.step("writing evidence and report")
    write_evidence(folders, public, steward)
    progress.step("putting the release in place")
    return Released(folders.release, folders.steward, path, (verdict,), steward)


def _refuse_difference(outcome: RecordsOutcome, released: PublishedRecords) -> None:
    """What was read again must be what was found, record by record, in whatever order."""
    one, other = (sorted(_rows(part), key=repr) for part in (outcome.solution.published, released))
    if one != other:
        raise PromiseNotMet(
            "the file that was written does not hold the records that were found", remedy=_BUG
        )


def _rows(records: PublishedRecords) -> Iterator[tuple[object, ...]]:
    columns = [column.to_pylist() for column in records.quasi.columns]
    for row, values in enumerate(zip(*columns, strict=True)):
        yield (*values, tuple(sorted(records.sets.record(row))))


def _input_bytes(outcome: RecordsOutcome) -> Iterator[bytes]:
    """Return what the fingerprint is made of: both files, or else their rows."""
    job = outcome.job
    for source, table in ((job.people, outcome.opened.people), (job.codes, outcome.opened.codes)):
        if isinstance(source, FILES):
            yield from chunks_of(source.path)
        else:
            yield from (batch.serialize().to_pybytes() for batch in table.engine.scan(table))
