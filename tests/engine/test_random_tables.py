"""Random tables with missing values: every engine counts and recodes them as plain Python does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.engine.contract import Engine, Layout, Suppressed
from sfumato.engine.recoding import PerAttribute, PerCell, PerRecord
from sfumato.engine.sources import Frame
from tests.engine.tables import Rows, content, counted, mapping
from tests.oracles import engine as oracle

TEXTS = st.sampled_from(["", "x", "X", "NULL", "*", "a'b", 'q"', "é", "0", "00"])
TABLES = st.lists(
    st.fixed_dictionaries(
        {
            "who": st.none() | st.integers(0, 3),
            "a": st.none() | TEXTS,
            "b": st.none() | st.integers(-1, 2),
            "s": st.none() | TEXTS,
        }
    ),
    max_size=12,
)
SCHEMA = pa.schema([("who", pa.int64()), ("a", pa.string()), ("b", pa.int64()), ("s", pa.string())])


def agrees_with_the_oracle(engine: Engine, rows: Rows, labels: list[str | None], star: bool) -> None:
    quasi = ("a", "b")
    table = engine.read(Frame(pa.Table.from_pylist(rows, SCHEMA)), row_ids=True)
    assert counted(engine, table, list(quasi), "who") == oracle.count(rows, quasi, "who")

    layout = Layout(("s", "b", "a"), quasi, ("s",), Suppressed.STAR if star else Suppressed.DROP)
    seen = sorted({row["a"] for row in rows}, key=str)
    labelled = {value: labels[i % len(labels)] for i, value in enumerate(seen)}
    new = [(labelled[row["a"]], row["b"]) for row in rows]
    out = set(new[::3])
    per_attribute = PerAttribute(
        quasi,
        {"a": mapping(labelled, pa.string())},
        pa.table(
            {"a": pa.array([o[0] for o in out], pa.string()), "b": pa.array([o[1] for o in out], pa.int64())}
        ),
    )
    expected = oracle.recode_per_attribute(
        rows, quasi, {"a": labelled}, out, layout.columns, layout.sensitive, star=star
    )
    if star:
        expected = texts_of_b(expected)
    assert Counter(content(engine, engine.recode(table, per_attribute, layout))) == expected

    cells = sorted({(row["a"], row["b"]) for row in rows}, key=str)
    box_of = {cell: None if i % 3 == 2 else i % 2 for i, cell in enumerate(cells)}
    boxes = {0: ("zero", None), 1: (None, "one")}
    box_table = pa.table({"__box": [0, 1], "a": ["zero", None], "b": [None, "one"]})
    members = pa.table(
        {
            "a": pa.array([cell[0] for cell in cells], pa.string()),
            "b": pa.array([cell[1] for cell in cells], pa.int64()),
            "__box": pa.array(box_of.values(), pa.int32()),
        }
    )
    by_cell = engine.recode(table, PerCell(quasi, members, box_table), layout)
    assert Counter(content(engine, by_cell)) == oracle.recode_boxes(
        rows, [box_of[row["a"], row["b"]] for row in rows], boxes, quasi, layout.columns, ("s",), star=star
    )

    of_row = [None if i % 4 == 3 else i % 2 for i in range(len(rows))]
    by_row_table = pa.table(
        {"__row": pa.array(range(1, len(rows) + 1), pa.int64()), "__box": pa.array(of_row, pa.int32())}
    )
    by_row = engine.recode(table, PerRecord(quasi, by_row_table, box_table), layout)
    assert Counter(content(engine, by_row)) == oracle.recode_boxes(
        rows, of_row, boxes, quasi, layout.columns, ("s",), star=star
    )


def texts_of_b(rows: Counter[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    """Beside a star the numbers of a column are text."""
    return Counter({(s, None if b is None else str(b), a): n for (s, b, a), n in rows.items()})


LABELS = st.lists(st.none() | st.sampled_from(["low", "high", "x"]), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(rows=TABLES, labels=LABELS, star=st.booleans())
def test_random_tables_on_duckdb(duck: Engine, rows: Rows, labels: list[str | None], star: bool) -> None:
    agrees_with_the_oracle(duck, rows, labels, star)


@pytest.mark.java
@pytest.mark.xdist_group("spark")
@settings(max_examples=4, deadline=None, database=None)
@given(rows=TABLES.filter(len), labels=LABELS, star=st.booleans())
def test_random_tables_on_spark(spark: Engine, rows: Rows, labels: list[str | None], star: bool) -> None:
    agrees_with_the_oracle(spark, rows, labels, star)
