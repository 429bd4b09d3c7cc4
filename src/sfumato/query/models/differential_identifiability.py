"""Differential identifiability of a whole release: the chance of being picked out, ρ, instead of ε.

J. Lee & C. Clifton, "Differential identifiability" (2012); the mathematics is in ``dp/identifiability.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.dp.exact import as_decimal, exact
from sfumato.dp.identifiability import DifferentialIdentifiability, at_most, exact_rho, rho_to_epsilon
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.query.models.contract import NO_WITNESS, DoesNotAddUp, Spending, TooMuch


@dataclass(frozen=True)
class IdentifiabilityPromise:
    """Nobody among m people who are equally likely before is picked out with more than probability ρ.

        Pr[person i is in D | release, all others] ≤ ρ  for every i of the m.

    It is the ε whose ρ among m people is no more: ρ = 1 / (1 + (m − 1) e^(−ε)) between people who replace
    each other. Where ε is for one person more or less, the step from one to another is two, and ε counts
    twice. No δ is spent: ρ would then hold but for some releases.

    Protects from being identified as the one person whom the adversary does not know yet. It does not bound
    an adversary who suspects somebody already, nor what is learnt about everybody.

    >>> round(IdentifiabilityPromise(0.05, 100).price(Neighbours.SUBSTITUTION).epsilon, 6)
    Decimal('1.650681')
    """

    rho: float | str
    m: int
    name: ClassVar[str] = "differential-identifiability"
    basis: ClassVar[Basis] = Basis.MECHANISM
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.MEMBERSHIP)

    def __post_init__(self) -> None:
        self.price(Neighbours.ADD_REMOVE)

    def in_words(self) -> str:
        """Say what is promised."""
        return DifferentialIdentifiability(self.rho, self.m).in_words()

    def price(self, neighbours: Neighbours) -> Price:
        """Return the largest ε that keeps ρ."""
        return Price.pure(as_decimal(rho_to_epsilon(self.rho, self.m, neighbours=neighbours)))

    def check(self, published: Spending) -> Verdict:
        """Add the steps up and turn them into ρ."""
        total, promised = published.total, exact(self.rho)
        witness: Witness | None = None
        achieved = "no ρ"
        if not published.adds_up:
            witness = DoesNotAddUp(*NO_WITNESS)
        elif not published.pure or total is None or total.epsilon is None:
            witness = TooMuch(*NO_WITNESS)
        else:
            steps = 2 if published.neighbours is Neighbours.ADD_REMOVE else 1
            reached = exact_rho(exact(total.epsilon) * steps, self.m)
            achieved = f"ρ = {at_most(reached)} among {self.m:,}"
            witness = TooMuch(*NO_WITNESS) if reached > promised else None
        return Verdict(
            self.name,
            witness is None,
            required=f"ρ ≤ {at_most(promised)} among {self.m:,}",
            achieved=achieved,
            basis=self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=0 if witness is None else 1,
            note=f"for {published.neighbours.in_words}" if witness is None else "",
        )
