"""Ways to publish statistics, by the names that recipes use."""

from __future__ import annotations

from typing import Any

from sfumato.dna.methods.association import Association
from sfumato.dna.methods.frequencies import Frequencies
from sfumato.dna.methods.safe_snps import SafeSnps

_ALL: tuple[type[Any], ...] = (Frequencies, Association, SafeSnps)
STATISTICS_METHODS: dict[str, type[Any]] = {method.name: method for method in _ALL}
"""every method for statistics"""
