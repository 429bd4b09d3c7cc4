"""``--dry-run`` over statistics of a network: what would be done. Counts, spends and writes nothing.

It tells nothing exact but what is public: a plan is shown to more people than the network is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sfumato.core.findings import many
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.reading import Read, Told
from sfumato.recipe.graph.network_plan import spelt
from sfumato.recipe.graph.statistics_job import GraphStatisticsJob
from sfumato.recipe.graph.statistics_price import (
    EDGE,
    IN_WORDS,
    meaning_of,
    neighbours_of,
    spent_by,
    text_of,
)
from sfumato.recipe.graph.statistics_reading import read_for_statistics
from sfumato.recipe.graph.statistics_warned import warnings_of_statistics

_OF_THE_FORMAT = ("comments", "header", "columns")
"""what is told of reading: how the file is written, and no figure of the network"""


@dataclass(frozen=True)
class GraphStatisticsPlan:
    """What a run would do."""

    job: GraphStatisticsJob
    target: Path
    read: Read

    def __str__(self) -> str:
        job = self.job
        epsilon, neighbours = spent_by(job.method, job.models), neighbours_of(job.method)
        lines = {
            "network": f"read: {_public(self.read, neighbours)}, each taken as another person",
            "promise": ", ".join(spelt(model.name, parameters_of(model)) for model in job.models),
            "method": spelt(job.method.name, parameters_of(job.method)),
            "price": f"ε = {text_of(epsilon)} ({IN_WORDS[neighbours]})",
            "meaning": "; ".join(meaning_of(epsilon, neighbours)),
            "writes": f"{self.target / 'release'} (data.{job.format}) and {self.target / 'steward'}",
        }
        told = [f"  {what:<18}{text}" for what, text in lines.items()]
        noted = Told({what: self.read.told[what] for what in _OF_THE_FORMAT})
        told += [f"  {'note':<18}{note}" for note in noted.sentences()]
        told += [f"  {'warning':<18}{text}" for text in warnings_of_statistics(job.method, epsilon)]
        return "\n".join([f"Plan: {job.title}", *told, "Nothing was counted, spent or written."])


def plan_of_graph_statistics(
    job: GraphStatisticsJob, target: Path, progress: Progress = SILENT
) -> GraphStatisticsPlan:
    """Read the network, and see that nothing stands in the way."""
    progress.step("reading the network")
    return GraphStatisticsPlan(job, target, read_for_statistics(job))


def _public(read: Read, neighbours: str) -> str:
    return many(read.network.nodes, "node") if neighbours == EDGE else "nodes"
