"""How well membership can be told from the frequencies of independent sites, in theory.

Sankararaman, Obozinski, Jordan & Halperin, "Genomic privacy and limits of individual detection in a pool"
(2009): for a pool of n people and m independent sites the likelihood ratio of members lies d = √(m/n)
standard deviations above that of others, both nearly normal, so that

    power at false positive rate α  =  Φ(d − z₁₋α),        AUC  =  Φ(d / √2).

This is for an adversary who knows the population's frequencies without error: with a reference of r people d
shrinks by √(r / (n + r)). It also covers one who makes use of linkage between the m sites: the squared
distance that weighs them best is trace(Σ⁻¹Σ)/n = m/n whatever their correlation Σ. For cases against
controls, both published, d² = Σ χ² (1/n₁ + 1/n₂), whose mean is m (1/n₁ + 1/n₂).

What a pool's members reach lies around these for two reasons: d² is drawn with the pool (``by_chance``), and
so are the members, whose scores have the mean that d gives and any spread (``by_members``). ``Bound.allows``
puts both together.

It does not hold for rare alleles (not normal), relatives of members, or a pool from another population than
the adversary's reference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.dna.statistics.tables import Figures

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Bound:
    """What is promised of an adversary: AUC at most, and (or) power at most at a false positive rate.

    >>> round(Bound(auc=0.6).separation, 4), round(Bound(power=0.1, alpha=0.05).separation, 4)
    (0.3583, 0.3633)
    """

    auc: float | None = None
    power: float | None = None
    alpha: float = 0.05
    confidence: float = 0.95

    def __post_init__(self) -> None:
        where = "membership bound"
        if self.auc is None and self.power is None:
            raise BadInput("nothing is bounded", where=where, remedy="give auc: 0.6, or power: 0.1")
        if not 0 < self.alpha < 1:
            raise BadInput("alpha must lie between 0 and 1", where=where, remedy="try alpha: 0.05")
        if not 0.5 <= self.confidence < 1:
            raise BadInput("confidence must lie between 0.5 and 1", where=where, remedy="try 0.95")
        if self.auc is not None and not 0.5 < self.auc < 1:
            raise BadInput(
                "auc must lie between 0.5 (a coin) and 1 (certainty)", where=where, remedy="try auc: 0.6"
            )
        if self.power is not None and not self.alpha < self.power < 1:
            raise BadInput(
                "power must lie between alpha (a coin) and 1 (certainty)",
                where=where,
                remedy="try power: 0.1",
            )

    @property
    def separation(self) -> float:
        """The largest d that keeps both."""
        from_auc = math.sqrt(2) * _NORMAL.inv_cdf(self.auc) if self.auc is not None else math.inf
        from_power = (
            _NORMAL.inv_cdf(self.power) - _NORMAL.inv_cdf(self.alpha) if self.power is not None else math.inf
        )
        return min(from_auc, from_power)

    def allows(self, mean: float, surely: float, people: int) -> bool:
        """Say whether a pool of so many people keeps this, at its confidence.

        ``mean`` is d² on average over pools, ``surely`` what it does not exceed at the confidence. How far d²
        and the spread of members move AUC and power are hardly dependent: their squares add up.

        >>> Bound(power=0.1).allows(0.1, 0.13, 100), Bound(power=0.1).allows(0.1, 0.13, 100_000)
        (False, True)
        """
        usual, large = math.sqrt(mean), math.sqrt(surely)
        times = _NORMAL.inv_cdf(self.confidence)
        auc, power = by_members(large, self.alpha, people)
        middle, most = expected_auc(usual), expected_auc(large)
        if self.auc is not None and middle + math.hypot(most - middle, times * auc) > self.auc:
            return False
        middle, most = expected_power(usual, self.alpha), expected_power(large, self.alpha)
        return self.power is None or middle + math.hypot(most - middle, times * power) <= self.power

    def in_words(self) -> str:
        """Say it, for sentences."""
        parts = []
        if self.auc is not None:
            parts.append(f"AUC ≤ {self.auc:g}")
        if self.power is not None:
            parts.append(f"power ≤ {self.power:g} at {self.alpha:g} false positives")
        return " and ".join(parts)


def by_chance(sites: Figures, confidence: float) -> Figures:
    """Return how many times larger d² may turn out than its mean, over the draw of the pool, so surely.

    What a site tells is what its frequency happens to differ by: n d² over m sites is distributed as χ² with
    m degrees of freedom, here by the approximation of Wilson & Hilferty (1931).

    >>> by_chance(np.array([10.0, 1000.0]), 0.95).round(3)
    array([1.835, 1.075])
    """
    spread = 2 / (9 * np.asarray(sites, np.float64))
    found: Figures = (1 - spread + _NORMAL.inv_cdf(confidence) * np.sqrt(spread)) ** 3
    # The approximation is up to 2.5 % too small for a single site, and 0.3 % for five.
    found *= 1 + 0.03 / np.asarray(sites, np.float64)
    np.maximum(found, 1.0, out=found)
    return found


def by_members(separation: float, alpha: float, people: int) -> tuple[float, float]:
    """Return the standard deviations of AUC and of power over the draw of so many members, d given.

    With t = Z + d the score of a member, outsiders standard normal, AUC is the mean of Φ(t) over members and
    power that of [t > z₁₋α]. The mean of t over members is d whoever they are, so that what varies is what a
    line through t leaves: Var Φ(t) − Cov(Φ(t), Z)² and p(1 − p) − φ(z₁₋α − d)², divided by their number.

    >>> [round(deviation, 4) for deviation in by_members(0.0, 0.05, 100)]
    [0.0061, 0.0192]
    """
    at, weights = np.polynomial.hermite_e.hermegauss(60)
    ranks = np.array([_NORMAL.cdf(float(z) + separation) for z in at])
    weights = weights / weights.sum()
    mean = float(weights @ ranks)
    auc = float(weights @ (ranks - mean) ** 2) - float(weights @ (ranks * at)) ** 2
    power = expected_power(separation, alpha)
    spread = power * (1 - power) - _NORMAL.pdf(separation + _NORMAL.inv_cdf(alpha)) ** 2
    return math.sqrt(max(auc, 0.0) / people), math.sqrt(max(spread, 0.0) / people)


def expected_auc(separation: float) -> float:
    """Return Φ(d / √2).

    >>> round(expected_auc(1.0), 3)
    0.76
    """
    return _NORMAL.cdf(separation / math.sqrt(2))


def expected_power(separation: float, alpha: float) -> float:
    """Return Φ(d − z₁₋α).

    >>> round(expected_power(1.0, 0.05), 3)
    0.26
    """
    return _NORMAL.cdf(separation + _NORMAL.inv_cdf(alpha))
