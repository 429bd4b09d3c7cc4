"""Make a release of rows: carry the job out, write, read again, check, and only then put it in place."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import numpy as np

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_dna import StewardDnaEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.writing.order import row_order
from sfumato.recipe.dna.rows_evidence import GatheredRows, gather_rows
from sfumato.recipe.dna.rows_file import Content, read_content, write_content
from sfumato.recipe.dna.rows_job import RowsJob
from sfumato.recipe.dna.rows_outcome import BUG, RowsOutcome, carry_out_rows, held
from sfumato.recipe.dna.rows_reading import input_bytes, path_of
from sfumato.recipe.dna.rows_schema import released_rows
from sfumato.recipe.dna.rows_verify import verify_rows
from sfumato.recipe.fingerprint import input_fingerprint, key_of_the_house, sha256_of
from sfumato.recipe.finished import refuse_refuted, write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing
from sfumato.recipe.on_disk import SCHEMA
from sfumato.recipe.release import Released, refuse_path_inside, refuse_seeds
from sfumato.recipe.released_data import released_data


def make_rows_release(
    job: RowsJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardDnaEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    key_of_the_house()
    refuse_seeds(job.random, "order")
    path = path_of(job.data)
    if path is not None:
        refuse_path_inside(path, target)
    with all_or_nothing(target, replace=replace) as folders:
        outcome = carry_out_rows(job, progress)
        gathered = _write(outcome, folders, progress)
    release, steward = target / RELEASE, target / STEWARD
    data = release / gathered.public.data.file
    return Released(release, steward, data, gathered.verdicts, gathered.steward)


def _write(outcome: RowsOutcome, folders: Folders, progress: Progress) -> GatheredRows:
    job = outcome.job
    progress.step("writing")
    started = time.perf_counter()
    order = row_order(len(outcome.released), job.order, job.random)
    content = content_in(outcome, order)
    schema = released_rows(job, outcome.read, content.rows, outcome.shape)
    path = write_content(content, schema, folders.release)
    more = {name: sha256_of(path.with_name(name)) for name in outcome.shape.more_files}
    schema = schema.model_copy(update={"more": more})
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2), encoding="utf-8")
    seconds = {"write": round(time.perf_counter() - started, 3)}
    progress.step("checking the release by reading it again")
    started = time.perf_counter()
    again = read_content(path, schema)
    _refuse_difference(content, again)
    owners = outcome.read.rows.owners[outcome.kept][order] if job.counts_persons else None
    population = outcome.found.problem.population
    shown = dataclasses.replace(again.rows, persons=owners)
    verdicts = tuple(held(model, shown, population) for model in job.models)
    seconds["check"] = round(time.perf_counter() - started, 3)
    gathered = gather_rows(
        outcome,
        again.rows,
        verdicts,
        released_data(path, len(again.rows)),
        sha256_of(folders.release / SCHEMA),
        input_fingerprint(input_bytes(job), len(outcome.read.rows), folders.steward),
        seconds,
        progress=progress,
    )
    progress.step("writing evidence and report")
    write_evidence(folders, gathered.public, gathered.steward)
    progress.step("checking the release as a reader would")
    refuse_refuted(verify_rows(folders.release))
    progress.step("putting the release in place")
    return gathered


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
