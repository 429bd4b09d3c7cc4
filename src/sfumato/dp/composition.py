"""What several answers cost together. For questions whose number and prices are fixed in advance.

Each rule holds for mechanisms that are chosen adaptively, as long as the prices are not; budgets that are
spent as one goes are decided by the filters of ``budget``. Results are rounded up at 18 decimal places.

- sequential: Σε, Σδ (Dwork, Kenthapadi, McSherry, Mironov & Naor 2006);
- parallel: the dearest of disjoint parts (F. McSherry, "Privacy integrated queries", 2009);
- advanced: C. Dwork, G. Rothblum & S. Vadhan, "Boosting and differential privacy" (2010);
- optimal: P. Kairouz, S. Oh & P. Viswanath, "The composition theorem for differential privacy" (2015);
- concentrated: Σρ, turned into ε at the end (M. Bun & T. Steinke 2016).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.dp.conversions import cost, for_group, many_digits, rho_to_epsilon
from sfumato.dp.exact import Number, as_decimal, exact
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price

MOST_QUESTIONS = 100_000
_ROUNDING = Decimal("1e-40")
"""taken off δ before ε is solved for: so many steps of 80 digits err by far less"""


def sequential(prices: Sequence[Price]) -> Price:
    """Return Σε, Σδ and Σρ, each where all prices have it.

    >>> print(sequential([Price.pure("0.1")] * 3))
    ε = 0.3
    """
    _some(prices)
    epsilons, rhos = [p.epsilon for p in prices], [p.rho for p in prices]
    epsilon = _sum(epsilons) if None not in epsilons else None
    rho = _sum(rhos) if None not in rhos else None
    if epsilon is None and rho is None:
        raise BadInput(
            "prices in ρ alone and prices in (ε, δ) alone do not add up",
            where="composition",
            remedy="ask all with ε or all with ρ",
        )
    delta, beside = _sum([p.delta for p in prices]), _sum([p.rho_delta for p in prices])
    return Price(epsilon, delta, rho, Decimal(0) if rho is None else beside)


def parallel(parts: Sequence[Price], neighbours: Neighbours = Neighbours.ADD_REMOVE) -> Price:
    """Return the price of asking each of several disjoint parts of the people, each part once.

    Only where the parts are public and disjoint by *person* (not by row), each priced for one person more
    or less: that person is in one part, and the dearest part is the price. When one person is replaced by
    another, two changes are seen, in one part or in two: the price for a group of two, which is 2ε, or 4ρ.

    >>> print(parallel([Price.pure("0.1"), Price.pure("0.5")]))
    ε = 0.5
    >>> print(parallel([Price.pure("0.1"), Price.pure("0.5")], Neighbours.SUBSTITUTION))
    ε = 1
    """
    together = sequential(parts)  # says which forms all parts have, and refuses a mixture without any
    dearest = Price(
        None if together.epsilon is None else max(p.epsilon for p in parts if p.epsilon is not None),
        max(p.delta for p in parts),
        None if together.rho is None else max(p.rho for p in parts if p.rho is not None),
        Decimal(0) if together.rho is None else max(p.rho_delta for p in parts),
    )
    return dearest if neighbours is Neighbours.ADD_REMOVE else for_group(dearest, 2)


def advanced(prices: Sequence[Price], delta: Number) -> Price:
    """Return ε = √(2 ln(1/δ′) Σε²) + Σ ε (e^ε − 1) at the given δ, where δ′ is what Σδ leaves of it.

    >>> round(advanced([Price.pure("0.1")] * 100, "1e-6").epsilon, 6)
    Decimal('6.308231')
    """
    share, left = _left(prices, delta)
    with many_digits():
        squares, drift = Decimal(0), Decimal(0)
        for epsilon, times in _counted(prices).items():
            squares += times * epsilon**2
            drift += times * epsilon * (epsilon.exp() - 1)
        found = (2 * squares * -left.ln()).sqrt() + drift
    return Price(cost(found), share)


def simplified_optimal(prices: Sequence[Price], delta: Number) -> Price:
    """Return the closed form of Kairouz, Oh & Viswanath (2015, theorem 3.5): smaller than ``advanced``.

    ε = Σ ε (e^ε − 1)/(e^ε + 1) + √(2 Σε² ln(min(1/δ′, e + √Σε² / δ′))), and never more than Σε.

    >>> round(simplified_optimal([Price.pure("0.1")] * 100, "1e-6").epsilon, 6)
    Decimal('5.756106')
    """
    share, left = _left(prices, delta)
    with many_digits():
        squares, drift, plain = Decimal(0), Decimal(0), Decimal(0)
        for epsilon, times in _counted(prices).items():
            grown = epsilon.exp()
            squares += times * epsilon**2
            drift += times * epsilon * (grown - 1) / (grown + 1)
            plain += times * epsilon
        odds = min(1 / left, Decimal(1).exp() + squares.sqrt() / left)
        found = cost(drift + (2 * squares * odds.ln()).sqrt())
    return Price(min(found, as_decimal(plain)), share)


def optimal_delta(price: Price, times: int, epsilon: Number) -> Decimal:
    """Return the δ of asking k times at the same (ε, δ), seen at the total ε given (theorem 3.3).

    No bound from (ε, δ) alone can be smaller: randomised response reaches it. With P and Q the binomial
    probabilities of k answers of which each is true with probability e^ε/(1 + e^ε), or false,
    1 − (1 − δ)^k (1 − Σ max(0, P − e^total Q)).

    >>> round(optimal_delta(Price.pure("0.1"), 10, "0.4"), 9)
    Decimal('0.016080132')
    """
    each = _epsilon(price)
    total = as_decimal(epsilon, where="epsilon")
    if total < 0:
        raise BadInput("epsilon must be at least 0", where="epsilon", remedy="try 1")
    with many_digits():
        excess = Decimal(0)
        seen = total.exp()
        for likely, unlikely in _binomial(each, _times(times)):
            if likely <= seen * unlikely:
                break
            excess += likely - seen * unlikely
        found = 1 - (1 - price.delta) ** times * (1 - excess)
    return min(Decimal(1), cost(found))


def optimal(price: Price, times: int, delta: Number) -> Price:
    """Return the smallest ε of asking k times at the same (ε, δ), at the total δ given (theorem 3.3).

    >>> round(optimal(Price.pure("0.1"), 100, "1e-6").epsilon, 4)
    Decimal('4.7746')
    """
    each, share = _epsilon(price), _share(delta)
    with many_digits():
        left = 1 - (1 - share) / (1 - price.delta) ** _times(times) - _ROUNDING
        if left <= 0:
            raise _too_small()
        above, below, grown = Decimal(0), Decimal(0), Decimal(1)
        following, step = ((times - 2) * each).exp(), (-2 * each).exp()
        for likely, unlikely in _binomial(each, times):
            above, below = above + likely, below + unlikely
            # Σ(P − e^total Q) = left over the terms so far: the answer where the next term is not positive.
            reached = (above - left) / below
            grown = max(grown, reached)
            if reached >= following:
                break
            following *= step
        found = cost(grown.ln()) if grown > 1 else Decimal(0)
    return Price(min(found, as_decimal(exact(each) * times)), share)


def concentrated(prices: Sequence[Price], delta: Number) -> Price:
    """Return the (ε, δ) of Σρ, with the δ that does not count as ρ taken off first.

    >>> round(concentrated([Price.pure("0.1")] * 100, "1e-6").epsilon, 4)
    Decimal('5.2215')
    """
    together = sequential(prices)
    if together.rho is None:
        raise BadInput("some price has no ρ", where="composition", remedy="ask with ε alone or with ρ")
    share = _share(delta)
    if together.rho_delta >= share:
        raise _too_small()
    epsilon = rho_to_epsilon(together.rho, exact(share) - exact(together.rho_delta))
    return Price(epsilon, share, together.rho, together.rho_delta)


@dataclass(frozen=True)
class Composed:
    """The smallest ε that any rule gives, and by which rule."""

    price: Price
    rule: str

    def __str__(self) -> str:
        return f"{self.price} ({self.rule} composition)"


def best_of(prices: Sequence[Price], delta: Number) -> Composed:
    """Return the cheapest of all rules that apply, at the total δ given.

    >>> best_of([Price.pure("0.1")] * 100, "1e-6").rule, best_of([Price.concentrated("0.1")], "1e-6").rule
    ('optimal', 'concentrated')
    """
    _some(prices)
    share = _share(delta)
    rules: list[tuple[str, Callable[[], Price]]] = [("sequential", lambda: _sequential_within(prices, share))]
    if all(p.epsilon is not None for p in prices):
        rules += [
            ("advanced", lambda: advanced(prices, share)),
            ("simplified optimal", lambda: simplified_optimal(prices, share)),
        ]
        if len({(p.epsilon, p.delta) for p in prices}) == 1:
            rules.append(("optimal", lambda: optimal(prices[0], len(prices), share)))
    if all(p.rho is not None for p in prices):
        rules.append(("concentrated", lambda: concentrated(prices, share)))
    found = []
    for name, rule in rules:
        try:
            found.append(Composed(rule(), name))
        except PromiseNotMet:
            continue
    if not found:
        raise _too_small()
    return min(found, key=lambda each: each.price.epsilon or Decimal(0))


def _sequential_within(prices: Sequence[Price], share: Decimal) -> Price:
    together = sequential(prices)
    if together.epsilon is None or together.delta > share:
        raise _too_small()
    return together


def _binomial(epsilon: Decimal, times: int) -> Iterator[tuple[Decimal, Decimal]]:
    """Give C(k, j) e^{(k − j)ε}/(1 + e^ε)^k and C(k, j) e^{jε}/(1 + e^ε)^k for j = 0, 1, …, k."""
    falling, rising = (-epsilon).exp(), epsilon.exp()
    likely, unlikely = (1 / (1 + falling)) ** times, (1 / (1 + rising)) ** times
    for j in range(times + 1):
        yield likely, unlikely
        ways = Decimal(times - j) / (j + 1)
        likely, unlikely = likely * ways * falling, unlikely * ways * rising


def _counted(prices: Sequence[Price]) -> dict[Decimal, int]:
    counts: dict[Decimal, int] = {}
    for price in prices:
        epsilon = _epsilon(price)
        counts[epsilon] = counts.get(epsilon, 0) + 1
    return counts


def _left(prices: Sequence[Price], delta: Number) -> tuple[Decimal, Decimal]:
    """Return δ, and what Σδ leaves of it."""
    _some(prices)
    share = _share(delta)
    # Fractions: what a caller's decimal context rounds must not be δ.
    left = exact(share) - sum((exact(price.delta) for price in prices), Fraction(0))
    if left <= 0:
        raise _too_small()
    return share, as_decimal(left)


def _sum(numbers: Sequence[Decimal | None]) -> Decimal:
    return as_decimal(sum((exact(number) for number in numbers if number is not None), Fraction(0)))


def _epsilon(price: Price) -> Decimal:
    if price.epsilon is None:
        raise BadInput("this rule needs prices in ε", where="composition", remedy="use 'concentrated'")
    return price.epsilon


def _times(times: int) -> int:
    if isinstance(times, bool) or not 1 <= times <= MOST_QUESTIONS:
        raise BadInput(f"from 1 to {MOST_QUESTIONS:,} questions can be composed", where="composition")
    return times


def _some(prices: Sequence[Price]) -> None:
    if not prices:
        raise BadInput("there is nothing to add up", where="composition", remedy="give at least one price")


def _share(delta: Number) -> Decimal:
    share = as_decimal(delta, where="delta")
    if not 0 < share < 1:
        raise BadInput("delta must be more than 0 and less than 1", where="delta", remedy="try 1e-6")
    return share


def _too_small() -> PromiseNotMet:
    return PromiseNotMet(
        "the questions alone spend more δ than was allowed in all",
        where="composition",
        remedy="allow more δ, or ask with less",
    )
