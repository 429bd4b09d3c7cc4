"""What cuts gain for a workload, record by record, from the definitions; all cuts are tried."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

Record = tuple[Any, ...]
Measure = Callable[[Sequence[int]], float]
"""how much is mixed in a box, which is given by the places of its records"""


def mixed_classes(target: Sequence[Any]) -> Measure:
    """n · H, the entropy of the target in nats times the number of records."""

    def measure(box: Sequence[int]) -> float:
        counts = Counter(target[i] for i in box)
        return -sum(f * math.log(f / len(box)) for f in counts.values())

    return measure


def spread(target: Sequence[float | None]) -> Measure:
    """The squares around the mean, of those who have a number, in parts of the variance of all."""
    known = [value for value in target if value is not None]
    mean = sum(known) / max(1, len(known))
    variance = sum((value - mean) ** 2 for value in known) / max(1, len(known))

    def measure(box: Sequence[int]) -> float:
        own = [value for i in box if (value := target[i]) is not None]
        middle = sum(own) / max(1, len(own))
        return sum((value - middle) ** 2 for value in own) / variance if variance else 0.0

    return measure


def mixed_regions(members: Sequence[set[int]]) -> Measure:
    """Σ_q n_q (1 − n_q/n) / N_q², given the records that lie in each region."""

    def measure(box: Sequence[int]) -> float:
        total = 0.0
        for region in members:
            inside = len(region & set(box))
            total += inside * (1 - inside / len(box)) / max(1, len(region)) ** 2
        return total

    return measure


def gain(measure: Measure, left: Sequence[int], right: Sequence[int]) -> float:
    """Return what is less mixed in two halves than in their union."""
    return measure([*left, *right]) - measure(left) - measure(right)


def parted(values: Sequence[Any], left: set[Any]) -> tuple[list[int], list[int]]:
    """Divide the places of values by whether they go left."""
    places = range(len(values))
    return [i for i in places if values[i] in left], [i for i in places if values[i] not in left]


def thresholds(values: Sequence[Any]) -> Iterator[set[Any]]:
    """Every left half along an axis; missing stands behind the largest value."""
    distinct = set(values)
    line = sorted(distinct - {None}) + ([None] if None in distinct else [])
    yield from (set(line[:size]) for size in range(1, len(line)))


def divisions(values: Sequence[Any]) -> Iterator[set[Any]]:
    """Every division of the values."""
    distinct = sorted(set(values), key=str)
    for size in range(1, len(distinct)):
        yield from map(set, combinations(distinct, size))


def by_score(values: Sequence[Any], score: Callable[[list[int]], float]) -> Iterator[set[Any]]:
    """Every left half that parts low scores from high ones: values of one score stay together."""
    places: dict[Any, list[int]] = {}
    for i, value in enumerate(values):
        places.setdefault(value, []).append(i)
    scores = {value: score(own) for value, own in places.items()}
    for bound in sorted(set(scores.values()))[:-1]:
        yield {value for value, found in scores.items() if found <= bound}


def edges(values: Sequence[Any], wanted: Sequence[set[Any]], *, ordered: bool) -> Iterator[set[Any]]:
    """Every left half along an edge: ``wanted`` are the values that conditions on the column ask for."""
    if not ordered:
        for values_asked in wanted:
            left = set(values) & values_asked
            if left and left != set(values):
                yield left
        return
    line = sorted(set(values) - {None}) + ([None] if None in values else [])
    for i in range(1, len(line)):
        if any((line[i - 1] in one) != (line[i] in one) for one in wanted):
            yield set(line[:i])
