"""How many records hold listed itemsets, counted from the rarest code of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def supports_of(
    record_starts: NDArray[np.int64],
    record_codes: NDArray[np.int32],
    holder_starts: NDArray[np.int64],
    holders: NDArray[np.int64],
    starts: NDArray[np.int64],
    codes: NDArray[np.int32],
    enough: int,
) -> NDArray[np.int64]:
    """Count for every itemset the records that hold it, at most up to ``enough``.

    Codes ascend in records and itemsets. Code c is held by the records
    ``holders[holder_starts[c]:holder_starts[c + 1]]``. Nobody holds an empty itemset.
    """
    found = np.zeros(len(starts) - 1, np.int64)
    for t in range(len(starts) - 1):
        first, end = starts[t], starts[t + 1]
        if first == end:
            continue
        rarest = codes[first]
        for slot in range(first + 1, end):
            code = codes[slot]
            if holder_starts[code + 1] - holder_starts[code] < (
                holder_starts[rarest + 1] - holder_starts[rarest]
            ):
                rarest = code
        for place in range(holder_starts[rarest], holder_starts[rarest + 1]):
            record = holders[place]
            slot = first
            for known in range(record_starts[record], record_starts[record + 1]):
                if record_codes[known] == codes[slot]:
                    slot += 1
                    if slot == end:
                        break
                elif record_codes[known] > codes[slot]:
                    break
            if slot == end:
                found[t] += 1
                if found[t] >= enough:
                    break
    return found
