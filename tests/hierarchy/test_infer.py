import datetime as dt
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.domain import Domain
from sfumato.hierarchy import Dates, Flat, Infer, Intervals, Mask, infer
from sfumato.hierarchy.infer import nested_widths
from tests.oracles.hierarchy import assert_sound


@pytest.mark.parametrize(
    ("name", "values", "hierarchy", "reason"),
    [
        ("age", range(17, 91), Intervals((5, 10, 20)), "74 different whole numbers: intervals of 5, 10, 20"),
        ("age", [str(age) for age in range(17, 91)], Intervals((5, 10, 20)), "74 different whole numbers"),
        ("bmi", [18.5 + step / 10 for step in range(200)], Intervals((1, 2)), "200 different numbers"),
        ("id", range(10**15, 10**15 + 9), Flat(), "9 different whole numbers too close together"),
        ("children", range(5), Flat(), "only 5 different whole numbers"),
        ("born", ["2024-02-29", "1999-01-01", None], Dates(), "2 different dates"),
        ("seen", [dt.datetime(2024, 1, 1, 5)], Dates(("day", *Dates().levels)), "1 different times"),
        ("area", ["02138", "47677"], Mask(), "leading zeros"),
        ("zip", [47677, 47602, 61802], Mask(), "postal codes by name"),
        ("ZipCode", [2138, 47677], Mask(pad="left"), "postal codes by name"),
        ("diagnosis", ["E11.9", "J45"], Mask(pad="right"), "codes of a letter and digits"),
        ("ward", ["a12b", "c99d"], Mask(), "codes of one length"),
        ("sex", ["f", "m", None], Flat(), "2 different categories"),
        ("smoker", [True, False], Flat(), "2 different categories"),
        ("empty", [None], Flat(), "all values are missing"),
    ],
)
def test_the_kind_of_values_decides(name: str, values: Any, hierarchy: object, reason: str) -> None:
    domain = Domain.of(name, values)
    proposal = infer(domain)
    assert proposal.hierarchy == hierarchy
    assert reason in proposal.reason
    assert Infer().ladder(domain).labels == proposal.ladder(domain).labels


@given(st.fractions(Fraction(1, 1000), 10**9), st.booleans())
def test_widths_nest_and_begin_near_a_twentieth(span: Fraction, whole: bool) -> None:
    span = Fraction(max(6, int(span))) if whole else span
    widths = nested_widths(span, whole)
    assert all(wide % narrow == 0 and wide > narrow for narrow, wide in pairwise(widths))
    assert widths[0] >= span / 20
    assert widths[0] < span / 8 or (whole and widths[0] == 2)
    assert all(2 * width < span for width in widths[1:])


scalars = st.one_of(
    st.lists(st.integers(), min_size=1, max_size=20),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20),
    st.lists(st.dates(), min_size=1, max_size=20),
    st.lists(st.text(max_size=6), min_size=1, max_size=20),
    st.lists(st.text("0123456789", min_size=5, max_size=5), min_size=1, max_size=20),
)


@given(scalars, st.booleans())
def test_whatever_the_values_the_proposal_has_a_sound_ladder(values: list[Any], missing: bool) -> None:
    domain = Domain.of("x", [*values, None] if missing else values)
    assert_sound(infer(domain).ladder(domain))
