"""Positions come from metadata and from a person's own row alone."""

from __future__ import annotations

import datetime
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.query.coding import MISSING, attribute_of, coded, decoded, with_parents
from sfumato.query.metadata import Column, Table, Type
from sfumato.query.methods.contract import Attribute

COLUMNS = {
    "who": Column("who", Type.CATEGORY),
    "sex": Column("sex", Type.CATEGORY, values=("f", "m")),
    "age": Column("age", Type.INTEGER, Fraction(0), Fraction(119)),
    "dose": Column("dose", Type.NUMBER, Fraction(0), Fraction(1), Fraction(1, 10)),
    "seen": Column("seen", Type.DATE, Fraction(0), Fraction(9)),
    "ill": Column("ill", Type.BOOLEAN),
}
PATIENTS = Table("patients", COLUMNS, person=None, rows_per_person=1, max_rows=1000)
VISITS = Table("visits", COLUMNS, person="who", rows_per_person=5, max_rows=1000)
DATA = pa.table(
    {
        "who": ["p", "p", "q", None],
        "sex": ["f", "x", None, "m"],
        "age": [0, -5, 200, None],
        "dose": [0.1, 0.34, 7.0, float("nan")],
        "seen": [datetime.date(1970, 1, 1), datetime.date(1960, 1, 1), datetime.date(2020, 1, 1), None],
        "ill": [True, False, None, True],
    }
)


def test_values_are_coded_by_metadata_clamped_and_missing_where_not_listed() -> None:
    found = coded(DATA, PATIENTS, ["sex", "age", "dose", "seen", "ill"], edges={"age": [0, 18, 65, 120]})
    assert found.codes.tolist() == [[0, 0, 1, 0, 1], [2, 0, 3, 0, 0], [2, 2, 10, 9, 2], [1, 3, 11, 10, 1]]
    assert not found.codes.flags.writeable
    assert all(attribute.labels[-1] == MISSING for attribute in found.attributes)


def test_domains_do_not_depend_on_the_data() -> None:
    columns = ["sex", "age", "dose", "seen", "ill"]
    assert coded(DATA, PATIENTS, columns).attributes == coded(DATA.slice(0, 0), PATIENTS, columns).attributes


@given(st.lists(st.integers(-10, 130), min_size=1, max_size=8), st.integers(0, 7))
def test_a_row_is_coded_from_itself_alone(ages: list[int], gone: int) -> None:
    gone %= len(ages)
    whole = coded(pa.table({"age": ages}), PATIENTS, ["age"]).codes
    rest = coded(pa.table({"age": pa.array(ages[:gone] + ages[gone + 1 :], pa.int64())}), PATIENTS, ["age"])
    assert np.array_equal(np.delete(whole, gone, axis=0), rest.codes)


def test_wide_numbers_get_a_hundred_bins_that_cover_all_values() -> None:
    age = attribute_of(COLUMNS["age"])
    assert age.size == 101
    assert age.edges is not None
    assert (age.edges[0], age.edges[-1]) == (0.0, 120.0)


def test_one_row_of_each_person_is_kept_and_rows_without_a_name_are_left_out() -> None:
    data = pa.table({"who": ["p"] * 50 + ["q", None, None], "sex": ["f"] * 50 + ["m", "m", "f"]})
    found = coded(data, VISITS, ["sex"])
    assert sorted(found.codes[:, 0].tolist()) == [0, 1]


def test_which_row_of_a_person_is_kept_is_drawn() -> None:
    data = pa.table({"who": ["p"] * 2, "sex": ["f", "m"]})
    kept = {int(coded(data, VISITS, ["sex"], random=SeededRandom(i)).codes[0, 0]) for i in range(30)}
    assert kept == {0, 1}


def test_records_are_decoded_into_their_bins() -> None:
    columns = ["sex", "age", "dose", "seen", "ill"]
    edges = {"age": [0, 18, 65, 120]}
    first = coded(DATA, PATIENTS, columns, edges=edges)
    values = decoded(first, PATIENTS)
    assert np.array_equal(coded(values, PATIENTS, columns, edges=edges).codes, first.codes)
    assert values.column("sex").to_pylist() == ["f", None, None, "m"]
    assert values.column("ill").to_pylist() == [True, False, None, True]
    assert values.schema.field("seen").type == pa.date32()


def test_parents_number_the_groups_of_a_hierarchy() -> None:
    job = Attribute("job", ("nurse", "doctor", "cook", MISSING))
    paths = {"nurse": ["ward", "*"], "doctor": ["ward", "*"], "cook": ["kitchen", "*"]}
    assert with_parents(job, paths).parents == ((0, 0, 1, 2), (0, 0, 0, 0))


@pytest.mark.parametrize(
    "paths",
    [
        {"a": ["x", "*"]},
        {"a": ["x", "*"], "b": ["*"]},
        {"a": ["x", "*"], "b": ["x", "+"]},
        {"a": ["x"], "b": ["y"]},
    ],
)
def test_broken_hierarchies_are_refused(paths: dict[str, list[str]]) -> None:
    with pytest.raises(BadInput):
        with_parents(Attribute("c", ("a", "b")), paths)


@pytest.mark.parametrize(
    ("column", "edges"),
    [
        (COLUMNS["who"], None),
        (Column("x", Type.INTEGER), None),
        (COLUMNS["age"], [5]),
        (COLUMNS["age"], [0, 0.2, 0.4]),
        (Column("x", Type.CATEGORY, values=("a", "a")), None),
    ],
)
def test_domains_that_are_not_public_or_make_no_sense_are_refused(
    column: Column, edges: list[float] | None
) -> None:
    with pytest.raises(BadInput, match="column"):
        attribute_of(column, edges)


def test_errors_name_the_column_and_no_value() -> None:
    with pytest.raises(BadInput) as told:
        coded(pa.table({"age": [["secret"]]}), PATIENTS, ["age"])
    assert "secret" not in str(told.value)
    assert "age" in str(told.value)
    assert told.value.__cause__ is None
    for columns in (["wage"], ["who", "age"], []):
        with pytest.raises(BadInput):
            coded(DATA, VISITS, columns)
