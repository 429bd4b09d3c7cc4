"""A network of which only groups are published: their sizes, and the edges inside and between them.

Hay, Miklau, Jensen, Towsley and Weis (2008). Every network with these counts is a *possible world*; there are
W = ∏ C(C(|X|, 2), e_X) · ∏ C(|X|·|Y|, e_XY) of them (over groups X and pairs of groups X, Y).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput


@dataclass(frozen=True, eq=False)
class Grouped:
    """Super-nodes with sizes and inner edges, super-edges with counts. Groups are numbered from 0.

    ``links`` has a row (one group, another group with a greater number) for each pair of groups with edges
    between them, and ``between`` the number of these edges.
    """

    sizes: NDArray[np.int64] = field(repr=False)
    inside: NDArray[np.int64] = field(repr=False)
    links: NDArray[np.int64] = field(repr=False)
    between: NDArray[np.int64] = field(repr=False)

    def __post_init__(self) -> None:
        """Counts that no network can have are bad input: a grouping may come from a file."""
        sizes, links = self.sizes, self.links
        if len(self.inside) != len(sizes) or links.shape != (len(self.between), 2):
            raise BadInput("a grouping has a size and a count of inner edges for each group")
        if (sizes < 1).any() or (self.inside < 0).any() or (self.between < 1).any():
            raise BadInput("sizes of groups and counts of edges are whole numbers")
        if (self.inside > sizes * (sizes - 1) // 2).any():
            raise BadInput("a group has more inner edges than pairs of nodes")
        if len(links):
            if links.min() < 0 or links.max() >= len(sizes) or (links[:, 0] >= links[:, 1]).any():
                raise BadInput("a link leads from a group to another with a greater number")
            if (self.between > sizes[links[:, 0]] * sizes[links[:, 1]]).any():
                raise BadInput("two groups have more edges between them than pairs of nodes")
            # One number for each pair: rows themselves are slow to sort.
            if len(np.unique(links[:, 0].astype(np.int64) * len(sizes) + links[:, 1])) != len(links):
                raise BadInput("two groups are linked twice")

    @property
    def nodes(self) -> int:
        """How many nodes stand behind the groups."""
        return int(self.sizes.sum())

    @property
    def edges(self) -> int:
        """How many edges stand behind the groups."""
        return int(self.inside.sum() + self.between.sum())
