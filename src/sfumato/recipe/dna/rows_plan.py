"""``--dry-run`` over rows of DNA: what would be done. Reads and aligns, decides and writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.dna.align import snvrs
from sfumato.dna.methods.asked import asked_of
from sfumato.recipe.dna.rows_job import RowsJob
from sfumato.recipe.dna.rows_outcome import FoundRows, look_at


@dataclass(frozen=True)
class RowsPlan:
    """What a run would do."""

    job: RowsJob
    target: Path
    found: FoundRows

    def __str__(self) -> str:
        job, read = self.job, self.found.read
        rows = read.rows
        people = len(np.unique(rows.owners))
        counted = f"{people:,} people" if job.counts_persons else "each taken as another person"
        unknown = int(np.count_nonzero(rows.cells == rows.lattice.top))
        lines = {
            "rows": f"{len(rows):,} of {read.form} ({read.origin}), {counted}",
            "positions": f"{rows.width:,}, of which {len(snvrs(rows)):,} vary",
            "not known": f"{unknown:,} cells",
        }
        if self.found.problem.population is not None:
            lines["population"] = f"{len(self.found.problem.population):,} rows"
        left_out = (*job.schema.with_role(Role.PERSON), *job.schema.with_role(Role.IDENTIFIER))
        if left_out:
            lines["left out"] = ", ".join(left_out)
        if job.beside:
            lines["beside"] = ", ".join(job.beside)
        lines["promise"] = ", ".join(_spelt(model.name, parameters_of(model)) for model in job.models)
        lines["method"] = _spelt(job.method.name, parameters_of(job.method))
        lines["writes"] = f"{self.target / 'release'} ({self.found.shape.file}) and {self.target / 'steward'}"
        told = [f"  {what:<18}{text}" for what, text in lines.items()]
        told += [f"  {'note':<18}{note}" for note in read.told]
        told += [f"  {'note':<18}{what}: {number:,}" for what, number in read.left_out.items()]
        return "\n".join([f"Plan: {job.title}", *told, "Nothing was written."])


def _spelt(name: str, parameters: Mapping[str, object]) -> str:
    """Write it as a recipe does: ``sequence-k-anonymity (k 2)``; of long lists their length."""
    told = ", ".join(
        f"{key} {f'{len(value):,} given' if isinstance(value, list) else value}"
        for key, value in parameters.items()
    )
    return f"{name} ({told})" if told else name


def plan_of_rows(job: RowsJob, target: Path, progress: Progress = SILENT) -> RowsPlan:
    """Read and align, and see that nothing stands in the way; decide and write nothing."""
    found = look_at(job, progress)
    asked_of(found.problem, job.method)
    return RowsPlan(job, target, found)
