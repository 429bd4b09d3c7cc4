"""Codes that a hierarchy does not know, laid under the longest known code or group that begins them.

401.2 is no code of ICD-9-CM, and everybody sees that it is a hypertension: it lies under 401. A beginning
counts when it has at least three letters, or when a dot follows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.core.domain import Domain, Scale
from sfumato.hierarchy.ladder import ROOT, Hierarchy, Ladder, UncoveredValues
from sfumato.hierarchy.table import HierarchyTable
from sfumato.hierarchy.tree import Tree

_LEAST = 3
"""letters of a beginning that no dot follows"""


@dataclass(frozen=True)
class Above:
    """What an unknown code lies under: the group ``label``, on the path of the known code ``value``."""

    value: str
    label: str


def beginnings(code: str) -> Iterator[str]:
    """Go through what a code begins with, the longest first.

    >>> list(beginnings("401.29")), list(beginnings("A1.x")), list(beginnings("E1"))
    (['401.2', '401'], ['A1'], [])
    """
    for end in range(len(code) - 1, 0, -1):
        begin = code[:end]
        if begin[-1].isalnum() and (end >= _LEAST or code[end] == "."):
            yield begin


def above(hierarchy: Hierarchy, domain: Sequence[str], strange: Sequence[int]) -> dict[int, Above]:
    """Find for unknown codes, by their positions, what they lie under; some lie under nothing."""
    wanted = {begin for code in strange for begin in beginnings(domain[code])}
    leaf_of = _known(hierarchy, sorted(wanted))
    if isinstance(hierarchy, HierarchyTable | Tree):
        for leaf, *labels in hierarchy.rows():
            for label in wanted.intersection(labels):
                leaf_of.setdefault(label, leaf)
    found = {}
    for code in strange:
        begin = next((begin for begin in beginnings(domain[code]) if begin in leaf_of), None)
        if begin is not None:
            found[code] = Above(leaf_of[begin], begin)
    return found


def _known(hierarchy: Hierarchy, values: list[str]) -> dict[str, str]:
    """Return the values that a hierarchy knows as codes, each as its own leaf."""
    rest = values
    while rest:
        try:
            hierarchy.ladder(Domain("codes", tuple(rest), Scale.CATEGORY))
        except UncoveredValues as error:
            unknown = {*error.codes}
            rest = [value for place, value in enumerate(rest) if place not in unknown]
            continue
        break
    return {value: value for value in rest}


def beside(
    hierarchy: Hierarchy, domain: Domain, strange: Sequence[int], under: Mapping[int, Above]
) -> Ladder:
    """Return the ladder of all codes: an unknown one is itself up to what it lies under, or to ``*``."""
    outside = {*strange}
    inside = [code for code in range(len(domain)) if code not in outside]
    texts = [domain.texts[code] or "" for code in inside]
    helpers = sorted({one.value for one in under.values()} - {*texts})
    known = hierarchy.ladder(Domain(domain.name, (*texts, *helpers), Scale.CATEGORY))
    place = {text: at for at, text in enumerate((*texts, *helpers))}
    begins = {code: _level(known, place[one.value], one.label) for code, one in under.items()}
    size = known.size + len(strange)
    rungs, labels, leaves = [], [], []
    for level in range(known.height + 1):
        if known.labels[level] == (ROOT,) and level:
            break
        rung = np.empty(len(domain), np.int32)
        rung[inside] = known.rungs[level, : len(inside)]
        named, counted = [*known.labels[level]], [*known.leaves[level].tolist()]
        for code in strange:
            if code in begins and level >= begins[code]:
                rung[code] = known.rungs[level, place[under[code].value]]
                counted[rung[code]] += 1
            else:
                rung[code] = len(named)
                named.append(domain.texts[code])
                counted.append(1.0)
        rungs.append(rung)
        labels.append(tuple(named))
        leaves.append(np.array(counted))
    rungs.append(np.zeros(len(domain), np.int32))
    return Ladder(
        domain.name,
        np.array(rungs, np.int32),
        (*labels, (ROOT,)),
        (*leaves, np.array([float(size)])),
        size,
    )


def _level(known: Ladder, at: int, label: str) -> int:
    """Return the lowest level above the code at which it shows a label, or else anything but itself."""
    shown = [known.labels[level][known.rungs[level, at]] for level in range(known.height + 1)]
    same = (level for level in range(1, len(shown)) if shown[level] == label)
    other = (level for level in range(1, len(shown)) if shown[level] != shown[0])
    return next(same, next(other, len(shown)))
