"""What published rows must answer, checked the slow and obvious way."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Demand

LETTERS = {
    1: "A", 2: "C", 4: "G", 8: "T", 5: "AG", 10: "CT", 6: "CG", 9: "AT", 12: "GT", 3: "AC",
    14: "CGT", 13: "AGT", 11: "ACT", 7: "ACG", 15: "ACGT-", 16: "-",
}  # fmt: skip
GENOTYPES = {1: "0", 2: "1", 4: "2", 3: "01", 6: "12", 7: "012"}


def meaning(rows: Aligned, mask: int) -> frozenset[str]:
    """Return all that a cell may be; whoever writes N also allows for a gap."""
    return frozenset((GENOTYPES if rows.lattice.name == "genotypes" else LETTERS)[mask])


def holds_the_original(published: Aligned, original: Aligned) -> bool:
    """Whether every published cell allows for what stood there."""
    return all(
        meaning(original, int(before)) <= meaning(published, int(after))
        for row_before, row_after in zip(original.cells, published.cells, strict=True)
        for before, after in zip(row_before, row_after, strict=True)
    )


def answers(published: Aligned, demand: Demand, population: Aligned | None = None) -> bool:
    """Whether the demand holds, by going through all sets of positions and all rows."""
    rows = [tuple(int(cell) for cell in row) for row in published.cells]
    positions = list(range(published.width)) if demand.positions is None else sorted(set(demand.positions))
    known = len(positions) if demand.at_a_time is None else min(demand.at_a_time, len(positions))
    for columns in combinations(positions, known):
        if demand.mapped:
            assert population is not None
            if not all(fitting(published, row, columns, population) >= demand.people for row in rows):
                return False
            continue
        who: dict[tuple[int, ...], set[int]] = defaultdict(set)
        for row, person in zip(rows, published.owners.tolist(), strict=True):
            who[tuple(row[at] for at in columns)].add(person)
        if any(len(people) < demand.people for people in who.values()):
            return False
    return all(count >= demand.alike for row in rows for count in Counter(row).values())


def fitting(published: Aligned, row: tuple[int, ...], columns: tuple[int, ...], population: Aligned) -> int:
    """Return how many people of the population a published row may be about."""
    who = set()
    for cells, person in zip(population.cells, population.owners.tolist(), strict=True):
        if all(meaning(population, int(cells[at])) <= meaning(published, row[at]) for at in columns):
            who.add(person)
    return len(who)


def least_loss_of_pairs(rows: Aligned) -> int:
    """Return how many levels the best of all ways to pair rows of single bases climbs."""
    texts = [tuple(int(cell) for cell in row) for row in rows.cells]

    def of(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        one, others = left[0], left[1:]
        return min(
            2 * sum(x != y for x, y in zip(texts[one], texts[other], strict=True))
            + of(tuple(row for row in others if row != other))
            for other in others
        )

    return of(tuple(range(len(texts))))
