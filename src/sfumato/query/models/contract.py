"""What a promise about a release under differential privacy is checked from: the money that was spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Protocol

from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.dp.composition import sequential
from sfumato.dp.conversions import rho_to_epsilon
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price


@dataclass(frozen=True)
class Spending:
    """What a release cost: in all, and step by step. The steps alone are believed; the sum is recomputed."""

    neighbours: Neighbours
    spent: Price
    steps: tuple[tuple[str, Price], ...]

    @property
    def pure(self) -> bool:
        """Whether ε was spent without any δ."""
        return self.spent.epsilon is not None and not self.spent.delta

    @property
    def total(self) -> Price | None:
        """The steps added up; None where there are none."""
        return sequential([price for _, price in self.steps]) if self.steps else None

    @property
    def adds_up(self) -> bool:
        """Whether the steps come to what is said to be spent, to the last digit.

        Of ρ also, that the ε beside it is not less than what ρ is at that δ: it is what people read.
        """
        total, spent = self.total, self.spent
        if total is None or total.delta:
            return False
        if self.pure:
            return total.epsilon == spent.epsilon
        if total.rho is None or total.rho != spent.rho:
            return False
        return spent.epsilon is None or rho_to_epsilon(total.rho, spent.delta) <= spent.epsilon


@dataclass(frozen=True)
class DoesNotAddUp(Witness):
    """The steps are not what is said to be spent."""

    def __str__(self) -> str:
        return "the steps do not add up to what is said to be spent"


@dataclass(frozen=True)
class TooMuch(Witness):
    """The steps cost more than was promised."""

    def __str__(self) -> str:
        return "the steps cost more than that"


NO_WITNESS: tuple[tuple[str, ...], tuple[int, ...], int] = ((), (), 0)
"""money has no columns and no rows"""


class QueryModel(Protocol):
    """A promise about a release under differential privacy: a frozen dataclass."""

    name: ClassVar[str]
    basis: ClassVar[Basis]
    protects_from: ClassVar[tuple[Threat, ...]]

    def in_words(self) -> str:
        """Say in one sentence what is promised."""

    def price(self, neighbours: Neighbours) -> Price:
        """Return the most that may be spent."""

    def check(self, published: Spending) -> Verdict:
        """Add the steps up and compare."""


def price_for(models: Sequence[QueryModel], neighbours: Neighbours) -> Price:
    """Return the largest price that keeps several promises: the smallest ε and the smallest δ of all.

    >>> from sfumato.query.models import DpPromise
    >>> print(price_for([DpPromise(1, 1e-9), DpPromise(2)], Neighbours.ADD_REMOVE))
    ε = 1
    """
    prices = [model.price(neighbours) for model in models]
    epsilon = min(price.epsilon for price in prices if price.epsilon is not None)
    delta: Decimal = min(price.delta for price in prices)
    return Price.approximate(epsilon, delta) if delta else Price.pure(epsilon)
