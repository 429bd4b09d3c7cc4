"""Few SNPs that single out many people: a set grown by the SNP that adds most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.core.attack import in_per_cent
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.models.classes import row_numbers
from sfumato.dna.risk.needed import entropies

MOST_POSITIONS = 2_000
"""positions of the highest entropy that are tried"""


@dataclass(frozen=True)
class SetExposure:
    """A set of SNPs and whom it singles out. There may be sets of as many SNPs that single out more."""

    positions: tuple[str, ...]
    columns: tuple[int, ...]
    """the same, as numbers from 1"""
    people: int
    unique: int
    classes: int

    def __str__(self) -> str:
        snps = "1 SNP" if len(self.positions) == 1 else f"{len(self.positions)} SNPs"
        return (
            f"{snps} chosen to tell most: {in_per_cent(self.unique / self.people)} unique "
            f"({self.classes:,} kinds of rows)"
        )


def telling_sets(
    rows: Aligned,
    size: int,
    *,
    most_positions: int = MOST_POSITIONS,
    progress: Progress = SILENT,
) -> tuple[SetExposure, ...]:
    """Return sets of 1 to ``size`` SNPs, each the one before and the SNP that leaves most people alone.

    While nobody stands alone, and between equals, more kinds of rows decide. Sets in cells are values of
    their own. It ends where no SNP tells more.

    >>> from sfumato.dna.aligned import aligned
    >>> for found in telling_sets(aligned("AAC", "AGC", "GAC", "GGC"), 3):
    ...     print(found.positions, found)
    ('1',) 1 SNP chosen to tell most: 0.0 % unique (2 kinds of rows)
    ('1', '2') 2 SNPs chosen to tell most: 100.0 % unique (4 kinds of rows)
    """
    from sfumato.dna.risk._kernels_needed import split

    telling = entropies(rows)
    tried = np.argsort(-telling, kind="stable")[: min(most_positions, int((telling > 0).sum()))]
    tried = np.sort(tried).astype(np.int64)
    cells = np.ascontiguousarray(rows.cells.T)
    _, owners = np.unique(rows.owners, return_inverse=True)
    owners = owners.astype(np.int64)
    people = int(owners.max()) + 1
    labels = np.zeros(len(rows), np.int64)
    classes, chosen, found = 1, list[int](), list[SetExposure]()
    progress.step("sets of SNPs")
    for number in range(min(size, len(tried))):
        alone, kinds = split(cells, tried, labels, owners, people)
        best = int(np.lexsort((-kinds, -alone))[0])
        if kinds[best] == classes:
            break
        classes = int(kinds[best])
        chosen.append(int(tried[best]))
        labels = row_numbers(rows.cells[:, chosen])
        found.append(
            SetExposure(
                tuple(rows.positions[column] for column in chosen),
                tuple(column + 1 for column in chosen),
                people,
                int(alone[best]),
                classes,
            )
        )
        progress.update((number + 1) / size)
    return tuple(found)
