"""Privacy constraints: the combinations of codes that a policy lists find nobody.

Loukides, Gkoulalas-Divanis, Malin: "COAT: constraint-based anonymization of transactions" (Knowledge and
Information Systems 2011); "Anonymization of electronic medical records for validating genome-wide
association studies" (PNAS 2010).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from sfumato.codes.check import answer
from sfumato.codes.models.wording import (
    as_sets,
    check_choice,
    check_whole,
    code_lists,
    never_shown,
    others,
    support_reached,
    verdict,
)
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated

Wording = Literal["strict", "plain"]


@dataclass(frozen=True)
class PrivacyConstraints:
    """Each listed set of codes is matched by at least k records or by none.

    For every listed p, with sup(p) = |{r : every code of p lies under an item that r shows}|:
    sup(p) ≥ k, or sup(p) = 0 and (with ``wording="strict"``) for every ∅ ≠ q ⊂ p: sup(q) = 0 or sup(q) ≥ k.

    With ``wording="plain"`` nothing is asked of the parts of a set that nobody matches, so that suppressing
    one code of it is enough even when the others alone find a person. Codes that never occur are matched by
    no record. The constraints belong to the steward: they may list combinations that exist and are rare, so
    that the promise cannot be checked from the release alone.

    Protects from finding a person's record by one of the listed combinations, and by nothing else.

    >>> sets = PublishedSets.of([[["a", "b"], "c"], [["a", "b"], "c"], ["d"]])
    >>> print(PrivacyConstraints(2, [["a", "c"], ["b", "c"]]).check(sets))
    privacy-constraints holds: required k ≥ 2 for 2 constraints, achieved k = 2
    """

    k: int
    constraints: Iterable[Iterable[str]] = field(repr=False)
    wording: Wording = "strict"
    name: ClassVar[str] = "privacy-constraints"
    basis: ClassVar[Basis] = Basis.ORIGINAL
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)
    stops: ClassVar[tuple[str, ...]] = ()
    """none: an adversary may know codes that are not listed together"""

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)
        object.__setattr__(self, "constraints", code_lists(self.constraints, "constraints", self.name))
        check_choice(self.wording, get_args(Wording), "wording", self.name)
        if not self._listed:
            raise BadInput("there are no constraints", where=self.name, remedy="list at least one")

    @property
    def _listed(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(codes) for codes in self.constraints)

    def in_words(self) -> str:
        """Say what is promised."""
        number = len(self._listed)
        listed = (
            "the listed combination of codes"
            if number == 1
            else f"each of {number} listed combinations of codes"
        )
        return f"{listed} is shared with {others(self.k)}, or nobody has it"

    def question(self) -> Question:
        """Listed itemsets need k records, by leaf match."""
        return Question(
            Family.LISTED,
            self.k,
            listed=self._listed,
            leaves=True,
            all_or_subsets=self.wording == "strict",
        )

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Count the records that match each constraint."""
        sets = as_sets(published, self.name)
        found = answer(sets, self.question())
        number = len(self._listed)
        required = f"k ≥ {self.k} for {number} constraint{'s' * (number != 1)}"
        achieved = "nobody has any of them" if found.support is None else support_reached(found)
        return verdict(self, found, required, achieved, never_shown(sets, self._listed, "constraint"))
