"""What a released file of sets shows, counted from what was read of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from sfumato.codes.disassociated import Disassociated
from sfumato.codes.published import PublishedSets
from sfumato.core.evidence_codes import ShownEvidence, SizeBin

_EDGES = (1, 2, 5, 10, 50, 100, 1000)
"""where bins begin: items for so many codes or more"""


def root_of(published: PublishedSets | Disassociated) -> str | None:
    """Return the label of the item that stands for every code there is; None where none is shown.

    >>> root_of(PublishedSets.of([[["401.2", "401.4"]], ["401.2"]])), root_of(PublishedSets.of([["295"]]))
    ('(401.2,401.4)', None)
    """
    if isinstance(published, Disassociated):
        return None
    items = published.items
    everything = (items.sizes >= items.total) & (items.sizes > 1) & (published.supports > 0)
    found = np.flatnonzero(everything).tolist()
    return items.labels[found[0]] if found else None


def shown_by(published: PublishedSets | Disassociated, root: str | None = None) -> ShownEvidence:
    """Count what is shown; ``root`` is the label of the item that stands for every code there is.

    >>> found = shown_by(PublishedSets.of([["295", ["401.2", "401.4"]], [["401.2", "401.4"]], []]))
    >>> found.records, found.empty, found.items, found.occurrences, [b.occurrences for b in found.sizes]
    (3, 1, 2, 3, [1, 2])
    """
    if isinstance(published, Disassociated):
        return ShownEvidence(
            records=len(published),
            empty=0,
            items=len(frozenset().union(*(part.held for part in published.clusters))),
            occurrences=published.occurrences,
            clusters=sum(1 for _ in published.leaves()),
        )
    items, supports = published.items, published.supports
    seen = supports > 0
    return ShownEvidence(
        records=len(published),
        empty=int(np.count_nonzero(np.diff(published.starts) == 0)),
        items=int(np.count_nonzero(seen)),
        occurrences=int(supports.sum()),
        sensitive=int(np.count_nonzero(seen & items.sensitive)),
        sizes=_sizes(published),
        at_root=sum(int(supports[item]) for item, label in enumerate(items.labels) if label == root),
    )


def _sizes(published: PublishedSets) -> list[SizeBin]:
    """Sort the items that are shown by how many codes they stand for; empty bins are left out."""
    sizes, supports = published.items.sizes, published.supports
    found = []
    for low, above in pairwise((*_EDGES, None)):
        assert low is not None
        inside = (sizes >= low) & (supports > 0)
        if above is not None:
            inside &= sizes < above
        if inside.any():
            high = None if above is None else above - 1
            number, occurrences = int(np.count_nonzero(inside)), int(supports[inside].sum())
            found.append(SizeBin(low=low, high=high, items=number, occurrences=occurrences))
    return found
