"""What a release of sets has lost, counted the slow way over Python sets.

A record of the original is a set of codes; a published record is a set of items, an item a set of codes.
Nothing here is shared with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from fractions import Fraction
from itertools import chain, combinations

Codes = frozenset[str]
Shown = frozenset[Codes]


def covering(shown: Shown, code: str) -> Codes | None:
    """Return the smallest item that holds a code; of equally small ones the first by its codes as text."""
    found = [item for item in shown if code in item]
    return min(found, key=lambda item: (len(item), sorted(item))) if found else None


def certainty_penalty(original: list[Codes], published: list[Shown], total: int) -> Fraction:
    """Charge every occurrence of the original."""
    charge = Fraction(0)
    for codes, shown in zip(original, published, strict=True):
        for code in codes:
            item = covering(shown, code)
            if item is None:
                charge += 1
            elif len(item) > 1:
                charge += Fraction(len(item), total)
    return charge / sum(len(codes) for codes in original)


def utility_loss(published: list[Shown], total: int) -> Fraction:
    """Add up, over the distinct items, the possible sets that they leave open."""
    return sum(
        (
            Fraction(2 ** len(item) - 1, 2**total - 1)
            * Fraction(sum(item in shown for shown in published), len(published))
            for item in {item for shown in published for item in shown}
        ),
        Fraction(0),
    )


def non_empty_subsets(codes: Iterable[str]) -> list[Codes]:
    """Write down every non-empty set of some codes."""
    listed = sorted(codes)
    return [frozenset(some) for size in range(1, len(listed) + 1) for some in combinations(listed, size)]


def expected_count(published: list[Shown], query: Codes) -> Fraction:
    """Enumerate what each item may stand for; a code is read from the smallest item that covers it."""
    total = Fraction(0)
    for shown in published:
        asked: dict[Codes, set[str]] = {}
        items = [covering(shown, code) for code in query]
        if any(item is None for item in items):
            continue
        for code, item in zip(query, items, strict=True):
            assert item is not None
            asked.setdefault(item, set()).add(code)
        chance = Fraction(1)
        for item, codes in asked.items():
            worlds = non_empty_subsets(item)
            chance *= Fraction(sum(codes <= world for world in worlds), len(worlds))
        total += chance
    return total


def uniform_count(published: list[Shown], query: Codes) -> Fraction:
    """Each code of an item of n is there with chance 1/n."""
    total = Fraction(0)
    for shown in published:
        chance = Fraction(1)
        for code in query:
            item = covering(shown, code)
            chance *= Fraction(1, len(item)) if item else 0
        total += chance
    return total


def untrue_rows(original: list[Codes], published: list[Shown]) -> list[int]:
    """Return the rows (from 1) that show an item none of whose codes the person has."""
    return [
        row
        for row, (codes, shown) in enumerate(zip(original, published, strict=True), 1)
        if any(not item & codes for item in shown)
    ]


def suppressed(original: list[Codes], published: list[Shown], among: Collection[str] | None = None) -> int:
    """Count occurrences that nothing covers."""
    return sum(
        covering(shown, code) is None and (among is None or code in among)
        for codes, shown in zip(original, published, strict=True)
        for code in codes
    )


def most_frequent(records: list[frozenset[str]], number: int, largest: int) -> list[tuple[str, ...]]:
    """Count every itemset and sort: frequent first, then small, then by its items as text."""
    counts = Counter(
        chain.from_iterable(
            combinations(sorted(record), size) for record in records for size in range(1, largest + 1)
        )
    )
    return sorted(counts, key=lambda itemset: (-counts[itemset], len(itemset), itemset))[:number]
