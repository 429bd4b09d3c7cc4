"""Degree sequences in which every degree occurs k times, and which sequences are those of networks.

Liu and Terzi (2008), *Towards Identity Anonymization on Graphs*: with the degrees sorted, d_1 ≥ … ≥ d_n, and
I(i, j) = Σ_{i ≤ l ≤ j} (d_i − d_l) the cost of raising a group to its greatest, the least cost of the first i
is

    D(i) = min over k ≤ t ≤ i − k of D(t) + I(t + 1, i),   or one group I(1, i)

Where degrees may also fall, a group moves to its median and I(i, j) = Σ |d_l − median|.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput, PromiseNotMet, nearest

Search = Literal["exact", "recurrence", "greedy"]
SEARCHES: tuple[Search, ...] = ("exact", "recurrence", "greedy")
_LARGEST = 2**62


@dataclass(frozen=True, eq=False)
class AnonymousDegrees:
    """Degrees of which each occurs k times or more, in the order of those given, and Σ |new − given|."""

    degrees: NDArray[np.int64] = field(repr=False)
    cost: int
    groups: int


def whole_degrees(degrees: ArrayLike) -> NDArray[np.int64]:
    """Return degrees as an array of whole numbers, or refuse them."""
    found = np.asarray(degrees)
    if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
        raise BadInput("degrees are a list of whole numbers")
    if len(found) and (int(found.min()) < 0 or int(found.max()) * (len(found) + 1) >= _LARGEST):
        raise BadInput("a degree is negative, or too large to be one")
    return np.ascontiguousarray(found, np.int64)


def anonymous_degrees(
    degrees: ArrayLike,
    k: int,
    *,
    search: Search = "exact",
    deletions: bool = False,
    order: NDArray[np.int64] | None = None,
) -> AnonymousDegrees:
    """Change degrees so that each occurs k times or more, at the least total change.

    ``search`` is ``exact`` (the least cost; O(n) for additions beside sorting, O(n log n) with
    ``deletions``), ``recurrence`` (the same cost by the paper's O(nk)), or ``greedy`` (the paper's, usually
    within one per cent). Nodes of equal degree are told apart by ``order``, the first first.

    >>> found = anonymous_degrees([5, 5, 3, 3, 2, 2, 1], 3)
    >>> found.degrees.tolist(), found.cost
    ([5, 5, 5, 5, 2, 2, 2], 5)
    >>> anonymous_degrees([5, 5, 3, 3, 2, 2, 1], 3, deletions=True).cost
    4
    """
    given = whole_degrees(degrees)
    if search not in SEARCHES:
        raise BadInput("this search is not known", where="search", remedy=nearest(str(search), SEARCHES))
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise BadInput("k must be a whole number of at least 1", where="k")
    n = len(given)
    if n == 0:
        return AnonymousDegrees(given, 0, 0)
    if k > n:
        raise PromiseNotMet(
            f"{k:,} nodes must share a degree and there {'is' if n == 1 else 'are'} {n:,}",
            remedy=f"ask for {n:,} at most, or publish more nodes together",
        )
    # Here and not above: kernels take time to load, and naming a method must not.
    from sfumato.graph.methods._kernels_degree_sequence import (
        fill_groups,
        split_by_hull,
        split_by_queue,
        split_by_recurrence,
        split_greedily,
    )

    if order is None:
        place = np.argsort(-given, kind="stable")
    else:
        place = order[np.argsort(-given[order], kind="stable")]
    falling = given[place]
    total = np.concatenate([np.zeros(1, np.int64), np.cumsum(falling)])
    back = np.zeros(n + 1, np.int64)
    if search == "greedy":
        cost = split_greedily(falling, total, k, deletions, back)
    elif search == "recurrence":
        cost = split_by_recurrence(falling, total, k, deletions, back)
    elif deletions:
        cost = split_by_queue(falling, total, k, deletions, back)
    else:
        cost = split_by_hull(falling, total, k, back)
    target = np.empty(n, np.int64)
    fill_groups(falling, back, deletions, target)
    changed = np.empty(n, np.int64)
    changed[place] = target
    return AnonymousDegrees(changed, int(cost), int((np.diff(target) != 0).sum()) + 1)


def is_graphic(degrees: ArrayLike) -> bool:
    """Say whether some network without loops and double edges has these degrees (Erdős and Gallai 1960).

    >>> is_graphic([2, 2, 2, 0]), is_graphic([3, 1, 1, 0]), is_graphic([3, 3, 1, 1])
    (True, False, False)
    """
    from sfumato.graph.methods._kernels_degree_sequence import erdos_gallai

    found = whole_degrees(degrees)
    return bool(erdos_gallai(np.sort(found)[::-1].copy()))
