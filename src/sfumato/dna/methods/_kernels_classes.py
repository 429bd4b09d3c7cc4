"""Loops over classes of rows: split them by a column, and see whether each part has enough people.

Rows are ordered by person, so that the rows of one person follow each other and a person is counted once in a
class by remembering the last one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def split(
    classes: NDArray[np.int64],
    number: int,
    column: NDArray[np.uint8],
    persons: NDArray[np.int64],
    people: int,
    into: NDArray[np.int64],
    slots: NDArray[np.int64],
    counts: NDArray[np.int64],
    last: NDArray[np.int64],
) -> int:
    """Split ``number`` classes by the values of a column; return how many there are, or −1 when one of them
    has fewer than ``people`` persons. ``slots`` (32 × rows), ``counts`` and ``last`` (rows) are scratch."""
    slots[: 32 * number] = -1
    found = 0
    for row in range(len(classes)):
        key = 32 * classes[row] + column[row]
        if slots[key] < 0:
            slots[key] = found
            counts[found] = 0
            last[found] = -1
            found += 1
        one = slots[key]
        into[row] = one
        if last[one] != persons[row]:
            last[one] = persons[row]
            counts[one] += 1
    for one in range(found):
        if counts[one] < people:
            return -1
    return found


@kernel
def any_set_breaks(
    cells: NDArray[np.uint8],
    chosen: NDArray[np.int64],
    number: int,
    column: int,
    size: int,
    persons: NDArray[np.int64],
    people: int,
    classes: NDArray[np.int64],
    slots: NDArray[np.int64],
    counts: NDArray[np.int64],
    last: NDArray[np.int64],
) -> bool:
    """Say whether a column with up to ``size − 1`` of the first ``number`` chosen ones leaves too few people.

    ``cells`` has a row for each column. ``classes`` (size + 1 × rows) is scratch. All sets are gone through
    in depth; a column that splits nothing is not followed, since the sets with it are like those without.
    """
    classes[0, :] = 0
    parts = np.empty(size + 1, np.int64)
    next_one = np.empty(size + 1, np.int64)
    parts[0] = 1
    parts[1] = split(classes[0], parts[0], cells[column], persons, people, classes[1], slots, counts, last)
    if parts[1] < 0:
        return True
    depth = 1
    next_one[1] = 0
    while depth >= 1:
        if depth == size or next_one[depth] == number:
            depth -= 1
            continue
        other = chosen[next_one[depth]]
        next_one[depth] += 1
        found = split(
            classes[depth],
            parts[depth],
            cells[other],
            persons,
            people,
            classes[depth + 1],
            slots,
            counts,
            last,
        )
        if found < 0:
            return True
        if found > parts[depth]:
            next_one[depth + 1] = next_one[depth]
            depth += 1
            parts[depth] = found
    return False


@kernel
def ones(word: np.uint64) -> Any:
    """Count the bits of a word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def narrow(
    alive: NDArray[np.uint64],
    column: NDArray[np.uint8],
    fits: NDArray[np.uint64],
    persons: NDArray[np.int64],
    single: bool,
    people: int,
    into: NDArray[np.uint64],
) -> bool:
    """Leave for each row those of the population that also fit its value of one more column; say whether each
    row keeps ``people`` persons. ``fits[value]`` has a bit for each row of the population, ordered by person;
    ``single`` says that each person has one."""
    for row in range(len(alive)):
        many = 0
        last = -1
        for word in range(alive.shape[1]):
            left = alive[row, word] & fits[column[row], word]
            into[row, word] = left
            if single:
                many += ones(left)
            elif left:
                for bit in range(64):
                    if (left >> np.uint64(bit)) & np.uint64(1):
                        person = persons[64 * word + bit]
                        if person != last:
                            last = person
                            many += 1
        if many < people:
            return False
    return True
