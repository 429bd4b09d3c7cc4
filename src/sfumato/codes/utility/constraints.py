"""Utility constraints: codes that analysts need told apart from all others.

G. Loukides, A. Gkoulalas-Divanis & B. Malin, COAT (Knowledge and Information Systems, 2011) and
"Anonymization of electronic medical records for validating genome-wide association studies" (PNAS, 2010).

A constraint u is *satisfied* when every item that the release shows lies inside u or outside of it (none
crosses), and at most a share s of the occurrences of its codes is suppressed. If none is, a record of the
release shows an item inside u exactly when the person has a code of u: counts of cases survive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets, slots_of
from sfumato.codes.utility.contract import same_records
from sfumato.codes.utility.covering import Covering
from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured

if TYPE_CHECKING:
    from sfumato.codes.disassociated import Disassociated


@dataclass(frozen=True)
class ConstraintKept:
    """What became of one utility constraint."""

    crossing: int
    """items shown that lie partly inside"""
    occurrences: int
    """of its codes, in the original"""
    suppressed: int
    """of these, left out"""
    before: int
    """records of the original with at least one of its codes"""
    after: int
    """records of the release that surely hold one: they show an item inside"""
    possible: int
    """records of the release that may hold one"""
    satisfied: bool

    @property
    def same_count(self) -> bool:
        """Whether its cases can be counted from the release, exactly."""
        return self.before == self.after == self.possible


@dataclass(frozen=True)
class ConstraintsKept:
    """What became of all utility constraints, in their order. Prints as a sentence."""

    constraints: tuple[ConstraintKept, ...]
    merged_outside: int
    """items of several codes that lie in no constraint: nobody allowed these codes to be merged"""

    @property
    def satisfied(self) -> int:
        """How many constraints are satisfied."""
        return sum(one.satisfied for one in self.constraints)

    def __str__(self) -> str:
        counts = sum(one.same_count for one in self.constraints)
        outside = (
            f"; {self.merged_outside:,} items merge codes of no constraint" if self.merged_outside else ""
        )
        return (
            f"{self.satisfied:,} of {len(self.constraints):,} utility constraints satisfied, "
            f"cases counted as before in {counts:,}{outside}"
        )


@dataclass(frozen=True)
class Sides:
    """For some codes: which items lie inside, and which lie partly inside."""

    inside: NDArray[np.bool_] = field(repr=False)
    touching: NDArray[np.bool_] = field(repr=False)

    @classmethod
    def of(cls, published: PublishedSets, codes: Iterable[str]) -> Sides:
        """Compare each item with the codes."""
        items = published.items
        wanted = set(codes)
        of_domain = np.array([code in wanted for code in items.domain], np.bool_)
        slots = slots_of(items.starts)
        within = np.bincount(slots[of_domain[items.codes]], minlength=len(items))
        return cls((within == np.diff(items.starts)) & (within > 0), within > 0)

    def records(self, published: PublishedSets, marked: NDArray[np.bool_]) -> int:
        """Count the records that show a marked item."""
        return records_with(published.starts, marked[published.shown])


def records_with(starts: NDArray[np.int64], marked: NDArray[np.bool_]) -> int:
    """Count the rows of a ragged array that have a marked slot."""
    return len(np.unique(slots_of(starts)[marked]))


def constraints_kept(
    original: CodeSets,
    published: PublishedSets,
    utility: Sequence[Iterable[str]],
    suppressed: float | Fraction = 0,
) -> ConstraintsKept:
    """Judge every utility constraint; up to a share ``suppressed`` of its occurrences may be left out.

    Codes of a constraint that never occur do not matter. Items that no record shows do not, either.

    >>> original = CodeSets.of([["296.00", "296.01"], ["296.00", "401"]])
    >>> published = PublishedSets.of([[["296.00", "296.01"]], [["296.00", "296.01"], "401"]])
    >>> print(constraints_kept(original, published, [["296.00", "296.01"], ["296.00", "401"]]))
    1 of 2 utility constraints satisfied, cases counted as before in 1
    """
    same_records(original, published)
    limit = Fraction(str(suppressed))
    if not 0 <= limit <= 1:
        raise BadInput("the share that may be suppressed must lie between 0 and 1", remedy="for example 0.05")
    covering = Covering.of(original, published)
    shown = published.supports > 0
    several = published.items.sizes > 1
    allowed = np.zeros(len(published.items), np.bool_)
    found = []
    for constraint in utility:
        codes = set(constraint)
        sides = Sides.of(published, codes)
        allowed |= sides.inside
        mine = np.array([code in codes for code in original.domain], np.bool_)[original.codes]
        total, lost = int(mine.sum()), int((mine & covering.suppressed).sum())
        crossing = int((sides.touching & ~sides.inside & shown).sum())
        found.append(
            ConstraintKept(
                crossing=crossing,
                occurrences=total,
                suppressed=lost,
                before=records_with(original.starts, mine),
                after=sides.records(published, sides.inside),
                possible=sides.records(published, sides.touching),
                satisfied=crossing == 0 and lost * limit.denominator <= limit.numerator * total,
            )
        )
    return ConstraintsKept(tuple(found), int((shown & several & ~allowed).sum()))


@dataclass(frozen=True)
class ConstraintsBroken:
    """The share of the utility constraints that a release does not satisfy.

    ``suppressed`` is the share of the occurrences of a constraint's codes that may be left out.
    """

    constraints: tuple[tuple[str, ...], ...]
    suppressed: float = 0.0
    name: ClassVar[str] = "constraints-broken"
    title: ClassVar[str] = "utility constraints not satisfied"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the utility constraints across which codes were merged or lost"

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Judge them; None where there are no constraints."""
        if not isinstance(published, PublishedSets) or not self.constraints:
            return None
        kept = constraints_kept(original, published, self.constraints, self.suppressed)
        return Measured(
            1 - kept.satisfied / len(kept.constraints),
            {
                "constraints": len(kept.constraints),
                "satisfied": kept.satisfied,
                "same case counts": sum(one.same_count for one in kept.constraints),
                "items crossing": sum(one.crossing for one in kept.constraints),
                "items merged outside": kept.merged_outside,
            },
        )


@dataclass(frozen=True)
class CaseCounts:
    """The share of a list of diseases whose cases and controls cannot be counted as before.

    A case of a disease has at least one of its codes; a control has none. In the release a record surely is
    a case when it shows an item inside the disease's codes, and may be one when it shows an item that
    touches them. Counts survive when the cases of the original, the sure ones and the possible ones
    are equally many. The validation of genome-wide association studies rests on such counts (PNAS, 2010).

    >>> original = CodeSets.of([["296.00", "296.01"], ["296.00", "401"]])
    >>> published = PublishedSets.of([[["296.00", "296.01"]], [["296.00", "296.01"], "401"]])
    >>> CaseCounts({"bipolar": ("296.00", "296.01")}).of(original, published).value
    0.0
    """

    diseases: Mapping[str, tuple[str, ...]]
    name: ClassVar[str] = "case-counts"
    title: ClassVar[str] = "diseases whose cases cannot be counted"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the diseases whose numbers of cases and controls changed"

    def of(self, original: CodeSets, published: PublishedSets | Disassociated) -> Measured | None:
        """Count cases before and after; None where no disease of the list occurs."""
        if not isinstance(published, PublishedSets):
            return None
        names = list(self.diseases)
        judged = constraints_kept(original, published, [self.diseases[name] for name in names]).constraints
        occurring = [(name, one) for name, one in zip(names, judged, strict=True) if one.before]
        if not occurring:
            return None
        kept = sum(one.same_count for _, one in occurring)
        details: dict[str, int | float | str] = {
            "diseases": len(occurring),
            "kept": kept,
            "not in the data": len(names) - len(occurring),
        }
        for name, one in occurring:
            after = str(one.after) if one.after == one.possible else f"{one.after} to {one.possible}"
            details[f"cases of {name}"] = f"{one.before} before, {after} after"
        return Measured(1 - kept / len(occurring), details)
