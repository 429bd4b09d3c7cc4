"""Promises about sets, counted the slow way: every itemset is written down and every record is asked.

A record is a set of items, an item is a set of codes. Nothing here is shared with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain, combinations

Item = frozenset[str]
Record = frozenset[Item]


def records_of(listed: Iterable[Iterable[str | Iterable[str]]]) -> list[Record]:
    """Take records whose elements are codes or sets of codes."""
    return [
        frozenset(frozenset([one]) if isinstance(one, str) else frozenset(one) for one in record)
        for record in listed
    ]


def public(records: list[Record], sensitive: set[str]) -> list[Record]:
    """Leave the sensitive items out."""
    return [frozenset(item for item in record if not item <= sensitive) for record in records]


def itemsets(records: list[Record], size: int | None = None, empty: bool = False) -> set[Record]:
    """Write down every itemset of at most so many items that some record holds."""
    found: set[Record] = set()
    for record in records:
        longest = len(record) if size is None else min(size, len(record))
        for length in range(0 if empty else 1, longest + 1):
            found |= {frozenset(chosen) for chosen in combinations(record, length)}
    return found


def support(records: list[Record], itemset: Record) -> int:
    """Count the records that show all of these items."""
    return sum(itemset <= record for record in records)


def supports(records: list[Record], size: int | None = None) -> dict[Record, int]:
    """Count the records of every itemset."""
    return {itemset: support(records, itemset) for itemset in itemsets(records, size)}


def covers(record: Record, codes: Iterable[str]) -> bool:
    """Say whether every code lies under some item of a record."""
    return all(any(code in item for item in record) for code in codes)


def leaf_support(records: list[Record], codes: Iterable[str]) -> int:
    """Count the records that may hold all of these codes."""
    codes = list(codes)
    return sum(covers(record, codes) for record in records)


def leaf_supports(records: list[Record], size: int) -> dict[frozenset[str], int]:
    """Count the records that may hold the codes of every choice of at most so many, where there are any."""
    domain = sorted({code for record in records for item in record for code in item})
    chosen = chain.from_iterable(combinations(domain, length) for length in range(1, size + 1))
    counted = {frozenset(codes): leaf_support(records, codes) for codes in chosen}
    return {codes: number for codes, number in counted.items() if number}


def look_alikes(records: list[Record]) -> list[int]:
    """Count for every record those that look exactly like it."""
    alike = Counter(records)
    return [alike[record] for record in records]


def constraint_protected(records: list[Record], codes: Iterable[str], k: int, strict: bool) -> bool:
    """Say whether a constraint is protected: k records, or none (and then its subsets, too)."""
    codes = sorted(set(codes))
    held = leaf_support(records, codes)
    if held:
        return held >= k
    if not strict:
        return True
    smaller = chain.from_iterable(combinations(codes, length) for length in range(1, len(codes)))
    return all(leaf_support(records, chosen) in {0, *range(k, len(records) + 1)} for chosen in smaller)


def rule(records: list[Record], known: Iterable[str], told: Iterable[str]) -> tuple[int, int]:
    """Count the records that may hold what is known, and those that may hold what is told as well."""
    holders = [record for record in records if covers(record, known)]
    return len(holders), sum(covers(record, told) for record in holders)


def confidences(
    records: list[Record],
    sensitive: set[str],
    size: int | None,
    sensitive_known: bool = False,
    empty: bool = False,
) -> dict[tuple[Record, Item], Fraction]:
    """Return the confidence of every antecedent → sensitive item outside it."""
    marked = {item for record in records for item in record if item <= sensitive}
    known = records if sensitive_known else public(records, sensitive)
    found = {}
    for antecedent in itemsets(known, size, empty):
        holders = [record for record in records if antecedent <= record]
        for item in marked - antecedent:
            found[antecedent, item] = Fraction(sum(item in record for record in holders), len(holders))
    return found


def distances(
    records: list[Record], sensitive: set[str], size: int | None
) -> dict[tuple[Record, Item], Fraction]:
    """Return how far each confidence lies from the share of the sensitive item in all records."""
    overall = {
        item: Fraction(sum(item in record for record in records), len(records))
        for record in records
        for item in record
        if item <= sensitive
    }
    return {
        (antecedent, item): abs(value - overall[item])
        for (antecedent, item), value in confidences(records, sensitive, size).items()
    }
