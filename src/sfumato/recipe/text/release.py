"""Make a release of notes: handle them, write, read again, check, and then put it in place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace as replace_fields
from pathlib import Path

import pyarrow as pa

from sfumato.core.errors import PromiseNotMet
from sfumato.core.evidence_text import StewardTextEvidence, TextEvidence
from sfumato.core.findings import Verification
from sfumato.core.kind import Described, Folders, Gathered, Kind, Written
from sfumato.core.progress import SILENT, Progress
from sfumato.engine.contract import Order
from sfumato.engine.files_read import file_of_source
from sfumato.masking.vault import VAULT_FILE
from sfumato.recipe.text.evaluated import Evaluated, evaluated
from sfumato.recipe.text.evidence import gather_text
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
from sfumato.release.data_files import released_data
from sfumato.report.text_before_after import notes_page
from sfumato.text.stream.reading import NotesFolder
from sfumato.text.stream.work import Work, unfinished_work
from sfumato.text.stream.writing import ordered_rows, write_rows

NOTES = "notes.html"
"""the steward's page with notes before and after"""


class TextKind(Kind[TextJob, TextOutcome, StewardTextEvidence]):
    """Notes. What an interrupted run has finished is kept beside the target and taken up by the next run."""

    def inputs(self, job: TextJob) -> Iterable[Path]:
        """The file with the notes; a folder of notes is read before anything is written."""
        return () if isinstance(job.source, NotesFolder) else file_of_source(job.source)

    def ready(self, job: TextJob, target: Path, *, replace: bool) -> TextJob:
        """Refuse a key that is needed and not there."""
        check_secrets(job)
        return job

    @contextmanager
    def opened(
        self, job: TextJob, target: Path, progress: Progress
    ) -> Iterator[tuple[Work, Evaluated | None]]:
        """Measure on annotated notes first, and hold the work that may be taken up again."""
        measured = evaluated(job, progress)
        with unfinished_work(target, identity_of(job), restart=job.restart) as work:
            yield work, measured
            work.discard()

    def protect(self, job: TextJob, held: tuple[Work, Evaluated | None], progress: Progress) -> TextOutcome:
        """Find and replace in every note."""
        work, measured = held
        found = carry_out_text(job, work, progress, None if measured is None else measured.sums)
        return replace_fields(found, work=work, measured=measured)

    def write(self, outcome: TextOutcome, folders: Folders) -> Written:
        """Write the notes, in a fresh order unless the recipe keeps theirs."""
        path = folders.release / f"data.{outcome.job.format}"
        rows = write_rows(written(outcome), path)
        expected = outcome.facts["rows"] - outcome.facts["withheld_rows"]
        if rows != expected:
            raise PromiseNotMet(
                f"{rows} rows were written, of {expected}", remedy="nothing was published, run it again"
            )
        # What sorting and shuffling needed is given back before lexicons are loaded.
        pa.default_memory_pool().release_unused()
        return Written(released_data(path, rows), released_text(outcome.job, path.name))

    def input(self, outcome: TextOutcome) -> tuple[Iterable[bytes], int]:
        """The file or the folder, or else the rows."""
        return input_bytes(outcome.job), outcome.facts["rows"]

    def gather(
        self,
        outcome: TextOutcome,
        folders: Folders,
        written: Written,
        described: Described,
        progress: Progress,
    ) -> Gathered[TextEvidence, StewardTextEvidence]:
        """Search the written notes again, unless made-up values stand in them."""
        job, again = outcome.job, None
        if not job.method.replacement(job.finding.language).invents:
            again = found_again(folders.release / written.data.file, job.text, job.finding.language)
        return gather_text(
            outcome, described.data, described.fingerprint, outcome.measured, again, described.seconds
        )

    def finish(
        self, outcome: TextOutcome, folders: Folders, gathered: Gathered[TextEvidence, StewardTextEvidence]
    ) -> None:
        """Write the vault of codes, and the page with notes before and after."""
        if len(outcome.vault):
            outcome.vault.write(folders.steward / VAULT_FILE)
        if outcome.samples:
            page = notes_page(outcome.job.title, outcome.samples)
            (folders.steward / NOTES).write_text(page, encoding="utf-8", newline="\n")

    def published(self, outcome: TextOutcome) -> None:
        """Whatever ends the process from here on, no raw note stays beside a finished release."""
        if outcome.work is not None:
            outcome.work.discard_raw()

    def verify(
        self, release: str | Path, *, original: str | Path | None = None, progress: Progress = SILENT
    ) -> Verification:
        """Re-check notes from their bytes."""
        return verify_text(release, original=original, progress=progress)


TEXT = TextKind()


def check_secrets(job: TextJob) -> None:
    """Refuse at once what would fail after hours: a key that is needed and not there."""
    if job.method.replacement(job.finding.language).needs_key:
        job.handling.secrets.derived("text-replacement")


def written(outcome: TextOutcome) -> Iterator[pa.Table]:
    """Return what is released, in a fresh order unless the recipe keeps that of the source."""
    shuffled = outcome.job.order is Order.SHUFFLED
    folder = outcome.parts[0].parent
    return ordered_rows(outcome.parts, outcome.counts["released characters"], folder, shuffled=shuffled)
