"""Linkage disequilibrium between neighbouring sites: r² of dosages (Hill & Robertson 1968; Weir 1979).

    r²(i, j) = (n Σxy − Σx Σy)² / ((n Σx² − (Σx)²)(n Σy² − (Σy)²)),

x and y the dosages of the n people who are called at both sites. It needs no phase (the *composite* r²).
Where a site does not vary among them it is not defined: NaN.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.sites import Sites
from sfumato.dna.source import SITES_AT_ONCE, Block, GenotypeSource
from sfumato.dna.statistics.selected import selected
from sfumato.dna.statistics.tables import Figures


def numbered_chromosomes(sites: Sites) -> NDArray[np.int64]:
    """Return each site's chromosome as a number."""
    return np.unique(sites.chromosome.astype(str), return_inverse=True)[1].astype(np.int64)


def neighbouring_r2(
    source: GenotypeSource,
    *,
    neighbours: int = 1,
    at_once: int = SITES_AT_ONCE,
    progress: Progress = SILENT,
) -> Figures:
    """Return sites × neighbours: r² of each site with the ones that follow it on its chromosome.

    One pass; a block and the last few rows of the one before are in memory.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> rows = np.array([[0, 1, 2, -1], [2, 1, 0, 0], [0, 0, 1, 2]], np.int8)
    >>> neighbouring_r2(InMemory(rows, numbered(3))).round(3).ravel()
    array([1.   , 0.669,   nan])
    """
    blocks = source.blocks(at_once=at_once, progress=progress)
    return _following(blocks, source.people, numbered_chromosomes(source.sites), neighbours)


def r2_between(source: GenotypeSource, which: NDArray[np.int64], *, progress: Progress = SILENT) -> Figures:
    """Return r² of each of the sites ``which`` (rising numbers) with the next of them on its chromosome."""
    chromosomes = numbered_chromosomes(source.sites.some(which))
    return _following(selected(source, which, progress=progress), source.people, chromosomes, 1)[:, 0]


def _following(
    blocks: Iterator[Block], people: int, chromosomes: NDArray[np.int64], neighbours: int
) -> Figures:
    from sfumato.dna.statistics._kernels_linkage import following

    found = np.full((len(chromosomes), neighbours), np.nan)
    carried = np.empty((0, people), np.int8)
    done = 0
    for block in blocks:
        rows = np.concatenate([carried, block.dosages])
        last = block.first + len(block.dosages) == len(chromosomes)
        ready = len(rows) if last else max(len(rows) - neighbours, 0)
        out = np.empty((ready, neighbours))
        following(rows, chromosomes[done : done + len(rows)].copy(), out)
        found[done : done + ready] = out
        done += ready
        carried = rows[ready:]
    return found
