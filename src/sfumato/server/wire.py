"""What goes over the wire: the bodies of requests and replies, as pydantic models.

Money travels as text, so that nothing is rounded; a JSON number is read as it is written (0.1 is a tenth).
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from sfumato.dp.price import Price
from sfumato.query.answer import Quote
from sfumato.query.ledger.audit import AuditResult
from sfumato.query.ledger.breach import BreachReport
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
Expires = Annotated[str, Field(min_length=1, max_length=40)]
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

    @property
    def offer(self) -> dict[str, str]:
        """What is offered, as the database takes it."""
        told = {"epsilon": self.epsilon, "delta": self.delta, "rho": self.rho}
        return {name: value for name, value in told.items() if value is not None}


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
    """Noisy cells with their error bars (± at 95 %)."""

    model_config = ConfigDict(extra="allow")

    columns: list[str]
    rows: list[list[Any]]
    errors: list[list[float | None]]
    reference: str = ""
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
    """A question that was paid, and its answer once there is one.

    ``number`` counts the analyst's own questions. The ledger's numbers are not told: they grow when an
    answer is stored, so that a second question would tell how long the first had run. For the same reason
    ``when`` is the second in which the question came, not the moment at which it was charged.
    """

    number: int
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
    expires: Expires | None = None
    """when the key ends: 2027-01-31, 90d or never, which is the default"""


class Rotate(_Wire):
    """How a key is replaced."""

    expires: Expires | None = None
    """when the new key ends; when the old one would have, unless given"""


class AnalystOut(_Wire):
    """Somebody who may use the service, without secrets."""

    name: str
    role: RoleName
    group: str
    suspended: bool
    subject: str | None = None
    expires: datetime | None = None
    """from then on the key is worth nothing"""


class KeyOut(_Wire):
    """A key, shown this once."""

    name: str
    key: str
    expires: datetime | None = None
    """from then on it is worth nothing"""


class SetBudget(_Wire):
    """What a data set, a group or an analyst may spend."""

    scope: Literal["data set", "group", "analyst"]
    name: Name
    data_set: Name
    window: str | None = None
    composition: Literal["basic", "zcdp"] = "basic"
    limit: Money
    delta: Money = "0"


class HeadOut(_Wire):
    """The end of the log: keep it elsewhere, and nothing before it can be changed unseen."""

    head: str


class LogEntry(_Wire):
    """An entry of the log, as it was hashed: (sequence, time, kind, body, previous)."""

    sequence: int
    when: datetime
    time: int
    """microseconds since 1970: what was hashed"""
    kind: str
    body: str
    previous: str
    hash: str


class AuditOut(_Wire):
    """What an audit of the ledger found; ``problems`` is empty when it found nothing."""

    holds: bool
    entries: int
    charges: int
    answers: int
    head: str
    problems: list[str]

    @classmethod
    def of(cls, result: AuditResult) -> AuditOut:
        """Write an audit out."""
        return cls(
            holds=result.holds,
            entries=result.entries,
            charges=result.charges,
            answers=result.answers,
            head=str(result.head),
            problems=[str(problem) for problem in result.problems],
        )


class AlertOut(_Wire):
    """A pattern that the log shows, in words. It accuses nobody: it says where to look."""

    pattern: str
    severity: str = "warning"
    """notice, warning or alarm"""
    analyst: str
    data_set: str
    spends: list[int] = Field(default_factory=list)
    message: str


class DisclosedOut(_Wire):
    """One question that was charged; without a stored answer nothing left."""

    spend: int
    when: datetime
    analyst: str
    group: str
    data_set: str
    window: str
    version: str
    question: str
    price: PriceOut
    answered: bool


class TotalOut(_Wire):
    """What an analyst was charged on one window of a data set."""

    analyst: str
    data_set: str
    window: str
    questions: int
    answered: int
    epsilon: str | None
    delta: str
    rho: str | None


class BreachOut(_Wire):
    """What was answered to whom, oldest first; which people it may concern is never listed."""

    disclosed: list[DisclosedOut]
    totals: list[TotalOut]

    @classmethod
    def of(cls, report: BreachReport) -> BreachOut:
        """Write a report out."""
        disclosed = [
            DisclosedOut(**{**vars(one), "price": PriceOut.of(one.price)}) for one in report.disclosed
        ]
        totals = [
            TotalOut(
                **{
                    **vars(one),
                    "epsilon": _text(one.epsilon),
                    "delta": f"{one.delta:f}",
                    "rho": _text(one.rho),
                }
            )
            for one in report.totals
        ]
        return cls(disclosed=disclosed, totals=totals)


def _text(number: object) -> str | None:
    if number is None:
        return None
    return f"{number:f}" if hasattr(number, "as_tuple") else str(number)
