"""Perturbation of single records, one file for each way."""

from typing import Any

from sfumato.table.perturbation.coding import TopBottomCoding
from sfumato.table.perturbation.microaggregation import Microaggregation
from sfumato.table.perturbation.noise import Noise
from sfumato.table.perturbation.pram import Pram
from sfumato.table.perturbation.randomisation import MatrixRandomisation, RetentionReplacement
from sfumato.table.perturbation.randomisation_small_domain import SmallDomainRandomisation
from sfumato.table.perturbation.rounding import Rounding
from sfumato.table.perturbation.sampling import Sampling
from sfumato.table.perturbation.swapping import RankSwapping, RecordSwapping, ValueSwapping
from sfumato.table.perturbation.synthetic import Synthetic
from sfumato.table.perturbation.uniform_noise import UniformNoise

PERTURBATIONS: dict[str, type[Any]] = {
    step.name: step
    for step in (
        Microaggregation,
        Noise,
        UniformNoise,
        RankSwapping,
        ValueSwapping,
        RecordSwapping,
        Pram,
        Rounding,
        TopBottomCoding,
        Sampling,
        RetentionReplacement,
        MatrixRandomisation,
        SmallDomainRandomisation,
        Synthetic,
    )
}
"""every perturbation by the name that recipes use"""

__all__ = [
    "PERTURBATIONS",
    "MatrixRandomisation",
    "Microaggregation",
    "Noise",
    "Pram",
    "RankSwapping",
    "RecordSwapping",
    "RetentionReplacement",
    "Rounding",
    "Sampling",
    "SmallDomainRandomisation",
    "Synthetic",
    "TopBottomCoding",
    "UniformNoise",
    "ValueSwapping",
]
