"""``--dry-run`` over a network: what would be done. Reads, but decides and writes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.graph.network_job import NetworkJob
from sfumato.release.folders import refuse_existing

if TYPE_CHECKING:
    from sfumato.recipe.graph.job import GraphJob
    from sfumato.recipe.graph.network_plan import NetworkPlan
    from sfumato.recipe.graph.statistics_plan import GraphStatisticsPlan

    GraphPlan = NetworkPlan | GraphStatisticsPlan


def plan_of_graph(
    job: GraphJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> GraphPlan:
    """Read, but decide and write nothing."""
    refuse_existing(target, replace=replace)
    if isinstance(job, NetworkJob):
        from sfumato.recipe.graph.network_plan import plan_of_network

        return plan_of_network(job, target, progress)
    from sfumato.recipe.graph.statistics_plan import plan_of_graph_statistics

    return plan_of_graph_statistics(job, target, progress)
