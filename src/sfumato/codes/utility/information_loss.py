"""UL: how much the items of a release leave open (Loukides, Gkoulalas-Divanis and Malin, KAIS 2011).

UL(ĩ) = (2^|ĩ| − 1) / (2^M − 1) · w(ĩ) · sup(ĩ) / N for an item ĩ of |ĩ| codes, M codes in all, N records.
With thousands of codes both powers leave the range of floats: everything is kept as log2.
"""

from __future__ import annotations

import math


def log2_of_subsets(codes: int) -> float:
    """Return log2(2^codes − 1), the number of non-empty sets of so many codes.

    >>> log2_of_subsets(1), round(log2_of_subsets(2), 4), log2_of_subsets(5830)
    (0.0, 1.585, 5830.0)
    """
    return codes + math.log1p(-(0.5**codes)) / math.log(2) if codes < 64 else float(codes)


def log2_loss(codes: int, support: int, domain: int, records: int, weight: float = 1.0) -> float:
    """Return log2 UL of one item; −∞ when no record shows it.

    >>> round(2 ** log2_loss(2, 2, 4, 3), 4)
    0.1333
    """
    if not support or not weight:
        return -math.inf
    of_item = log2_of_subsets(codes) + math.log2(weight) + math.log2(support)
    return of_item - log2_of_subsets(domain) - math.log2(records)
