"""Sensitive code: what the records that agree with a person's public codes have in common.

The adversary of Y. Xu, K. Wang, A. W.-C. Fu and P. S. Yu, "Anonymizing transaction databases for
publication", KDD 2008; with sensitive codes among what is known, that of J. Cao, P. Karras, C. Raïssi and
K.-L. Tan, "ρ-uncertainty: inference-proof transaction anonymization", PVLDB 3(1), 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.attacks.contract import (
    Knowledge,
    Target,
    as_records,
    check_alignment,
    check_known,
    people_to_attack,
    records_of,
)
from sfumato.codes.attacks.scoring import most_exposed
from sfumato.codes.attacks.searched import Searched, drawn
from sfumato.codes.published import Items
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.core.attack import AttackResult, Need, Scored
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat


@dataclass(frozen=True)
class SensitiveCode:
    """From at most m codes β of a person, claim the sensitive item that most records with β show.

    With n records that agree with β, j of which show the sensitive item e, the adversary is j / n sure that
    the person has a code of e, and claims the e with the greatest j; an e that stands for a code of β is no
    news. Success is the share of people about whom the claim is right; the adversary is sure when j = n.

    With ``choose="worst"`` those codes are known that make the adversary most sure, with ``"random"`` any m,
    by ``seed``. ``public`` codes alone are known unless it is set to false.

    The **baseline** is the same claim from the same codes with the person's own record taken out; without
    any other record that agrees, it is a blind guess: the sensitive item that most records show. Where
    nobody knows which record is whose, nothing can be taken out and the baseline is the blind guess.

    (h,k,p)-coherence and LKC-privacy bound the confidence of whoever knows a code of a person by h (C); who
    knows none is as sure as the item is common. t-closeness of cohorts bounds it by the item's share in all
    records plus t, ρ-uncertainty by ρ for known sensitive codes and for none, too. k^m-anonymity does not
    bound it: k records that agree may all show the item.

    >>> from sfumato.codes.published import PublishedSets
    >>> from sfumato.codes.sets import CodeSets
    >>> sets = CodeSets.of([["a", "s"], ["a", "s"], ["b"], ["b", "s"]])
    >>> shown = PublishedSets.as_it_is(sets, sets.sensitive(["s"]))
    >>> found = SensitiveCode(m=1).run(shown, Knowledge(sets, aligned=True))
    >>> found.certain, found.success
    (2, 0.75)
    """

    m: int = 2
    choose: str = "worst"
    public: bool = True
    seed: int = 0
    name: ClassVar[str] = "sensitive-code"
    title: ClassVar[str] = "infers a sensitive code from what records with a person's codes have in common"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL, Need.SENSITIVE})

    def __post_init__(self) -> None:
        check_known(self.m, self.choose, self.seed, self.name)

    def run(
        self, target: Target, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Claim something about everybody in the original."""
        people = people_to_attack(knowledge, self.name)
        records = records_of(target, self.name)
        published = as_records(target, self.name)
        check_alignment(target, knowledge, self.name)
        if not published.items.sensitive.any():
            raise BadInput(
                "no published code is marked as sensitive, so that there is nothing to learn",
                where=self.name,
                remedy="say which codes are sensitive",
            )
        searched = Searched.of(published)
        worst = self.choose == "worst"
        known = searched.known(people, public=self.public, own=knowledge.aligned and worst)
        taken = searched.telling(known, self.m, sensitive=True) if worst else drawn(known, self.m, self.seed)
        own = np.arange(len(people), dtype=np.int64) if knowledge.aligned else None
        found = searched.agreeing(taken, own, sensitive=True)
        truth = _Truth(people, published.items)
        support = searched.sensitive_support
        guess = np.full(len(people), int(np.argmax(support)), np.int64)
        candidates = found.candidates
        nobody = candidates == 0
        claim, joint = found.claims
        right = truth(np.where(nobody, guess, claim))
        blind = truth(guess)
        baseline = blind
        if knowledge.aligned:
            without, _ = found.claims_without
            left = candidates - found.own
            baseline = truth(np.where(left == 0, guess, without))
        top = int(np.argmax(np.where(nobody, 0.0, joint / np.maximum(candidates, 1))))
        sure = ~nobody & (joint == candidates)
        return AttackResult(
            self.name,
            self.threat,
            len(people),
            float(right.mean()),
            float(baseline.mean()),
            float(blind.mean()),
            certain=int(np.count_nonzero(sure)),
            highest=float(joint[top] / max(int(candidates[top]), 1)),
            scored=Scored.MEASURED,
            details={
                "most codes known": self.m,
                "records that agree with the surest claim": int(candidates[top]),
                "of them with what is claimed": int(joint[top]),
                "people about whom the adversary is sure and right": int(np.count_nonzero(sure & right)),
                "records": records,
            },
            note="; ".join(_notes(published.items, knowledge.aligned)),
            victims=most_exposed(joint, candidates) if victims else (),
        )


def _notes(items: Items, aligned: bool) -> Iterator[str]:
    if (items.sizes[items.sensitive] > 1).any():
        yield "a claim is about an item, which may stand for several sensitive codes"
    if not aligned:
        yield "which record is whose is not known: the baseline is a guess"


class _Truth:
    """Says whether people have a code of an item that is claimed of them."""

    def __init__(self, people: CodeSets, items: Items) -> None:
        place = {code: position for position, code in enumerate(people.domain)}
        code_of = np.array([place.get(code, -1) for code in items.domain], np.int64)[items.codes]
        there = items.sensitive[slots_of(items.starts)] & (code_of >= 0)
        item, code = slots_of(items.starts)[there], code_of[there]
        order = np.argsort(code, kind="stable")
        begins = np.searchsorted(code[order], np.arange(len(people.domain) + 1))
        many = np.diff(begins)[people.codes]
        offset = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        items_of = item[order][np.repeat(begins[people.codes], many) + offset]
        self._width = max(len(items), 1)
        self._keys = np.unique(np.repeat(slots_of(people.starts), many) * self._width + items_of)

    def __call__(self, claims: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Compare the claim about each person with the truth; no claim is not right."""
        asked = np.arange(len(claims)) * self._width + claims
        return np.isin(asked, self._keys) & (claims >= 0)
