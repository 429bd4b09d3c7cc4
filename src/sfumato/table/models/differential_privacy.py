"""(ε, δ)-differential privacy of released records: nobody's taking part changes much of what is seen.

C. Dwork, K. Kenthapadi, F. McSherry, I. Mironov & M. Naor, "Our data, ourselves" (2006). For records
that are sampled, generalised without looking at them, and suppressed in small classes: N. Li, W. Qardaji
& D. Su, "On sampling, anonymization, and differential privacy" (2012); R. Bild, K. A. Kuhn & F. Prasser,
"SafePub: a truthful data anonymization algorithm with strong privacy guarantees" (2018).
"""

from __future__ import annotations

import decimal
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.published import PublishedTable
from sfumato.table.rule import Rule

DIGITS = 60
SMALLEST_EPSILON = 0.01
"""below, the sample holds less than one record in a hundred"""
LARGEST_EPSILON = 8
"""beyond, classes need tens of thousands of records, and the promise says next to nothing"""
SMALLEST_DELTA = 1e-100
_ROUNDING = 1e-9
"""a count this close above a whole number is taken as just below it, which only adds to δ"""
_NEGLIGIBLE = 1e-18


@dataclass(frozen=True)
class SampledRecords(Mechanism):
    """How records came into a release: by sampling, generalising and suppressing small classes.

    Each record was taken with probability ``beta``, generalised in a way that depends on its own values
    alone, and left out where fewer than ``k`` of the sample look like it. ``epsilon`` is what this part
    spends, ``search_epsilon`` what was spent on choosing the generalisation.
    """

    k: int = 1
    beta: Fraction = Fraction(1)
    epsilon: Fraction = Fraction(0)
    search_epsilon: Fraction = Fraction(0)


@dataclass(frozen=True)
class NoMechanism(Witness):
    """Nothing is published of how the records came into the release."""

    def __str__(self) -> str:
        return "no mechanism is published that could keep it"


@dataclass(frozen=True)
class NotCovered(Witness):
    """A column that the mechanism says nothing about."""

    def __str__(self) -> str:
        return f"the column '{self.columns[0]}' is released beside what the mechanism covers"


@dataclass(frozen=True)
class DifferentialPrivacy:
    """What is seen is nearly as likely with any one person as without.

    For all tables D, D′ that differ in one person's record, and all sets S of releases:
    Pr[M(D) ∈ S] ≤ e^ε · Pr[M(D′) ∈ S] + δ.

    Protects from learning that somebody took part, and whatever would follow from it. It is checked
    from the published mechanism and from the release, whose classes must be as large as that says; that
    the records were drawn in secret nobody can check afterwards. It covers the columns that were
    generalised, so there may be no other; it does not cover what is true of people whether or not they
    take part, nor several releases together: their ε and δ add up.

    >>> DifferentialPrivacy(1, 1e-6)
    DifferentialPrivacy(epsilon=1, delta=1e-06)
    """

    epsilon: float
    delta: float
    name: ClassVar[str] = "differential-privacy"
    basis: ClassVar[Basis] = Basis.MECHANISM
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE, Threat.MEMBERSHIP)
    stops: ClassVar[tuple[str, ...]] = ("linkage", "membership")

    def __post_init__(self) -> None:
        check_parameters(self.epsilon, self.delta)

    def in_words(self) -> str:
        """Say what is promised."""
        return (
            f"nothing that is seen is more than e^{self.epsilon:g} times as likely, plus {self.delta:g}, "
            "with any one person as without"
        )

    def rules(self, schema: Schema) -> tuple[Rule, ...]:
        """Ask nothing of classes: the promise is the mechanism's."""
        return ()

    def check(self, published: PublishedTable) -> Verdict:
        """Recompute what the mechanism spends, and see that the release is one that it can make."""
        limit = Fraction(str(self.epsilon))
        found = [m for m in published.mechanisms if isinstance(m, SampledRecords)]
        if not found:
            return self._verdict("nothing", NoMechanism((), (), 0))
        mechanism = found[-1]
        spent = mechanism.epsilon + mechanism.search_epsilon
        reached = delta_of(mechanism.k, mechanism.epsilon, mechanism.beta)
        achieved = (
            f"ε = {float(spent):.6g}, δ = {reached:.3g} "
            f"(a sample of {float(mechanism.beta):.4g}, classes of {mechanism.k} or more)"
        )
        beside = [name for name in published.table.names if name not in {*published.quasi, published.person}]
        if beside:
            return self._verdict(achieved, NotCovered(tuple(beside[:1]), (), 0))
        small = published.class_persons < mechanism.k
        if small.any():
            return self._verdict(achieved, published.witness(small), int(small.sum()))
        if spent > limit or reached > self.delta:
            return self._verdict(achieved, NoMechanism((), (), 0))
        return self._verdict(achieved, None)

    def _verdict(self, achieved: str, witness: Witness | None, violations: int = 1) -> Verdict:
        return Verdict(
            self.name,
            witness is None,
            required=f"ε ≤ {self.epsilon:g}, δ ≤ {self.delta:g}",
            achieved=achieved,
            basis=self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=0 if witness is None else violations,
            note="for one record more or less" if witness is None else "",
        )


def check_parameters(epsilon: float, delta: float) -> None:
    """Refuse an ε or a δ that promises next to nothing, or that leaves next to nothing."""
    if isinstance(epsilon, bool) or not SMALLEST_EPSILON <= epsilon <= LARGEST_EPSILON:
        raise BadInput(
            f"epsilon must lie between {SMALLEST_EPSILON} and {LARGEST_EPSILON}",
            where=DifferentialPrivacy.name,
            remedy="try epsilon: 1",
        )
    if isinstance(delta, bool) or not SMALLEST_DELTA <= delta < 1:
        raise BadInput(
            "delta must be more than 1e-100 and less than 1",
            where=DifferentialPrivacy.name,
            remedy="take less than 1 / persons, such as 1e-6",
        )


def as_decimal(number: float | Fraction) -> Decimal:
    """Read a number as it is written, to many digits."""
    exact = Fraction(str(number))
    with decimal.localcontext(prec=DIGITS):
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def delta_of(k: int, epsilon: Fraction, beta: Fraction) -> float:
    """Return the δ of sampling with β and suppressing classes below k, at ε (1 when ε is too small for β).

    δ = max over n ≥ ⌈k/γ − 1⌉ of Σ_{j > γn} C(n, j) β^j (1 − β)^(n−j),  γ = (e^ε − 1 + β) / e^ε.

    The sums fall with n, but not steadily: they are computed until the bound of Chernoff and Hoeffding,
    exp(−n(γ ln(γ/β) + (1 − γ) ln((1 − γ)/(1 − β)))), which does fall steadily, is below the largest that
    was seen. What rounding may have taken away is added.

    >>> round(delta_of(34, Fraction(1), Fraction(632, 1000)), 6)
    0.000846
    """
    if beta <= 0:
        return 0.0
    if not spends_at_most(beta, epsilon):
        return 1.0
    kept = 1.0 - float(beta)
    gamma = 1.0 - math.exp(-float(epsilon)) * kept
    rate = gamma * math.log(gamma / float(beta)) + (1.0 - gamma) * math.log((1.0 - gamma) / kept)
    n = max(1, math.ceil(k / gamma - 1.0 - _ROUNDING))
    largest = 0.0
    while math.exp(-rate * n) > largest:
        first = math.floor(n * gamma - _ROUNDING) + 1
        largest = max(largest, _tail(n, first, float(beta)))
        n += 1
    return largest * (1.0 + _ROUNDING)


def spends_at_most(beta: Fraction, epsilon: Fraction) -> bool:
    """Say whether β ≤ 1 − e^−ε, to sixty digits: otherwise taking a record at all betrays too much."""
    with decimal.localcontext(prec=DIGITS):
        return as_decimal(beta) <= 1 - (-as_decimal(epsilon)).exp()


def _tail(n: int, first: int, beta: float) -> float:
    """Return the probability that at least ``first`` of n are taken; from there on the terms only fall."""
    ways = math.lgamma(n + 1) - math.lgamma(first + 1) - math.lgamma(n - first + 1)
    term = math.exp(ways + first * math.log(beta) + (n - first) * math.log1p(-beta))
    odds = beta / (1.0 - beta)
    total = 0.0
    for j in range(first, n + 1):
        total += term
        if term < total * _NEGLIGIBLE:
            break
        term *= (n - j) / (j + 1) * odds
    return total
