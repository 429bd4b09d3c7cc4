"""A hierarchy laid over the codes that occur, as arrays that searches climb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.sets import read_only
from sfumato.core.domain import Domain, Scale
from sfumato.hierarchy.ladder import Hierarchy, Ladder


@dataclass(frozen=True)
class CodeTree:
    """Nodes over codes. Node c < ``len(domain)`` is the code c itself; inner nodes follow, children first.

    ``parent[v]`` is the node above (−1 for the root, the last node). The codes under v are
    ``order[first[v]:end[v]]``. ``size[v]`` counts the leaves of the *hierarchy* under v, which may be more
    than those that occur; ``total`` all of its leaves. Nodes with a single child that occurs are left out:
    they would hide no more than the child does.

    >>> from sfumato.hierarchy import Tree
    >>> tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), ("a1", "a2", "b1"))
    >>> tree.labels, tree.parent.tolist(), tree.size.tolist()
    (('a1', 'a2', 'b1', 'A', 'any'), [3, 3, 4, 4, -1], [1, 1, 1, 2, 4])
    """

    labels: tuple[str, ...]
    parent: NDArray[np.int32] = field(repr=False)
    order: NDArray[np.int32] = field(repr=False)
    first: NDArray[np.int32] = field(repr=False)
    end: NDArray[np.int32] = field(repr=False)
    size: NDArray[np.int64] = field(repr=False)
    total: int

    def __post_init__(self) -> None:
        for name in ("parent", "order", "first", "end"):
            object.__setattr__(self, name, read_only(getattr(self, name), np.int32))
        object.__setattr__(self, "size", read_only(self.size, np.int64))

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def leaves(self) -> int:
        """How many codes occur."""
        return len(self.order)

    @property
    def root(self) -> int:
        """The node above all."""
        return len(self.labels) - 1

    def under(self, node: int) -> NDArray[np.int32]:
        """Return the codes under a node, ascending."""
        return np.sort(self.order[self.first[node] : self.end[node]])

    @classmethod
    def of(cls, hierarchy: Hierarchy, domain: Sequence[str], name: str = "codes") -> CodeTree:
        """Lay a hierarchy over codes; raises ``UncoveredValues`` when it does not know some."""
        return cls.from_ladder(hierarchy.ladder(Domain(name, tuple(domain), Scale.CATEGORY)))

    @classmethod
    def from_ladder(cls, ladder: Ladder) -> CodeTree:
        """Turn the levels of a ladder into nodes; what shows the same codes is one node, the lowest."""
        rungs = ladder.rungs
        leaves = rungs.shape[1]
        above = [rungs[level].astype(np.int64) for level in range(1, ladder.height + 1)]
        order = np.lexsort(above) if above else np.arange(leaves)
        node_of = np.arange(leaves, dtype=np.int64)
        labels = [str(ladder.labels[0][group]) for group in rungs[0]]
        first = np.empty(leaves, np.int64)
        first[order] = np.arange(leaves)
        firsts, ends, sizes = [*first.tolist()], [*(first + 1).tolist()], [1] * leaves
        parent = [-1] * leaves
        for level, groups in enumerate(above, 1):
            sorted_groups = groups[order]
            cuts = np.flatnonzero(np.diff(sorted_groups)) + 1
            starts = np.concatenate([[0], cuts]) if leaves else np.empty(0, np.int64)
            stops = np.concatenate([cuts, [leaves]]) if leaves else np.empty(0, np.int64)
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
                below = dict.fromkeys(node_of[order[start:stop]].tolist())
                if len(below) == 1:
                    continue
                node, group = len(labels), int(sorted_groups[start])
                labels.append(str(ladder.labels[level][group]))
                firsts.append(start)
                ends.append(stop)
                sizes.append(int(ladder.leaves[level][group]))
                parent.append(-1)
                for child in below:
                    parent[child] = node
                node_of[order[start:stop]] = node
        return cls(
            tuple(labels),
            np.array(parent, np.int32),
            order.astype(np.int32),
            np.array(firsts, np.int32),
            np.array(ends, np.int32),
            np.array(sizes, np.int64),
            int(ladder.size),
        )
