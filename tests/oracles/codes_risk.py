"""Who is exposed by codes: every record is asked about every set. Shares nothing with the package."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

Codes = frozenset[str]
Shown = frozenset[Codes]


def held_by(codes: Codes, people: list[Codes]) -> int:
    """Count the people who hold all of these codes."""
    return sum(codes <= person for person in people)


def found_in(codes: Codes, people: list[Codes], population: list[Codes] | None) -> int:
    """Count who holds a set: of the file, or max(f, F) of file and population, nobody when F is 0."""
    if population is None:
        return held_by(codes, people)
    listed = held_by(codes, population)
    return max(listed, held_by(codes, people)) if listed else 0


def matching_records(codes: Codes, release: list[Shown]) -> int:
    """Count the records of a release in which every code lies under an item."""
    return sum(all(any(code in item for item in shown) for code in codes) for shown in release)


def subsets(codes: Codes, size: int) -> list[Codes]:
    """Write down the sets of exactly so many codes."""
    return [frozenset(some) for some in combinations(sorted(codes), size)]


def least_up_to(person: Codes, size: int, people: list[Codes], population: list[Codes] | None) -> int | None:
    """Return by how few people the rarest set of up to so many codes is held; None when none is found."""
    found = [
        support
        for length in range(1, size + 1)
        for some in subsets(person, length)
        if (support := found_in(some, people, population))
    ]
    return min(found, default=None)


def random_share(
    size: int, below: int, people: list[Codes], population: list[Codes] | None
) -> Fraction | None:
    """Average, over people who have so many codes, the share of their sets that fewer than ``below`` hold."""
    shares = []
    for person in people:
        some = subsets(person, size)
        if some:
            rare = sum(0 < found_in(one, people, population) < below for one in some)
            shares.append(Fraction(rare, len(some)))
    return sum(shares, Fraction(0)) / len(shares) if shares else None


def smallest_unique(person: Codes, people: list[Codes]) -> int | None:
    """Return how many codes suffice to be alone, None when all of them together do not."""
    for size in range(1, len(person) + 1):
        if any(held_by(some, people) == 1 for some in subsets(person, size)):
            return size
    return None


def leaf_least(row: int, size: int, original: list[Codes], release: list[Shown]) -> int | None:
    """Return by how few records of a release up to so many covered codes of a person are matched."""
    covered = frozenset(code for code in original[row] if any(code in item for item in release[row]))
    found = [
        matching_records(some, release) for length in range(1, size + 1) for some in subsets(covered, length)
    ]
    return min(found, default=None)


def told(row: int, size: int, people: list[Codes], sensitive: set[str]) -> Fraction:
    """Return the greatest confidence with which public codes of a person tell a sensitive one of theirs."""
    best = Fraction(0)
    public = frozenset(code for code in people[row] if code not in sensitive)
    for length in range(1, size + 1):
        for some in subsets(public, length):
            for secret in people[row] & sensitive:
                joint = held_by(some | {secret}, people)
                best = max(best, Fraction(joint, held_by(some, people)))
    return best


def told_by_release(
    row: int, size: int, original: list[Codes], release: list[Shown], sensitive: set[str]
) -> Fraction:
    """The same in a release: public codes are matched under public items, sensitive items are learned."""
    public = [frozenset(item for item in shown if not item <= sensitive) for shown in release]
    covered = frozenset(code for code in original[row] if any(code in item for item in public[row]))
    best = Fraction(0)
    for length in range(1, size + 1):
        for some in subsets(covered, length):
            matched = [
                number
                for number, shown in enumerate(public)
                if all(any(code in item for item in shown) for code in some)
            ]
            for secret in release[row] - public[row]:
                joint = sum(secret in release[number] for number in matched)
                best = max(best, Fraction(joint, len(matched)))
    return best
