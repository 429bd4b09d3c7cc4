"""A tree over SNP values as binning climbs it: every set of the lattice has a place below the top."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dna.aligned import Aligned
from sfumato.hierarchy.iupac import SIZE, Lattice
from sfumato.hierarchy.snp import SnpTree, carriers, purines_and_pyrimidines


@dataclass(frozen=True, eq=False)
class Climb:
    """``parent[mask]`` is the closest ancestor of each set that can be written; the top is its own.

    A set that is not in the tree, such as S beside purines and pyrimidines or a gap, goes to the smallest
    node of the tree that holds it.
    """

    lattice: Lattice
    parent: NDArray[np.uint8] = field(repr=False)
    nodes: NDArray[np.uint8] = field(repr=False)
    """all sets, children before their parents, the top last"""
    joins: NDArray[np.uint8] = field(repr=False)
    """closest common ancestors"""

    @property
    def rise(self) -> NDArray[np.int64]:
        """How many levels x climbs to the closest common ancestor of x and y."""
        up = self.lattice.levels[self.joins] - self.lattice.levels[:, None]
        return np.ascontiguousarray(np.where(self.joins > 0, up, 0), np.int64)

    @property
    def heights(self) -> NDArray[np.int64]:
        """How many proper ancestors each node has, in the order of ``nodes``."""
        return np.array([len(_path(int(mask), self.parent)) - 1 for mask in self.nodes], np.int64)


def climb_of(rows: Aligned, tree: SnpTree | None) -> tuple[Climb, str]:
    """Return how values climb, and what to call the tree: the one given, or the usual one of the lattice."""
    named = "as given"
    if tree is None:
        simple = rows.lattice.name == "genotypes"
        tree, named = (
            (carriers(), "carriers") if simple else (purines_and_pyrimidines(), "purines-pyrimidines")
        )
    if tree.lattice.name != rows.lattice.name:
        raise BadInput(
            f"the tree is over {tree.lattice.name} and the rows hold {rows.lattice.name}",
            remedy="give a tree over the same values",
        )
    lattice = rows.lattice
    inside = [mask for mask in lattice.masks.values() if tree.parent[mask]]
    parent = np.zeros(SIZE, np.uint8)
    for mask in lattice.masks.values():
        up = tree.parent[mask]
        if not up or (up == mask and mask != lattice.top):
            # a node of the same level cannot hold it strictly; ties are broken by the mask
            above = [node for node in inside if node != mask and lattice.closed[mask | node] == node]
            up = min(above, key=lambda node: (lattice.levels[node], node)) if above else lattice.top
        parent[mask] = up
    sets = sorted(lattice.masks.values(), key=lambda mask: (-len(_path(mask, parent)), mask))
    joins = np.zeros((SIZE, SIZE), np.uint8)
    for x in sets:
        above_x = set(_path(x, parent))
        for y in sets:
            joins[x, y] = next(node for node in _path(y, parent) if node in above_x)
    return Climb(lattice, parent, np.array(sets, np.uint8), joins), named


def _path(mask: int, parent: NDArray[np.uint8]) -> list[int]:
    path = [mask]
    while int(parent[path[-1]]) != path[-1]:
        path.append(int(parent[path[-1]]))
    return path
