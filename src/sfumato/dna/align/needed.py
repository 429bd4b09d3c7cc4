"""Align only what needs it, and only with permission: an alignment is a guess about what belongs together."""

from __future__ import annotations

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.align.banded import Banded
from sfumato.dna.align.contract import Aligner
from sfumato.dna.align.mafft import Mafft
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.hierarchy.iupac import iupac


def usual_aligner() -> Aligner:
    """Return MAFFT where it is installed, else the built-in aligner."""
    mafft = Mafft()
    return mafft if mafft.found else Banded()


def align_if_needed(
    data: Aligned | Unaligned,
    permitted: bool,
    aligner: Aligner | None = None,
    *,
    progress: Progress = SILENT,
) -> Aligned:
    """Return sequences of the same length as they are, and others aligned where that is permitted.

    >>> from sfumato.hierarchy.iupac import parse
    >>> align_if_needed(Unaligned((parse("ACGT"), parse("ACGA"))), permitted=False).width
    4
    """
    if isinstance(data, Aligned):
        return data
    if not len(data):
        raise BadInput("there is no sequence", where="sequences", remedy="check what was read")
    lengths = {len(sequence) for sequence in data.sequences}
    if len(lengths) == 1:
        return Aligned(np.stack(data.sequences), iupac(), persons=data.persons)
    if not permitted:
        raise BadInput(
            f"the {len(data):,} sequences have {len(lengths):,} different lengths, "
            f"from {min(lengths):,} to {max(lengths):,} bases",
            where="sequences",
            remedy="write 'align: true' to have them aligned, or give sequences that are",
        )
    return (aligner or usual_aligner()).align(data, progress=progress)
