"""Breaking every rule that makes a sensitive code too likely, whatever is known (Cao and others, PVLDB 2010).

A rule χ → e tells too much when sup(χ ∪ {e}) / sup(χ) reaches ρ; χ is any itemset, the empty one too, and
may hold sensitive codes. Leaving an item out everywhere breaks the rules that hold it and changes no other,
so rules are broken by the size of χ: 0, 1 and 2 by counting all of them, larger ones through the closed
itemsets of the records with e until none is found.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.methods.moles import Known, codes_that_break, joint_counts, limits, stacked
from sfumato.codes.published import SUPPRESSED
from sfumato.codes.question import Question
from sfumato.codes.sets import CodeSets, read_only, slots_of
from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress

_MOST_AT_ONCE = 500
"""rules about one sensitive item that are gathered before items are chosen"""


@dataclass(frozen=True)
class Inference:
    """What one question forbids to infer from sets whose codes were recoded to items.

    ``sensitive`` marks items and ``loss`` says what leaving one out costs. ``budget`` is how many slots the
    search for one sensitive item may look at before it gives up.
    """

    sets: CodeSets
    question: Question
    sensitive: NDArray[np.bool_] = field(repr=False)
    loss: NDArray[np.int64] = field(repr=False)
    budget: int
    limit: NDArray[np.int64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "limit", limits(self.question, len(self.sets)))

    @property
    def may_be_known(self) -> NDArray[np.bool_]:
        """Which items an adversary may know."""
        return np.ones_like(self.sensitive) if self.question.sensitive_known else ~self.sensitive

    def known(self, item_of: NDArray[np.int64]) -> Known:
        """Lay out all records, code c as item ``item_of[c]``."""
        return _laid_out(self.sets, item_of, self.may_be_known, self.sensitive)

    def beside(self, item_of: NDArray[np.int64], item: int) -> Known:
        """Lay out the records that hold an item, without it: their rules are those with it in χ."""
        holders = np.unique(slots_of(self.sets.starts)[item_of[self.sets.codes] == item])
        others = np.where(item_of == item, SUPPRESSED, item_of)
        return _laid_out(self.sets.take(holders), others, self.may_be_known, self.sensitive)

    def about(self, item_of: NDArray[np.int64], item: int) -> Known:
        """Lay out all records with one sensitive item alone to be told, and what stands beside it."""
        alone = np.zeros_like(self.sensitive)
        alone[item] = True
        holders = np.unique(slots_of(self.sets.starts)[item_of[self.sets.codes] == item])
        useful = np.zeros_like(alone)
        useful[item_of[self.sets.take(holders).codes]] = True
        beside = np.where((item_of >= 0) & useful[item_of], item_of, SUPPRESSED)
        return _laid_out(self.sets, beside, self.may_be_known, alone)

    def is_told(self, known: Known) -> bool:
        """Say whether any rule tells too much."""
        known = _relevant(known)
        if any(len(rules_of(known, self.limit)) for rules_of in (_of_none, _of_one)):
            return True
        return any(len(rows) for rows in self._long_rules(known, np.unique(known.told), SILENT, 1))

    def allows(self, item_of: NDArray[np.int64], item: int) -> bool:
        """Say whether an item that ``item_of`` shows is in no rule that tells too much."""
        if self.sensitive[item] and self.is_told(self.about(item_of, item)):
            return False
        return not (self.may_be_known[item] and self.is_told(self.beside(item_of, item)))

    def break_all(self, known: Known, progress: Progress, also: int = -1) -> NDArray[np.int64]:
        """Return items to leave out everywhere so that no rule is left.

        ``also`` is an item outside that all the records hold, whose loss breaks every rule.
        """
        known = _relevant(known)
        gone: list[NDArray[np.int64]] = []
        for rules_of in (_of_none, _of_one, _of_two):
            progress.update(0.0, f"{sum(map(len, gone))} items left out")
            gone.append(self._choose([rules_of(known, self.limit)], also))
            if also in gone[-1]:
                return np.concatenate(gone)
            known = known.without(gone[-1])
        unsettled = np.unique(known.told)
        while len(unsettled):
            rules = list(self._long_rules(known, unsettled, progress))
            found = [rows for rows in rules if len(rows)]
            if not found:
                break
            gone.append(self._choose(found, also))
            if also in gone[-1]:
                break
            known = known.without(gone[-1])
            # What was not told too often is not now: supports of what remains are the same.
            still = unsettled[[len(rows) > 0 for rows in rules]]
            unsettled = np.intersect1d(still, known.told)
        return np.concatenate(gone)

    def _choose(self, found: list[NDArray[np.int32]], also: int) -> NDArray[np.int64]:
        rows = stacked(found)
        if also >= 0:
            rows = np.concatenate([rows, np.full((len(rows), 1), also, np.int32)], axis=1)
        return codes_that_break(rows, self.loss, np.ones(len(self.loss), np.bool_))[0]

    def _long_rules(
        self, known: Known, told: NDArray[np.int32], progress: Progress, most: int = _MOST_AT_ONCE
    ) -> Iterator[NDArray[np.int32]]:
        """Give for each sensitive item some rules that tell it (or none), filled up with −1."""
        from sfumato.codes.methods._kernels_telling import telling_antecedents

        starts, records = _turned(known.starts, known.items, known.domain)
        told_starts, told_by = _turned(known.told_starts, known.told, known.domain)
        for number, item in enumerate(told.tolist()):
            found_starts, items, ended = telling_antecedents(
                item, known.starts, known.items, starts, records,
                told_by[told_starts[item] : told_starts[item + 1]], self.limit, most, self.budget,
            )  # fmt: skip
            if not ended and len(found_starts) == 1:
                raise PromiseNotMet(
                    "it could not be settled whether long combinations of codes tell a sensitive one",
                    remedy="raise the method's budget, or mark fewer codes as sensitive",
                )
            lengths = np.diff(found_starts)
            rows = np.full((len(lengths), int(lengths.max(initial=0)) + 1), -1, np.int32)
            inside = np.arange(int(lengths.sum())) - np.repeat(found_starts[:-1], lengths)
            rows[np.repeat(np.arange(len(lengths)), lengths), inside] = items
            rows[np.arange(len(lengths)), lengths] = item
            progress.update(number / len(told), f"{number} sensitive codes looked at")
            yield rows


def put_back(
    questions: tuple[Inference, ...], item_of: NDArray[np.int64], gone: NDArray[np.bool_], progress: Progress
) -> NDArray[np.bool_]:
    """Let items return that no longer tell too much, the dearest first; return those that stay out.

    ``item_of`` says what codes are when nothing is left out.
    """
    gone = gone.copy()
    order = np.flatnonzero(gone)
    order = order[np.argsort(-questions[0].loss[order], kind="stable")]
    progress.step("putting codes back that can be shown")
    for number, item in enumerate(order.tolist()):
        gone[item] = False
        trial = np.where((item_of >= 0) & gone[item_of], SUPPRESSED, item_of)
        gone[item] = not all(asked.allows(trial, item) for asked in questions)
        progress.update(number / len(order))
    return gone


def _laid_out(
    sets: CodeSets,
    item_of: NDArray[np.int64],
    may_be_known: NDArray[np.bool_],
    sensitive: NDArray[np.bool_],
) -> Known:
    items = item_of[sets.codes]
    shown = items >= 0
    keys = np.unique(slots_of(sets.starts)[shown] * len(sensitive) + items[shown])
    owner = keys // max(len(sensitive), 1)
    starts = np.zeros(len(sets) + 1, np.int64)
    np.cumsum(np.bincount(owner, minlength=len(sets)), out=starts[1:])
    return Known.of(starts, (keys - owner * len(sensitive)).astype(np.int32), may_be_known, sensitive)


def _relevant(known: Known) -> Known:
    """Leave out items that stand beside no sensitive one: no rule has them in χ."""
    tells = np.diff(known.told_starts) > 0
    useful = np.zeros(known.domain, np.bool_)
    useful[known.items[np.repeat(tells, np.diff(known.starts))]] = True
    useful[known.told] = True
    return known.without(np.flatnonzero(~useful))


def _of_none(known: Known, limit: NDArray[np.int64]) -> NDArray[np.int32]:
    """Rules with nothing known: sensitive items that too many of all records hold."""
    supports = np.bincount(known.told, minlength=known.domain)
    return np.flatnonzero(supports > max(int(limit[len(known)]), 0)).astype(np.int32).reshape(-1, 1)


def _of_one(known: Known, limit: NDArray[np.int64]) -> NDArray[np.int32]:
    """Rules with one item known: rows (known, told)."""
    supports = np.bincount(known.items, minlength=known.domain)
    first, second, together = joint_counts(known)
    bad = together > limit[supports[first]]
    return np.stack([first[bad], second[bad]], axis=1).astype(np.int32)


def _of_two(known: Known, limit: NDArray[np.int64]) -> NDArray[np.int32]:
    """Rules with two items known: rows (known, known, told)."""
    from sfumato.codes.methods._kernels_moles import next_level

    sets, starts, tids = known.singles()
    rows, _, _, _ = next_level(
        0, len(sets), sets, starts, tids, read_only(np.zeros(16), np.int64), known.starts, known.items,
        known.told_starts, known.told, known.domain, limit, True, False,
    )  # fmt: skip
    return rows


def _turned(
    starts: NDArray[np.int64], items: NDArray[np.int32], domain: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the records of each item instead of the items of each record."""
    begins = np.concatenate([[0], np.cumsum(np.bincount(items, minlength=domain))])
    records = slots_of(starts)[np.argsort(items, kind="stable")]
    return read_only(begins, np.int64), read_only(records, np.int32)
