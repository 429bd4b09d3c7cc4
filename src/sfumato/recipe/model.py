"""The recipe: what to protect, from whom, how. The shape of the YAML file, published as JSON Schema.

Names follow Frictionless Data where it has them (``resources``, ``fields``, ``missingValues``,
``primaryKey``, ``foreignKeys``).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sfumato.core.schema import Role
from sfumato.engine.contract import Order, Suppressed

RECIPE_VERSION = 1
Named = str | dict[str, dict[str, Any] | None]
"""a model or method: its name, or its name with parameters"""
DEFAULT_METHOD: dict[str, dict[str, Any] | None] = {"optimal-lattice": {"suppress": 0.02}}


class Part(BaseModel):
    """A part of the recipe; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class FieldPart(Part):
    """One column."""

    name: str
    role: Role = Field(default=Role.INSENSITIVE, description="the part that the column plays")
    type: Literal["string", "integer", "number", "boolean", "date", "datetime"] | None = Field(
        default=None, description="checked when given; CSV columns are text otherwise"
    )
    hierarchy: str | dict[str, Any] | None = Field(
        default=None, description="csv, intervals, mask, dates, tree, flat or infer; see docs/hierarchies.md"
    )
    confirmed: bool = Field(
        default=False, description="vouches that nobody can be found by this nearly unique column"
    )


class SchemaPart(Part):
    """The columns of a resource. Columns that are not listed stop the run: silence is not consent."""

    fields: list[FieldPart] = Field(min_length=1)
    primary_key: str | list[str] | None = Field(default=None, alias="primaryKey")
    foreign_keys: list[dict[str, Any]] = Field(default=[], alias="foreignKeys")


class SqlPart(Part):
    """A table in a database; the address comes from an environment variable, never from the recipe."""

    uri_from: str = Field(alias="uriFrom", description="name of the environment variable with the address")
    table: str | None = None
    query: str | None = None


class ResourcePart(Part):
    """One table: where it lies and what its columns are."""

    name: str = "data"
    path: str | None = None
    sql: SqlPart | None = None
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    encoding: str = "utf-8"
    missing_values: list[str] = Field(default=[""], alias="missingValues")
    table_schema: SchemaPart = Field(alias="schema")


class OutputPart(Part):
    """How the release is written."""

    folder: str = Field(default=".", description="holds release/ and steward/ afterwards")
    format: Literal["csv", "csv.gz", "parquet"] | None = Field(
        default=None, description="the format of the input unless given"
    )
    order: Order = Order.SHUFFLED
    suppressed: Suppressed = Suppressed.DROP


class Recipe(Part):
    """A whole recipe."""

    sfumato: Literal[1] = Field(description="version of the recipe format")
    title: str = "Untitled release"
    resources: list[ResourcePart] = Field(min_length=1)
    models: list[Named] = Field(min_length=1)
    method: Named = DEFAULT_METHOD
    utility: Named = "loss"
    engine: Literal["duckdb", "spark"] = "duckdb"
    memory: str | None = Field(default=None, description="limit for the engine, such as 2GB")
    output: OutputPart = OutputPart()

    @field_validator("resources")
    @classmethod
    def _one_resource(cls, resources: list[ResourcePart]) -> list[ResourcePart]:
        if len(resources) > 1:
            raise ValueError("only one resource is supported so far")
        return resources

    @property
    def resource(self) -> ResourcePart:
        """The one table."""
        return self.resources[0]
