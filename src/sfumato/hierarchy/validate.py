"""What must hold of every ladder, whoever built it."""

from __future__ import annotations

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT, Ladder


def validate(ladder: Ladder) -> Ladder:
    """Return the ladder if it is sound, else raise ``BadInput``.

    At every level: the groups are numbered 0, 1, … without a gap, their labels differ, and two
    values that share a group also share one at every higher level. A group has at least as many
    leaves as the groups inside it together, and no level has more than ``size``. A single group at
    the top has exactly ``size``. A group ``*`` below the top stands apart from these sums: nothing
    is said about its values, so it may claim all leaves for itself.
    """
    where = f"hierarchy of column '{ladder.name}'"
    for level, rung in enumerate(ladder.rungs):
        labels, leaves = ladder.labels[level], ladder.leaves[level]
        reached = np.bincount(rung, minlength=len(labels)) if rung.size and rung.min() >= 0 else rung[:0]
        if len(reached) != len(labels) or len(leaves) != len(labels) or not reached.all():
            raise BadInput(f"the groups of level {level} are not numbered 0, 1, … without a gap", where=where)
        if len(set(labels)) != len(labels):
            raise BadInput(f"two groups of level {level} have the same label", where=where)
        if (leaves <= 0).any() or leaves.max() > ladder.size:
            raise BadInput(f"a group of level {level} has no leaves, or more than there are", where=where)
        counted = np.array([label != ROOT for label in labels])
        if leaves[counted].sum() > ladder.size:
            raise BadInput(f"level {level} has more leaves than the hierarchy", where=where)
        if level == 0:
            continue
        below = ladder.rungs[level - 1]
        parent = np.empty(len(ladder.labels[level - 1]), np.int64)
        parent[below] = rung
        if not np.array_equal(parent[below], rung):
            raise BadInput(
                f"values that share a group at level {level - 1} part again at level {level}",
                where=where,
                remedy="make every group lie inside one group of the next level",
            )
        inside = ladder.leaves[level - 1] * [label != ROOT for label in ladder.labels[level - 1]]
        if (np.bincount(parent, inside, minlength=len(labels)) > leaves).any():
            raise BadInput(f"a group of level {level} has fewer leaves than the groups in it", where=where)
    if len(ladder.labels[-1]) == 1 and ladder.labels[-1][0] == ROOT and ladder.leaves[-1][0] != ladder.size:
        raise BadInput("the root does not cover all leaves", where=where)
    return ladder
