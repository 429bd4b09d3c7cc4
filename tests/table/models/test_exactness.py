"""Thresholds without rounding, numbers on their side of a bound, and all parts judged like each of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.domain import Domain
from sfumato.table.models import entropy_l_diversity
from sfumato.table.models.distances import (
    EqualDistance,
    LineDistance,
    TreeDistance,
    numeric_gaps,
    ordered_gaps,
)
from sfumato.table.models.logarithms import is_at_most_log, sign_of_logs
from sfumato.table.models.numbers import exactly, number, shown
from sfumato.table.models.shares import exceeds
from sfumato.table.published import ClassValues
from tests.oracles.models import publish

counts = st.lists(st.integers(1, 12), min_size=1, max_size=5)


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 40)), max_size=5))
def test_signs_of_sums_of_logarithms_are_those_of_products(terms: list[tuple[int, int]]) -> None:
    product = Fraction(1)
    for factor, x in terms:
        product *= Fraction(x) ** factor
    assert sign_of_logs(terms) == (product > 1) - (product < 1)


def test_logarithms_that_differ_far_behind_the_point_are_told_apart() -> None:
    # (1 + 10⁻⁴⁰) is above 1, whatever a float says.
    assert sign_of_logs([(1, 10**40 + 1), (-1, 10**40)]) == 1
    assert sign_of_logs([(3, 10**40), (-2, 10**60)]) == 0
    assert is_at_most_log(Fraction(69314718055994530941723212145817656, 10**35), Fraction(2))
    assert not is_at_most_log(Fraction(69314718055994530941723212145817657, 10**35), Fraction(2))


@given(counts, st.fractions(1, 6, max_denominator=20))
def test_entropies_are_compared_as_whole_numbers(listed: list[int], wanted: Fraction) -> None:
    n, product = sum(listed), Fraction(1)
    for f in listed:
        product *= Fraction(f) ** f
    reached = Fraction(n) ** n - wanted**n * product
    assert entropy_l_diversity.compare(tuple(listed), wanted) == (reached > 0) - (reached < 0)


@pytest.mark.parametrize("l", [2, 3, 7, 10, 97])
def test_equal_counts_have_the_entropy_of_their_number(l: int) -> None:  # noqa: E741 - the name of the literature
    data = publish(pd.DataFrame({"q": ["a"] * 5 * l, "ill": list(range(l)) * 5}), ["q"], ["ill"])
    verdict = sf.EntropyLDiversity(l).check(data)
    assert verdict.holds
    assert verdict.achieved == f"l = {l}"
    assert not sf.EntropyLDiversity(Fraction(l) + Fraction(1, 10**30)).check(data).holds  # type: ignore[arg-type]


def test_a_share_that_no_float_can_hold_is_compared_as_it_is_written() -> None:
    data = publish(pd.DataFrame({"q": ["a"] * 10, "ill": ["x"] * 3 + ["y"] * 7}), ["q"], ["ill"])
    assert sf.AlphaKAnonymity(0.7, 1).check(data).holds
    assert sf.AlphaKAnonymity(0.3, 1, ("x",)).check(data).holds
    verdict = sf.AlphaKAnonymity(0.69999999999, 1).check(data)
    assert not verdict.holds
    assert verdict.required == "k ≥ 1, α ≤ 0.69999999999"
    assert verdict.achieved == "k = 10, α = 0.7"


def test_ranges_of_numbers_with_more_digits_than_a_float_has() -> None:
    pay = ["1000000000000000.1", "1000000000000001.0"]
    data = publish(pd.DataFrame({"q": ["a", "a"], "pay": pay}), ["q"], ["pay"])
    assert sf.RangeDiversity(0.9).check(data).holds
    assert not sf.RangeDiversity(0.90001).check(data).holds


def test_comparisons_fall_back_to_python_where_64_bits_are_too_few() -> None:
    many = np.array([2**40, 2**40 + 1])
    assert exceeds(many, Fraction(1, 10**12) + 1, np.array([2**40, 2**40])).tolist() == [False, False]
    assert exceeds(many, Fraction(10**12, 10**12 + 1), np.array([2**40, 2**40])).tolist() == [True, True]


def test_disclosure_at_a_whole_number_of_bits_is_strict() -> None:
    # A quarter of everybody has x, half of the class has: exactly one bit.
    data = publish(pd.DataFrame({"q": list("aabbbbbb"), "ill": list("xyxyyyyy")}), ["q"], ["ill"])
    verdict = sf.DeltaDisclosure(1).check(data)
    assert not verdict.holds
    assert verdict.achieved == "δ = 1"
    assert sf.DeltaDisclosure(1.0000001).check(data).holds


@pytest.mark.parametrize(
    ("value", "bound", "text"),
    [
        (Fraction(3, 8), None, "0.375"),
        (Fraction(1, 3), None, "0.3333"),
        (2.7489, None, "2.749"),
        (30162, None, "30162"),
        (Fraction(3), Fraction(3), "3"),
        (2.9999999, Fraction(3), "2.9999999"),
        (0.200001, Fraction(1, 5), "0.200001"),
        (float("inf"), None, "∞"),
    ],
)
def test_numbers_are_short_and_on_their_side(value: Any, bound: Fraction | None, text: str) -> None:
    assert shown(value, bound) == text


def test_numbers_mean_what_is_written() -> None:
    assert exactly(0.1, "", "", "") == Fraction(1, 10)
    assert number("2.50") == Fraction(5, 2)
    assert number("2024-01-02") - number("2024-01-01") == 1


@st.composite
def parts(draw: st.DrawFn) -> ClassValues:
    """Draw who has which of five values in some parts."""
    table = draw(
        st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5).filter(any), min_size=1, max_size=6)
    )
    persons = np.array(table, np.int64)
    place, codes = np.nonzero(persons)
    starts = np.searchsorted(place, np.arange(len(table) + 1)).astype(np.int64)
    domain = Domain.of("ill", [0, 1, 2, 4, 7])
    people = persons.sum(axis=1)
    return ClassValues(
        domain, np.arange(len(table)), starts, codes.astype(np.int64), persons[place, codes], people
    )


TREES = (
    sf.Tree({"any": {"low": [0, 1, 2], "high": [4, 7]}}),
    sf.Tree({"any": {"a": {"b": [0, 7]}, "c": {"d": [1, 2], "e": [4]}}}),
    sf.Flat(),
)


@settings(max_examples=80)
@given(parts())
def test_distances_of_all_parts_at_once_are_those_of_each(values: ClassValues) -> None:
    distances = [
        EqualDistance(values.base),
        LineDistance(values.base, ordered_gaps(values.domain)),
        LineDistance(values.base, numeric_gaps(values.domain)),
        *(TreeDistance(values.base, tree.ladder(values.domain)) for tree in TREES),
    ]
    for distance in distances:
        one_by_one = [float(distance.of(values.counts(part))) for part in range(len(values))]
        assert distance.of_all(values).tolist() == pytest.approx(one_by_one, abs=1e-12)
    # In a hierarchy of one step every value is as far from every other.
    flat, equal = distances[-1], distances[0]
    assert [flat.of(values.counts(part)) for part in range(len(values))] == [
        equal.of(values.counts(part)) for part in range(len(values))
    ]
