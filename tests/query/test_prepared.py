"""Registration: data are made to fit what is public of them, one person at a time."""

from __future__ import annotations

import csv
import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.query.ledger.sql_ledger import SqlLedger
from sfumato.query.ledger.windows import admit
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.plan import plan
from sfumato.query.prepared import Prepared
from sfumato.query.run import run
from tests.oracles.query_answers import MEASURES, PUBLIC, UNKNOWN, metadata, question
from tests.query.test_plan import PURE, WITH_DELTA

SECRET = b"0123456789abcdef"
COLUMNS = {
    "age": Column("age", Type.INTEGER, Fraction(17), Fraction(90)),
    "hours": Column("hours", Type.NUMBER, Fraction(0), Fraction(100), Fraction(1, 10)),
    "day": Column("day", Type.DATE, Fraction(0), Fraction(20000)),
    "sex": Column("sex", Type.CATEGORY, values=("f", "m", "o'")),
    "town": Column("town", Type.CATEGORY),
    "smoker": Column("smoker", Type.BOOLEAN),
}


def public(person: str | None = None, rows: int = 1, max_rows: int = 100) -> Metadata:
    """Declare one table."""
    return Metadata("clinic", {"people": Table("people", COLUMNS, person, rows, max_rows)})


def registered(column: str, values: list[Any]) -> list[Any]:
    """Register one column of values (the others are missing) and return it as it is held."""
    data = {name: pa.nulls(len(values), pa.string()) for name in COLUMNS}
    prepared = Prepared.register(public(), {"people": pa.table({**data, column: values})}, secret=SECRET)
    found = prepared.cursor().execute(f'SELECT "{column}" FROM people ORDER BY __person').fetchall()
    prepared.close()
    return [row[0] for row in found]


def test_numbers_are_clamped_and_become_whole_grid_units() -> None:
    """Bounds hold whatever comes; what is no finite number is missing."""
    assert registered("age", ["5", "17", "41.6", "900", "x", "", "nan", "inf", "1e400"]) == [
        *(17, 17, 42, 90),
        *[None] * 5,
    ]
    values = [-1e300, 0.04, 0.05, 55.55, 1e300, float("nan"), float("inf"), None]
    assert registered("hours", values) == [0, 0, 1, 556, 1000, None, None, None]


def test_days_categories_and_truths_are_read_or_missing() -> None:
    """Values outside the public list are missing, and so is everything that cannot be read."""
    days = ["1970-01-11", "1900-01-01", "9999-01-01", "infinity", "2020-13-01", None]
    assert registered("day", days) == [10, 0, 20000, None, None, None]
    assert registered("sex", ["f", "m", "F", "o'", "", None]) == ["f", "m", None, "o'", None, None]
    assert registered("town", ["Rome", "x' OR 1=1", None]) == ["Rome", "x' OR 1=1", None]
    assert registered("smoker", ["true", "0", "maybe", None]) == [True, False, None, None]


def test_columns_that_are_not_declared_are_not_loaded() -> None:
    """Not even their names."""
    prepared = Prepared.register(metadata(), {"visits": visits([("p", 1)])}, secret=SECRET)
    names = [row[0] for row in prepared.cursor().execute("DESCRIBE visits").fetchall()]
    assert names == ["__person", "__rank", "v", "w", "c", "x"]
    assert [row[0] for row in prepared.cursor().execute("SHOW TABLES").fetchall()] == ["visits"]


def visits(rows: list[tuple[str | None, Any]]) -> pa.Table:
    """Return visits of people with a value; one more column that nobody declared."""
    return pa.table(
        {
            "who": pa.array([who for who, _ in rows], pa.string()),
            "v": pa.array([v for _, v in rows], pa.int64()),
            "w": pa.nulls(len(rows), pa.int64()),
            "c": pa.array(["a"] * len(rows), pa.string()),
            "x": pa.nulls(len(rows), pa.string()),
            "name": ["secret"] * len(rows),
        }
    )


def held(prepared: Prepared) -> dict[int, list[int]]:
    """Return the values of each person in the order of their ranks."""
    found: dict[int, list[int]] = {}
    for person, rank, v in (
        prepared.cursor().execute('SELECT __person, __rank, "v" FROM visits ORDER BY 1, 2').fetchall()
    ):
        found.setdefault(person, []).append(v)
        assert rank == len(found[person])
    return found


@settings(max_examples=5, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("pqr"), st.integers(-3, 5)), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
def test_the_rows_that_are_kept_of_a_person_hang_on_that_person_alone(
    rows: list[tuple[str | None, Any]], shuffle: Any
) -> None:
    """Neither on the order of the file nor on who else is in it."""
    everybody = Prepared.register(metadata(2), {"visits": visits(rows)}, secret=SECRET)
    mixed = list(rows)
    shuffle.shuffle(mixed)
    again = Prepared.register(metadata(2), {"visits": visits(mixed)}, secret=SECRET)
    assert held(again) == held(everybody)
    assert again.version == everybody.version
    people = sorted({who for who, _ in rows if who})
    for number, name in enumerate(people, 1):
        mine = [row for row in rows if row[0] == name]
        alone = Prepared.register(metadata(2), {"visits": visits(mine)}, secret=SECRET)
        assert held(alone)[1] == held(everybody)[number]
        assert len(held(alone)[1]) == min(2, len(mine))


def test_the_secret_decides_which_rows_are_kept_and_the_version() -> None:
    """There are 504 ways to keep 3 of 9 rows in order: 12 secrets hardly agree on 3 of them."""
    data = {"visits": visits([("p", v % 9 - 3) for v in range(9)])}
    kept = {tuple(held(Prepared.register(metadata(3), data, secret=bytes([i]) * 16))[1]) for i in range(12)}
    assert len(kept) > 3
    versions = {Prepared.register(metadata(3), data, secret=bytes([i]) * 16).version for i in range(3)}
    assert len(versions) == 3


def test_rows_without_a_person_are_left_out_and_the_owner_is_told() -> None:
    """They could all be of one person. What was left out is no part of what is shown of the data."""
    data = visits([("p", 1), ("p", 2), ("p", 3), (None, 4), (None, 5)])
    prepared = Prepared.register(metadata(2), {"visits": data}, secret=SECRET)
    (facts,) = prepared.facts
    assert (facts.rows, facts.kept, facts.without_person, facts.beyond_rows_per_person) == (5, 2, 2, 1)
    assert sum(len(rows) for rows in held(prepared).values()) == 2
    assert "facts" not in repr(prepared)


def test_more_rows_than_declared_are_refused() -> None:
    """Sums are proved to fit for so many."""
    with pytest.raises(BadInput, match="more rows than the declared 3"):
        Prepared.register(metadata(1, max_rows=3), {"visits": visits([("p", 1)] * 4)}, secret=SECRET)


@pytest.mark.parametrize("kind", ["csv", "parquet", "pandas", "polars"])
def test_files_and_frames_hold_the_same(kind: str, tmp_path: Path) -> None:
    """The same data have the same version wherever they come from."""
    data = visits([("p", 1), ("q", None), ("p", 2)])
    wanted = Prepared.register(metadata(2), {"visits": data}, secret=SECRET).version
    source: Any
    if kind == "csv":
        source = tmp_path / "visits.csv"
        with source.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(data.column_names)
            writer.writerows(
                ["" if value is None else value for value in row.values()] for row in data.to_pylist()
            )
    elif kind == "parquet":
        source = tmp_path / "visits.parquet"
        pl.from_arrow(data).write_parquet(source)  # type: ignore[union-attr] # a frame
    else:
        source = pl.from_arrow(data) if kind == "polars" else pd.DataFrame(data.to_pydict())
    assert Prepared.register(metadata(2), {"visits": source}, secret=SECRET).version == wanted


NAMES = ("who", "v", "w", "c", "x")
strange = st.sampled_from(
    ["", "0", "-3", "5", "5.5", "NaN", "-inf", "1e999", "0x1", "a", "b", "q", "💧", "NULL"]
)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(strange, strange, strange, strange, strange), max_size=6))
def test_no_data_make_registration_or_a_question_fail(rows: list[tuple[str, ...]]) -> None:
    """Whatever texts come, every statistic is answered."""
    columns = dict(zip(NAMES, zip(*rows, strict=True), strict=False))
    data = pa.table({name: pa.array(columns.get(name, ()), pa.string()) for name in NAMES})
    prepared = Prepared.register(metadata(2), {"visits": data}, secret=SECRET)
    for keys, price in (((PUBLIC,), PURE), ((UNKNOWN,), WITH_DELTA)):
        planned = plan(question(MEASURES[:-1], keys), metadata(2), price)
        answer = run(planned, prepared.cursor())
        assert len(answer.columns) == len(MEASURES)
    prepared.close()


def test_mistakes_of_the_owner_are_named() -> None:
    """A missing source, a missing column, a short secret, a file that is not there."""
    data = visits([("p", 1)])
    with pytest.raises(BadInput, match="'visits' has no source"):
        Prepared.register(metadata(), {}, secret=SECRET)
    with pytest.raises(BadInput, match="not a declared table"):
        Prepared.register(metadata(), {"visits": data, "vists": data}, secret=SECRET)
    with pytest.raises(BadInput, match="'v' is not in the data"):
        Prepared.register(metadata(), {"visits": data.drop_columns(["v"])}, secret=SECRET)
    with pytest.raises(BadInput, match="fewer than 16 bytes"):
        Prepared.register(metadata(), {"visits": data}, secret=b"short")
    with pytest.raises(BadInput, match="no such file"):
        Prepared.register(metadata(), {"visits": "nowhere.csv"}, secret=SECRET)


@pytest.mark.parametrize(
    "values", [[[4711]], [{"a": 4711}], [datetime.date(4711, 1, 1)], [b"4711"], [datetime.time(4, 7, 11)]]
)
def test_values_of_other_types_than_declared_are_missing(values: list[Any]) -> None:
    """And the owner is told how many."""
    data = visits([("p", 1)]).set_column(1, "v", pa.array(values))
    prepared = Prepared.register(metadata(), {"visits": data}, secret=SECRET)
    assert prepared.facts[0].made_missing == {"v": 1}
    assert held(prepared) == {1: [None]}


def test_nothing_but_the_tables_can_be_read_afterwards() -> None:
    """No files, no variables of the process, no settings."""
    prepared = Prepared.register(metadata(), {"visits": visits([("p", 1)])}, secret=SECRET)
    leak = pa.table({"a": [1]})
    assert leak.num_rows == 1
    for statement in ("SELECT * FROM leak", "SELECT * FROM 'README.md'", "SET threads = 2"):
        with pytest.raises(Exception, match=r"Error"):
            prepared.cursor().execute(statement).fetchall()


def test_prepared_tables_can_lie_in_a_file(tmp_path: Path) -> None:
    """Registered again, the file is replaced."""
    path = tmp_path / "clinic.duckdb"
    for rows in ([("p", 1)], [("p", 1), ("q", 2)]):
        prepared = Prepared.register(metadata(), {"visits": visits(list(rows))}, secret=SECRET, database=path)
        assert len(held(prepared)) == len(rows)
        prepared.close()


def test_people_of_another_window_are_left_out_with_all_their_rows(tmp_path: Path) -> None:
    """A budget follows the person: who was in January is not in February."""
    ledger = SqlLedger.create(f"sqlite:///{tmp_path / 'ledger.db'}")

    def register(window: str, people: str) -> Prepared:
        return Prepared.register(
            metadata(2),
            {"visits": visits([(who, 1) for who in people])},
            secret=SECRET,
            admit=lambda hashes: admit(ledger, "clinic", window, hashes),
        )

    assert register("january", "pq").facts[0].kept == 2
    february = register("february", "qrs")
    assert (february.facts[0].kept, february.facts[0].not_admitted) == (2, 1)
    assert register("january", "pq").facts[0].kept == 2
    with pytest.raises(BadInput, match="who is who"):
        Prepared.register(
            public(),
            {"people": pa.table({name: pa.nulls(1, pa.string()) for name in COLUMNS})},
            secret=SECRET,
            admit=lambda hashes: np.ones(len(hashes), np.bool_),
        )
    ledger.close()
