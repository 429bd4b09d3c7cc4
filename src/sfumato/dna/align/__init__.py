"""Bring sequences to the same length, and find where they differ."""

from __future__ import annotations

from sfumato.dna.align.banded import Banded
from sfumato.dna.align.contract import Aligner, without_gaps
from sfumato.dna.align.mafft import Mafft
from sfumato.dna.align.needed import align_if_needed, usual_aligner
from sfumato.dna.align.online import Newcomer, OnlineAligner
from sfumato.dna.align.scoring import Scoring
from sfumato.dna.align.snvr import snvrs

ALIGNERS: dict[str, type[Aligner]] = {"banded": Banded, "mafft": Mafft}
"""the aligners that a recipe can name"""

__all__ = [
    "ALIGNERS",
    "Aligner",
    "Banded",
    "Mafft",
    "Newcomer",
    "OnlineAligner",
    "Scoring",
    "align_if_needed",
    "snvrs",
    "usual_aligner",
    "without_gaps",
]
