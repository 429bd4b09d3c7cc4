"""Where every occurrence of a code stands while sets are disassociated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.disassociated import Chunk, Cluster, JointCluster
from sfumato.codes.sets import CodeSets, read_only, slots_of


@dataclass(frozen=True)
class Layout:
    """Records in the order of their clusters, and the chunk of each occurrence.

    Cluster i has the records ``leaf_starts[i]:leaf_starts[i + 1]`` of ``sets``. The occurrence
    ``sets.codes[s]`` stands in chunk ``chunk_at[s]`` of level ``level_of[s]``: 0 for record chunks, j for
    those that 2^j neighbouring clusters share; below 0 it is a term. ``empty`` records hold no code: they
    are a cluster of their own that takes no part in anything.
    """

    sets: CodeSets
    leaf_starts: NDArray[np.int64]
    colour: NDArray[np.int32]
    level_of: NDArray[np.int32]
    chunk_at: NDArray[np.int32]
    empty: int

    @classmethod
    def of(
        cls, sets: CodeSets, colour: NDArray[np.int32], *, largest: int, least: int, mixed: bool
    ) -> Layout:
        """Split records into clusters; ``mixed`` ones are made of two groups that are not alike."""
        from sfumato.codes.methods._kernels_disassociation import horizontal

        colour = read_only(colour, np.int32)
        size = max(largest // 2, 1) if mixed else largest
        smallest = max(least // 2, 1) if mixed else least
        records = len(sets)
        sets = sets.take(np.flatnonzero(np.diff(sets.starts)))
        order, starts = horizontal(sets.starts, sets.codes, colour, size, smallest)
        groups = _merge_small(starts, smallest)
        if mixed:
            order, groups = _mix(order, groups)
        groups = _merge_small(groups, least)
        count = len(sets.codes)
        return cls(
            sets.take(order),
            read_only(groups, np.int64),
            colour,
            np.full(count, -1, np.int32),
            np.full(count, -1, np.int32),
            records - len(sets),
        )

    @property
    def leaves(self) -> int:
        """How many clusters there are."""
        return len(self.leaf_starts) - 1

    @property
    def height(self) -> int:
        """How often neighbours can be joined until all are one."""
        return max(self.leaves - 1, 0).bit_length()

    def take_apart(self, level: int, k: int, m: int, safe: bool) -> None:
        """Fill the chunks of one level."""
        from sfumato.codes.methods._kernels_disassociation import take_apart

        sets = self.sets
        arrays = (sets.starts, sets.codes, self.level_of, self.chunk_at, self.leaf_starts, self.colour)
        take_apart(*arrays, sets.supports, level, k, m, safe)

    def joined(self, alone: Collection[int]) -> Layout:
        """Return the layout as it begins, with each of some clusters joined to the one after it.

        The last has none after it, and is joined to the one before.
        """
        gone = {min(leaf + 1, self.leaves - 1) for leaf in alone}
        kept = [start for leaf, start in enumerate(self.leaf_starts.tolist()) if leaf not in gone]
        count = len(self.sets.codes)
        return replace(
            self,
            leaf_starts=read_only(np.array(kept, np.int64), np.int64),
            level_of=np.full(count, -1, np.int32),
            chunk_at=np.full(count, -1, np.int32),
        )

    def plain_clusters(self) -> list[Cluster]:
        """Return each cluster by itself, as it shows its terms and record chunks."""
        terms = self._terms()
        sizes = np.diff(self.leaf_starts).tolist()
        chunks = self._chunks(0)
        return [Cluster(sizes[leaf], tuple(chunks.get(leaf, ())), terms[leaf]) for leaf in range(self.leaves)]

    def clusters(self, plain: Sequence[Cluster]) -> tuple[Cluster | JointCluster, ...]:
        """Gather what is published of the plain clusters and what they share."""
        parts: list[list[Cluster | JointCluster]] = [[one] for one in plain]
        for level in range(1, self.height + 1):
            shared = self._chunks(level)
            joined: list[list[Cluster | JointCluster]] = []
            for group in range((len(parts) + 1) // 2):
                inside = [part for one in parts[2 * group : 2 * group + 2] for part in one]
                found = shared.get(group)
                joined.append([JointCluster(tuple(inside), tuple(found))] if found else inside)
            parts = joined
        nobody = (Cluster(self.empty),) if self.empty else ()
        return (*(part for one in parts for part in one), *nobody)

    def figures(self) -> dict[str, int]:
        """Say where occurrences stand."""
        return {
            "clusters": self.leaves,
            "occurrences": len(self.level_of),
            "occurrences_in_record_chunks": int((self.level_of == 0).sum()),
            "occurrences_in_shared_chunks": int((self.level_of > 0).sum()),
            "occurrences_in_term_chunks": int((self.level_of < 0).sum()),
        }

    def _leaf_of(self) -> NDArray[np.int64]:
        """Return the cluster of each occurrence."""
        return slots_of(self.leaf_starts)[slots_of(self.sets.starts)]

    def _terms(self) -> list[tuple[int, ...]]:
        """Return the terms of each cluster."""
        terms = self.level_of < 0
        width = max(len(self.sets.domain), 1)
        keys = np.unique(self._leaf_of()[terms] * width + self.sets.codes[terms])
        bounds = np.searchsorted(keys // width, np.arange(self.leaves + 1)).tolist()
        codes = (keys % width).tolist()
        return [tuple(codes[start:stop]) for start, stop in pairwise(bounds)]

    def _chunks(self, level: int) -> dict[int, list[Chunk]]:
        """Return the chunks of one level by the number of the group of clusters that has them."""
        slots = np.flatnonzero(self.level_of == level)
        group = self._leaf_of()[slots] >> level
        record = slots_of(self.sets.starts)[slots]
        inside = np.lexsort((self.sets.codes[slots], record, self.chunk_at[slots], group))
        group, record, chunk = group[inside], record[inside], self.chunk_at[slots][inside]
        codes = self.sets.codes[slots][inside]
        new_chunk = np.ones(len(codes), np.bool_)
        new_chunk[1:] = (np.diff(group) != 0) | (np.diff(chunk) != 0)
        new_record = new_chunk.copy()
        new_record[1:] |= np.diff(record) != 0
        firsts = np.flatnonzero(new_record)
        bounds = np.append(np.flatnonzero(new_chunk), len(codes)).tolist()
        cuts = np.searchsorted(firsts, bounds).tolist()
        found: dict[int, list[Chunk]] = {}
        for one, (start, stop) in enumerate(pairwise(bounds)):
            starts = np.append(firsts[cuts[one] : cuts[one + 1]], stop) - start
            found.setdefault(int(group[start]), []).append(Chunk(starts, codes[start:stop]))
        return found


def _merge_small(starts: NDArray[np.int64], least: int) -> NDArray[np.int64]:
    """Join groups with fewer than ``least`` records to their neighbours."""
    bounds = starts.tolist()
    kept = [0] if bounds[-1] else []
    for stop in bounds[1:]:
        if stop - kept[-1] >= least and (stop == bounds[-1] or bounds[-1] - stop >= least):
            kept.append(stop)
    if not kept or kept[-1] != bounds[-1]:
        kept.append(bounds[-1])
    return np.array(kept, np.int64)


def _mix(order: NDArray[np.int64], starts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Put group i and group i + n/2 into one cluster: groups that lie far apart have split by other codes."""
    groups = [order[start:stop] for start, stop in pairwise(starts.tolist())]
    half = len(groups) // 2
    if not half:
        return order, starts
    pairs = [np.concatenate([groups[one], groups[one + half]]) for one in range(half)]
    pairs += groups[2 * half :]
    return np.concatenate(pairs), np.cumsum([0, *(len(pair) for pair in pairs)], dtype=np.int64)
