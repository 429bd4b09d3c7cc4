"""Every original that a disassociated release may have come from, by trying all of them. Tiny data only.

Reads the lines of a release as JSON, so it shares nothing with the classes that it judges. A world gives
every sub-record of a chunk a record of its own; terms go to any non-empty choice of records of their cluster.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

World = list[tuple[int, dict[int, int], frozenset[str]]]
"""for each record: its cluster, its sub-record in each chunk by their numbers, and its codes"""


def _flatten(told: dict[str, Any]) -> tuple[list[dict[str, Any]], list[tuple[list[int], list[list[str]]]]]:
    """Return the plain clusters and the shared chunks with the clusters that each may belong to.

    A sub-record of a shared chunk cannot belong to a cluster that shows one of its codes further down.
    """
    if "records" in told:
        return [told], []
    clusters: list[dict[str, Any]] = []
    shared: list[tuple[list[int], list[list[str]]]] = []
    for inner in told["clusters"]:
        below, above = _flatten(inner)
        shared += [([one + len(clusters) for one in members], bag) for members, bag in above]
        clusters += below
    everywhere = list(range(len(clusters)))
    return clusters, shared + [(everywhere, bag) for bag in told["shared"]]


def _shows(cluster: dict[str, Any]) -> set[str]:
    return {*cluster["terms"], *(code for bag in cluster["chunks"] for one in bag for code in one)}


def worlds(line: str) -> Iterator[World]:
    """Go through all worlds of one top cluster, those with empty records included."""
    clusters, shared = _flatten(json.loads(line))
    owner = [number for number, cluster in enumerate(clusters) for _ in range(cluster["records"])]
    own = [[record for record, one in enumerate(owner) if one == number] for number in range(len(clusters))]
    shows = [_shows(cluster) for cluster in clusters]
    bags: list[list[list[str]]] = []
    places: list[list[tuple[int, ...]]] = []
    for number, cluster in enumerate(clusters):
        for bag in cluster["chunks"]:
            bags.append(bag)
            places.append(list(permutations(own[number], len(bag))))
    for which, (members, bag) in enumerate(shared):
        # What a chunk further down shows, a record of the clusters there does not get from here.
        lower = [(set(inside), {c for one in held for c in one}) for inside, held in shared[:which]]
        banned = [
            shows[one].union(*(held for inside, held in lower if one in inside and inside < set(members)))
            for one in range(len(clusters))
        ]
        bags.append(bag)
        places.append(
            [
                place
                for place in permutations([r for r, one in enumerate(owner) if one in members], len(bag))
                if all(not banned[owner[record]] & set(one) for record, one in zip(place, bag, strict=True))
            ]
        )
    terms = [(term, own[number]) for number, cluster in enumerate(clusters) for term in cluster["terms"]]
    choices = [
        [chosen for size in range(1, len(records) + 1) for chosen in combinations(records, size)]
        for _, records in terms
    ]
    for placed in product(*places):
        for given in product(*choices):
            parts: list[dict[int, int]] = [{} for _ in owner]
            codes: list[set[str]] = [set() for _ in owner]
            for chunk, place in enumerate(placed):
                for instance, record in enumerate(place):
                    parts[record][chunk] = instance
                    codes[record].update(bags[chunk][instance])
            for (term, _), records in zip(terms, given, strict=True):
                for record in records:
                    codes[record].add(term)
            yield [
                (cluster, part, frozenset(held))
                for cluster, part, held in zip(owner, parts, codes, strict=True)
            ]


def size_of(line: str) -> int:
    """Return how many worlds there are at most, to keep tests small."""
    clusters, shared = _flatten(json.loads(line))
    total = 1
    for cluster in clusters:
        for bag in cluster["chunks"]:
            total *= _ways(cluster["records"], len(bag))
        total *= (2 ** cluster["records"] - 1) ** len(cluster["terms"])
    for members, bag in shared:
        total *= _ways(sum(clusters[one]["records"] for one in members), len(bag))
    return total


def _ways(records: int, taken: int) -> int:
    ways = 1
    for one in range(taken):
        ways *= records - one
    return ways


def broken_promises(line: str, k: int, m: int) -> list[str]:
    """Return where m codes of a person, whose cluster is known, leave fewer than k records or sub-records.

    Worlds in which somebody has no codes are left out: the adversary may know that there is nobody like that.
    """
    most: dict[tuple[int, frozenset[str]], int] = {}
    instances: dict[tuple[int, frozenset[str], int], set[int]] = {}
    bags = _bags(line)
    for world in worlds(line):
        if any(not held for _, _, held in world):
            continue
        holders: dict[tuple[int, frozenset[str]], int] = {}
        for cluster, part, held in world:
            for size in range(1, m + 1):
                for chosen in combinations(sorted(held), size):
                    known = frozenset(chosen)
                    holders[cluster, known] = holders.get((cluster, known), 0) + 1
                    for chunk, instance in part.items():
                        if known & set(bags[chunk][instance]):
                            instances.setdefault((cluster, known, chunk), set()).add(instance)
        for key, number in holders.items():
            most[key] = max(most.get(key, 0), number)
    wrong = [f"{sorted(known)} in {number} records" for (_, known), number in most.items() if number < k]
    wrong += [
        f"{sorted(known)} in {len(seen)} sub-records"
        for (_, known, _), seen in instances.items()
        if len(seen) < k
    ]
    return wrong


def _bags(line: str) -> list[list[list[str]]]:
    clusters, shared = _flatten(json.loads(line))
    return [bag for cluster in clusters for bag in cluster["chunks"]] + [bag for _, bag in shared]


def confidences(line: str) -> dict[tuple[str, str], Fraction]:
    """Return P(a record holds y | it holds z) for codes of different chunks, all worlds equally likely."""
    bags = _bags(line)
    chunk_of = {code: chunk for chunk, bag in enumerate(bags) for one in bag for code in one}
    both: dict[tuple[str, str], int] = {}
    single: dict[str, int] = {}
    for world in worlds(line):
        for _, _, held in world:
            for z in held & set(chunk_of):
                single[z] = single.get(z, 0) + 1
                for y in held & set(chunk_of):
                    if chunk_of[y] != chunk_of[z]:
                        both[z, y] = both.get((z, y), 0) + 1
    return {(z, y): Fraction(number, single[z]) for (z, y), number in both.items()}


def originals(line: str) -> set[tuple[tuple[str, ...], ...]]:
    """Return every world as sorted records."""
    return {tuple(sorted(tuple(sorted(held)) for _, _, held in world)) for world in worlds(line)}
