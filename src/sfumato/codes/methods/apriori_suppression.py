"""Leaving codes out where that loses less than showing everything as a node far above.

Full-subtree recoding (M. Terrovitis, N. Mamoulis, P. Kalnis, PVLDB 2008) shows a whole branch as one node
because of one rare code in it, and everything as ``*`` because of one rare branch. Leaving a node out of all
records mends every rare itemset that it stands in and lowers no support of what is still shown. A code that
is left out costs as much as one that is shown as ``*``: NCP 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from sfumato.codes.methods import _kernels_apriori as kernels
from sfumato.codes.methods.apriori_ground import Cut
from sfumato.codes.methods.apriori_search import Order, Remedy, Search, Stuck
from sfumato.core.errors import BadInput
from sfumato.core.progress import Progress

Walk = Callable[[Search, Cut, Order, Remedy], Cut]
"""mends all rare itemsets of a cut, beginning with some"""
ROUNDS = 4
"""so often splits are tried again after codes were put back"""
_TENTHS = 10_000
"""a share in a message is rounded up to so many parts"""


def checked_share(suppress: float, method: str) -> float:
    """Return the largest share of occurrences that may be left out; refuse what is no share."""
    if isinstance(suppress, bool) or not isinstance(suppress, int | float) or not 0 <= suppress <= 1:
        raise BadInput("suppress must be a share between 0 and 1", where=method, remedy="try suppress: 0.05")
    return suppress


def allowed(suppress: float, occurrences: int) -> int:
    """Return how many occurrences may be left out; a share means the decimal that it is written as.

    >>> allowed(0.29, 100)
    29
    """
    return math.floor(Fraction(str(suppress)) * occurrences)


def cheapest(
    search: Search,
    walk: Walk,
    start: Cut,
    orders: Sequence[Order],
    trim: bool,
    progress: Progress,
    most: int = 0,
) -> tuple[Cut, Order]:
    """Walk from a cut with each order; return the cheapest good cut and the order that found it.

    Up to ``most`` occurrences may be left out. What is found without leaving any out is always among those
    that are compared.
    """
    best: tuple[int, Cut, Order] | None = None
    for order in orders:
        progress.step(f"generalise rare itemsets, {order} nodes first")
        for cut in _good_cuts(search, walk, start, order, trim, most):
            loss = search.ground.loss(cut)
            if best is None or loss < best[0]:
                best = loss, cut, order
        if best is not None and (best[1] == start).all():
            break
    if best is None:
        raise Stuck
    return best[1], best[2]


def _good_cuts(search: Search, walk: Walk, start: Cut, order: Order, trim: bool, most: int) -> list[Cut]:
    """Return the good cuts that one order leads to; none when the walk gets stuck.

    Generalising first and leaving codes out where that lets a node be split, from the dearest down, loses as
    little on real data as weighing both for every rare itemset, and takes less time.
    """
    found = []
    try:
        # Equal to the walk without suppression wherever that one gets through.
        plain = walk(search, start, order, Remedy(kernels.LIFT, most))
        found.append(search.trim(plain) if trim else plain)
    except Stuck:
        pass
    if not most or (found and (found[0] == start).all()):
        return found
    if trim and found:
        return [*found, _with_less(search, found[0], most)]
    try:
        weighed = walk(search, start, order, Remedy(kernels.CHEAPER, most))
    except Stuck:
        return found
    return [*found, _with_less(search, weighed, most) if trim else weighed]


def _with_less(search: Search, cut: Cut, most: int) -> Cut:
    """Split nodes and leave out what becomes rare, put back what can be shown again, while that helps."""
    for _ in range(ROUNDS):
        better = search.put_back(search.trim(cut, most))
        if search.ground.loss(better) >= search.ground.loss(cut):
            break
        cut = better
    return cut


def share_that_suffices(
    search: Search, walk: Walk, start: Cut, orders: Sequence[Order], occurrences: int
) -> float | None:
    """Return a share of ``occurrences`` with which a search does not get stuck; None if only all would do."""
    everything = search.ground.occurrences
    needed = everything
    for order in orders:
        cut = walk(search, start, order, Remedy(kernels.LIFT, everything))
        out = search.ground.left_out(cut)
        try:
            # Codes that came back on the way may have been more than those that are out in the end.
            walk(search, start, order, Remedy(kernels.LIFT, out))
        except Stuck:
            continue
        needed = min(needed, out)
    if needed == everything:
        return None
    return math.ceil(Fraction(needed * _TENTHS, occurrences)) / _TENTHS
