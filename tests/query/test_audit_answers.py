"""An adversary's view of answers: SQL → plan → registered data → exact numbers, on all sorts of neighbours.

Other tests check the parts; here the whole way is taken, and what is compared with the price is the loss that
a pair of neighbours really causes: how far their exact numbers lie apart, by the noise that is put on them.
"""

from __future__ import annotations

import itertools
import logging
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.answer_text import text_of
from sfumato.query.database import Database, price_of
from sfumato.query.dummy import dummy_tables
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.plan import NoisyNumbers, plan
from sfumato.query.prepared import Prepared
from sfumato.query.question import Question, Statistic
from sfumato.query.run import check, exact, noisy, run
from sfumato.query.sql import understand
from tests.oracles.query_loss import loss
from tests.query.test_database import Recorder

SECRET = b"s" * 16
Rows = Sequence[tuple[str | None, int | None, str | None, str | None, bool | None]]
"""who, v, c, x, f"""
People = Mapping[str, tuple[Rows, Rows]]
"""per person the rows of visits and of tests"""

COLUMNS = {
    "v": Column("v", Type.INTEGER, Fraction(-3), Fraction(5)),
    "c": Column("c", Type.CATEGORY, values=("a", "b")),
    "x": Column("x", Type.CATEGORY),
    "f": Column("f", Type.BOOLEAN),
}


def metadata(
    notion: Neighbours, rows: int = 2, groups: int = 1, tests: int = 2, max_rows: int = 1000
) -> Metadata:
    """Two tables of the same people, and one whose rows are people."""
    return Metadata(
        "clinic",
        {
            "visits": Table("visits", COLUMNS, "who", rows, max_rows),
            "tests": Table("tests", COLUMNS, "who", tests, max_rows),
            "beds": Table("beds", COLUMNS, None, 1, max_rows),
        },
        notion,
        groups_per_person=groups,
    )


def frame(rows: Rows) -> pa.Table:
    """Return rows as a source, all of it text as in a CSV file."""
    texts = [[None if value is None else str(value) for value in row] for row in rows]
    names = ("who", *COLUMNS)
    return pa.table({name: pa.array([row[i] for row in texts], pa.string()) for i, name in enumerate(names)})


def registered(people: People, public: Metadata) -> Prepared:
    """Register people; a person's bed is the first of their visits, and who has none has no bed."""
    visits = [row for mine, _ in people.values() for row in mine]
    tests = [row for _, mine in people.values() for row in mine]
    beds = [mine[0] for mine, _ in people.values() if mine]
    sources = {"visits": frame(visits), "tests": frame(tests), "beds": frame(beds)}
    return Prepared.register(public, sources, secret=SECRET)


def rows_of(who: str) -> st.SearchStrategy[tuple[Rows, Rows]]:
    """Draw the rows of a person: few different values, at the bounds, missing, and not as declared."""
    row = st.tuples(
        st.just(who),
        st.sampled_from([None, -3, -3, 0, 1, 5, 5, 99]),
        st.sampled_from([None, "a", "b", "b", "no"]),
        st.sampled_from([None, "q", "r", "s"]),
        st.sampled_from([None, True, False]),
    )
    return st.tuples(st.lists(row, max_size=4), st.lists(row, max_size=3))


populations = st.fixed_dictionaries({who: rows_of(who) for who in "pqrs"})
MEASURES = [
    "COUNT(*)",
    "COUNT({0}v)",
    "COUNT(CASE WHEN {0}f THEN 1 END)",
    "COUNT(DISTINCT {0}who)",
    "SUM({0}v)",
    "SUM({0}v * {0}v - 7)",
    "SUM(CASE WHEN {0}f THEN {0}v ELSE 100 END)",
    "AVG({0}v)",
    "AVG(ABS({0}v) / 3)",
    "VARIANCE({0}v)",
    "SUM({0}v * 100000000000000000)",
    "VARIANCE({0}v * 3 + 1)",
    "MEDIAN({0}v)",
    "QUANTILE({0}v - 1, 0.9)",
]
WHERES = [
    *("", "", "{0}f", "{0}v > 0", "{0}c = 'a' OR {0}v IS NULL", "NOT {0}f OR {0}c IS NULL", "{0}x = 'q'"),
    *("{0}v IN (5, -3) AND {0}c <> 'b'", "FALSE", "1 = 1"),
]
KEYS = [
    *("", "{0}c", "{0}f", "{0}x", "{0}v", "{0}c, {0}x", "{0}v > 0, {0}c", "FLOOR({0}v / 4)"),
    *("CASE WHEN {0}f THEN 'yes' WHEN {0}c = 'a' THEN {0}c END", "CASE WHEN {0}f THEN {0}x ELSE 'n' END"),
]
JOIN = "visits JOIN tests ON visits.who = tests.who"
questions = st.builds(
    lambda measures, where, keys, source: _sql(measures, where, keys, source),
    st.lists(st.sampled_from(MEASURES), min_size=1, max_size=4),
    st.sampled_from(WHERES),
    st.sampled_from(KEYS),
    st.sampled_from(["visits", "visits", "tests", "beds", JOIN, JOIN]),
)


def _sql(measures: Iterable[str], where: str, keys: str, source: str) -> str:
    if source == "beds":
        measures = [each for each in measures if "DISTINCT" not in each] or ["COUNT(*)"]
    prefix = "tests." if source == JOIN else ""
    text = f"SELECT {', '.join(measures)} FROM {source}"
    text += f" WHERE {where}" if where else ""
    text += f" GROUP BY {keys}" if keys else ""
    return text.format(prefix)


def pairs(people: People, stranger: tuple[Rows, Rows], notion: Neighbours) -> tuple[People, People]:
    """Return two neighbours: without p, or with a stranger in p's place."""
    others = {who: rows for who, rows in people.items() if who != "p"}
    if notion is Neighbours.ADD_REMOVE:
        return people, others
    return {**others, "p": people["p"]}, {**others, "new": stranger}


PRICES = [Price.approximate(1, "1e-7"), Price.concentrated("0.1", delta="1e-7"), Price.pure(1)]


@settings(max_examples=14, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    populations,
    rows_of("new"),
    st.sampled_from(list(Neighbours)),
    st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 2)),
    st.lists(st.tuples(questions, st.sampled_from(PRICES)), min_size=12, max_size=12),
)
def test_no_question_costs_a_person_more_than_its_price(
    people: People,
    stranger: tuple[Rows, Rows],
    notion: Neighbours,
    limits: tuple[int, int, int],
    asked: list[tuple[str, Price]],
) -> None:
    """The whole way from SQL to exact numbers, on both kinds of neighbours, for every statistic and join."""
    rows, tests, groups = limits
    public = metadata(notion, rows, groups, tests)
    here, there = (registered(each, public) for each in pairs(people, stranger, notion))
    try:
        for sql, price in asked:
            question = understand(sql, public)
            if price == PRICES[2] and any(key.values is None for key in question.keys):
                price = PRICES[0]  # groups that are not public need a δ
            planned = plan(question, public, price)
            epsilon, rho = loss(planned, *(exact(planned, held.cursor()) for held in (here, there)))
            if not any(isinstance(getattr(m, "noise", None), DiscreteGaussian) for m in planned.measures):
                assert price.epsilon is None or epsilon <= Fraction(price.epsilon), sql
            assert planned.price.rho is not None
            assert rho <= Fraction(planned.price.rho), sql
    finally:
        here.close()
        there.close()


def test_the_number_of_rows_is_not_public_where_people_may_be_in_other_tables_alone() -> None:
    """Replacing somebody without a bed by somebody with one changes the number of beds."""
    public = metadata(Neighbours.SUBSTITUTION)
    alone = replace(public, tables={"beds": public.tables["beds"]})
    sql = "SELECT AVG(v) FROM beds"
    for said, shared in ((public, ()), (alone, ("COUNT(*)",))):
        (mean,) = plan(understand(sql, said), said, Price.pure(1)).measures
        assert isinstance(mean, NoisyNumbers)
        assert mean.numbers.shared == shared


def kept(prepared: Prepared, table: str) -> Counter[tuple[Any, ...]]:
    """Return the rows that count, whosever they are."""
    columns = ", ".join(f'"{name}"' for name in prepared.metadata.tables[table].columns)
    return Counter(prepared.cursor().execute(f"SELECT {columns} FROM {table}").fetchall())


@settings(max_examples=12, deadline=None)
@given(populations, st.integers(1, 2))
def test_a_person_changes_no_row_of_another_when_data_are_registered(people: People, rows: int) -> None:
    """What is kept of p and of the others, each registered alone, is what is kept of all together."""
    public = metadata(Neighbours.ADD_REMOVE, rows, tests=rows)
    parts = [people, {"p": people["p"]}, {who: mine for who, mine in people.items() if who != "p"}]
    every, alone, others = (registered(part, public) for part in parts)
    for table in ("visits", "tests", "beds"):
        assert kept(every, table) == kept(alone, table) + kept(others, table)
    for held in (every, alone, others):
        held.close()


def test_rows_that_are_kept_of_people_with_the_same_rows_are_not_all_the_same() -> None:
    """Of 40 people in the groups a and b, each counts in one of them. That all 40 count in the same happens
    once in 2³⁹: a choice by the row alone, which is caught, would always do so."""
    public = metadata(Neighbours.ADD_REMOVE, rows=1)
    rows = [(f"p{i}", 1, c, None, None) for i in range(40) for c in "ab"]
    held = Prepared.register(
        public, {"visits": frame(rows), "tests": frame([]), "beds": frame([])}, secret=SECRET
    )
    counts = dict(held.cursor().execute("SELECT c, COUNT(*) FROM visits GROUP BY c").fetchall())
    assert sum(counts.values()) == 40
    assert len(counts) == 2


@pytest.mark.parametrize("missing", [None, float("nan"), Decimal("0.125")])
def test_one_missing_number_does_not_change_the_names_of_everybody(
    missing: float | Decimal | None,
) -> None:
    """A column of whole numbers with a gap arrives as floats, and one long number makes all decimals long:
    1.0 and 1.000 are still the person, and the value, 1."""
    columns = {"c": Column("c", Type.CATEGORY, values=("1", "2"))}
    public = Metadata(
        "d", {name: Table(name, columns, "who", 2, 10) for name in ("one", "two")}, groups_per_person=2
    )
    whole = pa.table({"who": [1, 2, 3], "c": [1, 2, 2]})
    kind = Decimal if isinstance(missing, Decimal) else float
    gaps = pa.table({"who": [kind(1), kind(2), kind(3), missing], "c": [kind(1), kind(2), missing, kind(2)]})
    planned = plan(
        understand("SELECT two.c, COUNT(*) FROM one JOIN two ON one.who = two.who GROUP BY two.c", public),
        public,
        Price.pure(1),
    )
    found = [
        exact(planned, Prepared.register(public, {"one": whole, "two": other}, secret=SECRET).cursor())
        for other in (whole, gaps)
    ]
    told = [None if one.numbers[0] is None else one.numbers[0].tolist() for one in found]
    assert told == [[[1, 2, 0]], [[1, 1, 1]]]


def test_rows_whose_person_is_blank_are_nobodys() -> None:
    """Blank names may belong to many people; taken as one of them they would share that one's rows."""
    public = metadata(Neighbours.ADD_REMOVE)
    rows = [(who, 1, "a", None, None) for who in ("p", "", " ", None, "p ")]
    held = Prepared.register(
        public, {"visits": frame(rows), "tests": frame([]), "beds": frame([])}, secret=SECRET
    )
    assert held.facts[0].without_person == 3
    assert held.facts[0].kept == 2


AWKWARD = ["u", "name", "number", "admitted", "place_of_row", "first_of_group", "k0", "u0", "person", "place"]


@pytest.mark.parametrize("name", AWKWARD)
def test_a_column_may_be_called_as_we_call_things_inside(name: str) -> None:
    """Its values lie below and beyond every rank: taken for ours, rows would not be bounded, or be lost."""
    columns = {
        name: Column(name, Type.INTEGER, Fraction(0), Fraction(9)),
        "c": Column("c", Type.CATEGORY, values=("a", "b")),
    }
    public = Metadata("d", {name: Table(name, columns, "who", 3, 100) for name in ("t", "s")})
    data = pa.table({"who": [*"ppp", *"qqq"], name: [0, 9, 9] * 2, "c": ["a", "b", "b"] * 2})
    held = Prepared.register(public, {"t": data, "s": data}, secret=SECRET)
    sql = f'SELECT c, COUNT(DISTINCT who), SUM("{name}") FROM t WHERE "{name}" >= 0 GROUP BY c'
    asked = understand(sql, public)
    (counted, _) = exact(plan(asked, public, Price.pure(1)), held.cursor()).numbers
    assert counted is not None
    assert counted.sum() == 2
    joined = replace(
        understand(f'SELECT COUNT(*) FROM t JOIN s ON t.who = s.who WHERE t."{name}" >= 0', public),
        rows_per_person=2,
    )
    (rows,) = exact(plan(joined, public, Price.pure(1)), held.cursor()).numbers
    assert rows is not None
    assert rows.tolist() == [[4]]


class Thrown(Prepared):
    """Data that make the engine, or whatever is around it, fail in some way."""

    kind: type[Exception] = MemoryError

    def cursor(self) -> Any:
        """Return a cursor that raises."""
        kind = self.kind

        class Broken:
            def execute(self, *_: object) -> None:
                raise kind("Ada")

            sql = extract_statements = execute

            def close(self) -> None:
                """Nothing to let go of."""

        return Broken()


@pytest.mark.parametrize("kind", [MemoryError, OverflowError, duckdb.Error])
def test_what_fails_once_data_are_read_is_stored_and_cannot_be_run_again(
    kind: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    """Each run draws new noise, and one charge pays for one: whatever fails, the second asking gets the
    stored text. Nothing of the failure but its kind is in the log."""
    public = metadata(Neighbours.ADD_REMOVE)
    held = registered({}, public)
    broken = Thrown(public, held.version, held.facts, held.connection, held.shape)
    object.__setattr__(broken, "kind", kind)
    ledger = Recorder()
    database = Database(public, broken, ledger)
    with caplog.at_level(logging.ERROR):
        first = database.ask("ada", "SELECT COUNT(*) FROM visits WHERE v = 4", epsilon=1)
    again = Database(public, held, ledger).ask("ada", "SELECT COUNT(*) FROM visits WHERE v = 4", epsilon=1)
    assert again == first
    assert ledger.left == 0
    assert kind.__name__ in caplog.text
    assert "Ada" not in caplog.text


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT MEDIAN(d + 3000000) FROM t",
        "SELECT MEDIAN(d - 3000000) FROM t",
        "SELECT QUANTILE(d + (v + 2932000), 0.9) FROM t",
        "SELECT SUM(v" + " * 999999999999999999" * 20 + ") FROM t",
        "SELECT AVG(v" + " * 999999999999999999" * 8 + ") FROM t",
        "SELECT VARIANCE(v" + " / 999999999999999999" * 20 + ") FROM t",
        "SELECT MEDIAN(v" + " * 999999999999999999" * 20 + ") FROM t",
    ],
)
def test_answers_that_could_not_be_told_are_refused_before_they_are_charged(sql: str) -> None:
    """A date beyond the year 9999 or a number beyond floats: telling it would fail after noise was drawn."""
    columns = {
        "d": Column("d", Type.DATE, Fraction(0), Fraction(20_000)),
        "v": Column("v", Type.INTEGER, Fraction(0), Fraction(100)),
    }
    public = Metadata("d", {"t": Table("t", columns, None, 1, 1000)})
    with pytest.raises(BadInput) as refused:
        understand(sql, public)
    assert refused.value.where


def test_every_answer_that_is_not_refused_can_be_told_however_the_noise_falls() -> None:
    """At the smallest ε that is sold, with the widest numbers and the largest number of rows."""
    wide = Column("w", Type.INTEGER, Fraction(-(2**61)), Fraction(2**61))
    day = Column("d", Type.DATE, Fraction(-719_162), Fraction(2_932_896))
    public = Metadata("d", {"t": Table("t", {"w": wide, "d": day}, None, 1, 10**12)})
    held = Prepared.register(
        public, {"t": pa.table({"w": ["9" * 30, "x"], "d": ["9999-12-31", ""]})}, secret=SECRET
    )
    constant = "9" * 18
    far = f"w * {constant} * {constant} * {constant} * {constant}"
    for sql in (
        f"SELECT COUNT(*), SUM({far}), AVG({far}) FROM t",
        f"SELECT SUM(w / {constant} / {constant} / {constant} / {constant}), AVG(w) FROM t",
        "SELECT MEDIAN(d), QUANTILE(w, 0.99) FROM t",
    ):
        for price in (Price.pure("1e-11"), Price.pure(900), Price.concentrated("1e-18")):
            planned = plan(understand(sql, public), public, price)
            check(planned, held.shape)
            for _ in range(5):
                assert text_of(run(planned, held.cursor()))


def test_a_stored_answer_is_told_under_the_names_of_the_question_that_was_asked() -> None:
    """Other spellings are one question; each analyst gets the names that they wrote, and the same numbers."""
    public = metadata(Neighbours.ADD_REMOVE)
    ledger = Recorder("2")
    database = Database(public, registered({}, public), ledger)
    spellings = [
        "SELECT c AS sex, COUNT(*) AS n, SUM(v) FROM visits GROUP BY c",
        "select count(*) as people, sum(v) as total, c from visits group by 3",
    ]
    first, again = (database.ask("ada", sql, epsilon=1) for sql in spellings)
    assert first.columns == ("sex", "n", "sum_v")
    assert again.columns == ("c", "people", "total")
    assert replace(again, columns=first.columns) == first
    assert ledger.left == Decimal(1)
    pending = database.prepare("ada", spellings[1], price_of(epsilon=1))
    stored = ledger.spends[0][1]
    assert stored is not None
    assert database.answer_of(database.told(pending, stored)) == again
    assert database.told(database.prepare("ada", spellings[0], price_of(epsilon=1)), stored) is stored


@pytest.mark.parametrize("key", ["", "c", "x", "v * 10, f, c"])
def test_running_a_question_warns_of_nothing(key: str) -> None:
    """What the engine says to whoever watches the process is not for them: values may be in it."""
    public = metadata(Neighbours.ADD_REMOVE)
    held = registered({"p": ([("p", 1, "a", "q", True)] * 2, [])}, public)
    sql = "SELECT COUNT(*), MEDIAN(v) FROM visits WHERE v > 0" + (f" GROUP BY {key}" if key else "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(plan(understand(sql, public), public, PRICES[0]), held.cursor()).errors is not None


def test_dummy_data_of_people_with_endlessly_many_rows_fit_into_memory() -> None:
    """A steward may declare a bound that never binds."""
    public = metadata(Neighbours.ADD_REMOVE, rows=10**12)
    assert dummy_tables(public, rows=50)["visits"].num_rows == 50


def test_error_bars_of_variances_cover_the_truth_where_rows_are_few() -> None:
    """4,000 answers for each number of rows; at a coverage of 0.95, fewer than 93.2 % are hit with a
    probability below 1e-6 (binomial: 5.2 standard deviations). Bars from the slopes alone, however few the
    rows, are caught: they hit 92.9 % of 20 equal values."""
    public = metadata(Neighbours.ADD_REMOVE, rows=1)
    planned = plan(understand("SELECT VARIANCE(v) FROM visits", public), public, Price.concentrated("0.05"))
    for rows, low in itertools.product((12, 20, 30), (-3, 5)):
        values = [5] * (rows // 2) + [low] * (rows - rows // 2)
        people: People = {f"p{i}": ([(f"p{i}", v, None, None, None)], []) for i, v in enumerate(values)}
        held = registered(people, public)
        found = exact(planned, held.cursor())
        many = replace(
            found,
            groups=((),) * 4000,
            numbers=tuple(None if n is None else np.repeat(n, 4000, axis=1) for n in found.numbers),
        )
        answer = noisy(planned, many, SeededRandom(rows))
        off = np.abs(np.array(answer.rows, float)[:, 0] - np.var(values))
        assert np.mean(off <= np.array(answer.errors, float)[:, 0]) >= 0.932, (rows, low)
        held.close()


def test_every_kind_of_question_is_among_those_that_are_tried() -> None:
    """The property above would pass over whatever is refused: nothing is."""
    public = metadata(Neighbours.ADD_REMOVE)
    seen: set[Statistic] = set()
    tables, unknown = set(), set()
    for measure, where, keys, source in itertools.product(MEASURES, WHERES[:2], KEYS, ["visits", JOIN]):
        asked: Question = understand(_sql([measure], where, keys, source), public)
        seen.add(asked.measures[0].statistic)
        tables.add(len(asked.tables))
        unknown.add(any(key.values is None for key in asked.keys))
    assert seen == set(Statistic)
    assert tables == {1, 2}
    assert unknown == {True, False}
