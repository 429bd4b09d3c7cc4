"""``--dry-run`` over a network that is released as one, or as groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfumato.core.errors import PromiseNotMet
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.graph.network_job import NetworkJob
from sfumato.recipe.graph.network_outcome import FoundNetwork, look_at
from sfumato.recipe.graph.network_reading import component_count, stripped_of
from sfumato.recipe.graph.network_schema import files_of


@dataclass(frozen=True)
class NetworkPlan:
    """What a run would do."""

    job: NetworkJob
    target: Path
    found: FoundNetwork

    def __str__(self) -> str:
        job, read = self.job, self.found.read
        network = read.network
        alone = int(np.count_nonzero(network.degrees() == 0))
        file, more = files_of(job.form, job.written)
        lines = {
            "network": f"{network.nodes:,} nodes, each taken as another person, and {network.edges:,} edges",
            "connected parts": f"{component_count(read):,}, of which {alone:,} are nodes without an edge",
            "degrees": f"up to {int(network.degrees().max(initial=0)):,}",
            "left out": ", ".join(stripped_of(read, job.options.label, table=job.people is not None)),
        }
        if job.labelled:
            lines["labels"] = f"{job.options.label}, {len(network.words):,} different"
        if job.people is not None:
            lines["beside"] = "a table about the nodes"
        lines["promise"] = ", ".join(spelt(model.name, parameters_of(model)) for model in job.models)
        lines["method"] = spelt(job.method.name, parameters_of(job.method))
        files = ", ".join((file, *more))
        lines["writes"] = f"{self.target / 'release'} ({files}) and {self.target / 'steward'}"
        told = [f"  {what:<18}{text}" for what, text in lines.items()]
        told += [f"  {'note':<18}{note}" for note in read.told.sentences()]
        return "\n".join([f"Plan: {job.title}", *told, "Nothing was written."])


def spelt(name: str, parameters: Mapping[str, object]) -> str:
    """Write it as a recipe does: ``k-degree (k 5)``."""
    told = ", ".join(f"{key} {value}" for key, value in parameters.items())
    return f"{name} ({told})" if told else name


def plan_of_network(job: NetworkJob, target: Path, progress: Progress = SILENT) -> NetworkPlan:
    """Read, and see that nothing stands in the way; decide and write nothing."""
    progress.step("reading the network")
    found = look_at(job)
    nodes = found.read.network.nodes
    for model in job.models:
        if model.demand().people > nodes:
            raise PromiseNotMet(
                f"{model.name} asks for {model.demand().people:,} people and there are {nodes:,}",
                remedy="ask for less, or publish more people together",
            )
    return NetworkPlan(job, target, found)
