"""(h,k,p)-coherence: p public codes neither find a person nor tell a private code.

Xu, Wang, Fu, Yu: "Anonymizing transaction databases for publication" (KDD 2008).
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
class HkpCoherence:
    """At most p public items lead to at least k records, and at most a share h of these has a sensitive item.

    For all public itemsets β with 1 ≤ |β| ≤ p and sup(β) > 0:
    sup(β) ≥ k  and  max over sensitive e of sup(β ∪ {e}) / sup(β) ≤ h.

    ``h`` is the greatest confidence, a share: Xu and others write it in per cent (their h = 80 % is 0.8
    here), others as 1/h (their h = 2 is 0.5 here). An itemset that breaks it is called a mole.

    Protects from finding a person's record, and from learning a sensitive code, by up to p public codes. It
    does not protect from those who know sensitive codes: ``RhoUncertainty`` does.

    >>> sets = PublishedSets.of([["a", "s"], ["a"], ["a", "b"], ["a", "b", "s"]], sensitive=["s"])
    >>> HkpCoherence(0.5, 2, 2).check(sets).achieved, HkpCoherence(0.49, 2, 2).check(sets).holds
    ('k = 2, confidence 0.5', False)
    """

    h: float | Fraction
    k: int
    p: int
    name: ClassVar[str] = "hkp-coherence"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE)
    stops: ClassVar[tuple[str, ...]] = ("known-codes", "sensitive-code")

    def __post_init__(self) -> None:
        share(self.h, "h", self.name)
        check_whole(self.k, "k", self.name)
        check_whole(self.p, "p", self.name)

    @property
    def confidence(self) -> Fraction:
        """The greatest confidence, exactly as it was written."""
        return share(self.h, "h", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        known = "any public code" if self.p == 1 else f"any {self.p} public codes"
        return (
            f"{known} of a person are shared with {others(self.k)}, "
            f"of whom at most a share of {written(self.confidence)} has the same sensitive code"
        )

    def question(self) -> Question:
        """Public itemsets of at most p items need k records and a confidence of at most h."""
        return Question(Family.UP_TO, self.k, self.p, confidence=self.confidence)

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Count holders and their sensitive items for every public itemset of at most p items."""
        found = answer(with_sensitive(published, self.name), self.question())
        known = f"{self.p} public item{'s' * (self.p != 1)}"
        required = f"k ≥ {self.k} and confidence ≤ {written(self.confidence)} for any {known}"
        return verdict(self, found, required, both_reached(found, self.confidence))
