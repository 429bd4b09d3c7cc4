"""The text form of disassociated sets: one line of JSON for each cluster, codes as they are.

``{"records": 3, "chunks": [[["a", "b"], ["a", "b"]]], "terms": ["c"]}`` is a cluster of three records;
``{"clusters": [...], "shared": [[["d"], ["d"]]]}`` joins clusters. Empty sub-records are not written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from sfumato.codes.disassociated import Chunk, Cluster, Disassociated, JointCluster
from sfumato.core.errors import BadInput

_DEEPEST = 200
"""joint clusters within joint clusters: more is not written by anybody in good faith"""
_MOST = 10**12
"""more records than any cluster has"""


def write_lines(shown: Disassociated) -> tuple[str, ...]:
    """Write each cluster as one line."""
    # Plain ASCII: some readers take exotic characters for the end of a line.
    return tuple(json.dumps(_tell(part, shown.domain)) for part in shown.clusters)


def _tell(part: Cluster | JointCluster, domain: tuple[str, ...]) -> dict[str, Any]:
    def bag(chunk: Chunk) -> list[list[str]]:
        return [[domain[code] for code in one] for one in chunk.sub_records()]

    if isinstance(part, Cluster):
        terms = [domain[code] for code in part.terms]
        return {"records": part.records, "chunks": [bag(chunk) for chunk in part.chunks], "terms": terms}
    return {
        "clusters": [_tell(inner, domain) for inner in part.parts],
        "shared": [bag(chunk) for chunk in part.shared],
    }


def read_lines(lines: Iterable[str], where: str) -> Disassociated:
    """Read and examine lines; blank ones are passed over."""
    raw: list[tuple[str, Any]] = []
    codes: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"{where}, line {number}"
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            raise BadInput("the line is not JSON", where=place, remedy="write one cluster a line") from None
        _examine(told, place, codes)
        raw.append((place, told))
    domain = tuple(sorted(codes))
    position = {code: place for place, code in enumerate(domain)}
    return Disassociated(domain, tuple(_part(told, position, place) for place, told in raw))


def _examine(told: Any, where: str, codes: set[str], depth: int = 0) -> None:
    """Check the shape of a cluster and gather its codes."""
    if depth > _DEEPEST:
        raise BadInput("joint clusters lie too deep within each other", where=where)
    if not isinstance(told, dict) or not (set(told) == _PLAIN or set(told) == _JOINT):
        raise BadInput(
            "a cluster has the keys 'records', 'chunks' and 'terms', a joint one 'clusters' and 'shared'",
            where=where,
        )
    if set(told) == _JOINT:
        if not isinstance(told["clusters"], list) or not told["clusters"]:
            raise BadInput("a joint cluster needs a list of at least one cluster", where=where)
        for inner in told["clusters"]:
            _examine(inner, where, codes, depth + 1)
        _examine_bags(told["shared"], "shared", where, codes)
        return
    records = told["records"]
    if isinstance(records, bool) or not isinstance(records, int) or not 1 <= records <= _MOST:
        raise BadInput(f"'records' must be a whole number from 1 to {_MOST}", where=where)
    _examine_bags(told["chunks"], "chunks", where, codes)
    if not _is_set(told["terms"]):
        raise BadInput("'terms' must be a list of codes, each once", where=where)
    codes.update(told["terms"])


def _examine_bags(bags: Any, name: str, where: str, codes: set[str]) -> None:
    if not isinstance(bags, list) or not all(isinstance(bag, list) and bag for bag in bags):
        raise BadInput(f"'{name}' must be a list of chunks, each a list of sub-records", where=where)
    for number, bag in enumerate(bags, 1):
        for one in bag:
            if not _is_set(one) or not one:
                raise BadInput(
                    f"chunk {number} of '{name}' must hold lists of codes, none empty, each code once",
                    where=where,
                )
            codes.update(one)


def _is_set(told: Any) -> bool:
    return (
        isinstance(told, list) and all(isinstance(code, str) for code in told) and len(set(told)) == len(told)
    )


def _part(told: Mapping[str, Any], position: Mapping[str, int], where: str) -> Cluster | JointCluster:
    """Build a cluster and check that it can be: no chunk has more sub-records than there are records."""

    def chunks(bags: list[list[list[str]]]) -> tuple[Chunk, ...]:
        return tuple(Chunk.of([position[code] for code in one] for one in bag) for bag in bags)

    if "records" in told:
        terms = tuple(position[code] for code in told["terms"])
        shown = chunks(told["chunks"])
        part: Cluster | JointCluster = Cluster(told["records"], shown, terms)
        if len(terms) + sum(len(chunk.held) for chunk in shown) != len(part.held):
            raise BadInput("a code stands in two chunks of a cluster", where=where)
    else:
        shown = chunks(told["shared"])
        part = JointCluster(tuple(_part(one, position, where) for one in told["clusters"]), shown)
        if sum(len(chunk.held) for chunk in shown) != len(part.told):
            raise BadInput("a code stands in two shared chunks of a joint cluster", where=where)
    if any(len(chunk) > part.records for chunk in shown):
        raise BadInput("a chunk has more sub-records than its cluster has records", where=where)
    return part


_PLAIN = {"records", "chunks", "terms"}
_JOINT = {"clusters", "shared"}
