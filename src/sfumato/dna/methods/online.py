"""DNALA for sequences that keep coming: a new one is added to a release that is already out.

Whoever has seen two versions may compare them. With z a group's published row before and z' after one
newcomer x joined it, z' = z ∨ x, and the newcomer is told apart from the others of the group:

    at positions where z' ≠ z:  x lies in z' and not in z

So joining a group keeps k-anonymity of each version by itself and breaks it for the two together: who is
known to have come in between is the only candidate, and often their base is told exactly. The safe way, and
the default, lets newcomers wait until k persons do, groups them among themselves, and changes nothing that is
out already. Then every row that is new stands for k newcomers or more.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.contract import Problem
from sfumato.dna.methods.dnala import Dnala
from sfumato.dna.models.sequence_k_anonymity import SequenceKAnonymity

Newcomers = Literal["wait", "join"]
NEWCOMERS: tuple[Newcomers, ...] = ("wait", "join")


@dataclass(frozen=True, eq=False)
class Standing:
    """What is out, and who waits. For the steward: groups and waiting rows are never published."""

    published: Aligned
    group: NDArray[np.int64] = field(repr=False)
    """the group of each published row; it keeps its number from version to version"""
    waiting: Aligned
    """rows as they came, not yet published"""


@dataclass(frozen=True)
class Told:
    """What two versions tell together of those who came in between."""

    fewest: int | None
    """the fewest new persons of a group that changed or is new: an adversary's candidates; None: no group"""
    cells: int
    """cells of newcomers that are known better than the later version says"""


@dataclass(frozen=True)
class OnlineDnala:
    """Keeps a release of groups of k persons while sequences come in.

    ``newcomers`` is ``wait`` (safe against whoever compares versions) or ``join`` (each joins at once the
    group that it adds least to the loss; only for releases of which earlier versions were never seen). Rows
    are never taken back: a person who withdraws calls for a new release.

    >>> from sfumato.dna.aligned import aligned
    >>> online = OnlineDnala(2)
    >>> first = online.start(aligned("AATTA", "AATGA", "ATTCA", "AATGA"))
    >>> second = online.insert(first, Aligned(aligned("CCTTA").cells, persons=np.array([4])))
    >>> len(second.published), len(second.waiting)
    (4, 1)
    >>> third = online.insert(second, Aligned(aligned("CCTGA").cells, persons=np.array([5])))
    >>> len(third.published), len(third.waiting), told_by_both(first, third).fewest
    (6, 0, 2)
    """

    k: int
    newcomers: Newcomers = "wait"
    method: Dnala = field(default_factory=Dnala)

    def __post_init__(self) -> None:
        SequenceKAnonymity(self.k)
        if self.newcomers not in NEWCOMERS:
            hint = nearest(str(self.newcomers), NEWCOMERS)
            raise BadInput("newcomers wait or join", where="online dnala, newcomers", remedy=hint)

    def start(self, rows: Aligned, *, progress: Progress = SILENT) -> Standing:
        """Publish the first version; fewer than k persons are refused."""
        published, group = self._grouped(rows, progress)
        return Standing(published, group, _none_of(rows))

    def insert(self, standing: Standing, rows: Aligned, *, progress: Progress = SILENT) -> Standing:
        """Add rows. Persons are numbered as before: who has a row already is not a new person."""
        if rows.width != standing.published.width or rows.lattice.name != standing.published.lattice.name:
            raise BadInput(
                f"the release has {standing.published.width:,} positions of {standing.published.lattice.name}"
                f" and the new rows {rows.width:,} of {rows.lattice.name}",
                remedy="align the new rows with the old ones",
            )
        if rows.persons is None:
            raise BadInput(
                "the new rows do not say whose they are", remedy="number their persons as in the release"
            )
        if self.newcomers == "join":
            return _joined(standing, rows)
        waiting = _stacked(standing.waiting, rows)
        new = ~np.isin(waiting.owners, standing.published.owners)
        if len(np.unique(waiting.owners[new])) < self.k:
            return replace(standing, waiting=waiting)
        # Further rows of persons who are out already hide nobody: k new persons come together first.
        later = self.start(waiting.rows(np.flatnonzero(new)), progress=progress)
        later = _joined(later, waiting.rows(np.flatnonzero(~new)))
        first = int(standing.group.max(initial=-1)) + 1
        return Standing(
            _stacked(standing.published, later.published),
            np.concatenate([standing.group, first + later.group]),
            later.waiting,
        )

    def _grouped(self, rows: Aligned, progress: Progress) -> tuple[Aligned, NDArray[np.int64]]:
        method = replace(self.method, leave_out=False)
        found = method.protect(Problem(rows, (SequenceKAnonymity(self.k),)), progress=progress)
        _, group = np.unique(found.published.cells, axis=0, return_inverse=True)
        return replace(found.published, persons=rows.owners), group.ravel().astype(np.int64)


def told_by_both(before: Standing, after: Standing) -> Told:
    """Say what whoever has seen both versions knows of those who came in between.

    The adversary is taken to recognise groups from version to version and to know who is new.
    """
    fewest: int | None = None
    cells = 0
    known = np.unique(before.published.owners)
    for number in np.unique(after.group):
        now, then = after.group == number, before.group == number
        if now.sum() == then.sum():
            continue
        persons = len(np.setdiff1d(after.published.owners[now], known))
        fewest = persons if fewest is None else min(fewest, persons)
        new = int(now.sum() - then.sum())
        if then.any() and new == 1:
            changed = after.published.cells[now][0] != before.published.cells[then][0]
            cells += int(changed.sum())
    return Told(fewest, cells)


def _joined(standing: Standing, rows: Aligned) -> Standing:
    """Let each row join the group that it adds least to."""
    lattice = standing.published.lattice
    cells, group = standing.published.cells.copy(), standing.group
    numbers, first, sizes = np.unique(group, return_index=True, return_counts=True)
    joins = cells[first]
    sizes = sizes.astype(np.int64)
    chosen = np.empty(len(rows), np.int64)
    for at, row in enumerate(rows.cells):
        wider = lattice.closed[joins | row]
        levels = lattice.levels[wider].sum(axis=1)
        added = (sizes + 1) * levels - sizes * lattice.levels[joins].sum(axis=1)
        best = int(np.argmin(added))
        joins[best] = wider[best]
        sizes[best] += 1
        chosen[at] = best
    place = np.concatenate([np.searchsorted(numbers, group), chosen])
    everybody = _stacked(standing.published, rows)
    return Standing(everybody.with_cells(joins[place]), numbers[place], standing.waiting)


def _none_of(rows: Aligned) -> Aligned:
    return replace(rows, persons=rows.owners).rows(np.empty(0, np.int64))


def _stacked(one: Aligned, two: Aligned) -> Aligned:
    return replace(
        one, cells=np.concatenate([one.cells, two.cells]), persons=np.concatenate([one.owners, two.owners])
    )
