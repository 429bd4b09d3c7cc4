"""Every small network and each of its neighbours, run through what is shipped: no bound is ever exceeded.

Another person renumbers everybody after them, so neighbours are compared by an order of pairs of *people*
that both share, whatever numbers they have.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from sfumato.core.randomness import SeededRandom
from sfumato.graph.contract import Problem, Statistics
from sfumato.graph.methods import DpCounts, DpDegreeHistogram, DpDegreeSequence
from sfumato.graph.methods.private_degree_sequence import SENSITIVITY
from sfumato.graph.methods.private_ladder import Ladder, ladder_of
from sfumato.graph.methods.private_noise import Differing
from sfumato.graph.methods.private_projection import degrees_in_order, projected_degrees
from sfumato.graph.network import Network
from sfumato.graph.statistics import triangle_count

Pair = tuple[int, int]
NODE = Differing.NODE


def every_set_of_edges(people: int) -> Iterator[frozenset[Pair]]:
    pairs = list(itertools.combinations(range(people), 2))
    for bits in range(2 ** len(pairs)):
        yield frozenset(pair for at, pair in enumerate(pairs) if bits >> at & 1)


def network(people: int, edges: frozenset[Pair]) -> Network:
    return Network.of_edges(people, np.array(sorted(edges), np.int64).reshape(-1, 2))


def orders(people: int, many: int | None) -> list[list[Pair]]:
    """Return orders of all pairs of people: every one, or some at random."""
    pairs = list(itertools.combinations(range(people), 2))
    if many is None:
        return [list(order) for order in itertools.permutations(pairs)]
    chance = np.random.default_rng(people)
    return [[pairs[at] for at in chance.permutation(len(pairs))] for _ in range(many)]


def projected(people: list[int], edges: frozenset[Pair], order: list[Pair], theta: int) -> NDArray[np.int64]:
    """Return degrees after the projection that is shipped; the i-th of these people is node i."""
    number = {person: at for at, person in enumerate(people)}
    listed = [(number[one], number[other]) for one, other in order if (one, other) in edges]
    return degrees_in_order(len(people), np.array(listed, np.int64).reshape(-1, 2), theta)


def counted(degrees: NDArray[np.int64], theta: int) -> dict[str, NDArray[np.int64]]:
    """Return everything that gets noise after a projection, by what it is."""
    histogram = np.bincount(degrees, minlength=theta + 1)
    return {
        "histogram": histogram,
        "cumulative": np.cumsum(histogram),
        "nodes": np.array([len(degrees)]),
        "edges": np.array([degrees.sum() // 2]),
        "wedges": np.array([(degrees * (degrees - 1) // 2).sum()]),
    }


def bounds(neighbours: Differing, theta: int) -> dict[str, int]:
    """Return the Δ that the methods draw noise for."""
    wedges = DpCounts("wedges", 1, neighbours, max(theta, 2)).sensitivity()  # type: ignore[arg-type]
    found = {"wedges": wedges if theta > 1 else 0}
    if neighbours is NODE:
        found |= {
            "histogram": DpDegreeHistogram(1, NODE, theta, cumulative=False).sensitivity(theta),
            "cumulative": DpDegreeHistogram(1, NODE, theta).sensitivity(theta),
            "nodes": DpCounts("nodes", 1, NODE).sensitivity(),  # type: ignore[arg-type]
            "edges": DpCounts("edges", 1, NODE, theta).sensitivity(),  # type: ignore[arg-type]
        }
    return {name: bound for name, bound in found.items() if bound is not None}


def most_moved(people: int, theta: int, neighbours: Differing, many: int | None) -> dict[str, int]:
    worst = dict.fromkeys(bounds(neighbours, theta), 0)
    everybody = list(range(people))
    for order in orders(people, many):
        whole = {edges: projected(everybody, edges, order, theta) for edges in every_set_of_edges(people)}
        for edges, degrees in whole.items():
            if neighbours is NODE:
                others = [
                    projected(
                        [one for one in everybody if one != gone],
                        frozenset(pair for pair in edges if gone not in pair),
                        order,
                        theta,
                    )
                    for gone in everybody
                ]
            else:
                others = [whole[edges - {gone}] for gone in edges]
            here = counted(degrees, theta)
            for other in others:
                there = counted(other, theta)
                for name in worst:
                    worst[name] = max(worst[name], int(np.abs(here[name] - there[name]).sum()))
    return worst


@pytest.mark.parametrize("neighbours", list(Differing))
@pytest.mark.parametrize(
    ("people", "theta", "many"),
    [(2, 1, None), (3, 1, None), (3, 2, None), (4, 1, 25), (4, 2, 25), (4, 3, 25), (5, 2, 1)]
    + [pytest.param(*case, marks=pytest.mark.slow) for case in ((4, 2, None), (5, 3, 8), (6, 3, 1))],
)
def test_no_neighbour_moves_a_figure_by_more_than_noise_is_for(
    people: int, theta: int, many: int | None, neighbours: Differing
) -> None:
    moved = most_moved(people, theta, neighbours, many)
    allowed = bounds(neighbours, theta)
    assert all(moved[name] <= allowed[name] for name in moved), (moved, allowed)


def test_bounds_are_reached_so_that_the_test_above_can_fail() -> None:
    moved = most_moved(3, 2, NODE, None)
    assert {name: moved[name] for name in ("cumulative", "edges", "nodes", "wedges")} == {
        "cumulative": 3,
        "edges": 2,
        "nodes": 1,
        "wedges": 3,
    }
    assert most_moved(4, 2, Differing.EDGE, 25)["wedges"] == 2


@pytest.mark.parametrize("people", [2, 3, 4, 5])
def test_an_edge_moves_exact_figures_by_no_more_than_noise_is_for(people: int) -> None:
    for edges in every_set_of_edges(people):
        here = np.sort(network(people, edges).degrees())
        for gone in edges:
            there = np.sort(network(people, edges - {gone}).degrees())
            assert np.abs(here - there).sum() <= SENSITIVITY
            for theta in range(1, people):
                one, other = (
                    np.bincount(np.minimum(some, theta), minlength=theta + 1) for some in (here, there)
                )
                plain, rising = DpDegreeHistogram(1, cumulative=False), DpDegreeHistogram(1)
                assert np.abs(one - other).sum() <= plain.sensitivity(theta)
                assert np.abs(np.cumsum(one) - np.cumsum(other)).sum() <= rising.sensitivity(theta)


def test_every_order_of_edges_is_as_likely_as_another() -> None:
    """The proof of the projection averages over orders, so they must not favour numbers of nodes.

    A path of three edges cut to 1: the middle edge is kept alone in 2 of 6 orders. Fails by chance with 1e-9.
    """
    path, runs = network(4, frozenset({(0, 1), (1, 2), (2, 3)})), 6000
    source = SeededRandom(3)
    alone = sum(int(projected_degrees(path, 1, source).sum()) == 2 for _ in range(runs))
    assert abs(alone - runs / 3) < 6.2 * math.sqrt(runs * 2 / 9)


def ladder_chances(ladder: Ladder, value: int, epsilon: float, reach: int) -> dict[int, float]:
    """Return Pr[x] by its definition: e^(−ε·rung/2) over its sum, for x within ``reach`` of 0."""
    chances, rung = {}, 0
    for away in range(2 * reach + 1):
        while sum(ladder.step(at) for at in range(rung)) < away:
            rung += 1
        chances[away] = math.exp(-epsilon * rung / 2)
    whole = chances[0] + 2 * sum(chance for away, chance in chances.items() if away)
    return {x: chances[abs(x - value)] / whole for x in range(-reach, reach + 1)}


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("people", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_no_number_of_triangles_is_more_than_e_to_the_epsilon_as_likely(people: int, epsilon: float) -> None:
    reach = 60 * people
    seen: dict[tuple[int, int], dict[int, float]] = {}

    def chances(edges: frozenset[Pair]) -> dict[int, float]:
        on = network(people, edges)
        ladder, value = ladder_of(on), triangle_count(on)
        near = {node: {o for pair in edges if node in pair for o in pair} - {node} for node in range(people)}
        common = [len(near[a] & near[b]) for a, b in itertools.combinations(range(people), 2)]
        assert ladder.shared == max(common)
        key = (ladder.shared, value)
        if key not in seen:
            seen[key] = ladder_chances(ladder, value, epsilon, reach)
        return seen[key]

    for edges in every_set_of_edges(people):
        one = chances(edges)
        for gone in edges:
            other = chances(edges - {gone})
            apart = max(abs(math.log(one[x] / other[x])) for x in one)
            assert apart <= epsilon + 1e-9


@pytest.mark.parametrize(
    "method",
    [
        DpDegreeSequence("0.5"),
        DpDegreeSequence("0.5", graphic=True),
        DpDegreeHistogram("0.5"),
        DpDegreeHistogram("0.5", theta=3),
        DpDegreeHistogram("0.5", cumulative=False),
        DpCounts("edges", "0.5"),  # type: ignore[arg-type]
        DpCounts("wedges", "0.5", theta=3),  # type: ignore[arg-type]
        DpCounts("triangles", "0.5"),  # type: ignore[arg-type]
        DpDegreeHistogram("0.5", NODE, 3),
        DpDegreeHistogram("0.5", NODE, 3, cumulative=False),
        DpCounts("nodes", "0.5", NODE),  # type: ignore[arg-type]
        DpCounts("edges", "0.5", NODE, 3),  # type: ignore[arg-type]
        DpCounts("wedges", "0.5", NODE, 3),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_shape_and_words_of_what_is_published_are_those_of_any_neighbour(
    method: DpDegreeSequence | DpDegreeHistogram | DpCounts,
) -> None:
    """Hub, empty and full: rows, names, details and price follow from what is public alone."""
    hidden = getattr(method, "neighbours", Differing.EDGE) is NODE
    shapes = set()
    for people in (2, 5, 9) if hidden else (5,):
        for edges in (
            frozenset[Pair](),
            frozenset((0, other) for other in range(1, people)),
            frozenset(itertools.combinations(range(people), 2)),
        ):
            made = method.protect(Problem(network(people, edges), ()))
            assert isinstance(made.published, Statistics)
            columns = tuple((name, len(column)) for name, column in made.published.columns.items())
            said = tuple(made.details.items()), tuple(made.spent.items())
            shapes.add((columns, made.published.statistic, *said, made.group is None))
    assert len(shapes) == 1
    assert dict(shapes.pop()[3]) == {"epsilon": 0.5}
