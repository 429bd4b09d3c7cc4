"""Make a release of DNA, of rows or of statistics: all of it, checked, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.evidence_dna import StewardDnaEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.dna.rows_job import RowsJob

if TYPE_CHECKING:
    from sfumato.recipe.dna.job import DnaJob
    from sfumato.recipe.release import Released


def make_dna_release(
    job: DnaJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardDnaEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    if isinstance(job, RowsJob):
        from sfumato.recipe.dna.rows_release import make_rows_release

        return make_rows_release(job, target, replace=replace, progress=progress)
    from sfumato.recipe.dna.statistics_release import make_statistics_release

    return make_statistics_release(job, target, replace=replace, progress=progress)
