"""The model's marginals against whole tables, cell by cell."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.query.methods.graphical_model import Measurement, fit
from sfumato.query.methods.junction_tree import JunctionTree
from tests.oracles.graphical_model import largest_entropy, least_loss, marginal

Case = tuple[tuple[int, ...], list[tuple[int, ...]]]


@st.composite
def measured_sets(draw: st.DrawFn, most: int = 5) -> Case:
    sizes = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=most)))
    alone: list[tuple[int, ...]] = [(a,) for a in range(len(sizes))]
    pairs = list(itertools.combinations(range(len(sizes)), 2))
    together = draw(st.lists(st.sampled_from(pairs), max_size=6, unique=True)) if pairs else []
    return sizes, [*alone, *together]


def people(sizes: tuple[int, ...], seed: int) -> NDArray[np.float64]:
    generator = np.random.default_rng(seed)
    return generator.dirichlet(np.full(int(np.prod(sizes)), 0.7)).reshape(sizes) * 1000 + 0.5


@given(measured_sets())
def test_a_junction_tree_covers_every_set_and_hangs_together(case: Case) -> None:
    sizes, sets = case
    tree = JunctionTree.over(sets, sizes)
    assert all(tree.holding(s) is not None for s in sets)
    assert tree.parents[0] == -1
    for i, parent in enumerate(tree.parents[1:], 1):
        assert 0 <= parent < i
        before = set().union(*tree.cliques[:i])
        # The running intersection: what a clique shares with all earlier ones lies in its parent.
        assert set(tree.cliques[i]) & before == set(tree.separators[i])
        assert set(tree.separators[i]) <= set(tree.cliques[parent])


def test_a_circle_is_triangulated() -> None:
    tree = JunctionTree.over([(0, 1), (1, 2), (2, 3), (0, 3)], [2, 2, 2, 2])
    assert sorted(len(clique) for clique in tree.cliques) == [3, 3]


@settings(max_examples=25, deadline=None)
@given(measured_sets(), st.integers(0, 10**6))
def test_a_fitted_model_has_the_largest_entropy_of_all_that_agree(case: Case, seed: int) -> None:
    sizes, sets = case
    joint = people(sizes, seed)
    model = fit([Measurement(s, marginal(joint, s), 1.0) for s in sets], sizes, joint.sum(), steps=4000)
    brute = largest_entropy([(s, marginal(joint, s)) for s in sets], sizes)
    for first in range(len(sizes)):
        for second, found in model.pairs(first).items():
            assert found == pytest.approx(marginal(brute, (first, second)), abs=2.0)
    for s in sets:
        assert model.marginal(s) == pytest.approx(marginal(joint, s), abs=1.0)


@settings(max_examples=8, deadline=None)
@given(measured_sets(most=3), st.integers(0, 10**6))
def test_a_model_of_noisy_counts_is_as_near_to_them_as_any_table(case: Case, seed: int) -> None:
    sizes, sets = case
    generator = np.random.default_rng(seed)
    joint = people(sizes, seed)
    noisy = []
    for s in sets:
        deviation = float(generator.choice([5.0, 20.0]))
        y = marginal(joint, s)
        noisy.append((s, y + generator.normal(0, deviation, y.shape), deviation))
    model = fit([Measurement(*m) for m in noisy], sizes, 1000, steps=4000)
    reached = sum(float(((model.marginal(s) - y) ** 2).sum()) / (2 * d * d) for s, y, d in noisy)
    best = least_loss(noisy, sizes, 1000)
    assert best - 1e-3 <= reached <= best * 1.01 + 0.05


def test_measuring_twice_is_weighed_by_precision() -> None:
    coarse, fine = np.array([60.0, 40.0]), np.array([50.0, 50.0])
    model = fit([Measurement((0,), coarse, 3.0), Measurement((0,), fine, 1.0)], (2,), 100)
    assert model.marginal((0,)) == pytest.approx([51.0, 49.0], abs=1e-3)


def test_a_warm_start_ends_where_a_cold_one_does() -> None:
    sizes, sets = (3, 3, 2), [(0, 1), (1, 2)]
    joint = people(sizes, 3)
    first = fit([Measurement((0, 1), marginal(joint, (0, 1)), 1.0)], sizes, joint.sum())
    measured = [Measurement(s, marginal(joint, s), 1.0) for s in sets]
    warm, cold = fit(measured, sizes, joint.sum(), warm=first), fit(measured, sizes, joint.sum())
    assert warm.pairs(0)[2] == pytest.approx(cold.pairs(0)[2], abs=0.5)
