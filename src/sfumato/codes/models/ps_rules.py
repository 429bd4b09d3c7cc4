"""PS-rules: what a rule's public codes find is not few, and does not tell its sensitive codes.

Loukides, Gkoulalas-Divanis, Shao: "Anonymizing transaction data to eliminate sensitive inferences" (DEXA
2010); "Efficient and flexible anonymization of transaction data" (Knowledge and Information Systems 2013).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.codes.check import answer
from sfumato.codes.models.wording import (
    as_sets,
    both_reached,
    check_whole,
    code_lists,
    never_shown,
    others,
    share,
    verdict,
    written,
)
from sfumato.codes.published import PublishedSets
from sfumato.codes.question import Family, Question
from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class PsRules:
    """Each rule I → J: I is matched by at least k records or none, of which at most a share c matches J.

    For every listed I → J, with sup(p) = |{r : every code of p lies under an item that r shows}|:
    sup(I) = 0,  or  sup(I) ≥ k and sup(I ∪ J) / sup(I) ≤ c.

    A rule is a pair of lists of codes, what is known and what must not be learned from it; J is learned when
    all of it is. The rules belong to the steward: the promise cannot be checked from the release alone.

    Protects from finding a person's record by the I of a rule, and from learning its J by it. It does not
    protect from combinations for which there is no rule.

    >>> sets = PublishedSets.of([["a"], [["b", "c"], "s"], [["b", "c"]]])
    >>> print(PsRules(2, 0.5, [(["b"], ["s"])]).check(sets))
    ps-rules holds: required k ≥ 2 and confidence ≤ 0.5 for 1 rule, achieved k = 2, confidence 0.5
    """

    k: int
    c: float | Fraction
    rules: Iterable[tuple[Iterable[str], Iterable[str]]] = field(repr=False)
    name: ClassVar[str] = "ps-rules"
    basis: ClassVar[Basis] = Basis.ORIGINAL
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY, Threat.ATTRIBUTE)
    stops: ClassVar[tuple[str, ...]] = ()
    """none: an adversary may know codes for which there is no rule"""

    def __post_init__(self) -> None:
        check_whole(self.k, "k", self.name)
        share(self.c, "c", self.name)
        given: Any = self.rules
        listed = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else []
        pairs = [tuple(rule) if isinstance(rule, list | tuple) else () for rule in listed]
        if not pairs or any(len(pair) != 2 for pair in pairs):
            raise BadInput(
                "rules must be pairs of what is known and what is told",
                where=self.name,
                remedy="write each as two lists of codes",
            )
        known = code_lists([pair[0] for pair in pairs], "rules", self.name)
        told = code_lists([pair[1] for pair in pairs], "rules", self.name)
        for number, (one, other) in enumerate(zip(known, told, strict=True), 1):
            if set(one) & set(other):
                raise BadInput(
                    f"rule {number} tells a code that it takes as known",
                    where=self.name,
                    remedy="name a code on one side only",
                )
        object.__setattr__(self, "rules", tuple(zip(known, told, strict=True)))

    @property
    def _known(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(known) for known, _ in self.rules)

    @property
    def _told(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(told) for _, told in self.rules)

    @property
    def confidence(self) -> Fraction:
        """The greatest confidence, exactly as it was written."""
        return share(self.c, "c", self.name)

    def in_words(self) -> str:
        """Say what is promised."""
        number = len(self._known)
        rules = "the listed rule" if number == 1 else f"each of {number} listed rules"
        return (
            f"the known codes of {rules} are shared with {others(self.k)}, "
            f"of whom at most a share of {written(self.confidence)} has what it tells"
        )

    def question(self) -> Question:
        """Listed antecedents need k records and a confidence of at most c, by leaf match."""
        return Question(
            Family.LISTED,
            self.k,
            listed=self._known,
            told=self._told,
            confidence=self.confidence,
            leaves=True,
        )

    def check(self, published: PublishedSets | Disassociated) -> Verdict:
        """Count the records that match each rule."""
        sets = as_sets(published, self.name)
        found = answer(sets, self.question())
        number = len(self._known)
        required = (
            f"k ≥ {self.k} and confidence ≤ {written(self.confidence)} for {number} rule{'s' * (number != 1)}"
        )
        achieved = "nobody has what they take as known"
        if found.support is not None:
            achieved = both_reached(found, self.confidence)
        return verdict(self, found, required, achieved, never_shown(sets, self._known, "rule"))
