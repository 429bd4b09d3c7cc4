"""Confidence intervals against exact sums of binomial chances, and by simulation of notes."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.text.evaluate.intervals import (
    at_least,
    beta_cdf,
    effective_size,
    share_of_notes,
    share_of_tokens,
    trusted_size,
    wilson,
)
from tests.oracles.text_scores import tail

sizes = st.integers(1, 60).flatmap(lambda size: st.tuples(st.integers(0, size), st.just(size)))


@given(sizes, st.sampled_from([0.9, 0.95, 0.99]))
@settings(max_examples=60, deadline=None)
def test_the_bound_is_where_the_exact_chance_of_so_many_hits_is_five_in_a_hundred(
    counts: tuple[int, int], confidence: float
) -> None:
    hits, size = counts
    bound = at_least(hits, size, confidence)
    if hits == 0:
        assert bound == 0
        return
    exact = tail(hits, size, Fraction(bound))
    assert float(exact) == pytest.approx(1 - confidence, rel=1e-9)


@given(sizes, st.integers(1, 99))
@settings(max_examples=60, deadline=None)
def test_the_incomplete_beta_function_is_a_binomial_tail(counts: tuple[int, int], percent: int) -> None:
    hits, size = counts
    if hits == 0:
        hits = 1
    expected = float(tail(hits, size, Fraction(percent, 100)))
    assert beta_cdf(percent / 100, hits, size - hits + 1) == pytest.approx(expected, rel=1e-9, abs=1e-14)


def test_when_nothing_was_missed_the_bound_is_the_rule_of_three() -> None:
    for notes in (30, 300, 3000):
        assert at_least(notes, notes) == pytest.approx(1 - 3 / notes, abs=0.02 / notes + 5 / notes**2)


def test_wilsons_interval_of_the_textbook() -> None:
    low, high = wilson(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


def test_of_nothing_no_share_is_known() -> None:
    assert share_of_notes(0, 0).value is None
    assert share_of_tokens([], []).value is None
    assert share_of_tokens([0], [0]).value is None
    assert "not known" in str(share_of_notes(0, 0))


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=20))
def test_tokens_that_come_in_notes_are_never_worth_more_than_their_number(
    pairs: list[tuple[int, int]],
) -> None:
    hits = [min(pair) for pair in pairs]
    tokens = [max(pair) for pair in pairs]
    if not sum(tokens):
        return
    assert effective_size(hits, tokens) <= sum(tokens) * (1 + 1e-9)
    share = share_of_tokens(hits, tokens)
    assert share.value is not None
    assert 0 <= share.low <= share.value + 1e-9
    assert share.value - 1e-9 <= share.high <= 1
    assert share.low <= share.at_least + 1e-12


def test_notes_that_fail_as_a_whole_count_as_notes_and_not_as_tokens() -> None:
    spread = share_of_tokens([9] * 100, [10] * 100)
    clumped = share_of_tokens([10] * 90 + [0] * 10, [10] * 100)
    assert spread.value == clumped.value == 0.9
    assert clumped.low < spread.low
    assert effective_size([10] * 90 + [0] * 10, [10] * 100) == pytest.approx(99, abs=1)


def test_when_nothing_was_missed_the_worst_is_assumed_about_tokens_of_a_note() -> None:
    assert share_of_tokens([50] * 10, [50] * 10).at_least == pytest.approx(at_least(10, 10))


def test_the_bound_on_recall_holds_in_about_95_of_100_samples_of_clumped_notes() -> None:
    chance = random.Random(11)
    held = 0
    runs = 400
    for _ in range(runs):
        hits, tokens = [], []
        for _ in range(80):
            size = chance.randrange(5, 40)
            # Nine notes of ten lose one token in a hundred, the tenth one in five: recall is .971.
            loss = 0.2 if chance.random() < 0.1 else 0.01
            tokens.append(size)
            hits.append(sum(chance.random() >= loss for _ in range(size)))
        held += share_of_tokens(hits, tokens).at_least <= 0.971
    assert held / runs >= 0.92


def test_the_bound_holds_as_often_as_it_says_when_few_notes_hold_all_misses() -> None:
    """Two of a hundred notes leak half of what they hold: the estimate of spread rests on one note or two."""
    dice = np.random.default_rng(7)

    def drawn(notes: int) -> tuple[list[int], list[int]]:
        tokens = dice.poisson(15, notes) + 1
        leaking = dice.random(notes) < 0.02
        found = dice.binomial(tokens, np.where(leaking, 0.5, 0.999))
        return found.tolist(), tokens.tolist()

    found, tokens = drawn(400_000)
    truth = sum(found) / sum(tokens)
    for notes in (50, 150):
        held = [share_of_tokens(*drawn(notes)).at_least <= truth for _ in range(400)]
        # Three standard errors of 400 draws below the 95 % that are promised.
        assert sum(held) / 400 > 0.95 - 3 * (0.95 * 0.05 / 400) ** 0.5


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 6.313752), (2, 2.919986), (5, 2.015048), (30, 1.697261)]
)
def test_the_size_is_trusted_as_far_as_the_notes_with_a_miss_allow(degrees: int, quantile: float) -> None:
    """Quantiles as printed in tables of Student's distribution; that of the normal one is 1.644854."""
    factor = (1.644854 / quantile) ** 2
    assert trusted_size(1000.0, 1.0, degrees + 1) == pytest.approx(1000 * factor, rel=1e-5)
    assert trusted_size(1000.0, 2000.0, degrees + 1) == 1000


@pytest.mark.parametrize(
    ("x", "a", "b"), [(0.26136363636363635, 3.6, 12.0), (0.09385113268608414, 22 / 7, 39.0)]
)
def test_the_beta_function_is_mirrored_once_where_rounding_puts_both_sides_above_the_mean(
    x: float, a: float, b: float
) -> None:
    assert x > (a + 1) / (a + b + 2)
    assert 1 - x > (b + 1) / (a + b + 2)
    assert abs(beta_cdf(x, a, b) + beta_cdf(1 - x, b, a) - 1) < 1e-12
