"""k^m-anonymity: nobody is found by m of their codes.

Terrovitis, Mamoulis, Kalnis: "Privacy-preserving anonymization of set-valued data" (PVLDB 2008);
"Local and global recoding methods for anonymizing set-valued data" (VLDB Journal 2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from sfumato.codes.check import answer
from sfumato.codes.models.wording import as_sets, check_choice, check_whole, others, support_reached, verdict
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated

Match = Literal["node", "leaf"]


@dataclass(frozen=True)
class KmAnonymity:
    """Every choice of at most m items that some record shows is shown by at least k records.

    For all itemsets S with 1 ≤ |S| ≤ m and sup(S) > 0:  sup(S) = |{r : S ⊆ r}| ≥ k.

    Sensitive items are items like all others. With ``match="node"`` an itemset is a choice of items as they
    are shown. With ``match="leaf"`` it is a choice of original codes p, and a record counts when every code
    of p lies under some item that it shows. The first implies the second: to every code of p belongs an
    item of the record, and whoever shows the same items matches p. When every code is always shown as the
    same item, both say the same. When m is at least the length of the longest record, every itemset may be
    known. Data without any item satisfy it.

    Protects from finding a person's record by up to m of their codes. It does not protect from those who
    know more than m, nor from learning what all k candidates share.

    >>> sets = PublishedSets.of([["a", "b"], ["a", "b"], ["a"]])
    >>> print(KmAnonymity(2, 2).check(sets))
    k-m-anonymity holds: required k ≥ 2 for any 2 items, achieved k = 2
    """

    k: int
    m: int
    match: Match = "node"
    name: ClassVar[str] = "k-m-anonymity"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ("known-codes",)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)
        check_whole(self.m, "m", self.name)
        check_choice(self.match, get_args(Match), "way to match", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        known = "any code of a person is" if self.m == 1 else f"any {self.m} codes of a person are"
        return f"{known} shared with {others(self.k)}"

    def question(self) -> Question:
        """Itemsets of at most m items need k records."""
        return Question(Family.UP_TO, self.k, self.m, sensitive_known=True, leaves=self.match == "leaf")

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Count the records of every itemset of at most m items."""
        found = answer(as_sets(published, self.name), self.question())
        what = ("code" if self.match == "leaf" else "item") + "s" * (self.m != 1)
        return verdict(self, found, f"k ≥ {self.k} for any {self.m} {what}", support_reached(found))
