"""How much was lost."""

from typing import Any

from sfumato.dna.utility.allele_frequencies import FrequencyError
from sfumato.dna.utility.association import HitsLost, RankingError
from sfumato.dna.utility.contract import RowMeasure
from sfumato.dna.utility.lattice_loss import CellsChanged, LatticeLoss
from sfumato.dna.utility.linkage_disequilibrium import LinkageError

_ALL: tuple[type[Any], ...] = (
    LatticeLoss,
    CellsChanged,
    FrequencyError,
    LinkageError,
    RankingError,
    HitsLost,
)
MEASURES: dict[str, type[Any]] = {measure.name: measure for measure in _ALL}
"""every measure over rows, by the name that recipes use"""

__all__ = [
    "MEASURES",
    "CellsChanged",
    "FrequencyError",
    "HitsLost",
    "LatticeLoss",
    "LinkageError",
    "RankingError",
    "RowMeasure",
]
