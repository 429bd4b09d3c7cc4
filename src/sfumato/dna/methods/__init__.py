"""Ways to protect rows, by the names that recipes use. For statistics see ``statistics_registry``."""

from __future__ import annotations

from typing import Any

from sfumato.dna.methods.binning import Binning
from sfumato.dna.methods.dnala import Dnala
from sfumato.dna.methods.haplotype import HaplotypeBlocks
from sfumato.dna.methods.suppression import SnpSuppression

_ALL: tuple[type[Any], ...] = (Binning, SnpSuppression, Dnala, HaplotypeBlocks)

ROW_METHODS: dict[str, type[Any]] = {method.name: method for method in _ALL}
"""every method for rows, by the name that recipes use"""

__all__ = ["ROW_METHODS", "Binning", "Dnala", "HaplotypeBlocks", "SnpSuppression"]
