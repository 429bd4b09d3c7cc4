"""(h,k,p)-coherence: p public codes neither find a person nor tell a private code.

Xu, Wang, Fu, Yu: "Anonymizing transaction databases for publication" (KDD 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.codes.models.coherence import Coherence
from sfumato.codes.models.wording import check_whole, share


@dataclass(frozen=True)
class HkpCoherence(Coherence):
    """At most p public items lead to at least k records, and at most a share h of these has a sensitive item.

    For all public itemsets β with 1 ≤ |β| ≤ p and sup(β) > 0:
    sup(β) ≥ k  and  max over sensitive e of sup(β ∪ {e}) / sup(β) ≤ h.

    ``h`` is the greatest confidence, a share: Xu and others write it in per cent (their h = 80 % is 0.8
    here), others as 1/h (their h = 2 is 0.5 here). An itemset that breaks it is called a mole.

    Protects from finding a person's record, and from learning a sensitive code, by up to p public codes. It
    does not protect from those who know sensitive codes: ``RhoUncertainty`` does.

    >>> from sfumato.codes.published import PublishedSets
    >>> sets = PublishedSets.of([["a", "s"], ["a"], ["a", "b"], ["a", "b", "s"]], sensitive=["s"])
    >>> HkpCoherence(0.5, 2, 2).check(sets).achieved, HkpCoherence(0.49, 2, 2).check(sets).holds
    ('k = 2, confidence 0.5', False)
    """

    h: float | Fraction
    k: int
    p: int
    name: ClassVar[str] = "hkp-coherence"

    def __post_init__(self) -> None:
        share(self.h, "h", self.name)
        check_whole(self.k, "k", self.name)
        check_whole(self.p, "p", self.name)

    @property
    def confidence(self) -> Fraction:
        """The greatest confidence, exactly as it was written."""
        return share(self.h, "h", self.name)

    @property
    def known(self) -> int:
        """How many public items may be known."""
        return self.p
