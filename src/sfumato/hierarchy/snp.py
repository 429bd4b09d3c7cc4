"""Trees over the values of SNPs: how a base or a genotype is said less precisely, step by step.

Lin, Hewett and Altman, *Using binning to maintain confidentiality of medical data* (2002), generalise along a
hierarchy that they do not give: here it is an input. Every node of a tree is a set of the lattice
(``hierarchy/iupac``), so that what is published can be read without the tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.hierarchy.iupac import ANY, SIZE, UNKNOWN, A, C, G, Lattice, T, genotypes, iupac


@dataclass(frozen=True)
class SnpTree:
    """``parent[mask]`` is the set one step up; the top is its own parent, 0 says that a set is not in it."""

    lattice: Lattice
    parent: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.parent) != SIZE:
            raise AssertionError("a tree gives a parent to each of 32 masks")
        for mask, up in enumerate(self.parent):
            if up and (mask | up) != up:
                raise BadInput(
                    "a node of the tree does not hold its child", remedy="a parent is a larger set"
                )

    @property
    def steps(self) -> NDArray[np.uint8]:
        """The parents as an array, for kernels."""
        return np.array(self.parent, np.uint8)


def _tree(lattice: Lattice, edges: dict[int, int]) -> SnpTree:
    return SnpTree(lattice, tuple(edges.get(mask, 0) for mask in range(SIZE)))


def purines_and_pyrimidines() -> SnpTree:
    """A, G → R; C, T → Y; R, Y → N: the usual tree over the four bases.

    >>> tree = purines_and_pyrimidines()
    >>> tree.parent[A] == tree.parent[G] == (A | G), tree.parent[A | G] == ANY
    (True, True)
    """
    return _tree(iupac(), {A: A | G, G: A | G, C: C | T, T: C | T, A | G: ANY, C | T: ANY, ANY: ANY})


def carriers() -> SnpTree:
    """0/1, 1/1 → ./1 (carries the alternate allele); 0/0, ./1 → ./. (not known)."""
    return _tree(genotypes(), {1: UNKNOWN, 2: 6, 4: 6, 6: UNKNOWN, UNKNOWN: UNKNOWN})
