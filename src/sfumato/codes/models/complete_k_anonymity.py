"""Complete k-anonymity, in its two meanings: by what a person has, and by how a record looks.

He, Naughton: "Anonymization of set-valued data via top-down, local generalization" (PVLDB 2009) asks for
identical records. Where *k^m-anonymity for every m* is called complete k-anonymity, only itemsets are meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sfumato.codes.check import answer
from sfumato.codes.models.wording import as_sets, check_whole, others, support_reached, verdict
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class CompleteItemsetAnonymity:
    """Whatever items a record shows, and however many of them: at least k records show them.

    For all itemsets S with |S| ≥ 1 and sup(S) > 0:  sup(S) = |{r : S ⊆ r}| ≥ k.

    It is k^m-anonymity for every m, and is checked on whole records, whose sets no subset falls below.
    A record may still look like no other, when others show all of its items and more: whoever knows also
    what a person does *not* have finds it. ``CompleteKAnonymity`` forbids that, too.

    Protects from finding a person's record by any of their codes; not from learning what all k candidates
    share.

    >>> sets = PublishedSets.of([["a", "b"], ["a", "b"], ["a"]])
    >>> print(CompleteItemsetAnonymity(2).check(sets))
    complete-itemset-k-anonymity holds: required k ≥ 2 for any items, achieved k = 2
    """

    k: int
    name: ClassVar[str] = "complete-itemset-k-anonymity"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ("known-codes",)

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        return f"any codes of a person are shared with {others(self.k)}"

    def question(self) -> Question:
        """Itemsets of any size need k records."""
        return Question(Family.ANY, self.k, sensitive_known=True)

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Count for every record those who show all of its items."""
        found = answer(as_sets(published, self.name), self.question())
        return verdict(self, found, f"k ≥ {self.k} for any items", support_reached(found))


@dataclass(frozen=True)
class CompleteKAnonymity:
    """Every record looks exactly like at least k − 1 others.

    For all records r:  |{r' : r' = r}| ≥ k.

    It implies ``CompleteItemsetAnonymity``. Records that show nothing are alike and are counted, too.

    Protects from finding a person's record by everything that is known of their codes, also by codes that
    they do not have; not from learning what all k candidates share.

    >>> sets = PublishedSets.of([["a", "b"], ["a", "b"], ["a"]])
    >>> print(CompleteKAnonymity(2).check(sets))
    complete-k-anonymity does not hold: required k ≥ 2, achieved k = 1; 1 record shows exactly 1 item (row 3)
    """

    k: int
    name: ClassVar[str] = "complete-k-anonymity"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ("known-codes", "whole-set")

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        return f"everybody's codes look the same as those of {others(self.k)}"

    def question(self) -> Question:
        """Records that look the same are at least k."""
        return Question(Family.RECORD, self.k, sensitive_known=True)

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Count the records that look the same."""
        found = answer(as_sets(published, self.name), self.question())
        return verdict(
            self, found, f"k ≥ {self.k}", "no records" if found.support is None else support_reached(found)
        )
