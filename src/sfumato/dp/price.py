"""What a question costs, in the forms in which budgets can be kept."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from sfumato.core.errors import BadInput
from sfumato.dp.exact import Number, as_decimal, decimal_above, exact


@dataclass(frozen=True)
class Price:
    """What is spent: (ε, δ), and as ρ (with its own δ) where it is known in concentrated form.

    ``epsilon`` is None for what is only known as ρ (a budget of basic composition then cannot pay it);
    ``rho`` is None for what is only known as (ε, δ) (a zCDP budget cannot pay it). Made by ``pure``,
    ``approximate`` and ``concentrated``.

    >>> Price.pure(0.1)
    Price(epsilon=Decimal('0.1'), delta=Decimal('0'), rho=Decimal('0.005'), rho_delta=Decimal('0'))
    """

    epsilon: Decimal | None
    delta: Decimal = Decimal(0)
    rho: Decimal | None = None
    rho_delta: Decimal = Decimal(0)
    """the part of δ that stays when the rest is counted as ρ (thresholds of unknown groups)"""

    def __post_init__(self) -> None:
        if self.epsilon is None and self.rho is None:
            raise AssertionError("a price is ε or ρ")

    @classmethod
    def pure(cls, epsilon: Number) -> Price:
        """ε-differential privacy; as zCDP ρ = ε²/2 (Bun & Steinke 2016), rounded up."""
        asked = _positive(epsilon, "epsilon")
        return cls(asked, rho=decimal_above(exact(asked) ** 2 / 2))

    @classmethod
    def approximate(
        cls, epsilon: Number, delta: Number, *, rho: Number | None = None, rho_delta: Number = 0
    ) -> Price:
        """(ε, δ)-differential privacy, with the ρ of the mechanism where it has one."""
        share = as_decimal(delta, where="delta")
        if not 0 <= share < 1:
            raise BadInput("delta must be at least 0 and less than 1", where="delta", remedy="try 1e-6")
        known = None if rho is None else decimal_above(exact(rho))
        return cls(_positive(epsilon, "epsilon"), share, known, as_decimal(rho_delta))

    @classmethod
    def concentrated(cls, rho: Number, *, delta: Number = 0) -> Price:
        """ρ-zero-concentrated differential privacy."""
        return cls(None, as_decimal(delta), _positive(rho, "rho"), as_decimal(delta))

    def __str__(self) -> str:
        if self.epsilon is None:
            return f"ρ = {self.rho}"
        return f"ε = {self.epsilon}" + (f", δ = {self.delta}" if self.delta else "")


def _positive(number: Number, name: str) -> Decimal:
    value = as_decimal(number, where=name)
    if value <= 0:
        raise BadInput(f"{name} must be more than 0", where=name, remedy="try 0.1")
    return value
