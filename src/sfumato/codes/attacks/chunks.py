"""Where codes of a person may stand in disassociated sets, and how many sub-records may be theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.disassociated import Chunk, Cluster, Disassociated, JointCluster
from sfumato.codes.sets import CodeSets
from sfumato.core.errors import BadInput

MOST_ITEMSETS = 20_000_000
"""itemsets of people up to which all of them are looked at"""


@dataclass(frozen=True)
class _Place:
    """A plain cluster: in which bag of sub-records each code may stand, by the sub-records that hold it.

    ``bags[code]`` is the number of the bag and the sub-records; a term stands in no bag, and in nobody knows
    how many records.
    """

    part: int
    records: int
    bags: dict[int, tuple[int, frozenset[int]]]
    terms: frozenset[int]

    def candidates(self, codes: tuple[int, ...]) -> int:
        """Return how many sub-records of the bag with the fewest may be those of somebody with the codes."""
        together: dict[int, frozenset[int]] = {}
        for code in codes:
            if code in self.bags:
                bag, held = self.bags[code]
                together[bag] = together[bag] & held if bag in together else held
            elif code not in self.terms:
                return 0
        return min((self.records, *(len(held) for held in together.values())))


def _places(part: Cluster | JointCluster, number: int) -> Iterator[_Place]:
    """Go through the plain clusters of a part, each with the bags that its records may draw from."""
    waiting: list[tuple[Cluster | JointCluster, tuple[tuple[Chunk, ...], ...]]] = [(part, ())]
    while waiting:
        inner, around = waiting.pop()
        if isinstance(inner, JointCluster):
            waiting.extend((one, (inner.shared, *around)) for one in inner.parts)
            continue
        bags: dict[int, tuple[int, frozenset[int]]] = {}
        taken, bag = set(inner.held), 0
        for chunk in inner.chunks:
            bags |= _held(chunk, bag, frozenset())
            bag += 1
        for shared in around:
            told = frozenset(taken)
            for chunk in shared:
                # A sub-record with a code that is told of these records elsewhere is not one of theirs.
                bags |= {code: held for code, held in _held(chunk, bag, told).items() if code not in bags}
                bag += 1
                taken |= chunk.held
        yield _Place(number, inner.records, bags, frozenset(inner.terms))


def _held(chunk: Chunk, bag: int, told: frozenset[int]) -> dict[int, tuple[int, frozenset[int]]]:
    by_code: dict[int, set[int]] = {}
    for place, codes in enumerate(chunk.sub_records()):
        if told.isdisjoint(codes):
            for code in codes:
                by_code.setdefault(code, set()).add(place)
    return {code: (bag, frozenset(held)) for code, held in by_code.items()}


class Chunks:
    """A disassociated release as an adversary searches it."""

    def __init__(self, released: Disassociated) -> None:
        self._places = [
            place for number, part in enumerate(released.clusters) for place in _places(part, number)
        ]
        self._with: dict[int, list[int]] = {}
        for number, place in enumerate(self._places):
            for code in {*place.bags, *place.terms}:
                self._with.setdefault(code, []).append(number)
        self._seen: dict[tuple[int, ...], int] = {}

    def candidates(self, codes: tuple[int, ...]) -> int:
        """Return how many sub-records may be those of somebody with the codes; 0 if there is nobody."""
        if codes not in self._seen:
            rarest = min(codes, key=lambda code: len(self._with.get(code, ())))
            of_part: dict[int, int] = {}
            for number in self._with.get(rarest, ()):
                place = self._places[number]
                of_part[place.part] = max(of_part.get(place.part, 0), place.candidates(codes))
            self._seen[codes] = sum(of_part.values())
        return self._seen[codes]


def candidates_in_chunks(
    released: Disassociated, people: CodeSets, m: int, by_chance: bool, seed: int
) -> NDArray[np.int64]:
    """Return for every person how many sub-records may be theirs, of whom at most m codes are known.

    It is the worst choice of codes that some cluster may hold, or one that is drawn by chance. Who has no
    code that is shown may be anybody.
    """
    lengths = np.diff(people.starts).tolist()
    if not by_chance and sum(comb(n, min(m, n)) for n in lengths) > MOST_ITEMSETS:
        raise BadInput(
            f"people have too many sets of {m} codes to look at all of them",
            remedy="let the adversary know fewer codes, or 'choose: random'",
        )
    place = {code: position for position, code in enumerate(released.domain)}
    chunks, generator = Chunks(released), np.random.default_rng(seed)
    found = np.full(len(people), len(released), np.int64)
    for person, record in enumerate(people):
        shown = sorted(place[code] for code in record if code in place)
        if not shown:
            continue
        size = min(m, len(shown))
        if by_chance:
            drawn = sorted(generator.choice(len(shown), size, replace=False).tolist())
            found[person] = chunks.candidates(tuple(shown[one] for one in drawn))
            continue
        counts = [
            chunks.candidates(known) for some in range(1, size + 1) for known in combinations(shown, some)
        ]
        found[person] = min((count for count in counts if count), default=len(released))
    return found
