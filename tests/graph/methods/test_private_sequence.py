"""Order and Erdős–Gallai: what noisy numbers become afterwards."""

from __future__ import annotations

import math
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.graph.methods.private_sequence import graphic, isotonic
from tests.oracles import graph_private as oracle


@given(st.lists(st.integers(-9, 9), max_size=12))
def test_isotonic_regression_is_that_of_all_means(values: list[int]) -> None:
    found = isotonic(np.array(values, np.int64))
    assert found.tolist() == pytest.approx([float(x) for x in oracle.isotonic(values)])
    assert (np.diff(found) >= -1e-12).all()


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9), st.lists(st.integers(-9, 9), min_size=9))
def test_no_other_ascending_numbers_are_nearer(values: list[int], others: list[int]) -> None:
    other = np.sort(np.array(others[: len(values)], np.float64))
    best = ((isotonic(np.array(values)) - values) ** 2).sum()
    assert best <= ((other - np.array(values)) ** 2).sum() + 1e-9


@pytest.mark.parametrize("people", [1, 2, 3, 4, 5])
def test_all_small_numbers_become_degrees_of_networks(people: int) -> None:
    there = oracle.graphic_sequences(people)
    for at in np.ndindex(*([people + 1] * people)):
        assert tuple(graphic(np.array(at, np.float64)).tolist()) in there


@given(st.lists(st.floats(-3, 25), max_size=20))
def test_numbers_become_degrees_of_a_network_and_are_never_raised(values: list[float]) -> None:
    found = graphic(np.array(values))
    rounded = sorted(min(max(math.floor(Fraction(x) + Fraction(1, 2)), 0), len(values) - 1) for x in values)
    assert nx.is_graphical(found.tolist())
    assert (np.diff(found) >= 0).all()
    assert (found <= np.array(rounded, np.int64)).all()
    if nx.is_graphical(rounded):
        assert found.tolist() == rounded


@pytest.mark.parametrize("people", [2, 3, 4, 5])
def test_degrees_of_networks_stay_as_they_are(people: int) -> None:
    for degrees in oracle.graphic_sequences(people):
        assert tuple(graphic(np.array(degrees, np.float64)).tolist()) == degrees


def test_an_odd_sum_costs_one_end_where_that_is_enough() -> None:
    degrees = np.sort(np.random.default_rng(1).integers(1, 30, 2001))
    degrees[-1] += 1 - degrees.sum() % 2
    found = graphic(degrees.astype(np.float64))
    assert degrees.sum() - found.sum() == 1
