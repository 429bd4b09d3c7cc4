"""Queries to ask of sets: "how many people have all of these codes?".

Drawn from the records themselves (an itemset that nobody has tells nothing about relative errors), or all
itemsets that at least a share of the people have, as in the case study of the seed (10 %).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.sets import CodeSets, read_only
from sfumato.core.errors import BadInput

Itemset = tuple[int, ...]


@dataclass(frozen=True)
class Queries:
    """Sets of codes, ragged: query q asks for ``codes[starts[q]:starts[q + 1]]`` of some domain."""

    starts: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int32] = field(repr=False)

    @classmethod
    def of(cls, itemsets: Iterable[Sequence[int]]) -> Queries:
        """Lay itemsets end to end."""
        listed = list(itemsets)
        starts = np.zeros(len(listed) + 1, np.int64)
        np.cumsum([len(itemset) for itemset in listed], out=starts[1:])
        flat = np.array([code for itemset in listed for code in itemset], np.int32)
        return cls(read_only(starts, np.int64), read_only(flat, np.int32))

    def __len__(self) -> int:
        return len(self.starts) - 1


def drawn_itemsets(sets: CodeSets, number: int, sizes: Sequence[int], seed: int) -> list[Itemset]:
    """Draw itemsets that occur: a size, a record with so many codes, so many of its codes.

    Every record that is long enough is equally likely. A size that no record reaches is not drawn.

    >>> drawn_itemsets(CodeSets.of([["a", "b"], ["b"]]), 3, (2,), seed=1)
    [(0, 1), (0, 1), (0, 1)]
    """
    lengths = np.diff(sets.starts)
    fitting = {size: np.flatnonzero(lengths >= size) for size in sorted(set(sizes))}
    possible = [size for size, rows in fitting.items() if len(rows)]
    if not possible:
        raise BadInput("no record has enough codes for a query", remedy="ask for smaller sets of codes")
    random = np.random.default_rng(seed)
    found = []
    for _ in range(number):
        size = possible[int(random.integers(len(possible)))]
        row = int(fitting[size][int(random.integers(len(fitting[size])))])
        chosen = random.choice(int(lengths[row]), size, replace=False)
        found.append(tuple(sorted(sets.codes[sets.starts[row] + chosen].tolist())))
    return found
