"""Partition selection: which groups may be told when the list of groups is itself private.

That a group exists tells that somebody is in it. The optimal rule: D. Desfontaines, J. Voss, B. Gipson &
C. Mandayam, "Differentially private partition selection" (2022). The classic one, noise and a threshold:
A. Korolova, K. Kenthapadi, N. Mishra & A. Ntoulas, "Releasing search queries and clicks privately" (2009).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.dp.exact import Number, decimal_above, exact
from sfumato.dp.mechanisms.exact_choice import positive, source
from sfumato.dp.mechanisms.sampler import check_scale, exact_laplace, saturated_sum
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.dp.rounding import exp_enclosure, float_above, ln_enclosure

GRID = 2**62
"""probabilities are whole multiples of one in so many"""
MOST_STEPS = 500_000
"""people from whom on a group is always told: beyond, the table of π would be long to make"""
LARGEST_EPSILON = 40
_DIGITS = 60


@dataclass(frozen=True)
class PartitionSelection:
    """Tell a group of n people with the largest probability π(n) that (ε, δ) allows.

    π(0) = 0 and π(n + 1) = min(e^ε π(n) + δ,  1 − e^(−ε) (1 − π(n) − δ),  1): no rule keeps more groups. π
    is computed in multiples of 2⁻⁶² and rounded down at every step, so the inequalities of (ε, δ) hold for
    the very numbers that are drawn with.

    A person counts once in each group and in at most ``groups_per_person`` = κ groups. Each of these is
    decided on its own, so ε and δ are shared: ε/κ and δ/κ per group. When one person is replaced by
    another, up to 2κ groups change. Bounding a person's groups comes before, and must not look at other
    people.

    Protects from learning that a group has somebody in it. It says nothing of how many: counts are asked
    apart.

    >>> few = PartitionSelection(1, 0.01)
    >>> [round(few.probability(n), 4) for n in (0, 1, 2, 5, 9)]
    [0.0, 0.01, 0.0372, 0.7506, 1.0]
    """

    epsilon: Number
    delta: Number
    groups_per_person: int = 1
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    name: ClassVar[str] = "partition-selection"

    def __post_init__(self) -> None:
        _check(self.epsilon, self.delta, self.groups_per_person, self.name)
        self._limits()

    @property
    def per_group(self) -> tuple[Fraction, Fraction]:
        """ε and δ of each group."""
        changed = self.groups_per_person * (2 if self.neighbours is Neighbours.SUBSTITUTION else 1)
        return exact(self.epsilon) / changed, exact(self.delta) / changed

    @property
    def price(self) -> Price:
        """What telling the groups costs."""
        return _price(self.epsilon, self.delta)

    @property
    def always_told_from(self) -> int:
        """The number of people from which on a group is always told."""
        return int(self._limits().size) - 1

    def probability(self, people: int) -> float:
        """Return π(n), the probability that a group of n people is told."""
        return float(Fraction(int(self._limits()[min(people, self.always_told_from)]), GRID))

    def keep(self, persons_per_group: NDArray[np.int64], random: Random | None = None) -> NDArray[np.bool_]:
        """Decide for each group, given its distinct people, whether it is told."""
        people = _people(persons_per_group, self.name)
        limits = self._limits()
        told: NDArray[np.bool_] = (
            source(random).integers(GRID, people.size) < limits[np.minimum(people, limits.size - 1)]
        )
        return told

    def _limits(self) -> NDArray[np.int64]:
        return _optimal(*self.per_group)


@dataclass(frozen=True)
class LaplaceThreshold:
    """Tell a group when its people and noise together reach a threshold: simple, and the noisy count is free.

    n + discrete Laplace(κ/ε) ≥ T with the smallest T for which a group of one person is told with
    probability at most δ/κ. Then whoever is new shows with at most δ, and noise covers the rest. It keeps
    fewer groups than ``PartitionSelection`` for the same price, but the noisy number of people of a group
    that is told may be published with it at no further cost (``counts``).

    >>> LaplaceThreshold(1, 1e-6).threshold, round(LaplaceThreshold.continuous(1, 1e-6), 4)
    (15, 14.1224)
    """

    epsilon: Number
    delta: Number
    groups_per_person: int = 1
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    name: ClassVar[str] = "laplace-threshold"

    def __post_init__(self) -> None:
        _check(self.epsilon, self.delta, self.groups_per_person, self.name)
        check_scale(self.scale, where=self.name)

    @property
    def scale(self) -> Fraction:
        """The scale of the noise: what one person adds to all counts together, by ε."""
        changed = self.groups_per_person * (2 if self.neighbours is Neighbours.SUBSTITUTION else 1)
        return changed / exact(self.epsilon)

    @property
    def price(self) -> Price:
        """What telling the groups costs."""
        return _price(self.epsilon, self.delta)

    @property
    def threshold(self) -> int:
        """The smallest T with Pr[1 + noise ≥ T] = e^(−(T−1)/scale) / (1 + e^(−1/scale)) ≤ δ/κ."""
        share = exact(self.delta) / self.groups_per_person
        shrink = exp_enclosure(-1 / self.scale)[0]
        steps = self.scale * ln_enclosure(1 / (share * (1 + shrink)))[1]
        return 1 + max(1, math.ceil(steps))

    @staticmethod
    def continuous(epsilon: Number, delta: Number) -> float:
        """Return the threshold 1 − ln(2δ)/ε of real Laplace noise and one group per person, rounded up."""
        _check(epsilon, delta, 1, LaplaceThreshold.name)
        return float_above(1 - ln_enclosure(2 * exact(delta))[0] / exact(epsilon))

    def probability(self, people: int) -> float:
        """Return the probability that a group of n people is told."""
        if people <= 0:
            return 0.0
        steps, shrink = self.threshold - people, math.exp(-1.0 / float(self.scale))
        if steps >= 1:
            return float(shrink**steps / (1.0 + shrink))
        return float(1.0 - shrink ** (1 - steps) / (1.0 + shrink))

    def keep(self, persons_per_group: NDArray[np.int64], random: Random | None = None) -> NDArray[np.bool_]:
        """Decide for each group, given its distinct people, whether it is told."""
        return self.counts(persons_per_group, random)[0]

    def counts(
        self, persons_per_group: NDArray[np.int64], random: Random | None = None
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Decide which groups are told, and give their noisy numbers of people (0 for the others)."""
        people = _people(persons_per_group, self.name)
        noisy = saturated_sum(people, exact_laplace(self.scale, people.size, random))
        told: NDArray[np.bool_] = (noisy >= self.threshold) & (people > 0)
        return told, np.where(told, noisy, 0)


@functools.lru_cache(maxsize=16)
def _optimal(epsilon: Fraction, delta: Fraction) -> NDArray[np.int64]:
    """Return 2⁶² π(n) for n = 0, 1, … until it is 2⁶²."""
    grown = math.floor(exp_enclosure(epsilon, _DIGITS)[0] * GRID)
    shrunk = math.ceil(exp_enclosure(-epsilon, _DIGITS)[1] * GRID)
    share = math.floor(delta * GRID)
    if share == 0 or _steps(float(epsilon), share / GRID) > MOST_STEPS:
        raise _too_fine()
    found = [0]
    while found[-1] < GRID:
        now = found[-1]
        left = max(GRID - now - share, 0)
        # Both bounds are rounded down: a smaller π(n + 1) breaks neither of them.
        following = min(grown * now // GRID + share, GRID + (-shrunk * left // GRID), GRID)
        if following <= now or len(found) > 2 * MOST_STEPS:
            raise _too_fine()
        found.append(following)
    limits = np.array(found, np.int64)
    limits.flags.writeable = False
    return limits


def _steps(epsilon: float, delta: float) -> float:
    """Return about how many people it takes until π is 1: twice the way to where its two branches meet.

    (Desfontaines et al. 2022, theorem 1.) Asked before the table is made, so that a refusal is quick.
    """
    if epsilon == 0.0:
        return 1.0 / delta
    grown = math.expm1(epsilon)
    return 2.0 * math.log1p(grown * (1.0 - delta) / ((grown + 2.0) * delta)) / epsilon


def _too_fine() -> BadInput:
    return BadInput(
        "epsilon or delta is so small that no group of any size could be told for sure",
        where=PartitionSelection.name,
        remedy="raise epsilon or delta, or bound people to fewer groups",
    )


def _price(epsilon: Number, delta: Number) -> Price:
    """(ε, δ) is also ρ = ε²/2 with δ beside it (Bun & Steinke 2016, Lemma 8.8)."""
    asked, share = decimal_above(exact(epsilon)), decimal_above(exact(delta))
    return Price.approximate(asked, share, rho=exact(asked) ** 2 / 2, rho_delta=share)


def _check(epsilon: Number, delta: Number, groups: int, name: str) -> None:
    if positive(epsilon, "epsilon", name) > LARGEST_EPSILON:
        raise BadInput(f"epsilon must be at most {LARGEST_EPSILON}", where=name, remedy="try 1")
    if not 0 < exact(delta, where=f"{name}, delta") < 1:
        raise BadInput("delta must lie between 0 and 1", where=name, remedy="take less than 1 / people")
    if isinstance(groups, bool) or not isinstance(groups, int) or groups < 1:
        raise BadInput("a person is in at least 1 group", where=name, remedy="try 1")


def _people(persons_per_group: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    people = np.asarray(persons_per_group)
    if people.ndim != 1 or people.dtype.kind not in "iu":
        raise BadInput("give the number of distinct people per group", where=name)
    return np.maximum(people.astype(np.int64), 0)
