"""Make a release of notes: handle them, write, read again, check, and then put it in place."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_text import StewardTextEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.engine.contract import Order
from sfumato.masking.vault import VAULT_FILE
from sfumato.recipe.fingerprint import input_fingerprint, key_of_the_house
from sfumato.recipe.finished import refuse_refuted, write_evidence
from sfumato.recipe.folders import RELEASE, STEWARD, Folders, all_or_nothing, refuse_existing
from sfumato.recipe.on_disk import SCHEMA
from sfumato.recipe.release import Released, refuse_input_inside
from sfumato.recipe.released_data import released_data
from sfumato.recipe.text.evaluated import Evaluated, evaluated
from sfumato.recipe.text.evidence import GatheredText, gather_text
from sfumato.recipe.text.found_again import found_again
from sfumato.recipe.text.job import TextJob
from sfumato.recipe.text.outcome import (
    TextOutcome,
    carry_out_text,
    identity_of,
    input_bytes,
)
from sfumato.recipe.text.released_schema import released_text
from sfumato.recipe.text.verify import verify_text
from sfumato.report.text_before_after import notes_page
from sfumato.text.stream.reading import NotesFolder
from sfumato.text.stream.work import unfinished_work
from sfumato.text.stream.writing import ordered_rows, write_rows

NOTES = "notes.html"
"""the steward's page with notes before and after"""


def make_text_release(
    job: TextJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardTextEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing.

    What an interrupted run has finished is kept beside the target and taken up by the next run.
    """
    key_of_the_house()
    check_secrets(job)
    if not isinstance(job.source, NotesFolder):
        refuse_input_inside(job.source, target)
    refuse_existing(target, replace=replace)
    measured = evaluated(job, progress)
    with unfinished_work(target, identity_of(job), restart=job.restart) as work:
        outcome = carry_out_text(job, work, progress, None if measured is None else measured.sums)
        with all_or_nothing(target, replace=replace) as folders:
            gathered = _write(outcome, folders, measured, progress)
            # Whatever ends the process from here on, no raw note stays beside a finished release.
            work.discard_raw()
        work.discard()
    release, steward = target / RELEASE, target / STEWARD
    data = release / gathered.public.data.file
    return Released(release, steward, data, gathered.verdicts, gathered.steward)


def check_secrets(job: TextJob) -> None:
    """Refuse at once what would fail after hours: a key that is needed and not there."""
    if job.method.replacement(job.finding.language).needs_key:
        job.handling.secrets.derived("text-replacement")


def _write(
    outcome: TextOutcome, folders: Folders, measured: Evaluated | None, progress: Progress
) -> GatheredText:
    job = outcome.job
    path = folders.release / f"data.{job.format}"
    progress.step("writing")
    started = time.perf_counter()
    rows = write_rows(written(outcome), path)
    expected = outcome.facts["rows"] - outcome.facts["withheld_rows"]
    if rows != expected:
        raise PromiseNotMet(
            f"{rows} rows were written, of {expected}", remedy="nothing was published, run it again"
        )
    seconds = {"write": round(time.perf_counter() - started, 3)}
    data = released_data(path, rows)
    schema = released_text(job, path.name)
    (folders.release / SCHEMA).write_text(schema.model_dump_json(indent=2), encoding="utf-8")
    # What sorting and shuffling needed is given back before lexicons are loaded.
    pa.default_memory_pool().release_unused()
    progress.step("reading the release again")
    again = None
    if not job.method.replacement(job.finding.language).invents:
        again = found_again(path, job.text, job.finding.language)
    fingerprint = input_fingerprint(input_bytes(job), outcome.facts["rows"], folders.steward)
    gathered = gather_text(outcome, data, fingerprint, measured, again, seconds)
    progress.step("writing evidence and report")
    if len(outcome.vault):
        outcome.vault.write(folders.steward / VAULT_FILE)
    write_evidence(folders, gathered.public, gathered.steward)
    if outcome.samples:
        page = notes_page(job.title, outcome.samples)
        (folders.steward / NOTES).write_text(page, encoding="utf-8", newline="\n")
    progress.step("checking the release by reading it again")
    refuse_refuted(verify_text(folders.release))
    progress.step("putting the release in place")
    return gathered


def written(outcome: TextOutcome) -> Iterator[pa.Table]:
    """Return what is released, in a fresh order unless the recipe keeps that of the source."""
    shuffled = outcome.job.order is Order.SHUFFLED
    folder = outcome.parts[0].parent
    return ordered_rows(outcome.parts, outcome.counts["released characters"], folder, shuffled=shuffled)
