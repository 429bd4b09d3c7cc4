"""Δ-growth: no belief about a person grows by much.

Y. Tao, X. Xiao, J. Li & D. Zhang, "On anti-corruption privacy preserving publication" (2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.table.perturbation.randomisation import prior_of
from sfumato.table.perturbation.randomisation_bounds import (
    gamma_for_growth,
    grows_at_most,
    largest_growth,
    share,
    shown,
)
from sfumato.table.perturbation.randomisation_check import verdict_on
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule


@dataclass(frozen=True)
class DeltaGrowth:
    """A belief about a sensitive value grows by at most Δ by seeing its randomised form.

    For every predicate Q with Pr[Q(X)] ≤ λ (``prior``, 1 unless given) and every published value y:
    Pr[Q(X) | Y = y] − Pr[Q(X)] ≤ Δ.  Over all beliefs it is  γ ≤ ((1 + Δ) / (1 − Δ))².

    Protects from learning a sensitive value, and from inferring something likely about it, also those
    who suspect it already: there ρ1-to-ρ2 privacy is silent. It does not hide what other columns of
    the row tell.

    >>> DeltaGrowth(0.5).gamma
    9.0
    """

    delta: float
    prior: float = 1.0
    name: ClassVar[str] = "delta-growth"
    basis: ClassVar[Basis] = Basis.MECHANISM
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.ATTRIBUTE, Threat.INFERENCE)
    stops: ClassVar[tuple[str, ...]] = ("posterior",)

    def __post_init__(self) -> None:
        share(self.delta, "delta")
        prior_of(self.prior)

    @property
    def gamma(self) -> float:
        """The amplification up to which it holds."""
        limit = gamma_for_growth(share(self.delta, "delta"), prior_of(self.prior))
        assert limit is not None
        return float(limit)

    def in_words(self) -> str:
        """Say what is promised."""
        bound = "" if self.prior == 1 else f" of at most {self.prior:g}"
        return f"no belief{bound} about a sensitive value grows by more than {self.delta:g}"

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """Ask nothing of classes: the promise is the mechanism's."""
        return ()

    def check(self, published: PublishedTable) -> Verdict:
        """Compute the largest growth that any published value can cause."""
        delta, prior = share(self.delta, "delta"), prior_of(self.prior)
        beliefs = "" if prior == 1 else f" for beliefs of at most {shown(prior)}"
        return verdict_on(
            self.name,
            published,
            required=f"growth ≤ {shown(delta)}{beliefs}",
            protects_from=self.protects_from,
            holds=lambda gamma: grows_at_most(gamma, delta, prior),
            achieved=lambda gamma: f"growth = {largest_growth(gamma, prior):.6g}",
        )
