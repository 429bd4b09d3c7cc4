"""ρ1-to-ρ2 privacy: who thought something unlikely does not come to think it likely.

A. Evfimievski, J. Gehrke & R. Srikant, "Limiting privacy breaches in privacy preserving data mining"
(2003).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.perturbation.randomisation import beliefs
from sfumato.table.perturbation.randomisation_bounds import highest_belief, shown
from sfumato.table.perturbation.randomisation_check import verdict_on
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule


@dataclass(frozen=True)
class RhoPrivacy:
    """A belief of at most ρ1 about a sensitive value becomes one of at most ρ2 by seeing its randomised form.

    For every predicate Q and every published value y:  Pr[Q(X)] ≤ ρ1  implies  Pr[Q(X) | Y = y] ≤ ρ2.
    Equivalent to  ρ2(1 − ρ1) / (ρ1(1 − ρ2)) ≥ γ, the amplification of the mechanism; what was believed
    with at least ρ2 then stays at or above ρ1, too.

    Protects from learning a sensitive value, and from inferring something likely about it. It takes as
    the belief before what is believed by those who know the rest of the row: it does not hide what other
    columns tell. It says nothing about beliefs above ρ1: see Δ-growth.

    >>> RhoPrivacy(0.1, 0.5).gamma
    9.0
    """

    rho1: float
    rho2: float
    name: ClassVar[str] = "rho-privacy"
    basis: ClassVar[Basis] = Basis.MECHANISM
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.ATTRIBUTE, Threat.INFERENCE)
    stops: ClassVar[tuple[str, ...]] = ("posterior",)

    def __post_init__(self) -> None:
        beliefs(self.rho1, self.rho2)

    @property
    def gamma(self) -> float:
        """The amplification up to which it holds."""
        before, after = beliefs(self.rho1, self.rho2)
        return float(after * (1 - before) / (before * (1 - after)))

    def in_words(self) -> str:
        """Say what is promised."""
        return (
            f"whoever believes something about a sensitive value with at most {self.rho1:g} believes it "
            f"with at most {self.rho2:g} afterwards"
        )

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """Ask nothing of classes: the promise is the mechanism's."""
        return ()

    def check(self, published: PublishedTable) -> Verdict:
        """Compute the highest belief that any published value can lead to."""
        before, after = beliefs(self.rho1, self.rho2)
        return verdict_on(
            self.name,
            published,
            required=f"belief {shown(before)} → at most {shown(after)}",
            protects_from=self.protects_from,
            holds=lambda gamma: highest_belief(gamma, before) <= after,
            achieved=lambda gamma: f"{shown(before)} → {shown(highest_belief(gamma, before))}",
        )
