"""The shape of ``database.yaml``: what an owner declares about a data set and its budgets.

Everything is checked here, once: names, bounds that are whole multiples of the grid, a δ that is small for
the declared size. What comes out is ``Metadata`` and ``Budget``, exact.
"""

from __future__ import annotations

import datetime
import math
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StrictStr

from sfumato.core.errors import BadInput
from sfumato.dp.conversions import epsilon_to_rho
from sfumato.dp.exact import as_decimal, exact
from sfumato.dp.neighbours import Neighbours
from sfumato.query.answer import AnswerLimits
from sfumato.query.ledger.contract import Budget, Composition, Scope
from sfumato.query.metadata import Column, Metadata, Table, Type

Amount = StrictInt | StrictFloat | StrictStr
"""a number as it is written: 0.1 is one tenth"""
LARGEST = 2**61
"""no bound lies beyond it in steps of the grid: what can be declared can be registered"""
MAX_VALUES = 100_000
MAX_NAME = 128
_FIRST_DAY = datetime.date(1970, 1, 1)
_DEFAULT_DELTA = 6
"""decimal places of the largest δ of one question, unless the data set is larger"""


class Part(BaseModel):
    """A part of the file; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ColumnPart(Part):
    """A column that may be asked about."""

    type: Type
    lower: Amount | datetime.date | None = Field(
        default=None, description="smaller values are raised to it; known, never looked up in the data"
    )
    upper: Amount | datetime.date | None = Field(default=None, description="larger values are lowered to it")
    grid: Amount | None = Field(
        default=None, description="of numbers: values are rounded to multiples of it, such as 0.01"
    )
    values: list[StrictStr] | None = Field(
        default=None, description="of categories: all public values; none when they are not public"
    )
    title: str = ""


class TablePart(Part):
    """A table: its file, whom its rows are about, and how many there can be."""

    source: str = Field(default="", description="the file, relative to this one")
    person: str | None = Field(
        default=None, description="the column that names the person; none: a row is one"
    )
    rows_per_person: StrictInt = Field(default=1, ge=1, description="most rows of one person that count")
    max_rows: StrictInt = Field(ge=1, le=10**12, description="larger files are refused")
    columns: dict[str, ColumnPart]


class BudgetPart(Part):
    """What may be spent: ε and δ, or ρ."""

    composition: Composition | None = Field(
        default=None, description="basic adds up ε, zcdp adds up ρ; basic for the data set unless given"
    )
    epsilon: Amount | None = None
    rho: Amount | None = None
    delta: Amount = 0


class DatabasePart(Part):
    """A data set."""

    sfumato: Literal[1] = 1
    data_set: str
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    groups_per_person: StrictInt = Field(default=1, ge=1, description="most groups that one person counts in")
    max_groups: StrictInt = Field(
        default=1_000_000, ge=1, le=10_000_000, description="most groups of a question"
    )
    max_cells: StrictInt = Field(
        default=AnswerLimits().cells,
        ge=1,
        le=10_000_000,
        description="most cells of an answer: groups × statistics",
    )
    max_answer_bytes: StrictInt = Field(
        default=AnswerLimits().bytes,
        ge=1000,
        le=500_000_000,
        description="most bytes of a question and its answer in the ledger",
    )
    max_delta: Amount | None = Field(default=None, description="the largest δ of one question")
    tables: dict[str, TablePart] = Field(min_length=1)
    budget: BudgetPart
    analyst_budget: BudgetPart | None = Field(default=None, description="what every new analyst may spend")
    groups: dict[str, BudgetPart] = Field(
        default={}, description="what groups of analysts may spend together"
    )
    window: str = Field(default="", description="names the time from which the people are; see docs")


def metadata_of(part: DatabasePart) -> Metadata:
    """Check what is declared and make it exact."""
    _check_name(part.data_set, "data_set")
    _check_apart(part.tables, "tables")
    tables = {name: _table(name, declared) for name, declared in part.tables.items()}
    return Metadata(
        data_set=part.data_set,
        tables=tables,
        neighbours=part.neighbours,
        groups_per_person=part.groups_per_person,
        max_groups=part.max_groups,
        max_delta=_max_delta(part.max_delta, tables),
    )


def budgets_of(part: DatabasePart, metadata: Metadata) -> tuple[tuple[Budget, ...], Budget | None]:
    """Return the budgets of the data set and of groups, and the one that every new analyst is given."""
    own = _budget(part.budget, Scope.DATA_SET, part.data_set, "budget", part, metadata)
    groups = []
    for name, declared in part.groups.items():
        _check_name(name, f"groups.{name[:MAX_NAME]}")
        groups.append(_budget(declared, Scope.GROUP, name, f"groups.{name}", part, metadata))
    usual = None
    if part.analyst_budget is not None:
        usual = _budget(part.analyst_budget, Scope.ANALYST, "", "analyst_budget", part, metadata)
    return (own, *groups), usual


def _table(name: str, declared: TablePart) -> Table:
    where = f"tables.{name}"
    _check_name(name, where)
    if declared.person is None and declared.rows_per_person != 1:
        raise BadInput(
            "rows_per_person needs to know whose the rows are",
            where=where,
            remedy="name the column in 'person', or leave rows_per_person out",
        )
    if declared.person is not None:
        _check_name(declared.person, f"{where}.person")
        if declared.person in declared.columns:
            raise BadInput(
                f"'{declared.person}' names the person and cannot be asked about",
                where=f"{where}.columns",
                remedy="take it out of 'columns'",
            )
    _check_apart([*declared.columns, *([declared.person] if declared.person else [])], f"{where}.columns")
    columns = {
        column: _column(column, spelt, f"{where}.columns.{column}")
        for column, spelt in declared.columns.items()
    }
    person, rows = declared.person, declared.rows_per_person
    return Table(name, columns, person, rows, declared.max_rows, declared.source)


def _column(name: str, spelt: ColumnPart, where: str) -> Column:
    _check_name(name, where)
    numeric = spelt.type in (Type.INTEGER, Type.NUMBER)
    allowed = {
        "lower": numeric or spelt.type is Type.DATE,
        "upper": numeric or spelt.type is Type.DATE,
        "grid": numeric,
        "values": spelt.type is Type.CATEGORY,
    }
    for key, fits in allowed.items():
        if getattr(spelt, key) is not None and not fits:
            raise BadInput(
                f"a column of type {spelt.type} has no '{key}'", where=where, remedy=f"take '{key}' out"
            )
    if spelt.type is Type.CATEGORY:
        return Column(name, spelt.type, values=_values(spelt.values, where), title=spelt.title)
    if spelt.type is Type.BOOLEAN:
        return Column(name, spelt.type, title=spelt.title)
    grid = _grid(spelt, where)
    lower = _bound(spelt.lower, spelt.type, f"{where}.lower")
    upper = _bound(spelt.upper, spelt.type, f"{where}.upper")
    if (lower is None) != (upper is None):
        raise BadInput("a column has both bounds or none", where=where, remedy="give 'lower' and 'upper'")
    if lower is not None and upper is not None:
        if lower > upper:
            raise BadInput("'lower' is above 'upper'", where=where, remedy="exchange them")
        if any((bound / grid).denominator != 1 for bound in (lower, upper)):
            raise BadInput(
                "the bounds are not whole multiples of the grid",
                where=where,
                remedy="mend 'grid' or the bounds",
            )
        if max(abs(lower), abs(upper)) / grid > LARGEST:
            raise BadInput("the bounds are too far out", where=where, remedy="narrow them, or coarsen 'grid'")
    return Column(name, spelt.type, lower, upper, grid, title=spelt.title)


def _grid(spelt: ColumnPart, where: str) -> Fraction:
    if spelt.grid is None:
        if spelt.type is Type.NUMBER:
            raise BadInput(
                "a column of type number needs a 'grid' to which it is rounded",
                where=where,
                remedy="write grid: 0.01, or type: integer",
            )
        return Fraction(1)
    grid = exact(spelt.grid, where=f"{where}.grid")
    if grid <= 0 or (spelt.type is Type.INTEGER and grid.denominator != 1):
        raise BadInput(
            "the grid must be more than 0, and whole for integers", where=where, remedy="write grid: 1"
        )
    return grid


def _bound(bound: Any, type: Type, where: str) -> Fraction | None:
    if bound is None:
        return None
    if type is Type.DATE:
        try:
            day = bound if isinstance(bound, datetime.date) else datetime.date.fromisoformat(str(bound))
        except ValueError:
            raise BadInput("this is not a date", where=where, remedy="write it like 1920-01-01") from None
        return Fraction((day - _FIRST_DAY).days)
    if isinstance(bound, datetime.date):
        raise BadInput("a number is needed, not a date", where=where, remedy="or write type: date")
    return exact(bound, where=where)


def _values(values: list[str] | None, where: str) -> tuple[str, ...] | None:
    if values is None:
        return None
    if not values or len(values) > MAX_VALUES:
        raise BadInput(
            f"a list of values has 1 to {MAX_VALUES} of them",
            where=f"{where}.values",
            remedy="leave 'values' out when they are not public",
        )
    if len(set(values)) < len(values):
        raise BadInput("a value is there twice", where=f"{where}.values", remedy="list each once")
    if any(not _can_be_seen(value) for value in values):
        raise BadInput(
            "a value holds a character that cannot be seen", where=f"{where}.values", remedy="type it anew"
        )
    return tuple(values)


def _max_delta(given: Any, tables: Mapping[str, Table]) -> Fraction:
    people = max(table.max_rows for table in tables.values())
    if given is None:
        return Fraction(1, 10 ** max(_DEFAULT_DELTA, math.ceil(math.log10(people)) + 1))
    return _small_delta(given, people, "max_delta")


def _small_delta(given: Any, people: int, where: str) -> Fraction:
    delta = exact(given, where=where)
    if not 0 <= delta < 1:
        raise BadInput("delta must be at least 0 and less than 1", where=where, remedy="try 1e-9")
    if delta * people >= 1:
        # A mechanism that publishes each person with probability δ would then be expected to publish one.
        raise BadInput(
            f"δ is too large for the declared size: with {people} rows it must be below 1/{people}",
            where=where,
            remedy="make it smaller",
        )
    return delta


def _budget(
    part: BudgetPart, scope: Scope, name: str, where: str, whole: DatabasePart, metadata: Metadata
) -> Budget:
    composition = part.composition or whole.budget.composition or Composition.BASIC
    people = max(table.max_rows for table in metadata.tables.values())
    delta = as_decimal(_small_delta(part.delta, people, f"{where}.delta"), where=f"{where}.delta")
    if (part.epsilon is None) == (part.rho is None):
        raise BadInput("a budget is given by epsilon or by rho", where=where, remedy="write epsilon: 1")
    amount = as_decimal(
        part.rho if part.epsilon is None else part.epsilon,  # type: ignore[arg-type]  # one of them is there
        where=where,
    )
    if amount <= 0:
        raise BadInput("a budget must be more than 0", where=where, remedy="write epsilon: 1")
    if composition is Composition.BASIC and part.epsilon is None:
        raise BadInput(
            "a budget of basic composition adds up ε",
            where=where,
            remedy="write epsilon, or composition: zcdp",
        )
    if composition is Composition.ZCDP and part.epsilon is not None:
        if delta == 0:
            raise BadInput(
                "a zcdp budget that is given as epsilon needs a delta",
                where=where,
                remedy="write delta: 1e-9",
            )
        # One half of δ turns ρ into ε, the other is for thresholds of groups that are not public.
        delta = as_decimal(exact(delta) / 2)
        amount = epsilon_to_rho(amount, delta)
    return Budget(scope, name, whole.data_set, whole.window, composition, Decimal(amount), delta)


def _check_name(name: str, where: str) -> None:
    if not 0 < len(name) <= MAX_NAME or name.startswith("__") or not _can_be_seen(name):
        raise BadInput(
            f"a name has 1 to {MAX_NAME} characters that can be seen and does not begin with '__'",
            where=where[:MAX_NAME],
            remedy="choose another name",
        )


def _check_apart(names: Iterable[str], where: str) -> None:
    """Refuse names that differ in case only: SQL does not tell them apart."""
    seen: set[str] = set()
    for name in names:
        if name.casefold() in seen:
            raise BadInput(
                f"two names are '{name}' but for upper and lower case", where=where, remedy="rename one"
            )
        seen.add(name.casefold())


def _can_be_seen(text: str) -> bool:
    return all(unicodedata.category(character)[0] != "C" for character in text)
