"""Ways to say a base or a genotype less precisely: sets of what it may be, ordered by inclusion.

Malin, *Protecting DNA Sequence Anonymity with Generalization Lattices* (2005): the codes of IUPAC (Cornish-
Bowden 1985) are the non-empty sets of bases, R = {A, G}, N = {A, C, G, T}, and a pair of bases is generalised
to the smallest set that holds both, their join. A lattice holds every tree over the four bases at once.

A set is a small whole number with one bit for each thing it may be, so that the join is *or*:

    level(x) = |x|         d(x, y) = 2·level(x ∨ y) − level(x) − level(y)  =  |x Δ y|  for sets of bases

A gap of an alignment is a thing of its own with a bit of its own; joined with any base it is N. Malin does
not say how high it lies: ``gap_level`` is 3 (so that d(A, −) = 4) unless given. d is a metric for the levels
1 to 3; at level 4 a gap and N are no distance apart although they are two things (a pseudometric).

Genotypes of two alleles are sets over {0/0, 0/1, 1/1}. VCF can write 0/. (at least one reference allele) and
./1 (at least one alternate), so the join of 0/0 and 1/1 is ./., all three.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

A, C, G, T = 1, 2, 4, 8
ANY = 15
GAP = 16
HOM_REF, HET, HOM_ALT = 1, 2, 4
UNKNOWN = 7
SIZE = 32
"""masks are smaller than this, in every lattice"""

_BASES = {
    "A": A, "C": C, "G": G, "T": T,
    "R": A | G, "Y": C | T, "S": C | G, "W": A | T, "K": G | T, "M": A | C,
    "B": C | G | T, "D": A | G | T, "H": A | C | T, "V": A | C | G,
    "N": ANY, "-": GAP,
}  # fmt: skip
_GENOTYPES = {"0/0": HOM_REF, "0/1": HET, "1/1": HOM_ALT, "0/.": 3, "./1": 6, "./.": UNKNOWN}


@dataclass(frozen=True, eq=False)
class Lattice:
    """The sets that a cell may be, how they are written, joined and measured.

    ``masks`` gives the set of each spelling. ``closed`` maps any *or* of sets to the smallest set that can be
    written; ``levels`` gives the level of each set (0 for masks that are none).
    """

    name: str
    masks: dict[str, int]
    closed: NDArray[np.uint8] = field(repr=False)
    levels: NDArray[np.int64] = field(repr=False)
    top: int
    """the set of everything"""
    gap: int | None = None

    @property
    def spellings(self) -> dict[int, str]:
        """How each set is written."""
        return {mask: text for text, mask in self.masks.items()}

    def join(self, cells: NDArray[np.uint8], axis: int = 0) -> NDArray[np.uint8]:
        """Return the smallest sets that hold all cells along an axis.

        >>> lattice = iupac()
        >>> lattice.spelt(lattice.join(np.array([parse("AATTA-"), parse("ATTCA-")])))
        'AWTYA-'
        """
        merged: NDArray[np.uint8] = np.bitwise_or.reduce(cells, axis=axis)
        return self.closed[merged]

    def distances(self) -> NDArray[np.int64]:
        """d(x, y) of every two sets, as a table of 32 × 32 (0 where a mask is no set).

        >>> table = iupac().distances()
        >>> int(table[A, G]), int(table[A, A | G]), int(table[A, GAP]), int(table[ANY, GAP])
        (2, 1, 4, 1)
        """
        table = np.zeros((SIZE, SIZE), np.int64)
        for x in self.masks.values():
            for y in self.masks.values():
                table[x, y] = 2 * self.levels[self.closed[x | y]] - self.levels[x] - self.levels[y]
        return table

    def spelt(self, cells: NDArray[np.uint8]) -> str:
        """Write a row of cells of single letters as one text."""
        return letters()[cells].tobytes().decode("ascii")


@cache
def iupac(gap_level: int = 3) -> Lattice:
    """Return the lattice of bases. ``gap_level`` says how much a gap already leaves open, from 1 to 4."""
    if not 1 <= gap_level <= 4:
        raise BadInput("the level of a gap lies between 1 (a fifth base) and 4", remedy="3 is usual")
    closed = np.arange(SIZE, dtype=np.uint8)
    closed[GAP + 1 :] = ANY
    levels = np.bitwise_count(closed).astype(np.int64)
    levels[GAP] = gap_level
    closed.flags.writeable = levels.flags.writeable = False
    return Lattice("bases", dict(_BASES), closed, levels, ANY, GAP)


@cache
def genotypes() -> Lattice:
    """Return the lattice of genotypes of two alleles.

    >>> lattice = genotypes()
    >>> lattice.spellings[int(lattice.join(np.array([HOM_REF, HOM_ALT], np.uint8)))]
    './.'
    """
    closed = np.full(SIZE, UNKNOWN, np.uint8)
    closed[0] = 0
    for mask in _GENOTYPES.values():
        closed[mask] = mask
    levels = np.bitwise_count(closed).astype(np.int64)
    closed.flags.writeable = levels.flags.writeable = False
    return Lattice("genotypes", dict(_GENOTYPES), closed, levels, UNKNOWN)


@cache
def letters() -> NDArray[np.uint8]:
    """Return the letter (ASCII) of each set of bases; ``?`` where a mask is none."""
    table = np.full(SIZE, ord("?"), np.uint8)
    for letter, mask in _BASES.items():
        table[mask] = ord(letter)
    table.flags.writeable = False
    return table


@cache
def sets() -> NDArray[np.uint8]:
    """Return the set of bases of each of 256 bytes, upper or lower case; 0 where a byte is no base."""
    table = np.zeros(256, np.uint8)
    for letter, mask in _BASES.items():
        table[ord(letter)] = table[ord(letter.lower())] = mask
    table.flags.writeable = False
    return table


def parse(text: str | bytes, where: str = "") -> NDArray[np.uint8]:
    """Read letters as sets of bases. Lower case (soft-masked) is read as upper case.

    >>> parse("ACGTn-").tolist()
    [1, 2, 4, 8, 15, 16]
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    cells = sets()[np.frombuffer(data, np.uint8)]
    wrong = np.flatnonzero(cells == 0)
    if wrong.size:
        count = "one letter" if wrong.size == 1 else f"{wrong.size:,} letters"
        are = "is" if wrong.size == 1 else "are"
        raise BadInput(
            f"{count} of the sequence {are} no code of IUPAC, the first at position {wrong[0] + 1:,}",
            where=where,
            remedy="mend it, or write N where the base is not known",
        )
    return cells
