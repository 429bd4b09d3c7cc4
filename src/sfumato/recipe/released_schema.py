"""schema.json: what travels with a release so that it can be verified elsewhere.

It names the released columns, their roles, and for each generalised column the labels that occur in
the release with the coarser labels above them. Nothing below the released level is in it.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from sfumato.core.schema import Role
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.hierarchy.rows import ladder_rows
from sfumato.hierarchy.table import HierarchyTable
from sfumato.recipe.outcome import Outcome


class ReleasedHierarchy(BaseModel):
    """The part of a hierarchy that the release shows: each label, and what lies above it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    level: int
    height: int
    paths: list[Annotated[list[str | None], Field(min_length=1)]] = Field(
        description="one list for each label that occurs: it, then coarser"
    )


class ReleasedField(BaseModel):
    """One released column."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    type: str
    role: Role
    known: bool = Field(default=False, description="an adversary may know this sensitive column")
    hierarchy: ReleasedHierarchy | None = None


class ReleasedSchema(BaseModel):
    """The columns of a release."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    format: Literal["sfumato-schema"] = "sfumato-schema"
    version: Literal[1] = 1
    file: str
    missing_values: list[Literal[""]] = Field(default=[""], alias="missingValues", min_length=1, max_length=1)
    fields: list[ReleasedField]

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(field.name for field in self.fields if field.role is Role.QUASI_IDENTIFIER)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The sensitive columns."""
        return tuple(field.name for field in self.fields if field.role is Role.SENSITIVE)

    @property
    def known(self) -> tuple[str, ...]:
        """The sensitive columns that an adversary may know."""
        return tuple(field.name for field in self.fields if field.known)

    @property
    def sensitive_hierarchies(self) -> dict[str, Hierarchy]:
        """The hierarchies of sensitive columns, over the values that occur."""
        return {
            field.name: HierarchyTable.of([[label or "" for label in path] for path in field.hierarchy.paths])
            for field in self.fields
            if field.role is Role.SENSITIVE and field.hierarchy is not None
        }


def released_schema(outcome: Outcome, file: str) -> ReleasedSchema:
    """Describe the released columns."""
    types = {column.name: column.type for column in outcome.protected.table.columns}
    schema = outcome.job.schema
    return ReleasedSchema(
        file=file,
        fields=[
            ReleasedField(
                name=name,
                type=types[name],
                role=schema.field(name).role,
                known=schema.field(name).known,
                hierarchy=_hierarchy(outcome, name)
                if name in schema.quasi
                else _sensitive_hierarchy(outcome, name),
            )
            for name in schema.released
        ],
    )


def _sensitive_hierarchy(outcome: Outcome, name: str) -> ReleasedHierarchy | None:
    """Describe the hierarchy along which a model compares sensitive values: those that are released."""
    protected = outcome.protected
    if name not in protected.hierarchies:
        return None
    released = protected.published().values_of(name)
    ladder = protected.hierarchies[name].ladder(released.domain)
    paths = [list[str | None](path) for path in ladder_rows(ladder)]
    return ReleasedHierarchy(level=0, height=ladder.height, paths=paths)


def _hierarchy(outcome: Outcome, name: str) -> ReleasedHierarchy | None:
    protected = outcome.protected
    j = protected.counted.cells.names.index(name)
    ladder, levels = protected.ladders[j], protected.solution.levels
    if ladder is None or levels is None:
        return None
    level = levels[j]
    paths = []
    for group in np.unique(protected.solution.boxes[j]):
        code = int(np.flatnonzero(ladder.rungs[level] == group)[0])
        paths.append([ladder.labels[up][ladder.rungs[up, code]] for up in range(level, ladder.height + 1)])
    skipped = protected.start.skipped[j]
    return ReleasedHierarchy(level=level + skipped, height=ladder.height + skipped, paths=paths)
