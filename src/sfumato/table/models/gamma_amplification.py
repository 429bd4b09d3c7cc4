"""γ-amplification: what is published would have been almost as likely for any other value.

A. Evfimievski, J. Gehrke & R. Srikant, "Limiting privacy breaches in privacy preserving data mining"
(2003).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.perturbation.randomisation_bounds import exactly, shown
from sfumato.table.perturbation.randomisation_check import verdict_on
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule


@dataclass(frozen=True)
class GammaAmplification:
    """No sensitive value makes a published one more than γ times as likely as another value does.

    For every published value y and sensitive values x1, x2:  P[x1 → y] ≤ γ · P[x2 → y].
    It is local differential privacy with ε = ln γ, for one record and the columns that are randomised.

    Protects from learning a sensitive value, and from inferring something likely about it: odds change
    at most γ times. It does not hide what other columns of the row tell.

    >>> GammaAmplification(9)
    GammaAmplification(gamma=9)
    """

    gamma: float
    name: ClassVar[str] = "gamma-amplification"
    basis: ClassVar[Basis] = Basis.MECHANISM
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.ATTRIBUTE, Threat.INFERENCE)
    stops: ClassVar[tuple[str, ...]] = ("posterior",)

    def __post_init__(self) -> None:
        if exactly(self.gamma, "gamma") < 1:
            raise BadInput("gamma must be at least 1", where=self.name, remedy="try gamma: 9")

    def in_words(self) -> str:
        """Say what is promised."""
        return f"no sensitive value is more than {self.gamma:g} times as likely as another to show as it does"

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """Ask nothing of classes: the promise is the mechanism's."""
        return ()

    def check(self, published: PublishedTable) -> Verdict:
        """Compute the amplification of the published mechanisms."""
        limit = exactly(self.gamma, "gamma")
        return verdict_on(
            self.name,
            published,
            required=f"γ ≤ {shown(limit)}",
            protects_from=self.protects_from,
            holds=lambda gamma: gamma is not None and gamma <= limit,
            achieved=lambda gamma: f"γ = {shown(gamma)}" if gamma is not None else "γ is unbounded",
        )
