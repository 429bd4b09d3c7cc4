"""A hierarchy laid over the codes that occur, as arrays that searches climb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.prefixes import above, beside
from sfumato.codes.sets import read_only
from sfumato.core.domain import Domain, Scale
from sfumato.core.errors import BadInput, nearest
from sfumato.hierarchy.ladder import ROOT, Hierarchy, Ladder, UncoveredValues
from sfumato.hierarchy.others import RootForOthers


class Unknown(StrEnum):
    """What becomes of codes that a hierarchy does not know."""

    ERROR = "error"
    """they are counted and refused"""
    ROOT = "root"
    """they lie right under the root: published as they are, or as ``*``"""
    PREFIX = "prefix"
    """they lie under the longest known code or group that begins them, 401.2 under 401, or under the root"""


@dataclass(frozen=True)
class CodeTree:
    """Nodes over codes. Node c < ``len(domain)`` is the code c itself; inner nodes follow, children first.

    ``parent[v]`` is the node above (−1 for the root, the last node). The codes under v are
    ``order[first[v]:end[v]]``. ``size[v]`` counts the leaves of the *hierarchy* under v, which may be more
    than those that occur; ``total`` all of its leaves. Nodes with a single child that occurs are left out:
    they would hide no more than the child does. Labels differ: where a code is written like a group that
    it lies in (401 and what is under 401), the group gets a star, ``401*``.

    >>> from sfumato.hierarchy import Tree
    >>> tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), ("a1", "a2", "b1"))
    >>> tree.labels, tree.parent.tolist(), tree.size.tolist()
    (('a1', 'a2', 'b1', 'A', 'any'), [3, 3, 4, 4, -1], [1, 1, 1, 2, 4])
    """

    labels: tuple[str, ...] = field(repr=False)
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
    def of(
        cls,
        hierarchy: Hierarchy,
        domain: Sequence[str],
        name: str = "codes",
        unknown: Unknown | str = Unknown.ERROR,
    ) -> CodeTree:
        """Lay a hierarchy over codes; raises ``UncoveredValues`` when it does not know some.

        With ``unknown="root"``, or ``others: root`` in the hierarchy, such codes lie right under the root;
        with ``unknown="prefix"`` under the longest known code or group that begins them, if there is one.

        >>> from sfumato.hierarchy import Tree
        >>> tree = CodeTree.of(Tree({"A": ["a1", "a2"]}), ("a1", "a2", "x"), unknown="root")
        >>> tree.labels, tree.parent.tolist(), tree.total
        (('a1', 'a2', 'x', 'A', '*'), [3, 3, 4, 4, -1], 3)
        >>> tree = CodeTree.of(Tree({"401": ["401.0", "401.1"]}), ("401.0", "401.2", "x"), unknown="prefix")
        >>> tree.labels, tree.parent.tolist(), tree.total
        (('401.0', '401.2', 'x', '401', '*'), [3, 3, 4, 4, -1], 4)
        """
        if unknown not in tuple(Unknown):
            raise BadInput(f"there is no '{unknown}' for unknown codes", remedy=nearest(unknown, Unknown))
        if isinstance(hierarchy, RootForOthers):
            hierarchy, unknown = hierarchy.hierarchy, Unknown.ROOT
        everything = Domain(name, tuple(domain), Scale.CATEGORY)
        try:
            return cls.from_ladder(hierarchy.ladder(everything))
        except UncoveredValues:
            strange = unknown_codes(hierarchy, domain, name)
        under = above(hierarchy, domain, strange) if unknown == Unknown.PREFIX else {}
        if unknown == Unknown.ERROR or (len(strange) == len(domain) and not under):
            raise _unknown(name, strange)
        return cls.from_ladder(beside(hierarchy, everything, strange, under))

    @classmethod
    def from_ladder(cls, ladder: Ladder) -> CodeTree:
        """Turn the levels of a ladder into nodes; what shows the same codes is one node, the lowest.

        Above a ladder whose top level has several groups stands ``*``.
        """
        if len(ladder.labels[-1]) > 1:
            ladder = _under_a_star(ladder)
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
            _apart(labels, leaves),
            np.array(parent, np.int32),
            order.astype(np.int32),
            np.array(firsts, np.int32),
            np.array(ends, np.int32),
            np.array(sizes, np.int64),
            int(ladder.size),
        )


def _under_a_star(ladder: Ladder) -> Ladder:
    return Ladder(
        ladder.name,
        np.concatenate([ladder.rungs, np.zeros_like(ladder.rungs[:1])]),
        (*ladder.labels, (ROOT,)),
        (*ladder.leaves, np.array([float(ladder.size)])),
        ladder.size,
    )


def unknown_codes(hierarchy: Hierarchy, domain: Sequence[str], name: str = "codes") -> tuple[int, ...]:
    """Return the positions of codes that a hierarchy does not know."""
    if isinstance(hierarchy, RootForOthers):
        hierarchy = hierarchy.hierarchy
    strange: set[int] = set()
    while len(strange) < len(domain):
        rest = [code for code in range(len(domain)) if code not in strange]
        try:
            hierarchy.ladder(Domain(name, tuple(domain[code] for code in rest), Scale.CATEGORY))
        except UncoveredValues as error:
            strange |= {rest[code] for code in error.codes}
            continue
        break
    return tuple(sorted(strange))


def _unknown(name: str, strange: tuple[int, ...]) -> UncoveredValues:
    error = UncoveredValues(name, strange)
    error.what = (
        "1 code is not in the hierarchy"
        if len(strange) == 1
        else f"{len(strange)} codes are not in the hierarchy"
    )
    error.remedy = (
        "add them to the hierarchy, or set 'unknown: prefix', 'unknown: root' or 'unknown: suppress'"
    )
    return error


def _apart(labels: Sequence[str], leaves: int) -> tuple[str, ...]:
    """Give groups a star until no label stands twice; codes keep theirs."""
    taken = {*labels[:leaves]}
    found = [*labels[:leaves]]
    for label in labels[leaves:]:
        while label in taken:
            label += ROOT
        taken.add(label)
        found.append(label)
    return tuple(found)
