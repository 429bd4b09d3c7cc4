"""A hierarchy given as a tree: nested groups, or the parent of each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sfumato.core.domain import Domain, as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT, Ladder
from sfumato.hierarchy.table import HierarchyTable

_WHERE = "tree"
_DEEPEST = 200
"""no taxonomy is deeper; a nested structure that is contains itself"""


@dataclass(frozen=True)
class Tree:
    """Groups inside groups; the values of the column are the leaves.

    ``nodes`` maps a group to what is in it: another mapping, a list of leaves, or nothing when the
    label is itself a leaf. A single label at the top is the root; several get ``*`` above them. A
    leaf that lies higher than others stays itself at the lowest levels, so that all paths are
    equally long. Every label stands in the tree once.

    >>> tree = Tree({"any": {"infectious": ["HIV", "flu"], "accident": None}})
    >>> tree.rows()
    [('HIV', 'infectious', 'any'), ('flu', 'infectious', 'any'), ('accident', 'accident', 'any')]
    """

    nodes: Mapping[Any, Any] | Sequence[Any] = field(hash=False)

    def __post_init__(self) -> None:
        if isinstance(self.nodes, str) or not isinstance(self.nodes, Mapping | Sequence) or not self.nodes:
            raise BadInput("a tree is a mapping from groups to what is in them", where=_WHERE)
        self._table  # noqa: B018 - built here, so that a wrong tree is refused where it is written

    @classmethod
    def from_parents(cls, parents: Mapping[Any, Any]) -> Tree:
        """Build the tree from the parent of each label; labels that are nobody's parent are leaves.

        >>> Tree.from_parents({"HIV": "infectious", "infectious": "any"}).rows()
        [('HIV', 'infectious', 'any')]
        """
        known = {as_text(child): as_text(parent) for child, parent in parents.items() if parent is not None}
        children: dict[str, list[str]] = {}
        for child, parent in known.items():
            children.setdefault(parent, []).append(child)
        _refuse_cycles(known)
        tops = [label for label in dict.fromkeys(known.values()) if label not in known]
        tops += [as_text(label) for label, parent in parents.items() if parent is None and label not in tops]

        def below(label: str) -> dict[str, Any] | None:
            return {child: below(child) for child in children[label]} if label in children else None

        return cls({top: below(top) for top in tops})

    def rows(self) -> list[tuple[str, ...]]:
        """Return one path for each leaf, most specific first, all equally long."""
        return self._table.rows()

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the tree over the values of a column."""
        return self._table.ladder(domain)

    @cached_property
    def _table(self) -> HierarchyTable:
        paths = _paths(self.nodes, ())
        labels = [label for path in paths for label in path[:1]] + [*_groups(self.nodes)]
        twice = len(labels) - len({*labels})
        if twice:
            raise BadInput(
                f"{twice} label{' stands' if twice == 1 else 's stand'} in the tree more than once",
                where=_WHERE,
                remedy="rename them so that each label stands in one place",
            )
        if len({path[-1] for path in paths}) > 1 or min(map(len, paths)) < 2:
            paths = [(*path, ROOT) for path in paths]
        height = max(map(len, paths))
        return HierarchyTable.of([path[:1] * (height - len(path)) + path for path in paths])


def _paths(nodes: Any, above: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the path of every leaf under some nodes."""
    if len(above) > _DEEPEST:
        raise BadInput("the tree contains itself", where=_WHERE, remedy="break the cycle")
    found: list[tuple[str, ...]] = []
    if isinstance(nodes, Mapping):
        for label, inside in nodes.items():
            path = (_label(label), *above)
            found += _paths(inside, path) if inside is not None and inside != [] and inside != {} else [path]
        return found
    for node in nodes if isinstance(nodes, Sequence) and not isinstance(nodes, str) else [nodes]:
        found += _paths(node, above) if isinstance(node, Mapping) else [(_label(node), *above)]
    return found


def _groups(nodes: Any) -> list[str]:
    """Return the labels that have something under them."""
    found: list[str] = []
    if isinstance(nodes, Mapping):
        for label, inside in nodes.items():
            if inside is not None and inside != [] and inside != {}:
                found += [_label(label), *_groups(inside)]
    elif isinstance(nodes, Sequence) and not isinstance(nodes, str):
        for node in nodes:
            found += _groups(node)
    return found


def _label(value: Any) -> str:
    if isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        raise BadInput("a list stands where a label should be", where=_WHERE)
    text = "" if value is None else as_text(value)
    if not text:
        raise BadInput("a label of the tree is empty", where=_WHERE, remedy="give it a name")
    return text


def _refuse_cycles(parents: Mapping[str, str]) -> None:
    number_of = {label: number for number, label in enumerate(parents, 1)}
    for start in parents:
        label = start
        walked: set[str] = set()
        while label in parents:
            if label in walked:
                raise BadInput(
                    "the parents have a cycle: a label lies above itself",
                    where=f"entry {number_of[label]} of the parents",
                    remedy="give it another parent",
                )
            walked.add(label)
            label = parents[label]
        if len(walked) > _DEEPEST:
            raise BadInput(f"the tree is deeper than {_DEEPEST} levels", where=_WHERE)
