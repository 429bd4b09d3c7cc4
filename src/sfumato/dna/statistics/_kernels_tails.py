"""Kernels: tails of the χ² distribution, and the exact test of Hardy–Weinberg proportions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sfumato.core.jit import kernel


@kernel
def log10_tails_of_one_degree(values: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Write log₁₀ erfc(√(x/2)); past 25 by the asymptotic series of erfc, whose error is below 10⁻¹⁶
    there."""
    for at in range(values.size):
        z = math.sqrt(values[at] / 2.0)
        if z < 25.0:
            out[at] = math.log(math.erfc(z)) / math.log(10.0)
        else:
            term, total = 1.0, 1.0
            for step in range(1, 9):
                term *= -(2.0 * step - 1.0) / (2.0 * z * z)
                total += term
            out[at] = (-z * z - math.log(z * math.sqrt(math.pi)) + math.log(total)) / math.log(10.0)


@kernel
def tails_of_one_degree(values: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Write erfc(√(x/2))."""
    for at in range(values.size):
        out[at] = math.erfc(math.sqrt(values[at] / 2.0))


@kernel
def exact_proportions(counts: NDArray[np.int64], out: NDArray[np.float64]) -> None:
    """Write the exact p-value of each site (sites × 4): the mass of the numbers of heterozygotes that are at
    most as likely as the one seen. Weights are relative to the largest, so that nothing underflows."""
    for at in range(counts.shape[0]):
        people = counts[at, 0] + counts[at, 1] + counts[at, 2]
        alleles = counts[at, 1] + 2 * min(counts[at, 0], counts[at, 2])
        if people == 0 or alleles == 0:
            out[at] = 1.0
            continue
        middle = alleles * (2 * people - alleles) // (2 * people)
        if middle % 2 != alleles % 2:
            middle += 1
        # Two sweeps from the middle: first the weight of what was seen, then the sum of what is as rare.
        seen = 1.0
        whole = 0.0
        tail = 0.0
        for sweep in range(2):
            for up in range(2):
                weight = 1.0
                het = middle
                while True:
                    if not (up == 1 and het == middle):
                        if sweep == 0:
                            if het == counts[at, 1]:
                                seen = weight
                        else:
                            whole += weight
                            if weight <= seen * (1.0 + 1e-9):
                                tail += weight
                    rare = (alleles - het) // 2
                    common = people - het - rare
                    if up == 0:
                        if het < 2:
                            break
                        weight *= het * (het - 1.0) / (4.0 * (rare + 1.0) * (common + 1.0))
                        het -= 2
                    else:
                        if rare < 1 or common < 1:
                            break
                        weight *= 4.0 * rare * common / ((het + 2.0) * (het + 1.0))
                        het += 2
        out[at] = min(1.0, tail / whole)
