"""What analysts learn from a grouping: statistics over its possible worlds (Hay et al. 2008).

Some follow exactly from the counts. In a world drawn with equal probability a node of group X has

    Hypergeometric(C(|X|, 2), |X| − 1, e_X) + Σ over Y of Hypergeometric(|X|·|Y|, |Y|, e_XY)

neighbours (pairs, pairs that touch the node, edges), the terms independent, with mean
(2·e_X + Σ e_XY) / |X|. Everything else is estimated from worlds that are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.worlds.sampling import worlds

F64 = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A statistic over possible worlds: each array has the shape of the statistic (of a number: none).

    ``spread`` is the standard deviation between worlds: how far one world lies from the mean. It says what
    the grouping leaves open, not how far the original is from the mean: the original need not be a typical
    world (its triangles, say, are often more than those of any world drawn).
    """

    mean: F64 = field(repr=False)
    spread: F64 = field(repr=False)
    lowest: F64 = field(repr=False)
    highest: F64 = field(repr=False)
    count: int
    """worlds that were drawn"""

    @property
    def error(self) -> F64:
        """The standard error of the mean: what drawing more worlds would lower."""
        return np.asarray(self.spread / math.sqrt(self.count))


def estimate(
    grouped: Grouped,
    statistic: Callable[[Network], float | NDArray[Any]],
    count: int = 20,
    seed: int = 0,
    *,
    progress: Progress = SILENT,
) -> Estimate:
    """Compute a statistic of some possible worlds; it must be finite and of the same shape for each.

    >>> triple = Grouped(np.array([3]), np.array([2]), np.empty((0, 2), int), np.empty(0, int))
    >>> float(estimate(triple, lambda world: world.degrees().max(), count=4).mean)
    2.0
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 2:
        raise BadInput("a spread needs two worlds at least", where="possible worlds, count")
    progress.step("drawing possible worlds")
    found = []
    for number, world in enumerate(worlds(grouped, count, seed), 1):
        found.append(np.asarray(statistic(world), np.float64))
        progress.update(number / count)
    if len({one.shape for one in found}) > 1:
        raise BadInput(
            "the statistic has not the same shape in each world",
            where="possible worlds",
            remedy="pad it to one length",
        )
    values = np.stack(found)
    strange = int((~np.isfinite(values)).reshape(count, -1).any(axis=1).sum())
    if strange:
        raise BadInput(
            f"the statistic is not a finite number in {strange:,} of {count:,} worlds",
            where="possible worlds",
            remedy="choose one that is defined for every world",
        )
    return Estimate(
        np.asarray(values.mean(axis=0)),
        np.asarray(values.std(axis=0, ddof=1)),
        np.asarray(values.min(axis=0)),
        np.asarray(values.max(axis=0)),
        count,
    )


def expected_degrees(grouped: Grouped) -> F64:
    """Return the mean degree of the nodes of each group: exact, and the same in every possible world.

    >>> star = Grouped(np.array([1, 3]), np.array([0, 0]), np.array([[0, 1]]), np.array([3]))
    >>> expected_degrees(star).tolist()
    [3.0, 1.0]
    """
    ends = 2 * grouped.inside
    for side in (0, 1):
        np.add.at(ends, grouped.links[:, side], grouped.between)
    return np.asarray(ends / grouped.sizes, np.float64)


def expected_degree_distribution(grouped: Grouped) -> F64:
    """Return the expected number of nodes with 0, 1, 2, … neighbours over all possible worlds.

    >>> triple = Grouped(np.array([3]), np.array([1]), np.empty((0, 2), int), np.empty(0, int))
    >>> expected_degree_distribution(triple).round(9).tolist()
    [1.0, 2.0]
    """
    # Here and not above: kernels take time to load.
    from sfumato.graph.worlds._kernels_sampling import degree_distribution

    sizes, inside = (np.array(array, np.int64) for array in (grouped.sizes, grouped.inside))
    links = np.concatenate([grouped.links, grouped.links[:, ::-1]]).astype(np.int64)
    order = np.argsort(links[:, 0], kind="stable")
    near = np.ascontiguousarray(links[order, 1])
    between = np.ascontiguousarray(np.tile(grouped.between, 2)[order], np.int64)
    starts = np.searchsorted(links[order, 0], np.arange(len(sizes) + 1)).astype(np.int64)
    most = np.minimum(sizes - 1, inside)
    np.add.at(most, links[order, 0], np.minimum(sizes[near], between))
    longest = int(most.max(initial=0))
    found = np.asarray(degree_distribution(sizes, inside, starts, near, between, longest))
    # Degrees that have no chance at all end the support.
    return found[: int(np.flatnonzero(found)[-1]) + 1] if found.any() else found
