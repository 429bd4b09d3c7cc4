"""Class sizes, uniques and prosecutor risk against a person-by-person oracle and the golden cases."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.table.risk import ClassSizes, ProsecutorRisk, Uniques
from tests.oracles import risk as oracle

SHARED = Path(__file__).resolve().parents[2].parent / "shared"

one_class_each = st.lists(st.integers(0, 8), min_size=1, max_size=40).map(
    lambda classes: list(enumerate(classes))
)
several_classes_each = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 6)), min_size=1, max_size=40)
thresholds = st.fractions(0, 1, max_denominator=30)


@given(one_class_each, thresholds)
def test_measures_agree_with_counting_person_by_person(pairs: list[tuple[int, int]], limit: Fraction) -> None:
    chances, sizes = oracle.chances(pairs), oracle.sizes(pairs)
    risk = ProsecutorRisk.of(sizes, threshold=limit)
    assert risk.highest == float(oracle.highest(chances))
    assert risk.lowest == float(min(chances))
    assert risk.average == pytest.approx(float(oracle.average(chances)), abs=1e-15)
    assert risk.share_above == float(oracle.share_above(chances, limit))
    assert risk.above == sum(chance > limit for chance in chances)
    assert risk.share_at_highest == float(Fraction(chances.count(max(chances)), len(chances)))
    assert Uniques.of(sizes).share == float(oracle.share_unique(chances))


@given(several_classes_each, thresholds)
def test_people_in_several_classes_are_never_said_to_be_safer_than_they_are(
    pairs: list[tuple[int, int]], limit: Fraction
) -> None:
    chances, sizes = oracle.chances(pairs), oracle.sizes(pairs)
    risk = ProsecutorRisk.of(sizes, persons=len(chances), threshold=limit)
    assert risk.persons == len(chances)
    assert risk.highest == float(oracle.highest(chances))
    assert 1 >= risk.average >= float(oracle.average(chances)) - 1e-15
    assert 1 >= risk.share_above >= float(oracle.share_above(chances, limit))
    assert 1 >= Uniques.of(sizes, persons=len(chances)).share >= float(oracle.share_unique(chances))


@given(st.integers(1, 2000))
def test_a_class_exactly_at_the_threshold_is_not_above_it(size: int) -> None:
    assert ProsecutorRisk.of([size], threshold=1 / size).above == 0
    assert ProsecutorRisk.of([size], threshold=Fraction(1, size)).above == 0
    assert ProsecutorRisk.of([size], threshold=Fraction(1, size + 1)).above == size


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=30))
def test_the_histogram_puts_every_class_into_the_one_bin_that_holds_its_size(sizes: list[int]) -> None:
    summary = ClassSizes.of(sizes)
    for bin_ in summary.histogram:
        inside = [size for size in sizes if bin_.low <= size <= bin_.high]
        assert (bin_.classes, bin_.persons) == (len(inside), sum(inside))
    assert sum(bin_.classes for bin_ in summary.histogram) == summary.number == len(sizes)
    assert (summary.smallest, summary.largest) == (min(sizes), max(sizes))
    assert summary.mean == sum(sizes) / len(sizes)


def test_the_bins_read_one_two_three_to_four_five_to_nine_and_so_on() -> None:
    labels = [bin_.label for bin_ in ClassSizes.of([1, 1200]).histogram]
    assert labels == [
        *("1", "2", "3–4", "5–9", "10–19", "20–49", "50–99", "100–199", "200–499", "500–999", "1,000–1,999")
    ]


def test_the_nine_row_table_of_the_tutorial_has_a_risk_of_one_half() -> None:
    risk = ProsecutorRisk.of(np.array([2, 2, 3, 2]))
    assert (risk.highest, risk.average, risk.share_above) == (1 / 2, 4 / 9, 1.0)
    assert Uniques.of(np.array([2, 2, 3, 2])).count == 0


def test_a_table_without_people_has_no_risk() -> None:
    assert ClassSizes.of([]).number == 0
    assert Uniques.of([]).share == 0.0
    assert ProsecutorRisk.of([]).highest == 0.0
    assert "0 classes of 0 persons" in str(ClassSizes.of([]))


@pytest.mark.parametrize("sizes", [[0, 3], [-1], [1.5, 2.0], [[1, 2], [3, 4]]])
def test_sizes_that_are_no_counts_of_people_are_refused(sizes: Any) -> None:
    for measure in (ClassSizes.of, Uniques.of, ProsecutorRisk.of):
        with pytest.raises(BadInput):
            measure(sizes)


@pytest.mark.parametrize("persons", [4, 9])
def test_a_number_of_persons_that_cannot_fill_the_classes_is_refused(persons: int) -> None:
    with pytest.raises(BadInput, match="cannot fill these classes; give 5 to 8 persons"):
        ClassSizes.of([5, 3], persons=persons)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_outside_zero_to_one_is_refused(threshold: float) -> None:
    with pytest.raises(BadInput, match="between 0 and 1"):
        ProsecutorRisk.of([1], threshold=threshold)


@pytest.mark.golden
def test_prosecutor_risk_and_uniques_of_the_golden_tables() -> None:
    compared = 0
    for case in json.loads((SHARED / "golden" / "table-risk.json").read_text()):
        pairs = np.array(case["histogram"]["size_count_pairs"], np.int64).reshape(-1, 2)
        sizes = np.repeat(pairs[:, 0], pairs[:, 1])
        summary = ClassSizes.of(sizes)
        assert summary.number == case["histogram"]["num_classes"]
        assert summary.persons == case["histogram"]["num_records"]
        assert summary.mean == pytest.approx(case["histogram"]["avg"], abs=1e-9)
        for measured in case["risk"]:
            unique = Uniques.of(sizes)
            assert unique.count == measured["sample_uniqueness"]["count"]
            assert unique.share == pytest.approx(measured["sample_uniqueness"]["fraction"], abs=1e-9)
            assert ProsecutorRisk.of(sizes).share_at_highest == pytest.approx(
                measured["sample"]["fraction_affected_by_highest"], abs=1e-9
            )
            for threshold, expected in measured["thresholds"].items():
                risk = ProsecutorRisk.of(sizes, threshold=float(threshold))
                wanted = expected["prosecutor"]
                found = (risk.share_above, risk.highest, risk.lowest, risk.average)
                names = ("records_at_risk", "highest", "lowest", "average")
                assert found == pytest.approx(tuple(wanted[name] for name in names), abs=1e-9)
                compared += 1
    assert compared == 14 * 4 * 6
