"""``--dry-run`` over notes: what would be done. Reads the names of columns and handles nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.sources import CsvFile, JsonLines
from sfumato.recipe.job import check_listed
from sfumato.recipe.text.job import TextJob
from sfumato.release.folders import refuse_existing
from sfumato.text.stream.reading import NotesFolder, rows_of
from sfumato.text.stream.work import NAME


@dataclass(frozen=True)
class TextPlan:
    """What a run would do."""

    job: TextJob
    target: Path
    unfinished: bool

    def __str__(self) -> str:
        job = self.job
        replacement = job.method.replacement(job.finding.language)
        hidden = [n for n in job.schema.columns if n not in job.schema.released]
        lines = {
            "notes": f"the column '{job.text}'",
            "person": job.schema.person or "every note is taken as another person's",
            "released": ", ".join(job.schema.released),
            **({"left out": ", ".join(hidden)} if hidden else {}),
            **({"masked": ", ".join(job.masking.masks)} if job.masking.masks else {}),
            **({"known": ", ".join(f"{n} ({k})" for n, k in job.known.items())} if job.known else {}),
            "search": f"{job.finding.language}, model {job.model_told}, from {job.finding.threshold:g} on",
            "replace": f"{replacement.name}, policy {job.method.policy}",
            "key": "needed" if replacement.needs_key else "not needed",
            "promise": ", ".join(model.name for model in job.models) or "nothing",
            "measured": "on annotated notes" if job.annotated else "nothing: no annotated notes are named",
            "writes": f"{self.target / 'release'} and {self.target / 'steward'}",
        }
        if self.unfinished:
            lines["unfinished"] = "work of an earlier run is taken up, or thrown away with --restart"
        quasi = [n for n in job.schema.with_role(Role.QUASI_IDENTIFIER) if n not in job.masking.masks]
        if quasi:
            lines["note"] = f"released as they are, and known to others: {', '.join(quasi)}"
        told = [f"  {what:<14}{text}" for what, text in lines.items()]
        return "\n".join([f"Plan: {job.title}", *told, "No note was read, nothing was written."])


def plan_of_text(
    job: TextJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> TextPlan:
    """Look at the names of the columns."""
    refuse_existing(target, replace=replace)
    progress.step("looking at the columns")
    check_listed(job.schema, _names(job))
    return TextPlan(job, target, (target / NAME).is_dir() and not job.restart)


def _names(job: TextJob) -> tuple[str, ...]:
    source = job.source
    if isinstance(source, CsvFile | JsonLines | NotesFolder):
        with rows_of(source) as rows:
            return rows.names
    with DuckEngine() as engine:
        return engine.read(source).names
