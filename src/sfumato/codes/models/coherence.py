"""What (h,k,p)-coherence and LKC-privacy have in common: two letters for each bound, one promise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.codes.check import answer
from sfumato.codes.models.wording import both_reached, others, verdict, with_sensitive, written
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


class Coherence(ABC):
    """Public items lead to enough records, and few enough of these hold the same sensitive item."""

    k: int
    name: ClassVar[str]
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE)
    stops: ClassVar[tuple[str, ...]] = ("known-codes", "sensitive-code")

    @property
    @abstractmethod
    def known(self) -> int:
        """How many public items may be known."""

    @property
    @abstractmethod
    def confidence(self) -> Fraction:
        """The greatest confidence, exactly as it was written."""

    def in_words(self) -> str:
        """Say what is promised."""
        known = (
            "any public code of a person is"
            if self.known == 1
            else f"any {self.known} public codes of a person are"
        )
        return (
            f"{known} shared with {others(self.k)}, "
            f"of whom at most a share of {written(self.confidence)} has the same sensitive code"
        )

    def question(self) -> Question:
        """Public itemsets of so many items need k records and a confidence within the bound."""
        return Question(Family.UP_TO, self.k, self.known, confidence=self.confidence)

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Count holders and their sensitive items for every public itemset of at most so many items."""
        found = answer(with_sensitive(published, self.name), self.question())
        known = f"{self.known} public item{'s' * (self.known != 1)}"
        required = f"k ≥ {self.k} and confidence ≤ {written(self.confidence)} for any {known}"
        return verdict(self, found, required, both_reached(found, self.confidence))
