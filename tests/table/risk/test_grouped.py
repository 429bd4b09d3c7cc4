"""Classes with weights and households, against sums by hand."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.risk.grouped import grouped
from sfumato.table.risk.household import ALONE

rows = st.lists(
    st.tuples(
        st.sampled_from(["x", "y", None]),
        st.integers(0, 1),
        st.sampled_from([1, 2.5, 40]),
        st.sampled_from([7, 8, None]),
    ),
    min_size=1,
    max_size=25,
)


def frame(people: list[tuple[Any, ...]]) -> pa.Table:
    columns = list(zip(*people, strict=True))
    types = [pa.string(), pa.int64(), pa.float64(), pa.int64()]
    names = ["a", "b", "weight", "home"]
    return pa.table({name: pa.array(list(c), t) for name, c, t in zip(names, columns, types, strict=True)})


@given(rows)
def test_classes_have_the_persons_and_the_weights_of_their_rows(
    duck: Engine, people: list[tuple[Any, ...]]
) -> None:
    table = duck.read(Frame(frame(people)))
    found = grouped(table, ["a", "b"], weight="weight", household="home")
    persons: dict[Any, int] = defaultdict(int)
    weights: dict[Any, float] = defaultdict(float)
    for a, b, weight, _ in people:
        persons[a, b] += 1
        weights[a, b] += weight
    expected = sorted((persons[one], weights[one]) for one in persons)
    assert sorted(zip(found.sizes.tolist(), found.stand_for.tolist(), strict=True)) == expected
    alone = sum(home is None for *_, home in people)
    assert int(found.persons[found.households == ALONE].sum()) == alone
    members = sorted(sum(1 for *_, home in people if home == one) for one in (7, 8))
    counted = [
        int(found.persons[found.households == one].sum()) for one in {*found.households.tolist()} - {ALONE}
    ]
    assert sorted(counted) == [number for number in members if number]


def test_without_weights_everybody_stands_for_themselves(duck: Engine) -> None:
    found = grouped(duck.read(Frame(pa.table({"a": [1, 1, 2]}))), ["a"])
    assert found.stand_for.tolist() == [2.0, 1.0] or found.stand_for.tolist() == [1.0, 2.0]
    assert set(found.households.tolist()) == {ALONE}


def test_rows_of_one_person_are_one_person(duck: Engine) -> None:
    table = duck.read(Frame(pa.table({"id": [1, 1, 2], "a": [1, 1, 1], "weight": [5, 5, 7]})))
    found = grouped(table, ["a"], person="id", weight="weight")
    assert (found.sizes.tolist(), found.stand_for.tolist()) == ([2], [12.0])


@pytest.mark.parametrize("weight", [None, 0.0, -1.0, float("nan"), float("inf")])
def test_rows_without_a_weight_are_counted_and_refused(duck: Engine, weight: float | None) -> None:
    table = pa.table({"a": [1, 1, 2], "weight": pa.array([2.0, weight, weight], pa.float64())})
    with pytest.raises(BadInput, match="column 'weight': 2 rows have no number above 0"):
        grouped(duck.read(Frame(table)), ["a"], weight="weight")
