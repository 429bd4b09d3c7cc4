from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.core.errors import BadInput
from sfumato.dna.sites import numbered
from sfumato.dna.statistics.confidence import mean_at_most, rank_above
from sfumato.dna.statistics.held_out import check_same_sites, in_parts, members_among
from sfumato.dna.statistics.power import Bound, by_chance, expected_auc, expected_power
from tests.dna.statistics.populations import Population, area, attacked
from tests.oracles import dna_statistics as oracle


@pytest.mark.parametrize(("a", "b"), [(1, 1), (5, 4), (0.3, 0.2), (20, 1)])
def test_the_bound_of_a_mean_fails_at_most_as_often_as_it_says(a: float, b: float) -> None:
    chance = np.random.default_rng(3)
    true = a / (a + b)
    bounds = [mean_at_most(chance.beta(a, b, 60), 0.9) for _ in range(500)]
    assert np.mean(np.array(bounds) < true) <= 0.1
    assert np.mean(bounds) < true + 0.2


def test_the_bound_of_a_mean_closes_in_on_it() -> None:
    values = np.random.default_rng(4).random(20_000)
    assert values.mean() < mean_at_most(values, 0.95) < values.mean() + 0.006
    assert mean_at_most(np.ones(500), 0.95) == 1.0
    assert mean_at_most(np.empty(0), 0.95) == 1.0


def test_values_outside_0_and_1_are_no_shares() -> None:
    with pytest.raises(AssertionError):
        mean_at_most(np.array([0.5, 1.5]), 0.95)


@settings(max_examples=40)
@given(st.integers(1, 300), st.sampled_from([0.01, 0.05, 0.2]), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_threshold_is_an_order_statistic_that_is_so_surely_not_above_it(
    people: int, share: float, confidence: float
) -> None:
    stats = pytest.importorskip("scipy.stats")
    rank = rank_above(people, share, confidence)
    if rank is None:
        assert stats.binom.sf(people - 1, people, share) > 1 - confidence
    else:
        assert stats.binom.sf(rank - 1, people, share) <= (1 - confidence) * (1 + 1e-9)
        assert stats.binom.sf(rank - 2, people, share) > (1 - confidence) * (1 - 1e-9)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_chance_is_the_quantile_of_chi_square_and_never_below_it(confidence: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    sites = np.concatenate([np.arange(1.0, 100.0), [500.0, 5000.0]])
    ratio = by_chance(sites, confidence) / (stats.chi2.ppf(confidence, sites) / sites)
    assert ratio.min() >= 1 - 1e-4
    assert ratio.max() <= 1.025


def test_a_bound_on_auc_and_power_keeps_both() -> None:
    bound = Bound(auc=0.6, power=0.1, alpha=0.05)
    assert expected_auc(bound.separation) <= 0.6 + 1e-12
    assert expected_power(bound.separation, 0.05) <= 0.1 + 1e-12
    assert bound.separation == min(Bound(auc=0.6).separation, Bound(power=0.1).separation)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"auc": 0.5},
        {"auc": 1.0},
        {"power": 0.05},
        {"power": 1.0},
        {"auc": 0.6, "alpha": 0.0},
        {"auc": 0.6, "confidence": 1.0},
    ],
)
def test_bounds_that_promise_nothing_or_everything_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        Bound(**wrong)


@pytest.mark.parametrize(("people", "sites"), [(100, 50), (200, 300), (50, 100)])
def test_theory_foretells_an_adversary_who_knows_the_population(people: int, sites: int) -> None:
    chance = np.random.default_rng(people)
    reached = []
    for _ in range(8):
        population = Population.made(sites, chance)
        pool, fresh = population.people(people, chance), population.people(1500, chance)
        reached.append(attacked(pool, population.people(6000, chance), fresh))
    separation = np.sqrt(sites / people)
    found = np.mean(reached, axis=0)
    assert found[0] == pytest.approx(expected_auc(separation), abs=0.025)
    assert found[1] == pytest.approx(expected_power(separation, 0.05), abs=0.06)


def test_nobody_is_in_two_parts_of_a_reference() -> None:
    for people in (30, 31, 32, 33, 1000):
        parts = in_parts(people)
        everybody = np.concatenate([parts.estimating, parts.calibrating, parts.checking])
        assert np.array_equal(np.sort(everybody), np.arange(people))
        assert len(parts.estimating) == people // 2
    with pytest.raises(BadInput, match="too few"):
        in_parts(29)


def test_a_panel_with_swapped_alleles_is_refused_by_number() -> None:
    one, other = numbered(5), numbered(5)
    check_same_sites(one, other, "here")
    other.reference[3], other.alternate[3] = "G", "A"
    with pytest.raises(BadInput, match="at 1 sites, the first of them number 4"):
        check_same_sites(one, other, "here")
    with pytest.raises(BadInput, match="4 sites and the pool 5"):
        check_same_sites(one, numbered(4), "here")


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=20), st.lists(st.integers(0, 5), min_size=1, max_size=20)
)
def test_the_area_of_tests_compares_everybody_with_everybody(members: list[int], others: list[int]) -> None:
    assert area(np.array(members), np.array(others)) == pytest.approx(oracle.area(members, others))


def test_members_who_are_in_the_panel_are_counted_and_a_panel_of_members_is_refused() -> None:
    chance = np.random.default_rng(2)
    rows = Population.made(80, chance).people(300, chance)
    pool, panel = rows[:, :200], rows[:, 200:]
    assert members_among(pool, panel, "here") == 0
    assert members_among(pool, np.hstack([panel, pool[:, :7]]), "here") == 7
    with pytest.raises(BadInput, match="exactly the genotypes of a member"):
        members_among(pool, pool[:, 50:], "here")
    # At three sites everybody is like somebody: that tells nothing.
    assert members_among(pool[:3], panel[:3], "here") == 0
