"""A job: everything that is needed to make one release, as objects. Recipes and Python calls become one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.core.errors import BadInput, nearest
from sfumato.core.memory import in_bytes
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.contract import Order, Suppressed
from sfumato.engine.sources import CsvFile, ParquetFile, Source, SqlTable, source_of
from sfumato.hierarchy import Hierarchy, from_spec, to_spec
from sfumato.recipe.model import Recipe, ResourcePart
from sfumato.recipe.named import build, spell
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.protect import Method, PrivacyModel
from sfumato.table.utility import UTILITIES
from sfumato.table.utility.contract import Utility


@dataclass(frozen=True)
class Job:
    """One table to be released."""

    source: Source
    schema: Schema
    models: tuple[PrivacyModel, ...]
    method: Method
    utility: Utility
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    title: str = "Untitled release"
    engine: str = "duckdb"
    memory: str | None = None
    order: Order = Order.SHUFFLED
    suppressed: Suppressed = Suppressed.DROP
    format: str = "csv"

    def __post_init__(self) -> None:
        if self.memory is not None:
            in_bytes(self.memory)
        for name in self.hierarchies:
            role = self.schema.field(name).role
            if role is not Role.QUASI_IDENTIFIER:
                raise BadInput(
                    f"it has a hierarchy and is {role}, but only quasi-identifiers are generalised",
                    where=f"column '{name}'",
                    remedy="make it a quasi-identifier, or take the hierarchy away",
                )

    def public_recipe(self) -> dict[str, object]:
        """Describe the job for everybody: no path, no address, no secret, nothing taken from the data."""
        fields: list[dict[str, Any]] = []
        for column in self.schema.fields:
            described: dict[str, Any] = {"name": column.name, "role": str(column.role)}
            if isinstance(self.source, CsvFile) and column.name in self.source.types:
                described["type"] = self.source.types[column.name]
            if column.confirmed:
                described["confirmed"] = True
            if column.name in self.hierarchies:
                described["hierarchy"] = _public(to_spec(self.hierarchies[column.name]))
            fields.append(described)
        resource: dict[str, Any] = {"name": "data"}
        if isinstance(self.source, CsvFile):
            resource["encoding"] = self.source.encoding
            resource["missingValues"] = list(self.source.missing)
            if self.source.delimiter:
                resource["delimiter"] = self.source.delimiter
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [{**resource, "schema": {"fields": fields}}],
            "models": [spell(model) for model in self.models],
            "method": spell(self.method),
            "utility": spell(self.utility),
            "engine": self.engine,
            "output": {"format": self.format, "order": str(self.order), "suppressed": str(self.suppressed)},
        }


def job_of(recipe: Recipe, folder: Path) -> Job:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    resource = recipe.resource
    fields = resource.table_schema.fields
    return Job(
        source=_source(resource, folder),
        schema=Schema(tuple(Field(f.name, f.role, f.type or "string", f.confirmed) for f in fields)),
        models=tuple(build(MODELS, spec, "model", f"models[{i}]") for i, spec in enumerate(recipe.models)),
        method=build(METHODS, recipe.method, "method", "method"),
        utility=build(UTILITIES, recipe.utility, "utility", "utility"),
        hierarchies={
            f.name: _hierarchy(f.name, f.hierarchy, folder) for f in fields if f.hierarchy is not None
        },
        title=recipe.title,
        engine=recipe.engine,
        memory=recipe.memory,
        order=recipe.output.order,
        suppressed=recipe.output.suppressed,
        format=recipe.output.format or _same_format(resource),
    )


def _hierarchy(column: str, spec: str | dict[str, Any], folder: Path) -> Hierarchy:
    try:
        return from_spec(spec, folder)
    except BadInput as problem:
        where = f"column '{column}'" + (f", {problem.where}" if problem.where else "")
        raise BadInput(problem.what, where=where, remedy=problem.remedy) from None


def _source(resource: ResourcePart, folder: Path) -> Source:
    if (resource.path is None) == (resource.sql is None):
        raise BadInput(
            f"the resource '{resource.name}' needs either 'path' or 'sql'", remedy="say where the data lie"
        )
    if resource.sql is not None:
        uri = os.environ.get(resource.sql.uri_from)
        if not uri:
            raise BadInput(
                f"the environment variable '{resource.sql.uri_from}' is not set",
                remedy="set it to the address of the database",
            )
        return SqlTable(uri, resource.sql.table, resource.sql.query)
    source = source_of(folder / str(resource.path))
    if isinstance(source, CsvFile):
        types = {f.name: f.type for f in resource.table_schema.fields if f.type}
        return CsvFile(
            source.path, resource.delimiter, resource.encoding, tuple(resource.missing_values), types
        )
    return source


def _same_format(resource: ResourcePart) -> str:
    if resource.path is None:
        return "csv"
    source = source_of(resource.path)
    if isinstance(source, ParquetFile):
        return "parquet"
    return "csv.gz" if resource.path.endswith(".gz") else "csv"


def _public(spec: Any) -> Any:
    """Describe a hierarchy without its values, which may be those of the data, and without folders."""
    if not isinstance(spec, dict):
        return spec
    kept = {key: value for key, value in spec.items() if key not in _WITH_VALUES}
    if "csv" in kept:
        kept["csv"] = Path(kept["csv"]).name
    hidden = next((key for key in spec if key in _WITH_VALUES), None)
    return {**kept, hidden: "kept by the steward"} if hidden else kept


_WITH_VALUES = ("rows", "tree", "parents")


def check_listed(schema: Schema, columns: tuple[str, ...]) -> None:
    """Refuse columns of the data that the recipe does not mention: silence is not consent."""
    for name in schema.columns:
        if name not in columns:
            raise BadInput(
                f"the recipe speaks of a column '{name}' that the data do not have",
                remedy=nearest(name, columns),
            )
    silent = [name for name in columns if name not in schema.columns]
    if silent:
        shown = ", ".join(f"'{name}'" for name in silent[:5]) + (", …" if len(silent) > 5 else "")
        raise BadInput(
            f"the recipe does not mention {shown}", remedy="give each column of the data a role in 'fields'"
        )
