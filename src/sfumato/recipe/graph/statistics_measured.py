"""What noise took from statistics of a network, against the exact figures: for the steward alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core import evidence as ev
from sfumato.core.describe import measure_told
from sfumato.core.evidence_graph import Curve
from sfumato.graph.utility import MEASURES, GraphMeasure
from sfumato.recipe.graph.network_shown import MOST_POINTS, degree_curve
from sfumato.recipe.graph.statistics_methods import measured_by
from sfumato.recipe.graph.statistics_outcome import GraphStatisticsOutcome, exact_statistics

ERROR = "mean-absolute-error"
BEFORE, AFTER = "before", "after"


def lost(outcome: GraphStatisticsOutcome) -> list[ev.MeasureEvidence]:
    """Compare each figure with what it is without noise, and the distributions of degrees."""
    network = outcome.read.network
    exact = exact_statistics(outcome.job.method, network, outcome.statistics)
    name = list(outcome.statistics.columns)[-1]
    true, shown = exact.columns[name], outcome.statistics.columns[name]
    off = np.abs(shown - true)
    found = [
        ev.MeasureEvidence(
            name=ERROR,
            title="mean absolute error",
            value=float(off.mean()),
            range="0 … ∞",
            meaning=f"by how much the figures of {name} are off, on average",
            details={
                "greatest": float(off.max()),
                "relative to the sum of the exact figures": float(off.sum() / max(true.sum(), 1.0)),
            },
        )
    ]
    measures: dict[str, GraphMeasure] = {one: MEASURES[one]() for one in measured_by(outcome.job.method)}
    measures |= {measure.name: measure for measure in outcome.job.measures}
    for measure in measures.values():
        value = measure.of(network, outcome.statistics)
        # Noise may leave nothing to compare with, and nothing is held back for that.
        if value is not None:
            found.append(measure_told(measure, value))
    return found


def curves_of_statistics(outcome: GraphStatisticsOutcome) -> list[Curve]:
    """Return the exact degrees and those that are released, as lines of a plot."""
    columns = outcome.statistics.columns
    if "degree" not in columns or not outcome.read.network.nodes:
        return []
    nodes = columns.get("nodes", np.ones(len(columns["degree"])))
    if float(nodes.sum()) <= 0:
        return [degree_curve(outcome.read.network, BEFORE)]
    return [degree_curve(outcome.read.network, BEFORE), _noisy(columns["degree"], nodes)]


def _noisy(degree: NDArray[np.float64], nodes: NDArray[np.float64]) -> Curve:
    """Return the share of nodes of a degree or a higher one."""
    places, where = np.unique(degree, return_inverse=True)
    counted = np.bincount(where, weights=nodes)
    share = np.cumsum(counted[::-1])[::-1] / counted.sum()
    chosen = np.unique(np.linspace(0, len(places) - 1, MOST_POINTS).round().astype(np.int64))
    return Curve(
        title=AFTER,
        x=[float(one) for one in places[chosen]],
        y=[round(float(one), 6) for one in share[chosen]],
    )
