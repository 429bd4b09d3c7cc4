"""What ε means in words: for one person among m, and for people who live together.

J. Lee & C. Clifton (2012) for the first, group privacy (C. Dwork & A. Roth 2014, Theorem 2.2) for the second.
Both follow from the price alone, so everybody may read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dp.conversions import for_group
from sfumato.dp.identifiability import Meaning, what_epsilon_means
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.dp.rounding import float_above

AMONG = (2, 10, 100, 10_000)
"""to how many people somebody may have narrowed it down"""
TOGETHER = (2, 4, 8)
"""people of a household, or close relatives"""


@dataclass(frozen=True)
class Household:
    """What a price means for people together; None where nothing is promised any more.

    >>> print(households(Price.pure("0.5"))[1])
    4 people together: ε = 2
    """

    people: int
    price: Price | None

    def __str__(self) -> str:
        return f"{self.people} people together: {self.price or 'nothing is promised'}"


def meanings(price: Price, neighbours: Neighbours, among: Sequence[int] = AMONG) -> tuple[Meaning, ...]:
    """Say what ε means for somebody who has narrowed it down to m people, δ counted in.

    Without δ no release makes them surer than ρ. With δ it is how often they are right: if Pr[S] ≤ e^ε Pr′[S]
    + δ between any two of m worlds, and Sᵢ is that world i is guessed, then Σ Pr[Sᵢ | i] ≤ e^ε (m − Σ
    Pr[Sᵢ | i]) / (m − 1) + mδ, so that a guess is right with ρ + δ at most.

    >>> [line.m for line in meanings(Price.pure(1), Neighbours.SUBSTITUTION)]
    [2, 10, 100, 10000]
    """
    if price.epsilon is None:
        return ()
    lines = what_epsilon_means(price.epsilon, among, neighbours=neighbours)
    if not price.delta:
        return lines
    steps = 2 if neighbours is Neighbours.ADD_REMOVE else 1
    try:
        beside = Fraction(for_group(price, steps).delta)
    except BadInput:
        beside = Fraction(1)
    return tuple(
        Meaning(line.m, float_above(min(Fraction(1), Fraction(line.rho) + beside))) for line in lines
    )


def households(price: Price, together: Sequence[int] = TOGETHER) -> tuple[Household, ...]:
    """Say what a price means for people who are added, removed or replaced together."""
    found = []
    for people in together:
        try:
            found.append(Household(people, for_group(price, people)))
        except BadInput:
            # δ grows with e^ε for each person, and reaches 1 for many.
            found.append(Household(people, None))
    return tuple(found)
