"""What promises about networks share: parameters as they are written, classes counted, witnesses as words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Verdict, Witness
from sfumato.graph.contract import Model, Publishable
from sfumato.graph.network import Network

MOST = 10**12
"""more people than anybody has"""
SHOWN_NODES = 5
"""nodes of a class that a witness tells"""
UNTOLD_LABELS = "labels are published beside the edges, and who knows a person's label is not counted with"


@dataclass(frozen=True)
class NodesWitness(Witness):
    """Where a promise about a network breaks: nodes that too few others are like. Nodes count from 1."""

    def __str__(self) -> str:
        return f"a class of {self.size:,} alike by {', '.join(self.columns)} ({self.shown('node')})"

    def shown(self, what: str, of: int | None = None) -> str:
        """Tell the numbers, and whether there are more."""
        more = ", …" if (self.size if of is None else of) > len(self.rows) else ""
        return f"{what}{'s' * (len(self.rows) > 1)} {', '.join(map(str, self.rows))}{more}"


@dataclass(frozen=True)
class ComponentWitness(NodesWitness):
    """Where a promise about copies breaks: a shape of connected components that occurs ``size`` times."""

    nodes: int = 0
    """how many nodes each of them has"""

    def __str__(self) -> str:
        times = "once" if self.size == 1 else f"{self.size:,} times"
        return f"a component of a shape that occurs {times} ({self.shown('node', self.nodes)})"


def check_whole(value: Any, what: str, where: str) -> None:
    """Refuse what is not a whole number of at least 1, and what is more than counters hold."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        more = f", and at most {MOST}" if isinstance(value, int) and value > MOST else ""
        raise BadInput(
            f"{what} must be a whole number of at least 1{more}", where=where, remedy=f"try {what}: 5"
        )


def as_network(published: Publishable, where: str) -> Network:
    """Refuse what has no nodes and edges of its own."""
    if isinstance(published, Network):
        return published
    raise BadInput(
        "this promise is about nodes and their edges, and only groups or figures are published",
        where=where,
        remedy="promise k-grouping of a grouping, or differential-privacy of figures",
    )


def first_nodes(nodes: NDArray[np.int64]) -> tuple[int, ...]:
    """Return the numbers of the first few nodes, counted from 1."""
    return tuple(int(node) + 1 for node in nodes[:SHOWN_NODES])


def verdict_on_classes(
    model: Model, k: int, classes: NDArray[np.int64], *, by: str, note: str = ""
) -> Verdict:
    """Say whether every class has k nodes or more, and show the smallest if not.

    ``classes`` numbers the class of each node, in any way.
    """
    required = f"k ≥ {k}"
    numbers, of_node, sizes = np.unique(classes, return_inverse=True, return_counts=True)
    if not len(numbers):
        return Verdict(model.name, True, required, "no nodes", model.basis, model.protects_from, note=note)
    smallest = int(sizes.min())
    few = int(np.count_nonzero(sizes < k))
    witness = None
    if few:
        worst = np.flatnonzero(of_node == int(sizes.argmin()))
        witness = NodesWitness((by,), first_nodes(worst), smallest)
    return Verdict(
        model.name,
        few == 0,
        required,
        f"k = {smallest}",
        model.basis,
        model.protects_from,
        witness,
        few,
        note,
    )


def others(k: int) -> str:
    """Say how many others k leaves.

    >>> others(2), others(5)
    ('at least 1 other', 'at least 4 others')
    """
    return f"at least {k - 1:,} other{'s' * (k != 2)}"
