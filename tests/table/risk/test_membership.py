"""Membership exposure: who of the population is in the data."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.table.risk.against import Against
from sfumato.table.risk.membership import MembershipExposure
from tests.oracles import against as oracle

people = st.lists(st.integers(0, 6), min_size=1, max_size=30)


def counted(file: list[int], everybody: list[int]) -> Against:
    ours, theirs = Counter(file), Counter(everybody)
    classes = sorted({*ours, *theirs})
    return Against.of([ours[one] for one in classes], [theirs[one] for one in classes])


@given(people, people, st.fractions(0, 1, max_denominator=30))
def test_exposure_agrees_with_counting_person_by_person(
    file: list[int], others: list[int], limit: Fraction
) -> None:
    everybody = [*file, *others]
    found = MembershipExposure.of(counted(file, everybody), limit)
    chances = oracle.presence(file, everybody)
    assert (found.least, found.greatest) == (float(min(chances)), float(max(chances)))
    assert found.mean == pytest.approx(float(sum(chances, Fraction(0)) / len(chances)), abs=1e-15)
    assert found.mean == len(file) / len(everybody)
    assert found.above == sum(chance > limit for chance in chances)
    assert found.surely_in == chances.count(Fraction(1))
    assert found.surely_out == chances.count(Fraction(0))


@settings(max_examples=15)
@given(people, people)
def test_delta_presence_holds_between_the_least_and_the_greatest_and_not_inside(
    file: list[int], others: list[int]
) -> None:
    everybody = [*file, *others]
    found = MembershipExposure.of(counted(file, everybody))
    table, population = pd.DataFrame({"q": file}), pd.DataFrame({"q": everybody})

    def holds(low: float, high: float) -> bool:
        model = sf.DeltaPresence(low, high)
        return sf.check(table, quasi="q", models=model, population=population)[0].holds

    assert holds(0, 1)
    below, above = found.greatest - 0.001, found.least + 0.001
    assert not holds(0, below)
    if above <= 1:
        assert not holds(above, 1)


def test_a_class_exactly_at_the_threshold_is_not_above_it() -> None:
    assert MembershipExposure.of(Against.of([1], [2])).above == 0
    assert MembershipExposure.of(Against.of([2], [3])).above == 3


def test_a_threshold_with_a_large_denominator_is_compared_exactly() -> None:
    limit = Fraction(333_333_333, 1_000_000_000)
    sizes = 3 * 10**10
    found = MembershipExposure.of(Against.of([10**10], [sizes]), limit)
    assert found.above == sizes
    assert MembershipExposure.of(Against.of([10**10], [sizes]), Fraction(1, 3)).above == 0


def test_a_list_that_holds_fewer_people_than_the_data_says_that_they_are_in() -> None:
    found = MembershipExposure.of(Against.of([3, 0], [2, 2]))
    assert (found.greatest, found.surely_in, found.surely_out) == (1.0, 2, 2)
