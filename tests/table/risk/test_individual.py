"""Individual risk against the sum that defines it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.risk.individual import IndividualRisk, individual_risks, weighted_wildcard_frequencies
from tests.oracles import individual_risk as oracle

sizes = st.integers(1, 60)
factors = st.one_of(st.floats(1.0, 40.0), st.sampled_from([1.0, 1.0 + 1e-12, 2.0, 4.0, 3.9999]))
"""how many people of the population a person of the data stands for"""


@given(sizes, factors)
def test_the_exact_risk_is_the_sum_over_all_sizes_that_the_class_may_have(size: int, factor: float) -> None:
    found = individual_risks(np.array([size]), [size * factor])[0]
    assert found == pytest.approx(oracle.expected_inverse(size, 1 / factor), rel=1e-10)


@given(sizes, factors, factors)
def test_the_risk_lies_between_its_bounds_and_falls_as_the_population_grows(
    size: int, factor: float, other: float
) -> None:
    low, high = sorted((factor, other))
    near, far = individual_risks(np.array([size, size]), [size * low, size * high])
    assert 1 / (size * low) * (1 - 1e-12) <= near <= 1 / size * (1 + 1e-12)
    assert far <= near * (1 + 1e-12)


@given(st.integers(3, 100_000), st.floats(1.0, 1e6))
def test_the_usual_approximation_is_close_and_below_three_persons_it_is_exact(
    size: int, factor: float
) -> None:
    pairs = np.array([1, 2, size]), np.array([1.0, 2.0, float(size)]) * factor
    exact, near = individual_risks(*pairs), individual_risks(*pairs, "approximate")
    assert near[:2].tolist() == exact[:2].tolist()
    # From above: the series 1 + q/(f+1) + 2q²/((f+1)(f+2)) + … ends before the geometric one of q/f does.
    assert exact[2] * (1 - 1e-12) <= near[2] <= exact[2] * (1 + 1 / size)


def test_large_classes_have_a_risk_where_closed_formulas_overflow() -> None:
    """The finite sum of Benedetti & Franconi needs p^(1 − f), here 10^(2·175) and far beyond."""
    found = individual_risks(np.array([176, 10_000, 10**9]), [17_600.0, 1e12, 1e9])
    assert np.isfinite(found).all()
    assert found[0] == pytest.approx(oracle.expected_inverse(176, 0.01), rel=1e-10)
    assert found[1] == pytest.approx(1e-8 / (10_000 - 1), rel=1e-6)
    assert found[2] == pytest.approx(1e-9, rel=1e-12)


@given(st.lists(st.tuples(sizes, factors), min_size=1, max_size=12), st.fractions(0, 1, max_denominator=9))
def test_the_summary_counts_every_person_of_a_class(
    classes: list[tuple[int, float]], limit: Fraction
) -> None:
    size = np.array([f for f, _ in classes])
    population = np.array([f * factor for f, factor in classes])
    risk = IndividualRisk.of(size, population, threshold=limit)
    one_by_one = np.repeat(risk.risks, size)
    assert risk.persons == len(one_by_one)
    assert risk.expected == pytest.approx(one_by_one.sum())
    assert risk.average == pytest.approx(one_by_one.mean())
    assert (risk.highest, risk.lowest) == (one_by_one.max(), one_by_one.min())
    assert risk.above == (one_by_one > float(limit)).sum()
    assert risk.share_above == risk.above / risk.persons
    records = IndividualRisk.of_records(np.repeat(size, size), np.repeat(population, size), limit)
    assert records.expected == pytest.approx(risk.expected)
    assert (records.above, records.persons) == (risk.above, risk.persons)


def test_a_class_that_is_complete_and_exactly_at_the_threshold_is_not_above_it() -> None:
    assert IndividualRisk.of([5], [5.0], threshold=0.2).above == 0
    assert IndividualRisk.of([5], [5.0], threshold=0.19).above == 5


def test_people_in_several_classes_are_not_counted_beyond_their_number() -> None:
    risk = IndividualRisk.of([1, 1], [1.0, 1.0], persons=1)
    assert (risk.expected, risk.average, risk.above) == (1.0, 1.0, 1)


def test_it_says_which_threat_it_is_about_and_prints_as_a_sentence() -> None:
    risk = IndividualRisk.of([1], [1.0])
    assert risk.threat is Threat.IDENTITY
    assert (
        str(risk) == "individual risk: 1.0 of 1 expected to be found (100.0 %), highest 100.0 %; "
        "1 person is above 20 % (100.0 %)"
    )
    with pytest.raises(ValueError, match="read-only"):
        risk.risks[0] = 0


values = st.one_of(st.none(), st.integers(0, 2))
records = st.lists(st.tuples(values, values, values), min_size=1, max_size=15)


@given(records, st.data())
def test_missing_values_agree_with_every_value_and_weights_need_not_be_whole(
    rows: list[tuple[int | None, ...]], data: st.DataObject
) -> None:
    weights = data.draw(st.lists(st.floats(1, 500), min_size=len(rows), max_size=len(rows)))
    codes = np.array([[-1 if value is None else value for value in row] for row in rows]).T
    found = weighted_wildcard_frequencies(codes, codes == -1, weights)
    expected = oracle.agreeing(rows, weights)
    assert found[0].tolist() == expected[0]
    assert found[1] == pytest.approx(expected[1], rel=1e-12)
    assert IndividualRisk.of_records(*found).persons == len(rows)


@pytest.mark.parametrize(
    ("size", "population", "message"),
    [
        ([2], [1.5], "1 classes stand for fewer people of the population than they have in the data"),
        ([2, 1], [3.0], "2 classes need as many sums of weights, not 1"),
        ([2], [float("nan")], "1 classes have a weight that is no number"),
        ([], [], "nobody whose risk could be measured"),
        ([0], [1.0], "have no person"),
    ],
)
def test_what_cannot_be_a_sample_is_refused(size: Any, population: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        IndividualRisk.of(size, population)


def test_a_sum_of_weights_that_is_short_by_rounding_is_complete() -> None:
    assert IndividualRisk.of([3], [3 * (1 - 1e-15)]).highest == pytest.approx(1 / 3)


def test_an_unknown_formula_is_refused_with_the_nearest_name() -> None:
    formula: Any = "exakt"
    with pytest.raises(BadInput, match="did you mean 'exact'"):
        IndividualRisk.of([1], [2.0], formula=formula)


@pytest.mark.parametrize("weights", [[1.0], [1.0, 0.0], [1.0, float("inf")]])
def test_weights_that_are_none_are_refused(weights: list[float]) -> None:
    with pytest.raises(BadInput, match="a weight, a number above 0"):
        weighted_wildcard_frequencies(np.zeros((1, 2), int), np.zeros((1, 2), bool), weights)
