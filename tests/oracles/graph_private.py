"""Every small network and its neighbours, and what is counted in them, by definition.

A network is a set of people and a set of pairs. Nothing here is shared with the methods.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction

People = frozenset[int]
Edge = tuple[int, int]
Edges = frozenset[Edge]
Graph = tuple[People, Edges]
Vector = tuple[int, ...]


def all_graphs(people: int) -> Iterator[Graph]:
    pairs = list(itertools.combinations(range(people), 2))
    everybody = frozenset(range(people))
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        yield everybody, frozenset(pair for pair, there in zip(pairs, chosen, strict=True) if there)


def without_one_edge(graph: Graph) -> Iterator[Graph]:
    for edge in graph[1]:
        yield graph[0], graph[1] - {edge}


def without_one_person(graph: Graph) -> Iterator[Graph]:
    for gone in graph[0]:
        yield graph[0] - {gone}, frozenset(edge for edge in graph[1] if gone not in edge)


def degrees(graph: Graph) -> dict[int, int]:
    return {person: sum(person in edge for edge in graph[1]) for person in graph[0]}


def projected(graph: Graph, order: list[Edge], theta: int) -> dict[int, int]:
    """Return degrees after edges were added in the order, where neither end was full."""
    found = dict.fromkeys(graph[0], 0)
    for one, other in order:
        if (one, other) in graph[1] and found[one] < theta and found[other] < theta:
            found[one] += 1
            found[other] += 1
    return found


def histogram(found: dict[int, int], most: int) -> Vector:
    return tuple(sum(min(d, most) == degree for d in found.values()) for degree in range(most + 1))


def cumulative(found: dict[int, int], most: int) -> Vector:
    return tuple(sum(min(d, most) <= degree for d in found.values()) for degree in range(most + 1))


def wedges(found: dict[int, int]) -> int:
    return sum(len(list(itertools.combinations(range(d), 2))) for d in found.values())


def triangles(graph: Graph) -> int:
    return sum(
        all(pair in graph[1] for pair in itertools.combinations(three, 2))
        for three in itertools.combinations(sorted(graph[0]), 3)
    )


def common_neighbours(graph: Graph) -> int:
    """Return the most that two people have."""
    near = {person: {a + b - person for a, b in graph[1] if person in (a, b)} for person in graph[0]}
    return max((len(near[a] & near[b]) for a, b in itertools.combinations(graph[0], 2)), default=0)


def changes(
    people: int,
    neighbours: Callable[[Graph], Iterator[Graph]],
    statistic: Callable[[Graph], Vector],
) -> Iterator[Vector]:
    """Yield how far each number of a statistic moves, for all networks of so many people and neighbours."""
    known: dict[Graph, Vector] = {}

    def value(graph: Graph) -> Vector:
        if graph not in known:
            known[graph] = statistic(graph)
        return known[graph]

    for graph in all_graphs(people):
        for other in neighbours(graph):
            yield tuple(abs(a - b) for a, b in zip(value(graph), value(other), strict=True))


def worst(
    people: int,
    neighbours: Callable[[Graph], Iterator[Graph]],
    statistic: Callable[[Graph], Vector],
) -> int:
    """Return the greatest L1 change of a statistic."""
    return max(map(sum, changes(people, neighbours, statistic)))


def isotonic(values: list[int]) -> list[Fraction]:
    """Return max over a ≤ i of min over b ≥ i of the mean of values a … b (Barlow et al. 1972)."""
    many = len(values)

    def mean(first: int, last: int) -> Fraction:
        return Fraction(sum(values[first : last + 1]), last + 1 - first)

    return [max(min(mean(a, b) for b in range(i, many)) for a in range(i + 1)) for i in range(many)]


def graphic_sequences(people: int) -> set[Vector]:
    return {tuple(sorted(degrees(graph).values())) for graph in all_graphs(people)}


def ladder_rung(value: int, people: int, shared: int, x: int) -> int:
    """Return the rung of x, by walking outwards from the value step by step."""
    rung, reach = 0, 0
    while abs(x - value) > reach:
        reach += min(shared + rung, people - 2)
        rung += 1
    return rung


def ladder(people: int, shared: int, epsilon: Fraction, reach: int) -> dict[int, Decimal]:
    """Return the probabilities of −reach … reach around the value."""
    with localcontext(prec=50):
        rate = Decimal(epsilon.numerator) / Decimal(epsilon.denominator) / 2
        weight = {x: (-rate * ladder_rung(0, people, shared, x)).exp() for x in range(-reach, reach + 1)}
        total = sum(weight.values())
        return {x: found / total for x, found in weight.items()}
