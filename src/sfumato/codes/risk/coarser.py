"""Codes said less precisely: three digits instead of five, a level of a hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from sfumato.codes.sets import CodeSets, slots_of
from sfumato.codes.tree import CodeTree
from sfumato.core.errors import BadInput


def coarsened(sets: CodeSets, way: Mapping[str, str] | Callable[[str], str]) -> CodeSets:
    """Replace every code by what it becomes; codes that become the same are one from then on.

    >>> coarsened(CodeSets.of([["401.0", "401.1", "295.1"]]), lambda code: code[:3]).record(0)
    ('295', '401')
    """
    if isinstance(way, Mapping):
        missing = sum(code not in way for code in sets.domain)
        if missing:
            raise BadInput(
                f"{missing} of {len(sets.domain)} codes have no coarser form",
                remedy="give one for every code that occurs",
            )
        coarse = [way[code] for code in sets.domain]
    else:
        coarse = [way(code) for code in sets.domain]
    domain = sorted(set(coarse))
    place = {code: position for position, code in enumerate(domain)}
    new = np.array([place[code] for code in coarse], np.int64)
    return CodeSets.from_pairs(slots_of(sets.starts), new[sets.codes], domain, len(sets))


def three_digits(code: str) -> str:
    """Cut an ICD-9-CM code to its category: three characters, four for external causes (E codes).

    >>> three_digits("401.9"), three_digits("4019"), three_digits("E812.0"), three_digits("V30.00")
    ('401', '401', 'E812', 'V30')
    """
    return code[:4] if code[:1] in ("E", "e") else code[:3]


def below_root(tree: CodeTree, domain: tuple[str, ...], depth: int) -> dict[str, str]:
    """Return for every code the node ``depth`` steps below the root (1: the widest groups) on its way up.

    A code that lies higher than that stays itself.

    >>> from sfumato.hierarchy import Tree
    >>> tree = CodeTree.of(Tree({"any": {"A": ["a1", "a2"], "B": ["b1", "b2"]}}), ("a1", "a2", "b1"))
    >>> below_root(tree, ("a1", "a2", "b1"), 1)
    {'a1': 'A', 'a2': 'A', 'b1': 'b1'}
    """
    if depth < 0:
        raise BadInput("the depth must not be negative", remedy="1 is the level right below the root")
    found = {}
    for code, name in enumerate(domain):
        path = [code]
        while tree.parent[path[-1]] >= 0:
            path.append(int(tree.parent[path[-1]]))
        found[name] = tree.labels[path[max(len(path) - 1 - depth, 0)]]
    return found
