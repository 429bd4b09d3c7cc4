"""Releases without interaction: the whole budget is spent once, and what comes out can be shared."""

from typing import Any

from sfumato.query.methods.aim import AdaptiveMarginals
from sfumato.query.methods.cube import DataCube
from sfumato.query.methods.diffgen import DiffGen
from sfumato.query.methods.hierarchical_histogram import HierarchicalHistogram
from sfumato.query.methods.independent import IndependentMarginals
from sfumato.query.methods.mst import SpanningTreeMarginals
from sfumato.query.methods.privelet import Privelet

_ALL: tuple[type[Any], ...] = (
    IndependentMarginals,
    SpanningTreeMarginals,
    AdaptiveMarginals,
    DiffGen,
    HierarchicalHistogram,
    Privelet,
    DataCube,
)
METHODS: dict[str, type[Any]] = {method.name: method for method in _ALL}
"""every method by the name that recipes use"""

__all__ = [
    "METHODS",
    "AdaptiveMarginals",
    "DataCube",
    "DiffGen",
    "HierarchicalHistogram",
    "IndependentMarginals",
    "Privelet",
    "SpanningTreeMarginals",
]
