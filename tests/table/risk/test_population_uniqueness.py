"""Estimates of population uniqueness against definitions and populations that were really sampled."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Threat
from sfumato.table.risk.gamma import digamma, trigamma
from sfumato.table.risk.pitman import Likelihood, Pitman
from sfumato.table.risk.population_uniqueness import PopulationUniqueness
from sfumato.table.risk.slide_negative_binomial import fitted, number_of_classes, solved
from tests.oracles import population as oracle

samples = st.lists(st.one_of(st.just(1), st.integers(1, 9)), min_size=2, max_size=40)


@given(samples, st.integers(1, 500))
def test_zayatz_is_the_hypergeometric_chance_in_whole_numbers(sizes: list[int], more: int) -> None:
    assume(1 in sizes)
    population = sum(sizes) + more
    found = PopulationUniqueness.of(sizes, population, "zayatz").share
    assert found == pytest.approx(float(oracle.zayatz(sizes, population)), rel=1e-10)


@given(samples, st.floats(0.1, 50), st.floats(0.01, 0.99))
def test_the_likelihood_of_pitman_is_that_of_seating_one_after_the_other(
    sizes: list[int], theta: float, alpha: float
) -> None:
    likelihood = Likelihood.of(np.array(sizes))
    expected = oracle.pitman_log_likelihood(sizes, theta, alpha)
    assert likelihood.value(theta, alpha) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    slope, bend = likelihood.derivatives(theta, alpha)
    step = 1e-5
    sides = [likelihood.value(theta + s, alpha) for s in (step, -step)]
    assert slope[0] == pytest.approx((sides[0] - sides[1]) / (2 * step), rel=1e-3, abs=1e-4)
    shifted = [likelihood.derivatives(theta, alpha + s)[0] for s in (step * alpha, -step * alpha)]
    numeric = (shifted[0] - shifted[1]) / (2 * step * alpha)
    assume(alpha < 0.98)
    assert bend[:, 1] == pytest.approx(numeric, rel=1e-3, abs=1e-3)


@given(samples)
@settings(max_examples=60)
def test_no_parameters_nearby_make_the_sample_more_likely(sizes: list[int]) -> None:
    found = Pitman.of(np.array(sizes))
    assume(found is not None)
    assert found is not None
    best = oracle.pitman_log_likelihood(sizes, found.theta, found.alpha)
    for factor, shift in [(1.01, 0.0), (0.99, 0.0), (1.0, 0.005), (1.0, -0.005), (1.02, -0.01), (0.98, 0.01)]:
        theta, alpha = found.theta * factor, found.alpha + shift
        if alpha >= 1 or theta <= max(-alpha, -alpha * (len(sizes) - 1)):
            continue
        assert oracle.pitman_log_likelihood(sizes, theta, alpha) <= best + 1e-6


@given(st.floats(0.5, 400), st.floats(-0.4, 0.95), st.integers(2, 300))
def test_the_expected_uniques_of_pitman_are_those_of_seating_everybody(
    theta: float, alpha: float, people: int
) -> None:
    found = Pitman(theta, alpha).share_expected(people)
    assert found == pytest.approx(oracle.pitman_expected_share(theta, alpha, people), rel=1e-8)


def test_the_usual_formula_of_pitman_nears_the_expectation_as_the_population_grows() -> None:
    model = Pitman(50.0, 0.4)
    off = [model.share_for_large(n) / model.share_expected(n) - 1 for n in (1_000, 100_000, 10_000_000)]
    assert off[0] > 10 * off[1] > 100 * abs(off[2])


@given(st.floats(1e-3, 1e9))
def test_digamma_and_trigamma_obey_their_recurrences(x: float) -> None:
    at, after = np.array([x]), np.array([x + 1])
    assert digamma(after)[0] == pytest.approx(digamma(at)[0] + 1 / x, rel=1e-12, abs=1e-12)
    assert trigamma(at)[0] == pytest.approx(trigamma(after)[0] + 1 / x**2, rel=1e-9)
    # ln Γ is convex, so its slope at x lies between the steps before and after.
    assert digamma(at)[0] <= math.log(x) <= digamma(after)[0] + 1e-12


@given(samples, st.floats(0.05, 0.9))
@settings(max_examples=60)
def test_the_slide_negative_binomial_expects_the_uniques_and_pairs_that_the_sample_has(
    sizes: list[int], fraction: float
) -> None:
    assume(1 in sizes)
    counts = np.array(sizes)
    population = math.ceil(sum(sizes) / fraction)
    found, said = fitted(counts, population)
    if found is None:
        assert said
        return
    assume(found.beta > 0.02)
    one, two = oracle.slide_negative_binomial(found.alpha, found.beta, sum(sizes) / population, 3000)
    assert found.classes * one == pytest.approx(sizes.count(1), rel=1e-6)
    assert found.classes * two == pytest.approx(sizes.count(2), rel=1e-6)


@given(samples, st.floats(0.02, 0.98))
def test_the_number_of_classes_is_the_published_estimator(sizes: list[int], q: float) -> None:
    both = sum(i * q**2 * (1 - q**2) ** (i - 1) for i in sizes)
    seen = sum((1 - q) ** i * ((1 + q) ** i - 1) for i in sizes)
    missed = sum((1 - q) ** i for i in sizes)
    once = sum(i * q * (1 - q) ** (i - 1) for i in sizes)
    expected = len(sizes) + sizes.count(1) * both / seen * (missed / once) ** 2
    assert number_of_classes(np.array(sizes), q) == pytest.approx(expected, rel=1e-9)


def sampled(population: NDArray[np.int64], fraction: float, seed: int) -> NDArray[np.int64]:
    """Class sizes in a sample to which everybody belongs with this chance."""
    found = np.random.default_rng(seed).binomial(population, fraction)
    kept: NDArray[np.int64] = found[found > 0]
    return kept


def test_the_slide_negative_binomial_finds_the_uniques_of_a_population_of_its_kind() -> None:
    random = np.random.default_rng(3)
    population = 1 + random.negative_binomial(0.6, 0.25, 40_000)
    true = (population == 1).sum() / population.sum()
    for fraction in (0.4, 0.5, 0.7, 0.9):
        sizes = sampled(population, fraction, 4)
        found = PopulationUniqueness.of(sizes, int(population.sum()), "slide-negative-binomial")
        assert found.said == ()
        assert found.share == pytest.approx(true, rel=0.05)


@given(st.floats(0.05, 5), st.floats(0.05, 0.95), st.floats(0.02, 0.95))
@settings(max_examples=60)
def test_expected_numbers_of_uniques_and_pairs_lead_back_to_the_parameters(
    alpha: float, beta: float, fraction: float
) -> None:
    one, two = oracle.slide_negative_binomial(alpha, beta, fraction, 3000)
    found, said = solved(1000 * one, 1000 * two, 1000.0, fraction)
    if found is None:
        assert said.startswith("several")
        return
    assert (found.alpha, found.beta) == pytest.approx((alpha, beta), rel=1e-4)


def test_pitman_finds_the_uniques_of_a_population_of_its_kind() -> None:
    random, theta, alpha = np.random.default_rng(8), 200.0, 0.5
    tables: list[int] = []
    owners: list[int] = []
    for seated in range(30_000):
        table = len(tables)
        if random.random() >= (theta + alpha * table) / (theta + seated):
            # Somebody who sits is followed, with chance (size − α) / size, until one is.
            table = owners[random.integers(seated)]
            while random.random() >= (tables[table] - alpha) / tables[table]:
                table = owners[random.integers(seated)]
        if table == len(tables):
            tables.append(0)
        tables[table] += 1
        owners.append(table)
    population = np.array(tables)
    true = (population == 1).sum() / population.sum()
    found = PopulationUniqueness.of(sampled(population, 0.1, 9), int(population.sum()), "pitman")
    assert found.share == pytest.approx(true, rel=0.1)


def test_dankar_takes_pitman_for_small_samples_and_the_lower_of_the_others_for_large_ones() -> None:
    population = 1 + np.random.default_rng(3).negative_binomial(0.6, 0.25, 20_000)
    people = int(population.sum())
    small = sampled(population, 0.05, 1)
    assert PopulationUniqueness.of(small, people, "dankar") == PopulationUniqueness.of(
        small, people, "pitman"
    )
    large = sampled(population, 0.4, 1)
    both = [PopulationUniqueness.of(large, people, e) for e in ("zayatz", "slide-negative-binomial")]
    lower = min(both, key=lambda found: found.share or 0.0)
    assert PopulationUniqueness.of(large, people) == lower


def test_dankar_changes_at_exactly_a_tenth_of_the_population() -> None:
    sizes = [1] * 60 + [2] * 12 + [3] * 4 + [4]
    assert sum(sizes) == 100
    assert PopulationUniqueness.of(sizes, 1000).estimator == "pitman"
    assert PopulationUniqueness.of(sizes, 999).estimator != "pitman"


def test_dankar_says_why_it_falls_back_to_zayatz() -> None:
    small = PopulationUniqueness.of([1] * 20, 1000)
    assert small.estimator == "zayatz"
    assert small.said == ("Pitman's model has no most likely parameters for these class sizes",)
    large = PopulationUniqueness.of([1] * 20, 50)
    assert large.estimator == "zayatz"
    assert large.said == ("the slide negative binomial model needs classes of one and of two in the sample",)


def test_what_does_not_converge_is_never_a_share_of_zero() -> None:
    for estimator in ("pitman", "slide-negative-binomial"):
        found = PopulationUniqueness.of([1] * 30, 1000, estimator)
        assert found.share is None
        assert found.uniques is None
        assert found.said
        assert str(found).startswith(f"population uniqueness: not known by {estimator}: ")


def test_a_model_that_holds_another_population_says_that_it_fits_badly() -> None:
    sizes = [1] * 51 + [2] * 30 + [40] * 300
    found = PopulationUniqueness.of(sizes, 400_000, "slide-negative-binomial")
    assert found.share is not None
    assert found.said[0].startswith("the model fits badly: its classes hold")


def test_nothing_is_estimated_where_it_can_be_counted() -> None:
    whole = PopulationUniqueness.of([1, 1, 2], 4)
    assert (whole.share, whole.uniques) == (0.5, 2.0)
    assert whole.said == ("the data are the whole population: counted",)
    safe = PopulationUniqueness.of([5, 5], 100)
    assert (safe.share, safe.said) == (
        0.0,
        ("nobody is unique in the sample, so none are expected: a small one may miss them",),
    )
    nobody = PopulationUniqueness.of([], 100)
    assert nobody.share is None
    assert str(nobody) == "population uniqueness: not known by pitman: there is nobody in the sample"
    assert nobody.threat is Threat.IDENTITY


def test_a_sample_larger_than_the_population_is_refused() -> None:
    with pytest.raises(BadInput, match="a sample of 5 persons cannot come from a population of 4"):
        PopulationUniqueness.of([5], 4)


def test_a_thousand_million_people_are_no_trouble() -> None:
    sizes = np.concatenate([np.ones(2000, int), np.full(600, 2), np.full(90, 3), np.full(10, 100_000_000)])
    found = PopulationUniqueness.of(sizes, 8_000_000_000, "pitman")
    assert found.share is not None
    assert 0 < found.share < 0.01
