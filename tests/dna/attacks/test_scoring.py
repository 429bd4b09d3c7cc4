"""AUC, its interval, and claims that are calibrated on people outside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult
from sfumato.core.errors import BadInput
from sfumato.dna.attacks.scoring import Scores, auc, auc_interval, claims, membership_result, strangeness
from tests.oracles.dna_attacks import area

TIED = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=12)


def numbers(*values: float) -> NDArray[np.float64]:
    return np.array(values, np.float64)


@given(TIED, TIED)
def test_the_area_counts_every_pair_and_ties_half(members: list[float], outside: list[float]) -> None:
    assert auc(numbers(*members), numbers(*outside)) == float(area(members, outside))


@given(TIED.filter(lambda scores: len(scores) > 1), st.sampled_from([0.01, 0.05, 0.1, 0.5, 0.9]))
def test_whoever_is_left_out_is_claimed_with_exactly_the_false_positive_rate(
    scores: list[float], rate: float
) -> None:
    people = numbers(*scores)
    chances = [claims(people[at : at + 1], np.delete(people, at), rate)[0] for at in range(len(people))]
    assert np.mean(chances) == pytest.approx(rate)


@given(TIED, TIED)
def test_claims_grow_with_the_score(members: list[float], outside: list[float]) -> None:
    found = claims(np.sort(numbers(*members)), numbers(*outside), 0.2)
    assert (np.diff(found) >= 0).all()


def test_the_p_value_of_a_stranger_is_rarely_small() -> None:
    chance = np.random.default_rng(1)
    found = [strangeness(chance.normal(size=1), chance.normal(size=39))[0] <= 0.05 for _ in range(4000)]
    assert np.mean(found) == pytest.approx(0.05, abs=0.012)


@pytest.mark.parametrize("shift", [0.0, 1.0, 2.5])
def test_the_interval_holds_the_true_area_about_as_often_as_it_says(shift: float) -> None:
    from statistics import NormalDist

    truth = NormalDist().cdf(shift / np.sqrt(2))
    chance = np.random.default_rng(2)
    held = []
    for _ in range(1500):
        low, high = auc_interval(chance.normal(shift, size=40), chance.normal(size=60))
        held.append(low <= truth <= high)
    assert 0.93 <= np.mean(held) <= 0.985


def test_scores_that_do_not_overlap_leave_some_doubt() -> None:
    low, high = auc_interval(np.arange(10, 20.0), np.arange(10.0))
    assert (high, auc(np.arange(10, 20.0), np.arange(10.0))) == (1.0, 1.0)
    assert 0.6 < low < 0.9
    assert auc_interval(np.arange(10.0), np.arange(10, 20.0)) == pytest.approx((0.0, 1 - low))
    few = auc_interval(numbers(1), numbers(0, 0))
    assert few[0] < 0.5


def test_scores_that_are_all_the_same_say_nothing() -> None:
    same = np.zeros(50)
    low, high = auc_interval(same, same)
    assert auc(same, same) == 0.5
    assert low < 0.5 < high
    found = result(same, same)
    assert (found.success, found.baseline, found.certain) == (pytest.approx(0.5), 0.5, 0)


def result(members: NDArray[np.float64], outside: NDArray[np.float64]) -> AttackResult:
    return membership_result("test", Scores(members, outside), 0.05, details={}, victims=True)


def test_members_above_all_people_outside_are_found_and_numbered() -> None:
    found = result(numbers(0.5, 1000, 900), np.arange(200.0))
    assert found.details["power"] == pytest.approx(2 / 3)
    assert found.success == pytest.approx((2 / 3 + 0.95) / 2)
    assert [victim.row for victim in found.victims] == [2, 3]
    assert (found.attempts, found.certain) == (203, 2)
    assert found.highest == pytest.approx(1 - 1 / 201)


def test_too_few_people_outside_make_nobody_sure() -> None:
    found = result(numbers(10, 11), numbers(0, 1, 2))
    assert found.certain == 0
    assert "too few people outside" in found.note
    assert found.details["power"] == pytest.approx(0.2)


def test_people_without_a_score_are_counted_and_left_out() -> None:
    found = result(numbers(np.nan, 5), numbers(1, 2, np.nan))
    assert (found.attempts, found.details["people without a known genotype"]) == (3, 2)
    assert auc(numbers(5), numbers(1, 2)) == found.details["auc"]
    with pytest.raises(BadInput, match="too few people"):
        result(numbers(np.nan), numbers(1, 2))
