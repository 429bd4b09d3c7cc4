"""t-closeness for cohorts: those who share p public codes have sensitive codes about as often as all.

After Li, Li, Venkatasubramanian: "t-closeness: privacy beyond k-anonymity and l-diversity" (ICDE 2007), with
the cohorts of Xu, Wang, Fu, Yu (KDD 2008) in the place of classes of equal quasi-identifiers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.codes.check import answer
from sfumato.codes.models.wording import check_whole, per_unit, share, verdict, with_sensitive, written
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class CohortCloseness:
    """Among those who show at most p public items, each sensitive item is as common as in all records, ± t.

    For all public itemsets β with 1 ≤ |β| ≤ p and sup(β) > 0:
    max over sensitive e of | sup(β ∪ {e}) / sup(β) − sup({e}) / N | ≤ t.

    A sensitive item that nobody of a cohort has lies as far from its share as one that all of them have lies
    on the other side: both tell something.

    Protects from learning more about a person's sensitive codes than the release tells about everybody, by
    up to p public codes. A cohort may be small: it does not protect from finding a person's record.

    >>> sets = PublishedSets.of([["a", "s"], ["a"], ["b", "s"], ["b", "s"]], sensitive=["s"])
    >>> print(CohortCloseness(0.25, 1).check(sets))
    cohort-t-closeness holds: required distance ≤ 0.25 for any 1 public item, achieved distance 0.25
    """

    t: float | Fraction
    p: int
    name: ClassVar[str] = "cohort-t-closeness"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.ATTRIBUTE, Threat.INFERENCE)
    stops: ClassVar[tuple[str, ...]] = ("sensitive-code",)

    def __post_init__(self) -> None:
        share(self.t, "t", self.name)
        check_whole(self.p, "p", self.name)

    @property
    def spread(self) -> Fraction:
        """The greatest distance, exactly as it was written."""
        return share(self.t, "t", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        known = "a public code" if self.p == 1 else f"any {self.p} public codes"
        return (
            f"those who share {known} have each sensitive code as often as everybody, "
            f"within {written(self.spread)}"
        )

    def question(self) -> Question:
        """Public itemsets of at most p items keep the shares of sensitive items."""
        return Question(Family.UP_TO, size=self.p, spread=self.spread)

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Compare every cohort of at most p public items with all records."""
        found = answer(with_sensitive(published, self.name), self.question())
        required = f"distance ≤ {written(self.spread)} for any {self.p} public item{'s' * (self.p != 1)}"
        if found.spread is None:
            return verdict(self, found, required, "no codes to know")
        sign = "" if found.exact else "≥ "
        return verdict(self, found, required, f"distance {sign}{per_unit(found.spread, self.spread)}")
