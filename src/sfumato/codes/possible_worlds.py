"""What disassociated sets may have come from: originals to draw, for analyses that need records.

M. Terrovitis, J. Liagouris, N. Mamoulis & S. Skiadopoulos, "Privacy preservation by disassociation" (2012).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.disassociated import Chunk, Cluster, Disassociated, JointCluster
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.core.errors import BadInput

Placed = tuple[NDArray[np.int64], NDArray[np.int64]]
"""records, and codes that they get"""


def possible_original(published: Disassociated, seed: int = 0) -> CodeSets:
    """Draw one of the originals that a release of chunks may have come from.

    Sub-records of a chunk go to different records of their cluster, each choice equally likely; those of a
    shared chunk to records of any of its clusters that do not show their codes in chunks of their own. Of a
    term it is only known that somebody has it: one record gets it. So each code occurs as often as chunks
    show it, and once for each cluster in which it is a term: codes that were frequent before but are
    terms now come out too rare. Codes of one chunk stay together as they were; codes of different chunks
    meet by chance alone. Analyses are best run on several draws (different seeds) and averaged.

    >>> shown = Disassociated(("a", "b", "c"), (Cluster(2, (Chunk.of([[0, 1], [0, 1]]),), (2,)),))
    >>> sorted(possible_original(shown))
    [('a', 'b'), ('a', 'b', 'c')]
    """
    random = np.random.default_rng(seed)
    records: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    codes: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    first = 0
    for part in published.clusters:
        for held, given in _place(part, first, random):
            records.append(held)
            codes.append(given)
        first += part.records
    return CodeSets.from_pairs(np.concatenate(records), np.concatenate(codes), published.domain, first)


def _place(part: Cluster | JointCluster, first: int, random: np.random.Generator) -> Iterator[Placed]:
    """Give the sub-records of a part to its records, which are numbered from ``first``."""
    if isinstance(part, Cluster):
        for chunk in part.chunks:
            yield _spread(chunk, _some(part.records, chunk, random) + first)
        if part.terms:
            yield random.integers(part.records, size=len(part.terms)) + first, np.array(part.terms, np.int64)
        return
    inside = first
    for inner in part.parts:
        yield from _place(inner, inside, random)
        inside += inner.records
    below = frozenset().union(*(inner.held for inner in part.parts))
    for chunk in part.shared:
        if not chunk.held & below:
            yield _spread(chunk, _some(part.records, chunk, random) + first)
        else:
            yield _spread(chunk, _among_those_without(part, chunk, first, random))


def _some(records: int, chunk: Chunk, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw a record for each sub-record of a chunk, none twice."""
    if len(chunk) > records:
        raise _too_many()
    return random.choice(records, len(chunk), replace=False).astype(np.int64)


def _spread(chunk: Chunk, records: NDArray[np.int64]) -> Placed:
    """Give sub-record i to ``records[i]``."""
    return records[slots_of(chunk.starts)], chunk.codes.astype(np.int64)


def _among_those_without(
    part: JointCluster, chunk: Chunk, first: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """Choose records for the sub-records of a shared chunk whose codes also stand in chunks below.

    Those with the fewest records to choose from come first.
    """
    shown = chunk.sub_records()
    free = {one: random.permutation(_without(part, frozenset(one), first)).tolist() for one in set(shown)}
    taken: set[int] = set()
    chosen = np.empty(len(shown), np.int64)
    for place in sorted(range(len(shown)), key=lambda at: (len(free[shown[at]]), shown[at])):
        choice = free[shown[place]]
        while choice and choice[-1] in taken:
            choice.pop()
        if not choice:
            raise _too_many()
        chosen[place] = choice.pop()
        taken.add(int(chosen[place]))
    return chosen


def _without(part: Cluster | JointCluster, codes: frozenset[int], first: int) -> NDArray[np.int64]:
    """Return the records of a part that show none of these codes in chunks of their own."""
    if not part.held & codes:
        return np.arange(first, first + part.records)
    found = [np.empty(0, np.int64)]
    if isinstance(part, JointCluster):
        for inner in part.parts:
            # What a joint cluster shares it tells of all its records.
            if not (isinstance(inner, JointCluster) and inner.told & codes):
                found.append(_without(inner, codes, first))
            first += inner.records
    return np.concatenate(found)


def _too_many() -> BadInput:
    return BadInput(
        "a chunk has more sub-records than there are records for them, so the release has no original",
        where="disassociated sets",
        remedy="get the release again",
    )
