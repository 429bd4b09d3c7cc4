"""``--dry-run`` over a table and codes: what would be done. Reads and joins, decides and writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.engine import open_engine
from sfumato.recipe.records.job import RecordsJob
from sfumato.recipe.records.outcome import open_both
from sfumato.record.relational_codes.run import Found
from sfumato.release.folders import refuse_existing


@dataclass(frozen=True)
class RecordsPlan:
    """What a run would do."""

    job: RecordsJob
    target: Path
    found: Found

    def __str__(self) -> str:
        job, problem = self.job, self.found.problem
        sets = problem.sets
        lines = {
            "people": f"{len(sets):,}, {len(problem.cells):,} distinct combinations",
            "quasi-identifier": ", ".join(job.asked.quasi),
            "codes": f"{len(sets.domain):,} different, {sets.occurrences:,} occurrences",
            "promise": _spelt(job.asked.model),
            "method": _spelt(job.asked.method),
            "writes": f"{self.target / 'release'} and {self.target / 'steward'}",
        }
        told = [f"  {what:<18}{text}" for what, text in lines.items()]
        told += [f"  {'note':<18}{note}" for note in self.found.joined.notes]
        return "\n".join([f"Plan: {job.title}", *told, "Nothing was written."])


def _spelt(thing: Any) -> str:
    """Write it as a recipe does: ``k-km-anonymity (k 5, m 2)``."""
    told = ", ".join(f"{key} {value}" for key, value in parameters_of(thing).items())
    return f"{thing.name} ({told})" if told else str(thing.name)


def plan_of_records(
    job: RecordsJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> RecordsPlan:
    """Read and join, but decide and write nothing."""
    refuse_existing(target, replace=replace)
    engine = open_engine("duckdb", memory_limit=job.memory)
    try:
        return RecordsPlan(job, target, open_both(job, engine, progress).found)
    finally:
        engine.close()
