"""LKC-privacy: L known codes find K records, of which no more than a share C has a sensitive code.

Mohammed, Fung, Hung, Lee: "Anonymizing healthcare data: a case study on the blood transfusion service"
(KDD 2009), here for sets of codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sfumato.codes.models.coherence import Coherence
from sfumato.codes.models.wording import check_whole, share


@dataclass(frozen=True)
class LkcPrivacy(Coherence):
    """At most L public items lead to at least K records, and at most a share C of these has a sensitive item.

    For all public itemsets q with 1 ≤ |q| ≤ L and sup(q) > 0:
    sup(q) ≥ K  and  sup(q ∪ {s}) / sup(q) ≤ C for every sensitive s.

    For sets it asks the same as ``HkpCoherence(h=C, k=K, p=L)``; it is named apart because the literature and
    its users do.

    Protects from finding a person's record, and from learning a sensitive code, by up to L public codes; not
    from those who know more, or sensitive ones.

    >>> from sfumato.codes.published import PublishedSets
    >>> sets = PublishedSets.of([["a", "s"], ["a"], ["a", "b"], ["a", "b", "s"]], sensitive=["s"])
    >>> LkcPrivacy(l=2, k=2, c=0.4).check(sets).holds
    False
    """

    l: int  # noqa: E741 - the letter of the model's name
    k: int
    c: float | Fraction
    name: ClassVar[str] = "lkc-privacy"

    def __post_init__(self) -> None:
        check_whole(self.l, "l", self.name)
        check_whole(self.k, "k", self.name)
        share(self.c, "c", self.name)

    @property
    def confidence(self) -> Fraction:
        """The greatest confidence, exactly as it was written."""
        return share(self.c, "c", self.name)

    @property
    def known(self) -> int:
        """How many public items may be known."""
        return self.l
