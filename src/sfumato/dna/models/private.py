"""(ε, δ)-differential privacy of published statistics of sites, and what it leaves to an attacker.

C. Dwork, F. McSherry, K. Nissim & A. Smith (2006); what it says about tests of membership: L. Wasserman &
S. Zhou (2010); P. Kairouz, S. Oh & P. Viswanath, "The composition theorem for differential privacy" (2015).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict, Witness
from sfumato.dp.exact import Number, exact
from sfumato.dp.rounding import exp_enclosure, float_above

if TYPE_CHECKING:
    from sfumato.dna.contract import Published, Study

LARGEST_EPSILON = 1000
"""beyond, e^ε is a number without meaning, and nothing is promised"""
NOT_SECRET = "not secret"
"""the detail of a release whose noise came from a generator of a test"""


@dataclass(frozen=True)
class NothingSpent(Witness):
    """The figures were published without noise, or without saying what they cost."""

    def __str__(self) -> str:
        return "nothing says that noise was added"


@dataclass(frozen=True)
class SpentTooMuch(Witness):
    """More was spent than was promised."""

    def __str__(self) -> str:
        return "what was spent is more than that"


@dataclass(frozen=True)
class NotSecret(Witness):
    """The noise can be drawn again by whoever knows the seed."""

    def __str__(self) -> str:
        return "the noise was drawn from a test's generator: not to be published"


@dataclass(frozen=True)
class DifferentialPrivacy:
    """What is published is nearly as likely with any one person as with another in their place.

    For all studies D, D′ that differ in one person (``details`` of the release say how: replaced, or one more
    or less) and all sets S of releases:

        Pr[M(D) ∈ S] ≤ e^ε · Pr[M(D′) ∈ S] + δ.

    Kept by the mechanism: the check compares what was spent with what was promised, exactly, and refuses what
    was drawn from a generator of a test. That noise was added nobody can see from the figures.

    Protects from learning whether somebody is in the study, by any test, with any reference panel
    (``auc_bound`` says how well such a test can do). It does not protect relatives together (for g of them it
    is gε), not what is true of everybody, and not several releases together: their ε and δ add up.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> from sfumato.dna.contract import Study
    >>> from sfumato.dna.methods.dp_frequencies import DpFrequencies
    >>> import numpy as np
    >>> study = Study(InMemory(np.zeros((2, 50), np.int8), numbered(2)))
    >>> made = DpFrequencies(1).publish(study, ())
    >>> print(DifferentialPrivacy(1).check(made, study))
    differential-privacy holds: required ε ≤ 1, achieved ε = 1 (for one person replaced by another)
    """

    epsilon: Number
    delta: Number = 0
    name: ClassVar[str] = "differential-privacy"
    basis: ClassVar[Basis] = Basis.MECHANISM
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE, Threat.MEMBERSHIP)

    def __post_init__(self) -> None:
        if not 0 < self.exact_epsilon <= LARGEST_EPSILON:
            raise BadInput(
                f"epsilon must be more than 0 and at most {LARGEST_EPSILON}", where=self.name, remedy="try 1"
            )
        if not 0 <= self.exact_delta < 1:
            raise BadInput(
                "delta must be at least 0 and less than 1", where=self.name, remedy="try 0 or 1e-6"
            )

    @property
    def exact_epsilon(self) -> Fraction:
        """ε as it was written."""
        return exact(self.epsilon, where=f"epsilon of {self.name}")

    @property
    def exact_delta(self) -> Fraction:
        """δ as it was written."""
        return exact(self.delta, where=f"delta of {self.name}")

    def in_words(self) -> str:
        """Say what is promised."""
        beside = f", plus {self.delta}" if self.exact_delta else ""
        return (
            f"nothing that is published is more than e^{self.epsilon} times as likely with any one person as "
            f"with another in their place{beside}"
        )

    def covers(self, spent: Mapping[str, float]) -> bool:
        """Say whether something was spent and no more than is promised."""
        found = _spent(spent)
        return found is not None and found[0] <= self.exact_epsilon and found[1] <= self.exact_delta

    def check(self, published: Published, study: Study) -> Verdict:
        """Compare what was spent with what was promised."""
        named = _spent(published.spent) is not None
        witness: Witness | None = None
        if not named:
            witness = NothingSpent((), (), 0)
        elif not self.covers(published.spent):
            witness = SpentTooMuch((), (), 0)
        elif NOT_SECRET in published.details:
            witness = NotSecret((), (), 0)
        neighbours = published.details.get("neighbours")
        return Verdict(
            self.name,
            witness is None,
            required=f"ε ≤ {self.epsilon}" + (f", δ ≤ {self.delta}" if self.exact_delta else ""),
            achieved=_in_words(published.spent) if named else "no ε",
            basis=self.basis,
            protects_from=self.protects_from,
            witness=witness,
            violations=0 if witness is None else 1,
            note=f"for {neighbours}" if witness is None and neighbours else "",
        )


def auc_bound(epsilon: Number, delta: Number = 0) -> float:
    """Return the largest area under the ROC curve of any test of membership, rounded up.

        AUC ≤ 1 − (1 − δ)² / (1 + e^ε),    which is e^ε / (1 + e^ε) for δ = 0.

    Proof. A test answers "in" with probability x when the person is not in the study (false positives) and y
    when they are (power). (ε, δ)-privacy, used for "in" and for "out", says y ≤ e^ε x + δ and
    1 − x ≤ e^ε (1 − y) + δ: two lines, mirror images of each other in x + y = 1. They meet on that
    diagonal, at x* = (1 − δ)/(1 + e^ε), y* = 1 − x*. Above them, in the corner (0, 1) of the unit square, lie
    two triangles with a side of length 1 − δ on the square's edge (from (0, 1) down to (0, δ), and across to
    (1 − δ, 1)) and height x*: together (1 − δ) x* that no ROC curve reaches. Randomised response reaches the
    rest, so the bound cannot be improved for all mechanisms.

    It also bounds the chance that a member scores above an outsider in one and the same release: with one
    replaced by the other, p ≤ e^ε (1 − p) + δ, that is p ≤ 1 − (1 − δ)/(1 + e^ε), which is no more.

    The step from "in" to "not in" is one person replaced by another. Where neighbours are one person more or
    less, members and outsiders of pools of the same size are two steps apart: ask for 2ε (and for
    δ (1 + e^ε)).

    >>> round(auc_bound(1), 4), round(auc_bound("0.1"), 4), auc_bound(1, 1) == 1.0
    (0.7311, 0.525, True)
    """
    loss, share = exact(epsilon, where="epsilon"), exact(delta, where="delta")
    if loss < 0 or not 0 <= share <= 1:
        raise BadInput("epsilon must be at least 0 and delta between 0 and 1", where="auc_bound")
    if loss > LARGEST_EPSILON:
        return 1.0
    return min(1.0, float_above(1 - (1 - share) ** 2 / (1 + exp_enclosure(loss)[1])))


def power_bound(epsilon: Number, delta: Number, false_positives: float) -> float:
    """Return the largest power of a test of membership at this false positive rate.

    min(1, e^ε x + δ, 1 − e^(−ε) (1 − δ − x)); see ``auc_bound``.

    >>> round(power_bound(1, 0, 0.05), 4)
    0.1359
    """
    if not 0 <= false_positives <= 1:
        raise BadInput("a false positive rate lies between 0 and 1", where="power_bound")
    loss, share = float(exact(epsilon)), float(exact(delta))
    factor = math.exp(min(loss, float(LARGEST_EPSILON) / 2))
    found = min(1.0, factor * false_positives + share, 1 - (1 - share - false_positives) / factor)
    return math.nextafter(found, 2.0) if found < 1 else 1.0


def _spent(spent: Mapping[str, float]) -> tuple[Fraction, Fraction] | None:
    """Return ε and δ as they were written; None where no positive ε is named."""
    if "epsilon" not in spent or not math.isfinite(spent["epsilon"]):
        return None
    epsilon, delta = exact(spent["epsilon"]), exact(spent.get("delta", 0))
    return (epsilon, delta) if epsilon > 0 and delta >= 0 else None


def _in_words(spent: Mapping[str, float]) -> str:
    delta = spent.get("delta", 0)
    return f"ε = {spent['epsilon']:g}" + (f", δ = {delta:g}" if delta else "")
