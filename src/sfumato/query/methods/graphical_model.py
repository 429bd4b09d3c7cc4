"""A distribution of people that agrees with noisy marginals and assumes nothing else.

R. McKenna, D. Sheldon & G. Miklau, "Graphical-model based estimation and inference for differential
privacy" (2019), written anew. Among all distributions p over the attributes, with N people in all, those are
sought whose marginals are nearest to the measured ones,

    L(p) = Σ_m ‖N · p_m − y_m‖² / (2 σ_m²),

and among them the one of largest entropy, p ∝ exp(Σ_m θ_m): a graphical model. Its parameters θ are found by
entropic mirror descent, whose steps θ ← θ − α ∇L need only the marginals of p, which belief propagation over
a junction tree gives exactly. All of it works on noisy counts: it costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.query.methods.junction_tree import Clique, JunctionTree

Table = NDArray[np.float64]

_ENOUGH = 1e-7
"""relative change of the loss over ten steps below which it is not worth going on"""
_STEEPEST = 40
"""halvings of the step before the best is taken to be found"""


@dataclass(frozen=True)
class Measurement:
    """A noisy marginal: one axis per attribute, in ascending order, and the standard deviation of a cell."""

    attributes: Clique
    counts: Table = field(repr=False)
    deviation: float | Table
    """one for all cells, or one for each"""


@dataclass(frozen=True)
class GraphicalModel:
    """What was fitted: the expected number of people in each cell of each clique."""

    sizes: tuple[int, ...]
    tree: JunctionTree
    total: float
    potentials: tuple[Table, ...] = field(repr=False)
    expected: tuple[Table, ...] = field(repr=False)

    def marginal(self, attributes: Clique) -> Table:
        """Return the expected counts over attributes that lie in one clique."""
        place = self.tree.holding(attributes)
        if place is None:
            raise AssertionError("these attributes do not lie in one clique")
        return _project(self.expected[place], self.tree.cliques[place], attributes)

    def pairs(self, first: int) -> dict[int, Table]:
        """Return the expected counts over one attribute (rows) with every other (columns), near or far.

        From a clique that holds the attribute the joint counts with each separator are carried through the
        tree: given what lies between, what lies behind does not depend on what lies before.
        """
        start = self.tree.holding((first,))
        assert start is not None
        near: list[list[int]] = [[] for _ in self.tree.cliques]
        for i, parent in enumerate(self.tree.parents):
            if parent >= 0:
                near[i].append(parent)
                near[parent].append(i)
        found: dict[int, Table] = {}
        one = np.eye(self.sizes[first])
        clique = self.tree.cliques[start]
        shape = [1] * len(clique)
        shape[clique.index(first)] = self.sizes[first]
        waiting = [(start, -1, self.expected[start][None] * one.reshape([self.sizes[first], *shape]))]
        while waiting:
            here, before, joint = waiting.pop()
            clique = self.tree.cliques[here]
            for b in clique:
                if b not in found:
                    found[b] = _sum_but(joint, [0, 1 + clique.index(b)])
            for there in near[here]:
                if there != before:
                    waiting.append((there, here, self._carried(joint, here, there)))
        del found[first]
        return found

    def _carried(self, joint: Table, here: int, there: int) -> Table:
        """Return the counts of an attribute (first axis) with clique ``there`` from those with ``here``."""
        between = self.tree.separators[there if self.tree.parents[there] == here else here]
        clique = self.tree.cliques[here]
        message = _sum_but(joint, [0, *(1 + clique.index(a) for a in between)])
        behind = self.tree.cliques[there]
        shape = tuple(self.sizes[a] if a in between else 1 for a in behind)
        known = _project(self.expected[there], behind, between)
        ratio = np.divide(message, known[None], out=np.zeros_like(message), where=known[None] > 0)
        return ratio.reshape((message.shape[0], *shape)) * self.expected[there][None]


def fit(
    measured: Sequence[Measurement],
    sizes: Sequence[int],
    total: float,
    *,
    steps: int = 1000,
    warm: GraphicalModel | None = None,
) -> GraphicalModel:
    """Find the model of largest entropy among those nearest to what was measured.

    ``warm`` is an earlier model over the same attributes: its parameters are where the search begins.

    >>> rows, columns = np.array([30.0, 10.0]), np.array([20.0, 20.0])
    >>> measured = [Measurement((0,), rows, 1.0), Measurement((1,), columns, 1.0)]
    >>> fit(measured, (2, 2), 40).pairs(0)[1].round(3)
    array([[15., 15.],
           [ 5.,  5.]])
    """
    tree = JunctionTree.over([m.attributes for m in measured], sizes)
    problem = _Problem(tuple(sizes), tree, float(total), _merged(measured))
    potentials = problem.begin(warm)
    expected = problem.propagate(potentials)
    loss, slope = problem.loss(expected)
    step = problem.first_step()
    history = [loss]
    for _ in range(steps):
        for _ in range(_STEEPEST):
            tried = problem.moved(potentials, slope, step)
            reached = problem.propagate(tried)
            lower, next_slope = problem.loss(reached)
            if loss - lower >= 0.5 * problem.promised(slope, expected, reached):
                break
            step *= 0.5
        else:
            break
        potentials, expected, loss, slope = tried, reached, lower, next_slope
        step *= 1.2
        history.append(loss)
        if len(history) > 10 and history[-11] - loss <= _ENOUGH * max(history[-11], 1.0):
            break
    return GraphicalModel(tuple(sizes), tree, float(total), tuple(potentials), tuple(expected))


def _merged(measured: Sequence[Measurement]) -> list[Measurement]:
    """Join measurements of the same attributes, each weighed by 1/σ²: the loss differs by a constant."""
    by_set: dict[Clique, list[Measurement]] = {}
    for m in measured:
        by_set.setdefault(m.attributes, []).append(m)
    merged = []
    for attributes, same in by_set.items():
        weights = np.array([np.broadcast_to(np.asarray(m.deviation) ** -2.0, m.counts.shape) for m in same])
        counts = (weights * np.array([m.counts for m in same])).sum(axis=0) / weights.sum(axis=0)
        merged.append(Measurement(attributes, counts, weights.sum(axis=0) ** -0.5))
    return merged


@dataclass(frozen=True)
class _Problem:
    """The loss over a junction tree: where each measurement is read off and pushed back."""

    sizes: tuple[int, ...]
    tree: JunctionTree
    total: float
    measured: Sequence[Measurement]
    places: list[int] = field(init=False)

    def __post_init__(self) -> None:
        places = [self.tree.holding(m.attributes) for m in self.measured]
        assert None not in places
        object.__setattr__(self, "places", places)

    def begin(self, warm: GraphicalModel | None) -> list[Table]:
        """Begin where an earlier model was, or where all attributes are independent: still p ∝ exp(Σ θ)."""
        potentials = [np.zeros([self.sizes[a] for a in clique]) for clique in self.tree.cliques]
        places = [] if warm is None else [self.tree.holding(clique) for clique in warm.tree.cliques]
        if warm is not None and None not in places:
            for place, clique, values in zip(places, warm.tree.cliques, warm.potentials, strict=True):
                assert place is not None
                potentials[place] += _spread(values, clique, self.tree.cliques[place])
            return potentials
        for place, m in zip(self.places, self.measured, strict=True):
            if len(m.attributes) == 1:
                # Counts below their noise say little: half of it is where the search for them begins.
                likely = np.log(np.maximum(m.counts, 0.5 * np.asarray(m.deviation)))
                potentials[place] += _spread(likely, m.attributes, self.tree.cliques[place])
        return potentials

    def first_step(self) -> float:
        """Return a step that may be too long: it is halved until it is not."""
        return 4.0 * max(float(np.max(m.deviation)) ** 2 for m in self.measured) / self.total

    def moved(self, potentials: list[Table], slope: list[Table], step: float) -> list[Table]:
        moved = [p.copy() for p in potentials]
        for place, m, g in zip(self.places, self.measured, slope, strict=True):
            moved[place] -= step * _spread(g, m.attributes, self.tree.cliques[place])
        return moved

    def loss(self, expected: list[Table]) -> tuple[float, list[Table]]:
        """Return L and its gradient for each measurement."""
        loss, slope = 0.0, []
        for place, m in zip(self.places, self.measured, strict=True):
            apart = _project(expected[place], self.tree.cliques[place], m.attributes) - m.counts
            scaled = apart / m.deviation**2
            loss += 0.5 * float(np.vdot(apart, scaled))
            slope.append(scaled)
        return loss, slope

    def promised(self, slope: list[Table], old: list[Table], new: list[Table]) -> float:
        """Return what the gradient says that the loss falls by, from old to new counts."""
        fall = 0.0
        for place, m, g in zip(self.places, self.measured, slope, strict=True):
            fall += float(
                np.vdot(g, _project(old[place] - new[place], self.tree.cliques[place], m.attributes))
            )
        return fall

    def propagate(self, potentials: list[Table]) -> list[Table]:
        """Return the expected counts of each clique: messages to the root, and back."""
        tree = self.tree
        beliefs = [p.copy() for p in potentials]
        upward: list[Table] = [np.zeros(())] * len(beliefs)
        for i in range(len(beliefs) - 1, 0, -1):
            parent = tree.parents[i]
            upward[i] = _log_sum(beliefs[i], tree.cliques[i], tree.separators[i])
            beliefs[parent] += _spread(upward[i], tree.separators[i], tree.cliques[parent])
        for i in range(1, len(beliefs)):
            parent = tree.parents[i]
            downward = _log_sum(beliefs[parent], tree.cliques[parent], tree.separators[i]) - upward[i]
            beliefs[i] += _spread(downward, tree.separators[i], tree.cliques[i])
        expected = []
        for belief in beliefs:
            counts = np.exp(belief - belief.max())
            expected.append(counts * (self.total / counts.sum()))
        return expected


def _sum_but(table: Table, axes: Sequence[int]) -> Table:
    gone = tuple(i for i in range(table.ndim) if i not in axes)
    return np.asarray(table.sum(axis=gone))


def _project(table: Table, clique: Clique, wanted: Clique) -> Table:
    if clique == wanted:
        return table
    return _sum_but(table, [clique.index(a) for a in wanted])


def _spread(table: Table, attributes: Clique, clique: Clique) -> Table:
    """Give a table over some attributes an axis of one for each other attribute of a clique."""
    sizes = dict(zip(attributes, table.shape, strict=True))
    return table.reshape([sizes.get(a, 1) for a in clique])


def _log_sum(table: Table, clique: Clique, wanted: Clique) -> Table:
    gone = tuple(i for i, a in enumerate(clique) if a not in wanted)
    if not gone:
        return table
    most = table.max(axis=gone, keepdims=True)
    return np.asarray(np.log(np.exp(table - most).sum(axis=gone)) + most.squeeze(gone))
