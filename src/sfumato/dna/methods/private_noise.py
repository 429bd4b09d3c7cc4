"""What methods with noise share: which ε and δ may be spent, and which noise spends them best.

Noise is drawn by ``dp/mechanisms`` alone: whole numbers, exact probabilities, the operating system's
randomness. A test may hand in a generator; its release is marked, and the promise then does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.randomness import Random
from sfumato.dna.contract import Figure, StatisticsModel
from sfumato.dna.models.private import NOT_SECRET, DifferentialPrivacy
from sfumato.dp.contract import IntegerNoise
from sfumato.dp.conversions import epsilon_to_rho
from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.parameters import exact_epsilon


@dataclass(frozen=True)
class Allowed:
    """What one release may spend."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    @property
    def spent(self) -> dict[str, float]:
        """What is written down when all of it was spent."""
        found = {"epsilon": float(self.epsilon)}
        return found | {"delta": float(self.delta)} if self.delta else found


def check_parameters(epsilon: Number | None, delta: Number, name: str) -> None:
    """Refuse an ε or δ that makes no sense, when a method is made."""
    if epsilon is not None:
        exact_epsilon(epsilon)
    DifferentialPrivacy(1 if epsilon is None else epsilon, delta)
    if epsilon is None and DifferentialPrivacy(1, delta).exact_delta:
        raise BadInput("a delta was given without its epsilon", where=name, remedy="give both or neither")


def allowed(epsilon: Number | None, delta: Number, models: tuple[StatisticsModel, ...], name: str) -> Allowed:
    """Return what may be spent: what the method was given, or else what the promises allow.

    Other promises are for the caller to check: a method that looked at the people and then held a noisy
    release back would tell something of them that was not paid for.

    >>> allowed(None, 0, (DifferentialPrivacy(2), DifferentialPrivacy("0.5", "1e-6")), "x").epsilon
    Fraction(1, 2)
    """
    promises = [model for model in models if isinstance(model, DifferentialPrivacy)]
    if epsilon is None:
        if not promises:
            raise BadInput(
                "there is no epsilon to spend",
                where=name,
                remedy="give epsilon, or promise differential-privacy",
            )
        return Allowed(
            exact_epsilon(min(promise.exact_epsilon for promise in promises)),
            min(promise.exact_delta for promise in promises),
        )
    own = DifferentialPrivacy(epsilon, delta)
    for promise in promises:
        if own.exact_epsilon > promise.exact_epsilon or own.exact_delta > promise.exact_delta:
            raise PromiseNotMet(
                "the method would spend more than is promised",
                where=name,
                remedy="lower its epsilon and delta, or leave them out to spend what is promised",
            )
    return Allowed(own.exact_epsilon, own.exact_delta)


def noise_for(budget: Allowed, *, l1: int, each: int, cells: int) -> tuple[IntegerNoise, dict[str, float]]:
    """Return the noise with the smaller variance, and what it spends.

    One person changes all figures together by at most ``l1`` in sum, and by at most √cells · each in
    Euclidean length. Which noise is chosen follows from these public numbers alone.

    >>> noise, spent = noise_for(Allowed(Fraction(1), Fraction(1, 10**6)), l1=2000, each=2, cells=1000)
    >>> noise.name, spent
    ('discrete-gaussian', {'epsilon': 1.0, 'delta': 1e-06})
    """
    laplace = DiscreteLaplace.of(budget.epsilon, l1)
    if budget.delta:
        rho = epsilon_to_rho(budget.epsilon, budget.delta)
        gaussian = DiscreteGaussian.of_rho(rho, each, cells=cells)
        if gaussian.variance < laplace.variance:
            return gaussian, budget.spent
    return laplace, Allowed(budget.epsilon).spent


def marked(details: Mapping[str, Figure], random: Random | None) -> dict[str, Figure]:
    """Return the details, with the mark of a release whose noise is not secret."""
    if random is None or random.secret:
        return dict(details)
    return {**details, NOT_SECRET: "drawn from a test's generator: not to be published"}
