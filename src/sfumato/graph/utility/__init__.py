"""How much a network has lost: measures of utility. Kernels are loaded when something is first measured."""

from typing import Any

from sfumato.graph.utility.betweenness_ranks import BetweennessRanks
from sfumato.graph.utility.clustering import ClusteringChange
from sfumato.graph.utility.communities import Communities
from sfumato.graph.utility.contract import GraphMeasure
from sfumato.graph.utility.degree_distance import DegreeDistance
from sfumato.graph.utility.edges_changed import EdgesChanged
from sfumato.graph.utility.path_lengths import PathLengths
from sfumato.graph.utility.possible_worlds import PossibleWorlds
from sfumato.graph.utility.spectral_gap import SpectralGap

_ALL: tuple[type[Any], ...] = (
    EdgesChanged,
    DegreeDistance,
    ClusteringChange,
    PathLengths,
    BetweennessRanks,
    Communities,
    SpectralGap,
    PossibleWorlds,
)
MEASURES: dict[str, type[Any]] = {measure.name: measure for measure in _ALL}
"""every measure over networks, by the name that recipes use"""

__all__ = [
    "MEASURES",
    "BetweennessRanks",
    "ClusteringChange",
    "Communities",
    "DegreeDistance",
    "EdgesChanged",
    "GraphMeasure",
    "PathLengths",
    "PossibleWorlds",
    "SpectralGap",
]
