"""Canonical numbers of nodes, by BLISS (T. Junttila & P. Kaski, 2007) as it comes with igraph.

Two networks that are the same but for the numbers of their nodes are the very same once each is renumbered
canonically. igraph's ``canonical_permutation`` lists for each new number the old one (version 1.0) where
older versions list for each old number the new one: taken the wrong way round it still is a permutation, and
networks that are alike look different. So it is tried on a small network before it is believed.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import MissingPart

REMEDY = "pip install 'sfumato[graph]'"
_RIGID = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (1, 3))
"""a network that no renumbering but the identity leaves as it is"""
_TURNED = (3, 0, 5, 1, 2, 4)
"""another numbering of it, which is not its own inverse"""


@functools.cache
def igraph() -> Any:
    """Load igraph, or say how to install it."""
    try:
        return importlib.import_module("igraph")
    except ImportError:
        raise MissingPart("igraph is not installed", remedy=REMEDY) from None


def canonical_numbers(
    nodes: int, pairs: NDArray[np.int64], colours: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Return the canonical number of each node of the network with these edges.

    Nodes of different colours are told apart; what number a colour has matters only by its order.
    """
    ranks = None if colours is None else np.unique(colours, return_inverse=True)[1].tolist()
    listed = np.array(_permutation(nodes, pairs.tolist(), ranks), np.int64)
    if not _lists_old_numbers():
        return listed
    number = np.empty(nodes, np.int64)
    number[listed] = np.arange(nodes)
    return number


def _permutation(nodes: int, pairs: Sequence[Sequence[int]], ranks: list[int] | None) -> list[int]:
    if nodes == 0:
        return []
    found: list[int] = igraph().Graph(nodes, pairs).canonical_permutation(color=ranks)
    return found


@functools.cache
def _lists_old_numbers() -> bool:
    """Find out which way this igraph lists its permutation; refuse one that lists neither."""
    turned = [(_TURNED[one], _TURNED[other]) for one, other in _RIGID]
    here = _permutation(len(_TURNED), _RIGID, None)
    there = _permutation(len(_TURNED), turned, None)
    # The turned node _TURNED[v] is node v, so both must get one number.
    if all(there[_TURNED[node]] == number for node, number in enumerate(here)):
        return False
    if all(_TURNED[old] == there[number] for number, old in enumerate(here)):
        return True
    raise MissingPart("this igraph has no canonical permutation that can be relied on", remedy=REMEDY)
