"""ρ-uncertainty: no codes at all, public or sensitive, make sure of another sensitive code.

Cao, Karras, Raïssi, Tan: "ρ-uncertainty: inference-proof transaction anonymization" (PVLDB 2010).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.codes.check import answer
from sfumato.codes.models.wording import confidence_reached, share, verdict, with_sensitive, written
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class RhoUncertainty:
    """Whatever is known of a person, every other sensitive item is less than ρ sure.

    For all itemsets χ of any size, the empty one too, that some record holds, and all sensitive e ∉ χ:
    sup(χ ∪ {e}) / sup(χ) < ρ.

    Sensitive items may be known as well. Of all itemsets with the same holders among those who have e, the
    largest tells most about e, so the check goes through the closed itemsets of the records with e. Where
    these are too many it says that it could not check, never that it holds.

    Protects from learning a sensitive code by any other codes. It does not keep a person's record from being
    found; beside that, ``KmAnonymity`` can be asked for.

    >>> sets = PublishedSets.of([["a", "s"], ["a", "b"], ["a", "b", "s"], ["b"]], sensitive=["s"])
    >>> print(RhoUncertainty(0.7).check(sets))
    rho-uncertainty holds: required confidence < 0.7, achieved confidence 0.6667
    """

    rho: float | Fraction
    name: ClassVar[str] = "rho-uncertainty"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.ATTRIBUTE,)
    stops: ClassVar[tuple[str, ...]] = ("sensitive-code",)

    def __post_init__(self) -> None:
        share(self.rho, "rho", self.name)

    @property
    def confidence(self) -> Fraction:
        """The bound, exactly as it was written."""
        return share(self.rho, "rho", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        return f"no codes of a person make another sensitive code {written(self.confidence)} sure"

    def question(self) -> Question:
        """Any itemset must have a confidence below ρ."""
        return Question(Family.ANY, confidence=self.confidence, below=True, sensitive_known=True)

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Go through the closed itemsets of those who have a sensitive item, for each of them."""
        found = answer(with_sensitive(published, self.name), self.question())
        required = f"confidence < {written(self.confidence)}"
        return verdict(self, found, required, confidence_reached(found, self.confidence))
