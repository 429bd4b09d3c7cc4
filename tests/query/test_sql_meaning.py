"""What runs means what was asked: against an oracle in fractions, on random rows, and nothing can fail."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.prepared import type_of
from sfumato.query.question import Expression, Question, Statistic
from sfumato.query.sql import understand
from tests.oracles import sql_questions as ask
from tests.oracles.sql_questions import Term

COLUMNS = [
    Column("n", Type.INTEGER, Fraction(-3), Fraction(5)),
    Column("x", Type.NUMBER, Fraction(-1), Fraction(2), Fraction(1, 4)),
    Column("p", Type.NUMBER, Fraction(1, 2), Fraction(4), Fraction(1, 2)),
    Column("m", Type.INTEGER, Fraction(-7), Fraction(-2)),
    Column("big", Type.INTEGER, Fraction(-(10**9)), Fraction(10**9)),
    Column("d", Type.DATE, Fraction(-400), Fraction(800)),
    Column("c", Type.CATEGORY, values=("a", "it's", "b")),
    Column("c2", Type.CATEGORY, values=("b", "z")),
    Column("t", Type.CATEGORY),
    Column("f", Type.BOOLEAN),
    Column("g", Type.BOOLEAN),
]
PEOPLE = Table("people", {column.name: column for column in COLUMNS}, None, 1, 1000)
METADATA = Metadata("town", {"people": PEOPLE}, groups_per_person=2)
EMPTY: ask.Row = dict.fromkeys((column.name for column in COLUMNS), None)
NUMBERS = [column for column in COLUMNS if column.type in (Type.INTEGER, Type.NUMBER)]
SPELLINGS = 3
REASONS = (
    "overflow",
    "none of the declared values",
    "there could be",
    "a constant makes no groups",
    "groups are whole",
)
EXAMPLES = settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def a_value(column: Column) -> st.SearchStrategy[Any]:
    if column.type is Type.BOOLEAN:
        return st.none() | st.booleans()
    if column.type is Type.CATEGORY:
        return st.none() | st.sampled_from(column.values or ("b", "it's", "other"))
    assert column.lower is not None
    assert column.upper is not None
    low, high = int(column.lower / column.grid), int(column.upper / column.grid)
    counts = st.sampled_from([low, high]) | st.integers(low, high)
    return st.none() | counts.map(lambda count: count * column.grid)


ROWS = st.lists(
    st.fixed_dictionaries({column.name: a_value(column) for column in COLUMNS}), min_size=1, max_size=8
)
COUNTS = st.integers(-4, 6).map(lambda count: ask.number(Fraction(count)))
QUARTERS = COUNTS | st.integers(-20, 20).map(lambda count: ask.number(Fraction(count, 4)))
DAYS = st.integers(-900, 900).map(ask.day)
DATES = st.just(ask.column("d"))
TEXTS = st.sampled_from(["c", "c2", "t"]).map(ask.column)
NUMBER_COLUMNS = st.sampled_from([ask.column(column.name) for column in NUMBERS])
COMPARISONS = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])


def divided(term: Term, divisor: Fraction) -> Term:
    return ask.arithmetic("/", term, ask.number(divisor))


def larger_numbers(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    signs = st.sampled_from(["+", "-", "*"])
    several = st.lists(inner | QUARTERS, min_size=2, max_size=3)
    conditions = simple_conditions(inner)
    return st.one_of(
        st.builds(ask.arithmetic, signs, inner, inner | QUARTERS),
        st.builds(divided, inner, st.sampled_from([Fraction(-3), Fraction(10), Fraction(1, 4)])),
        st.builds(ask.of_one, st.sampled_from(["abs", "floor", "ceil", "-"]), inner),
        st.builds(ask.of_several, st.sampled_from(["least", "greatest", "coalesce"]), several),
        st.builds(
            ask.case,
            st.lists(st.tuples(conditions, inner | QUARTERS), min_size=1, max_size=2),
            st.none() | inner | QUARTERS,
        ),
        DATES.map(ask.year),
        st.builds(lambda date, day: ask.arithmetic("-", date, day), DATES, DAYS),
    )


def simple_conditions(numbers: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    words = st.sampled_from(["a", "it's", "b"]).map(ask.text)
    anything = st.sampled_from([column.name for column in COLUMNS]).map(ask.column)
    return st.one_of(
        st.builds(ask.compared, COMPARISONS, NUMBER_COLUMNS, COUNTS),
        st.builds(ask.compared, COMPARISONS, numbers, numbers | QUARTERS),
        st.builds(ask.compared, COMPARISONS, DATES, DAYS),
        st.builds(ask.between, numbers, QUARTERS, QUARTERS),
        st.builds(ask.one_of, numbers, st.lists(QUARTERS, min_size=1, max_size=4)),
        st.builds(ask.one_of, st.just(ask.column("c")), st.lists(words, min_size=1, max_size=3)),
        st.builds(ask.compared, st.sampled_from(["=", "<>"]), TEXTS, TEXTS),
        st.builds(ask.compared, st.sampled_from(["=", "<>"]), st.just(ask.column("t")), words),
        anything.map(ask.is_missing),
        st.sampled_from(["f", "g"]).map(ask.column),
    )


TERMS = st.recursive(NUMBER_COLUMNS, larger_numbers, max_leaves=5)
CONDITIONS = st.recursive(
    simple_conditions(TERMS),
    lambda inner: st.one_of(
        st.builds(ask.joined, st.sampled_from(["AND", "OR"]), st.lists(inner, min_size=2, max_size=3)),
        inner.map(ask.negated),
        inner.map(ask.is_true),
    ),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})


def prepare(database: duckdb.DuckDBPyConnection, rows: Sequence[ask.Row]) -> None:
    """Lay out rows as prepared tables do: whole numbers of the grid, days, and enumerations."""
    types = ", ".join(f'"{column.name}" {type_of(column)}' for column in COLUMNS)
    database.execute(f"CREATE OR REPLACE TABLE people (place INTEGER, {types})")
    for place, row in enumerate(rows):
        held = [place, *(_held(column, row[column.name]) for column in COLUMNS)]
        database.execute(f"INSERT INTO people VALUES ({', '.join('?' * len(held))})", held)


def _held(column: Column, value: Any) -> Any:
    return int(value / column.grid) if isinstance(value, Fraction) else value


def computed(database: duckdb.DuckDBPyConnection, sql: str) -> list[Any]:
    return [row[0] for row in database.execute(f"SELECT {sql} FROM people ORDER BY place").fetchall()]


def check_expression(
    database: duckdb.DuckDBPyConnection, expression: Expression, expected: Sequence[Any], *, cut: bool = False
) -> None:
    found = computed(database, expression.sql)
    kinds = set(computed(database, f"typeof({expression.sql})"))
    assert kinds == {"BIGINT"}
    for count, value in zip(found, expected, strict=True):
        if value is None:
            assert count is None
            continue
        assert expression.lower <= count * expression.grid <= expression.upper
        assert count == math.trunc(value / expression.grid) if cut else count * expression.grid == value


def understood(text: str) -> Question | None:
    """Return the question, or None where it is refused for a reason that random questions may have."""
    try:
        return understand(text, METADATA)
    except BadInput as refused:
        if not any(reason in refused.what for reason in REASONS):
            raise
        return None


@EXAMPLES
@given(term=TERMS, rows=ROWS, chance=st.integers(0, 10**6))
def test_arithmetic_runs_on_every_row_and_gives_what_fractions_give(
    database: duckdb.DuckDBPyConnection, term: Term, rows: list[ask.Row], chance: int
) -> None:
    question = understood(f"SELECT SUM({term.spell(random.Random(chance))}) FROM people")
    if question is None:
        return
    prepare(database, rows)
    expression = question.measures[0].expression
    assert expression is not None
    check_expression(database, expression, [term.value(row) for row in rows])


@EXAMPLES
@given(above=TERMS, below=TERMS, rows=ROWS, chance=st.integers(0, 10**6))
def test_quotients_are_cut_towards_zero_to_the_grid_that_is_stated(
    database: duckdb.DuckDBPyConnection, above: Term, below: Term, rows: list[ask.Row], chance: int
) -> None:
    divisor = ask.arithmetic("+", ask.of_one("abs", below), ask.number(Fraction(1, 2)))
    term = ask.arithmetic("/", above, divisor)
    question = understood(f"SELECT AVG({term.spell(random.Random(chance))}) FROM people")
    if question is None:
        return
    prepare(database, rows)
    expression = question.measures[0].expression
    assert expression is not None
    check_expression(database, expression, [term.value(row) for row in rows], cut=True)


@EXAMPLES
@given(condition=CONDITIONS, rows=ROWS, chance=st.integers(0, 10**6))
def test_conditions_keep_the_rows_for_which_they_are_true(
    database: duckdb.DuckDBPyConnection, condition: Term, rows: list[ask.Row], chance: int
) -> None:
    question = understood(f"SELECT COUNT(*) FROM people WHERE {condition.spell(random.Random(chance))}")
    if question is None:
        return
    prepare(database, rows)
    where = question.where or "TRUE"
    found = [
        row[0]
        for row in database.execute(f"SELECT place FROM people WHERE {where} ORDER BY place").fetchall()
    ]
    assert found == [place for place, row in enumerate(rows) if condition.value(row) is True]


def test_every_comparison_with_a_constant_is_exact(database: duckdb.DuckDBPyConnection) -> None:
    """All values of each column, with constants on, between and beyond its grid points."""
    counts = [Fraction(count, 4) for count in range(-16, 25)]
    rows = [EMPTY, *({**EMPTY, "n": v, "x": v, "p": v} for v in counts)]
    rows = [{**row, **{c.name: _if_declared(c, row[c.name]) for c in NUMBERS[:3]}} for row in rows]
    prepare(database, rows)
    signs = ["=", "<>", "<", "<=", ">", ">="]
    conditions = [
        *(
            ask.compared(sign, ask.column(name), other)
            for sign in signs
            for name in ("n", "x", "p")
            for other in [ask.number(Fraction(count, 8)) for count in range(-34, 44, 2 if name == "n" else 1)]
        ),
        *(
            ask.compared(sign, ask.column(one), ask.column(two))
            for sign in signs
            for one in ("n", "x", "p")
            for two in ("n", "x", "p")
        ),
    ]
    for condition in conditions:
        question = understand(f"SELECT COUNT(*) FROM people WHERE {condition!r}", METADATA)
        found = database.execute(f"SELECT place FROM people WHERE {question.where} ORDER BY place").fetchall()
        expected = [place for place, row in enumerate(rows) if condition.value(row) is True]
        assert [place for (place,) in found] == expected, (condition, question.where)


def _if_declared(column: Column, value: Fraction | None) -> Fraction | None:
    """Return the value if the column can have it."""
    assert column.lower is not None
    assert column.upper is not None
    if value is None or not column.lower <= value <= column.upper:
        return None
    return value if (value / column.grid).denominator == 1 else None


def keys_of(condition: Term, term: Term) -> list[Term]:
    stage = ask.case([(condition, ask.column("c"))], ask.text("none"))
    coded = ask.case([(condition, ask.number(Fraction(10)))], ask.number(Fraction(-4000)))
    bins = ask.of_one("floor", divided(term, Fraction(10)))
    return [condition, stage, coded, bins, ask.column("c"), ask.column("n"), ask.year(ask.column("d"))]


@EXAMPLES
@given(condition=CONDITIONS, term=TERMS, rows=ROWS)
def test_keys_have_the_values_that_fractions_give_and_all_are_public(
    database: duckdb.DuckDBPyConnection, condition: Term, term: Term, rows: list[ask.Row]
) -> None:
    prepare(database, rows)
    for expected in keys_of(condition, term):
        question = understood(f"SELECT COUNT(*) FROM people GROUP BY {expected!r}")
        if question is None:
            continue
        key = question.keys[0]
        assert key.values is not None
        assert len(set(key.values)) == len(key.values)
        found = computed(database, key.sql)
        assert found == [expected.value(row) for row in rows]
        assert all(value in key.values or (value is None and key.missing) for value in found)


def test_days_are_told_as_dates(database: duckdb.DuckDBPyConnection) -> None:
    question = understand("SELECT COUNT(*) FROM people GROUP BY d", METADATA)
    prepare(database, [EMPTY, {**EMPTY, "d": Fraction(-1)}, {**EMPTY, "d": Fraction(800)}])
    key = question.keys[0]
    assert computed(database, key.sql) == [None, "1969-12-31", "1972-03-11"]
    assert key.values is not None
    assert (key.values[399], key.values[-1], len(key.values)) == ("1969-12-31", "1972-03-11", 1201)


@EXAMPLES
@given(
    condition=CONDITIONS, term=TERMS, seeds=st.lists(st.integers(0, 10**6), min_size=2, max_size=SPELLINGS)
)
def test_spellings_of_one_question_have_one_canonical_text(
    condition: Term, term: Term, seeds: list[int]
) -> None:
    texts = set()
    for seed in seeds:
        chance = random.Random(seed)
        gap = chance.choice([" ", "\n", "  \t"])
        where = condition.spell(chance)
        grouped, key = chance.choice(
            [("1", "c as letter"), ("letter", "c as letter"), ("c", "c"), ("C", '"c"')]
        )
        text = gap.join(
            [
                "select",
                f"{key},",
                f"sum({term.spell(chance)})",
                "from people where",
                where,
                "group by",
                grouped,
            ]
        )
        question = understood(text)
        if question is None:
            return
        texts.add(question.canonical)
    assert len(texts) == 1


SMALL = st.recursive(
    st.one_of(
        st.builds(
            ask.compared,
            COMPARISONS,
            st.sampled_from(["n", "p"]).map(ask.column),
            st.integers(-2, 2).map(lambda count: ask.number(Fraction(count, 2))),
        ),
        st.sampled_from(["f", "g"]).map(ask.column),
        st.sampled_from(["n", "f"]).map(lambda name: ask.is_missing(ask.column(name))),
    ),
    lambda inner: st.one_of(
        st.builds(ask.joined, st.sampled_from(["AND", "OR"]), st.lists(inner, min_size=2, max_size=2)),
        inner.map(ask.negated),
    ),
    max_leaves=3,
)
EVERYBODY = [
    {"n": n, "p": p, "f": f, "g": g}
    for n in (None, *map(Fraction, range(-3, 6)))
    for p in (None, *(Fraction(count, 2) for count in range(1, 9)))
    for f in (None, True, False)
    for g in (None, True, False)
]


@settings(max_examples=60, deadline=None)
@given(conditions=st.lists(SMALL, min_size=12, max_size=12))
def test_questions_with_one_canonical_text_keep_the_same_rows(conditions: list[Term]) -> None:
    kept: dict[str, list[bool]] = {}
    for condition in conditions:
        question = understand(f"SELECT COUNT(*) FROM people WHERE {condition!r}", METADATA)
        truths = [condition.value(row) is True for row in EVERYBODY]
        assert kept.setdefault(question.canonical, truths) == truths


def test_most_random_questions_are_answered() -> None:
    """The properties above pass over what is refused: that must be the exception."""
    answered = []

    @settings(max_examples=200, deadline=None, database=None, derandomize=True)
    @given(term=TERMS, condition=CONDITIONS)
    def count(term: Term, condition: Term) -> None:
        answered.append(understood(f"SELECT SUM({term!r}) FROM people WHERE {condition!r}") is not None)

    count()
    assert sum(answered) > 0.7 * len(answered)


def test_products_run_up_to_the_last_that_is_allowed_and_the_next_is_refused(
    database: duckdb.DuckDBPyConnection,
) -> None:
    edges = [Fraction(-(10**9)), Fraction(10**9)]
    rows = [{**EMPTY, "big": big, "n": n} for big in edges for n in (Fraction(-3), Fraction(5))]
    prepare(database, rows)
    question = understand("SELECT SUM(big * big * 4), SUM(big * 4 * big - n) FROM people", METADATA)
    for measure, of_row in zip(
        question.measures,
        [lambda row: row["big"] ** 2 * 4, lambda row: row["big"] ** 2 * 4 - row["n"]],
        strict=True,
    ):
        assert measure.expression is not None
        check_expression(database, measure.expression, [of_row(row) for row in rows])
    with pytest.raises(BadInput, match="could overflow"):
        understand("SELECT SUM(big * big * n) FROM people", METADATA)


def test_a_count_of_a_column_counts_where_it_is_not_missing(database: duckdb.DuckDBPyConnection) -> None:
    question = understand("SELECT COUNT(n), COUNT(c), COUNT(f), COUNT(1) FROM people", METADATA)
    prepare(database, [EMPTY, {**EMPTY, "n": Fraction(1), "c": "a"}, {**EMPTY, "f": False}])
    counted = []
    for measure in question.measures:
        assert measure.statistic is Statistic.COUNT
        sql = "1" if measure.expression is None else measure.expression.sql
        counted.append(sum(value is not None for value in computed(database, sql)))
    assert counted == [1, 1, 1, 3]
