"""The lattices of bases and genotypes with Python's own sets: slow and obvious."""

from __future__ import annotations

from itertools import chain, combinations

Things = frozenset[str]

BASES: dict[str, Things] = {
    code: frozenset(bases)
    for code, bases in {
        "A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT",
        "M": "AC", "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT",
    }.items()
}  # fmt: skip
GENOTYPES: dict[str, Things] = {
    "0/0": frozenset({"0/0"}),
    "0/1": frozenset({"0/1"}),
    "1/1": frozenset({"1/1"}),
    "0/.": frozenset({"0/0", "0/1"}),
    "./1": frozenset({"0/1", "1/1"}),
    "./.": frozenset({"0/0", "0/1", "1/1"}),
}


def all_sets(things: str) -> set[Things]:
    """Return every non-empty set of some letters."""
    sizes = range(1, len(things) + 1)
    return {frozenset(some) for some in chain.from_iterable(combinations(things, size) for size in sizes)}


def smallest_holding(one: Things, other: Things, codes: dict[str, Things]) -> str:
    """Return the code of the smallest set that holds two sets, by looking at all of them."""
    holding = [code for code, things in codes.items() if one <= things and other <= things]
    least = min(len(codes[code]) for code in holding)
    (found,) = [code for code in holding if len(codes[code]) == least]
    return found


def distance(one: str, other: str, codes: dict[str, Things]) -> int:
    """Return 2·level(join) − level − level, each level the size of a set."""
    join = smallest_holding(codes[one], codes[other], codes)
    return 2 * len(codes[join]) - len(codes[one]) - len(codes[other])
