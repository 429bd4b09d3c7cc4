"""The sparse vector technique: its whole distribution against every neighbour, and the variants that fail."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import SeededRandom
from sfumato.dp.mechanisms.sparse_vector import SparseVector
from tests.oracles.dp_selection import agrees, long_conversation, sparse_vector_distribution


def worst_ratio(svt: SparseVector) -> float:
    """The largest |ln Pr − ln Pr′| over what can be told, for answers far apart and all their neighbours."""
    worst = 0.0
    scales = float(svt.threshold_scale), float(svt.question_scale)
    steps = ((0, 1), (0, -1)) if svt.monotonic else ((-1, 0, 1),)
    for answers in ((0, 0, 0, 0), (9, -9, 9, -9), (30, 30, -30, -30)):
        here = sparse_vector_distribution(answers, 0, *scales, svt.c)
        for directions in steps:
            for moved in itertools.product(directions, repeat=len(answers)):
                other = [a + step for a, step in zip(answers, moved, strict=True)]
                there = sparse_vector_distribution(other, 0, *scales, svt.c)
                worst = max(worst, *(abs(math.log(p / there[told])) for told, p in here.items()))
    return worst


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("c", [1, 2])
def test_no_conversation_tells_neighbours_further_apart_than_epsilon(c: int, monotonic: bool) -> None:
    svt = SparseVector(2, c=c, monotonic=monotonic)
    assert worst_ratio(svt) <= 2 + 1e-9


def worst_long_ratio(svt: SparseVector, question_scale: Fraction) -> float:
    """The same for many answers below and then c above, where neighbours move the two kinds apart."""
    moved = [(1, 0), (0, -1)] if svt.monotonic else [(1, -1)]
    scales = float(svt.threshold_scale), float(question_scale)
    worst = 0.0
    for many, below, above in itertools.product((20, 1000, 10**5), (-20, -2, 0), (-60, -20, 0)):
        here = long_conversation(below, many, above, svt.c, *scales)
        for lower, upper in moved:
            there = long_conversation(below + lower, many, above + upper, svt.c, *scales)
            worst = max(worst, abs(math.log(here / there)))
    return worst


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("c", [1, 2])
def test_long_conversations_reach_epsilon_and_never_pass_it(c: int, monotonic: bool) -> None:
    svt = SparseVector(2, c=c, monotonic=monotonic)
    assert 1.9 < worst_long_ratio(svt, svt.question_scale) <= 2 + 1e-9


@pytest.mark.parametrize("monotonic", [False, True])
def test_question_noise_that_forgets_c_is_a_variant_that_fails(monotonic: bool) -> None:
    svt = SparseVector(2, c=2, monotonic=monotonic)
    assert worst_long_ratio(svt, svt.question_scale / 2) > 2.7


def test_what_is_told_follows_the_distribution() -> None:
    svt, answers = SparseVector(2, c=2), [1, -2, 3]
    told = Counter(tuple(svt.above(np.array(answers), 1).tolist()) for _ in range(1500))
    expected = sparse_vector_distribution(answers, 1, 1.0, 4.0, 2)
    assert set(told) <= set(expected)
    counts = np.array([told[shown] for shown in expected])
    assert agrees(counts, list(expected.values()))
    wrong = sparse_vector_distribution(answers, 1, 1.0, 1.0, 2)
    assert not agrees(counts, [wrong[shown] for shown in expected])


def test_the_threshold_noise_is_drawn_once_and_shared_by_all_questions() -> None:
    """Equal answers agree more often than under fresh thresholds: the outcomes are not independent."""
    svt = SparseVector(Fraction(1, 2), c=50, monotonic=True, threshold_share="0.01")
    seen = [len(set(svt.above(np.zeros(8, np.int64), 0).tolist())) for _ in range(60)]
    # Scales are 200 and about 101, so all 8 agree with 0.42, and with 1/128 if thresholds were fresh: fewer
    # than 6 of 60 then have probability 8e-9, and 6 or more of fresh ones 8e-6.
    assert sum(kinds == 1 for kinds in seen) >= 6


def test_nothing_is_told_after_c_answers_above() -> None:
    conversation = SparseVector(10, c=2).open()
    assert conversation.ask_all([10**6] * 5, 0) == [True, True]
    assert conversation.ended
    with pytest.raises(PromiseNotMet, match="2 answers were above"):
        conversation.ask(-(10**6), 0)
    assert (conversation.answered, conversation.above) == (2, 2)


def test_answers_below_cost_nothing_more() -> None:
    conversation = SparseVector(5).open(SeededRandom(3))
    assert conversation.ask_all([-(10**6)] * 40, 0) == [False] * 40
    assert not conversation.ended


def test_the_noise_of_a_conversation_is_not_shown() -> None:
    assert "noise" not in repr(SparseVector(1).open())


def test_epsilon_is_shared_between_threshold_and_questions() -> None:
    for c in (1, 3, 20):
        for monotonic in (False, True):
            svt = SparseVector.with_least_error("0.7", sensitivity=3, c=c, monotonic=monotonic)
            times = c if monotonic else 2 * c
            assert 3 / svt.threshold_scale + times * 3 / svt.question_scale == Fraction(7, 10)
            even = SparseVector("0.7", sensitivity=3, c=c, monotonic=monotonic)
            assert spread(svt) <= spread(even)


def spread(svt: SparseVector) -> Fraction:
    return svt.threshold_scale**2 + svt.question_scale**2


def test_the_accuracy_holds_for_all_questions_at_once_and_a_tenth_of_it_does_not() -> None:
    svt = SparseVector(1)
    alpha = math.ceil(svt.accuracy(20, 0.2)) + 2
    wrong = {
        away: sum(svt.above(np.full(20, -away), 0).any() for _ in range(60)) for away in (alpha, alpha // 10)
    }
    # Wrong with at most 0.2 each: Pr[36 of 60 or more] ≤ e^(−60 · KL(0.6 ‖ 0.2)) < 1e-9 (Chernoff).
    assert wrong[alpha] < 36 < wrong[alpha // 10]


@pytest.mark.parametrize(
    "bad",
    [
        {"epsilon": 0},
        {"epsilon": 1, "c": 0},
        {"epsilon": 1, "c": True},
        {"epsilon": 1, "sensitivity": 0},
        {"epsilon": 1, "sensitivity": 0.5},
        {"epsilon": 1, "threshold_share": 1},
    ],
)
def test_what_makes_no_sense_is_refused(bad) -> None:
    with pytest.raises(BadInput):
        SparseVector(**bad)
