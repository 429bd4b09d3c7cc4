"""Mechanisms as an accountant sees them: the distribution of their privacy loss, and what each costs alone.

The privacy loss of an outcome o is ln(Pr[M(D) = o] / Pr[M(D′) = o]). All parameters are exact fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from sfumato.core.errors import BadInput
from sfumato.dp import _dp_accounting as library
from sfumato.dp.exact import decimal_above
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.dp.rounding import ln_enclosure


class Event(Protocol):
    """A mechanism that is run once: its distribution of losses on a grid, and its price by itself."""

    @property
    def neighbours(self) -> Neighbours | None:
        """The only neighbours it can be accounted for; None: those its sensitivity or ε was computed for."""

    def losses(self, step: float) -> library.Distribution:
        """Return the distribution of the privacy loss, rounded up onto multiples of the step."""

    def price(self) -> Price:
        """Return what it costs alone."""


class _Drawn:
    """An event before which each person may be drawn with the probability ``share``."""

    share: Fraction

    @property
    def neighbours(self) -> Neighbours | None:
        """One person more or less, where people are drawn."""
        return Neighbours.ADD_REMOVE if self.share < 1 else None


@dataclass(frozen=True)
class LaplaceEvent(_Drawn):
    """Laplace noise of scale b on one number that a person changes by up to Δ.

    Also on several numbers of which a person changes one (a histogram, one person more or less). Where they
    change more, give one event for each number, or ``PureEvent(Δ₁/b)``. ``share``: each person is drawn with
    this probability, in secret and anew; the batch then holds for one person more or less.
    """

    scale: Fraction
    sensitivity: Fraction = Fraction(1)
    share: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        _check(scale=self.scale, sensitivity=self.sensitivity)
        _check_share(self.share)

    def losses(self, step: float) -> library.Distribution:
        """Return the distribution of the privacy loss."""
        return library.laplace(self.sensitivity / self.scale, self.share, step)

    def price(self) -> Price:
        """ε = Δ/b, before sampling."""
        return Price.pure(decimal_above(self.sensitivity / self.scale))


@dataclass(frozen=True)
class DiscreteLaplaceEvent(_Drawn):
    """Discrete Laplace (geometric) noise, Pr[x] ∝ e^(−|x|/b), on a whole number that changes by up to Δ."""

    scale: Fraction
    sensitivity: int = 1
    share: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        _check(scale=self.scale, sensitivity=self.sensitivity)
        _check_share(self.share)

    def losses(self, step: float) -> library.Distribution:
        """Return the distribution of the privacy loss."""
        return library.discrete_laplace(1 / self.scale, self.sensitivity, self.share, step)

    def price(self) -> Price:
        """ε = Δ/b, before sampling."""
        return Price.pure(decimal_above(self.sensitivity / self.scale))


@dataclass(frozen=True)
class GaussianEvent(_Drawn):
    """Gaussian noise of deviation σ on numbers that a person changes by up to Δ₂ together.

    For real numbers. ``DiscreteGaussianEvent`` is the noise on whole numbers; its losses differ slightly.
    """

    sigma: Fraction
    l2: Fraction = Fraction(1)
    share: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        _check(sigma=self.sigma, sensitivity=self.l2)
        _check_share(self.share)

    def losses(self, step: float) -> library.Distribution:
        """Return the distribution of the privacy loss."""
        return library.gaussian(self.sigma / self.l2, self.share, step)

    def price(self) -> Price:
        """ρ = Δ₂²/(2σ²), before sampling."""
        return Price.concentrated(decimal_above((self.l2 / self.sigma) ** 2 / 2))


@dataclass(frozen=True)
class DiscreteGaussianEvent(_Drawn):
    """Discrete Gaussian noise on one whole number that a person changes by up to Δ (or several, but one)."""

    sigma: Fraction
    sensitivity: int = 1
    share: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        _check(sigma=self.sigma, sensitivity=self.sensitivity)
        _check_share(self.share)

    def losses(self, step: float) -> library.Distribution:
        """Return the distribution of the privacy loss."""
        return library.discrete_gaussian(self.sigma, self.sensitivity, self.share, step)

    def price(self) -> Price:
        """ρ = Δ²/(2σ²), before sampling."""
        return Price.concentrated(decimal_above((self.sensitivity / self.sigma) ** 2 / 2))


@dataclass(frozen=True)
class RandomisedResponseEvent:
    """One of m values, kept with probability p and else drawn from all m: for one person replaced."""

    keep: Fraction
    values: int = 2

    def __post_init__(self) -> None:
        if not 0 < self.keep < 1 or isinstance(self.values, bool) or self.values < 2:
            raise BadInput(
                "a value is kept with a probability between 0 and 1, out of two or more",
                where="accounting",
                remedy="try keep=1/2, values=2",
            )

    @property
    def neighbours(self) -> Neighbours | None:
        """One person replaced by another: that somebody answers at all is not hidden."""
        return Neighbours.SUBSTITUTION

    def losses(self, step: float) -> library.Distribution:
        """Return the distribution of the privacy loss."""
        return library.randomised_response(1 - self.keep, self.values, step)

    def price(self) -> Price:
        """ε = ln(1 + pm/(1 − p))."""
        ratio = 1 + self.keep * self.values / (1 - self.keep)
        return Price.pure(decimal_above(ln_enclosure(ratio)[1]))


@dataclass(frozen=True)
class PureEvent:
    """Anything ε-differentially private."""

    epsilon: Fraction

    def __post_init__(self) -> None:
        _check(epsilon=self.epsilon)

    @property
    def neighbours(self) -> Neighbours | None:
        """Those its ε holds for."""
        return None

    def losses(self, step: float) -> library.Distribution:
        """Return the distribution of the privacy loss: of randomised response, the worst there is."""
        return library.privacy_parameters(self.epsilon, Fraction(0), step)

    def price(self) -> Price:
        """Return ε."""
        return Price.pure(decimal_above(self.epsilon))


@dataclass(frozen=True)
class ApproximateEvent:
    """Anything (ε, δ)-differentially private."""

    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        _check(epsilon=self.epsilon)
        if not 0 <= self.delta < 1:
            raise BadInput("delta must be at least 0 and less than 1", where="accounting")

    @property
    def neighbours(self) -> Neighbours | None:
        """Those its ε holds for."""
        return None

    def losses(self, step: float) -> library.Distribution:
        """Return the distribution of the privacy loss."""
        return library.privacy_parameters(self.epsilon, self.delta, step)

    def price(self) -> Price:
        """Return (ε, δ)."""
        return Price.approximate(decimal_above(self.epsilon), decimal_above(self.delta))


def _check(**numbers: object) -> None:
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int | Fraction) or number <= 0:
            raise BadInput(
                f"{name} must be an exact number and more than 0",
                where="accounting",
                remedy="write it like Fraction('0.5')",
            )


def _check_share(share: object) -> None:
    _check(share=share)
    if isinstance(share, int | Fraction) and share > 1:
        raise BadInput("the share must be at most 1", where="accounting", remedy="try Fraction('0.01')")
