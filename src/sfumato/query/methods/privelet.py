"""Privelet: a table of counts whose ranges are precise, from noisy wavelet coefficients.

X. Xiao, G. Wang & J. Gehrke, "Differential privacy via wavelet transforms" (IEEE TKDE 23, 2011). In a plain
noisy histogram the error of a range grows with its length; here with powers of the logarithm of the domain,
since a range is made of few coefficients.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT
from sfumato.dp.contract import IntegerNoise
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.query.methods.axes import Axis, columns_named, range_cost, sensitivity
from sfumato.query.methods.consistency import Tree
from sfumato.query.methods.contract import Attribute, DpSolution, NoisyTable, Problem
from sfumato.query.methods.curator import Codes, DataCurator
from sfumato.query.methods.haar import Haar
from sfumato.query.methods.range_error import Floats, Integers, Spread
from sfumato.query.methods.simplex import nonnegative

MOST_CELLS = 2**24


@dataclass(frozen=True)
class Privelet:
    """One noisy table over all ``attributes``, whose ranges have small errors.

    Along an ordered attribute (one with edges) cells become Haar coefficients: the total, and differences of
    halves. Along one with a hierarchy they become the counts of its nodes, from which cells are estimated by
    least squares. (The paper's nominal wavelet adds noise to each child's difference from the mean of its
    family, of which a person changes all f, by 2(f − 1)/f together. Of the children's counts a person changes
    one: the same differences with less noise, nearly half of it in a large family, and no fractions.) Over
    several attributes the transforms are applied one after the other. Where all are ordered, a person
    changes Π (1 + ⌈log₂ mᵢ⌉) coefficients by ±1, and noise of one scale is added to all of them: as in the
    paper, whose weights are in the whole numbers already.

    ``wavelet`` names the attributes that are transformed (also such that are ordered without having edges);
    when it is left out, each is transformed where the mean error over all ranges is smaller so. (The
    paper's Privelet+ leaves small domains as they are.)

    Made for ranges; a single cell is less precise than in a plain noisy histogram, by about the factor that
    ranges win. With ``nonnegative`` counts are evened out to be none below 0, which helps cells and empty
    regions and biases ranges upwards where few people are; the expected error is that before it.
    """

    attributes: tuple[str, ...] | None = None
    wavelet: tuple[str, ...] | None = None
    nonnegative: bool = False
    name: ClassVar[str] = "privelet"

    def protect(self, problem: Problem) -> DpSolution:
        """Spend the price on one table."""
        progress = problem.progress or SILENT
        curator = _Curator(problem)
        columns = columns_named(curator.attributes, self.attributes, self.name)
        chosen = [curator.attributes[c] for c in columns]
        axes = self.axes(chosen, pure=curator.pure)
        shape = tuple(axis.size for axis in axes)
        progress.step("adding noise to coefficients")

        def coefficients(codes: Codes) -> Integers:
            cells = np.ravel_multi_index([codes[:, c] for c in columns], shape)
            table = np.bincount(cells, minlength=math.prod(shape)).astype(np.int64).reshape(shape)
            for i, axis in enumerate(axes):
                table = _along(axis.forward, table, i)
            return table

        l1, l2_squared = sensitivity(axes, problem.neighbours)
        noisy, noise = curator.transformed(coefficients, l1, l2_squared, curator.left, "wavelet coefficients")
        progress.step("turning coefficients into counts")
        cells = noisy.astype(np.float64)
        for i, axis in enumerate(axes):
            cells = _along(axis.inverse, cells, i)
        descents = [axis.descent() for axis in axes]
        if curator.people is not None:
            cells += (curator.people - cells.sum()) * _outer([axis.shares() for axis in axes])
        if self.nonnegative:
            cells = nonnegative(cells, max(0.0, float(cells.sum())))
        names = tuple(attribute.name for attribute in chosen)
        error = {
            f"{what} of {' × '.join(names)}": _deviation(noise, spreads, known=curator.people is not None)
            for what, spreads in (
                ("cells", [d.cells() for d in descents]),
                ("ranges", [d.ranges() for d in descents]),
            )
        }
        spent, steps = curator.spent()
        return DpSolution(
            spent=spent,
            tables=(NoisyTable(names, cells, error[f"cells of {' × '.join(names)}"]),),
            expected_error=error,
            steps=steps,
            published={
                "neighbours": problem.neighbours.value,
                "sensitivity": l1,
                "coefficients": noisy.size,
                **{f"transform of {name}": _word(axis) for name, axis in zip(names, axes, strict=True)},
            },
        )

    def axes(self, attributes: Sequence[Attribute], *, pure: bool) -> list[Axis]:
        """Choose how each attribute is transformed, from its public domain alone.

        The mean variance of ranges is a product over attributes, and so is the scale of the noise: each
        attribute is decided on its own.
        """
        names = [attribute.name for attribute in attributes]
        for name in self.wavelet or ():
            if name not in names:
                raise BadInput(
                    f"there is no attribute '{name}' to transform",
                    where=self.name,
                    remedy=nearest(name, names),
                )
        cells = math.prod(attribute.size for attribute in attributes)
        if cells > MOST_CELLS:
            raise BadInput(
                f"the table would have {cells} cells, more than {MOST_CELLS}",
                where=self.name,
                remedy="name fewer attributes, or give them fewer positions",
            )
        return [self._axis(attribute, pure) for attribute in attributes]

    def _axis(self, attribute: Attribute, pure: bool) -> Axis:
        flat = Tree.flat(attribute.size)
        nominal = bool(attribute.parents) and attribute.edges is None
        wavelet: Axis = Tree.of_hierarchy(attribute) if nominal else Haar(attribute.size)
        if self.wavelet is not None:
            return wavelet if attribute.name in self.wavelet else flat
        if attribute.edges is None and not nominal:
            return flat
        return min((flat, wavelet), key=lambda axis: range_cost(axis, pure=pure))


class _Curator(DataCurator):
    """Hands out whole numbers that are sums over people, each of whom changes them by little."""

    def transformed(
        self, statistic: Callable[[Codes], Integers], l1: int, l2_squared: int, share: Fraction, what: str
    ) -> tuple[Integers, IntegerNoise]:
        """Return the numbers with noise; Δ₁ and Δ₂² hold for the neighbours of the problem."""
        self._pay(share, what)
        noise: IntegerNoise = (
            DiscreteLaplace.of(share, l1) if self.pure else DiscreteGaussian.of_rho(share, cells=l2_squared)
        )
        return noise.add(statistic(self._codes), self._noise), noise


def _along(transform: Callable[[np.ndarray], np.ndarray], table: np.ndarray, axis: int) -> np.ndarray:
    moved = np.moveaxis(table, axis, 0)
    turned = transform(np.ascontiguousarray(moved).reshape(len(moved), -1))
    return np.moveaxis(turned.reshape(-1, *moved.shape[1:]), 0, axis)


def _outer(vectors: Sequence[Floats]) -> Floats:
    found = np.ones(())
    for vector in vectors:
        found = np.multiply.outer(found, vector)
    return found


def _deviation(noise: IntegerNoise, spreads: Sequence[Spread], *, known: bool) -> float:
    """Return the root of the mean variance of products of ranges; a public total takes its part away."""
    mean = math.prod(s.both for s in spreads) - (math.prod(s.whole for s in spreads) if known else 0.0)
    return math.sqrt(max(0.0, mean) * noise.variance)


def _word(axis: Axis) -> str:
    if isinstance(axis, Haar):
        return "haar"
    return "plain" if isinstance(axis, Tree) and axis.levels == 1 else "hierarchy"
