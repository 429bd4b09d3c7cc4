"""``--dry-run`` over DNA: what would be done, of rows or of statistics. Decides and writes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.dna.rows_job import RowsJob
from sfumato.release.folders import refuse_existing

if TYPE_CHECKING:
    from sfumato.recipe.dna.job import DnaJob
    from sfumato.recipe.dna.rows_plan import RowsPlan
    from sfumato.recipe.dna.statistics_plan import StatisticsPlan

    DnaPlan = RowsPlan | StatisticsPlan


def plan_of_dna(job: DnaJob, target: Path, *, replace: bool = False, progress: Progress = SILENT) -> DnaPlan:
    """Read, but decide and write nothing."""
    refuse_existing(target, replace=replace)
    if isinstance(job, RowsJob):
        from sfumato.recipe.dna.rows_plan import plan_of_rows

        return plan_of_rows(job, target, progress)
    from sfumato.recipe.dna.statistics_plan import plan_of_statistics

    return plan_of_statistics(job, target, progress)
