"""Synthetic people: records drawn from a graphical model, as many of each kind as it expects.

Columns are drawn clique by clique, each given what was drawn before. Within people that are alike so far the
values are dealt out by systematic sampling (W. G. Madow 1949): each value comes as often as expected, rounded
up or down, and in random order. This adds far less error than drawing every record on its own, and costs no
privacy: the model is all that it looks at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import Random
from sfumato.query.methods.graphical_model import GraphicalModel
from sfumato.query.methods.grouping import Grouping


def draw(
    model: GraphicalModel, groupings: Sequence[Grouping], people: int, random: Random
) -> NDArray[np.int32]:
    """Return ``people`` records in random order: positions in the attributes' own domains."""
    groups = np.zeros((people, len(model.sizes)), np.int64)
    for clique, between, expected in zip(
        model.tree.cliques, model.tree.separators, model.expected, strict=True
    ):
        fresh = [a for a in clique if a not in between]
        axes = [clique.index(a) for a in (*between, *fresh)]
        known = math.prod(model.sizes[a] for a in between)
        table = expected.transpose(axes).reshape(known, -1)
        given = (
            np.ravel_multi_index([groups[:, a] for a in between], [model.sizes[a] for a in between])
            if between
            else np.zeros(people, np.int64)
        )
        drawn = deal(given, table, random)
        for a, column in zip(fresh, np.unravel_index(drawn, [model.sizes[a] for a in fresh]), strict=True):
            groups[:, a] = column
    records = np.zeros(groups.shape, np.int32)
    for a, grouping in enumerate(groupings):
        records[:, a] = _values(groups[:, a], grouping, random)
    return records[random.permutation(people)]


def _values(groups: NDArray[np.int64], grouping: Grouping, random: Random) -> NDArray[np.int64]:
    """Draw a value for each person of a group."""
    table = np.zeros((grouping.size, len(grouping.group)))
    table[grouping.group, np.arange(len(grouping.group))] = grouping.shares
    nobody = table.sum(axis=1) <= 0
    table[grouping.group[nobody[grouping.group]], np.flatnonzero(nobody[grouping.group])] = 1.0
    return deal(groups, table, random)


def deal(given: NDArray[np.int64], table: NDArray[np.float64], random: Random) -> NDArray[np.int64]:
    """Deal the columns of ``table[given]`` out to people, each row's in proportion to its weights."""
    people = len(given)
    shuffled = random.permutation(people)
    order = shuffled[np.argsort(given[shuffled], kind="stable")]
    row = given[order]
    sizes = np.bincount(row, minlength=len(table))
    rank = np.arange(people) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    offset = random.uniform(len(table))
    running = np.cumsum(table, axis=1)
    weight = running[:, -1:]
    # A row that the model gives nobody can still be met where rounding put a person: all columns alike.
    even = np.arange(1, table.shape[1] + 1) / table.shape[1]
    running = np.where(weight > 0, running / np.where(weight > 0, weight, 1.0), even)
    running[:, -1] = 1.0
    point = (rank + offset[row]) / sizes[row]
    lines = (running + np.arange(len(table))[:, None]).ravel()
    found = np.searchsorted(lines, row + point, side="right") - row * table.shape[1]
    drawn = np.empty(people, np.int64)
    drawn[order] = np.minimum(np.maximum(found, 0), table.shape[1] - 1)
    return drawn
