"""Distributions over whole domains, cell by cell: slow, obvious, and without a junction tree."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]


def marginal(joint: Table, attributes: Sequence[int]) -> Table:
    """Sum a joint table over all other attributes."""
    found = np.zeros([joint.shape[a] for a in attributes])
    for cell in itertools.product(*(range(size) for size in joint.shape)):
        found[tuple(cell[a] for a in attributes)] += joint[cell]
    return found


def _to_joint(table: Table, attributes: Sequence[int], shape: Sequence[int]) -> Table:
    order = np.argsort(attributes)
    full = [1] * len(shape)
    for a in attributes:
        full[a] = shape[a]
    return table.transpose(order).reshape(full)


def largest_entropy(
    marginals: Sequence[tuple[tuple[int, ...], Table]], shape: Sequence[int], rounds: int = 2000
) -> Table:
    """Return the table of largest entropy with these marginals: iterative proportional fitting.

    W. E. Deming & F. F. Stephan (1940); the marginals must agree with each other.
    """
    total = float(marginals[0][1].sum())
    joint = np.full(shape, total / np.prod(shape))
    for _ in range(rounds):
        before = joint
        for attributes, wanted in marginals:
            axes = tuple(a for a in range(len(shape)) if a not in attributes)
            now = joint.sum(axis=axes)
            ratio = np.divide(wanted, now, out=np.zeros_like(wanted), where=now > 0)
            joint = joint * _to_joint(ratio, attributes, shape)
        if np.abs(joint - before).max() < 1e-9 * total:
            break
    return joint


def least_loss(
    measured: Sequence[tuple[tuple[int, ...], Table, float]], shape: Sequence[int], total: float
) -> float:
    """Return the least Σ‖marginal − y‖²/2σ² over all tables ≥ 0 with this total: projected gradients."""
    cells = int(np.prod(shape))
    rows, wanted = [], []
    for attributes, y, deviation in measured:
        for cell in itertools.product(*(range(shape[a]) for a in attributes)):
            row = np.zeros(shape)
            for whole in itertools.product(*(range(size) for size in shape)):
                row[whole] = all(whole[a] == c for a, c in zip(attributes, cell, strict=True))
            rows.append(row.ravel() / deviation)
            wanted.append(y[cell] / deviation)
    matrix, target = np.array(rows), np.array(wanted)
    step = 1.0 / np.linalg.norm(matrix, 2) ** 2
    x = y_point = np.full(cells, total / cells)
    speed = 1.0
    for _ in range(1500):
        new = _onto_simplex(y_point - step * matrix.T @ (matrix @ y_point - target), total)
        next_speed = (1 + np.sqrt(1 + 4 * speed**2)) / 2
        y_point = new + (speed - 1) / next_speed * (new - x)
        x, speed = new, next_speed
    return float(0.5 * np.sum((matrix @ x - target) ** 2))


def _onto_simplex(values: Table, total: float) -> Table:
    """Find by bisection what must be taken off every cell."""
    low, high = values.min() - total, values.max()
    for _ in range(60):
        middle = (low + high) / 2
        if np.maximum(values - middle, 0).sum() > total:
            low = middle
        else:
            high = middle
    return np.asarray(np.maximum(values - high, 0), np.float64)
