"""Candidates when one more column is known: on every engine, against comparing everybody with everybody."""

from __future__ import annotations

import random
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sfumato.engine.contract import Engine
from sfumato.engine.sources import Frame
from sfumato.table.published import PublishedTable
from sfumato.table.risk.dependence import Dependence, Dependences
from sfumato.table.risk.known_columns import USUAL_K, candidates_asked, candidates_with
from sfumato.table.rule import Rule, RuleKind
from tests.oracles import known_columns as oracle

SCHEMA = pa.schema({"a b": pa.string(), "q": pa.int64(), "v": pa.float64(), "who": pa.string()})
ROW = st.fixed_dictionaries(
    {
        "a b": st.sampled_from(["x", "y", "*", None]),
        "q": st.sampled_from([1, 2, None]),
        "v": st.sampled_from([0.5, 1.5, None]),
        "who": st.sampled_from(["p", "q", "r", "s", "t"]),
    }
)
TABLES = st.lists(ROW, min_size=1, max_size=14)


def rows_in(engine: Engine, rows: list[dict[str, Any]]) -> Any:
    return engine.read(Frame(pa.Table.from_pylist(rows, SCHEMA)))


def compared(engine: Engine, rows: list[dict[str, Any]], quasi: list[str], k: int) -> None:
    table = rows_in(engine, rows)
    for person in (None, "who"):
        found = engine.candidates(table, quasi, "v", fewer_than=k, person=person)
        wanted = oracle.candidates(rows, quasi, "v", k, person)
        assert (found.people, found.fewer, found.added) == wanted


@given(TABLES, st.sampled_from([[], ["q"], ["a b", "q"]]), st.integers(1, 5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_candidates_are_those_of_comparing_everybody(
    duck: Engine, rows: list[dict[str, Any]], quasi: list[str], k: int
) -> None:
    compared(duck, rows, quasi, k)


def test_every_engine_counts_the_same_candidates(engine: Engine) -> None:
    rows = [
        {"a b": "x" if i % 3 else None, "q": i % 2, "v": [0.5, None, 2.5][i % 5 % 3], "who": f"p{i % 7}"}
        for i in range(23)
    ]
    for quasi in ([], ["a b"], ["a b", "q"]):
        for k in (2, 3, 5):
            compared(engine, rows, quasi, k)


@given(TABLES, st.integers(1, 4))
@example([{"a b": "*", "q": 1, "v": 0.5, "who": "p"}, {"a b": "x", "q": 1, "v": 0.5, "who": "q"}], 2)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_hidden_value_agrees_with_all_where_the_promise_reads_it_so(
    duck: Engine, rows: list[dict[str, Any]], k: int
) -> None:
    published = PublishedTable(rows_in(duck, rows), ("a b", "q"))
    found = candidates_with(published, "v", k, wildcards=True)
    wanted = oracle.candidates_with_wildcards(rows, ["a b", "q"], "v", k)
    assert (found.people, found.fewer, found.added) == wanted


def test_groups_are_described(engine: Engine) -> None:
    rows = [{"a b": v, "q": 1, "v": 1.0, "who": w} for v, w in zip("xxyz", "pqpp", strict=True)]
    rows += [{"a b": None, "q": 1, "v": 1.0, "who": "q"}, {"a b": "x", "q": 2, "v": 1.0, "who": "p"}]
    found = engine.groups(rows_in(engine, rows), ["a b"])
    assert (found.number, found.members, found.squares) == (4, 6, 9 + 1 + 1 + 1)
    assert found.singles == 2  # y and z; a single missing value is nobody's value
    persons = engine.groups(rows_in(engine, rows), ["a b"], person="who")
    assert (persons.members, persons.squares, persons.singles) == (5, 4 + 1 + 1 + 1, 2)


@pytest.mark.parametrize(
    ("rule", "k"),
    [
        (Rule(RuleKind.MIN_PERSONS, (3,), True), 3),
        (Rule(RuleKind.MIN_PERSONS, (1,), True), USUAL_K),
        (Rule(RuleKind.DISTINCT, (2,), True, "ill"), USUAL_K),
        (Rule(RuleKind.MIN_POPULATION, (9,), True), USUAL_K),
    ],
)
def test_k_is_that_of_the_promise_and_otherwise_five(rule: Rule, k: int) -> None:
    assert candidates_asked((rule,)) == k
    assert candidates_asked((rule, Rule(RuleKind.MIN_PERSONS, (20,), True))) == 20


DRAW = random.Random(5)
AGES = [DRAW.randrange(20, 60) for _ in range(240)]
SALARY = [1000.0 + 17 * i for i in range(240)]
TOWNS = [f"t{DRAW.randrange(12)}" for _ in range(240)]
FRAME = pd.DataFrame(
    {
        "age": AGES,
        "salary": SALARY,
        "town": TOWNS,
        "copy": AGES,
        "decade": [f"{age // 10}0s" for age in AGES],
        "with slips": [99 if i % 100 == 7 else age for i, age in enumerate(AGES)],
        "street": [f"{town}-{i % 3}" for i, town in enumerate(TOWNS)],
        "monthly": [pay / 12 for pay in SALARY],
        "both": [(age + int(town[1:])) % 5 for age, town in zip(AGES, TOWNS, strict=True)],
        "ill": [DRAW.choice(("flu", "cold", "pox")) for _ in range(240)],
        "constant": ["x"] * 240,
        "drawn": DRAW.sample(range(1000), 240),
    }
)


@pytest.mark.parametrize(
    ("column", "kind", "quasi"),
    [
        ("copy", Dependence.FUNCTION, ("age",)),
        ("decade", Dependence.FUNCTION, ("age",)),
        ("with slips", Dependence.FUNCTION, ("age",)),
        ("street", Dependence.FINER, ("town",)),
        ("monthly", Dependence.FUNCTION, ("salary",)),
    ],
)
def test_copies_and_functions_of_a_quasi_identifier_are_found(
    duck: Engine, column: str, kind: Dependence, quasi: tuple[str, ...]
) -> None:
    found = Dependences(duck.read(Frame(FRAME)), ("age", "salary", "town")).of(column)
    assert found is not None
    assert (found.kind, found.quasi) == (kind, quasi)


def test_a_function_of_several_quasi_identifiers_is_found(duck: Engine) -> None:
    found = Dependences(duck.read(Frame(FRAME)), ("age", "town")).of("both")
    assert found is not None
    assert found.quasi == ("age", "town")


@pytest.mark.parametrize("column", ["ill", "constant", "drawn"])
def test_what_only_happens_to_fit_is_no_function(duck: Engine, column: str) -> None:
    """Every salary occurs once, so that each column is a function of it by accident."""
    assert Dependences(duck.read(Frame(FRAME)), ("age", "salary", "town")).of(column) is None


def test_few_rows_show_no_function(duck: Engine) -> None:
    assert Dependences(duck.read(Frame(FRAME.head(19))), ("age", "town")).of("copy") is None
