"""Journalist and marketer risk against a person-by-person oracle and the golden figures."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.table.risk.against import Against
from sfumato.table.risk.illustrations import SAFE_HARBOR
from sfumato.table.risk.journalist import ITS_OWN_POPULATION, JournalistRisk, MarketerRisk
from sfumato.table.risk.prosecutor import ProsecutorRisk
from tests.oracles import against as oracle
from tests.oracles.arx_tables import read_case

people = st.lists(st.integers(0, 6), min_size=1, max_size=30)
thresholds = st.fractions(0, 1, max_denominator=30)


def counted(file: list[int], everybody: list[int]) -> Against:
    ours, theirs = Counter(file), Counter(everybody)
    classes = sorted({*ours, *theirs})
    return Against.of([ours[one] for one in classes], [theirs[one] for one in classes])


@given(people, people, thresholds)
def test_risks_agree_with_counting_person_by_person(
    file: list[int], others: list[int], limit: Fraction
) -> None:
    everybody = [*file, *others]
    risk = JournalistRisk.of(counted(file, everybody), limit)
    highest, average = oracle.journalist(file, everybody)
    chances = oracle.chances(file, everybody)
    assert risk.highest == float(highest)
    assert risk.lowest == float(min(chances))
    assert risk.average == pytest.approx(float(average), abs=1e-15)
    assert risk.above == sum(chance > limit for chance in chances)
    assert risk.persons == len(file)
    assert MarketerRisk.of(counted(file, everybody)).share == pytest.approx(
        float(oracle.marketer(file, everybody)), abs=1e-15
    )


@given(people, people, thresholds)
def test_a_list_that_lacks_people_is_about_those_who_are_on_it(
    file: list[int], others: list[int], limit: Fraction
) -> None:
    chances = oracle.chances(file, others)
    assume(chances)
    risk = JournalistRisk.of(counted(file, others), limit)
    assert (risk.persons, risk.unmatched) == (len(chances), len(file) - len(chances))
    assert risk.highest == float(max(chances))
    assert risk.above == sum(chance > limit for chance in chances)
    assert 0 < MarketerRisk.of(counted(file, others)).share <= 1
    assert bool(risk.said) == (risk.unmatched > 0 or counted(file, others).outnumbered > 0)


@given(people, people, thresholds)
def test_a_journalist_never_succeeds_better_than_a_prosecutor(
    file: list[int], others: list[int], limit: Fraction
) -> None:
    risk = JournalistRisk.of(counted(file, [*file, *others]), limit)
    prosecutor = ProsecutorRisk.of(list(Counter(file).values()), threshold=limit)
    assert risk.highest <= prosecutor.highest
    assert risk.average <= prosecutor.average + 1e-15
    assert risk.above <= prosecutor.above


def test_without_a_list_the_values_are_the_prosecutors_and_it_is_said() -> None:
    risk, prosecutor = JournalistRisk.without_population([1, 2, 5]), ProsecutorRisk.of([1, 2, 5])
    assert (risk.highest, risk.lowest, risk.average, risk.above) == (
        prosecutor.highest,
        prosecutor.lowest,
        prosecutor.average,
        prosecutor.above,
    )
    assert risk.said == (ITS_OWN_POPULATION,)
    assert MarketerRisk.without_population([1, 2, 5]).share == prosecutor.average


def test_a_risk_exactly_at_the_threshold_is_not_above_it() -> None:
    assert JournalistRisk.of(Against.of([1], [5]), 0.2).above == 0
    assert JournalistRisk.of(Against.of([1], [4]), 0.2).above == 1


def test_somebody_in_several_classes_does_not_raise_a_share_above_one() -> None:
    risk = JournalistRisk.of(Against.of([1, 1], [1, 1], persons=1), 0.5)
    assert (risk.persons, risk.above, risk.share_above, risk.average) == (1, 1, 1.0, 1.0)
    assert MarketerRisk.of(Against.of([1, 1], [1, 1], persons=1)).share == 1.0


def test_an_illustration_is_called_one_and_no_verdict() -> None:
    assert SAFE_HARBOR.bound == Fraction(1, 68)
    for risk in (0.0, Fraction(1, 68), 0.2, 1.0):
        assert SAFE_HARBOR.beside(risk).startswith("for illustration only: ")
    assert "not above" in SAFE_HARBOR.beside(Fraction(1, 68))
    assert "68 times" in SAFE_HARBOR.beside(1)


@pytest.mark.golden
def test_the_golden_risks_of_fourteen_tables_without_a_population(shared: Path) -> None:
    compared = 0
    for case in json.loads((shared / "golden" / "table-risk.json").read_text()):
        pairs = np.array(case["histogram"]["size_count_pairs"], np.int64).reshape(-1, 2)
        sizes = np.repeat(pairs[:, 0], pairs[:, 1])
        marketer = MarketerRisk.without_population(sizes)
        for threshold, wanted in case["risk"][0]["thresholds"].items():
            risk = JournalistRisk.without_population(sizes, threshold=float(threshold))
            journalist = wanted["journalist"]
            found = (risk.share_above, risk.highest, risk.lowest, risk.average)
            names = ("records_at_risk", "highest", "lowest", "average")
            assert found == pytest.approx(tuple(journalist[name] for name in names), abs=1e-9)
            assert risk.average == pytest.approx(journalist["success_rate"], abs=1e-9)
            assert marketer.share == pytest.approx(wanted["marketer_success_rate"], abs=1e-9)
            compared += 1
    assert compared == 14 * 6


@pytest.mark.golden
def test_what_can_be_recomputed_of_the_golden_sample(shared: Path) -> None:
    """The sample of 3,016 rows is not among the golden files: what follows from the population is checked.

    The least class of the population behind the generalised sample must be one of the population's own, and
    the success of the journalist is that of the marketer there, the greater of two ways to average.
    """
    for case in json.loads((shared / "golden" / "table-risk-subset.json").read_text()):
        names = case["quasi_identifiers"]
        marketer = case["threshold_0.2"]["marketer"]
        assert case["threshold_0.2"]["journalist"]["average"] == marketer
        if "levels" not in case["data"]:
            continue
        levels = json.loads(case["data"].split("levels ")[1])
        files = tuple((name, f"data/table/adult/hierarchies/adult_hierarchy_{name}.csv.gz") for name in names)
        cells, ladders = read_case(shared, "data/table/adult/adult.csv.gz", files)
        lifted = [
            ladder.rungs[level][codes]
            for ladder, level, codes in zip(ladders, levels, cells.codes, strict=True)
        ]
        _, place = np.unique(np.array(lifted), axis=1, return_inverse=True)
        sizes = np.bincount(place, weights=cells.rows).astype(np.int64)
        behind = round(1 / case["threshold_0.2"]["journalist"]["highest"])
        assert behind in sizes
        # Drawing every class of the population in full gives its own highest risk: the bound from above.
        assert JournalistRisk.of(Against.of(sizes, sizes)).highest >= 1 / behind
