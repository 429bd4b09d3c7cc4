"""The loop of nearest records: numbers by how far they lie apart, categories by whether they may agree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]


@kernel
def nearest(
    places: F64,
    codes: I64,
    lows: F64,
    highs: F64,
    labels: I64,
    starts: I64,
    widths: I64,
    agree: U8,
    found: F64,
) -> None:
    """Find for each person the distance of the nearest row.

    Row r covers ``lows[r, j]`` to ``highs[r, j]`` of axis j, NaN for missing; its label in category j may
    stand for code c where ``agree[starts[j] + labels[r, j] * widths[j] + c]`` is 1.
    """
    for i in range(places.shape[0]):
        best = np.inf
        for r in range(lows.shape[0]):
            total = 0.0
            for j in range(codes.shape[1]):
                if agree[starts[j] + labels[r, j] * widths[j] + codes[i, j]] == 0:
                    total += 1.0
                    if total >= best:
                        break
            if total >= best:
                continue
            for j in range(places.shape[1]):
                place, low = places[i, j], lows[r, j]
                if np.isnan(place) or np.isnan(low):
                    if not (np.isnan(place) and np.isnan(low)):
                        total += 1.0
                elif place < low:
                    total += low - place
                elif place > highs[r, j]:
                    total += place - highs[r, j]
                if total >= best:
                    break
            if total < best:
                best = total
                if best == 0.0:
                    break
        found[i] = best
