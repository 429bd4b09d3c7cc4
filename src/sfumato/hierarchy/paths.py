"""What can be wrong with paths that are all equally long: groups that part again, and cycles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def find_parting(groups: NDArray[np.int64]) -> tuple[int, int, int] | None:
    """Return (level, path, path) of two paths that share a group there and not at the next level.

    ``groups[0]`` is level 1.
    """
    for level in range(1, len(groups)):
        below, rung = groups[level - 1], groups[level]
        path_of = np.empty(int(below.max()) + 1, np.int64)
        # Assigned backwards, so that the first path of each group is the one that stays.
        path_of[below[::-1]] = np.arange(len(below))[::-1]
        unlike = rung != rung[path_of[below]]
        if unlike.any():
            other = int(np.argmax(unlike))
            return level, int(path_of[below[other]]), other
    return None


def find_cycle(
    leaves: Sequence[str], labels: Sequence[Sequence[str]], groups: NDArray[np.int64]
) -> int | None:
    """Return a path on which a label lies above itself, as in A → B → A, or None.

    A label that is repeated on consecutive levels has only reached its group early. Paths taken
    together count: A under B on one of them and B under A on another are a cycle too.
    """
    above = {label for level in labels for label in level}
    if len(above) == sum(map(len, labels)) and above.isdisjoint(leaves):
        return None
    parents: dict[str, dict[str, int]] = {}
    for path, leaf in enumerate(leaves):
        if leaf in above:
            _add(parents, leaf, labels[0][groups[0, path]], path)
    for level in range(1, len(groups)):
        used, path_of = np.unique(groups[level - 1], return_index=True)
        for group, path in zip(used.tolist(), path_of.tolist(), strict=True):
            _add(parents, labels[level - 1][group], labels[level][groups[level, path]], path)
    return _edge_on_cycle(parents)


def first_line_of(numbers: NDArray[np.int64], path: int) -> int:
    """Return the first line that holds the distinct path with this number."""
    return int(np.argmax(numbers == path))


def _add(parents: dict[str, dict[str, int]], label: str, parent: str, path: int) -> None:
    if label != parent:
        parents.setdefault(label, {}).setdefault(parent, path)


def _edge_on_cycle(parents: dict[str, dict[str, int]]) -> int | None:
    """Walk upwards depth first; an edge back to a label that is still open closes a cycle."""
    done: set[str] = set()
    for start in parents:
        if start in done:
            continue
        open_labels = {start}
        stack = [(start, iter(parents[start].items()))]
        while stack:
            label, edges = stack[-1]
            parent, path = next(edges, (None, -1))
            if parent is None:
                stack.pop()
                open_labels.discard(label)
                done.add(label)
            elif parent in open_labels:
                return path
            elif parent not in done and parent in parents:
                open_labels.add(parent)
                stack.append((parent, iter(parents[parent].items())))
    return None
