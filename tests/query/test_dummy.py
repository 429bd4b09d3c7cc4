"""Made-up rows have the shape that metadata declare, and come from nothing else."""

from __future__ import annotations

import datetime
from collections import Counter
from fractions import Fraction

import pytest

from sfumato.core.errors import BadInput
from sfumato.query.dummy import dummy_tables
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.prepared import Prepared

COLUMNS = [
    Column("age", Type.INTEGER, Fraction(18), Fraction(30)),
    Column("weight", Type.NUMBER, Fraction(40), Fraction(41), Fraction(1, 4)),
    Column("born", Type.DATE, Fraction(-10), Fraction(10)),
    Column("sex", Type.CATEGORY, values=("f", "m")),
    Column("town", Type.CATEGORY),
    Column("free", Type.NUMBER, grid=Fraction(1, 10)),
    Column("smoker", Type.BOOLEAN),
]
VISITS = Table("visits", {column.name: column for column in COLUMNS}, "patient", 3, 5000)
PEOPLE = Table("people", {"age": COLUMNS[0]}, None, 1, 40)
METADATA = Metadata("clinic", {"visits": VISITS, "people": PEOPLE})


def test_values_lie_within_what_is_declared() -> None:
    made = dummy_tables(METADATA, rows=800)["visits"].to_pydict()
    assert {value for value in made["age"] if value is not None} == set(range(18, 31))
    assert {value for value in made["weight"] if value is not None} == {40, 40.25, 40.5, 40.75, 41}
    assert {value for value in made["sex"] if value is not None} == {"f", "m"}
    assert {value for value in made["smoker"] if value is not None} == {True, False}
    days = [value for value in made["born"] if value is not None]
    assert (min(days), max(days)) == (datetime.date(1969, 12, 22), datetime.date(1970, 1, 11))
    assert all(None in made[column.name] for column in COLUMNS)


def test_people_have_several_rows_and_never_too_many() -> None:
    rows = Counter(dummy_tables(METADATA, rows=800)["visits"]["patient"].to_pylist())
    assert set(rows.values()) == {1, 2, 3}


def test_no_table_has_more_rows_than_it_may() -> None:
    made = dummy_tables(METADATA, rows=800)
    assert (made["visits"].num_rows, made["people"].num_rows) == (800, 40)
    assert dummy_tables(METADATA, rows=0)["visits"].num_rows == 0


def test_a_seed_gives_the_same_rows_again_and_another_seed_others() -> None:
    assert dummy_tables(METADATA, seed=3)["visits"].equals(dummy_tables(METADATA, seed=3)["visits"])
    assert not dummy_tables(METADATA, seed=3)["visits"].equals(dummy_tables(METADATA, seed=4)["visits"])


def test_dummy_tables_can_be_registered_and_lose_nothing() -> None:
    prepared = Prepared.register(METADATA, dummy_tables(METADATA), secret=bytes(32))
    try:
        assert [(facts.table, facts.rows - facts.kept) for facts in prepared.facts] == [
            ("visits", 0),
            ("people", 0),
        ]
        assert all(not any(facts.made_missing.values()) for facts in prepared.facts)
    finally:
        prepared.close()


def test_a_negative_number_of_rows_is_refused() -> None:
    with pytest.raises(BadInput, match="negative"):
        dummy_tables(METADATA, rows=-1)
