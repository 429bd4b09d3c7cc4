"""Counts on networks: degrees, triangles, components, distances. What utility and methods share.

Kernels are loaded when something is first counted.
"""

from sfumato.graph.statistics.degrees import degree_histogram, wedges
from sfumato.graph.statistics.paths import components, distance_histogram, distances, sampled_sources
from sfumato.graph.statistics.triangles import (
    average_clustering,
    clustering,
    transitivity,
    triangle_count,
    triangles,
)

__all__ = [
    "average_clustering",
    "clustering",
    "components",
    "degree_histogram",
    "distance_histogram",
    "distances",
    "sampled_sources",
    "transitivity",
    "triangle_count",
    "triangles",
    "wedges",
]
