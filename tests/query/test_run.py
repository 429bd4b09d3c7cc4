"""Running: exact numbers against slow loops, groups that are always there, and error bars that hold."""

from __future__ import annotations

import logging
import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.randomness import SeededRandom
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.answer import Answer
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.plan import NoisePlan, NoisyChoice, NoisyNumbers, plan
from sfumato.query.prepared import Prepared
from sfumato.query.question import Expression, Key, Measure, Question, Statistic
from sfumato.query.run import Exact, check, exact, noisy, run
from tests.oracles.query_answers import (
    HALVES,
    MEASURES,
    PUBLIC,
    UNKNOWN,
    Clinic,
    People,
    V,
    counted_rows,
    metadata,
    numbers_of,
    question,
    scores_of,
)
from tests.query.test_plan import NARROW, PURE, ROWS_ARE_PEOPLE, WITH_DELTA, data_sets

CLINIC = Clinic.open()


@settings(max_examples=30, deadline=None)
@given(
    data_sets,
    st.sampled_from([(), (PUBLIC,), (UNKNOWN,)]),
    st.integers(1, 3),
    st.integers(1, 2),
)
def test_exact_numbers_are_those_of_slow_loops(
    people: People, keys: tuple[Key, ...], rows: int, groups: int
) -> None:
    """Bounded rows, bounded groups, missing values, missing groups."""
    price = WITH_DELTA if UNKNOWN in keys else PURE
    planned = plan(question(NARROW, keys, "", rows, groups), metadata(rows, groups), price)
    found = exact(planned, CLINIC.fill(people, rows))
    names = [key.name for key in keys]
    by_group = defaultdict(list)
    for name, row in counted_rows(people, rows, groups if keys else None, names):
        by_group[tuple(row[key] for key in names)].append((name, row))
    if keys == (PUBLIC,):
        assert found.groups == (("a",), ("b",), (None,))
    elif keys == (UNKNOWN,):
        assert set(found.groups) == set(by_group)
    for place, group in enumerate(found.groups):
        mine = by_group[group]
        for i, measure in enumerate(planned.measures):
            if isinstance(measure, NoisyNumbers):
                numbers = found.numbers[i]
                assert numbers is not None
                wanted = [n // measure.numbers.divisor for n in numbers_of(measure.measure, mine)]
                assert numbers[:, place].tolist() == wanted, measure.measure.name
            else:
                points = range(-3, 6)
                scores = measure.candidates.scores(
                    found.histogram(i, place, measure.candidates.positions),
                    measure.measure.quantile or Fraction(0),
                )
                wanted_scores = scores_of(measure.measure, mine, points)
                whole = (measure.measure.quantile or Fraction(1)).denominator
                assert scores.tolist() == [score * whole for score in wanted_scores]


@settings(max_examples=5, deadline=None)
@given(data_sets)
def test_scores_of_coarse_candidates_are_those_of_counting(people: People) -> None:
    """Some values lie between two candidates; they count as below one and above the other."""
    planned = plan(question(MEASURES[-1:]), metadata(), PURE)
    (median,) = planned.measures
    assert isinstance(median, NoisyChoice)
    points = [median.candidates.lower + j * median.candidates.step for j in range(median.candidates.count)]
    found = exact(planned, CLINIC.fill(people, 2))
    scores = median.candidates.scores(found.histogram(0, 0, median.candidates.positions), Fraction(1, 2))
    some = [*range(0, len(points), 997), 1, 2, len(points) - 1]
    rows = counted_rows(people, 2, None, [])
    wanted = scores_of(median.measure, rows, [points[i] for i in some])
    assert [scores[i] for i in some] == [2 * score for score in wanted]


def repeated(planned: NoisePlan, held: Exact, times: int, seed: int) -> Answer:
    """Draw noise many times for the same exact numbers: as many groups, each with noise of its own."""
    many = tuple(None if n is None else np.repeat(n, times, axis=1) for n in held.numbers)
    return noisy(planned, replace(held, groups=((),) * times, numbers=many), SeededRandom(seed))


def two_tables() -> tuple[Metadata, dict[str, pa.Table]]:
    """Return visits and tests of the same people, several of each."""
    number = Column("v", Type.INTEGER, Fraction(0), Fraction(9))
    public = Metadata(
        "clinic",
        {
            "visits": Table("visits", {"v": number}, "who", 3, 100),
            "tests": Table("tests", {"v": number}, "who", 2, 100),
        },
    )
    visits = [(who, v) for who in "pqrs" for v in range(5)]
    tests = [(who, v) for who in "qrst" for v in (0, 9)]
    tables = {
        name: pa.table({"who": [who for who, _ in rows], "v": [v for _, v in rows]})
        for name, rows in (("visits", visits), ("tests", tests))
    }
    return public, tables


@pytest.mark.parametrize(("rows", "wanted"), [(6, 18), (4, 12), (1, 3), (100, 18)])
def test_rows_of_a_person_are_bounded_after_joins(rows: int, wanted: int) -> None:
    """Three people are in both tables, with 3 × 2 pairs each; of these at most ``rows`` count."""
    public, tables = two_tables()
    asked = Question("clinic", ("visits", "tests"), "", (), MEASURES[:1], "q", rows, 1)
    planned = plan(asked, public, PURE)
    prepared = Prepared.register(public, tables, secret=b"s" * 16)
    found = exact(planned, prepared.cursor())
    assert found.numbers[0] is not None
    assert found.numbers[0].tolist() == [[wanted]]
    numbers = planned.measures[0]
    assert isinstance(numbers, NoisyNumbers)
    assert numbers.numbers.sensitivity.l1 == min(rows, 6)


def test_one_person_of_a_join_changes_no_row_of_another() -> None:
    """The rows that are kept of one person are the same whoever else is there."""
    public, tables = two_tables()
    value = Expression('"visits"."v" * 10 + "tests"."v"', Fraction(0), Fraction(99), Fraction(1))
    asked = Question("clinic", ("visits", "tests"), "", (), (Measure("s", Statistic.SUM, value),), "q", 2, 1)
    planned = plan(asked, public, PURE)

    def total(people: str) -> int:
        some = {
            name: table.filter(pa.array([who in people for who in table["who"].to_pylist()]))
            for name, table in tables.items()
        }
        numbers = exact(planned, Prepared.register(public, some, secret=b"s" * 16).cursor()).numbers[0]
        assert numbers is not None
        return int(numbers[0, 0])

    assert total("pqrst") == total("q") + total("rs") == total("qs") + total("r")


def test_public_groups_without_rows_are_told_with_noise() -> None:
    """An empty group looks like any other: 0 and noise."""
    planned = plan(question(MEASURES[:1], (PUBLIC,)), metadata(), Price.pure("0.1"))
    answer = run(planned, CLINIC.fill({}, 2))
    assert [row[0] for row in answer.rows] == ["a", "b", None]
    counts = {tuple(int(row[1] or 0) for row in run(planned, CLINIC.connection).rows) for _ in range(20)}
    # All 20 answers alike would need 60 draws of scale 20 to agree: less than 0.03 ** 57.
    assert len(counts) > 1


def test_an_empty_table_gives_fixed_values_and_bars_that_cover_everything() -> None:
    """With a huge ε noise is 0, rows are 0, and nothing is divided by them."""
    planned = plan(question(MEASURES[4:6]), metadata(), Price.pure(60))
    answer = run(planned, CLINIC.fill({}, 2))
    for row, bars in zip(answer.rows, answer.errors, strict=True):
        assert -3 <= row[0] <= 5  # type: ignore[operator] # numbers
        assert bars[0] is not None
        assert abs(float(row[0] or 0) - 1) + bars[0] >= 4
        assert 0 <= row[1] <= 16  # type: ignore[operator] # numbers
        assert bars[1] == 16


def test_with_little_noise_answers_are_the_true_values() -> None:
    """The estimates are consistent: a large ε gives back mean, variance, sums and quantiles."""
    values = [-3, 0, 1, 1, 5, 5, 5, 2, 2]
    people = {f"p{i}": [{"v": v, "w": 0, "c": "a", "x": None}] for i, v in enumerate(values * 200)}
    half = [Measure("half", Statistic.MEAN, HALVES), Measure("half sum", Statistic.SUM, HALVES)]
    asked = [*MEASURES[:8], *half]
    planned = plan(question(asked), metadata(1), Price.pure(400))
    (row,) = run(planned, CLINIC.fill(people, 1)).rows
    told = dict(zip((measure.name for measure in asked), row, strict=True))
    assert told["n"] == 1800
    assert told["persons"] == 1800
    assert told["sum"] == 200 * sum(values)
    assert told["mean"] == pytest.approx(np.mean(values), abs=0.01)
    assert told["variance"] == pytest.approx(np.var(values), abs=0.05)
    assert told["median"] == 2
    assert told["p90"] == 5
    assert told["half"] == pytest.approx(np.mean(values) / 2, abs=0.01)
    assert told["half sum"] == 100 * sum(values)


def test_dates_are_told_as_dates() -> None:
    """The median of dates is a date."""
    day = Measure("d", Statistic.QUANTILE, V, Fraction(1, 2), date=True)
    people = {f"p{i}": [{"v": 4, "w": 0, "c": "a", "x": None}] for i in range(100)}
    answer = run(plan(question([day]), metadata(1), Price.pure(20)), CLINIC.fill(people, 1))
    assert answer.rows == (("1970-01-05",),)
    assert answer.errors == ((None,),)


def test_small_groups_that_are_not_public_are_not_told_and_large_ones_are() -> None:
    """π(1) = δ per group; at 500 people a group is always told."""
    people: dict[str, list[dict[str, Any]]] = {
        f"p{i}": [{"v": 1, "w": 0, "c": "a", "x": "many"}] for i in range(500)
    }
    people["alone"] = [{"v": 1, "w": 0, "c": "a", "x": "one"}]
    planned = plan(question(MEASURES[:1], (UNKNOWN,), rows=1), metadata(1), WITH_DELTA)
    assert planned.selection is not None
    assert planned.selection.always_told_from < 500
    held = exact(planned, CLINIC.fill(people, 1))
    assert sorted(held.groups) == [("many",), ("one",)]
    # The lonely group is told once in 10^7 answers.
    for _ in range(50):
        assert [row[0] for row in noisy(planned, held).rows] == ["many"]


@pytest.mark.parametrize("price", [Price.pure(1), Price.concentrated("0.05")])
@pytest.mark.parametrize("values", [[5] * 300, [-3, 5] * 150, [1] * 40])
def test_error_bars_of_means_cover_the_truth_in_95_of_100(price: Price, values: list[int]) -> None:
    """4,000 answers. With a coverage of 0.95 fewer than 93.2 % are hit with a probability below 1e-6
    (binomial: 5.2 standard deviations); a bar of half the width is caught in the same run."""
    people = {f"p{i}": [{"v": v, "w": 0, "c": "a", "x": None}] for i, v in enumerate(values)}
    planned = plan(question(MEASURES[4:5]), metadata(1), price)
    held = exact(planned, CLINIC.fill(people, 1))
    answer = repeated(planned, held, 4000, seed=7)
    off = np.abs(np.array(answer.rows, float)[:, 0] - np.mean(values))
    bars = np.array(answer.errors, float)[:, 0]
    assert np.mean(off <= bars) >= 0.932
    if len(values) == 300:
        assert np.mean(off <= bars / 2) < 0.932


@pytest.mark.parametrize("missing", [0, 60])
def test_error_bars_of_means_hold_where_the_number_of_rows_is_public(missing: int) -> None:
    """As above, for one person replaced by another; missing values are left out of the mean."""
    values = [-3, 5, 5] * 80
    people = {
        f"p{i}": [{"v": v, "w": 0, "c": "a", "x": None}] for i, v in enumerate(values + [None] * missing)
    }
    public = replace(metadata(1, 1, Neighbours.SUBSTITUTION), tables={"visits": ROWS_ARE_PEOPLE})
    planned = plan(question(MEASURES[4:5], rows=1), public, PURE)
    answer = repeated(planned, exact(planned, CLINIC.fill(people, 1)), 4000, seed=9)
    told = np.array(answer.rows, float)[:, 0]
    off, bars = np.abs(told - np.mean(values)), np.array(answer.errors, float)[:, 0]
    assert np.mean(off <= bars) >= 0.932
    assert np.mean(off <= bars / 2) < 0.932
    # Not biased: the mean of 4,000 answers lies within 6 standard errors.
    if missing:
        assert abs(told.mean() - np.mean(values)) < 6 * told.std() / np.sqrt(4000)


def test_the_error_of_a_mean_is_what_theory_says_and_below_that_of_an_uncentred_sum() -> None:
    """RMSE of 4,000 answers: its own standard error is 1.8 % (kurtosis below 6), so 10 % is 5.5 of them."""
    people = {f"p{i}": [{"v": i % 9 - 3, "w": 0, "c": "a", "x": None}] for i in range(900)}
    planned = plan(question(MEASURES[4:5]), metadata(1), PURE)
    held = exact(planned, CLINIC.fill(people, 1))
    found = np.array(repeated(planned, held, 4000, seed=3).rows, float)[:, 0]
    rmse = math.sqrt(np.mean((found - 1.0) ** 2))
    theory = 8 * math.sqrt(2) * math.sqrt(0.5) / 900
    assert rmse == pytest.approx(theory, rel=0.1)
    # Half of ε for a sum with bounds [−3, 5], half for the count, at mean 1.
    uncentred = math.sqrt(2) * 2 * math.sqrt(5**2 + 1**2) / 900
    assert rmse < 0.6 * uncentred


def test_error_bars_of_counts_and_variances_cover_the_truth() -> None:
    """4,000 answers each, as above."""
    people = {f"p{i}": [{"v": i % 9 - 3, "w": 0, "c": "a", "x": None}] for i in range(2000)}
    planned = plan(question([MEASURES[0], MEASURES[5]]), metadata(1), PURE)
    held = exact(planned, CLINIC.fill(people, 1))
    answer = repeated(planned, held, 4000, seed=5)
    truth = np.array([2000.0, np.var([i % 9 - 3 for i in range(2000)])])
    off, bars = np.abs(np.array(answer.rows, float) - truth), np.array(answer.errors, float)
    assert (np.mean(off <= bars, axis=0) >= 0.932).all()
    assert (np.mean(off <= bars / 2, axis=0) < 0.932).all()


def test_an_engine_that_breaks_off_is_answered_as_if_there_were_no_rows(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An error that hangs on a person's value must not be seen; the owner's log has its kind alone."""
    trap = Expression(
        "(CASE WHEN \"v\" = 4 THEN error('4') ELSE 1 END)", Fraction(0), Fraction(1), Fraction(1)
    )
    planned = plan(question([Measure("s", Statistic.SUM, trap)], (PUBLIC,)), metadata(1), Price.pure(60))
    caught = {"p": [{"v": 4, "w": 0, "c": "a", "x": None}]}
    with caplog.at_level(logging.ERROR):
        answer = run(planned, CLINIC.fill(caught, 1))
    assert [row[1] for row in answer.rows] == [0, 0, 0]
    assert "InvalidInputException" in caplog.text
    assert "4" not in caplog.text.split("raised")[1]


def test_a_statement_that_the_engine_does_not_accept_is_refused_before_anything_is_charged() -> None:
    """It is tried on tables without rows."""
    prepared = Prepared.register(metadata(), {"visits": empty()}, secret=b"s" * 16)
    unknown = Expression('"nobody"', Fraction(0), Fraction(1), Fraction(1))
    with pytest.raises(BadInput, match="cannot be computed"):
        check(plan(question([Measure("s", Statistic.SUM, unknown)]), metadata(), PURE), prepared.shape)
    check(plan(question(MEASURES, (PUBLIC,)), metadata(), PURE), prepared.shape)


def test_values_outside_the_proved_bounds_are_clamped_all_the_same() -> None:
    """Should a bound ever be proved wrongly, one row still counts with no more than was planned."""
    liar = Expression('"v" * 1000', Fraction(0), Fraction(10), Fraction(1))
    planned = plan(question([Measure("s", Statistic.SUM, liar)]), metadata(1), PURE)
    people = {"p": [{"v": 5, "w": 0, "c": "a", "x": None}], "q": [{"v": -3, "w": 0, "c": "a", "x": None}]}
    numbers = exact(planned, CLINIC.fill(people, 1)).numbers[0]
    assert numbers is not None
    assert numbers.tolist() == [[10]]


def empty() -> pa.Table:
    """Return a table of visits without rows."""
    return pa.table({name: pa.array([], pa.string()) for name in ("who", "v", "w", "c", "x")})


def test_answers_of_a_test_generator_say_so() -> None:
    """What was drawn from a seed must not be published."""
    planned = plan(question(MEASURES[:1]), metadata(), PURE)
    cursor = CLINIC.fill({}, 2)
    assert "not to be published" in run(planned, cursor, SeededRandom(1)).note
    assert run(planned, cursor).note == ""
    assert isinstance(cursor, duckdb.DuckDBPyConnection)
