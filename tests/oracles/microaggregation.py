"""Microaggregation the slow way: every partition, and the algorithms as their papers tell them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

Point = Sequence[float]
Distance = Callable[[Point, Point], float]


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """Yield every way to part a set."""
    if not items:
        yield []
        return
    first, *rest = items
    for smaller in partitions(rest):
        for i, part in enumerate(smaller):
            yield [*smaller[:i], [first, *part], *smaller[i + 1 :]]
        yield [[first], *smaller]


def deviations(points: Sequence[Sequence[int]], groups: Sequence[Sequence[int]]) -> Fraction:
    """Return the sum of squared deviations from the means of the groups, exactly."""
    total = Fraction(0)
    for group in groups:
        for column in range(len(points[0])):
            values = [Fraction(points[i][column]) for i in group]
            mean = sum(values) / len(values)
            total += sum((value - mean) ** 2 for value in values)
    return total


def least_deviations(points: Sequence[Sequence[int]], k: int) -> Fraction:
    """Return the least sum of squared deviations over all partitions into groups of at least k."""
    ways = partitions(list(range(len(points))))
    return min(deviations(points, way) for way in ways if min(len(group) for group in way) >= k)


def least_of_ranges(values: Sequence[int], owners: Sequence[int], k: int) -> Fraction:
    """Return the least sum of squared deviations over ranges of sorted values with k persons each."""
    order = sorted(range(len(values)), key=lambda i: (values[i], i))
    points = [[value] for value in values]

    def best(begin: int) -> Fraction | None:
        if begin == len(order):
            return Fraction(0)
        found = []
        for end in range(begin + 1, len(order) + 1):
            group = order[begin:end]
            if len({owners[i] for i in group}) >= k:
                rest = best(end)
                if rest is not None:
                    found.append(rest + deviations(points, [group]))
        return min(found, default=None)

    answer = best(0)
    assert answer is not None
    return answer


def squared(one: Point, other: Point) -> float:
    total = 0.0
    for a, b in zip(one, other, strict=True):
        total += (a - b) * (a - b)
    return total


def gower(kinds: Sequence[str]) -> Distance:
    def distance(one: Point, other: Point) -> float:
        total = 0.0
        for kind, a, b in zip(kinds, one, other, strict=True):
            total += abs(a - b) if kind == "number" else float(a != b)
        return total

    return distance


def centre_of(points: Sequence[Point], members: Sequence[int], kinds: Sequence[str]) -> list[float]:
    found = []
    for j, kind in enumerate(kinds):
        column = [points[i][j] for i in members]
        if kind == "number":
            found.append(sum(column) / len(column))
        else:
            found.append(min(set(column), key=lambda value: (-column.count(value), value)))
    return found


def _furthest(points: Sequence[Point], left: list[int], point: Point, distance: Distance) -> int:
    return min(left, key=lambda i: (-distance(points[i], point), i))


def _around(
    points: Sequence[Point], left: list[int], point: Point, owners: Sequence[int], k: int, distance: Distance
) -> list[int]:
    group: list[int] = []
    for i in sorted(left, key=lambda i: (distance(points[i], point), i)):
        if len({owners[m] for m in group}) == k:
            break
        group.append(i)
    return group


def mdav(
    points: Sequence[Point],
    owners: Sequence[int],
    k: int,
    kinds: Sequence[str],
    distance: Distance = squared,
) -> list[list[int]]:
    left = list(range(len(points)))
    groups = []

    def persons() -> int:
        return len({owners[i] for i in left})

    while persons() >= 2 * k:
        two = persons() >= 3 * k
        first = _furthest(points, left, centre_of(points, left, kinds), distance)
        for around in [first, None] if two else [first]:
            middle = _furthest(points, left, points[first], distance) if around is None else around
            group = _around(points, left, points[middle], owners, k, distance)
            groups.append(group)
            left = [i for i in left if i not in group]
    if left:
        groups.append(left)
    return groups


def v_mdav(
    points: Sequence[Point], k: int, gamma: float, kinds: Sequence[str], distance: Distance = squared
) -> list[list[int]]:
    """V-MDAV where every record is a person; squared distances are compared with gamma squared."""
    owners = list(range(len(points)))
    left = list(owners)
    centre = centre_of(points, left, kinds)
    ratio = gamma * gamma if distance is squared else gamma
    groups = []
    while len(left) >= k:
        first = _furthest(points, left, centre, distance)
        group = _around(points, left, points[first], owners, k, distance)
        left = [i for i in left if i not in group]
        while left and len(group) < 2 * k - 1:
            inside, candidate = min((distance(points[i], points[m]), i) for i in left for m in group)
            outside = min(
                (distance(points[i], points[candidate]) for i in left if i != candidate), default=float("inf")
            )
            if not inside < ratio * outside:
                break
            group.append(candidate)
            left.remove(candidate)
        groups.append(group)
    centres = [centre_of(points, group, kinds) for group in groups]
    for i in left:
        near = min(range(len(centres)), key=lambda g: (distance(centres[g], points[i]), g))
        groups[near].append(i)
    return groups
