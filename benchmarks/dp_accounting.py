"""What a hundred answers cost together, by each rule of composition, and how long it takes to say so.

    python -m benchmarks.dp_accounting

The bar: 100 × Laplace noise of ε = 0.1 at δ = 1e-6 costs at most 4.70 by privacy loss distributions, on a
step so fine that δ is within 0.5 %.
"""

from __future__ import annotations

from fractions import Fraction

from benchmarks.result import Result, cpu_seconds, table
from sfumato.dp.accounting import PRECISION, Batch
from sfumato.dp.composition import advanced, concentrated, optimal, simplified_optimal
from sfumato.dp.conversions import epsilon_to_rho
from sfumato.dp.events import GaussianEvent, LaplaceEvent
from sfumato.dp.price import Price

TIMES = 100
DELTA = "1e-6"
PLAIN = 10.0
"""Σε of the same hundred answers"""


def run() -> list[Result]:
    """Measure each rule on the same hundred answers."""
    prices = [Price.pure("0.1")] * TIMES
    laplace = Batch([(LaplaceEvent(Fraction(10)), TIMES)])
    gaussian = Batch([(GaussianEvent(Fraction(10)), TIMES)])
    name = f"{TIMES} × Laplace(ε = 0.1) at δ = {DELTA}"
    found = laplace.epsilon_at(DELTA)
    peer = ("basic composition", PLAIN)
    results = [
        Result(f"{name}, privacy loss", float(found.epsilon), "ε", 4.70, *peer, f"step {found.step:.2g}"),
        Result(f"{name}, δ beyond a step twice as wide", 100 * found.excess, "%", 100 * PRECISION),
        Result(f"{name}, Rényi", float(laplace.renyi_epsilon_at(DELTA)), "ε", None, *peer),
    ]
    for rule, price in (
        ("optimal", optimal(prices[0], TIMES, DELTA)),
        ("concentrated", concentrated(prices, DELTA)),
        ("simplified optimal", simplified_optimal(prices, DELTA)),
        ("advanced", advanced(prices, DELTA)),
    ):
        results.append(Result(f"{name}, {rule}", float(price.epsilon or 0), "ε", None, *peer))
    normal = float(gaussian.epsilon_at(DELTA).epsilon)
    results += [
        Result(f"{TIMES} × Gaussian(σ = 10) at δ = {DELTA}, privacy loss", normal, "ε"),
        Result(f"{name}, privacy loss", cpu_seconds(lambda: laplace.epsilon_at(DELTA)), "s CPU"),
        Result(f"{name}, optimal", cpu_seconds(lambda: optimal(prices[0], TIMES, DELTA)), "s CPU"),
        Result("(1, 1e-6) as ρ", cpu_seconds(lambda: epsilon_to_rho(1, DELTA)), "s CPU"),
    ]
    return results


if __name__ == "__main__":
    print(table("Differential privacy: composition", run()))
