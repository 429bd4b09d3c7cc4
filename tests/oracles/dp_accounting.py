"""Slow and obvious: sensitivities by trying all people, compositions by trying all outcomes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def people(
    values: Sequence[int],
    *,
    cells: int,
    rows: int,
    groups: int | None = None,
    rows_per_group: int | None = None,
    complete: bool = False,
) -> NDArray[np.int64]:
    """Give what each possible person adds to each cell, when each of their rows adds one of some values."""
    found = {(0,) * cells} if not complete else set()
    kinds = [(cell, value) for cell in range(cells) for value in values]
    for count in range(rows if complete else 1, rows + 1):
        for chosen in itertools.combinations_with_replacement(kinds, count):
            per_cell = [sum(cell == c for cell, _ in chosen) for c in range(cells)]
            if groups is not None and sum(n > 0 for n in per_cell) > groups:
                continue
            if rows_per_group is not None and max(per_cell) > rows_per_group:
                continue
            found.add(tuple(sum(v for cell, v in chosen if cell == c) for c in range(cells)))
    return np.array(sorted(found), dtype=np.int64)


def norms(added: NDArray[np.int64], *, replaced: bool) -> tuple[int, int, int]:
    """Return the largest L1, squared L2 and L∞ norm of the change, one person more or less or replaced."""
    changes = (added[:, None, :] - added[None, :, :]).reshape(-1, added.shape[1]) if replaced else added
    return (
        int(np.abs(changes).sum(axis=1).max()),
        int((changes**2).sum(axis=1).max()),
        int(np.abs(changes).max()),
    )


def delta_of_randomised_responses(epsilons: Sequence[float], total: float) -> float:
    """Return Σ max(0, P(o) − e^total Q(o)) over all outcomes of coins that tell the truth by e^ε to 1."""
    delta = 0.0
    for outcome in itertools.product((0, 1), repeat=len(epsilons)):
        p = q = 1.0
        for told, epsilon in zip(outcome, epsilons, strict=True):
            true = 1 / (1 + math.exp(-epsilon))
            p *= true if told else 1 - true
            q *= 1 - true if told else true
        delta += max(0.0, p - math.exp(total) * q)
    return delta


def delta_of_gaussian(sigma: float, epsilon: float) -> float:
    """Return δ of Gaussian noise on a number that changes by 1 (Balle & Wang 2018)."""

    def below(x: float) -> float:
        return math.erfc(-x / math.sqrt(2)) / 2

    return below(0.5 / sigma - epsilon * sigma) - math.exp(epsilon) * below(-0.5 / sigma - epsilon * sigma)


def delta_of_laplace(rate: float, epsilon: float) -> float:
    """Return δ of Laplace noise once: 1 − e^((ε − rate)/2)."""
    return max(0.0, -math.expm1((epsilon - rate) / 2))


def epsilon_of_rho(rho: float, delta: float) -> float:
    """Return the least ε over a dense grid of orders α (Canonne, Kamath & Steinke 2020)."""
    alpha = 1 + np.exp(np.linspace(math.log(1e-5), math.log(1e9), 400_001))
    found = rho * alpha + (math.log(1 / delta) - np.log(alpha)) / (alpha - 1) + np.log1p(-1 / alpha)
    return max(0.0, float(found.min()))
