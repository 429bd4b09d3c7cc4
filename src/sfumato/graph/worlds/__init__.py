"""Possible worlds of a grouping: how many there are, drawing them, and what analysts learn from them."""

from __future__ import annotations

from sfumato.graph.worlds.certainty import Certain, certain
from sfumato.graph.worlds.counts import log_worlds, number_of_worlds
from sfumato.graph.worlds.estimates import (
    Estimate,
    estimate,
    expected_degree_distribution,
    expected_degrees,
)
from sfumato.graph.worlds.sampling import group_of_world, sample, worlds
from sfumato.graph.worlds.summary import grouped_of

__all__ = [
    "Certain",
    "Estimate",
    "certain",
    "estimate",
    "expected_degree_distribution",
    "expected_degrees",
    "group_of_world",
    "grouped_of",
    "log_worlds",
    "number_of_worlds",
    "sample",
    "worlds",
]
