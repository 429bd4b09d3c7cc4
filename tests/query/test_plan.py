"""Plans: how much one person can change the exact numbers, and that prices add up to what was asked."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dp.conversions import rho_to_epsilon
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.metadata import Table
from sfumato.query.plan import NoisePlan, NoisyChoice, NoisyNumbers, plan, quote
from sfumato.query.quantiles import score_sensitivity
from sfumato.query.question import Expression, Key, Measure, Statistic
from sfumato.query.run import Exact, KeyValue, exact
from tests.oracles.query_answers import (
    COLUMNS,
    MEASURES,
    PUBLIC,
    UNKNOWN,
    WIDE,
    Clinic,
    People,
    V,
    metadata,
    neighbours_of,
    question,
)

CLINIC = Clinic.open()
PURE = Price.pure(1)
NARROW = MEASURES[:-1]
ROWS_ARE_PEOPLE = Table("visits", COLUMNS, None, 1, 1000)
WITH_DELTA = Price.approximate(1, "1e-7")

visits = st.fixed_dictionaries(
    {
        "v": st.sampled_from([None, -3, -3, 0, 1, 5, 5]),
        "w": st.sampled_from([None, 0, 0, 2**20 - 1, 2**49 + 1, WIDE, WIDE]),
        "c": st.sampled_from([None, "a", "b"]),
        "x": st.sampled_from([None, "q", "r"]),
    }
)
rows_of_a_person = st.lists(visits, min_size=0, max_size=4)
data_sets = st.dictionaries(st.sampled_from("pqrs"), rows_of_a_person, min_size=1, max_size=4)
notions = st.sampled_from(list(Neighbours))


def held(planned: NoisePlan, people: People, rows: int) -> Exact:
    """Return what the database computes before noise."""
    return exact(planned, CLINIC.fill(people, rows))


def changes(planned: NoisePlan, one: Exact, other: Exact) -> list[tuple[Fraction, Fraction]]:
    """Return the change of each measure, as L1 and squared L2 (quantiles: the sum over groups, twice)."""
    groups = sorted({*one.groups, *other.groups}, key=repr)
    found = []
    for i, measure in enumerate(planned.measures):
        if isinstance(measure, NoisyNumbers):
            left, right = (_numbers(data, i, groups) for data in (one, other))
            steps = [abs(a - b) for a, b in zip(left, right, strict=True)]
            found.append((Fraction(sum(steps)), Fraction(sum(step * step for step in steps))))
        else:
            total = Fraction(sum(_worst(measure, i, one, other, group) for group in groups))
            found.append((total, total**2))
    return found


def _numbers(data: Exact, measure: int, groups: Sequence[tuple[KeyValue, ...]]) -> list[int]:
    numbers = data.numbers[measure]
    assert numbers is not None
    place = {group: i for i, group in enumerate(data.groups)}
    empty = [0] * numbers.shape[0]
    return [n for group in groups for n in (numbers[:, place[group]].tolist() if group in place else empty)]


def _worst(measure: NoisyChoice, i: int, one: Exact, other: Exact, group: tuple[KeyValue, ...]) -> int:
    assert measure.measure.quantile is not None
    scores = []
    for data in (one, other):
        histogram = np.zeros(measure.candidates.positions, np.int64)
        if group in data.groups:
            histogram = data.histogram(i, data.groups.index(group), measure.candidates.positions)
        scores.append(measure.candidates.scores(histogram, measure.measure.quantile))
    return int(np.abs(scores[0] - scores[1]).max())


@settings(max_examples=30, deadline=None)
@given(
    data_sets,
    rows_of_a_person,
    notions,
    st.sampled_from([(), (PUBLIC,), (UNKNOWN,), (PUBLIC, UNKNOWN)]),
    st.integers(1, 3),
    st.integers(1, 2),
    st.sampled_from(["", '"v" > 0', "\"c\" = 'a'"]),
)
def test_no_person_changes_the_exact_numbers_by_more_than_planned(
    people: People,
    stranger: list[dict[str, object]],
    notion: Neighbours,
    keys: tuple[Key, ...],
    rows: int,
    groups: int,
    where: str,
) -> None:
    """Every neighbour of every data set, both notions of neighbours, all statistics, before noise."""
    public = metadata(rows, groups, notion)
    price = WITH_DELTA if UNKNOWN in keys else PURE
    planned = plan(question(NARROW, keys, where, rows, groups), public, price)
    _check_all_neighbours(planned, people, stranger, notion, rows)


@settings(max_examples=5, deadline=None)
@given(data_sets, rows_of_a_person, notions)
def test_no_person_changes_the_scores_of_coarse_candidates_by_more_than_planned(
    people: People, stranger: list[dict[str, object]], notion: Neighbours
) -> None:
    """With more grid points than candidates, values lie between candidates too."""
    planned = plan(question(MEASURES[-1:], (PUBLIC,), rows=3), metadata(3, 1, notion), PURE)
    (median,) = planned.measures
    assert isinstance(median, NoisyChoice)
    assert median.candidates.step > 1
    _check_all_neighbours(planned, people, stranger, notion, 3)


def _check_all_neighbours(
    planned: NoisePlan, people: People, stranger: list[dict[str, object]], notion: Neighbours, rows: int
) -> None:
    here = held(planned, people, rows)
    for neighbour in neighbours_of(people, stranger, notion):
        there = held(planned, neighbour, rows)
        for measure, (l1, l2) in zip(planned.measures, changes(planned, here, there), strict=True):
            if isinstance(measure, NoisyNumbers):
                assert l1 <= measure.numbers.sensitivity.l1, measure.measure.name
                assert l2 <= measure.numbers.sensitivity.l2_squared, measure.measure.name
            else:
                assert l1 <= score_sensitivity(measure.measure, planned.reach), measure.measure.name
                assert measure.choice.sensitivity == score_sensitivity(measure.measure, planned.reach)
        if planned.selection is not None:
            _check_selection(planned, here, there)


def _check_selection(planned: NoisePlan, one: Exact, other: Exact) -> None:
    """One person moves the people of a group by one at most, and of no more groups than planned."""
    assert one.persons is not None
    assert other.persons is not None
    left = dict(zip(one.groups, one.persons.tolist(), strict=True))
    right = dict(zip(other.groups, other.persons.tolist(), strict=True))
    steps = [abs(left.get(g, 0) - right.get(g, 0)) for g in {*left, *right}]
    most = planned.reach.groups * (2 if planned.reach.neighbours is Neighbours.SUBSTITUTION else 1)
    assert max(steps, default=0) <= 1
    assert sum(steps) <= most
    assert planned.selection is not None
    assert planned.selection.per_group[1] * most <= Fraction(WITH_DELTA.delta)


def visit(v: int | None, c: str | None = "a") -> dict[str, object]:
    """Return one row."""
    return {"v": v, "w": 0, "c": c, "x": None}


@pytest.mark.parametrize("notion", Neighbours)
@pytest.mark.parametrize("keys", [(), (PUBLIC,)])
@pytest.mark.parametrize("rows", [1, 3])
def test_the_planned_sensitivity_is_reached_so_no_noise_is_wasted(
    notion: Neighbours, keys: tuple[Key, ...], rows: int
) -> None:
    """Some neighbours differ by exactly Δ₁: a sensitivity that is too small or too large would be caught."""
    public = metadata(rows, 1, notion)
    measures = [m for m in MEASURES if not m.name.startswith("wide")]
    planned = plan(question(measures, keys, "", rows), public, PURE)
    extremes = [
        [visit(v, c)] * n for v, c, n in ((-3, "a", rows), (5, "a", rows), (5, "b", rows), (5, "b", 0))
    ]
    reached = dict.fromkeys(range(len(measures)), Fraction(0))
    # People beside, so that a quantile's score lies on the steep side.
    for crowd in ([], *([[visit(v)] * rows] * 4 for v in (-3, 5))):
        beside = {f"z{i}": held_rows for i, held_rows in enumerate(crowd)}
        with_one = [held(planned, {"p": one, **beside}, rows) for one in extremes]
        others = with_one if notion is Neighbours.SUBSTITUTION else [held(planned, beside, rows)]
        for here, there in itertools.product(with_one, others):
            for i, (l1, _) in enumerate(changes(planned, here, there)):
                reached[i] = max(reached[i], l1)
    for i, measure in enumerate(planned.measures):
        wanted = (
            measure.numbers.sensitivity.l1
            if isinstance(measure, NoisyNumbers)
            else score_sensitivity(measure.measure, planned.reach)
        )
        assert reached[i] == wanted, measure.measure.name


@given(st.integers(1, 6), st.fractions(Fraction(1, 1000), 5, max_denominator=1000), st.booleans())
@settings(deadline=None, max_examples=50)
def test_shares_of_a_pure_price_add_up_to_it(measures: int, epsilon: Fraction, unknown: bool) -> None:
    """Three measures at ε cost ε, not three times ε."""
    epsilon = Fraction(round(epsilon * 10**6), 10**6)
    asked = Price.approximate(epsilon, "1e-7") if unknown else Price.pure(epsilon)
    keys = (UNKNOWN,) if unknown else ()
    planned = plan(question(MEASURES[:measures], keys), metadata(), asked)
    spent = sum(
        (m.epsilon or Fraction(0) for m in planned.measures), planned.selection_epsilon or Fraction(0)
    )
    assert spent == epsilon
    assert planned.price.epsilon == asked.epsilon
    assert planned.price.delta == asked.delta
    for measure in planned.measures:
        if isinstance(measure, NoisyNumbers):
            assert isinstance(measure.noise, DiscreteLaplace)
            assert measure.numbers.sensitivity.l1 / measure.noise.scale == measure.epsilon


def test_shares_of_rho_add_up_to_it() -> None:
    """The ρ of all mechanisms together is what was asked, and never more."""
    planned = plan(question(MEASURES), metadata(rows=3), Price.concentrated("0.1"))
    spent = Fraction(0)
    for measure in planned.measures:
        if isinstance(measure, NoisyChoice):
            spent += Fraction(measure.choice.epsilon) ** 2 / 8
        else:
            assert isinstance(measure.noise, DiscreteGaussian)
            spent += measure.numbers.sensitivity.l2_squared / (2 * measure.noise.scale**2)
    assert Fraction(99999, 1_000_000) < spent <= Fraction(1, 10)


def test_many_rows_of_a_person_are_cheaper_with_gaussian_noise_when_delta_allows_it() -> None:
    """Many measures share ρ by the root: with δ the plan takes the noise with less error."""
    many = [Measure(f"n{i}", Statistic.COUNT) for i in range(20)]
    with_delta = plan(question(many), metadata(), Price.approximate(1, "1e-6"))
    assert all(
        isinstance(m, NoisyNumbers) and isinstance(m.noise, DiscreteGaussian) for m in with_delta.measures
    )
    assert with_delta.price.rho is not None
    assert rho_to_epsilon(with_delta.price.rho, "1e-6") <= 1
    one = plan(question(many[:1]), metadata(), Price.approximate(1, "1e-6"))
    assert isinstance(one.measures[0], NoisyNumbers)
    assert isinstance(one.measures[0].noise, DiscreteLaplace)
    assert one.price.rho == Decimal("0.5")


def test_the_mean_of_a_wide_column_is_coarsened_and_its_sensitivity_covers_the_rounding() -> None:
    """Sums beyond 64 bits are divided by a public number; Δ is then never less than what rounding leaves."""
    planned = plan(question([MEASURES[10]], (PUBLIC,), rows=3), metadata(3, max_rows=10**9), PURE)
    (wide,) = planned.measures
    assert isinstance(wide, NoisyNumbers)
    assert wide.numbers.divisor > 1
    assert wide.numbers.largest < 2**61
    assert wide.numbers.sensitivity.l1 * wide.numbers.divisor >= 3 * (2**30) ** 2


def test_unknown_groups_are_refused_without_delta_and_too_large_a_delta_is_refused() -> None:
    """Both from metadata alone."""
    with pytest.raises(BadInput, match="needs a delta"):
        plan(question(MEASURES[:1], (UNKNOWN,)), metadata(), PURE)
    with pytest.raises(BadInput, match="delta is larger"):
        plan(question(MEASURES[:1]), metadata(), Price.approximate(1, "1e-3"))
    many = Key("k", "1", tuple(range(2000)))
    with pytest.raises(BadInput, match="groups"):
        plan(question(MEASURES[:1], (many, many)), metadata(), PURE)


def test_quotes_name_error_and_note_for_every_statistic() -> None:
    """Counts and sums have an error before they are asked; means say what theirs depends on."""
    told = quote(question(MEASURES[:8], (PUBLIC,), rows=2), metadata(2), Price.pure(8))
    errors = {measure.name: measure.error for measure in told.measures}
    assert errors["n"] == DiscreteLaplace(Fraction(2)).within(0.95)
    assert errors["sum"] == DiscreteLaplace(Fraction(10)).within(0.95)
    assert errors["mean"] is None
    assert errors["median"] is None
    assert all(m.note for m in told.measures if m.error is None)
    assert told.cells == 3
    assert "2 rows of one person" in told.note


def test_a_statistic_that_can_only_be_one_value_is_a_constant() -> None:
    """Bounds that leave no choice need no noise and divide by nothing."""
    only = Expression('"v"', Fraction(4), Fraction(4), Fraction(1))
    planned = plan(question([Measure("m", Statistic.MEAN, only)]), metadata(), PURE)
    assert isinstance(planned.measures[0], NoisyNumbers)
    assert planned.measures[0].noise is None
    assert quote(planned.question, metadata(), PURE).measures[0].error == 0.0


def test_a_quantile_with_endless_decimals_is_refused() -> None:
    """Scores must fit 64 bits whatever the data."""
    odd = Measure("q", Statistic.QUANTILE, V, Fraction(123456789012345679, 10**18))
    with pytest.raises(BadInput, match="decimal places"):
        plan(question([odd]), metadata(), PURE)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from([None, -3, -3, 0, 1, 5, 5]), min_size=1, max_size=5), st.integers(-4, 5))
def test_no_row_that_is_replaced_changes_a_mean_by_more_than_planned(
    values: list[int | None], stranger: int
) -> None:
    """Where rows are people and their number is public, the number of rows is shared by all neighbours."""
    public = replace(metadata(1, 1, Neighbours.SUBSTITUTION), tables={"visits": ROWS_ARE_PEOPLE})
    planned = plan(question([MEASURES[4]], rows=1), public, PURE)
    (mean,) = planned.measures
    assert isinstance(mean, NoisyNumbers)
    assert mean.numbers.shared == ("COUNT(*)",)

    def numbers(held_values: list[int | None]) -> list[int]:
        people = {f"p{i}": [visit(v)] for i, v in enumerate(held_values)}
        found = held(planned, people, 1).numbers[0]
        assert found is not None
        return [int(n) for n in found[:, 0]]

    here = numbers(values)
    assert here[2] == len(values)
    for i in range(len(values)):
        other: list[int | None] = [*values]
        other[i] = None if stranger == -4 else stranger
        there = numbers(other)
        steps = [abs(a - b) for a, b in zip(here, there, strict=True)]
        assert steps[2] == 0
        assert sum(steps) <= mean.numbers.sensitivity.l1
        assert sum(step**2 for step in steps) <= mean.numbers.sensitivity.l2_squared
    # Reached: from one end to the other, and from an end to missing.
    ends = [numbers([*values, v]) for v in (-3, 5, None)]
    for one, other_end in itertools.combinations(ends, 2):
        change = sum(abs(a - b) for a, b in zip(one, other_end, strict=True))
        assert change == mean.numbers.sensitivity.l1


@pytest.mark.parametrize("broken", ["where", "keys", "person", "add-remove"])
def test_the_number_of_rows_is_noisy_unless_all_neighbours_share_it(broken: str) -> None:
    """A WHERE, a GROUP BY, people with several rows, or a person more or less: then it is not public."""
    notion = Neighbours.ADD_REMOVE if broken == "add-remove" else Neighbours.SUBSTITUTION
    public = metadata(1, 1, notion)
    if broken != "person":
        public = replace(public, tables={"visits": ROWS_ARE_PEOPLE})
    keys = (PUBLIC,) if broken == "keys" else ()
    asked = question([MEASURES[4]], keys, '"v" > 0' if broken == "where" else "", rows=1)
    (mean,) = plan(asked, public, PURE).measures
    assert isinstance(mean, NoisyNumbers)
    assert mean.numbers.shared == ()
