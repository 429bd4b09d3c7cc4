"""What a batch of questions costs when it is fixed in advance: composed by its privacy loss distributions.

S. Meiser & E. Mohammadi, "Tight on budget? Tight bounds for r-fold approximate differential privacy" (2018);
A. Koskela, J. Jälkö & A. Honkela, "Computing tight differential privacy guarantees using FFT" (2020);
V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar & P. Manurangsi, "Connect the dots: tighter discrete
approximations of privacy loss distributions" (2022); I. Mironov, "Rényi differential privacy" (2017).

The losses of a batch are sums of independent losses, and δ(ε) = E[max(0, 1 − e^(ε − loss))]. This knows more
of a mechanism than its ε, and so charges less. It holds for mechanisms and scales that are all written down
before the first answer is seen: a ledger that is asked adaptively uses ``budget`` instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dp import _dp_accounting as library
from sfumato.dp.events import Event, GaussianEvent, LaplaceEvent
from sfumato.dp.exact import Number, as_decimal, decimal_above
from sfumato.dp.rounding import float_below

PRECISION = 0.005
"""the step is made finer until half of it changes δ by no more than this share"""
_FIRST_STEP = 2.0**-13
_SMALLEST_STEP = 2.0**-24
_MOST_POINTS = 4_000_000
_FIRST_POINTS = 250_000
"""losses of one mechanism on the first grid: where it would have more, the grid begins wider"""
_FAR = 50
"""−ln of a probability that floats do not see"""
_ROUNDING = 1e-13
_ROUNDING_PER_EVENT = 2e-14
"""what floats may take away from δ: a Fourier transform of n points errs by about 2⁻⁵³ ln n for each event"""
_SMALLEST_DELTA = 1000
"""δ must be so many times what floats may take away"""
_EPSILON_ROUNDING = Fraction(1, 10**10)


@dataclass(frozen=True)
class Accounted:
    """(ε, δ) of a batch, never too small. Prints as such."""

    epsilon: Decimal
    delta: Decimal
    step: float
    """of the grid of losses that it was computed on"""
    excess: float
    """how much δ moved, as a share of itself, from a step twice as wide: about what it is too large by"""

    def __str__(self) -> str:
        return f"ε = {float(self.epsilon):.6g}, δ = {float(self.delta):.6g}"


@dataclass(frozen=True)
class Batch:
    """Mechanisms, each with how often it is run, all fixed before the first answer.

    Their sensitivities must all be those for the same neighbours; the result holds for these.

    >>> batch = Batch(((LaplaceEvent(Fraction(10)), 100),))
    >>> round(batch.epsilon_at("1e-6").epsilon, 2)
    Decimal('4.69')
    """

    events: Sequence[tuple[Event, int]]

    def __post_init__(self) -> None:
        if not self.events:
            raise BadInput("a batch has at least one mechanism", where="accounting")
        if any(isinstance(times, bool) or times < 1 for _, times in self.events):
            raise BadInput("each mechanism is run at least once", where="accounting", remedy="try 1")
        if len({event.neighbours for event, _ in self.events} - {None}) > 1:
            raise BadInput(
                "secret samples hold for one person more or less, randomised response for one replaced",
                where="accounting",
                remedy="account for them apart",
            )

    def delta_at(self, epsilon: Number) -> Accounted:
        """Return the smallest δ that can be shown at ε."""
        asked = as_decimal(epsilon, where="epsilon")
        if asked < 0:
            raise BadInput("epsilon must be at least 0", where="epsilon", remedy="try 1")
        losses, step, excess = self._refined(lambda _: asked)
        found = Fraction(library.delta_at(losses, asked)) + Fraction(self._rounding())
        return Accounted(asked, decimal_above(min(Fraction(1), found)), step, excess)

    def epsilon_at(self, delta: Number) -> Accounted:
        """Return the smallest ε that can be shown at δ."""
        share = as_decimal(delta, where="delta")
        rounding = self._rounding()
        if not _SMALLEST_DELTA * rounding <= share < 1:
            raise BadInput(
                f"for this batch delta must be at least {_SMALLEST_DELTA * rounding:.0e} and less than 1",
                where="delta",
                remedy="below, use sfumato.dp.composition, whose arithmetic is exact",
            )
        target = float_below(Fraction(share)) - rounding

        def epsilon_of(losses: library.Distribution) -> Decimal:
            found = library.epsilon_at(losses, target)
            if math.isinf(found):
                raise PromiseNotMet(
                    "the batch alone spends more δ than was allowed in all",
                    where="accounting",
                    remedy="allow more δ, or ask with less",
                )
            return decimal_above(Fraction(found) + _EPSILON_ROUNDING)

        losses, step, excess = self._refined(epsilon_of)
        return Accounted(epsilon_of(losses), share, step, excess)

    def renyi_epsilon_at(self, delta: Number) -> Decimal:
        """Return an ε at δ by Rényi divergences: larger, quicker, and for comparison.

        Laplace and Gaussian noise are known by their divergences, everything else by its ρ.
        """
        share = as_decimal(delta, where="delta")
        if not 0 < share < 1:
            raise BadInput("delta must be more than 0 and less than 1", where="delta", remedy="try 1e-6")
        gaussians, laplaces, concentrated = [], [], []
        for event, times in self.events:
            if isinstance(event, GaussianEvent):
                gaussians.append((event.sigma / event.l2, event.share, times))
            elif isinstance(event, LaplaceEvent):
                laplaces.append((event.sensitivity / event.scale, times))
            elif (rho := event.price().rho) is not None:
                concentrated.append((rho, times))
            else:
                raise BadInput("some mechanism has no ρ", where="accounting", remedy="use epsilon_at")
        found = library.renyi_epsilon(gaussians, laplaces, concentrated, share)
        return decimal_above(Fraction(found) + _EPSILON_ROUNDING)

    def _rounding(self) -> float:
        return _ROUNDING + _ROUNDING_PER_EVENT * sum(times for _, times in self.events)

    def _composed(self, step: float) -> library.Distribution:
        return library.composed([(event.losses(step), times) for event, times in self.events])

    def _refined(
        self, epsilon_of: Callable[[library.Distribution], Decimal]
    ) -> tuple[library.Distribution, float, float]:
        """Return the losses on a grid that is fine enough, its step, and by how much δ last fell."""
        step = _FIRST_STEP
        while 2 * max(_reach(event) for event, _ in self.events) > _FIRST_POINTS * step:
            step *= 2
        coarse = self._composed(step)
        while True:
            step /= 2
            fine = self._composed(step)
            epsilon = epsilon_of(fine)
            before, now = library.delta_at(coarse, epsilon), library.delta_at(fine, epsilon)
            excess = abs(before - now) / max(now, self._rounding())
            if excess <= PRECISION or step <= _SMALLEST_STEP or 2 * library.points(fine) > _MOST_POINTS:
                return fine, step, excess
            coarse = fine


def _reach(event: Event) -> float:
    """Return about how large a loss gets: ε, or ρ + 2√(ρ ln(1/p)) of what has no end."""
    price = event.price()
    if price.epsilon is not None:
        return float(price.epsilon)
    rho = float(price.rho or 0)
    return rho + 2 * math.sqrt(rho * _FAR)
