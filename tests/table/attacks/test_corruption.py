"""Corruption: known values of others are subtracted."""

from __future__ import annotations

from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.table.attacks.corruption import Corruption
from tests.oracles.class_attacks import Row, corrupting
from tests.oracles.models import publish
from tests.table.attacks.class_tables import HEART_DISEASE, NOTHING, published, rows_of_values


def test_who_knows_one_of_carls_class_knows_carls_disease_half_of_the_time() -> None:
    """Of Heart Disease, Cancer, Cancer: each of those with cancer is safe unless the first is known."""
    carl = published([("c", "Heart Disease"), ("c", "Cancer"), ("c", "Cancer")])
    result = Corruption(1).run(carl, NOTHING)
    assert result.success == pytest.approx((0 + 1 / 2 + 1 / 2) / 3)
    assert Corruption(1, worst=True).run(carl, NOTHING).certain == 2
    assert Corruption(2).run(carl, NOTHING).certain == 3, "who knows all the others subtracts them"


def test_who_knows_all_others_is_sure_of_everybody_but_only_through_their_own_record() -> None:
    target = publish(HEART_DISEASE, ["zip", "age"], ["disease"])
    result = Corruption(100).run(target, NOTHING)
    assert result.success == 1
    assert result.baseline == 0


@given(rows_of_values, st.integers(1, 4), st.booleans())
def test_every_choice_of_the_known_is_weighed_as_the_oracle_does_it(
    rows: list[Row], number: int, worst: bool
) -> None:
    result = Corruption(number, worst).run(published(rows), NOTHING)
    success, baseline = corrupting(rows, lambda others: min(others, number), worst)
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))


@given(rows_of_values, st.sampled_from([0.2, 0.5, 0.75]))
def test_a_share_of_the_others_is_known(rows: list[Row], share: float) -> None:
    result = Corruption(share).run(published(rows), NOTHING)
    success, baseline = corrupting(rows, lambda others: floor(share * others), False)
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))


@given(rows_of_values, st.integers(1, 2), st.booleans())
def test_two_more_values_than_known_people_end_it(rows: list[Row], number: int, worst: bool) -> None:
    target = published(rows)
    if sf.DistinctLDiversity(number + 2).check(target).holds:
        assert Corruption(number, worst).run(target, NOTHING).success == 0


def test_a_large_class_is_weighed_without_overflow() -> None:
    rows = [("a", 0)] * 3000 + [("a", 1)] * 2
    result = Corruption(0.5).run(published(rows), NOTHING)
    # The two with 1 must both be among the 1500 known of 3001 others.
    assert result.success == pytest.approx(3000 * (1500 / 3001) * (1499 / 3000) / 3002)


@pytest.mark.parametrize("bad", [0, -1, 1.5, "x", True])
def test_nonsense_is_refused(bad: object) -> None:
    with pytest.raises(BadInput):
        Corruption(bad)  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        Corruption(worst="yes")  # type: ignore[arg-type]
