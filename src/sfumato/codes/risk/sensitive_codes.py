"""Which sensitive codes follow from a few public ones: attribute disclosure in sets.

Y. Xu, K. Wang, A. Fu & P. Yu, "Anonymizing transaction databases for publication" (KDD, 2008): an adversary
who knows a set β of at most p public codes of a person learns sensitive code e with confidence
conf(β → e) = sup(β ∪ {e}) / sup(β).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.published import PublishedSets
from sfumato.codes.risk._kernels_subsets import told_by_subsets
from sfumato.codes.risk.matching import CodeRows, Matching
from sfumato.codes.risk.subset_exposure import MOST_SETS
from sfumato.codes.sets import CodeSets, read_only, slots_of
from sfumato.core.attack import in_per_cent
from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress


class TooManySets(BadInput):
    """There are more sets of public codes than may be looked at; what they tell is not known."""


@dataclass(frozen=True)
class SensitiveExposure:
    """People of whom a sensitive code follows from some of their public ones.

    ``certain`` of all ``people`` have public codes, at most ``known`` of them, that only people with one of
    their own sensitive codes hold (confidence 1); ``above`` have some that tell it with a confidence above
    ``threshold``. ``concerned`` people have a sensitive code at all.
    """

    known: int
    threshold: Fraction
    people: int
    concerned: int
    certain: int
    above: int

    def __str__(self) -> str:
        codes = "1 public code" if self.known == 1 else f"up to {self.known} public codes"
        return (
            f"a sensitive code follows from {codes} for {in_per_cent(self.certain / self.people)} of the "
            f"people surely, for {in_per_cent(self.above / self.people)} with a confidence above "
            f"{float(self.threshold):g} ({in_per_cent(self.concerned / self.people)} have one)"
        )


def exact_share(threshold: float | Fraction) -> Fraction:
    """Read a confidence as the decimal that it was written as."""
    with suppress(ValueError):  # what is not finite is no fraction
        exact = Fraction(str(threshold))
        if 0 <= exact < 1 and not isinstance(threshold, bool):
            return exact
    raise BadInput("the confidence to exceed must be at least 0 and below 1", remedy="for example 0.5")


def told_in_file(
    sets: CodeSets,
    sensitive: NDArray[np.bool_],
    up_to: int,
    threshold: float | Fraction = Fraction(1, 2),
    progress: Progress = SILENT,
    *,
    most_sets: int = MOST_SETS,
) -> SensitiveExposure:
    """Measure it on codes as they are; raises ``TooManySets`` when that takes too long.

    >>> sets = CodeSets.of([["401.0", "295"], ["401.0"], ["401.1", "295"]])
    >>> found = told_in_file(sets, sets.sensitive(["295"]), 1, 0.5)
    >>> found.certain, found.above, found.concerned
    (1, 1, 2)
    """
    secret = sensitive[sets.codes]
    public, told = _part(sets.starts, sets.codes, ~secret), _part(sets.starts, sets.codes, secret)
    matching = Matching.of(public, len(sets), 0, len(sets.domain))
    return _told(matching, told, len(sets.domain), up_to, exact_share(threshold), most_sets, progress)


def told_by_release(
    original: CodeSets,
    published: PublishedSets,
    up_to: int,
    threshold: float | Fraction = Fraction(1, 2),
    progress: Progress = SILENT,
    *,
    most_sets: int = MOST_SETS,
) -> SensitiveExposure:
    """Measure it on a release, for an adversary who knows public codes as the person has them.

    A known code is looked for under the public items of a record (a leaf match); what is learned are the
    sensitive items that the person's own record shows. Codes that it does not cover are no help.
    """
    secret = published.items.sensitive[published.shown]
    public = _part(published.starts, published.shown, ~secret)
    told = _part(published.starts, published.shown, secret)
    shown = PublishedSets(published.items, public.starts, public.values.astype(np.int32))
    matching = Matching.leaves(original, shown)
    both = CodeRows(
        np.concatenate([told.starts, told.starts[1:] + told.starts[-1]]),
        np.concatenate([told.values, told.values]),
    )
    return _told(matching, both, len(published.items), up_to, exact_share(threshold), most_sets, progress)


def _part(starts: NDArray[np.int64], values: NDArray[np.int32], kept: NDArray[np.bool_]) -> CodeRows:
    """Keep some slots of a ragged array."""
    counts = np.bincount(slots_of(starts)[kept], minlength=len(starts) - 1)
    return CodeRows(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), values[kept].astype(np.int64))


def _told(
    matching: Matching,
    told: CodeRows,
    number: int,
    up_to: int,
    threshold: Fraction,
    most_sets: int,
    progress: Progress,
) -> SensitiveExposure:
    deepest = max(1, min(up_to, int(matching.lengths.max(initial=0))))
    if sum(matching.work(size) for size in range(1, deepest + 1)) > most_sets:
        raise TooManySets(
            f"there are more than {most_sets} sets of up to {up_to} public codes to look at",
            remedy="ask for fewer known codes",
        )
    above, certain = np.zeros(matching.targets, np.bool_), np.zeros(matching.targets, np.bool_)
    holder_starts, holder_slots = matching.turned
    scratch = matching.scratch(deepest)
    joint = np.zeros(max(number, 1), np.int64)
    told_starts, told_codes = read_only(told.starts, np.int64), read_only(told.values, np.int32)
    most_told = read_only(np.array(_most_told(threshold, len(matching.starts)), np.int64), np.int64)
    progress.step("sensitive codes that follow from public ones")
    for first, last in matching.slices():
        told_by_subsets(
            matching.starts,
            matching.codes,
            matching.record_of,
            holder_starts,
            holder_slots,
            told_starts,
            told_codes,
            matching.targets,
            matching.members,
            deepest,
            most_told,
            first,
            last,
            above,
            certain,
            scratch.places,
            scratch.bounds,
            scratch.counts,
            joint,
            scratch.touched,
        )
        progress.update(last / matching.number)
    concerned = int((np.diff(told.starts)[: matching.targets] > 0).sum())
    return SensitiveExposure(
        up_to, threshold, matching.targets, concerned, int(certain.sum()), int(above.sum())
    )


def _most_told(threshold: Fraction, records: int) -> list[int]:
    """Return for every number of holders how many may have a sensitive code, exactly.

    >>> _most_told(Fraction(1, 3), 6)
    [0, 0, 0, 1, 1, 1, 2]
    """
    return [threshold.numerator * holders // threshold.denominator for holders in range(records + 1)]
