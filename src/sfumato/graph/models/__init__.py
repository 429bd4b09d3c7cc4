"""Promises about networks, groupings and figures, by the names that recipes use."""

from typing import Any

from sfumato.graph.models.k_automorphism import KAutomorphism
from sfumato.graph.models.k_degree import KDegree
from sfumato.graph.models.k_grouping import KGrouping
from sfumato.graph.models.k_isomorphism import KIsomorphism
from sfumato.graph.models.k_neighbourhood import KNeighbourhood
from sfumato.graph.models.private import DifferentialPrivacy

_ALL: tuple[type[Any], ...] = (
    KDegree,
    KNeighbourhood,
    KGrouping,
    KAutomorphism,
    KIsomorphism,
    DifferentialPrivacy,
)
MODELS: dict[str, type[Any]] = {model.name: model for model in _ALL}
"""every promise of this room"""

__all__ = [
    "MODELS",
    "DifferentialPrivacy",
    "KAutomorphism",
    "KDegree",
    "KGrouping",
    "KIsomorphism",
    "KNeighbourhood",
]
