"""By which item a release shows each code of the original: what most measures start from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.published import SUPPRESSED, Items, PublishedSets
from sfumato.codes.sets import CodeSets, read_only
from sfumato.codes.utility._kernels_covers import smallest_covers
from sfumato.codes.utility.contract import same_records


def translated(original: CodeSets, items: Items) -> NDArray[np.int32]:
    """Return the codes of the original as positions in the domain of the items; −1 where it has none."""
    if original.domain == items.domain:
        return original.codes
    place = {code: position for position, code in enumerate(items.domain)}
    positions = np.array([place.get(code, -1) for code in original.domain], np.int32)
    moved: NDArray[np.int32] = read_only(positions[original.codes], np.int32)
    return moved


@dataclass(frozen=True)
class Covering:
    """For every slot of the original the smallest item of its record that covers it.

    ``items[i]`` belongs to ``original.codes[i]`` and is −1 where the code is suppressed: its record shows
    nothing that stands for it.

    >>> original = CodeSets.of([["401.0", "401.1"], ["295"]])
    >>> published = PublishedSets.of([[["401.0", "401.1"]], []], domain=original.domain)
    >>> Covering.of(original, published).items.tolist()
    [0, 0, -1]
    """

    original: CodeSets
    published: PublishedSets
    items: NDArray[np.int32] = field(repr=False)

    @classmethod
    def of(cls, original: CodeSets, published: PublishedSets) -> Covering:
        """Find what covers what."""
        same_records(original, published)
        items = published.items
        found = smallest_covers(
            original.starts,
            translated(original, items),
            published.starts,
            published.shown,
            items.starts,
            items.codes,
            items.sizes,
        )
        return cls(original, published, read_only(found, np.int32))

    @cached_property
    def suppressed(self) -> NDArray[np.bool_]:
        """Which slots nothing covers."""
        return np.asarray(self.items == SUPPRESSED)

    @cached_property
    def exact(self) -> NDArray[np.bool_]:
        """Which slots are shown as they were."""
        singles = np.append(self.published.items.singles, np.bool_(False))
        return np.asarray(singles[self.items])
