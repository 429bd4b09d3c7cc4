"""Make a release of a network, of groups, or of statistics: all of it, checked, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.evidence_graph import StewardGraphEvidence
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.graph.network_job import NetworkJob

if TYPE_CHECKING:
    from sfumato.recipe.graph.job import GraphJob
    from sfumato.recipe.release import Released


def make_graph_release(
    job: GraphJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> Released[StewardGraphEvidence]:
    """Make a release in ``target``: all of it, checked, or nothing."""
    if isinstance(job, NetworkJob):
        from sfumato.recipe.graph.network_release import make_network_release

        return make_network_release(job, target, replace=replace, progress=progress)
    from sfumato.recipe.graph.statistics_release import make_graph_statistics_release

    return make_graph_statistics_release(job, target, replace=replace, progress=progress)
