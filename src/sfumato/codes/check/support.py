"""How many records hold each itemset: of at most m items, of any size, of a whole record."""

from __future__ import annotations

import numpy as np

from sfumato.codes.check._kernels_count import held_by_fewest
from sfumato.codes.check._kernels_whole import holders_of_records
from sfumato.codes.check.findings import Answer, RecordWitness
from sfumato.codes.check.known import FIRST_ROWS, Known, Seen
from sfumato.codes.question import ItemsetWitness
from sfumato.core.errors import BadInput

MOST_WORK = 100_000_000_000
"""steps after which counting is given up: some minutes"""


def witness_of(seen: Seen, things: tuple[int, ...], size: int, joint: int | None = None) -> ItemsetWitness:
    """Name the first rows that hold an itemset, and where its items stand in the release."""
    rows = seen.rows(things)[:FIRST_ROWS] + 1
    items = tuple(sorted(seen.names[list(things)].tolist()))
    return ItemsetWitness(("codes",), tuple(rows.tolist()), size, items, joint)


def up_to(seen: Seen, known: Known, size: int, least: int, every: bool) -> Answer:
    """Count every itemset of at most ``size`` items, the small ones first.

    When a record has no more items than that, every itemset may be known and whole records say it all.
    """
    looked, violations, work = 0, 0, MOST_WORK
    fewest: int | None = None
    worst: tuple[int, ...] = ()
    widest = known.widest
    for items in range(1, min(size, known.longest) + 1):
        if items == 1:
            found = len(known.supports)
            broken = int((known.supports < least).sum())
            lowest = int(known.supports[0])
            numbers = np.zeros(1, np.int64)
        else:
            numbers = np.zeros(items, np.int64)
            found, broken, lowest, work = held_by_fewest(
                items,
                known.starts,
                known.items,
                known.weights,
                known.begins,
                known.places,
                known.owners,
                widest,
                least,
                not every,
                work,
                numbers,
            )
            if work < 0 and not violations + broken:
                return _beyond_counting(seen, known, items, least)
        looked += found
        violations += broken
        if fewest is None or lowest < fewest:
            fewest, worst = lowest, known.things(numbers)
        if (broken and not every) or work < 0:
            break
        if not every and size >= known.longest:
            return of_any_size(seen, known, least, every)
    witness = witness_of(seen, worst, fewest) if fewest is not None else None
    exact = not violations or (every and work >= 0) or fewest == 1
    return Answer(violations == 0, exact, looked, violations, fewest, witness=witness)


def _beyond_counting(seen: Seen, known: Known, items: int, least: int) -> Answer:
    """Ask for more when counting takes too long: no itemset is held by fewer than a whole record is."""
    answer = of_any_size(seen, known, least, every=False)
    if answer.holds:
        return Answer(True, False, answer.looked_at, 0, answer.support)
    raise BadInput(
        f"itemsets of {items} items are too many to be counted, so that the promise could not be checked",
        where="published sets",
        remedy="choose a smaller m, or leave long records out",
    )


def of_any_size(seen: Seen, known: Known, least: int, every: bool) -> Answer:
    """Count who holds all of a record: no itemset of it is held by fewer."""
    looked, broken, fewest, whose = holders_of_records(
        known.starts,
        known.items,
        known.weights,
        known.begins,
        known.places,
        known.owners,
        least,
        not every,
    )
    if whose < 0:
        return Answer(True, True, 0, 0)
    things = known.things(known.items[known.starts[whose] : known.starts[whose + 1]])
    exact = not broken or every or fewest == 1
    return Answer(broken == 0, exact, looked, broken, fewest, witness=witness_of(seen, things, fewest))


def of_records(seen: Seen, known: Known, least: int) -> Answer:
    """Count the records that show exactly the same; one that shows nothing is a record like others."""
    if not len(known.weights):
        return Answer(True, True, 0, 0)
    broken = int((known.weights < least).sum())
    whose = int(np.argmin(known.weights))
    fewest = int(known.weights[whose])
    things = known.things(known.items[known.starts[whose] : known.starts[whose + 1]])
    alike = np.flatnonzero(seen.record_of == whose)[:FIRST_ROWS]
    rows = tuple((alike + 1).tolist())
    witness = RecordWitness(("codes",), rows, fewest, tuple(sorted(seen.names[list(things)].tolist())))
    return Answer(broken == 0, True, len(known.weights), broken, fewest, witness=witness)
