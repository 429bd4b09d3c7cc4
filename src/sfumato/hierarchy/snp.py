"""Trees over the values of SNPs: how a base or a genotype is said less precisely, step by step.

Lin, Hewett and Altman, *Using binning to maintain confidentiality of medical data* (2002), generalise along a
hierarchy that they do not give: here it is an input. Every node of a tree is a set of the lattice
(``hierarchy/iupac``), so that what is published can be read without the tree. How trees are read and how a
recipe spells them: ``hierarchy/snp_spec``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.hierarchy.iupac import ANY, GAP, SIZE, UNKNOWN, A, C, G, Lattice, T, genotypes, iupac

_Array = TypeVar("_Array", NDArray[np.uint8], NDArray[np.int64])


@dataclass(frozen=True)
class SnpTree:
    """``parent[mask]`` is the set one step up; the top is its own parent, 0 says that a set is not in it.

    Kernels take the tree as arrays over the masks: ``steps``, ``depths``, ``ancestors``, ``entries``,
    ``joins``. None of them may be written to.
    """

    lattice: Lattice
    parent: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.parent) != SIZE:
            raise AssertionError("a tree gives a parent to each of 32 masks")
        known = {*self.lattice.masks.values()}
        nodes = [mask for mask, up in enumerate(self.parent) if up]
        for mask in nodes:
            up = self.parent[mask]
            if mask not in known or up not in known:
                raise BadInput(f"a node of the tree is no set of {self.lattice.name}", where="tree of SNPs")
            if self.lattice.closed[mask | up] != up:
                raise BadInput(
                    "a node of the tree does not hold its child",
                    where="tree of SNPs",
                    remedy="a parent is a larger set",
                )
            if not self.parent[up]:
                raise BadInput(
                    "a parent has no place in the tree", where="tree of SNPs", remedy="give it a parent too"
                )
        roots = sum(self.parent[mask] == mask for mask in nodes)
        if roots != 1:
            raise BadInput(f"a tree has one root and this one has {roots}", where="tree of SNPs")

    @property
    def root(self) -> int:
        """The set at the top."""
        return next(mask for mask, up in enumerate(self.parent) if up == mask and up)

    @property
    def leaves(self) -> tuple[int, ...]:
        """The sets that are nobody's parent."""
        return tuple(mask for mask, up in enumerate(self.parent) if up and mask not in self.parent)

    @cached_property
    def steps(self) -> NDArray[np.uint8]:
        """The parents as an array, for kernels."""
        return _fixed(np.array(self.parent, np.uint8))

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """How many steps each set lies below the root; −1 where it is not in the tree."""
        depths = np.full(SIZE, -1, np.int64)
        for mask, up in enumerate(self.parent):
            if up:
                depths[mask] = len(self._line(mask)) - 1
        return _fixed(depths)

    @property
    def height(self) -> int:
        """How many steps the lowest leaf lies below the root: the levels are 0 to this."""
        return int(self.depths.max())

    @cached_property
    def ancestors(self) -> NDArray[np.uint8]:
        """``ancestors[level, mask]``: what a set becomes at each level; 0 where it is not in the tree.

        All leaves become the root at the last level. A leaf that lies higher than others stays itself at the
        lowest levels, as in every hierarchy of Sfumato.

        >>> tree = carriers()
        >>> [[tree.lattice.spellings[int(tree.ancestors[level, leaf])] for leaf in tree.leaves]
        ...  for level in range(tree.height + 1)]
        [['0/0', '0/1', '1/1'], ['0/0', './1', './1'], ['./.', './.', './.']]
        """
        ancestors = np.zeros((self.height + 1, SIZE), np.uint8)
        for mask, up in enumerate(self.parent):
            if up:
                line = self._line(mask)
                for level in range(self.height + 1):
                    ancestors[level, mask] = line[max(0, len(line) - 1 - (self.height - level))]
        return _fixed(ancestors)

    @cached_property
    def entries(self) -> NDArray[np.uint8]:
        """Where each set of the lattice enters the tree: itself, or the lowest node that holds it; else 0.

        Of several lowest nodes it is the one of the smallest number.

        >>> tree = purines_and_pyrimidines()
        >>> int(tree.entries[A]) == A, int(tree.entries[A | T]) == ANY
        (True, True)
        """
        entries = np.zeros(SIZE, np.uint8)
        levels = self.lattice.levels
        for mask in self.lattice.masks.values():
            holding = [
                node for node, up in enumerate(self.parent) if up and self.lattice.closed[node | mask] == node
            ]
            if self.parent[mask]:
                entries[mask] = mask
            elif holding:
                entries[mask] = min(holding, key=lambda node: (levels[node], node))
        return _fixed(entries)

    @cached_property
    def joins(self) -> NDArray[np.uint8]:
        """The lowest node above two sets of the lattice, as a table of 32 × 32; 0 where there is none.

        >>> tree = purines_and_pyrimidines()
        >>> int(tree.joins[A, G]) == (A | G), int(tree.joins[A, C]) == ANY
        (True, True)
        """
        joins = np.zeros((SIZE, SIZE), np.uint8)
        for x, mine in enumerate(self.entries.tolist()):
            for y, other in enumerate(self.entries.tolist()):
                if mine and other:
                    above = self._line(other)
                    joins[x, y] = next(node for node in self._line(mine) if node in above)
        return _fixed(joins)

    def _line(self, mask: int) -> list[int]:
        """A node and all above it, up to the root."""
        line = [mask]
        while self.parent[line[-1]] != line[-1]:
            line.append(self.parent[line[-1]])
        return line


def _fixed(array: _Array) -> _Array:
    array.flags.writeable = False
    return array


def _tree(lattice: Lattice, edges: dict[int, int]) -> SnpTree:
    return SnpTree(lattice, tuple(edges.get(mask, 0) for mask in range(SIZE)))


def _halves(one: int) -> SnpTree:
    """The tree of bases with two sets of two below N. A gap is one step below N."""
    halves = {base: one if base & one else ANY ^ one for base in (A, C, G, T)}
    return _tree(iupac(), {**halves, one: ANY, ANY ^ one: ANY, GAP: ANY, ANY: ANY})


def purines_and_pyrimidines() -> SnpTree:
    """A, G → R; C, T → Y; R, Y → N: the usual tree over the four bases.

    >>> tree = purines_and_pyrimidines()
    >>> tree.parent[A] == tree.parent[G] == (A | G), tree.parent[A | G] == ANY
    (True, True)
    """
    return _halves(A | G)


def strong_and_weak() -> SnpTree:
    """C, G → S (three hydrogen bonds); A, T → W (two); S, W → N: keeps the content of G and C."""
    return _halves(C | G)


def amino_and_keto() -> SnpTree:
    """A, C → M; G, T → K; M, K → N."""
    return _halves(A | C)


def carriers() -> SnpTree:
    """0/1, 1/1 → ./1 (carries the alternate allele); 0/0, ./1 → ./. (not known)."""
    return _tree(genotypes(), {1: UNKNOWN, 2: 6, 4: 6, 6: UNKNOWN, UNKNOWN: UNKNOWN})


def flat(lattice: Lattice | None = None) -> SnpTree:
    """Every base (or genotype) lies directly below the set of everything.

    >>> flat().height, flat(genotypes()).height
    (1, 1)
    """
    over = lattice or iupac()
    single = [mask for mask in over.masks.values() if mask.bit_count() == 1]
    return _tree(over, {**dict.fromkeys(single, over.top), over.top: over.top})


TREES: dict[str, Callable[[], SnpTree]] = {
    "purines-pyrimidines": purines_and_pyrimidines,
    "strong-weak": strong_and_weak,
    "amino-keto": amino_and_keto,
    "carriers": carriers,
    "flat": flat,
}
"""the trees that a recipe can name"""
