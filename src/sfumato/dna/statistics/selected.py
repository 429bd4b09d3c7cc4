"""The genotypes of some sites alone: read directly where a source can, else picked out of one pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.reading.some_people import SomePeople
from sfumato.dna.source import SITES_AT_ONCE, Block, GenotypeSource, InMemory


@runtime_checkable
class Selectable(Protocol):
    """A source that reads some sites without going through all."""

    def dosages_at(self, which: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return sites × people, in the order of ``which`` (numbers from 0)."""


def read_directly(source: GenotypeSource) -> bool:
    """Say whether some sites of a source are read without going through all of them."""
    if isinstance(source, SomePeople):
        return read_directly(source.source)
    return isinstance(source, Selectable | InMemory)


def selected(
    source: GenotypeSource,
    which: NDArray[np.int64],
    *,
    at_once: int = SITES_AT_ONCE,
    progress: Progress = SILENT,
) -> Iterator[Block]:
    """Go through the sites ``which`` (rising numbers); ``Block.first`` counts within ``which``.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> rows = InMemory(np.array([[0, 1], [1, 1], [2, 0]], np.int8), numbered(3))
    >>> [block.dosages.tolist() for block in selected(rows, np.array([0, 2]))]
    [[[0, 1], [2, 0]]]
    """
    if isinstance(source, SomePeople):
        for block in selected(source.source, which, at_once=at_once, progress=progress):
            yield Block(block.first, np.ascontiguousarray(block.dosages[:, source.which]))
        return
    if isinstance(source, Selectable):
        for first in range(0, len(which), at_once):
            dosages = source.dosages_at(which[first : first + at_once])
            yield Block(first, np.array(dosages, np.int8, order="C"))
            progress.update(min(first + at_once, len(which)) / len(which))
        return
    waiting: list[NDArray[np.int8]] = []
    first = done = 0
    for block in source.blocks(at_once=at_once, progress=progress):
        low, high = np.searchsorted(which, [block.first, block.first + len(block.dosages)])
        if high > low:
            waiting.append(block.dosages[which[low:high] - block.first])
            done = int(high)
        if done - first >= at_once or (done == len(which) and done > first):
            yield Block(first, np.array(np.concatenate(waiting), np.int8, order="C"))
            waiting, first = [], done
        if done == len(which):
            return


def dosages_of(
    source: GenotypeSource, which: NDArray[np.int64], *, progress: Progress = SILENT
) -> NDArray[np.int8]:
    """Return the genotypes of the sites ``which`` (rising numbers), sites × people."""
    blocks = [block.dosages for block in selected(source, which, progress=progress)]
    return np.concatenate(blocks) if blocks else np.empty((0, source.people), np.int8)


def counts_of(dosages: NDArray[np.int8]) -> NDArray[np.int64]:
    """Count dosages of all people: sites × 4, as ``GenotypeSource.counts`` does.

    >>> counts_of(np.array([[0, 1, 1, -1]], np.int8))
    array([[1, 2, 0, 1]])
    """
    return np.stack([np.count_nonzero(dosages == value, axis=1) for value in (0, 1, 2, -1)], axis=1)
