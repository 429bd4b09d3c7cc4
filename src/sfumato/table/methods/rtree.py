"""Leaves that grow: a partition that takes in new records without starting again.

T. Iwuchukwu and J. Naughton, "K-anonymization as spatial indexing: toward scalable and incremental
anonymization" (VLDB 2007): the leaves of an R-tree are the classes; a new record goes to the leaf that it
enlarges least, and a leaf of 2k records is divided.

**What somebody learns who holds two versions.** A leaf of k records that has taken in one more shows the
newcomer: it is what the second version has and the first has not. A leaf that was divided shows, of those
who were in it before, who went which way, and these may be fewer than k. Each version is k-anonymous and
both together are not. So ``versions="guarded"``, the default, never changes a leaf that was released:
newcomers wait until k of them make leaves of their own, and every later version is the earlier one and
more. ``versions="ignored"`` follows the paper and keeps more; use it when only one version ever leaves
the house. ``singled_out`` counts what two versions show together. Records that are withdrawn or changed
are not covered, nor is m-invariance (X. Xiao and Y. Tao, 2007) promised: a sensitive value that is shared by
all of a leaf is as bare here as anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.table.cells import Cells
from sfumato.table.methods.clustering._kernels_clusters import nearest_of_each
from sfumato.table.methods.clustering._kernels_division import divide_ranges
from sfumato.table.methods.clustering.show import shown
from sfumato.table.methods.clustering.space import Partition, Space
from sfumato.table.methods.hilbert import curve_order, runs
from sfumato.table.methods.mondrian_columns import Column

Versions = Literal["guarded", "ignored"]
WAITING = -1
"""the leaf of a record that is not published yet"""


@dataclass(frozen=True)
class Version:
    """One release: the leaf of every record so far (WAITING where there is none), and what it shows."""

    leaves: tuple[int, ...]
    published: tuple[tuple[str | None, ...] | None, ...] = field(repr=False)

    @property
    def held_back(self) -> int:
        """How many records wait for others."""
        return self.leaves.count(WAITING)


class GrowingLeaves:
    """A partition of records, each one person, that takes in more of them.

    >>> leaves = GrowingLeaves(["age"], k=2)
    >>> leaves.insert([(20,), (21,), (50,), (59,)])
    >>> leaves.release().published
    (('[20-21]',), ('[20-21]',), ('[50-59]',), ('[50-59]',))
    >>> leaves.insert([(30,)])
    >>> leaves.release().held_back
    1
    """

    def __init__(self, names: Sequence[str], k: int, versions: Versions = "guarded") -> None:
        if not names:
            raise BadInput("leaves need a quasi-identifier", remedy="name one")
        if k < 1:
            raise BadInput("k must be at least 1", remedy="2 is the least that hides anybody")
        if versions not in get_args(Versions):
            raise BadInput(
                f"there is no way '{versions}' to treat versions",
                remedy=nearest(str(versions), get_args(Versions)),
            )
        self._names = tuple(names)
        self._k = k
        self._versions = versions
        self._records: list[tuple[Any, ...]] = []
        self._leaves: list[int] = []

    def insert(self, records: Iterable[Sequence[Any]]) -> None:
        """Take in records; the next release places them."""
        new = [tuple(record) for record in records]
        for row, record in enumerate(new, 1):
            if len(record) != len(self._names):
                raise BadInput(
                    f"it has {len(record)} values and there are {len(self._names)} columns",
                    where=f"inserted row {row}",
                    remedy="give one value for each column",
                )
        self._records += new
        self._leaves += [WAITING] * len(new)

    def release(self) -> Version:
        """Place the records that wait, and publish every leaf: none has fewer than k."""
        if len(self._records) < self._k:
            raise PromiseNotMet(
                f"every leaf needs {self._k} persons and there are {len(self._records)}",
                remedy="wait for more records",
            )
        cells, columns = self._cells()
        leaves = np.array(self._leaves, np.int64)
        waiting = np.flatnonzero(leaves == WAITING)
        if len(waiting) == len(leaves) or self._versions == "guarded":
            if len(waiting) >= self._k:
                leaves[waiting] = self._bulk(cells, columns, waiting) + leaves.max() + 1
        elif len(waiting):
            leaves = self._enlarged(cells, columns, leaves, waiting)
        self._leaves = leaves.tolist()
        placed = np.flatnonzero(leaves != WAITING)
        some = Cells(cells.domains, np.ascontiguousarray(cells.codes[:, placed]), *_ones(len(placed)))
        solution = shown(some, columns, np.unique(leaves[placed], return_inverse=True)[1], "tight", {})
        published: list[tuple[str | None, ...] | None] = [None] * len(leaves)
        for at, place in zip(solution.classes.tolist(), placed.tolist(), strict=True):
            labels = [c.labels[b] for c, b in zip(solution.columns, solution.boxes[:, at], strict=True)]
            published[place] = tuple(labels)
        return Version(tuple(self._leaves), tuple(published))

    def _cells(self) -> tuple[Cells, tuple[Column, ...]]:
        """Every record as a cell of its own: equal ones may come at different times."""
        domains = []
        codes = np.empty((len(self._names), len(self._records)), np.int32)
        for j, name in enumerate(self._names):
            values = [record[j] for record in self._records]
            domain = Domain.of(name, values)
            place = {value: code for code, value in enumerate(domain.values)}
            codes[j] = [place[value] for value in values]
            domains.append(domain)
        cells = Cells(tuple(domains), codes, *_ones(len(self._records)))
        return cells, tuple(Column.plain(domain, None) for domain in domains)

    def _bulk(self, cells: Cells, columns: tuple[Column, ...], some: NDArray[np.int64]) -> NDArray[np.int64]:
        """Load leaves along a Hilbert curve."""
        codes = np.ascontiguousarray(cells.codes[:, some])
        rows, persons = _ones(len(some))
        return runs(codes, curve_order(codes, columns), persons, rows, self._k, columns)

    def _enlarged(
        self,
        cells: Cells,
        columns: tuple[Column, ...],
        leaves: NDArray[np.int64],
        waiting: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Give every newcomer to the leaf that it enlarges least; divide leaves of 2k records."""
        everything = np.arange(len(leaves))
        space = Space.of(cells, _ones(len(leaves))[0], columns, everything)
        number = int(leaves.max()) + 1
        owners = leaves.copy()
        owners[waiting] = number + np.arange(len(waiting))
        partition = Partition.of_owners(everything, owners)
        clusters = space.clusters(partition)
        old = np.arange(len(partition)) < len(partition) - len(waiting)
        asking = np.flatnonzero(~old)
        partner, growth = np.full(len(asking), -1, np.int64), np.full(len(asking), np.inf)
        hulls = space.hulls(clusters, old)
        nearest_of_each(asking, old, space.layout, clusters, hulls, partner, growth)
        into = np.arange(len(partition))
        into[asking] = partner
        grown = Partition.of_owners(partition.order, np.repeat(into, np.diff(partition.starts)))
        order = grown.order.copy()
        begins = np.zeros(len(order), np.bool_)
        first = np.zeros(1, np.int64)
        divide_ranges(
            order, grown.starts, first, self._k, True, space.persons, space.layout, space.points, begins
        )
        return Partition(order, np.append(np.flatnonzero(begins), len(order))).owners


def singled_out(before: Version, after: Version) -> int:
    """Return how many persons are in the smallest group that two versions together tell apart.

    Those who were in one leaf before and are in one leaf now are a group; so are the newcomers of a leaf.
    Fewer than k means that the two versions together break the promise that each of them keeps.
    """
    earlier = (*before.leaves, *[WAITING] * (len(after.leaves) - len(before.leaves)))
    groups = Counter(pair for pair in zip(earlier, after.leaves, strict=True) if pair[1] != WAITING)
    return min(groups.values())


def _ones(count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and persons of records that are one person each."""
    return np.ones(count, np.int64), np.ones(count, np.int64)
