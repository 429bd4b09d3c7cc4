"""Labels and what may be said instead of them: numbers for the words of a network and those of its tree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.graph.methods.neighbourhood_growing import Pair
from sfumato.graph.network import Network
from sfumato.hierarchy.ladder import ROOT, Ladder


class Words:
    """The words that nodes may be published with.

    ``labels`` numbers the words that nodes begin with: their own, or what the tree shows for them at its
    lowest level (``*`` for words that it does not know). A word and one of the tree that is spelt alike have
    the same number: whoever reads what is published cannot tell them apart either. The loss of a label is its
    NCP: the share of all leaves of the tree that lie under it, and 0 for a leaf.
    """

    def __init__(self, network: Network, tree: Ladder | None, labelled: bool) -> None:
        n = network.nodes
        given = network.labels if labelled and network.labels is not None else None
        self.labels = np.zeros(n, np.int64) if given is None else given.astype(np.int64)
        self._code = self.labels.copy()
        self.words: tuple[str, ...] = network.words
        self._chains: list[tuple[int, ...]] = []
        self._losses: list[tuple[float, ...]] = []
        if given is None or tree is None:
            return
        if tree.rungs.shape[1] != len(network.words):
            raise BadInput(
                "the hierarchy is not laid over the labels of the network",
                where="k-neighbourhood, labels",
                remedy="lay it over all words of the network, in their order",
            )
        number = {word: at for at, word in reversed(list(enumerate(network.words)))}
        spelt = list(network.words)
        for code in range(len(network.words)):
            chain = [code]
            losses = [0.0]
            for level in range(tree.height + 1):
                group = int(tree.rungs[level, code])
                text = tree.labels[level][group]
                text = ROOT if text is None else text
                if text not in number:
                    number[text] = len(spelt)
                    spelt.append(text)
                chain.append(number[text])
                covered = float(tree.leaves[level][group])
                losses.append(covered / tree.size if covered > 1 else 0.0)
            if tree.labels[0][tree.rungs[0, code]] not in (None, network.words[code]):
                # Even at its lowest level the tree says something else, so that nobody sees the word itself.
                chain[0], losses[0] = chain[1], losses[1]
            self._chains.append(tuple(chain))
            self._losses.append(tuple(losses))
        self.words = tuple(spelt)
        self.labels = np.array([chain[0] for chain in self._chains], np.int64)[self._code]

    def in_use(self, labels: NDArray[np.int64]) -> tuple[str, ...]:
        """Return the words, and nothing in the place of those that no node has any more."""
        used = set(labels.tolist())
        return tuple(word if number in used else "" for number, word in enumerate(self.words))

    def pools(self) -> list[set[int]]:
        """Return sets of nodes that may get the same label: all of them, or without a tree those who have."""
        if self._chains:
            return [set(range(len(self.labels)))]
        return [set(np.flatnonzero(self.labels == label).tolist()) for label in np.unique(self.labels)]

    def may_share(self, one: int, other: int) -> bool:
        """Say whether two nodes have the same label or may get it, as far as is known before a look."""
        return bool(self._chains) or bool(self.labels[one] == self.labels[other])

    def level(self, label: int, node: int) -> int:
        """Return how far a node's label is generalised: the lowest rung that says it so."""
        return self._chains[self._code[node]].index(label) if self._chains else 0

    def loss(self, labels: NDArray[np.int64], nodes: Sequence[int]) -> float:
        """Return the sum of the losses of some nodes' labels."""
        if not self._chains:
            return 0.0
        levels = ((int(self._code[node]), self.level(int(labels[node]), node)) for node in nodes)
        return sum(self._losses[code][level] for code, level in levels)

    def shared(self, labels: NDArray[np.int64], nodes: Sequence[int]) -> list[Pair] | None:
        """Return the labels that must change so that nodes have the same; None where no word covers them."""
        now = {int(labels[node]) for node in nodes}
        if len(now) == 1:
            return []
        if not self._chains:
            return None
        lowest = max(self.level(int(labels[node]), node) for node in nodes)
        for rung in range(lowest, len(self._chains[0])):
            found = {self._chains[self._code[node]][rung] for node in nodes}
            if len(found) == 1:
                label = found.pop()
                return [(node, label) for node in nodes if labels[node] != label]
        return None
