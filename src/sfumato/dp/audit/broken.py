"""Mechanisms that are broken on purpose: what an auditor must catch before its "not refuted" means anything.

Each has one fault that was made in earnest: too little noise, a wrong sensitivity, floats (I. Mironov 2012),
the variants of the sparse vector technique that M. Lyu, D. Su & N. Li (2017) found to be wrong (numbered as
there), noisy values that are told beside a choice, groups that are told whenever somebody is in them. Apart
from its fault a mechanism is sound. None is used by anything but audits.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.dp.audit.auditor import Case, Claim, Draw
from sfumato.dp.audit.catalogue import add_many
from sfumato.dp.audit.floating_point import least_significant_bits
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.sampler import exact_laplace

_ABOVE, _BELOW, _SILENT = 1, 0, -1
Rows = NDArray[np.int64]


def numpy_laplace(value: float, runs: int) -> NDArray[np.float64]:
    """Laplace noise as numpy draws it, on floats."""
    return value + np.random.default_rng().laplace(0.0, 1.0, runs)


def inverse_distribution_laplace(value: float, runs: int) -> NDArray[np.float64]:
    """Laplace noise as textbooks draw it, by the inverse of the distribution function."""
    uniform = np.random.default_rng().random(runs) - 0.5
    return np.asarray(value - np.sign(uniform) * np.log(1.0 - 2.0 * np.abs(uniform)), np.float64)


def sparse_vector(
    threshold_scale: Fraction, question_scale: Fraction | None, stop: int | None, *, told: bool = False
) -> Draw:
    """Return a sparse vector technique with any noise, with or without an end, telling values or not.

    Answers are compared with the threshold 0. What is told for an answer above is 1, or 1,000 and its noisy
    value; what comes after the end is −1.
    """

    def draw(answers: Rows, runs: int) -> Rows:
        asked = len(answers)
        noisy = np.tile(np.asarray(answers, np.int64), (runs, 1))
        if question_scale is not None:
            noisy = noisy + exact_laplace(question_scale, runs * asked).reshape(runs, asked)
        above = noisy >= exact_laplace(threshold_scale, runs)[:, None]
        rows: Rows = np.where(above, noisy + 1000 if told else _ABOVE, _BELOW).astype(np.int64)
        if stop is not None:
            before: Rows = np.cumsum(above, axis=1) - above
            rows[before >= stop] = _SILENT
        return rows

    return draw


def _noisy_max_with_value(scores: Rows, runs: int) -> Rows:
    """Report noisy max with the noise that suffices for the position, and the noisy score beside it."""
    noisy = np.tile(scores, (runs, 1)) + exact_laplace(Fraction(1), runs * scores.size).reshape(runs, -1)
    return np.column_stack([noisy.argmax(axis=1), noisy.max(axis=1)])


def _choice(scores: Rows, runs: int) -> Rows:
    """Choose by the exponential mechanism for a sensitivity of 1, from its known probabilities."""
    chances = Exponential(2).probabilities(scores)
    return np.random.default_rng().choice(scores.size, runs, p=chances / chances.sum()).astype(np.int64)


def _truthful_response(value: int, runs: int) -> Rows:
    """Tell the truth nine times of ten and claim the coin's ln 3."""
    lie = np.random.default_rng().random(runs) < 0.1
    return np.where(lie, 1 - value, value).astype(np.int64)


def _ten_times(value: int, runs: int) -> Rows:
    """Answer the same question ten times with fresh noise for the price of one."""
    return DiscreteLaplace.of(1).add(np.full(runs * 10, value)).reshape(runs, 10)


_FLOATS = (least_significant_bits((0.0, 1.0)),)
_STEP = 10
"""the sensitivity of answers to sparse vectors, so large that whole numbers are nearly continuous"""

BROKEN_CASES: tuple[Case, ...] = (
    Case("half-noise", "half of the noise", add_many(DiscreteLaplace.of(2)), (100, 101), Claim.of(1)),
    Case(
        "half-sensitivity",
        "a sum whose people count twice as much as was declared",
        add_many(DiscreteLaplace.of(1, 5)),
        (100, 110),
        Claim.of(1),
    ),
    Case("numpy-laplace", "numpy's Laplace on floats", numpy_laplace, (0.0, 1.0), Claim.of(1), _FLOATS),
    Case(
        "inverse-distribution-laplace",
        "the textbook's Laplace on floats",
        inverse_distribution_laplace,
        (0.0, 1.0),
        Claim.of(1),
        _FLOATS,
    ),
    Case(
        "sparse-vector-3",
        "sparse vector that tells the noisy value (Lyu's algorithm 3)",
        sparse_vector(Fraction(2 * _STEP, 3), Fraction(2 * _STEP, 3), 1, told=True),
        (np.array([-4] * 6 + [0]), np.array([_STEP - 4] * 6 + [0])),
        Claim.of(3),
        samples=300_000,
    ),
    Case(
        "sparse-vector-4",
        "sparse vector whose noise forgets how many are above (algorithm 4)",
        sparse_vector(Fraction(4 * _STEP), Fraction(4 * _STEP, 3), 12),
        (np.array([-_STEP] * 12 + [_STEP] * 12), np.zeros(24, np.int64)),
        Claim.of(1),
    ),
    Case(
        "sparse-vector-5",
        "sparse vector without noise on answers (algorithm 5)",
        sparse_vector(Fraction(2), None, None),
        (np.array([0, 1]), np.array([1, 0])),
        Claim.of(1),
    ),
    Case(
        "sparse-vector-6",
        "sparse vector that never ends (algorithm 6)",
        sparse_vector(Fraction(2 * _STEP), Fraction(2 * _STEP), None),
        (np.zeros(32, np.int64), np.array([_STEP] * 16 + [-_STEP] * 16)),
        Claim.of(1),
    ),
    Case(
        "noisy-max-with-value",
        "report noisy max that tells the value, too",
        _noisy_max_with_value,
        (np.zeros(6, np.int64), np.ones(6, np.int64)),
        Claim.of(1),
    ),
    Case(
        "choice-half-sensitivity",
        "exponential mechanism whose scores move twice as much as was declared",
        _choice,
        (np.array([2] + [0] * 6), np.array([0] + [2] * 6)),
        Claim.of(2),
    ),
    Case(
        "partition-without-threshold",
        "a group is told as soon as somebody is in it",
        lambda people, runs: np.full(runs, int(people > 0)),
        (0, 1),
        Claim(Fraction(1), Fraction(1, 100)),
    ),
    Case(
        "truthful-response",
        "randomised response that lies too seldom",
        _truthful_response,
        (0, 1),
        Claim.of("1.0987"),
    ),
    Case(
        "fresh-noise-again",
        "the same question ten times for the price of one",
        _ten_times,
        (0, 1),
        Claim.of(1),
    ),
)

BROKEN: dict[str, Case] = {case.name: case for case in BROKEN_CASES}
"""every broken mechanism by name"""
