"""The public tier: how many people there are of each sort, small numbers left out.

One recipe can make two tiers: person-level data for who may have them, and counts for everybody. Counts
are those of the released (already generalised) values; a count below ``smallest`` is left out, and so is
the next one when the sum of those left out would itself be small, or would tell one of them: who knows the
total could compute it.
The default of 11 is the one that the US Centers for Medicare & Medicaid Services ask for in tables.

Counts of one table alone are safe from subtraction in this way; several tables about the same people are
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.engine.contract import Table

PERSONS = "persons"


@dataclass(frozen=True)
class PublicTier:
    """The columns to count by, and the smallest number that is shown."""

    by: tuple[str, ...]
    smallest: int = 11

    def __post_init__(self) -> None:
        if not self.by:
            raise BadInput(
                "the public tier counts by no column", where="tiers", remedy="list some under 'by'"
            )
        if self.smallest < 2:
            raise BadInput("'smallest' must be at least 2", where="tiers", remedy="try 11")
        if PERSONS in self.by:
            raise BadInput(f"the column name '{PERSONS}' is taken by the counts", where="tiers")


@dataclass(frozen=True)
class Counts:
    """The counts that may be shown, sorted by their labels, and the number of those that may not."""

    data: pa.Table
    left_out: int


def shown(counts: Sequence[int], smallest: int) -> list[bool]:
    """Say which counts are shown.

    >>> shown([30, 20, 3], 11)
    [True, False, False]
    >>> shown([30, 20, 6, 7], 11), shown([30, 20], 11)
    ([True, True, False, False], [True, True])

    Whoever knows that 30 are left out, one of them fewer than 11 and none more than 20, knows them all:

    >>> shown([30, 20, 20, 10], 11)
    [True, False, False, False]
    """
    order = sorted(range(len(counts)), key=lambda place: (counts[place], place))
    kept = [True] * len(counts)
    persons = 0
    for hidden, place in enumerate(order):
        enough = hidden > 1 and persons >= smallest and not _told(hidden, persons, counts[place], smallest)
        if counts[place] >= smallest and (not hidden or enough):
            break
        kept[place] = False
        persons += counts[place]
    return kept


def _told(hidden: int, persons: int, next_count: int, smallest: int) -> bool:
    """Say whether the least of some hidden counts follows from their sum, none being above the next one."""
    lowest = max(1, persons - (hidden - 1) * next_count)
    highest = min(smallest - 1, persons // hidden)
    # Below 2 there is only 1, whatever else is hidden.
    return smallest > 2 and lowest >= highest


def count_people(table: Table, tier: PublicTier, person: str | None) -> Counts:
    """Count the persons (or rows) of every combination and leave small numbers out."""
    batches = list(table.engine.count(table, list(tier.by), person=person))
    found = pa.Table.from_batches(batches)
    numbers = [int(number) for number in found.column(len(tier.by) + 1).to_pylist()]
    keep = shown(numbers, tier.smallest)
    if not any(keep):
        raise PromiseNotMet(
            f"every count of the public tier is below {tier.smallest}",
            where="tiers",
            remedy="count by fewer columns, or generalise more",
        )
    columns = [found.column(i) for i in range(len(tier.by))] + [pa.array(numbers, pa.int64())]
    table_ = pa.table(columns, names=[*tier.by, PERSONS]).filter(pa.array(keep))
    ordered = table_.sort_by([(name, "ascending") for name in tier.by])
    return Counts(ordered, keep.count(False))
