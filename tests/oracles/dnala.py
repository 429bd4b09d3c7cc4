"""DNALA by trying every partition: slow, obvious, and without the code under test.

Sets are Python sets of names. A group publishes at each position the smallest set of the lattice that holds
all of its own; the loss is how much larger the published sets are, counted by the levels of the lattice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sfumato.hierarchy.iupac import Lattice

Row = Sequence[int]


def join(lattice: Lattice, masks: Sequence[int]) -> int:
    """The written set of least level that holds all of these, found by looking at every spelling."""
    if len(set(masks)) == 1:
        return masks[0]
    gap = lattice.gap
    if gap is not None and gap in masks:
        return lattice.top
    holding = [mask for mask in lattice.masks.values() if all(mask & one == one for one in masks)]
    return min(holding, key=lambda mask: int(lattice.levels[mask]))


def distance(lattice: Lattice, x: Row, y: Row) -> int:
    """The sum over positions of 2·level(z) − level(x) − level(y)."""
    level = lattice.levels
    return sum(int(2 * level[join(lattice, [a, b])] - level[a] - level[b]) for a, b in zip(x, y, strict=True))


def loss_of_group(lattice: Lattice, rows: Sequence[Row]) -> int:
    """How much the levels of these rows grow when all become their join."""
    total = 0
    for column in zip(*rows, strict=True):
        up = int(lattice.levels[join(lattice, column)])
        total += sum(up - int(lattice.levels[mask]) for mask in column)
    return total


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """Every way to divide items into groups."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for at, group in enumerate(smaller):
            yield [*smaller[:at], [first, *group], *smaller[at + 1 :]]


def least_loss(lattice: Lattice, rows: Sequence[Row], persons: Sequence[int], k: int) -> int | None:
    """The least loss of all partitions into groups of at least k persons; None where there is none."""
    found: int | None = None
    for division in partitions(list(range(len(rows)))):
        if all(len({persons[at] for at in group}) >= k for group in division):
            loss = sum(loss_of_group(lattice, [rows[at] for at in group]) for group in division)
            found = loss if found is None else min(found, loss)
    return found


def least_pairing(lattice: Lattice, rows: Sequence[Row], persons: Sequence[int]) -> int | None:
    """The least sum of distances of all perfect pairings of rows of different persons."""
    if not rows:
        return 0
    found: int | None = None
    for other in range(1, len(rows)):
        if persons[0] == persons[other]:
            continue
        left = [at for at in range(1, len(rows)) if at != other]
        rest = least_pairing(lattice, [rows[at] for at in left], [persons[at] for at in left])
        if rest is not None:
            sum_ = rest + distance(lattice, rows[0], rows[other])
            found = sum_ if found is None else min(found, sum_)
    return found
