"""How sure a share is: confidence intervals for shares of notes, and for shares of tokens that come in notes.

- Shares of notes: **Wilson** (1927) for the interval, **Clopper & Pearson** (1934) for the one-sided bound:
  the smallest p with P(Bin(n, p) ≥ x) ≥ α, the α-quantile of Beta(x, n − x + 1). When all n were found it
  is α^(1/n), for α = .05 close to 1 − 3/n: the rule of three (Hanley & Lippman-Hand, 1983).
- Shares of tokens: the tokens of a note stand and fall together, so that M tokens are worth fewer than M
  independent ones. **Korn & Graubard** (1998): the interval of Clopper and Pearson at the effective size
  M / d, where the design effect d = V̂ / (r(1 − r)/M) compares the variance of the ratio r = Σxᵢ / Σmᵢ over
  notes, V̂ = n/(n − 1) · Σ(xᵢ − r mᵢ)² / M², with that of independent tokens. d below 1 counts as 1. V̂ is
  known no better than by the L notes with a miss (or with a hit, where these are fewer), so that, as they do
  for few clusters, the size is multiplied by (z / t)², z and t the quantiles of the normal distribution and
  of Student's with L − 1 degrees of freedom (one, where L is 1); not below the smaller of M / d and the size
  that follows. Where V̂ says nothing (nothing missed, nothing found, a single note) tokens of a note are taken
  to stand and fall *together*: M / d = M² / Σmᵢ² (Kish, 1965), about the number of notes.

All of this is about notes like those that were looked at, drawn at random; it says nothing of other notes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

CONFIDENCE = 0.95
_STEPS = 200


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval (two-sided) and the bound that it exceeds with the same confidence.

    >>> print(share_of_notes(270, 300))
    90.0 % (95 % confidence: 86.1 % to 92.9 %; at least 86.7 %)
    """

    value: float | None
    low: float
    high: float
    at_least: float
    confidence: float = CONFIDENCE

    def __str__(self) -> str:
        if self.value is None:
            return self.with_interval()
        return f"{self.with_interval()[:-1]}; at least {_percent(self.at_least)})"

    def with_interval(self) -> str:
        """Write the share and its interval, without the bound: for shares that had better be small."""
        if self.value is None:
            return "not known (nothing to look at)"
        ends = f"{_percent(self.low)} to {_percent(self.high)}"
        return f"{_percent(self.value)} ({100 * self.confidence:g} % confidence: {ends})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share in (0, 1) or 0.001 < share < 0.999 else f"{100 * share:.3f} %"


def share_of_notes(hits: int, notes: int, confidence: float = CONFIDENCE) -> Share:
    """Return the share of notes of which something holds."""
    if not notes:
        return Share(None, 0.0, 1.0, 0.0, confidence)
    low, high = wilson(hits, notes, confidence)
    return Share(hits / notes, low, high, at_least(hits, notes, confidence), confidence)


def share_of_tokens(hits: Sequence[int], tokens: Sequence[int], confidence: float = CONFIDENCE) -> Share:
    """Return the share of tokens of which something holds, given both counts for each note."""
    total = sum(tokens)
    if not total:
        return Share(None, 0.0, 1.0, 0.0, confidence)
    ratio = sum(hits) / total
    effective = effective_size(hits, tokens)
    two_sided = 1 - (1 - confidence) / 2
    return Share(
        ratio,
        at_least(ratio * effective, effective, two_sided),
        1 - at_least((1 - ratio) * effective, effective, two_sided),
        at_least(ratio * effective, effective, confidence),
        confidence,
    )


def effective_size(hits: Sequence[int], tokens: Sequence[int]) -> float:
    """Return how many independent tokens the tokens of these notes are worth.

    >>> effective_size([10, 0], [10, 10]), effective_size([5, 5], [5, 5])
    (1.0, 2.0)
    """
    total, found = sum(tokens), sum(hits)
    notes = [(x, m) for x, m in zip(hits, tokens, strict=True) if m]
    together = total * total / sum(m * m for _, m in notes)
    if found in (0, total) or len(notes) < 2:
        return together
    ratio = found / total
    variance = len(notes) / (len(notes) - 1) * sum((x - ratio * m) ** 2 for x, m in notes) / total**2
    design = variance / (ratio * (1 - ratio) / total)
    return trusted_size(total / max(design, 1.0), together, _telling(notes))


def _telling(notes: Sequence[tuple[int, int]]) -> int:
    """Count the notes that tell how far notes differ: those with a miss or those with a hit, the rarer."""
    return min(sum(x < m for x, m in notes), sum(x > 0 for x, _ in notes))


def trusted_size(size: float, together: float, telling: int) -> float:
    """Return the effective size as far as it can be trusted, when so many notes tell how far notes differ.

    >>> round(trusted_size(1000, 50, 1), 1), round(trusted_size(1000, 50, 21), 1)
    (67.9, 909.5)
    """
    return max(size * _student_factor(max(1, telling - 1)), min(size, together))


@lru_cache(maxsize=1 << 10)
def _student_factor(degrees: int) -> float:
    """Return (z / t)² at the confidence of all figures: P(T > t) = I(ν / (ν + t²); ν/2, 1/2) / 2."""
    z = NormalDist().inv_cdf(CONFIDENCE)
    share = _root(lambda x: beta_cdf(x, degrees / 2, 0.5) - 2 * (1 - CONFIDENCE))
    return z * z * share / (degrees * (1 - share))


def wilson(hits: int, notes: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's interval of a share.

    >>> [round(end, 3) for end in wilson(10, 10)]
    [0.722, 1.0]
    """
    z = NormalDist().inv_cdf(1 - (1 - confidence) / 2)
    share = hits / notes
    centre = share + z * z / (2 * notes)
    spread = z * math.sqrt(share * (1 - share) / notes + z * z / (4 * notes * notes))
    scale = 1 + z * z / notes
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def at_least(hits: float, size: float, confidence: float = CONFIDENCE) -> float:
    """Return the bound of Clopper and Pearson that a share exceeds; sizes need not be whole.

    >>> round(at_least(59, 59), 3), at_least(0, 5)
    (0.95, 0.0)
    """
    if hits <= 0:
        return 0.0
    misses = size - hits
    if misses <= 0:
        return float((1 - confidence) ** (1 / size))
    return _root(lambda share: beta_cdf(share, hits, misses + 1) - (1 - confidence))


def _root(rising: Callable[[float], float]) -> float:
    """Return where a rising function on [0, 1] crosses zero, from below."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return low


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function Iₓ(a, b), by Lentz's continued fraction (1976).

    >>> round(beta_cdf(0.5, 2, 2), 12)
    0.5
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # The fraction converges fast on one side. Mirrored once: rounding may put both sides above it.
    return 1 - _lower(1 - x, b, a) if x > (a + 1) / (a + b + 2) else _lower(x, a, b)


def _lower(x: float, a: float, b: float) -> float:
    """Return Iₓ(a, b) by the fraction itself, for x that is not far above its mean."""
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    fraction = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        change = 1.0
        for step in (even, odd):
            d = 1 + step * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + step / c
            c = c if abs(c) > tiny else tiny
            change = d * c
            fraction *= change
        if abs(change - 1) < 1e-14:
            break
    return math.exp(log_front) * fraction / a
