"""Ways to protect networks, by the names that recipes use."""

from __future__ import annotations

from typing import Any

from sfumato.graph.methods.degree import KDegreeMethod
from sfumato.graph.methods.grouping import KGroupingMethod
from sfumato.graph.methods.neighbourhood import KNeighbourhoodMethod
from sfumato.graph.methods.private_counts import DpCounts
from sfumato.graph.methods.private_degree_histogram import DpDegreeHistogram
from sfumato.graph.methods.private_degree_sequence import DpDegreeSequence
from sfumato.graph.methods.random_add_delete import RandomAddDelete
from sfumato.graph.methods.random_switch import RandomSwitch

_ALL: tuple[type[Any], ...] = (
    KGroupingMethod,
    KNeighbourhoodMethod,
    DpCounts,
    DpDegreeHistogram,
    DpDegreeSequence,
    KDegreeMethod,
    RandomAddDelete,
    RandomSwitch,
)

METHODS: dict[str, type[Any]] = {method.name: method for method in _ALL}
"""every method, by the name that recipes use"""

__all__ = [
    "METHODS",
    "DpCounts",
    "DpDegreeHistogram",
    "DpDegreeSequence",
    "KDegreeMethod",
    "KGroupingMethod",
    "KNeighbourhoodMethod",
    "RandomAddDelete",
    "RandomSwitch",
]
