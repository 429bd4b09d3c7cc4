"""Ways to publish statistics, by the names that recipes use."""

from __future__ import annotations

from typing import Any

from sfumato.dna.methods.association import Association
from sfumato.dna.methods.beacon_answers import BeaconAnswers
from sfumato.dna.methods.dp_association import DpAssociation
from sfumato.dna.methods.dp_frequencies import DpFrequencies
from sfumato.dna.methods.dp_top_snps import DpTopSnps
from sfumato.dna.methods.frequencies import Frequencies
from sfumato.dna.methods.safe_snps import SafeSnps

_ALL: tuple[type[Any], ...] = (
    Frequencies,
    Association,
    SafeSnps,
    DpFrequencies,
    DpAssociation,
    DpTopSnps,
    BeaconAnswers,
)
STATISTICS_METHODS: dict[str, type[Any]] = {method.name: method for method in _ALL}
"""every method for statistics"""
