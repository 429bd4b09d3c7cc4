"""Disassociated sets: which codes occur is shown, which of them belong to one person is hidden.

M. Terrovitis, J. Liagouris, N. Mamoulis & S. Skiadopoulos, "Privacy preservation by disassociation" (2012).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.sets import read_only

Key = tuple[Any, ...]
"""what orders parts of a release: a function of what they show alone"""


@dataclass(frozen=True, eq=False)
class Chunk:
    """A bag of sub-records: sub-record i holds ``codes[starts[i]:starts[i + 1]]``, ascending and never empty.

    The bag is kept in one order that depends on what it shows alone, so the order of sub-records cannot
    tell which of two chunks belong to the same person.

    >>> Chunk.of([[2, 1], [0], [1]]).sub_records()
    ((0,), (1,), (1, 2))
    """

    starts: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int32] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", read_only(self.starts, np.int64))
        object.__setattr__(self, "codes", read_only(self.codes, np.int32))
        shown = self.sub_records()
        if any(later < earlier for earlier, later in pairwise(shown)):
            shown = tuple(sorted(shown))
            object.__setattr__(self, "starts", read_only(_starts(shown), np.int64))
            flat = np.array([code for one in shown for code in one], np.int32)
            object.__setattr__(self, "codes", read_only(flat, np.int32))

    @classmethod
    def of(cls, sub_records: Iterable[Iterable[int]]) -> Chunk:
        """Gather sub-records; empty ones are left out."""
        shown = sorted(tuple(sorted(set(one))) for one in sub_records)
        shown = [one for one in shown if one]
        return cls(_starts(shown), np.array([code for one in shown for code in one], np.int32))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def sub_records(self) -> tuple[tuple[int, ...], ...]:
        """Return the bag."""
        flat, bounds = self.codes.tolist(), self.starts.tolist()
        return tuple(tuple(flat[start:stop]) for start, stop in pairwise(bounds))

    @cached_property
    def held(self) -> frozenset[int]:
        """The codes that stand in it."""
        return frozenset(self.codes.tolist())


@dataclass(frozen=True, eq=False)
class Cluster:
    """Some records taken apart. ``chunks`` are projections of them on disjoint sets of codes.

    Every one of the ``records`` has at most one sub-record of each chunk. ``terms``, the term chunk, are
    codes that some of the records hold: it is not told how many.
    """

    records: int
    chunks: tuple[Chunk, ...] = ()
    terms: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "chunks", tuple(sorted(self.chunks, key=Chunk.sub_records)))
        object.__setattr__(self, "terms", tuple(sorted(set(self.terms))))

    @cached_property
    def held(self) -> frozenset[int]:
        """The codes that stand in it."""
        return frozenset(self.terms).union(*(chunk.held for chunk in self.chunks))

    @cached_property
    def key(self) -> Key:
        """What it is ordered by."""
        return (0, self.records, tuple(chunk.sub_records() for chunk in self.chunks), self.terms)


@dataclass(frozen=True, eq=False)
class JointCluster:
    """Clusters that publish some of their codes together, in ``shared`` chunks.

    A sub-record of a shared chunk belongs to some record of any of the ``parts`` that does not show one
    of its codes in chunks of its own.
    """

    parts: tuple[Cluster | JointCluster, ...]
    shared: tuple[Chunk, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(sorted(self.parts, key=lambda part: part.key)))
        object.__setattr__(self, "shared", tuple(sorted(self.shared, key=Chunk.sub_records)))

    @cached_property
    def records(self) -> int:
        """How many records its parts have."""
        return sum(part.records for part in self.parts)

    @cached_property
    def told(self) -> frozenset[int]:
        """The codes that stand in its shared chunks."""
        return frozenset().union(*(chunk.held for chunk in self.shared))

    @cached_property
    def held(self) -> frozenset[int]:
        """The codes that stand in it, its parts included."""
        return self.told.union(*(part.held for part in self.parts))

    @cached_property
    def key(self) -> Key:
        """What it is ordered by."""
        shared = tuple(chunk.sub_records() for chunk in self.shared)
        return (1, self.records, shared, tuple(part.key for part in self.parts))


def leaves(part: Cluster | JointCluster) -> Iterator[Cluster]:
    """Go through the plain clusters of a part."""
    if isinstance(part, Cluster):
        yield part
    else:
        for inner in part.parts:
            yield from leaves(inner)


@dataclass(frozen=True, eq=False)
class Disassociated:
    """What a release shows when sets are disassociated: clusters, each taken apart on its own.

    Codes are positions in ``domain``. There are no records to number; ``len`` says how many people the
    clusters have together. Everything is kept in an order that depends on what is shown alone.

    >>> chunk = Chunk.of([[0, 1], [0, 1]])
    >>> shown = Disassociated(("295", "296", "401"), (Cluster(3, (chunk,), (2,)),))
    >>> len(shown), shown.to_lines()
    (3, ('{"records": 3, "chunks": [[["295", "296"], ["295", "296"]]], "terms": ["401"]}',))
    """

    domain: tuple[str, ...] = field(repr=False)
    clusters: tuple[Cluster | JointCluster, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "clusters", tuple(sorted(self.clusters, key=lambda part: part.key)))

    def __len__(self) -> int:
        return sum(part.records for part in self.clusters)

    def leaves(self) -> Iterator[Cluster]:
        """Go through all plain clusters."""
        for part in self.clusters:
            yield from leaves(part)

    def chunks(self) -> Iterator[Chunk]:
        """Go through all chunks of sub-records, shared ones included."""
        waiting: list[Cluster | JointCluster] = list(self.clusters)
        while waiting:
            part = waiting.pop()
            if isinstance(part, Cluster):
                yield from part.chunks
            else:
                yield from part.shared
                waiting.extend(part.parts)

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """How often each code stands in chunks of sub-records: at most its true support."""
        found = np.zeros(len(self.domain), np.int64)
        for chunk in self.chunks():
            np.add.at(found, chunk.codes, 1)
        return read_only(found, np.int64)

    @property
    def occurrences(self) -> int:
        """How many codes stand in chunks of sub-records."""
        return int(self.supports.sum())

    def to_lines(self) -> tuple[str, ...]:
        """Write each cluster as one line of JSON; see ``from_lines``."""
        from sfumato.codes.disassociated_lines import write_lines

        return write_lines(self)

    @classmethod
    def from_lines(cls, lines: Iterable[str], where: str = "disassociated sets") -> Disassociated:
        """Read what ``to_lines`` wrote.

        A line is a cluster ``{"records", "chunks", "terms"}`` or a joint one ``{"clusters", "shared"}``.
        Raises ``BadInput`` with the number of the line where something cannot be so.
        """
        from sfumato.codes.disassociated_lines import read_lines

        return read_lines(lines, where)


def _starts(shown: Iterable[tuple[int, ...]]) -> NDArray[np.int64]:
    return np.cumsum([0, *(len(one) for one in shown)], dtype=np.int64)
