"""Promises about rows and statistics."""

from typing import Any

from sfumato.dna.models.bins import Bins
from sfumato.dna.models.genotype_k_map import GenotypeKMap
from sfumato.dna.models.sequence_k_anonymity import SequenceKAnonymity
from sfumato.dna.models.snp_exposure import SnpExposure

_ALL: tuple[type[Any], ...] = (SequenceKAnonymity, Bins, GenotypeKMap, SnpExposure)
ROW_MODELS: dict[str, type[Any]] = {model.name: model for model in _ALL}
"""every promise about rows, by the name that recipes use"""

__all__ = ["ROW_MODELS", "Bins", "GenotypeKMap", "SequenceKAnonymity", "SnpExposure"]
