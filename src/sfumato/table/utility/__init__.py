"""Utility: how much a release has lost."""

from typing import Any

from sfumato.table.utility.class_size import AverageClassSize, Discernibility
from sfumato.table.utility.entropy import NonUniformEntropy, NormalisedEntropy
from sfumato.table.utility.entropy_loss import EntropyBasedLoss
from sfumato.table.utility.height import Height
from sfumato.table.utility.kl_divergence import KLDivergence
from sfumato.table.utility.loss import Loss
from sfumato.table.utility.precision import Precision

UTILITIES: dict[str, type[Any]] = {
    utility.name: utility
    for utility in (
        Loss,
        Discernibility,
        AverageClassSize,
        Precision,
        Height,
        NonUniformEntropy,
        NormalisedEntropy,
        KLDivergence,
        EntropyBasedLoss,
    )
}
"""every measure that a search can minimise, by the name that recipes use"""

__all__ = [
    "UTILITIES",
    "AverageClassSize",
    "Discernibility",
    "EntropyBasedLoss",
    "Height",
    "KLDivergence",
    "Loss",
    "NonUniformEntropy",
    "NormalisedEntropy",
    "Precision",
]
