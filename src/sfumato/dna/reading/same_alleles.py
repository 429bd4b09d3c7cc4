"""Genotypes of two files side by side: 0 and 1 must stand for the same alleles in both.

Columns of genotypes are found by their names, such as chromosome:position, which say nothing of alleles. In
files of PLINK allele 1 is often the rarer one, and in letters 0 is the first of the alphabet, so that two
files of one site may count different alleles: 0/0 of the one is then 1/1 of the other. Files are taken to be
of the same strand: A/C beside T/G are different alleles, and whether A/T was read off the other strand no
file tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned
from sfumato.dna.reading.letters import NONE, Pair
from sfumato.dna.reading.rows import Rows
from sfumato.dna.sites import Sites
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, SIZE

_NOT_SEEN = (NONE, "0")
"""how letters and PLINK write an allele that nobody has"""


def counted_alike(rows: Rows, like: Rows, where: str) -> Rows:
    """Return rows whose 0 and 1 are the alleles that they are in ``like``, in the columns that both have.

    Where reference and alternate have changed places the genotypes are turned round; where the alleles are
    others the rows are refused. Rows of which one side does not say its alleles (bases, tables of 0/1) are
    returned as they are.

    >>> import pyarrow as pa
    >>> from sfumato.dna.reading.column import read_positions
    >>> rows, like = (read_positions(pa.table({"rs1": cells})) for cells in (["AG", "AA"], ["GG", "GG"]))
    >>> rows.data.cells.tolist(), counted_alike(rows, like, "here").data.cells.tolist()
    ([[2], [1]], [[2], [4]])
    """
    mine, theirs = _alleles(rows), _alleles(like)
    if not mine or not theirs or not isinstance(rows.data, Aligned) or not isinstance(like.data, Aligned):
        return rows
    in_order = rows.data.positions == like.data.positions
    named: dict[str, list[Pair]] = {}
    for name, pair in zip(like.data.positions, theirs, strict=True):
        named.setdefault(name, []).append(pair)
    swapped = np.zeros(len(mine), np.bool_)
    others: list[int] = []
    for at, (name, pair) in enumerate(zip(rows.data.positions, mine, strict=True)):
        known = [theirs[at]] if in_order else named.get(name, [pair])
        if not any(_agree(pair, one) for one in known):
            swapped[at] = any(_agree(pair[::-1], one) for one in known)
            if not swapped[at]:
                others.append(at)
    if others:
        raise BadInput(
            f"{len(others):,} of {len(mine):,} sites have other alleles than the data there, the first of "
            f"them site {others[0] + 1:,}",
            where=where,
            remedy="give files of the same strand with the same alleles, or leave those sites out",
        )
    return _turned(rows, rows.data, mine, swapped) if swapped.any() else rows


def _alleles(rows: Rows) -> Sequence[Pair]:
    if rows.alleles:
        return rows.alleles
    if rows.sites is None:
        return ()
    return list(zip(rows.sites.reference.tolist(), rows.sites.alternate.tolist(), strict=True))


def _agree(mine: Sequence[str], theirs: Pair) -> bool:
    return all(a == b or a in _NOT_SEEN or b in _NOT_SEEN for a, b in zip(mine, theirs, strict=True))


def _turned(rows: Rows, data: Aligned, alleles: Sequence[Pair], swapped: NDArray[np.bool_]) -> Rows:
    table = np.arange(SIZE, dtype=np.uint8)
    for mask in range(8):
        alternate = HOM_ALT if mask & HOM_REF else 0
        table[mask] = alternate | (mask & HET) | (HOM_REF if mask & HOM_ALT else 0)
    cells = data.cells.copy()
    cells[:, swapped] = table[cells[:, swapped]]
    found = replace(rows, data=data.with_cells(cells))
    if rows.alleles:
        pairs = tuple((b, a) if turn else (a, b) for (a, b), turn in zip(alleles, swapped, strict=True))
        found = replace(found, alleles=pairs)
    if rows.sites is not None:
        old = rows.sites
        reference = np.where(swapped, old.alternate, old.reference)
        alternates = np.where(swapped, old.reference, old.alternate)
        found = replace(found, sites=Sites(old.chromosome, old.position, old.name, reference, alternates))
    return found
