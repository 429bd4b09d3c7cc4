"""Small records for the methods that suppress and split, and what can be said of them by looking."""

from __future__ import annotations

from itertools import chain, combinations, pairwise

import numpy as np
from hypothesis import strategies as st

from sfumato.codes.contract import Problem, SetModel
from sfumato.codes.published import PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.hierarchy import Tree

CODES = ("a1", "a2", "a3", "b1", "b2", "c1")
NODES = {"any": {"A": ["a1", "a2", "a3"], "BC": {"B": ["b1", "b2"], "C": ["c1", "c2"]}}}

records_of_codes = st.lists(st.sets(st.sampled_from(CODES), max_size=5), min_size=1, max_size=14)


def problem_of(
    records: list[set[str]], *models: SetModel, sensitive: tuple[str, ...] = (), tree: bool = True
) -> Problem:
    """Lay the small hierarchy over records; sensitive codes that never occur are left out."""
    sets = CodeSets.of(records)
    marked = np.zeros(len(sets.domain), np.bool_)
    marked[list(sets.positions(sensitive))] = True
    above = CodeTree.of(Tree(NODES), sets.domain) if tree and sets.domain else None
    return Problem(sets, models, above, marked if sensitive else None)


def shown(published: PublishedSets) -> list[set[frozenset[str]]]:
    """Return what each record shows, every item as the set of its codes that occur."""
    items = [
        frozenset(published.items.domain[code] for code in published.items.under(item))
        for item in range(len(published.items))
    ]
    starts = published.starts.tolist()
    return [{items[i] for i in published.shown[start:stop].tolist()} for start, stop in pairwise(starts)]


def is_truthful(records: list[set[str]], published: PublishedSets, suppressed: int) -> bool:
    """Every item covers a code of its record, and exactly so many occurrences are covered by none."""
    seen = shown(published)
    uncovered = sum(
        not any(code in item for item in items)
        for record, items in zip(records, seen, strict=True)
        for code in record
    )
    invented = any(not item & record for record, items in zip(records, seen, strict=True) for item in items)
    return not invented and uncovered == suppressed


def subsets(elements: set[str], most: int | None = None) -> list[frozenset[str]]:
    """Return all subsets of some elements, the empty one first, up to a size."""
    largest = len(elements) if most is None else min(most, len(elements))
    ordered = sorted(elements)
    return [frozenset(s) for s in chain.from_iterable(combinations(ordered, n) for n in range(largest + 1))]
