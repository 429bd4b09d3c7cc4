"""Possible worlds: their number, draws from them, and what follows from the counts."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.graph.grouped import Grouped
from sfumato.graph.network import Network
from sfumato.graph.worlds import (
    certain,
    estimate,
    expected_degree_distribution,
    expected_degrees,
    group_of_world,
    grouped_of,
    log_worlds,
    number_of_worlds,
    sample,
    worlds,
)
from sfumato.graph.worlds._kernels_sampling import ends_of
from tests.graph.drawn import Drawn, drawn_networks, network_of
from tests.oracles.graph_worlds import all_worlds, counts_of, partitions
from tests.oracles.graph_worlds import number_of_worlds as obvious_number


def edges_of(world: Network) -> frozenset[tuple[int, int]]:
    return frozenset((a, b) for a, b in world.pairs().tolist())


def sorted_groups(draw: list[int]) -> list[int]:
    """Number groups in the order in which their nodes come, nodes group by group as worlds have them."""
    names = sorted(set(draw))
    return [names.index(name) for name in sorted(draw)]


@settings(max_examples=60, deadline=None)
@given(drawn_networks(most=6, least=1), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_the_number_of_worlds_is_that_of_all_networks_with_the_same_counts(
    drawn: Drawn, draw: list[int]
) -> None:
    nodes, edges = drawn
    group = sorted_groups(draw[:nodes])
    grouped = grouped_of(network_of(drawn), np.array(group))
    every = all_worlds(group, edges)
    assert number_of_worlds(grouped) == len(every)
    assert log_worlds(grouped) == pytest.approx(math.log(len(every)), abs=1e-9)


@pytest.mark.golden
def test_the_most_and_the_fewest_worlds_of_the_golden_networks(shared: Path) -> None:
    for case in json.loads((shared / "golden" / "graph.json").read_text())["grouping"]:
        nodes = max(max(edge) for edge in case["edges"]) + 1
        network = Network.of_edges(nodes, np.array(case["edges"]))
        found = []
        for parts in partitions(range(nodes), case["k"]):
            group = np.empty(nodes, np.int64)
            for number, part in enumerate(parts):
                group[list(part)] = number
            found.append(number_of_worlds(grouped_of(network, group)))
        least = case["min_possible_worlds"]
        assert (min(found), max(found)) == (least, case["max_possible_worlds"])
        assert (len(found), found.count(least)) == (case["num_partitions"], case["num_best"])
        assert obvious_number(case["edges"], case["best_partition"]) == least


def test_the_logarithm_stays_right_for_large_groups() -> None:
    for size, edges in ((40, 300), (46, 517), (47, 1), (300, 44_000)):
        grouped = Grouped(np.array([size]), np.array([edges]), np.empty((0, 2), int), np.empty(0, int))
        exact = math.log(math.comb(size * (size - 1) // 2, edges))
        assert log_worlds(grouped) == pytest.approx(exact, rel=1e-9, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(
    drawn_networks(most=9, least=1),
    st.lists(st.integers(0, 3), min_size=9, max_size=9),
    st.integers(0, 1000),
)
def test_a_drawn_world_has_the_counts_of_the_grouping(drawn: Drawn, draw: list[int], seed: int) -> None:
    nodes, edges = drawn
    group = sorted_groups(draw[:nodes])
    grouped = grouped_of(network_of(drawn), np.array(group))
    world = sample(grouped, seed)
    assert world.nodes == nodes
    assert group_of_world(grouped).tolist() == group
    assert counts_of(sorted(edges_of(world)), group) == counts_of(edges, group)


@pytest.mark.parametrize(
    ("group", "edges"),
    [
        ([0, 0, 0, 1, 1, 1], [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)]),
        ([0, 0, 0, 0, 1], [(0, 1), (2, 3), (1, 3), (0, 4)]),
        ([0, 0, 0, 0, 1, 1], [(0, 1), (4, 5), (0, 4), (1, 4), (2, 4), (3, 4), (0, 5), (1, 5)]),
        ([0, 0, 1, 1, 2], [(0, 2), (0, 3), (2, 4), (1, 4)]),
    ],
)
def test_every_world_is_drawn_equally_often(group: list[int], edges: list[tuple[int, int]]) -> None:
    network = Network.of_edges(len(group), np.array(edges))
    grouped = grouped_of(network, np.array(group))
    every = set(all_worlds(group, edges))
    draws = 300 * len(every)
    seen = Counter(edges_of(world) for world in worlds(grouped, draws, seed=5))
    assert set(seen) == every
    chi_square = sum((seen[world] - 300) ** 2 / 300 for world in every)
    # Wilson and Hilferty (1931): the cube root is nearly normal. Five deviations are one in three million.
    freedom = len(every) - 1
    limit = freedom * (1 - 2 / (9 * freedom) + 5 * math.sqrt(2 / (9 * freedom))) ** 3
    assert chi_square < limit


def test_worlds_differ_and_a_seed_gives_them_again() -> None:
    grouped = Grouped(np.array([30, 30]), np.array([40, 50]), np.array([[0, 1]]), np.array([200]))
    first = [edges_of(world) for world in worlds(grouped, 3, seed=1)]
    assert len(set(first)) == 3
    assert first == [edges_of(world) for world in worlds(grouped, 3, seed=1)]
    assert first[0] == edges_of(sample(grouped, seed=1))
    assert edges_of(sample(grouped, seed=2)) not in first


def test_pairs_of_a_huge_group_are_numbered_without_rounding() -> None:
    size = 3_000_000
    rows = [1, 2, 3, 1_500_000, size - 2, size - 1]
    numbers = [i * (i - 1) // 2 + j for i in rows for j in {0, i - 1}]
    wanted = [[j, i] for i in rows for j in {0, i - 1}]
    sizes, edges = np.array([size]), np.array([len(numbers)])
    found = ends_of(sizes, np.empty((0, 2), np.int64), edges, np.array(numbers))
    assert found.tolist() == wanted


def test_a_grouping_without_edges_has_one_world() -> None:
    grouped = Grouped(np.array([3, 1]), np.array([0, 0]), np.empty((0, 2), int), np.empty(0, int))
    assert (number_of_worlds(grouped), log_worlds(grouped)) == (1, 0.0)
    assert sample(grouped).nodes == 4
    assert expected_degree_distribution(grouped).tolist() == [4.0]


@settings(max_examples=40, deadline=None)
@given(drawn_networks(most=6, least=1), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_expected_degrees_are_the_means_over_all_worlds(drawn: Drawn, draw: list[int]) -> None:
    nodes, edges = drawn
    group = sorted_groups(draw[:nodes])
    grouped = grouped_of(network_of(drawn), np.array(group))
    every = all_worlds(group, edges)
    degrees = [Counter(itertools.chain.from_iterable(world)) for world in every]
    for number, mean in enumerate(expected_degrees(grouped).tolist()):
        mine = [node for node in range(nodes) if group[node] == number]
        assert {sum(one[node] for node in mine) / len(mine) for one in degrees} == {mean}
    counted = Counter(one[node] for one in degrees for node in range(nodes))
    distribution = expected_degree_distribution(grouped)
    assert len(distribution) == max(counted) + 1
    for degree, expected in enumerate(distribution.tolist()):
        assert expected == pytest.approx(counted[degree] / len(every), abs=1e-9)


def test_an_estimate_has_the_mean_and_the_spread_of_the_worlds() -> None:
    grouped = Grouped(np.array([6, 6]), np.array([7, 8]), np.array([[0, 1]]), np.array([9]))
    found = estimate(grouped, lambda world: np.bincount(world.degrees(), minlength=12), count=400, seed=3)
    every = [np.bincount(world.degrees(), minlength=12) for world in worlds(grouped, 400, seed=3)]
    assert found.mean.tolist() == pytest.approx(np.mean(every, axis=0).tolist())
    assert found.spread.tolist() == pytest.approx(np.std(every, axis=0, ddof=1).tolist())
    assert found.lowest.tolist() == np.min(every, axis=0).tolist()
    assert found.highest.tolist() == np.max(every, axis=0).tolist()
    exact = expected_degree_distribution(grouped)
    assert (np.abs(found.mean[: len(exact)] - exact) <= 5 * found.error[: len(exact)] + 0.05).all()


def test_an_estimate_that_cannot_be_made_is_refused() -> None:
    grouped = Grouped(np.array([4]), np.array([3]), np.empty((0, 2), int), np.empty(0, int))
    with pytest.raises(BadInput, match="two worlds"):
        estimate(grouped, lambda world: 1.0, count=1)
    with pytest.raises(BadInput, match="not a finite number in 3 of 3 worlds"):
        estimate(grouped, lambda world: math.nan, count=3)
    with pytest.raises(BadInput, match="same shape"):
        estimate(grouped, lambda world: np.zeros(int(world.degrees().max())), count=50)
    with pytest.raises(BadInput, match="count"):
        worlds(grouped, 0)
    with pytest.raises(BadInput, match="seed"):
        sample(grouped, -1)


@settings(max_examples=60, deadline=None)
@given(drawn_networks(most=6, least=1), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_certain_edges_are_those_of_every_world(drawn: Drawn, draw: list[int]) -> None:
    nodes, edges = drawn
    group = sorted_groups(draw[:nodes])
    found = certain(grouped_of(network_of(drawn), np.array(group)))
    every = all_worlds(group, edges)
    assert found.edges == len(frozenset.intersection(*every))
    assert found.share == (found.edges / len(edges) if edges else None)
    full = empty = 0
    for number in set(group):
        pairs = list(itertools.combinations([node for node in range(nodes) if group[node] == number], 2))
        full += bool(pairs) and all(pair in world for world in every for pair in pairs)
        empty += bool(pairs) and not any(pair in world for world in every for pair in pairs)
    assert (found.complete_groups, found.empty_groups) == (full, empty)


@settings(max_examples=40, deadline=None)
@given(drawn_networks(most=8, least=1), st.lists(st.integers(0, 9), min_size=8, max_size=8))
def test_groups_are_counted_whatever_their_numbers(drawn: Drawn, draw: list[int]) -> None:
    nodes, edges = drawn
    group = draw[:nodes]
    names = sorted(set(group))
    grouped = grouped_of(network_of(drawn), np.array(group))
    assert grouped.sizes.tolist() == [group.count(name) for name in names]
    told = {(names[g], names[g]): n for g, n in enumerate(grouped.inside.tolist()) if n}
    told |= {
        (names[a], names[b]): n
        for (a, b), n in zip(grouped.links.tolist(), grouped.between.tolist(), strict=True)
    }
    assert told == dict(counts_of(edges, group))
