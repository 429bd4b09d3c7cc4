"""Suppression of the rarest codes: the oldest remedy, and the baseline that loses.

After Vinterbo, Ohno-Machado, Dreiseitl: "Hiding information by cell suppression" (AMIA 2001). Codes are
ordered by how many records hold them, and the rarest share of them is left out everywhere.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, Solution
from sfumato.codes.methods.asked import exact_share, most_support, questions_of
from sfumato.codes.methods.moles import Known, minimal_moles
from sfumato.codes.methods.suppressing import without_codes
from sfumato.codes.question import Family, Question
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress


@dataclass(frozen=True)
class RareCodes:
    """Leaves out the rarest codes everywhere: ``share`` of all codes, or as few as keep the promise.

    With ``share`` ⌈share · codes⌉ codes are left out, of equally rare ones the first as text; when the
    promise does not hold then, that is said and nothing is published. Without it the fewest codes are left
    out after which the promise holds. Leaving out more never breaks a bound on support: itemsets that
    remain keep their support, and records that look alike go on looking alike.

    What remains is exact, but rare codes are what research on diseases needs: use it to compare with.

    >>> from sfumato.codes.models.k_m_anonymity import KmAnonymity
    >>> sets = CodeSets.of([["a", "b"], ["a", "b"], ["a", "c"]])
    >>> solution = RareCodes().protect(Problem(sets, (KmAnonymity(2, 2),)))
    >>> solution.details["suppressed_codes"], solution.published.record(2)
    (1, ('a',))
    """

    share: float | Fraction | None = None
    name: ClassVar[str] = "rare-codes"
    needs_hierarchy: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.share is not None:
            self._exact(self.share)

    def enforces(self, question: Question) -> bool:
        """Say whether the question bounds support alone."""
        return (
            question.family in (Family.UP_TO, Family.RECORD, Family.LISTED)
            and question.confidence is None
            and question.spread is None
        )

    def protect(self, problem: Problem, *, progress: Progress = SILENT) -> Solution:
        """Leave out codes from the rarest on."""
        sets = problem.sets
        questions = questions_of(problem, self)
        most_support(problem, questions)
        order = np.argsort(sets.supports, kind="stable")
        progress.step("counting how many rare codes must go")
        needed = max(_needed(problem, question, order, progress) for question in questions)
        number = needed
        if self.share is not None:
            number = math.ceil(self._exact(self.share) * len(order))
            if number < needed:
                raise PromiseNotMet(
                    f"leaving out {number} of {len(order)} codes does not keep the promise, {needed} would",
                    where=self.name,
                    remedy=f"raise the share to {needed / len(order):.3g} or more, or lower k",
                )
        gone = np.zeros(len(order), np.bool_)
        gone[order[:number]] = True
        return without_codes(problem, gone, {"needed_share": needed / max(len(order), 1)})

    def _exact(self, share: float | Fraction) -> Fraction:
        remedy = "write 5 % as 0.05, or leave it out to find the smallest"
        return exact_share(share, "the share of codes that are left out", self.name, remedy)


def _needed(problem: Problem, question: Question, order: NDArray[np.int64], progress: Progress) -> int:
    """Return how many of the rarest codes must go for one question."""
    sets = problem.sets
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    if question.family is Family.UP_TO:
        known = np.ones(len(order), np.bool_) if question.sensitive_known else ~problem.marked
        nothing = np.zeros(len(order), np.bool_)
        seen = Known.of(sets.starts, sets.codes, known, nothing)
        moles = minimal_moles(seen, question, question.size or 1, progress)
        # A mole is broken when its rarest code goes.
        first = np.where(moles >= 0, rank[moles], len(order)).min(axis=1, initial=len(order))
        return int(first.max(initial=-1)) + 1
    if question.family is Family.LISTED:
        return max((_needed_for(sets, codes, question, rank) for codes in question.listed), default=0)
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        if _alike(sets, rank >= middle) >= question.support:
            high = middle
        else:
            low = middle + 1
    return low


def _alike(sets: CodeSets, kept: NDArray[np.bool_]) -> int:
    """Return the size of the smallest class of records that show the same codes."""
    classes: dict[bytes, int] = {}
    shown = kept[sets.codes]
    before = np.concatenate([[0], np.cumsum(shown)])[sets.starts]
    codes = sets.codes[shown]
    for start, stop in zip(before[:-1].tolist(), before[1:].tolist(), strict=True):
        key = codes[start:stop].tobytes()
        classes[key] = classes.get(key, 0) + 1
    return min(classes.values(), default=len(sets))


def _needed_for(sets: CodeSets, listed: tuple[str, ...], question: Question, rank: NDArray[np.int64]) -> int:
    """Return how many of the rarest codes must go for one listed itemset (and its parts, where asked)."""
    codes = sorted(sets.positions(listed), key=lambda code: int(rank[code]))
    held = _held(sets, codes)
    if not question.all_or_subsets:
        matched = held[2 ** len(codes) - 1] if len(codes) == len(set(listed)) else 0
        return int(rank[codes[0]]) + 1 if 0 < matched < question.support else 0
    for dropped in range(len(codes)):
        left: Counter[int] = Counter()
        for mask, number in held.items():
            left[mask >> dropped] += number
        if all(
            sum(number for other, number in left.items() if mask & other == mask) >= question.support
            for mask in left
            if mask
        ):
            return int(rank[codes[dropped - 1]]) + 1 if dropped else 0
    return int(rank[codes[-1]]) + 1 if codes else 0


def _held(sets: CodeSets, codes: list[int]) -> Counter[int]:
    """Count the records by which of some codes they hold: bit i stands for the i-th of them."""
    bit_of = {code: bit for bit, code in enumerate(codes)}
    wanted = np.zeros(len(sets.domain), np.bool_)
    wanted[codes] = True
    hits = wanted[sets.codes]
    masks: dict[int, int] = {}
    for record, code in zip(slots_of(sets.starts)[hits].tolist(), sets.codes[hits].tolist(), strict=True):
        masks[record] = masks.get(record, 0) | 1 << bit_of[code]
    return Counter(masks.values())
