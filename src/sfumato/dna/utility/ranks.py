"""How far two rankings agree (Spearman 1904, Kendall 1945), with ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ranks from 1; values that are equal share the mean of theirs.

    >>> ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    found: NDArray[np.float64] = (last - (count - 1) / 2)[place]
    return found


def spearman(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    """Return ρ, the correlation of ranks; None where one of the two ranks nothing.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0]))
    -1.0
    """
    # Twice the ranks are whole numbers, so that equal rankings agree exactly.
    a, b = 2 * ranks(x), 2 * ranks(y)
    a, b = a - (len(x) + 1), b - (len(y) + 1)
    spread_a, spread_b = float(a @ a), float(b @ b)
    return float(a @ b) / (spread_a * spread_b) ** 0.5 if spread_a and spread_b else None


def kendall(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    """Return τ-b, (agreeing − disagreeing pairs) / √(pairs untied in x · pairs untied in y); None where one
    of the two ranks nothing. Knight's way (1966): sort, then count exchanges.

    >>> kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))  # 2 pairs agree, 1 does not
    0.3333333333333333
    """
    from sfumato.dna.utility._kernels_ranks import exchanges

    whole = len(x) * (len(x) - 1) // 2
    _, a = np.unique(x, return_inverse=True)
    _, b = np.unique(y, return_inverse=True)
    tied_a, tied_b, tied = (_tied(one) for one in (a, b, a * (len(x) + 1) + b))
    if whole in (tied_a, tied_b):
        return None
    order = np.lexsort((b, a))
    disagree = int(exchanges(b[order].astype(np.int64)))
    agree = whole - tied_a - tied_b + tied - disagree
    return float((agree - disagree) / ((whole - tied_a) * (whole - tied_b)) ** 0.5)


def _tied(values: NDArray[np.int64]) -> int:
    _, counts = np.unique(values, return_counts=True)
    return int((counts * (counts - 1) // 2).sum())


def strongest(values: NDArray[np.float64], top: int) -> NDArray[np.float64]:
    """Return how much of the ``top`` largest each is: 1, 0, or a share where ties stand at the end.

    >>> strongest(np.array([9.0, 4.0, 4.0, 1.0]), 2).tolist()
    [1.0, 0.5, 0.5, 0.0]
    """
    last = np.sort(values)[-top]
    above, at = values > last, values == last
    found: NDArray[np.float64] = above + at * ((top - above.sum()) / at.sum())
    return found
