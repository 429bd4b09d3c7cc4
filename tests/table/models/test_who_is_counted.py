"""Persons and rows, missing and blank values, wildcards, and the population."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.verdict import Basis
from tests.oracles.models import publish


def test_a_person_with_several_rows_counts_once_for_each_of_their_values() -> None:
    data = pd.DataFrame({"q": ["a"] * 4, "who": [1, 1, 1, 2], "ill": ["x", "x", "y", "x"]})
    by_rows = publish(data, ["q"], ["ill"])
    by_persons = publish(data, ["q"], ["ill"], person="who")
    assert sf.AlphaKAnonymity(1, 1).check(by_rows).achieved == "k = 4, α = 0.75"
    verdict = sf.AlphaKAnonymity(1, 1).check(by_persons)
    assert verdict.achieved == "k = 2, α = 1"
    assert verdict.basis is Basis.ORIGINAL
    assert verdict.note == "persons counted"


def test_missing_is_a_value_of_its_own() -> None:
    data = publish(pd.DataFrame({"q": ["a", "a"], "ill": ["x", None]}), ["q"], ["ill"])
    assert sf.DistinctLDiversity(2).check(data).holds
    assert sf.EntropyLDiversity(2).check(data).holds


def test_suppressed_records_that_stay_with_blank_values_break_no_promise_about_values() -> None:
    data = pd.DataFrame({"q": ["a", "a", "*", "*"], "ill": ["x", "y", None, None]})
    for model in (sf.DistinctLDiversity(2), sf.EntropyLDiversity(2), sf.TCloseness(0)):
        assert model.check(publish(data, ["q"], ["ill"], blanked=2)).holds
    # They are a class, though, and must be as large as any.
    assert not sf.AlphaKAnonymity(0.5, 3).check(publish(data, ["q"], ["ill"])).holds


def test_numbers_apart_from_missing_ones_have_a_range_and_neighbours() -> None:
    data = publish(pd.DataFrame({"q": ["a"] * 4, "pay": [10.0, 20.0, None, None]}), ["q"], ["pay"])
    assert sf.RangeDiversity(10).check(data).achieved == "range = 10"
    assert sf.EpsilonMAnonymity(5, 2).check(data).holds, (
        "the two without a value are close to each other only"
    )
    assert not sf.EpsilonMAnonymity(5, 3).check(data).holds
    nothing = publish(pd.DataFrame({"q": ["a", "b"], "pay": [None, 1.0]}), ["q"], ["pay"])
    assert sf.RangeDiversity(0).check(nothing).achieved == "no numbers"
    assert not sf.RangeDiversity(0).check(nothing).holds


def test_dates_are_measured_in_days() -> None:
    data = publish(pd.DataFrame({"q": ["a", "a"], "day": ["2024-02-28", "2024-03-01"]}), ["q"], ["day"])
    assert sf.RangeDiversity(2).check(data).achieved == "range = 2"


def test_each_sensitive_column_is_asked_and_named() -> None:
    data = publish(
        pd.DataFrame({"q": ["a", "a", "b"], "ill": ["x", "y", "x"], "pay": [1, 1, 2]}), ["q"], ["ill", "pay"]
    )
    verdict = sf.DistinctLDiversity(2).check(data)
    assert verdict.achieved == "l = 1 (ill), l = 1 (pay)"
    assert verdict.violations == 2
    assert "by its values of 'ill'" in str(verdict)


VALUES = st.sampled_from(["1", "2", "*", None])


@settings(max_examples=60)
@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=8), st.integers(1, 3))
def test_wildcards_agree_with_every_value(rows: list[tuple[Any, ...]], up_to: int) -> None:
    def agree(one: tuple[Any, ...], other: tuple[Any, ...], wild: bool, columns: tuple[int, ...]) -> bool:
        return all(
            one[j] == other[j] or (wild and (one[j] in ("*", None) or other[j] in ("*", None)))
            for j in columns
        )

    data = publish(pd.DataFrame(rows, columns=list("abc"), dtype=object), list("abc"))
    for missing in ("own", "wildcard"):
        for width in (None, up_to):
            expected = min(
                sum(agree(row, other, missing == "wildcard", columns) for other in rows)
                for row in rows
                for columns in combinations(range(3), width or 3)
            )
            assert sf.KAnonymity(1, missing, width).check(data).achieved == f"k = {expected}"  # type: ignore[arg-type]


def test_wildcards_and_choices_of_columns_are_not_for_persons_with_several_rows() -> None:
    data = publish(pd.DataFrame({"q": ["a", "b"], "who": [1, 1]}), ["q"], person="who")
    for model in (sf.KAnonymity(2, "wildcard"), sf.KAnonymity(2, up_to=1)):
        with pytest.raises(sf.BadInput, match="several rows"):
            model.check(data)


def population(model: Any, released: list[Any], everybody: list[Any]) -> sf.Verdict:
    people = publish(pd.DataFrame({"q": everybody}), ["q"])
    found: sf.Verdict = model.check(publish(pd.DataFrame({"q": released}), ["q"], population=people))
    return found


def test_values_of_the_population_are_compared_as_they_are_written() -> None:
    assert population(sf.KMap(2), ["40", "45"], [40, 40, 45, 45]).holds


def test_nobody_of_the_population_matching_a_record_breaks_both_promises() -> None:
    assert population(sf.KMap(1), ["a", "b"], ["a"]).achieved == "k = 0"
    verdict = population(sf.DeltaPresence(0, 1), ["a", "b"], ["a"])
    assert not verdict.holds
    assert verdict.achieved == "records that match nobody of the population"


def test_presence_counts_those_of_whom_nobody_is_there() -> None:
    assert population(sf.DeltaPresence(0, 0.5), ["a"], ["a", "a", "b"]).holds
    verdict = population(sf.DeltaPresence(0.1, 0.5), ["a"], ["a", "a", "b", "b", "b"])
    assert not verdict.holds
    assert verdict.achieved == "shares from 0 to 0.5"
    assert "nobody of a class of 3 in the population is in the release" in str(verdict)


@pytest.mark.parametrize("estimate", ["poisson", "zero-truncated-poisson"])
def test_estimates_never_ask_for_more_than_k_and_for_less_in_small_samples(estimate: Any) -> None:
    small = sf.KMap(10, estimate, population=1_000_000, sample=1000)
    large = sf.KMap(10, estimate, population=1000, sample=1000)
    assert small.derived_k <= 2
    assert large.derived_k == 10
    assert small.basis is Basis.RELEASE
    verdict = small.check(publish(pd.DataFrame({"q": ["a"] * 3}), ["q"]))
    assert verdict.holds
    assert verdict.note.startswith("estimated")


def test_an_estimate_that_does_not_converge_says_so_and_is_no_promise() -> None:
    data = publish(pd.DataFrame({"q": range(20)}), ["q"])
    verdict = sf.PopulationUniqueness(1, 1000, "pitman").check(data)
    assert not verdict.holds
    assert verdict.achieved == "the estimate does not converge"
    assert sf.PopulationUniqueness(1, 1000, "dankar").check(data).note == "estimated: zayatz"
