"""Every mechanism of ours, ready to be audited: with the neighbouring inputs that tell most of it.

A mechanism's promise speaks of all neighbours; an audit runs on two. These are the ones for which the proof
is tight, or nearly: answers that differ by the whole sensitivity, scores that move in opposite directions,
groups of the size at which (ε, δ) binds. Everything is drawn from the operating system's randomness.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.dp.audit.auditor import Case, Claim, Draw
from sfumato.dp.audit.floating_point import least_significant_bits
from sfumato.dp.contract import IntegerNoise
from sfumato.dp.exact import exact
from sfumato.dp.local import OptimisedUnaryEncoding
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.gaussian import FEW, DiscreteGaussian
from sfumato.dp.mechanisms.geometric import Geometric
from sfumato.dp.mechanisms.laplace import DiscreteLaplace, Laplace
from sfumato.dp.mechanisms.noisy_max import Noise, ReportNoisyMax
from sfumato.dp.mechanisms.partition_selection import LaplaceThreshold, PartitionSelection
from sfumato.dp.mechanisms.permute_and_flip import PermuteAndFlip
from sfumato.dp.mechanisms.randomised_response import CoinFlip, KaryRandomisedResponse
from sfumato.dp.mechanisms.sampler import exact_gaussian, exact_laplace
from sfumato.dp.mechanisms.sparse_vector import SparseVector
from sfumato.dp.mechanisms.staircase import Staircase
from sfumato.dp.mechanisms.top_k import TopK

FEWER = 50_000
"""samples of noise that the library draws, unless more are asked for"""
SLOW = 10_000
"""samples of mechanisms that answer one at a time, unless more are asked for"""
_MANY = 1_000
"""answers at once, for which noise comes from our own sampler"""
_GAUSS = DiscreteGaussian.analytic(1, Fraction(1, 1000))
_SPARSE = SparseVector(3, c=1)


def add_many(noise: IntegerNoise | Geometric) -> Draw:
    """Run noise on many equal answers at once: our own sampler draws it."""

    def draw(value: int, runs: int) -> NDArray[np.int64]:
        return noise.add(np.full(max(runs, _MANY), value, np.int64))[:runs]

    return draw


def add_few(noise: IntegerNoise) -> Draw:
    """Run noise on few answers at a time: the library draws it."""

    def draw(value: int, runs: int) -> NDArray[np.int64]:
        few = np.full(FEW, value, np.int64)
        return np.concatenate([noise.add(few) for _ in range(-(-runs // FEW))])[:runs]

    return draw


def add_vector(noise: IntegerNoise) -> Draw:
    """Run noise on several cells of one answer."""

    def draw(cells: NDArray[np.int64], runs: int) -> NDArray[np.int64]:
        return noise.add(np.tile(cells, max(runs, _MANY))).reshape(-1, cells.size)[:runs]

    return draw


def each_time(run: Callable[[Any], Any], kind: type[np.generic] = np.int64) -> Draw:
    """Run a mechanism that answers one at a time."""
    return lambda given, runs: np.array([run(given) for _ in range(runs)], kind)


def padded(run: Callable[[Any], Any], width: int) -> Draw:
    """Run a mechanism whose answers end early; what was not answered is −1."""

    def once(given: Any) -> NDArray[np.int64]:
        row = np.full(width, -1, np.int64)
        told = run(given)
        row[: len(told)] = told
        return row

    return each_time(once)


def _scores(first: int, others: int, count: int) -> NDArray[np.int64]:
    return np.array([first] + [others] * count, np.int64)


def _of(name: str, title: str, draw: Draw, neighbours: tuple[Any, Any], claimed: Any, **more: Any) -> Case:
    return Case(name, title, draw, neighbours, Claim.of(claimed), **more)


def _partitions(epsilon: int, delta: Fraction) -> tuple[Case, ...]:
    optimal, threshold = PartitionSelection(epsilon, delta), LaplaceThreshold(epsilon, delta)
    claim = Claim(exact(epsilon), exact(delta))

    def kept(people: int, runs: int) -> NDArray[np.int64]:
        return optimal.keep(np.full(runs, people)).astype(np.int64)

    def counted(people: int, runs: int) -> NDArray[np.int64]:
        return np.column_stack([each.astype(np.int64) for each in threshold.counts(np.full(runs, people))])

    return (
        _of("partition-selection", "which groups are told (optimal)", kept, (2, 3), claim),
        _of("partition-selection-new", "the same, of a group that is new", kept, (0, 1), claim),
        _of("laplace-threshold", "groups and their noisy counts", counted, (6, 7), claim),
        _of("laplace-threshold-new", "the same, of a group that is new", counted, (0, 1), claim),
    )


def _unary(k: int) -> Case:
    oue = OptimisedUnaryEncoding(k, 1)

    def draw(value: int, runs: int) -> NDArray[np.int64]:
        return oue.answer(np.full(runs, value)).astype(np.int64)

    return _of("optimised-unary-encoding", "k bits per person", draw, (0, 1), 1)


def _grid_laplace() -> Case:
    noise = Laplace(epsilon=1, sensitivity=1, grid=Fraction(1, 1024))
    return _of(
        "laplace",
        "Laplace on a grid, told as floats",
        each_time(noise.add, np.float64),
        (0.0, 1.0),
        1,
        readings=(least_significant_bits((0.0, 1.0)),),
        samples=SLOW,
    )


_TIGHT = (_scores(1, 0, 6), _scores(0, 1, 6))
"""one candidate's score falls while the others' rise: the choice pays for both"""
_UPWARDS = (_scores(1, 0, 6), _scores(0, 0, 6))
"""only one score rises: for mechanisms that take scores to move in the same direction"""
_NEAR_THRESHOLD = (np.array([0, 0, 0, 1]), np.array([1, 1, 1, 0]))

CASES: tuple[Case, ...] = (
    _of(
        "discrete-laplace",
        "Laplace on whole numbers (library)",
        add_few(DiscreteLaplace.of(1)),
        (100, 101),
        1,
        samples=FEWER,
    ),
    _of(
        "discrete-laplace-many",
        "Laplace on whole numbers (own sampler)",
        add_many(DiscreteLaplace.of(1, 3)),
        (100, 103),
        1,
    ),
    _of(
        "discrete-laplace-cells",
        "Laplace on cells that share a person",
        add_vector(DiscreteLaplace.of(1, 2)),
        (np.array([5, 5, 5]), np.array([6, 4, 5])),
        1,
    ),
    _of(
        "geometric",
        "two-sided geometric, clamped",
        add_many(Geometric(1, lower=0, upper=10)),
        (0, 1),
        1,
    ),
    _grid_laplace(),
    _of(
        "discrete-gaussian",
        "Gaussian on whole numbers (library)",
        add_few(_GAUSS),
        (100, 101),
        Claim(Fraction(1), Fraction(1, 1000)),
        samples=FEWER,
    ),
    _of(
        "discrete-gaussian-many",
        "Gaussian on whole numbers (own sampler)",
        add_many(_GAUSS),
        (100, 101),
        Claim(Fraction(1), Fraction(1, 1000)),
    ),
    _of("staircase", "staircase, sensitivity 3", add_many(Staircase(1, 3)), (100, 103), 1),
    _of(
        "exact-laplace",
        "our own sampler, directly",
        lambda value, runs: value + exact_laplace(Fraction(5, 3), runs),
        (0, 5),
        3,
    ),
    _of(
        "exact-gaussian",
        "our own Gaussian sampler, directly",
        lambda value, runs: value + exact_gaussian(_GAUSS.scale, runs),
        (0, 1),
        Claim(Fraction(1), Fraction(1, 1000)),
    ),
    _of(
        "exponential",
        "exponential mechanism",
        each_time(Exponential(3).choose),
        _TIGHT,
        3,
        samples=SLOW,
    ),
    _of(
        "exponential-monotonic",
        "exponential mechanism, monotonic scores",
        each_time(Exponential(3, monotonic=True).choose),
        _UPWARDS,
        3,
        samples=SLOW,
    ),
    _of(
        "permute-and-flip",
        "permute-and-flip",
        each_time(PermuteAndFlip(3).choose),
        _TIGHT,
        3,
        samples=SLOW,
    ),
    _of(
        "report-noisy-max",
        "report noisy max",
        each_time(ReportNoisyMax(3).choose),
        _TIGHT,
        3,
        samples=SLOW,
    ),
    _of(
        "report-noisy-max-gumbel",
        "report noisy max, Gumbel noise",
        each_time(ReportNoisyMax(3, noise=Noise.GUMBEL).choose),
        _TIGHT,
        3,
        samples=SLOW,
    ),
    _of("top-k", "the two best of seven", each_time(TopK(2, 3).choose), _TIGHT, 3, samples=SLOW),
    _of(
        "sparse-vector",
        "sparse vector, one answer above",
        padded(lambda answers: _SPARSE.above(answers, 1), 4),
        _NEAR_THRESHOLD,
        3,
        samples=SLOW,
    ),
    _of(
        "randomised-response",
        "randomised response with a coin",
        lambda value, runs: CoinFlip().answer(np.full(runs, value)),
        (0, 1),
        CoinFlip().price,
    ),
    _of(
        "k-ary-randomised-response",
        "randomised response, 5 answers",
        lambda value, runs: KaryRandomisedResponse(5, 1).answer(np.full(runs, value)),
        (0, 1),
        1,
    ),
    _unary(4),
    *_partitions(1, Fraction(1, 100)),
)

MECHANISMS: dict[str, Case] = {case.name: case for case in CASES}
"""every mechanism by the name that ``sfumato audit mechanism`` uses"""
