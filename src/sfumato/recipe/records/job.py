"""A job over a table and codes about the same people: everything that is needed to make one release."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from sfumato.core.errors import BadInput
from sfumato.core.memory import in_bytes
from sfumato.core.named import build, spell
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.contract import Order
from sfumato.engine.sources import Source
from sfumato.hierarchy import to_spec
from sfumato.recipe.codes.places import format_like, release_layout
from sfumato.recipe.job import described_source, hierarchy_in_recipe, public_hierarchy, source_in_recipe
from sfumato.recipe.model import FieldPart, Recipe, ResourcePart
from sfumato.record.relational_codes.method import RelationalCodes
from sfumato.record.relational_codes.registry import RECORD_METHODS, RECORD_MODELS
from sfumato.record.relational_codes.run import RecordsAsked

FORMATS = ("csv", "csv.gz", "parquet")
_OF_PEOPLE = (Role.PERSON, Role.QUASI_IDENTIFIER, Role.IDENTIFIER)
_OF_CODES = (Role.PERSON, Role.CODES, Role.IDENTIFIER)


@dataclass(frozen=True)
class RecordsJob:
    """A table and codes to be released as one."""

    kind: ClassVar[str] = "records"
    people: Source
    people_schema: Schema
    codes: Source
    codes_schema: Schema
    asked: RecordsAsked
    layout: str | None = None
    """how codes lie in their file; guessed when None"""
    separator: str | None = None
    title: str = "Untitled release"
    memory: str | None = None
    order: Order = Order.SHUFFLED
    format: str = "csv"
    output_layout: str = "cells"
    random: Random = field(default_factory=SecretRandom)
    """where the order of released records comes from"""

    def public_recipe(self) -> dict[str, object]:
        """Describe the job for everybody: no path, no address, nothing taken from the data."""
        people = [self._person_told(column) for column in self.people_schema.fields]
        codes = [self._code_told(column) for column in self.codes_schema.fields]
        resource = {**described_source(self.codes), "name": "codes", "kind": "codes"}
        if self.layout:
            resource["layout"] = self.layout
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [
                {**described_source(self.people), "name": "people", "schema": {"fields": people}},
                {**resource, "schema": {"fields": codes}},
            ],
            "models": [spell(self.asked.model)],
            "method": spell(self.asked.method),
            "engine": "duckdb",
            "output": {"format": self.format, "layout": self.output_layout, "order": str(self.order)},
        }

    def _person_told(self, column: Field) -> dict[str, Any]:
        told: dict[str, Any] = {"name": column.name, "role": str(column.role)}
        if column.name in self.asked.hierarchies:
            told["hierarchy"] = public_hierarchy(to_spec(self.asked.hierarchies[column.name]))
        return told

    def _code_told(self, column: Field) -> dict[str, Any]:
        told: dict[str, Any] = {"name": column.name, "role": str(column.role)}
        if column.role is not Role.CODES:
            return told
        hierarchy = self.asked.code_hierarchy
        more = {
            "hierarchy": None if hierarchy is None else public_hierarchy(to_spec(hierarchy)),
            "system": self.asked.system,
            "separator": self.separator,
            "unknown": None if self.asked.unknown == "error" else self.asked.unknown,
        }
        return told | {key: value for key, value in more.items() if value}


def records_job_of(recipe: Recipe, folder: Path) -> RecordsJob:
    """Turn a recipe with a table and codes into a job; paths are taken from the recipe's folder."""
    _refuse_other_keys(recipe)
    people, codes = _parts(recipe)
    told = _code(codes)
    if told.sensitive:
        raise BadInput(
            "no promise about a table and codes together bounds what is learned of sensitive codes",
            where=f"column '{told.name}'",
            remedy="leave 'sensitive' out, or release the codes alone",
        )
    if len(recipe.models) != 1:
        raise BadInput("one promise is made about both parts", where="models", remedy="write one")
    named = "method" in recipe.model_fields_set
    quasi = [one for one in people.table_schema.fields if one.role is Role.QUASI_IDENTIFIER]
    asked = RecordsAsked(
        person=_person(people),
        quasi=tuple(one.name for one in quasi),
        model=build(RECORD_MODELS, recipe.models[0], "model about a table and codes", "models[0]"),
        method=build(RECORD_METHODS, recipe.method, "method for a table and codes", "method")
        if named
        else RelationalCodes(),
        hierarchies={
            one.name: hierarchy_in_recipe(one.name, one.hierarchy, folder)
            for one in quasi
            if one.hierarchy is not None
        },
        code_hierarchy=None
        if told.hierarchy is None
        else hierarchy_in_recipe(told.name, told.hierarchy, folder),
        system=told.system,
        unknown=told.unknown or "error",
    )
    _person(codes)
    if recipe.memory is not None:
        in_bytes(recipe.memory)
    types = {one.name: one.type for one in people.table_schema.fields if one.type}
    return RecordsJob(
        people=source_in_recipe(people, folder, f"the resource '{people.name}'", types),
        people_schema=_schema(people),
        codes=source_in_recipe(codes, folder, f"the resource '{codes.name}'", {}),
        codes_schema=_schema(codes),
        asked=asked,
        layout=codes.layout,
        separator=told.separator,
        title=recipe.title,
        memory=recipe.memory,
        order=recipe.output.order,
        format=_format(recipe, people),
        output_layout=_layout(recipe, _format(recipe, people)),
    )


def _parts(recipe: Recipe) -> tuple[ResourcePart, ResourcePart]:
    """Tell the table from the codes, and refuse columns whose part nobody would play."""
    (people,) = (one for one in recipe.resources if one.kind == "table")
    (codes,) = (one for one in recipe.resources if one.kind == "codes")
    if people.layout is not None:
        raise BadInput("'layout' is for codes", where=f"the resource '{people.name}'", remedy="leave it out")
    for resource, roles in ((people, _OF_PEOPLE), (codes, _OF_CODES)):
        for one in resource.table_schema.fields:
            if one.role not in roles:
                raise BadInput(
                    f"its role is {one.role}; beside codes only quasi-identifiers are released",
                    where=f"the resource '{resource.name}', column '{one.name}'",
                    remedy=f"use one of: {', '.join(roles)}; an identifier is left out",
                )
            _refuse_details(one, resource)
    return people, codes


def _refuse_details(one: FieldPart, resource: ResourcePart) -> None:
    """Refuse what is said of a column and would be passed over in silence."""
    of_table = resource.kind == "table"
    of_codes = one.role is Role.CODES
    wrong = ["mask", "kind", "known", "confirmed"]
    wrong += [] if of_codes else ["system", "separator", "sensitive", "unknown"]
    wrong += [] if of_table else ["type"]
    for key in wrong:
        if key in one.model_fields_set:
            raise BadInput(
                f"'{key}' means nothing here",
                where=f"the resource '{resource.name}', column '{one.name}'",
                remedy="leave it out",
            )
    if one.hierarchy is not None and one.role not in (Role.QUASI_IDENTIFIER, Role.CODES):
        raise BadInput(
            f"it has a hierarchy and is {one.role}",
            where=f"the resource '{resource.name}', column '{one.name}'",
            remedy="take the hierarchy away",
        )


def _person(resource: ResourcePart) -> str:
    names = [one.name for one in resource.table_schema.fields if one.role is Role.PERSON]
    if len(names) != 1:
        raise BadInput(
            f"{len(names)} columns have the role person, and both parts are joined by one",
            where=f"the resource '{resource.name}'",
            remedy="give one column the role person",
        )
    return names[0]


def _schema(resource: ResourcePart) -> Schema:
    fields = resource.table_schema.fields
    return Schema(tuple(Field(one.name, one.role, one.type or "string") for one in fields))


def _format(recipe: Recipe, people: ResourcePart) -> str:
    """Settle in which format both parts are written: that of the table, unless said otherwise."""
    like = format_like(people.path)
    asked = recipe.output.format or (like if like in FORMATS else "csv")
    if asked not in FORMATS:
        raise BadInput(
            f"a table beside codes cannot be written as {asked}",
            where="output",
            remedy=f"use one of: {', '.join(FORMATS)}",
        )
    return asked


def _layout(recipe: Recipe, format_: str) -> str:
    """Settle how the items of a record lie in its row."""
    layout = release_layout(recipe.output.layout, format_)
    if layout == "long":
        raise BadInput(
            "in the layout long there is no row to put the quasi-identifiers on",
            where="output",
            remedy="use cells, or lists in a parquet file",
        )
    return layout


def _code(resource: ResourcePart) -> FieldPart:
    holding = [one for one in resource.table_schema.fields if one.role is Role.CODES]
    if len(holding) != 1:
        raise BadInput(
            f"{len(holding)} columns have the role codes, and one is needed",
            where=f"the resource '{resource.name}'",
            remedy="say which column holds the codes",
        )
    return holding[0]


def _refuse_other_keys(recipe: Recipe) -> None:
    """Refuse what there is for a table or for codes alone, rather than to pass over it in silence."""
    for key in sorted(recipe.model_fields_set - _KEYS):
        spelt = key.replace("_", "-")
        raise BadInput(
            f"'{spelt}' is not there for a table and codes together", where=spelt, remedy="leave it out"
        )
    for key in ("suppressed", "expert_determination"):
        if key in recipe.output.model_fields_set:
            raise BadInput(
                f"'{key}' is for tables alone, and these are a table and codes",
                where="output",
                remedy="leave it out",
            )
    if recipe.engine != "duckdb":
        raise BadInput(
            "a table and codes are read by duckdb alone so far",
            where="engine",
            remedy="write 'engine: duckdb'",
        )


_KEYS = {"sfumato", "title", "resources", "models", "method", "engine", "memory", "output"}
