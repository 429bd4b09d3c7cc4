"""What a grouping leaves open: exact however large, and to whoever knows how the groups were chosen."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.graph.grouped import Grouped
from sfumato.graph.worlds.counts import log_worlds
from sfumato.graph.worlds.estimates import expected_degree_distribution
from tests.oracles.graph_worlds import partitions


def one_group(size: int, edges: int) -> Grouped:
    return Grouped(np.array([size]), np.array([edges]), np.empty((0, 2), np.int64), np.empty(0, np.int64))


@pytest.mark.parametrize(
    ("size", "edges"),
    [(10**6, 1), (10**6, 5), (3 * 10**9, 1), (2 * 10**6, 3000), (10**5, 65), (90_000, 100_000)],
)
def test_the_ways_to_place_few_edges_among_very_many_pairs_are_not_rounded_away(
    size: int, edges: int
) -> None:
    exact = math.log(math.comb(size * (size - 1) // 2, edges))
    assert log_worlds(one_group(size, edges)) == pytest.approx(exact, rel=1e-14)


@given(st.integers(2, 80), st.data())
def test_log_worlds_is_exact_for_every_number_of_edges(size: int, data: st.DataObject) -> None:
    pairs = size * (size - 1) // 2
    edges = data.draw(st.integers(0, pairs))
    assert log_worlds(one_group(size, edges)) == pytest.approx(
        math.log(math.comb(pairs, edges)), rel=1e-14, abs=1e-14
    )


def test_knowing_that_groups_are_the_best_rules_worlds_out_and_makes_no_pair_likelier() -> None:
    """All networks of six nodes, groups of three; one of the best groupings is drawn.

    What is left is told in ``worlds.counts``: 4.50 of log W on average by the counts alone, 4.25 to whoever
    also knows that no other groups leave fewer worlds.
    """
    pairs = list(itertools.combinations(range(6), 2))
    networks = (np.arange(2 ** len(pairs))[:, None] >> np.arange(len(pairs))) & 1
    cells, worlds = [], []
    for parts in partitions(range(6), 3):
        if len(parts) == 1:
            continue
        group = {node: at for at, part in enumerate(parts) for node in part}
        cell = np.array([3 * min(ends) + max(ends) for ends in [(group[a], group[b]) for a, b in pairs]])
        kinds = [np.flatnonzero(cell == kind) for kind in np.unique(cell)]
        found = np.zeros(len(networks))
        for inside in kinds:
            ways = np.log([math.comb(len(inside), edges) for edges in range(len(inside) + 1)])
            found += ways[networks[:, inside].sum(axis=1)]
        cells.append(kinds)
        worlds.append(found)
    best = np.array(worlds) < np.min(worlds, axis=0) + 1e-9
    equal = best.sum(axis=0)
    # All ten ways to make two groups of three are alike: the first stands for them.
    chosen = np.flatnonzero(best[0])
    counts = np.column_stack([networks[:, inside].sum(axis=1) for inside in cells[0]])
    total = by_counts = left = 0.0
    for told in np.unique(counts[chosen], axis=0):
        fits = (counts == told).all(axis=1)
        among = chosen[fits[chosen]]
        weight = 1 / equal[among]
        chance = weight / weight.sum()
        total += weight.sum()
        by_counts += weight.sum() * math.log(fits.sum())
        left -= weight.sum() * float(chance @ np.log(chance))
        connected = chance @ networks[among]
        for inside, edges in zip(cells[0], told.tolist(), strict=True):
            assert connected[inside] == pytest.approx(edges / len(inside))
    assert total * 10 == pytest.approx(len(networks))
    assert by_counts / total == pytest.approx(4.50, abs=0.005)
    assert left / total == pytest.approx(4.25, abs=0.005)


@pytest.mark.parametrize(("size", "edges"), [(1000, 5000), (10**6, 5 * 10**6), (60, 1700)])
def test_expected_degrees_of_large_groups_add_up_to_their_nodes_and_edges(size: int, edges: int) -> None:
    found = expected_degree_distribution(one_group(size, edges))
    assert found.sum() == pytest.approx(size, rel=1e-12)
    assert found @ np.arange(len(found)) == pytest.approx(2 * edges, rel=1e-10)


def test_expected_degrees_of_a_large_group_are_those_of_binomials_as_whole_numbers() -> None:
    size, edges = 50_000, 40
    pairs = size * (size - 1) // 2
    found = expected_degree_distribution(one_group(size, edges))
    for degree in range(4):
        ways = math.comb(size - 1, degree) * math.comb(pairs - size + 1, edges - degree)
        assert found[degree] == pytest.approx(
            size * float(Fraction(ways, math.comb(pairs, edges))), rel=1e-12
        )
