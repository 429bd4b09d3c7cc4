"""Similarity: values that differ and mean the same."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.core.errors import BadInput
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.homogeneity import Homogeneity
from sfumato.table.attacks.similarity import Similarity
from sfumato.table.published import PublishedTable
from tests.oracles.class_attacks import Row, one_group, one_range, with_and_without
from tests.oracles.models import HIERARCHY, publish
from tests.table.attacks.class_tables import NOTHING, STOMACH, THREE_DIVERSE, published, rows_of_values

SPREAD = THREE_DIVERSE.assign(salary=["20", "50", "80", "30", "60", "90", "40", "70", "100"])
LEAST = st.sampled_from([0.51, 0.6, 0.75, 1.0])
COMMON = st.sampled_from([0.3, 0.5, 0.75, 1])
LOW_OR_HIGH = {0: "low", 1: "low", 2: "low", 4: "high", 7: "high"}


def salaries(data: pd.DataFrame) -> PublishedTable:
    return publish(data, ["zip", "age"], ["salary"])


def test_bob_earns_twenty_to_forty() -> None:
    result = Similarity().run(salaries(THREE_DIVERSE), NOTHING)
    assert result.certain == result.details["values_differ"] == 3
    assert result.success == pytest.approx(3 / 9)
    assert Homogeneity().run(salaries(THREE_DIVERSE), NOTHING).success == 0, "the values differ"


def test_bob_has_a_stomach_disease() -> None:
    target = publish(THREE_DIVERSE, ["zip", "age"], ["disease"], hierarchies={"disease": STOMACH})
    assert Similarity().run(target, NOTHING).certain == 3
    unaware = publish(THREE_DIVERSE, ["zip", "age"], ["disease"])
    assert Similarity().run(unaware, Knowledge(hierarchies={"disease": STOMACH})).certain == 3
    listed = {"stomach": ["Gastric Ulcer", "Gastritis", "Stomach Cancer"]}
    assert Similarity(groups=listed).run(unaware, NOTHING).certain == 3


def test_only_a_distance_that_knows_what_numbers_mean_tells_narrow_classes_from_wide_ones() -> None:
    """Three of nine different salaries are 2/3 away by equal distances, near each other or not."""
    narrow, wide = salaries(THREE_DIVERSE), salaries(SPREAD)
    assert Similarity().run(narrow, NOTHING).success > 0
    assert Similarity().run(wide, NOTHING).success == 0
    for target in (narrow, wide):
        assert sf.TCloseness(1, "equal").measured(target)["salary"] == Fraction(2, 3)
    assert not sf.TCloseness(0.2, "ordered").check(narrow).holds
    assert sf.TCloseness(0.2, "ordered").check(wide).holds


def test_only_a_distance_along_the_hierarchy_tells_kinds_of_diseases_apart() -> None:
    spread = THREE_DIVERSE.assign(
        disease=[
            *("Gastric Ulcer", "Flu", "Bronchitis"),
            *("Gastritis", "Flu", "Pneumonia"),
            *("Stomach Cancer", "Gastritis", "Pneumonia"),
        ]
    )
    similar, mixed = (
        publish(data, ["zip", "age"], ["disease"], hierarchies={"disease": STOMACH})
        for data in (THREE_DIVERSE, spread)
    )
    assert Similarity().run(similar, NOTHING).success > 0
    assert Similarity().run(mixed, NOTHING).success == 0
    equal, along = sf.TCloseness(0.6), sf.TCloseness(0.4, "hierarchical")
    assert equal.check(similar).holds
    assert equal.check(mixed).holds
    assert not along.check(similar).holds
    assert along.check(mixed).holds


@given(rows_of_values, LEAST, COMMON)
def test_groups_are_claimed_as_the_oracle_does_it(rows: list[Row], least: float, common: float) -> None:
    target = published(rows, hierarchies={"ill": HIERARCHY})
    if len({LOW_OR_HIGH[value] for _, value in rows}) == 1:
        with pytest.raises(BadInput, match="nothing to learn"):
            Similarity().run(target, NOTHING)
        return
    result = Similarity(confidence=least, common=common).run(target, NOTHING)
    oracle = one_group(LOW_OR_HIGH, Fraction(str(least)), Fraction(str(common)))
    success, baseline = with_and_without(rows, oracle)
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))
    kinds = [LOW_OR_HIGH[value] for _, value in rows]
    news = [many for many in map(kinds.count, kinds) if many <= common * len(rows)]
    assert result.guessing == pytest.approx(max(news, default=0) / len(rows))


@given(rows_of_values, st.sampled_from([0, 1, 1.5, 2, 5]), LEAST, COMMON)
def test_ranges_are_claimed_as_the_oracle_does_it(
    rows: list[Row], width: float, least: float, common: float
) -> None:
    numbers = [value for _, value in rows]
    attack = Similarity(width=width, confidence=least, common=common)
    if max(numbers) - min(numbers) <= width:
        with pytest.raises(BadInput, match="nothing to learn"):
            attack.run(published(rows), NOTHING)
        return
    result = attack.run(published(rows), NOTHING)
    oracle = one_range(Fraction(str(width)), Fraction(str(least)), Fraction(str(common)))
    success, baseline = with_and_without(rows, oracle)
    assert result.success == pytest.approx(float(success))
    assert result.baseline == pytest.approx(float(baseline))
    ranges = [(low, high) for low in numbers for high in numbers if 0 <= high - low <= width]
    inside = [sum(low <= value <= high for value in numbers) for low, high in ranges]
    news = [many for many in inside if many <= common * len(rows)]
    assert result.guessing == pytest.approx(max(news, default=0) / len(rows))


def test_what_nearly_everybody_shares_is_no_news() -> None:
    rows = [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 1), ("c", 1000)]
    assert Similarity().run(published(rows), NOTHING).success == 0
    assert Similarity(common=1).run(published(rows), NOTHING).certain == 4


@given(rows_of_values, st.sampled_from([1, 2, 5]), LEAST)
def test_it_ends_with_range_diversity_and_with_epsilon_m_anonymity(
    rows: list[Row], width: int, least: float
) -> None:
    target = published(rows)
    numbers = [value for _, value in rows]
    if max(numbers) - min(numbers) <= width:
        return
    success = Similarity(width=width, confidence=least, common=1).run(target, NOTHING).success
    if sf.EpsilonMAnonymity(width, 2).check(target).holds:
        assert success == 0
    if least == 1 and sf.RangeDiversity(width + 0.001).check(target).holds:
        assert success == 0


@given(rows_of_values, LEAST)
def test_a_class_of_one_group_is_as_far_along_the_hierarchy_as_stated(rows: list[Row], least: float) -> None:
    kinds = [LOW_OR_HIGH[value] for _, value in rows]
    if len(set(kinds)) == 1:
        return
    target = published(rows, hierarchies={"ill": HIERARCHY})
    height, level = 2, 1
    nearest = min(
        (Fraction(str(least)) - Fraction(kinds.count(kind), len(rows))) * Fraction(level + 1, height)
        for kind in set(kinds)
    )
    if sf.TCloseness(1, "hierarchical").measured(target)["ill"] < nearest:
        assert Similarity(confidence=least, common=1).run(target, NOTHING).success == 0


def test_one_who_is_different_does_not_hide_the_others_from_an_adversary_who_is_nearly_sure() -> None:
    rows = [("a", 10 + i) for i in range(9)] + [("a", 1000)] + [("b", 100 * i) for i in range(10)]
    assert Similarity(width=10).run(published(rows), NOTHING).success == 0
    result = Similarity(width=10, confidence=0.9).run(published(rows), NOTHING)
    assert result.success == pytest.approx(9 / 20)
    assert result.certain == 0
    assert result.highest == 0.9


def test_missing_values_are_alike_to_missing_values_alone() -> None:
    rows = [("a", None), ("a", None), ("b", 1), ("b", None), ("c", 1), ("c", 9)]
    assert Similarity(width=2).run(published(rows), NOTHING).certain == 2


def test_dates_are_near_by_days() -> None:
    rows = [("a", "2024-01-01"), ("a", "2024-01-05"), ("b", "2024-01-01"), ("b", "2024-12-31")]
    assert Similarity(width=4, common=1).run(published(rows), NOTHING).certain == 2
    assert Similarity(width=3, common=1).run(published(rows), NOTHING).certain == 0


@pytest.mark.parametrize(
    ("bad", "match"),
    [
        ({"range": 1.0}, "below 1"),
        ({"range": 0.1, "width": 3}, "one of them"),
        ({"width": -1}, "at least 0"),
        ({"confidence": 0.5}, "above 0.5"),
        ({"common": 0}, "above 0"),
        ({"level": 0}, "level"),
        ({"groups": {"x": "abc"}}, "list of texts"),
    ],
)
def test_parameters_that_say_nothing_are_refused(bad: dict[str, Any], match: str) -> None:
    with pytest.raises(BadInput, match=match):
        Similarity(**bad)


@pytest.mark.parametrize(
    ("attack", "match"),
    [
        (Similarity(), "nothing says which of its values are alike"),
        (Similarity(groups={"a": ["x"]}), "no value of the column is in any"),
        (Similarity(groups={"a": ["Flu"], "b": ["Flu"]}), "in two groups"),
    ],
)
def test_diseases_without_a_meaning_are_refused(attack: Similarity, match: str) -> None:
    with pytest.raises(BadInput, match=match):
        attack.run(publish(THREE_DIVERSE, ["zip", "age"], ["disease"]), NOTHING)


def test_the_top_of_a_hierarchy_says_nothing() -> None:
    target = publish(THREE_DIVERSE, ["zip", "age"], ["disease"], hierarchies={"disease": STOMACH})
    with pytest.raises(BadInput, match="top is level 2"):
        Similarity(level=2).run(target, NOTHING)
