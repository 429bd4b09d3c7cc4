"""LKC-privacy: L known codes find K records, of which no more than a share C has a sensitive code.

Mohammed, Fung, Hung, Lee: "Anonymizing healthcare data: a case study on the blood transfusion service"
(KDD 2009), here for sets of codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.codes.check import answer
from sfumato.codes.models.wording import (
    both_reached,
    check_whole,
    others,
    share,
    verdict,
    with_sensitive,
    written,
)
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class LkcPrivacy:
    """At most L public items lead to at least K records, and at most a share C of these has a sensitive item.

    For all public itemsets q with 1 ≤ |q| ≤ L and sup(q) > 0:
    sup(q) ≥ K  and  sup(q ∪ {s}) / sup(q) ≤ C for every sensitive s.

    For sets it asks the same as ``HkpCoherence(h=C, k=K, p=L)``; it is named apart because the literature and
    its users do.

    Protects from finding a person's record, and from learning a sensitive code, by up to L public codes; not
    from those who know more, or sensitive ones.

    >>> sets = PublishedSets.of([["a", "s"], ["a"], ["a", "b"], ["a", "b", "s"]], sensitive=["s"])
    >>> LkcPrivacy(l=2, k=2, c=0.4).check(sets).holds
    False
    """

    l: int  # noqa: E741 - the letter of the model's name
    k: int
    c: float | Fraction
    name: ClassVar[str] = "lkc-privacy"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE)
    stops: ClassVar[tuple[str, ...]] = ("known-codes", "sensitive-code")

    def __post_init__(self) -> None:
        check_whole(self.l, "l", self.name)
        check_whole(self.k, "k", self.name)
        share(self.c, "c", self.name)

    @property
    def confidence(self) -> Fraction:
        """The greatest confidence, exactly as it was written."""
        return share(self.c, "c", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        known = "any public code leads" if self.l == 1 else f"any {self.l} public codes lead"
        return (
            f"{known} to a person and {others(self.k)}, "
            f"of whom at most a share of {written(self.confidence)} has the same sensitive code"
        )

    def question(self) -> Question:
        """Public itemsets of at most L items need K records and a confidence of at most C."""
        return Question(Family.UP_TO, self.k, self.l, confidence=self.confidence)

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Count holders and their sensitive items for every public itemset of at most L items."""
        found = answer(with_sensitive(published, self.name), self.question())
        known = f"{self.l} public item{'s' * (self.l != 1)}"
        required = f"k ≥ {self.k} and confidence ≤ {written(self.confidence)} for any {known}"
        return verdict(self, found, required, both_reached(found, self.confidence))
