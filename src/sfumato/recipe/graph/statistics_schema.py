"""schema.json of released statistics of a network: the file, its columns, and between what figures lie."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sfumato.graph.methods import DpCounts, DpDegreeSequence
from sfumato.recipe.graph.statistics_methods import StatisticsMethod

_COUNTED = {
    "nodes": "nodes, with noise",
    "edges": "edges, with noise",
    "wedges": "pairs of neighbours of a node (paths of two edges), with noise",
    "triangles": "triangles, with noise",
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReleasedColumn(_Part):
    """A column of figures."""

    name: str
    meaning: str
    least: float = 0.0
    most: float | None = Field(default=None, description="as far as that is public")


class ReleasedGraphStatistics(_Part):
    """What a release of statistics of a network holds."""

    format: Literal["sfumato-schema"] = "sfumato-schema"
    kind: Literal["graph"] = "graph"
    version: Literal[1] = 1
    form: Literal["statistics"] = "statistics"
    file: str
    statistic: str
    figures: list[ReleasedColumn]


def statistic_of(method: StatisticsMethod) -> str:
    """Return the name of what a method publishes."""
    if isinstance(method, DpCounts):
        return method.count.value
    return "degree-sequence" if isinstance(method, DpDegreeSequence) else "degree-histogram"


def theta_of(method: StatisticsMethod, nodes: int | None) -> int | None:
    """Return the highest degree that a histogram tells apart: as asked for, or what n public nodes allow."""
    theta = getattr(method, "theta", None)
    return (None if nodes is None else nodes - 1) if theta is None else int(theta)


def columns_declared(method: StatisticsMethod, nodes: int | None) -> list[ReleasedColumn]:
    """Describe what a method publishes, from what is public alone: ``nodes`` where their number is.

    >>> [(one.name, one.most) for one in columns_declared(DpDegreeSequence(), 5)]
    [('degree', 4.0)]
    """
    everybody = None if nodes is None else float(nodes)
    if isinstance(method, DpCounts):
        name = method.count.value
        most = None if nodes is None else float(_most(name, nodes))
        return [ReleasedColumn(name=name, meaning=_COUNTED[name], most=most)]
    theta = theta_of(method, nodes)
    highest = None if theta is None else float(theta)
    if isinstance(method, DpDegreeSequence):
        return [
            ReleasedColumn(name="degree", meaning="degrees of all nodes, ascending, with noise", most=highest)
        ]
    cumulative = method.cumulative
    return [
        ReleasedColumn(
            name="degree", meaning="number of neighbours; the last stands for all above, too", most=highest
        ),
        ReleasedColumn(
            name="nodes",
            meaning="nodes that have so many, with noise",
            most=everybody if cumulative else None,
        ),
    ]


def _most(count: str, nodes: int) -> int:
    """Return the greatest count in any network of so many nodes."""
    pairs, thirds = nodes * (nodes - 1) // 2, max(nodes - 2, 0)
    return {"edges": pairs, "wedges": pairs * thirds, "triangles": pairs * thirds // 3}[count]


def released_graph_statistics(
    method: StatisticsMethod, nodes: int | None, file: str
) -> ReleasedGraphStatistics:
    """Describe what is written."""
    return ReleasedGraphStatistics(
        file=file, statistic=statistic_of(method), figures=columns_declared(method, nodes)
    )
