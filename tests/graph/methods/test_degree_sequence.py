"""Degrees that each occur k times: as cheap as any, by every search, and those that networks have."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.graph.methods.degree_construct import havel_hakimi
from sfumato.graph.methods.degree_sequence import SEARCHES, Search, anonymous_degrees, is_graphic
from tests.oracles.graph_degree import (
    degrees_of,
    least_change,
    least_change_of_all,
    sequences_of_networks,
    smallest_class,
)

DEGREES = st.lists(st.one_of(st.integers(0, 4), st.integers(0, 60)), min_size=1, max_size=24)


@settings(deadline=None, max_examples=150)
@given(DEGREES, st.integers(1, 24), st.booleans())
@example([5], 1, True)
@example([7, 7, 7, 0], 2, False)
def test_every_search_but_the_greedy_one_finds_the_least_change(
    degrees: list[int], k: int, deletions: bool
) -> None:
    k = min(k, len(degrees))
    least = least_change(degrees, k, deletions)
    for search in SEARCHES:
        found = anonymous_degrees(degrees, k, search=search, deletions=deletions)
        assert smallest_class(found.degrees.tolist()) >= k
        assert found.cost == sum(abs(new - old) for new, old in zip(found.degrees, degrees, strict=True))
        assert found.groups == len(set(found.degrees.tolist()))
        assert found.cost >= least if search == "greedy" else found.cost == least
        if not deletions:
            assert (found.degrees >= np.array(degrees)).all()


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=5), st.integers(1, 5), st.booleans())
def test_no_sequence_at_all_is_cheaper(degrees: list[int], k: int, deletions: bool) -> None:
    k = min(k, len(degrees))
    least = least_change_of_all(degrees, k, deletions)
    assert anonymous_degrees(degrees, k, deletions=deletions).cost == least


def test_huge_degrees_are_compared_exactly() -> None:
    huge = 2**56
    degrees = [huge, huge - 3, huge - 5, huge // 2, huge // 2 - 1, 1, 0, 0]
    for k in (1, 2, 3, 4):
        for search in ("exact", "recurrence"):
            for deletions in (False, True):
                found = anonymous_degrees(degrees, k, search=search, deletions=deletions)
                assert found.cost == least_change(degrees, k, deletions)
    with pytest.raises(BadInput, match="too large"):
        anonymous_degrees([2**61, 2**61], 1)


@pytest.mark.parametrize("search", SEARCHES)
def test_long_sequences_cost_the_same_by_every_exact_search(search: Search) -> None:
    chance = np.random.default_rng(5)
    degrees = np.floor((chance.pareto(1.2, 20_000) + 1) * 2).astype(np.int64)
    for k in (2, 7, 300):
        for deletions in (False, True):
            found = anonymous_degrees(degrees, k, search=search, deletions=deletions)
            best = anonymous_degrees(degrees, k, search="recurrence", deletions=deletions)
            assert smallest_class(found.degrees.tolist()) >= k
            assert int(np.abs(found.degrees - degrees).sum()) == found.cost
            limit = 1.05 if search == "greedy" else 1
            assert best.cost <= found.cost <= limit * best.cost


def test_order_says_which_of_equal_nodes_is_raised() -> None:
    assert anonymous_degrees([3, 1, 1, 1], 2).degrees.tolist() == [3, 3, 1, 1]
    order = np.array([3, 2, 1, 0])
    assert anonymous_degrees([3, 1, 1, 1], 2, order=order).degrees.tolist() == [3, 1, 1, 3]


def test_nothing_has_no_degrees() -> None:
    assert anonymous_degrees([], 3).cost == 0
    assert is_graphic([])
    assert havel_hakimi([]).nodes == 0


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(PromiseNotMet, match="5 nodes must share a degree and there are 2; ask for 2 at most"):
        anonymous_degrees([1, 1], 5)
    for bad in (0, True, 1.5):
        with pytest.raises(BadInput, match="k must be a whole number"):
            anonymous_degrees([1, 1], bad)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="did you mean 'exact'"):
        anonymous_degrees([1, 1], 2, search="exat")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="negative"):
        anonymous_degrees([1, -1], 1)
    with pytest.raises(BadInput, match="whole numbers"):
        anonymous_degrees([1.5, 2.0], 1)
    with pytest.raises(BadInput, match="no network has these degrees"):
        havel_hakimi([3, 1, 1, 0])


@pytest.mark.parametrize("nodes", [1, 2, 3, 4, 5])
def test_erdos_gallai_knows_the_degrees_of_all_networks(nodes: int) -> None:
    known = sequences_of_networks(nodes)
    for degrees in itertools.product(range(nodes + 1), repeat=nodes):
        assert is_graphic(degrees) == (degrees in known)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 30), st.integers(0, 100), st.integers(0, 1000))
def test_havel_and_hakimi_build_what_a_network_has(nodes: int, percent: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    edges = [pair for pair in itertools.combinations(range(nodes), 2) if chance.integers(100) < percent]
    degrees = degrees_of(nodes, edges)
    built = havel_hakimi(degrees)
    assert degrees_of(nodes, [(int(a), int(b)) for a, b in built.pairs()]) == degrees


@pytest.mark.golden
def test_golden_sequences_cost_what_they_should(shared: Path) -> None:
    golden = json.loads((shared / "golden" / "graph.json").read_text())
    cases = [(case["d"], case["k"], case) for case in golden["degree_sequences"]]
    karate = golden["karate"]
    for k, case in karate["k_degree_dp"].items():
        median = {"L1_cost_additions": case["L1_cost"], "L1_cost_median": case["median_cost"]}
        cases.append((karate["degree_seq"], int(k), {**case, **median}))
    assert len(cases) > 10
    for degrees, k, case in cases:
        assert anonymous_degrees(degrees, k).cost == case["L1_cost_additions"]
        assert anonymous_degrees(degrees, k, deletions=True).cost == case["L1_cost_median"]
        assert is_graphic(case["sequence"]) == case["graphic"]
