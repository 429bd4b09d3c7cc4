"""Tracing: who is behind published means, told by how their own answers lean towards them. Plain arrays.

N. Homer et al., "Resolving individuals contributing trace amounts of DNA to highly complex mixtures"
(2008); S. Sankararaman, G. Obozinski, M. I. Jordan & E. Halperin, "Genomic privacy and limits of individual
detection in a pool" (2009); C. Dwork, A. Smith, T. Steinke, J. Ullman & S. Vadhan, "Robust traceability from
trace amounts" (2015).

With a person's answers y ∈ {0, 1}^d, the published means q of n people, and the means p of a reference:

    inner product      Σ_j (y_j − p_j)(q_j − p_j)
    likelihood ratio   Σ_j y_j ln(q_j / p_j) + (1 − y_j) ln((1 − q_j) / (1 − p_j))
    Homer              Σ_j |y_j − p_j| − |y_j − q_j|

Each is near its mean for people outside, and higher for those inside by about d/n of its parts, while chance
moves it by √(d/n): with d ≫ n people are told apart, with d ≪ n they are not. Noise on the means blurs it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput

Floats = NDArray[np.float64]
Statistic = Literal["inner-product", "likelihood-ratio", "homer"]
_AT_ONCE = 256


def scores(answers: NDArray[np.int8], published: Floats, reference: Floats, statistic: Statistic) -> Floats:
    """Score people by a statistic: a row of answers for each, the higher the likelier inside.

    Published means may lie outside of [0, 1] if they are noisy. Where means are 0 or 1 the likelihood ratio
    is bounded, as if ``reference`` were never surer than its own smallest share.

    >>> answers = np.array([[1, 0], [0, 1]], np.int8)
    >>> scores(answers, np.array([0.9, 0.1]), np.array([0.5, 0.5]), "inner-product").round(3).tolist()
    [0.4, -0.4]
    """
    if statistic == "inner-product":
        lean = published - reference
        one, none = lean * (1 - reference), -lean * reference
    elif statistic == "homer":
        one = np.abs(1 - reference) - np.abs(1 - published)
        none = np.abs(reference) - np.abs(published)
    else:
        rare = np.minimum(reference, 1 - reference)
        least = float(rare[rare > 0].min(initial=0.5)) / 2
        inside, outside = np.clip(published, least, 1 - least), np.clip(reference, least, 1 - least)
        one, none = np.log(inside / outside), np.log((1 - inside) / (1 - outside))
    found = np.full(len(answers), float(none.sum()))
    for start in range(0, len(answers), _AT_ONCE):
        found[start : start + _AT_ONCE] += answers[start : start + _AT_ONCE] @ (one - none)
    return found


@dataclass(frozen=True)
class Told:
    """How well a score tells those inside from those outside.

    ``threshold`` is the least that at most an ``allowed`` share of some people outside lies above; among
    those who lie at it, a coin with chance ``coin`` uses up what is still allowed. ``power`` is the share of
    those inside who are claimed so, ``false_positives`` that of *other* people outside. ``area`` is the
    chance that somebody inside scores above somebody outside (equal ones count half): 1/2 is no better than
    a coin. ``success`` is the share of right claims, if half of the people are inside, by the threshold that
    does best for other people than those who are claimed.

    >>> inside, outside = np.array([3.25, 4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0, 3.5])
    >>> told = Told.apart(inside, outside, outside, Fraction(1, 4))
    >>> told.threshold, told.power, told.false_positives, told.area, told.success
    (3.0, 1.0, 0.25, 0.9375, 0.8125)
    """

    threshold: float
    coin: float
    power: float
    false_positives: float
    area: float
    success: float
    sure: int
    """people inside who score above everybody outside"""
    tested: int
    """people outside who were not used to set the threshold"""

    @classmethod
    def apart(cls, inside: Floats, outside: Floats, known: Floats, allowed: Fraction) -> Told:
        """Set the threshold by ``known`` people outside; see who of those inside and outside is claimed."""
        if not len(inside) or not len(outside) or not len(known):
            raise BadInput(
                "nobody inside or nobody outside is left to compare",
                where="membership",
                remedy="give a list with people of whom it is known that they are not in the data",
            )
        ordered = np.sort(known)
        threshold = float(ordered[len(ordered) - math.floor(allowed * len(ordered)) - 1])
        still = allowed * len(ordered) - int((known > threshold).sum())
        coin = float(still / int((known == threshold).sum()))

        def claimed(scored: Floats) -> float:
            return float(np.mean(scored > threshold) + coin * np.mean(scored == threshold))

        others = np.sort(outside)
        below = np.searchsorted(others, inside, side="left")
        equal = np.searchsorted(others, inside, side="right") - below
        return cls(
            threshold,
            coin,
            claimed(inside),
            claimed(outside),
            float((below + equal / 2).sum() / (len(inside) * len(others))),
            _best_guess(inside, outside, known),
            int((inside > max(ordered[-1], others[-1])).sum()),
            len(outside),
        )

    @property
    def confidence(self) -> float:
        """The share of right ones among claims to be inside, with one false claim more than was seen."""
        wrong = (self.false_positives * self.tested + 1) / (self.tested + 1)
        return self.power / (self.power + wrong)


def _best_guess(inside: Floats, outside: Floats, known: Floats) -> float:
    """Claim people by the threshold that is best for others, both ways round; return how often it is right.

    A threshold that was chosen by the same people would look better than it is. It lies in the middle
    between the scores that it divides.
    """
    one, other = inside[::2], inside[1::2]
    if not len(other):
        one = other = inside
    right = []
    for learned, asked, away, tested in ((one, other, known, outside), (other, one, outside, known)):
        tried = np.unique(np.concatenate([learned, away]))
        gained = np.searchsorted(np.sort(away), tried) * len(learned)
        gained -= np.searchsorted(np.sort(learned), tried) * len(away)
        at = int(np.argmax(gained))
        threshold = (tried[max(at - 1, 0)] + tried[at]) / 2
        right.append(float(np.mean(asked >= threshold) + np.mean(tested < threshold)) / 2)
    return sum(right) / 2
