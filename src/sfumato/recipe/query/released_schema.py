"""schema.json of a release under differential privacy: the files, their columns, and every public domain.

All of it comes from metadata, or from choices that were made under differential privacy (the generalised
values of DiffGen): whoever holds it can check that each released value lies in a public domain.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sfumato.query.coding import MISSING
from sfumato.query.metadata import Column, Type
from sfumato.query.methods.contract import Attribute, DpSolution, NoisyTable
from sfumato.recipe.query.job import QueryJob


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReleasedColumn(_Part):
    """A column of drawn records."""

    name: str
    type: Literal["integer", "number", "category", "boolean", "date", "label"]
    first: int | None = Field(
        default=None, description="of numbers and dates: the least value, in grid steps"
    )
    last: int | None = Field(default=None, description="the greatest value, in grid steps")
    grid: str | None = Field(
        default=None,
        pattern=r"^[1-9][0-9]{0,30}(/[1-9][0-9]{0,30})?$",
        description="the step, as an exact fraction; one day for dates",
    )
    values: list[str] | None = Field(default=None, description="of categories and labels: all there can be")
    missing: bool = Field(default=True, description="whether a value may be missing")


class ReleasedAxis(_Part):
    """A column of a table of counts, with all of its labels in their order."""

    name: str
    labels: list[str] = Field(min_length=1)


class ReleasedCounts(_Part):
    """A table of noisy counts: one row for each combination of labels, the last column changing fastest."""

    file: str
    axes: list[ReleasedAxis] = Field(min_length=1)


class ReleasedQuery(_Part):
    """What a release under differential privacy holds."""

    format: Literal["sfumato-schema"] = "sfumato-schema"
    kind: Literal["query"] = "query"
    version: Literal[1] = 1
    file: str | None = Field(default=None, description="the drawn records, if there are any")
    fields: list[ReleasedColumn] = []
    tables: list[ReleasedCounts] = []


def released_query(job: QueryJob, solution: DpSolution) -> ReleasedQuery:
    """Describe what a solution is written as."""
    records = solution.records
    return ReleasedQuery(
        file=None if records is None else f"data.{job.format}",
        fields=[] if records is None else [_column(job, attribute) for attribute in records.attributes],
        tables=[
            ReleasedCounts(
                file=f"counts-{number}.{job.format}",
                axes=[ReleasedAxis(name=axis.name, labels=list(axis.labels)) for axis in axes],
            )
            for number, (_, axes) in enumerate(written_tables(job, solution), 1)
        ],
    )


def written_tables(job: QueryJob, solution: DpSolution) -> list[tuple[NoisyTable, tuple[Attribute, ...]]]:
    """Return the tables that can be written, each with the domains of its axes.

    A table over domains that the solution does not name (values that were generalised, while its records were
    spread over the original ones again) has no labels and is left out.
    """
    found = []
    for table in solution.tables:
        axes = []
        for place, name in enumerate(table.attributes):
            size = table.counts.shape[place]
            known = [*(solution.records.attributes if solution.records else ()), *job.attributes]
            fitting = [one for one in known if one.name == name and one.size == size]
            axes += fitting[:1]
        if len(axes) == len(table.attributes):
            found.append((table, tuple(axes)))
    return found


def as_declared(job: QueryJob, attribute: Attribute) -> bool:
    """Say whether an attribute has the domain that its column was given, and not a generalised one."""
    (own,) = (one for one in job.attributes if one.name == attribute.name)
    return attribute.labels == own.labels and attribute.edges == own.edges


def _column(job: QueryJob, attribute: Attribute) -> ReleasedColumn:
    column = job.table.columns[attribute.name]
    if not as_declared(job, attribute):
        values = [label for label in attribute.labels if label != MISSING]
        return ReleasedColumn(
            name=column.name, type="label", values=values, missing=MISSING in attribute.labels
        )
    if attribute.edges is None:
        values = list(attribute.labels[:-1])
        return ReleasedColumn(
            name=column.name, type=column.type.value, values=values if column.type is Type.CATEGORY else None
        )
    first, last = units_between(column, attribute)
    grid = "1" if column.type is Type.DATE else str(column.grid)
    return ReleasedColumn(name=column.name, type=column.type.value, first=first, last=last, grid=grid)


def units_between(column: Column, attribute: Attribute) -> tuple[int, int]:
    """Return the least and the greatest value that is drawn, in steps of the grid."""
    assert attribute.edges is not None
    edges = [round(Fraction(edge) / column.grid) for edge in (attribute.edges[0], attribute.edges[-1])]
    return edges[0], edges[1] - 1
