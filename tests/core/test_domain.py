"""Domains: sorted by what the values are, missing last, nothing lost."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain, Scale, as_day, as_number


@pytest.mark.parametrize(
    ("values", "scale", "ordered"),
    [
        (["10", "9", "02"], Scale.NUMBER, ("02", "9", "10")),
        ([3, -1, 2.5], Scale.NUMBER, (-1, 2.5, 3)),
        (["7", "07", "7.0"], Scale.NUMBER, ("07", "7", "7.0")),
        (["b", "a", "10"], Scale.CATEGORY, ("10", "a", "b")),
        (["1", " 2"], Scale.CATEGORY, (" 2", "1")),
        (["1", "1_0"], Scale.CATEGORY, ("1", "1_0")),
        (["1", "inf"], Scale.CATEGORY, ("1", "inf")),
        (["1", ""], Scale.CATEGORY, ("", "1")),
        ([True, False], Scale.CATEGORY, (False, True)),
        (["2024-02-29", "1999-12-31"], Scale.DATE, ("1999-12-31", "2024-02-29")),
        (["2024-02-30", "1999-12-31"], Scale.CATEGORY, ("1999-12-31", "2024-02-30")),
        ([dt.date(2024, 1, 2), dt.date(2023, 1, 2)], Scale.DATE, (dt.date(2023, 1, 2), dt.date(2024, 1, 2))),
        ([], Scale.CATEGORY, ()),
    ],
)
def test_values_are_sorted_by_what_they_are(
    values: list[Any], scale: Scale, ordered: tuple[Any, ...]
) -> None:
    domain = Domain.of("x", values)
    assert (domain.scale, domain.values) == (scale, ordered)
    with_missing = Domain.of("x", [None, *values])
    assert (with_missing.scale, with_missing.values) == (scale, (*ordered, None))
    assert with_missing.has_missing
    assert not domain.has_missing


@given(st.sets(st.one_of(st.none(), st.integers(), st.floats(allow_nan=False), st.decimals(allow_nan=False))))
def test_no_number_is_lost_and_positions_follow_the_order(values: set[Any]) -> None:
    domain = Domain.of("x", values)
    assert set(domain.values) == values
    if domain.positions is not None:
        assert len(domain.positions) == len(domain)
        known = domain.positions[: len(domain) - domain.has_missing]
        assert (np.diff(known) >= 0).all()
        assert np.isnan(domain.positions).sum() == domain.has_missing


def test_numbers_beyond_all_floats_are_categories() -> None:
    assert as_number(10**400) is None
    assert Domain.of("x", [10**400, 1]).scale is Scale.CATEGORY


def test_texts_are_written_as_they_stand_in_files() -> None:
    values = [2.0, 2.5, Decimal("1.50"), -3, None]
    assert set(Domain.of("x", values).texts) == {"2", "2.5", "1.50", "-3", None}
    assert Domain.of("x", [True, False]).texts == ("false", "true")


def test_times_of_a_day_lie_between_days() -> None:
    noon = as_day(dt.datetime(2024, 1, 1, 12))
    assert noon == dt.date(2024, 1, 1).toordinal() + 0.5
    zoned = dt.datetime(2024, 1, 1, 6, tzinfo=dt.UTC)
    assert as_day(zoned) == dt.date(2024, 1, 1).toordinal() + 0.25
