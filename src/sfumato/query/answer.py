"""What comes back: cells with error bars, what it cost; before asking, the same from metadata alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price

CONFIDENCE = 0.95


@dataclass(frozen=True)
class MeasureQuote:
    """How one measure will be answered, from metadata alone.

    ``error`` is the ± at 95 % in units of the answer; None where it depends on the data (means and
    variances of few rows, quantiles), and ``note`` then says of what.
    """

    name: str
    mechanism: str
    epsilon: Fraction | None
    error: float | None
    note: str = ""


@dataclass(frozen=True)
class Quote:
    """The price of a question and the error to expect, without looking at data."""

    canonical: str
    price: Price
    measures: tuple[MeasureQuote, ...]
    cells: int | None
    """groups in the answer; None when they are chosen by partition selection"""
    note: str = ""


@dataclass(frozen=True)
class Answer:
    """Noisy cells. ``rows`` hold the keys and then the measures; ``errors`` the ± at 95 % of each measure.

    Both come from the noisy values and metadata alone. ``reference`` is
    drawn at random for each answer that is stored, to speak of it by; a number of the ledger would tell when
    other answers were stored.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | bool | None, ...], ...]
    errors: tuple[tuple[float | None, ...], ...]
    price: Price
    reference: str = ""
    data_set: str = ""
    window: str = ""
    dummy: bool = False
    """made from dummy data: nothing was charged, nothing is true"""
    note: str = ""


@dataclass(frozen=True)
class AnswerLimits:
    """The most that one answer may hold.

    >>> AnswerLimits().cells
    100000
    """

    cells: int = 100_000
    """groups × statistics"""
    bytes: int = 10_000_000
    """of the answer's text and of the question in the ledger"""

    def __post_init__(self) -> None:
        for name, number in (("max_cells", self.cells), ("max_answer_bytes", self.bytes)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise BadInput(
                    f"{name} must be a whole number of at least 1", where=name, remedy="leave it out"
                )
