"""Differential privacy: mechanisms, what they cost, and how costs add up. Below all kinds of data.

The window of the room: ``from sfumato import dp`` and then ``dp.Laplace(epsilon=1, sensitivity=1, grid=1)``.
Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.core.window import window

if TYPE_CHECKING:
    from sfumato.dp.accounting import Batch
    from sfumato.dp.identifiability import DifferentialIdentifiability, what_epsilon_means
    from sfumato.dp.local import OptimisedUnaryEncoding
    from sfumato.dp.mechanisms.exponential import Exponential
    from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
    from sfumato.dp.mechanisms.geometric import Geometric
    from sfumato.dp.mechanisms.laplace import DiscreteLaplace, Laplace
    from sfumato.dp.mechanisms.noisy_max import ReportNoisyMax
    from sfumato.dp.mechanisms.partition_selection import LaplaceThreshold, PartitionSelection
    from sfumato.dp.mechanisms.permute_and_flip import PermuteAndFlip
    from sfumato.dp.mechanisms.randomised_response import (
        CoinFlip,
        KaryRandomisedResponse,
        RandomisedResponse,
    )
    from sfumato.dp.mechanisms.sparse_vector import SparseVector
    from sfumato.dp.mechanisms.staircase import Staircase
    from sfumato.dp.mechanisms.top_k import TopK
    from sfumato.dp.neighbours import Neighbours
    from sfumato.dp.price import Price

_HOMES = {
    "sfumato.dp.accounting": "Batch",
    "sfumato.dp.identifiability": "DifferentialIdentifiability what_epsilon_means",
    "sfumato.dp.local": "OptimisedUnaryEncoding",
    "sfumato.dp.mechanisms.exponential": "Exponential",
    "sfumato.dp.mechanisms.gaussian": "DiscreteGaussian",
    "sfumato.dp.mechanisms.geometric": "Geometric",
    "sfumato.dp.mechanisms.laplace": "DiscreteLaplace Laplace",
    "sfumato.dp.mechanisms.noisy_max": "ReportNoisyMax",
    "sfumato.dp.mechanisms.partition_selection": "LaplaceThreshold PartitionSelection",
    "sfumato.dp.mechanisms.permute_and_flip": "PermuteAndFlip",
    "sfumato.dp.mechanisms.randomised_response": "CoinFlip KaryRandomisedResponse RandomisedResponse",
    "sfumato.dp.mechanisms.sparse_vector": "SparseVector",
    "sfumato.dp.mechanisms.staircase": "Staircase",
    "sfumato.dp.mechanisms.top_k": "TopK",
    "sfumato.dp.neighbours": "Neighbours",
    "sfumato.dp.price": "Price",
}

__all__ = [
    "Batch",
    "CoinFlip",
    "DifferentialIdentifiability",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Exponential",
    "Geometric",
    "KaryRandomisedResponse",
    "Laplace",
    "LaplaceThreshold",
    "Neighbours",
    "OptimisedUnaryEncoding",
    "PartitionSelection",
    "PermuteAndFlip",
    "Price",
    "RandomisedResponse",
    "ReportNoisyMax",
    "SparseVector",
    "Staircase",
    "TopK",
    "what_epsilon_means",
]

__getattr__, __dir__ = window(__name__, _HOMES, __all__)
