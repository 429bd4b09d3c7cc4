"""Counts from a release against every possible world, one by one."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.table.utility.conditions import condition_of
from sfumato.table.utility.queries import QueryError, relative_error
from sfumato.table.utility.records import Records
from tests.oracles import queries as oracle

AGES = [*range(8), None]
SEXES = ["f", "m", "x"]
LABELS: dict[str, dict[str | None, list[Any]]] = {
    "age": {
        "3": [3],
        "[2-5]": [2, 3, 4, 5],
        "0-3": [0, 1, 2, 3],
        "6+": [6, 7],
        "[1-2] or missing": [1, 2, None],
        "*": AGES,
        None: [None],
    },
    "sex": {"f": ["f"], "{f, m}": ["f", "m"], "*": SEXES},
}
ORIGINAL = pa.table({"age": [str(a) if a is not None else None for a in AGES] * 3, "sex": SEXES * 9})

atoms = st.one_of(
    st.tuples(st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), st.just("age"), st.integers(-1, 8)),
    st.tuples(st.sampled_from(["=", "<>"]), st.just("sex"), st.sampled_from([*SEXES, "q"])),
    st.tuples(st.just("null"), st.sampled_from(["age", "sex"])),
    st.tuples(st.just("in"), st.just("age"), st.lists(st.integers(0, 7), min_size=1, max_size=3)),
)
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["and", "or"]), inner, inner), st.tuples(st.just("not"), inner)
    ),
    max_leaves=4,
)
released_rows = st.lists(
    st.tuples(st.sampled_from(list(LABELS["age"])), st.sampled_from(list(LABELS["sex"]))),
    min_size=1,
    max_size=6,
)


def table_of(rows: list[tuple[str | None, str | None]]) -> pa.Table:
    return pa.table({"age": [age for age, _ in rows], "sex": [sex for _, sex in rows]})


@given(conditions, released_rows)
def test_a_count_from_labels_is_the_mean_over_all_worlds(
    condition: oracle.Condition, rows: list[tuple[str | None, str | None]]
) -> None:
    records = Records(ORIGINAL, table_of(rows), ("age", "sex"))
    query = condition_of(oracle.sql_of(condition), records)
    worlds = [{"age": LABELS["age"][age], "sex": LABELS["sex"][sex]} for age, sex in rows]
    found = records.expected(query, released=True)
    assert found == pytest.approx(float(oracle.expected(worlds, condition)), abs=1e-9)


@given(conditions)
def test_a_count_of_the_original_is_exact(condition: oracle.Condition) -> None:
    records = Records(ORIGINAL, ORIGINAL, ("age", "sex"))
    query = condition_of(oracle.sql_of(condition), records)
    rows = [
        {"age": [None if age is None else int(age)], "sex": [sex]}
        for age, sex in zip(
            ORIGINAL.column("age").to_pylist(), ORIGINAL.column("sex").to_pylist(), strict=True
        )
    ]
    assert records.expected(query, released=False) == pytest.approx(float(oracle.expected(rows, condition)))


def test_the_query_of_the_tutorial_expects_a_fiftieth_of_a_record() -> None:
    original = pa.table({"age": [30, 25], "postcode": ["CF1", "CF7"]})
    released = pa.table({"age": ["[21-30]"] * 2, "postcode": ["CF[1-10]"] * 2})
    records = Records(original, released, ("age", "postcode"))
    sql = "SELECT COUNT(*) FROM t WHERE age = 30 AND postcode = 'CF1'"
    assert records.expected(condition_of(sql, records), released=False) == 1
    assert records.expected(condition_of(sql, records), released=True) == pytest.approx(0.02)
    assert QueryError(sql=(sql,)).measure(records).value == pytest.approx(0.98)


def test_where_nobody_is_counted_one_record_is_the_scale() -> None:
    assert relative_error(0, 0.25) == 0.25
    assert relative_error(4, 3) == 0.25


def test_an_unchanged_table_has_no_error() -> None:
    found = QueryError(queries=20, dimensions=2).measure(Records(ORIGINAL, ORIGINAL, ("age", "sex")))
    assert found.value == 0
    assert found.details["queries"] == 20


def test_random_queries_are_the_same_for_the_same_seed() -> None:
    uneven = pa.concat_tables([ORIGINAL, pa.table({"age": ["3"] * 20, "sex": ["f"] * 20})])
    records = Records(uneven, pa.table({"age": ["*"] * 47, "sex": ["*"] * 47}), ("age", "sex"))
    first = QueryError(queries=15, seed=3).measure(records)
    assert first == QueryError(queries=15, seed=3).measure(records)
    assert len({QueryError(queries=15, seed=seed).measure(records).value for seed in range(6)}) > 1
    assert first.value > 0


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        ("", "the query is empty"),
        ("age >", "the query is not SQL"),
        ("SELECT age FROM t WHERE age > 1", "only COUNT"),
        ("SELECT COUNT(age) FROM t WHERE age > 1", "only COUNT"),
        ("SELECT COUNT(*) FROM t", "no WHERE"),
        ("SELECT COUNT(*) FROM t WHERE age > 1 GROUP BY sex", "'group' is not understood"),
        ("SELECT COUNT(*) FROM t JOIN u ON a = b WHERE age > 1", "'joins' is not understood"),
        ("DROP TABLE t", "not SQL|not understood"),
        ("SELECT COUNT(*) FROM t WHERE age > 1; DROP TABLE t", "only one SELECT"),
        ("age + 1 > 2", "'GT' is not understood"),
        ("age > (SELECT 1)", "'SUBQUERY' is not understood"),
        ("sex LIKE 'f%'", "'LIKE' is not understood"),
        ("lower(sex) = 'f'", "'EQ' is not understood"),
        ("age > 'old'", "holds numbers"),
        ("agge > 3", "did you mean 'age'"),
    ],
)
def test_what_is_not_understood_is_refused_by_name(sql: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        condition_of(sql, Records(ORIGINAL, ORIGINAL, ("age", "sex")))


def test_too_many_alternatives_are_refused() -> None:
    records = Records(ORIGINAL, ORIGINAL, ("age", "sex"))
    sql = " OR ".join(f"(age = {i} AND sex = 'f')" for i in range(11))
    with pytest.raises(BadInput, match="11 alternatives"):
        records.expected(condition_of(sql, records), released=True)


def test_bad_parameters_are_refused() -> None:
    for bad in ({"queries": 0}, {"selectivity": 0}, {"selectivity": 1.5}, {"dimensions": 0}):
        with pytest.raises(BadInput):
            QueryError(**bad)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="the original has no column 'agge'"):
        QueryError(columns=("agge",)).measure(Records(ORIGINAL, ORIGINAL, ("age",)))
