from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.sites import numbered
from sfumato.dna.source import InMemory
from sfumato.dna.statistics import (
    allelic,
    carriers,
    frequency,
    genotypic,
    hardy_weinberg,
    hardy_weinberg_exact,
    log10_p_value,
    missing,
    odds_ratio,
    outcome_of,
    p_value,
    trend,
)
from tests.oracles import dna_statistics as oracle

GENOTYPES = st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=1, max_size=25)


def counts(genotypes: list[int]) -> np.ndarray:
    source = InMemory(np.array([genotypes], np.int8), numbered(1))
    return np.asarray(source.counts([np.ones(len(genotypes), np.bool_)])[0])


@given(GENOTYPES)
def test_frequencies_leave_missing_genotypes_out(genotypes: list[int]) -> None:
    found, expected = frequency(counts(genotypes))[0], oracle.frequency(genotypes)
    assert math.isnan(found) if expected is None else found == float(expected)
    assert missing(counts(genotypes))[0] == genotypes.count(-1) / len(genotypes)


@given(GENOTYPES)
def test_carriers_have_at_least_one_rarer_allele(genotypes: list[int]) -> None:
    alternate, reference = oracle.alleles(genotypes)
    rare = (1, 2) if alternate <= reference else (0, 1)
    assert carriers(counts(genotypes))[0] == sum(g in rare for g in genotypes)


@settings(max_examples=200)
@given(GENOTYPES, GENOTYPES)
def test_every_test_agrees_with_its_definition(cases: list[int], controls: list[int]) -> None:
    a, b = counts(cases), counts(controls)
    for found, (chi2, degrees) in (
        (allelic(a, b), oracle.pearson([oracle.alleles(cases), oracle.alleles(controls)])),
        (genotypic(a, b), oracle.pearson([oracle.numbers(cases), oracle.numbers(controls)])),
    ):
        assert found.chi2[0] == pytest.approx(float(chi2), rel=1e-13)
        assert found.degrees[0] == degrees
    assert trend(a, b).chi2[0] == pytest.approx(float(oracle.trend(cases, controls)), rel=1e-13)


@settings(max_examples=50)
@given(GENOTYPES, GENOTYPES)
def test_p_values_are_those_of_scipy(cases: list[int], controls: list[int]) -> None:
    stats = pytest.importorskip("scipy.stats")
    for test in ("allelic", "genotypic", "trend"):
        found = outcome_of(counts(cases), counts(controls), test)
        if found.degrees[0]:
            expected = stats.chi2.sf(found.chi2[0], found.degrees[0])
            assert found.p[0] == pytest.approx(expected, abs=1e-12)
            assert found.log10_p[0] == pytest.approx(math.log10(expected), abs=1e-12)
        else:
            assert (found.chi2[0], found.p[0], found.log10_p[0]) == (0.0, 1.0, 0.0)


def test_a_table_of_two_by_two_is_tested_as_scipy_does() -> None:
    stats = pytest.importorskip("scipy.stats")
    cases, controls = np.array([[50, 30, 20, 3]]), np.array([[70, 25, 5, 1]])
    expected = stats.chi2_contingency([[70, 130], [35, 165]], correction=False)
    assert allelic(cases, controls).chi2[0] == pytest.approx(expected.statistic, rel=1e-12)
    assert allelic(cases, controls).p[0] == pytest.approx(expected.pvalue, rel=1e-12)


@given(st.floats(0, 1e5), st.sampled_from([1, 2]))
def test_the_logarithm_of_p_does_not_underflow(chi2: float, degrees: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    found = log10_p_value(np.array([chi2]), degrees)[0]
    if degrees == 2:
        assert found == pytest.approx(-chi2 / 2 / math.log(10), rel=1e-14)
    else:
        # χ²₁ is the square of a normal variable, whose tail has two sides.
        expected = (stats.norm.logsf(math.sqrt(chi2)) + math.log(2)) / math.log(10)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_p_and_its_logarithm_join_where_the_series_begins() -> None:
    around = 2 * np.array([24.999999, 25.0, 25.000001]) ** 2
    logs = log10_p_value(around)
    assert np.all(np.diff(logs) < 0)
    assert logs == pytest.approx(np.log10(p_value(around)), rel=1e-13)


def test_sites_that_tell_nothing_have_chi2_zero_and_p_one() -> None:
    monomorphic, nobody, some = np.array([[9, 0, 0, 1]]), np.array([[0, 0, 0, 10]]), np.array([[3, 4, 2, 1]])
    for cases, controls in ((monomorphic, monomorphic), (nobody, some), (some, nobody), (nobody, nobody)):
        for test in ("allelic", "genotypic", "trend"):
            found = outcome_of(cases, controls, test)
            assert (found.chi2[0], found.p[0]) == (0.0, 1.0)


def test_large_studies_do_not_overflow() -> None:
    cases, controls = np.array([[10**8, 10**8, 10**8, 0]]), np.array([[2 * 10**8, 10**8, 10**7, 0]])
    for test in ("allelic", "trend", "genotypic"):
        found = outcome_of(cases, controls, test).chi2[0]
        smaller = outcome_of(cases // 10**5, controls // 10**5, test).chi2[0]
        assert found == pytest.approx(smaller * 1e5, rel=1e-9)


def test_an_unknown_test_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(BadInput, match="did you mean 'allelic'"):
        outcome_of(np.zeros((1, 4), np.int64), np.zeros((1, 4), np.int64), "alelic")


def test_odds_ratios_with_an_empty_cell_add_half_an_allele() -> None:
    cases, controls = np.array([[2, 2, 1, 0], [5, 0, 0, 0]]), np.array([[3, 1, 0, 0], [4, 1, 0, 0]])
    assert odds_ratio(cases, controls) == pytest.approx([(4 * 7) / (6 * 1), (0.5 * 9.5) / (10.5 * 1.5)])


@settings(max_examples=200)
@given(st.integers(0, 15), st.integers(0, 15), st.integers(0, 15))
def test_exact_proportions_agree_with_counting_all_arrangements(none: int, one: int, two: int) -> None:
    found = hardy_weinberg_exact(np.array([[none, one, two, 3]]))[0]
    assert found == pytest.approx(float(oracle.hardy_weinberg_exact(none, one, two)), rel=1e-9)


def test_exact_proportions_of_many_people_do_not_underflow() -> None:
    found = hardy_weinberg_exact(np.array([[2500, 5000, 2500, 0], [5000, 0, 5000, 0]]))
    assert found[0] == pytest.approx(1.0)
    assert 0 <= found[1] < 1e-200


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_chi2_of_proportions_is_people_times_inbreeding_squared(none: int, one: int, two: int) -> None:
    found = hardy_weinberg(np.array([[none, one, two, 0]])).chi2[0]
    people = none + one + two
    share = (one + 2 * two) / (2 * people) if people else 0.0
    if not 0 < share < 1:
        assert found == 0
    else:
        inbreeding = 1 - (one / people) / (2 * share * (1 - share))
        assert found == pytest.approx(people * inbreeding**2, abs=1e-9)
