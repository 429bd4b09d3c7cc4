"""Ontologies from elsewhere: pairs of child and parent, a CSV file of them, a hierarchy of a column."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.system import could_not
from sfumato.hierarchy.ladder import ROOT
from sfumato.hierarchy.table import HierarchyTable
from sfumato.hierarchy.tree import Tree
from sfumato.text.ontology.ontology import Ints, Ontology, folded

TOP = "something"
"""what is put into a text for a group of which nothing is said"""


def from_pairs(pairs: Iterable[tuple[str, str]], name: str = "the ontology") -> Ontology:
    """Make an ontology of pairs (child, parent); every label is one concept and may have several parents.

    >>> ours = from_pairs([("Percocet", "opioid"), ("opioid", "drug"), ("aspirin", "drug")])
    >>> int(ours.descendants[ours.one("drug")])
    3
    """
    return extended(_EMPTY, pairs, name)


def from_csv(path: str | Path) -> Ontology:
    """Read pairs ``child,parent`` from a file; a first line that says just that is passed over."""
    return from_pairs(_pairs(Path(path)), "the file of terms")


def from_hierarchy(hierarchy: Tree | HierarchyTable) -> Ontology:
    """Take a hierarchy of a column: its values are terms, its groups are what they are generalised to."""
    pairs = []
    for row in hierarchy.rows():
        path = [TOP if label == ROOT else label for label in row]
        pairs += [(low, high) for low, high in pairwise(path) if low != high and low]
    return from_pairs(pairs, "the hierarchy")


def extended(base: Ontology, pairs: Iterable[tuple[str, str]], name: str = "") -> Ontology:
    """Add terms to an ontology, each right under a term that it knows or that is added, too.

    A parent with several senses is meant in its first. A child that is known already gets one more parent.

    >>> from sfumato.text.ontology.wordnet import wordnet
    >>> nouns = extended(wordnet(), [("Percocet", "analgesic")])
    >>> [nouns.labels[above] for above in nouns.parents_of(nouns.one("percocet"))]
    ['analgesic']
    """
    labels = list(base.labels)
    number: dict[str, int] = {}
    above: dict[int, list[int]] = {}
    added: dict[str, int] = {}

    def concept(term: str) -> int:
        key = folded(term)
        if key not in number:
            known = base.senses_of(key)
            number[key] = known[0] if known else len(labels)
            if not known:
                labels.append(" ".join(term.split()))
                added[key] = number[key]
        return number[key]

    for child, parent in pairs:
        low, high = concept(child), concept(parent)
        listed = above.setdefault(low, [] if low >= len(base) else base.parents_of(low))
        if high not in listed:
            listed.append(high)
    if not labels:
        raise BadInput("an ontology needs terms", remedy="give pairs such as (aspirin, drug)")
    lists = [above[one] if one in above else _old(base, one) for one in range(len(labels))]
    starts, parents = laid(lists)
    _refuse_cycles(lists)
    fresh = len(added)
    return Ontology(
        name or base.name,
        labels,
        starts,
        parents,
        {**base.terms, **{term: len(base.terms) + place for place, term in enumerate(added)}},
        np.concatenate((base.sense_starts, base.sense_starts[-1] + np.arange(1, fresh + 1))),
        np.concatenate((base.senses, np.array([*added.values()], np.int64))),
        np.concatenate((base.capital, np.zeros(fresh, np.bool_))),
        np.concatenate((base.tagged, np.zeros(fresh, np.int64))),
        base.irregular,
    )


_NONE = np.zeros(0, np.int64)
_EMPTY = Ontology("", [], np.zeros(1, np.int64), _NONE, {}, np.zeros(1, np.int64), _NONE, _NONE > 0, _NONE)


def _old(base: Ontology, concept: int) -> list[int]:
    return base.parents_of(concept) if concept < len(base) else []


def laid(lists: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Lay lists one after the other; return where each begins, and all of them."""
    starts = np.concatenate(([0], np.cumsum([len(one) for one in lists], dtype=np.int64)))
    return starts, np.array([parent for one in lists for parent in one], np.int64)


def _refuse_cycles(parents: Sequence[Sequence[int]]) -> None:
    """Take away concepts that nothing lies under, again and again (Kahn 1962); the rest runs in a circle."""
    children = np.bincount(np.array([p for one in parents for p in one], np.int64), minlength=len(parents))
    free = np.flatnonzero(children == 0).tolist()
    gone = 0
    while free:
        gone += 1
        for parent in parents[free.pop()]:
            children[parent] -= 1
            if children[parent] == 0:
                free.append(parent)
    if gone < len(parents):
        raise BadInput(
            "the ontology has a cycle: a term lies above itself",
            where=f"among {len(parents) - gone} of {len(parents)} concepts",
            remedy="give one of them another parent",
        )


def _pairs(path: Path) -> list[tuple[str, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise could_not(
            problem,
            "the file of terms cannot be read",
            where=str(path),
            remedy="give a UTF-8 file of child,parent",
        ) from problem
    pairs: list[tuple[str, str]] = []
    reader = csv.reader(text.splitlines())
    for row in reader:
        if not any(row) or (not pairs and [cell.strip().lower() for cell in row] == ["child", "parent"]):
            continue
        if len(row) != 2 or not all(cell.strip() for cell in row):
            raise BadInput(
                "a line must hold a term and the term above it",
                where=f"{path}, line {reader.line_num}",
                remedy="write child,parent",
            )
        pairs.append((row[0], row[1]))
    return pairs
