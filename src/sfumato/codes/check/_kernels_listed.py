"""Counting the records that may hold codes which a policy lists."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def matching(
    codes: NDArray[np.int64],
    above_begins: NDArray[np.int64],
    above: NDArray[np.int32],
    begins: NDArray[np.int64],
    owners: NDArray[np.int32],
    mark: NDArray[np.int64],
    stamp: int,
) -> NDArray[np.int64]:
    """Return the records that show, for every code, some item above it.

    The items above code c are ``above[above_begins[c]:above_begins[c + 1]]``, the records with item i
    ``owners[begins[i]:begins[i + 1]]``. ``mark`` counts for each record how many codes it matched in turn,
    from ``stamp`` on, which must lie above all earlier marks; they end below ``stamp + len(codes) + 2``.
    """
    found = 0
    for turn in range(len(codes)):
        found = 0
        for slot in range(above_begins[codes[turn]], above_begins[codes[turn] + 1]):
            for place in range(begins[above[slot]], begins[above[slot] + 1]):
                record = owners[place]
                if mark[record] < stamp if turn == 0 else mark[record] == stamp + turn:
                    mark[record] = stamp + turn + 1
                    found += 1
    rows = np.empty(found, np.int64)
    found = 0
    last = codes[-1]
    for slot in range(above_begins[last], above_begins[last + 1]):
        for place in range(begins[above[slot]], begins[above[slot] + 1]):
            record = owners[place]
            if mark[record] == stamp + len(codes):
                rows[found] = record
                found += 1
                mark[record] += 1
    return rows
