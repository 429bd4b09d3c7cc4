"""The one file that knows dp-accounting (the extra ``accounting``): distributions of the privacy loss.

Everything is handed over rounded to the pessimistic side, and everything is asked pessimistically.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from sfumato.core.errors import MissingPart
from sfumato.dp.rounding import exp_enclosure, float_above, float_below

Distribution = Any
"""a PrivacyLossDistribution of dp-accounting, which has no types"""


def _part(name: str) -> Any:
    try:
        return importlib.import_module(f"dp_accounting.{name}")
    except ImportError:
        raise MissingPart(
            "adding up privacy losses exactly needs dp-accounting",
            where="accounting",
            remedy="pip install 'sfumato[accounting]', or use sfumato.dp.composition",
        ) from None


def _pld() -> Any:
    return _part("pld.privacy_loss_distribution")


def laplace(rate: Fraction, share: Fraction, step: float) -> Distribution:
    """Laplace noise: ``rate`` is Δ/b, each person taken with probability ``share``."""
    return _pld().from_laplace_mechanism(
        float_below(1 / rate), value_discretization_interval=step, sampling_prob=float_above(share)
    )


def discrete_laplace(rate: Fraction, shift: int, share: Fraction, step: float) -> Distribution:
    """Discrete Laplace noise, Pr[x] ∝ e^(−rate·|x|), on a whole number that changes by up to ``shift``."""
    return _pld().from_discrete_laplace_mechanism(
        float_above(rate),
        sensitivity=shift,
        value_discretization_interval=step,
        sampling_prob=float_above(share),
        use_connect_dots=True,
    )


def gaussian(ratio: Fraction, share: Fraction, step: float) -> Distribution:
    """Gaussian noise: ``ratio`` is σ/Δ₂, each person taken with probability ``share``."""
    return _pld().from_gaussian_mechanism(
        float_below(ratio), value_discretization_interval=step, sampling_prob=float_above(share)
    )


def discrete_gaussian(sigma: Fraction, shift: int, share: Fraction, step: float) -> Distribution:
    """Discrete Gaussian noise, Pr[x] ∝ e^(−x²/2σ²), on a whole number that changes by up to ``shift``."""
    return _pld().from_discrete_gaussian_mechanism(
        float_below(sigma),
        sensitivity=shift,
        value_discretization_interval=step,
        sampling_prob=float_above(share),
        use_connect_dots=True,
    )


def randomised_response(replaced: Fraction, values: int, step: float) -> Distribution:
    """One of several values, replaced by a uniform one with a probability; for one person replaced."""
    return _pld().from_randomized_response(float_below(replaced), values, value_discretization_interval=step)


def privacy_parameters(epsilon: Fraction, delta: Fraction, step: float) -> Distribution:
    """Anything (ε, δ)-private: ±ε as of randomised response, and ∞ with probability δ.

    The losses are moved onto the grid by connecting the dots of the curve δ(ε′), which errs by the square of
    the step where rounding ±ε up would err by the step.
    """
    grid = Fraction(step)
    above = math.ceil(epsilon / grid)
    below = math.floor(epsilon / grid)
    points = sorted({-above, -below, below, above})
    true = _true(epsilon)
    deltas = []
    for point in points:
        # Pr[loss > x] − e^x Pr[…] of the two losses ±ε; rounded up.
        seen = exp_enclosure(point * grid)[0]
        curve = max(Fraction(0), true - seen * (1 - true)) + max(Fraction(0), (1 - true) - seen * true)
        deltas.append(min(1.0, float_above(delta + (1 - delta) * curve)))
    deltas[-1] = float_above(delta)
    pmf = _part("pld.pld_pmf").create_pmf_pessimistic_connect_dots(step, points, deltas)
    return _pld().PrivacyLossDistribution(pmf)


def _true(epsilon: Fraction) -> Fraction:
    """Return e^ε/(1 + e^ε), rounded up."""
    grown = exp_enclosure(epsilon)[1]
    return grown / (1 + grown)


def composed(parts: Sequence[tuple[Distribution, int]]) -> Distribution:
    """Compose distributions, each so many times."""
    together = None
    for distribution, times in parts:
        repeated = distribution.self_compose(times) if times > 1 else distribution
        together = repeated if together is None else together.compose(repeated)
    return together


def points(distribution: Distribution) -> int:
    """Return how many losses are kept: what memory and time go by."""
    return int(distribution._pmf_remove.size)


def delta_at(distribution: Distribution, epsilon: Decimal) -> float:
    """Return δ at ε."""
    return float(distribution.get_delta_for_epsilon(float_below(Fraction(epsilon))))


def epsilon_at(distribution: Distribution, delta: float) -> float:
    """Return the smallest ε at δ; infinite where there is none."""
    return float(distribution.get_epsilon_for_delta(delta))


def renyi_epsilon(
    gaussians: Sequence[tuple[Fraction, Fraction, int]],
    laplaces: Sequence[tuple[Fraction, int]],
    concentrated: Sequence[tuple[Decimal, int]],
    delta: Decimal,
) -> float:
    """Return ε at δ by Rényi divergences: (σ/Δ, share, times), (Δ/b, times), (ρ, times)."""
    library = _part("rdp")
    events = _part("dp_event")
    accountant = library.RdpAccountant()
    for ratio, share, times in gaussians:
        event = events.GaussianDpEvent(float_below(ratio))
        if share < 1:
            event = events.PoissonSampledDpEvent(float_above(share), event)
        accountant.compose(event, times)
    for rate, times in laplaces:
        accountant.compose(events.LaplaceDpEvent(float_below(1 / rate)), times)
    for rho, times in concentrated:
        accountant.compose(events.ZCDpEvent(float_above(Fraction(rho))), times)
    return float(accountant.get_epsilon(float_below(Fraction(delta))))
