"""How many records hold everything that a record holds: prefixes first, then code by code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.risk._kernels_subsets import extend
from sfumato.core.jit import kernel

_FEW = 8
"""records that are compared rather than grouped once more"""


@kernel
def compared(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    record_of: NDArray[np.int32],
    places: NDArray[np.int64],
    depth: int,
    begin: int,
    end: int,
    slot: int,
    targets: int,
    members: int,
    enough: int,
) -> tuple[int, int]:
    """Count, among the records of a group, those that hold what follows a slot in its record.

    Return how many of these are attacked and how many are members; stop at ``enough`` members.
    """
    attacked, found = 0, 0
    stop = starts[record_of[slot] + 1]
    for place in range(begin, end):
        there = places[depth, place]
        record = record_of[there]
        close = starts[record + 1]
        holds = True
        for wanted in range(slot + 1, stop):
            while there < close and codes[there] < codes[wanted]:
                there += 1
            if there == close or codes[there] != codes[wanted]:
                holds = False
                break
        if holds:
            attacked += record < targets
            found += record >= members
            if found >= enough:
                break
    return attacked, found


@kernel
def whole_sets(
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    record_of: NDArray[np.int32],
    holder_starts: NDArray[np.int64],
    holder_slots: NDArray[np.int64],
    targets: int,
    members: int,
    enough: int,
    first: int,
    last: int,
    attacked: NDArray[np.int64],
    found: NDArray[np.int64],
    places: NDArray[np.int64],
    bounds: NDArray[np.int64],
    counts: NDArray[np.int64],
    touched: NDArray[np.int32],
) -> None:
    """Count who holds all codes of attacked records whose rarest code has rank ``first`` to ``last`` − 1.

    Only prefixes with which an attacked record begins are followed, for as many levels as ``places`` has;
    the records that are left then are compared code by code. ``counts`` must be zero and is left so.
    """
    levels = places.shape[0]
    at = np.zeros(levels, np.int64)
    groups = np.zeros(levels, np.int64)
    for anchor in range(first, last):
        depth = 0
        at[0], groups[0] = 0, 1
        bounds[0, 0], bounds[0, 1] = 0, holder_starts[anchor + 1] - holder_starts[anchor]
        for place in range(bounds[0, 1]):
            places[0, place] = holder_slots[holder_starts[anchor] + place]
        while depth >= 0:
            if at[depth] == groups[depth]:
                depth -= 1
                continue
            begin, end = bounds[depth, at[depth]], bounds[depth, at[depth] + 1]
            at[depth] += 1
            last_level = depth + 1 == levels or end - begin <= _FEW
            longer = False
            for place in range(begin, end):
                slot = places[depth, place]
                record = record_of[slot]
                # The prefix has depth + 1 codes: a record begins with it when its last one stands there.
                if record >= targets or slot != starts[record] + depth:
                    continue
                if last_level or slot + 1 == starts[record + 1]:
                    attacked[record], found[record] = compared(
                        starts, codes, record_of, places, depth, begin, end, slot, targets, members, enough
                    )
                else:
                    longer = True
            if longer:
                groups[depth + 1] = extend(
                    starts, codes, record_of, places, bounds, counts, touched, depth, begin, end
                )
                at[depth + 1] = 0
                depth += 1
