"""How likely an event is at least and at most, from how often it was seen: exact, for any number of trials.

C. Clopper & E. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial"
(1934). With k of n trials, the lower bound is the p for which seeing k or more has probability α:

    Pr[X ≥ k] = Σ over i ≥ k of C(n, i) pⁱ (1 − p)ⁿ⁻ⁱ = I_p(k, n − k + 1),

the regularised incomplete beta function, here by its continued fraction (W. Lentz 1976). Unlike bounds by the
normal distribution these hold for rare events and for α as small as one likes, which an audit needs.
"""

from __future__ import annotations

import math

from sfumato.core.errors import BadInput

MOST_TRIALS = 10**7
_TINY = 1e-300
_PRECISE = 1e-15
_STEPS = 200
_SAFE = 1.0 - 1e-6
"""α is taken this much smaller: logarithms of factorials of 10⁷ err by less than 10⁻⁷, all together"""


def at_least(seen: int, trials: int, alpha: float) -> float:
    """Return a p that the true probability is below of with probability α at most.

    >>> round(at_least(5, 10, 0.025), 4), at_least(0, 10, 0.025)
    (0.1871, 0.0)
    """
    _check(seen, trials, alpha)
    if seen == 0:
        return 0.0
    target, low, high = alpha * _SAFE, 0.0, seen / trials
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if tail(seen, trials, middle) <= target:
            low = middle
        else:
            high = middle
    return low


def at_most(seen: int, trials: int, alpha: float) -> float:
    """Return a p that the true probability is above of with probability α at most.

    >>> round(at_most(5, 10, 0.025), 4), round(at_most(0, 100, 0.05), 4)
    (0.8129, 0.0295)
    """
    # Subtraction rounds to the nearest; one step up keeps the bound above.
    return min(1.0, math.nextafter(1.0 - at_least(trials - seen, trials, alpha), 2.0))


def tail(seen: int, trials: int, probability: float) -> float:
    """Return Pr[X ≥ seen] of a binomial X.

    >>> round(tail(1, 2, 0.5), 6), tail(0, 5, 0.1)
    (0.75, 1.0)
    """
    if seen <= 0:
        return 1.0
    if seen > trials or probability <= 0.0:
        return 0.0
    if probability >= 1.0:
        return 1.0
    a, b = float(seen), float(trials - seen + 1)
    front = math.exp(
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        + a * math.log(probability)
        + b * math.log1p(-probability)
    )
    # The fraction converges quickly below the mean of the beta distribution only.
    if probability < (a + 1.0) / (a + b + 2.0):
        return min(1.0, front * _fraction(a, b, probability) / a)
    return max(0.0, 1.0 - front * _fraction(b, a, 1.0 - probability) / b)


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction of I_x(a, b), from the front."""
    c, d = 1.0, 1.0 / _apart(1.0 - (a + b) * x / (a + 1.0))
    found = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        d, c = 1.0 / _apart(1.0 + even * d), _apart(1.0 + even / c)
        found *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        d, c = 1.0 / _apart(1.0 + odd * d), _apart(1.0 + odd / c)
        found *= d * c
        if abs(d * c - 1.0) < _PRECISE:
            return found
    raise AssertionError("the continued fraction did not settle")


def _apart(x: float) -> float:
    return x if abs(x) > _TINY else _TINY


def _check(seen: int, trials: int, alpha: float) -> None:
    if not 0 <= seen <= trials or not 1 <= trials <= MOST_TRIALS:
        raise BadInput("an event is seen in some of 1 to 10^7 trials", where="trials")
    if not 0.0 < alpha < 1.0:
        raise BadInput("alpha must lie between 0 and 1", where="confidence", remedy="try 0.99")
