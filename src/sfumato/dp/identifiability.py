"""Differential identifiability: privacy as the chance of being picked out, ρ, instead of ε.

J. Lee & C. Clifton, "Differential identifiability" (2012). Laws speak of people who can be identified, and
ε does not say how likely that is. The adversary here knows everybody of a universe and all of the data but
one person (D′), and is left with m possible worlds, one for each person who may be the last, all equally
likely. Identified is who becomes more likely than ρ:

    Pr[person i is in D | answer, D′] ≤ ρ  for every i.

Laplace noise of scale λ ≥ S / ln((m − 1)ρ / (1 − ρ)) keeps it, where S = max |f(ω) − f(ω′)| over worlds is
the sensitive range. The other way round, noise of scale λ gives ρ = 1 / (1 + (m − 1) e^(−S/λ)).

Why: the worlds' likelihoods differ by at most e^(S/λ), so the posterior of one is at most
1 / (1 + (m − 1) e^(−S/λ)), reached when all other worlds give the same, farthest answer. Only the ratio of
likelihoods counts, so discrete Laplace noise on whole numbers keeps the same bound with the same λ.

S comes from the declared universe (what any person could contribute), never from D′: a range that was
looked up would itself betray somebody. Neighbours replace one person by another. All bounds are rounded to
the safe side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dp.exact import DIGITS, Number, exact
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.rounding import exp_enclosure, float_above, ln_enclosure

if TYPE_CHECKING:
    from sfumato.dp.mechanisms.laplace import DiscreteLaplace

_NAME = "differential-identifiability"


@dataclass(frozen=True)
class DifferentialIdentifiability:
    """Nobody among m possible people is picked out with more than probability ρ.

    Protects from being identified as the one person whom the adversary does not know yet, by an adversary who
    thinks all m equally likely before. It does not bound an adversary who suspects somebody already (ε does:
    odds grow at most e^(S/λ) times), nor what is learnt about everybody from the answer itself.

    ρ ≤ 1/m cannot be promised: a blind guess is right with 1/m.

    >>> DifferentialIdentifiability(0.5, 3).scale(1) > Fraction("1.442695040888963")  # 1 / ln 2
    True
    """

    rho: Number
    m: int
    name: ClassVar[str] = _NAME

    def __post_init__(self) -> None:
        rho = _share(self.rho)
        _people(self.m)
        if rho * self.m <= 1:
            raise PromiseNotMet(
                f"rho must be more than 1/m: a blind guess among {self.m} people is right with 1/{self.m}",
                where=self.name,
                remedy="raise rho or m",
            )

    @property
    def epsilon(self) -> Fraction:
        """S/λ, what one answer may cost: ln((m − 1)ρ / (1 − ρ)), rounded down at 18 places."""
        rho = _share(self.rho)
        found = ln_enclosure((self.m - 1) * rho / (1 - rho))[0]
        return Fraction(int(found * 10**DIGITS), 10**DIGITS)

    def in_words(self) -> str:
        """Say what is promised."""
        return (
            f"somebody who has narrowed it down to {self.m:,} people and gives each the same chance is right "
            f"about one of them with at most {at_most(self.rho)}"
        )

    def scale(self, sensitive_range: Number) -> Fraction:
        """Return the smallest λ that keeps the promise, rounded up."""
        width = _width(sensitive_range)
        if self.epsilon <= 0:
            raise PromiseNotMet(
                "rho is so close to 1/m that no noise of finite scale keeps it",
                where=self.name,
                remedy="raise rho",
            )
        return width / self.epsilon

    def noise(self, sensitive_range: Number) -> DiscreteLaplace:
        """Return noise on whole numbers that keeps the promise; the range is in units of the grid."""
        from sfumato.dp.mechanisms.laplace import DiscreteLaplace

        return DiscreteLaplace(self.scale(sensitive_range))

    def kept_by(self, answers: Iterable[tuple[Number, Number]]) -> bool:
        """Say whether several answers, each a pair (sensitive range, λ), together keep the promise."""
        return exact_rho(_total(answers), self.m) <= _share(self.rho)


def sensitive_range(lower: Number, upper: Number, weight: Number = 1) -> Fraction:
    """Return S of a sum of one declared number per person (times a public weight): (upper − lower) · weight.

    A count of a property has bounds 0 and 1; a mean of n people has weight 1/n, with n public.

    >>> sensitive_range(0, 99, Fraction(1, 100))
    Fraction(99, 100)
    """
    width = exact(upper, where="upper") - exact(lower, where="lower")
    if width <= 0:
        raise BadInput("the upper bound must lie above the lower one", where=_NAME, remedy="declare both")
    return width * abs(exact(weight, where="weight"))


def composed_rho(answers: Iterable[tuple[Number, Number]], m: int) -> float:
    """Return the ρ of several answers about the same people, each a pair (sensitive range, λ).

    S/λ adds up, as ε does; ρ does not. The sum is then turned into ρ, rounded up.

    >>> round(composed_rho([(1, 1)], 100), 6), round(composed_rho([(1, 1), (1, 1)], 100), 6)
    (0.026724, 0.069453)
    """
    return float_above(exact_rho(_total(answers), m))


def epsilon_to_rho(epsilon: Number, m: int, *, neighbours: Neighbours = Neighbours.SUBSTITUTION) -> float:
    """Return the ρ that ε-differential privacy gives among m people: 1 / (1 + (m − 1) e^(−ε)), rounded up.

    Two possible worlds differ by one person replaced by another. Where ε is for one person more or less, that
    is two steps, and ε counts twice; say so with ``neighbours``.

    >>> round(epsilon_to_rho(1, 100), 6)
    0.026724
    """
    return float_above(exact_rho(_between_worlds(epsilon, neighbours), m))


def rho_to_epsilon(rho: Number, m: int, *, neighbours: Neighbours = Neighbours.SUBSTITUTION) -> Fraction:
    """Return the largest ε that keeps ρ among m people, rounded down at 18 places.

    >>> round(float(rho_to_epsilon(0.75, 2)), 6)  # ln 3
    1.098612
    """
    found = DifferentialIdentifiability(rho, m).epsilon
    if neighbours is Neighbours.ADD_REMOVE:
        found = Fraction(int(found / 2 * 10**DIGITS), 10**DIGITS)
    return found


@dataclass(frozen=True)
class Meaning:
    """What ε means among m people. Prints as a sentence.

    >>> print(Meaning(68, 0.039))  # doctest: +NORMALIZE_WHITESPACE
    who has narrowed it down to 68 people, all equally likely, then picks the right one with
    at most 3.9 % (1 in 68 before)
    """

    m: int
    rho: float

    def __str__(self) -> str:
        return (
            f"who has narrowed it down to {self.m:,} people, all equally likely, then picks the right one "
            f"with at most {at_most(self.rho)} (1 in {self.m:,} before)"
        )


def what_epsilon_means(
    epsilon: Number,
    m_values: Sequence[int] = (2, 10, 100, 10_000),
    *,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
) -> tuple[Meaning, ...]:
    """Say what ε means for somebody who has narrowed it down to m people: one line per m.

    Unless told otherwise ε is for one person more or less, which is the default of the database; between two
    people it then counts twice.

    >>> [(line.m, at_most(line.rho)) for line in what_epsilon_means(1, [2, 1000])]
    [(2, '88.1 %'), (1000, '0.74 %')]
    """
    return tuple(Meaning(m, epsilon_to_rho(epsilon, m, neighbours=neighbours)) for m in m_values)


def exact_rho(total: Number, m: int) -> Fraction:
    """Return a fraction that is not less than 1 / (1 + (m − 1) e^(−ε)), for ε = Σ S/λ."""
    _people(m)
    spent = exact(total, where="epsilon")
    if spent < 0:
        raise BadInput("epsilon must not be negative", where=_NAME)
    return 1 / (1 + (m - 1) * exp_enclosure(-spent)[0])


def _between_worlds(epsilon: Number, neighbours: Neighbours) -> Fraction:
    return exact(epsilon, where="epsilon") * (2 if neighbours is Neighbours.ADD_REMOVE else 1)


def _total(answers: Iterable[tuple[Number, Number]]) -> Fraction:
    total = Fraction(0)
    for width, scale in answers:
        noise = exact(scale, where="scale")
        if noise <= 0:
            raise BadInput("a scale must be more than 0", where=_NAME)
        total += _width(width) / noise
    return total


def _width(sensitive: Number) -> Fraction:
    width = exact(sensitive, where="sensitive range")
    if width <= 0:
        raise BadInput("a sensitive range must be more than 0", where=_NAME, remedy="declare bounds")
    return width


def _share(rho: Number) -> Fraction:
    found = exact(rho, where="rho")
    if not 0 < found < 1:
        raise BadInput("rho must lie between 0 and 1", where=_NAME, remedy="try 0.1")
    return found


def _people(m: int) -> None:
    if isinstance(m, bool) or not isinstance(m, int) or m < 2:
        raise BadInput("m must be a whole number of at least 2", where=_NAME, remedy="how many might it be?")


def at_most(share: Number) -> str:
    """Write a bound in per cent, rounded up, so that "at most" stays true.

    >>> at_most(0.03938), at_most(0.0000123), at_most(0.5)
    ('4.0 %', '0.0013 %', '50.0 %')
    """
    per_cent, places = 100 * exact(share), 1
    while 0 < per_cent * 10 ** (places - 1) < 1 and places < DIGITS:
        places += 1
    return f"{math.ceil(per_cent * 10**places) / 10**places:.{places}f} %"
