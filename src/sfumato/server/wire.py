"""What goes over the wire: the bodies of requests and replies, as pydantic models.

Money travels as text, so that nothing is rounded; a JSON number is read as it is written (0.1 is a tenth).
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from sfumato.core.errors import BadInput
from sfumato.dp.price import Price
from sfumato.query.answer import Quote
from sfumato.query.ledger.contract import Budget
from sfumato.query.metadata import Column, Metadata, Table

_NUMBER = re.compile(r"[0-9]{1,20}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?")


def _money(value: object) -> str:
    """Read a number as it is written; short ones only, since 1e999999999 would fill the memory.

    >>> _money(0.1), _money("1e-6"), _money(2)
    ('0.1', '1e-6', '2')
    """
    text = str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    if not _NUMBER.fullmatch(text):
        raise ValueError("must be a finite decimal number, such as 0.1")
    return text


Money = Annotated[
    str,
    BeforeValidator(_money),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "number"}], "examples": ["0.1"]}),
]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
RoleName = Literal["owner", "analyst", "auditor"]


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Problem(_Wire):
    """What every reply says that is not a success."""

    what: str
    where: str = ""
    remedy: str = ""
    code: str


class AskBody(_Wire):
    """A question and what may be spent on it: ε with or without δ, or ρ."""

    sql: Annotated[str, Field(min_length=1)]
    data_set: Name | None = None
    """may be left out when the service has one"""
    epsilon: Money | None = None
    delta: Money | None = None
    rho: Money | None = None

    def price(self) -> Price:
        """Return the price that is offered."""
        return price_of(self.epsilon, self.delta, self.rho)


def price_of(epsilon: str | None, delta: str | None, rho: str | None) -> Price:
    """Read what may be spent.

    >>> str(price_of("0.1", None, None))
    'ε = 0.1'
    """
    if (epsilon is None) == (rho is None):
        raise BadInput("a question costs either epsilon or rho", where="epsilon", remedy="try epsilon = 0.1")
    if rho is not None:
        return Price.concentrated(rho, delta=delta or 0)
    assert epsilon is not None
    return Price.approximate(epsilon, delta) if delta else Price.pure(epsilon)


class PriceOut(_Wire):
    """A price, exact."""

    epsilon: str | None
    delta: str
    rho: str | None

    @classmethod
    def of(cls, price: Price) -> PriceOut:
        """Write a price out."""
        return cls(epsilon=_text(price.epsilon), delta=f"{price.delta:f}", rho=_text(price.rho))


class MeasureOut(_Wire):
    """One measure of a quote."""

    name: str
    mechanism: str
    epsilon: str | None
    error: float | None
    note: str = ""


class QuoteOut(_Wire):
    """The price of a question and the error to expect, from metadata alone."""

    canonical: str
    price: PriceOut
    measures: list[MeasureOut]
    cells: int | None
    note: str = ""

    @classmethod
    def of(cls, quote: Quote) -> QuoteOut:
        """Write a quote out."""
        measures = [
            MeasureOut(
                name=measure.name,
                mechanism=measure.mechanism,
                epsilon=None if measure.epsilon is None else str(measure.epsilon),
                error=measure.error,
                note=measure.note,
            )
            for measure in quote.measures
        ]
        return cls(
            canonical=quote.canonical,
            price=PriceOut.of(quote.price),
            measures=measures,
            cells=quote.cells,
            note=quote.note,
        )


class AnswerOut(BaseModel):
    """Noisy cells with their error bars (± at 95 %); ``spend`` is the ledger's number."""

    model_config = ConfigDict(extra="allow")

    columns: list[str]
    rows: list[list[Any]]
    errors: list[list[float | None]]
    spend: int | None = None
    data_set: str = ""
    window: str = ""
    dummy: bool = False
    note: str = ""


class ColumnOut(_Wire):
    """A column as it may be asked about."""

    name: str
    type: str
    lower: str | None = None
    upper: str | None = None
    grid: str = "1"
    values: list[str] | None = None
    title: str = ""

    @classmethod
    def of(cls, column: Column) -> ColumnOut:
        """Write a column out."""
        return cls(
            name=column.name,
            type=str(column.type),
            lower=_text(column.lower),
            upper=_text(column.upper),
            grid=str(column.grid),
            values=None if column.values is None else list(column.values),
            title=column.title,
        )


class TableOut(_Wire):
    """A table as it may be asked about; where its rows come from is nobody's business."""

    name: str
    columns: list[ColumnOut]
    person: str | None
    rows_per_person: int
    max_rows: int

    @classmethod
    def of(cls, table: Table) -> TableOut:
        """Write a table out."""
        return cls(
            name=table.name,
            columns=[ColumnOut.of(column) for column in table.columns.values()],
            person=table.person,
            rows_per_person=table.rows_per_person,
            max_rows=table.max_rows,
        )


class DataSetOut(_Wire):
    """All that is public of a data set."""

    name: str
    window: str = ""
    tables: list[TableOut]
    neighbours: str
    groups_per_person: int
    max_groups: int
    max_delta: str

    @classmethod
    def of(cls, metadata: Metadata, window: str) -> DataSetOut:
        """Write public metadata out."""
        return cls(
            name=metadata.data_set,
            window=window,
            tables=[TableOut.of(table) for table in metadata.tables.values()],
            neighbours=str(metadata.neighbours),
            groups_per_person=metadata.groups_per_person,
            max_groups=metadata.max_groups,
            max_delta=str(metadata.max_delta),
        )


class BudgetOut(_Wire):
    """What a scope may spend, and what it spent; exact decimals as text."""

    scope: str
    name: str
    data_set: str
    window: str
    composition: str
    limit: str
    delta: str
    spent: str
    spent_delta: str

    @classmethod
    def of(cls, budget: Budget) -> BudgetOut:
        """Write a budget out."""
        return cls(
            scope=str(budget.scope),
            name=budget.name,
            data_set=budget.data_set,
            window=budget.window,
            composition=str(budget.composition),
            limit=f"{budget.limit:f}",
            delta=f"{budget.delta:f}",
            spent=f"{budget.spent:f}",
            spent_delta=f"{budget.spent_delta:f}",
        )


class PastAnswer(_Wire):
    """A question that was paid, and its answer once there is one."""

    spend: int
    when: datetime
    data_set: str
    question: str
    price: PriceOut
    answer: AnswerOut | None = None


class AddAnalyst(_Wire):
    """Somebody who may use the service."""

    name: Name
    role: RoleName = "analyst"
    group: Annotated[str, Field(max_length=200)] = ""
    subject: Name | None = None
    """of tokens of the identity provider"""


class AnalystOut(_Wire):
    """Somebody who may use the service, without secrets."""

    name: str
    role: RoleName
    group: str
    suspended: bool
    subject: str | None = None


class KeyOut(_Wire):
    """A key, shown this once."""

    name: str
    key: str


class SetBudget(_Wire):
    """What a data set, a group or an analyst may spend."""

    scope: Literal["data set", "group", "analyst"]
    name: Name
    data_set: Name
    window: str | None = None
    composition: Literal["basic", "zcdp"] = "basic"
    limit: Money
    delta: Money = "0"


class Head(_Wire):
    """The end of the log: keep it elsewhere, and nothing before it can be changed unseen."""

    sequence: int
    hash: str


class Count(_Wire):
    """How many."""

    count: int


def _text(number: object) -> str | None:
    if number is None:
        return None
    return f"{number:f}" if hasattr(number, "as_tuple") else str(number)
