"""Household risk against the product over the members."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.risk.household import HouseholdRisk
from tests.oracles import individual_risk as oracle

chances = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1.0, 1e-12]))
people = st.lists(st.tuples(chances, st.one_of(st.integers(-1, 5), st.just(10**12))), min_size=1, max_size=20)


@given(people)
def test_a_household_is_found_when_any_member_is(members: list[tuple[float, int]]) -> None:
    own, houses = [r for r, _ in members], [h for _, h in members]
    risk = HouseholdRisk.of(own, houses, threshold=0.3)
    expected = oracle.household(own, houses)
    assert risk.risks == pytest.approx(expected, abs=1e-12)
    assert risk.expected == pytest.approx(sum(expected))
    assert risk.average == pytest.approx(sum(expected) / len(own))
    assert risk.households == len(set(houses) - {-1}) + houses.count(-1)
    of_each = {(h, i if h == -1 else 0): r for i, (h, r) in enumerate(zip(houses, expected, strict=True))}
    assert risk.expected_households == pytest.approx(sum(of_each.values()))
    assert risk.above == int((risk.risks > 0.3).sum())
    assert risk.highest >= max(own) - 1e-12


def test_small_risks_are_not_lost_by_rounding() -> None:
    assert HouseholdRisk.of([1e-18, 1e-18], [0, 0]).highest == pytest.approx(2e-18, rel=1e-12)


def test_somebody_who_is_found_for_certain_takes_the_household_along() -> None:
    risk = HouseholdRisk.of([1.0, 0.0, 0.0], [4, 4, 5])
    assert risk.risks.tolist() == [1.0, 1.0, 0.0]
    assert (risk.expected, risk.expected_households, risk.households) == (2.0, 1.0, 2)
    assert risk.threat is Threat.IDENTITY
    assert str(risk).startswith(
        "household risk: 2.0 of 3 expected to be found (66.7 %), highest 100.0 %; 2 pers"
    )


@pytest.mark.parametrize(
    ("risks", "houses", "message"),
    [
        ([], [], "nobody whose risk could be measured"),
        ([0.5], [1, 2], "1 persons need as many numbers of households, not 2"),
        ([1.5], [1], "between 0 and 1"),
        ([float("nan")], [1], "between 0 and 1"),
        ([0.5], [-2], "whole numbers"),
        ([0.5], [1.5], "whole numbers"),
        ([0.5], ["a"], "whole numbers"),
    ],
)
def test_what_is_no_household_is_refused(risks: Any, houses: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        HouseholdRisk.of(risks, houses)


def test_the_numbers_that_were_given_are_left_as_they_were() -> None:
    houses = np.array([-1, -1, 3])
    HouseholdRisk.of([0.1, 0.2, 0.3], houses)
    assert houses.tolist() == [-1, -1, 3]
