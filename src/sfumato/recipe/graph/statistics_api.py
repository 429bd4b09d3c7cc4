"""The Python door to statistics of a network: the same job as a recipe, spelt as a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.core.evidence_graph import GraphEvidence, StewardGraphEvidence
from sfumato.core.fingerprint import input_fingerprint
from sfumato.core.named import measures_named
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.dp.exact import Number
from sfumato.graph.contract import Statistics
from sfumato.graph.models import DifferentialPrivacy
from sfumato.graph.reading.policy import NOBODY
from sfumato.graph.utility import MEASURES
from sfumato.graph.writing import statistics_table
from sfumato.recipe.arguments import built
from sfumato.recipe.graph.api import data_of, options_of
from sfumato.recipe.graph.network_reading import input_bytes
from sfumato.recipe.graph.statistics_evidence import gather_graph_statistics
from sfumato.recipe.graph.statistics_job import GraphStatisticsJob
from sfumato.recipe.graph.statistics_methods import OF_STATISTICS, StatisticsMethod, method_of
from sfumato.recipe.graph.statistics_outcome import carry_out_graph_statistics
from sfumato.report import save as save_report

Spelt = str | Mapping[str, Any]
Promised = DifferentialPrivacy | Spelt


@dataclass(frozen=True)
class GraphStatisticsRelease:
    """Statistics of a network in memory: figures, verdicts, and a report on request."""

    statistics: Statistics = field(repr=False)
    verdicts: tuple[Verdict, ...]
    evidence: StewardGraphEvidence = field(repr=False)
    public: GraphEvidence = field(repr=False)
    """the evidence that may go out with the figures"""

    @property
    def data(self) -> pa.Table:
        """The figures as a table."""
        return statistics_table(self.statistics)

    @property
    def utility(self) -> dict[str, float | list[float]]:
        """What was lost to noise, by measure: for the steward."""
        return {measure.name: measure.value for measure in self.evidence.utility}

    def report(self, path: str | Path, *, public: bool = False) -> Path:
        """Write the report, for the steward or for the public."""
        return save_report(self.public if public else self.evidence, path)


def protect_graph_statistics(
    data: Any,
    *,
    models: Promised | Sequence[Promised] = (),
    epsilon: Number | None = None,
    neighbours: Literal["edge", "node"] = "edge",
    method: StatisticsMethod | Spelt | None = None,
    measures: Any = (),
    title: str = "Untitled release",
    random: Random | None = None,
    progress: Progress = SILENT,
    **options: Any,
) -> GraphStatisticsRelease:
    """Count a network with noise and return the figures in memory.

    ``data`` and ``options`` are those of ``protect_graph``; it must tell of people without edges, as lists
    of pairs do not. Promise differential privacy with ``models``, or
    give ``epsilon`` and what is hidden (``neighbours``): an edge, or a node with all its edges. The method
    is the degree sequence unless given.

    >>> import numpy as np
    >>> from sfumato.graph.network import Network
    >>> ring = Network.of_edges(4, np.array([[0, 1], [1, 2], [2, 3], [3, 0]]))
    >>> release = protect_graph_statistics(ring, epsilon=100, method={"dp-counts": {"count": "edges"}})
    >>> release.data.to_pydict(), release.public.figures.epsilon
    ({'edges': [4.0]}, '100')
    """
    listed = list(models) if isinstance(models, list | tuple) else [models]
    registry = {DifferentialPrivacy.name: DifferentialPrivacy}
    promised = [built(registry, model, "model", "demand") for model in listed]
    if epsilon is not None:
        promised.append(DifferentialPrivacy(epsilon, neighbours=neighbours))
    part = options_of(options)
    job = GraphStatisticsJob(
        data=data_of(data, part, edgeless=NOBODY),
        models=tuple(promised),
        method=_method(method, promised),
        options=part,
        measures=measures_named(MEASURES, measures, "of"),
        title=title,
        random=SecretRandom() if random is None else random,
    )
    outcome = carry_out_graph_statistics(job, progress)
    rows = statistics_table(outcome.statistics).num_rows
    gathered = gather_graph_statistics(
        outcome,
        ev.DataEvidence(file="in memory", sha256="", rows=rows, bytes=0),
        "",
        input_fingerprint(input_bytes(job.data), outcome.read.network.edges, None),
        progress=progress,
    )
    return GraphStatisticsRelease(outcome.statistics, gathered.verdicts, gathered.steward, gathered.public)


def _method(
    given: StatisticsMethod | Spelt | None, models: Sequence[DifferentialPrivacy]
) -> StatisticsMethod:
    if given is None or isinstance(given, str | Mapping):
        return method_of(given, models)
    if not isinstance(given, OF_STATISTICS):
        raise BadInput(
            "the method makes no statistics of a network",
            where="method",
            remedy=f"give one of: {', '.join(kind.name for kind in OF_STATISTICS)}",
        )
    return given
