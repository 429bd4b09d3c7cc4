"""Centres with radius: everybody lies within."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.table.methods.clustering import BottomUp, TopDown
from tests.oracles.mondrian import covers as covers_range
from tests.table.mondrian_tables import Record, boxes_of, problem_of, published, tables


def covers(label: str | None, value: Any) -> bool:
    """Read ``centre ± radius`` by hand; other labels as those of boxes."""
    if label is None or " ± " not in label:
        return covers_range(label, value)
    if value is None:
        return label.endswith(" or missing")
    centre, radius = re.split(" ± ", label.removesuffix(" or missing"))
    if isinstance(value, dt.date):
        return bool(abs((value - dt.date.fromisoformat(centre)).days) <= int(radius.split()[0]))
    return bool(abs(value - float(centre)) <= float(radius) + 1e-9)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records=tables, k=st.integers(1, 6))
def test_everybody_lies_within_the_radius_of_the_centre(records: list[Record], k: int) -> None:
    k = min(k, len(records))
    for method in (BottomUp(output="centres"), TopDown(output="centres")):
        solution = method.search(problem_of(records, k))
        assert min(map(len, boxes_of(solution, records))) >= k
        for record, labels in zip(records, published(solution, records), strict=True):
            assert all(map(covers, labels, record))


def shown(records: list[Record]) -> set[tuple[str | None, ...]]:
    return set(published(BottomUp(output="centres").search(problem_of(records, len(records))), records))


def test_the_centre_is_the_mean_in_the_steps_of_the_column() -> None:
    assert shown([(20, "M"), (21, "F"), (28, "M")]) == {("23 ± 5", "{F, M}")}
    assert shown([(0.25,), (0.5,), (1.0,)]) == {("0.58 ± 0.42",)}
    assert shown([(dt.date(2020, 1, 1),), (dt.date(2020, 1, 4),)]) == {("2020-01-02 ± 2 days",)}


def test_missing_is_named_beside_the_centre_and_costs_the_whole_axis() -> None:
    records = [(20,), (30,), (None,)]
    assert shown(records) == {("25 ± 5 or missing",)}
    column = BottomUp(output="centres").search(problem_of(records, 3)).columns[0]
    assert column.extent[0] == column.span == 10


def test_a_radius_of_nothing_is_left_out() -> None:
    assert shown([(20,), (20,)]) == {("20",)}
    assert shown([(None,), (None,)]) == {(None,)}


def test_the_width_is_that_of_the_circle_not_of_the_range() -> None:
    records = [(0,), (0,), (0,), (8,), (100,), (100,)]
    solution = BottomUp(output="centres", rounds=0).search(problem_of(records, 4))
    assert set(published(solution, records)) == {("35 ± 65",)}
    assert solution.columns[0].extent[0] == pytest.approx(100)
