"""All ways to join public codes into items, one after another: what a search over them may not miss."""

from __future__ import annotations

from collections.abc import Iterator

Seen = list[set[frozenset[str]]]


def set_partitions(codes: list[str]) -> Iterator[list[set[str]]]:
    """Give every code the number of its block, each number at most one above those before it."""

    def numbered(place: int, blocks: list[int]) -> Iterator[list[int]]:
        if place == len(codes):
            yield blocks
            return
        for block in range(max(blocks, default=-1) + 2):
            yield from numbered(place + 1, [*blocks, block])

    for blocks in numbered(0, []):
        yield [
            {code for code, block in zip(codes, blocks, strict=True) if block == one} for one in set(blocks)
        ]


def every_release(records: list[set[str]], intact: set[str]) -> Iterator[tuple[int, Seen]]:
    """Return what each partition loses, Σ (2^n − 1) · records over items of n > 1 codes, and shows."""
    public = sorted({code for record in records for code in record} - intact)
    for blocks in set_partitions(public):
        items = [frozenset(block) for block in blocks]
        seen = [
            {frozenset({code}) for code in record & intact} | {item for item in items if item & record}
            for record in records
        ]
        loss = sum((2 ** len(i) - 1) * sum(i in r for r in seen) for i in items if len(i) > 1)
        yield loss, seen
