"""Money in a ledger: exact decimals, written as text, checked before they are believed."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from sfumato.core.errors import BadInput
from sfumato.dp.exact import DIGITS
from sfumato.dp.price import Price

_LARGEST = Decimal(10) ** 12
_PARTS = ("epsilon", "delta", "rho", "rho_delta")


def written(number: Decimal, *, where: str = "price") -> str:
    """Write a decimal in the one way in which it is stored: plain, without useless zeros.

    A negative price would be a refund, and one that is not a number would pass every comparison, so both
    are refused here, at the door of the ledger, whoever made them.

    >>> written(Decimal("0.30")), written(Decimal("1E-9")), written(Decimal("0E+3"))
    ('0.3', '0.000000001', '0')
    """
    if not number.is_finite() or number < 0 or number > _LARGEST:
        raise BadInput(
            "money is a finite number that is not negative", where=where, remedy="write it like 0.5"
        )
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if len(text.partition(".")[2]) > DIGITS:
        raise BadInput(f"the number has more than {DIGITS} decimal places", where=where, remedy="round it")
    return text


def price_written(price: Price) -> dict[str, str | None]:
    """Write a price, part by part.

    >>> price_written(Price.pure("0.10"))
    {'epsilon': '0.1', 'delta': '0', 'rho': '0.005', 'rho_delta': '0'}
    """
    found: dict[str, str | None] = {}
    for part in _PARTS:
        number = getattr(price, part)
        found[part] = None if number is None else written(number, where=part)
    if not any(found[part] not in (None, "0") for part in ("epsilon", "rho")):
        raise BadInput("a question that costs nothing cannot be paid", where="price", remedy="try 0.1")
    return found


def price_read(parts: Mapping[str, str | None]) -> Price:
    """Read a price that was written.

    >>> price_read(price_written(Price.pure("0.10"))) == Price.pure("0.1")
    True
    """
    epsilon, delta, rho, rho_delta = (parts[part] for part in _PARTS)
    return Price(
        None if epsilon is None else Decimal(epsilon),
        Decimal(delta or 0),
        None if rho is None else Decimal(rho),
        Decimal(rho_delta or 0),
    )
