"""Two networks side by side: so that numbers of classes mean the same in both."""

from __future__ import annotations

import numpy as np

from sfumato.graph.network import Network


def together(one: Network, other: Network) -> Network:
    """Return one network that holds both: the nodes of ``other`` follow those of ``one``.

    No edge leads from one to the other, so that nodes look in it as they look in their own network: classes
    of both by degree, refinement or neighbourhood can be compared by their numbers. Labels are kept by their
    words; where only one has labels, none are.

    >>> triangle = Network.of_edges(3, np.array([[0, 1], [1, 2], [2, 0]]))
    >>> path = Network.of_edges(2, np.array([[0, 1]]))
    >>> together(triangle, path).pairs().tolist()
    [[0, 1], [0, 2], [1, 2], [3, 4]]
    """
    offsets = np.concatenate([one.offsets, one.offsets[-1] + other.offsets[1:]])
    neighbours = np.concatenate([one.neighbours, other.neighbours + np.int32(one.nodes)])
    if one.labels is None or other.labels is None:
        return Network(offsets, neighbours)
    if one.words == other.words:
        return Network(offsets, neighbours, np.concatenate([one.labels, other.labels]), one.words)
    words = tuple(dict.fromkeys(one.words + other.words))
    place = {word: number for number, word in enumerate(words)}
    of_one = np.array([place[word] for word in one.words], np.int32)
    of_other = np.array([place[word] for word in other.words], np.int32)
    labels = np.concatenate([of_one[one.labels], of_other[other.labels]])
    return Network(offsets, neighbours, labels, words)
