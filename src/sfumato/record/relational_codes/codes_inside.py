"""Protecting the codes of every cluster for itself, and putting the clusters together again."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.contract import Problem, SetMethod
from sfumato.codes.models.k_m_anonymity import KmAnonymity
from sfumato.codes.published import Items, PublishedSets
from sfumato.codes.sets import CodeSets
from sfumato.codes.tree import CodeTree
from sfumato.codes.utility.certainty_penalty import CertaintyPenalty
from sfumato.core.errors import BadInput


@dataclass(frozen=True)
class Protected:
    """What the records of a cluster show; ``lost`` adds up the certainty penalties of their codes."""

    published: PublishedSets
    lost: float
    suppressed: int = 0
    """occurrences of codes that are left out because fewer than k records of the cluster have any code"""


@dataclass(frozen=True)
class CodesInside:
    """Makes the codes of clusters k^m-anonymous, each cluster for itself."""

    sets: CodeSets
    tree: CodeTree | None
    k: int
    m: int
    method: SetMethod = field(repr=False)

    def of(self, rows: NDArray[np.int64]) -> Protected:
        """Protect the codes of some records.

        Where fewer than k of them have a code, not even "some code" may be shown, and all show nothing.
        """
        sets = self.sets.take(rows)
        filled = int(np.count_nonzero(np.diff(sets.starts)))
        if filled < self.k:
            starts = np.zeros(len(sets) + 1, np.int64)
            nothing = PublishedSets(Items.of_groups(sets.domain, []), starts, np.zeros(0, np.int32))
            return Protected(nothing, float(sets.occurrences), sets.occurrences)
        found = self.method.protect(Problem(sets, (KmAnonymity(self.k, self.m),), self.tree)).published
        if not isinstance(found, PublishedSets):
            raise BadInput(
                f"{self.method.name} does not publish records one by one",
                where="codes",
                remedy="use best-of",
            )
        measured = CertaintyPenalty().of(sets, found)
        return Protected(found, 0.0 if measured is None else measured.value * sets.occurrences)


def together(parts: list[tuple[NDArray[np.int64], PublishedSets]], sets: CodeSets) -> PublishedSets:
    """Put what clusters show together again, in the order of the records; a label is one item everywhere."""
    codes_of: dict[str, tuple[tuple[int, ...], int]] = {}
    total = len(sets.domain)
    for _, published in parts:
        total = max(total, published.items.total)
        for item in np.flatnonzero(published.supports).tolist():
            items = published.items
            codes_of.setdefault(items.labels[item], (items.under(item), int(items.sizes[item])))
    labels = sorted(codes_of)
    place = {label: item for item, label in enumerate(labels)}
    lengths = np.zeros(len(sets) + 1, np.int64)
    for rows, published in parts:
        lengths[rows + 1] = np.diff(published.starts)
    starts = np.cumsum(lengths)
    shown = np.empty(int(starts[-1]), np.int32)
    for rows, published in parts:
        where = np.array([place.get(label, -1) for label in published.items.labels], np.int64)
        many = np.diff(published.starts)
        slots = np.repeat(starts[rows] - published.starts[:-1], many) + np.arange(int(many.sum()))
        shown[slots] = where[published.shown]
    items = Items.of_groups(
        sets.domain,
        [codes_of[label][0] for label in labels],
        labels=labels,
        sizes=[codes_of[label][1] for label in labels],
        total=total,
    )
    owner = np.repeat(np.arange(len(sets)), np.diff(starts))
    return PublishedSets(items, starts, shown[np.lexsort((shown, owner))])
