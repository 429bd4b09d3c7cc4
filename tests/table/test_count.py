"""Cells are what counting by hand gives."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.engine import open_engine
from sfumato.engine.sources import Frame
from sfumato.table.count import Counted, count

Rows = list[tuple[str | None, int | None, str]]
rows_of_people = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", None]), st.sampled_from([1, 2, 10, None]), st.sampled_from("uvwxyz")
    ),
    min_size=1,
    max_size=15,
)


def counted(rows: Rows, person: str | None = None) -> Counted:
    data = pa.table(
        {
            "p": pa.array([row[0] for row in rows], pa.string()),
            "q": pa.array([row[1] for row in rows], pa.int64()),
            "who": pa.array([row[2] for row in rows], pa.string()),
        }
    )
    engine = open_engine()
    try:
        return count(engine.read(Frame(data)), ["p", "q"], person=person)
    finally:
        engine.close()


def cells_by_value(found: Counted, sizes: np.ndarray) -> dict[tuple[object, ...], int]:
    cells = found.cells
    values = [[domain.values[code] for code in cells.codes[j]] for j, domain in enumerate(cells.domains)]
    return dict(zip(zip(*values, strict=True), sizes.tolist(), strict=True))


@given(rows_of_people)
def test_cells_count_rows_and_persons(rows: Rows) -> None:
    found = counted(rows, person="who")
    assert cells_by_value(found, found.cells.rows) == Counter((p, q) for p, q, _ in rows)
    people: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for p, q, who in rows:
        people[p, q].add(who)
    assert cells_by_value(found, found.cells.persons) == {cell: len(who) for cell, who in people.items()}
    assert found.cells.total_persons == len({who for _, _, who in rows})


@given(rows_of_people)
def test_spans_list_the_cells_of_people_who_lie_in_several(rows: Rows) -> None:
    found = counted(rows, person="who")
    homes: dict[str, set[tuple[object, ...]]] = defaultdict(set)
    for p, q, who in rows:
        homes[who].add((p, q))
    expected = sorted(sorted(map(str, cells)) for cells in homes.values() if len(cells) > 1)
    spans = found.cells.spans
    if spans is None:
        assert not expected
        return
    order = list(cells_by_value(found, found.cells.rows))
    listed = [spans.cells[a:b] for a, b in zip(spans.starts, spans.starts[1:], strict=False)]
    assert sorted(sorted(str(order[c]) for c in cells) for cells in listed) == expected


def test_numbers_are_sorted_as_numbers_and_missing_comes_last() -> None:
    found = counted([("a", 10, "u"), ("a", 2, "v"), ("a", None, "w")])
    assert found.cells.domains[1].values == (2, 10, None)


@given(rows_of_people)
def test_cells_come_in_the_same_order_however_the_rows_lie(rows: Rows) -> None:
    first, second = counted(rows).cells, counted(rows[::-1]).cells
    assert first.codes.T.tolist() == sorted(first.codes.T.tolist()) == second.codes.T.tolist()
    assert first.rows.tolist() == second.rows.tolist()


def test_cells_are_sorted_also_when_their_keys_are_long() -> None:
    names = [f"q{j}" for j in range(11)]
    data = pa.table({name: [(i * (j + 3)) % 97 for i in range(97)] for j, name in enumerate(names)})
    engine = open_engine()
    try:
        cells = count(engine.read(Frame(data)), names).cells
    finally:
        engine.close()
    assert 97**11 >= 2**63
    assert cells.codes.T.tolist() == sorted(cells.codes.T.tolist())


def test_one_row_for_each_person_makes_rows_and_persons_one_array() -> None:
    assert counted([("a", 1, "u"), ("a", 1, "v")], person="who").cells.rows_are_persons
    assert not counted([("a", 1, "u"), ("a", 1, "u")], person="who").cells.rows_are_persons


def test_a_table_without_rows_or_quasi_identifiers_is_refused() -> None:
    with pytest.raises(BadInput, match="no rows"):
        counted([])
    engine = open_engine()
    try:
        with pytest.raises(BadInput, match="no column is a quasi-identifier"):
            count(engine.read(Frame(pa.table({"a": [1]}))), [])
    finally:
        engine.close()
