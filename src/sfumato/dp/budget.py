"""Filters: does a budget still reach, and what is spent afterwards. Exact, and a function of money alone.

A filter decides before each question whether it may still be asked, and stays valid when an analyst chooses
each question, and its price, after seeing all earlier answers:

- basic: Σε ≤ ε and Σδ ≤ δ. R. Rogers, A. Roth, J. Ullman & S. Vadhan, "Privacy odometers and filters" (2016);
- zCDP: Σρ ≤ ρ and Σδ ≤ δ. V. Feldman & T. Zrnic, "Individual privacy accounting via a Rényi filter" (2021);
  J. Whitehouse, A. Ramdas, R. Rogers & S. Wu, "Fully adaptive composition in differential privacy" (2023).

Tighter ways of adding up (``accounting``) hold for batches fixed in advance only, and never decide here.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price

_DIGITS = 100
"""far more than a sum of prices of 18 places has; a sum that would not fit is refused, never rounded"""


def after_basic(spent: Decimal, spent_delta: Decimal, price: Price) -> tuple[Decimal, Decimal]:
    """Return (Σε, Σδ) after the price is paid.

    >>> after_basic(Decimal("0.1"), Decimal(0), Price.approximate("0.2", "1e-9"))
    (Decimal('0.3'), Decimal('1E-9'))
    """
    if price.epsilon is None:
        raise BadInput(
            "a price in ρ cannot be paid from a budget that adds up ε",
            where="budget",
            remedy="ask with ε (and δ), or from a budget of composition 'zcdp'",
        )
    return _plus(spent, price.epsilon), _plus(spent_delta, price.delta)


def after_zcdp(spent: Decimal, spent_delta: Decimal, price: Price) -> tuple[Decimal, Decimal]:
    """Return (Σρ, Σδ) after the price is paid; here δ is only what the mechanism's ρ does not cover.

    >>> after_zcdp(Decimal("0.1"), Decimal(0), Price.pure("0.2"))
    (Decimal('0.12'), Decimal('0'))
    """
    if price.rho is None:
        raise BadInput(
            "a price in (ε, δ) without ρ cannot be paid from a budget that adds up ρ",
            where="budget",
            remedy="ask with ε alone or with ρ, or from a budget of composition 'basic'",
        )
    return _plus(spent, price.rho), _plus(spent_delta, price.rho_delta)


def within(limit: Decimal, delta_limit: Decimal, spent: Decimal, spent_delta: Decimal) -> bool:
    """Say whether what is spent stays within the limits; exactly the limit is within.

    >>> within(Decimal(1), Decimal(0), Decimal("1.0"), Decimal(0))
    True
    """
    for number in (limit, delta_limit, spent, spent_delta):
        _sound(number)
    return spent <= limit and spent_delta <= delta_limit


@dataclass(frozen=True)
class Filter:
    """A way of adding up that may decide while analysts choose adaptively: ``BASIC`` or ``ZCDP``.

    >>> BASIC.pays(Decimal(1), Decimal(0), Decimal("0.8"), Decimal(0), Price.pure("0.2"))
    (Decimal('1.0'), Decimal('0'))
    >>> BASIC.pays(Decimal(1), Decimal(0), Decimal("0.8"), Decimal(0), Price.pure("0.3")) is None
    True
    """

    name: str
    after: Callable[[Decimal, Decimal, Price], tuple[Decimal, Decimal]]

    def pays(
        self, limit: Decimal, delta_limit: Decimal, spent: Decimal, spent_delta: Decimal, price: Price
    ) -> tuple[Decimal, Decimal] | None:
        """Return what is spent after the price is paid, or None where the budget does not reach."""
        new = self.after(spent, spent_delta, price)
        return new if within(limit, delta_limit, *new) else None


BASIC = Filter("basic", after_basic)
ZCDP = Filter("zcdp", after_zcdp)
FILTERS: dict[str, Filter] = {each.name: each for each in (BASIC, ZCDP)}
"""every filter by the name of its composition"""


def _plus(spent: Decimal, more: Decimal) -> Decimal:
    _sound(spent)
    _sound(more)
    with decimal.localcontext(prec=_DIGITS) as context:
        context.traps[decimal.Inexact] = True
        try:
            return spent + more
        except decimal.Inexact:
            raise BadInput(
                "the numbers are too far apart to be added exactly", where="budget", remedy="round them"
            ) from None


def _sound(number: Decimal) -> None:
    """Refuse what would make a budget grow, or every comparison false."""
    if not number.is_finite() or number < 0:
        raise BadInput(
            "a budget and a price are finite and not negative", where="budget", remedy="write them like 0.5"
        )
