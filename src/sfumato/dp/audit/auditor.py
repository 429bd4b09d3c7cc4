"""The auditor: a lower bound on the ε of any mechanism, from running it on two neighbouring inputs.

Z. Ding, Y. Wang, G. Wang, D. Zhang & D. Kifer, "Detecting violations of differential privacy" (2018). If a
mechanism M is (ε, δ)-private, then for neighbours D, D′ and every event S

    Pr[M(D) ∈ S] ≤ e^ε Pr[M(D′) ∈ S] + δ.

The auditor runs M on both, searches a telling event on one half of the runs, and bounds its probabilities by
Clopper and Pearson (1934) on the other half:

    ε ≥ ln((p − δ) / p′)    and    δ ≥ p − e^ε p′,    with p at least and p′ at most so likely.

If that is more than was claimed, the claim is refuted, wrongly with probability 1 − confidence at most. If
not, it is "not refuted": nothing was proved, for other inputs or rarer events might tell more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dp.audit.events import Event, best_event, delta_score, epsilon_score
from sfumato.dp.audit.intervals import MOST_TRIALS, at_least, at_most
from sfumato.dp.audit.readings import Outputs, Reading, checked, readings_of
from sfumato.dp.exact import Number, exact
from sfumato.dp.price import Price
from sfumato.dp.rounding import exp_enclosure

SAMPLES = 100_000
CONFIDENCE = 0.99
FEWEST = 100

Draw = Callable[[Any, int], Outputs]
"""runs a mechanism on an input so many times, with fresh secret randomness"""


@dataclass(frozen=True)
class Claim:
    """What a mechanism says of itself: ε, and δ if it has one."""

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.epsilon < 0:
            raise BadInput("epsilon must be at least 0", where="epsilon", remedy="try 1")
        if not 0 <= self.delta < 1:
            raise BadInput("delta must be at least 0 and less than 1", where="delta", remedy="try 1e-6")

    @classmethod
    def of(cls, claimed: Claim | Price | Number) -> Claim:
        """Read a claim: a number is ε.

        >>> Claim.of(Price.approximate(1, "1e-6"))
        Claim(epsilon=Fraction(1, 1), delta=Fraction(1, 1000000))
        """
        if isinstance(claimed, Claim):
            return claimed
        if isinstance(claimed, Price):
            if claimed.epsilon is None:
                raise BadInput(
                    "a price in ρ is no claim about events", where="audit", remedy="convert it to ε and δ"
                )
            return cls(exact(claimed.epsilon), exact(claimed.delta))
        return cls(exact(claimed, where="epsilon"))

    def __str__(self) -> str:
        delta = f", δ = {float(self.delta):.3g}" if self.delta else ""
        return f"ε = {float(self.epsilon):.4g}{delta}"


@dataclass(frozen=True)
class AuditFinding:
    """What an audit can say, with the confidence that was asked for.

    >>> print(AuditFinding("half-noise", Claim.of(1), 100_000, 0.99, 1.93, 0.3, "the value from 1", True))
    half-noise: refuted: empirical ε ≥ 1.93 (claimed: ε = 1; the value from 1)
    """

    name: str
    claim: Claim
    samples: int
    confidence: float
    epsilon: float
    """the mechanism has at least this ε (at the claimed δ)"""
    delta: float
    """the mechanism has at least this δ (at the claimed ε)"""
    event: str
    """what told the inputs apart best"""
    refuted: bool

    @property
    def verdict(self) -> str:
        """In words."""
        if not self.refuted:
            return "not refuted"
        beside = f", or δ ≥ {self.delta:.3g} at the claimed ε" if self.claim.delta else ""
        return f"refuted: empirical ε ≥ {self.epsilon:.3g}{beside}"

    def __str__(self) -> str:
        found = "" if self.refuted else f"empirical ε ≥ {self.epsilon:.3g}; "
        return f"{self.name}: {self.verdict} ({found}claimed: {self.claim}; {self.event})"


def audit(
    draw: Draw,
    neighbours: tuple[Any, Any],
    claimed: Claim | Price | Number,
    *,
    samples: int = SAMPLES,
    confidence: float = CONFIDENCE,
    name: str = "mechanism",
    readings: tuple[Reading, ...] = (),
    progress: Progress = SILENT,
) -> AuditFinding:
    """Run a mechanism ``samples`` times on each of two neighbouring inputs and bound its ε and δ from below.

    ``draw(input, runs)`` gives an array with a row per run. ``readings`` are further ways to look at outputs.

    >>> import numpy as np
    >>> from sfumato.dp.mechanisms.laplace import DiscreteLaplace
    >>> noise = DiscreteLaplace.of(epsilon=1)
    >>> half = DiscreteLaplace.of(epsilon=2)
    >>> run = lambda noise: lambda count, runs: noise.add(np.full(runs, count))
    >>> audit(run(noise), (100, 101), 1, samples=4000, confidence=1 - 1e-9).verdict
    'not refuted'
    >>> audit(run(half), (100, 101), 1, samples=4000, confidence=1 - 1e-9).refuted
    True
    """
    claim = Claim.of(claimed)
    if not FEWEST <= samples <= MOST_TRIALS:
        raise BadInput("an audit takes 100 to 10^7 samples", where="samples", remedy="try 100000")
    if not 0.0 < confidence < 1.0:
        raise BadInput("the confidence lies between 0 and 1", where="confidence", remedy="try 0.99")
    # Two events, each with two bounds, share the chance of being wrong.
    alpha = float((1 - exact(confidence)) / 4)
    half = samples // 2
    progress.step(name)
    one, other = (checked(draw(each, half)) for each in neighbours)
    progress.update(0.4, "searching a telling event")
    looked = readings_of(one, readings)
    z = math.sqrt(2.0 * math.log(1.0 / alpha))
    for_epsilon = best_event(one, other, looked, epsilon_score(float(claim.delta)), z)
    for_delta = best_event(one, other, looked, delta_score(float(claim.epsilon)), z)
    progress.update(0.5, "testing it on fresh runs")
    fresh = tuple(checked(draw(each, samples - half)) for each in neighbours)
    bounds = [_bounds(event, fresh, alpha) for event in (for_epsilon, for_delta)]
    epsilons = [_epsilon_at_least(likely, unlikely, claim.delta) for likely, unlikely in bounds]
    deltas = [_delta_at_least(likely, unlikely, claim.epsilon) for likely, unlikely in bounds]
    telling = for_epsilon if epsilons[0] >= epsilons[1] else for_delta
    return AuditFinding(
        name,
        claim,
        samples,
        confidence,
        max(epsilons),
        max(0.0, float(max(deltas))),
        str(telling),
        any(delta > claim.delta for delta in deltas),
    )


def _bounds(event: Event, fresh: tuple[Outputs, ...], alpha: float) -> tuple[Fraction, Fraction]:
    """Return at least how likely the event is on one input, and at most on the other."""
    more, less = (fresh[1], fresh[0]) if event.swapped else (fresh[0], fresh[1])
    likely = at_least(event.count(more), len(more), alpha)
    unlikely = at_most(event.count(less), len(less), alpha)
    return Fraction(likely), Fraction(unlikely)


def _epsilon_at_least(likely: Fraction, unlikely: Fraction, delta: Fraction) -> float:
    spare = likely - delta
    if spare <= unlikely:
        return 0.0
    # The figure is for reading; whether a claim is refuted is decided with fractions.
    return math.log(spare / unlikely) * (1.0 - 1e-12)


def _delta_at_least(likely: Fraction, unlikely: Fraction, epsilon: Fraction) -> Fraction:
    """Return p − e^ε p′, rounded down. It exceeds the claimed δ just when ln((p − δ)/p′) exceeds ε."""
    return likely - exp_enclosure(epsilon)[1] * unlikely


@dataclass(frozen=True)
class Case:
    """A mechanism ready to be audited: how it is run, and the neighbouring inputs that tell most."""

    name: str
    title: str
    draw: Draw
    neighbours: tuple[Any, Any]
    claim: Claim
    readings: tuple[Reading, ...] = ()
    samples: int = SAMPLES
    """how often it is run on each input unless something else is asked for: less where a run is slow"""

    def audit(
        self,
        *,
        samples: int | None = None,
        confidence: float = CONFIDENCE,
        progress: Progress = SILENT,
    ) -> AuditFinding:
        """Audit it."""
        return audit(
            self.draw,
            self.neighbours,
            self.claim,
            samples=self.samples if samples is None else samples,
            confidence=confidence,
            name=self.name,
            readings=self.readings,
            progress=progress,
        )
