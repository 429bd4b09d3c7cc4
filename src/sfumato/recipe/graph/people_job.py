"""A table about the nodes of a network: how it is read, joined with the nodes, and protected by the table
room.

One column holds the names that nodes have in the network; it and all identifiers stay in the house. What is
left becomes a table of its own with a row for each node, protected by a method for tables. A column that is
published as a label beside the edges is no part of that table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import build, spell
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.verdict import Basis
from sfumato.engine.contract import Order, Suppressed
from sfumato.engine.sources import Source
from sfumato.graph.reading.published import NODE
from sfumato.hierarchy import Hierarchy, to_spec
from sfumato.masking import MaskingPlan
from sfumato.masking.open_ends import fitting_hierarchies
from sfumato.recipe.graph.job import name_of, network_part, people_part, promises_of
from sfumato.recipe.job import (
    Job,
    described_source,
    hierarchy_in_recipe,
    public_hierarchy,
    source_in_recipe,
)
from sfumato.recipe.model import DEFAULT_METHOD, FieldPart, GraphPart, Recipe, ResourcePart
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.protect import PrivacyModel, SamplesRecords
from sfumato.table.utility import UTILITIES

HIDDEN = (Role.PERSON, Role.IDENTIFIER)
"""roles of columns that are not released"""
_ROLES = (*HIDDEN, Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.INSENSITIVE, Role.WEIGHT)
_ELSEWHERE = ("mask", "kind", "system", "separator", "sensitive", "unknown")
_RESOURCE = ("layout", "database", "text", "dna", "graph")


@dataclass(frozen=True)
class PeopleJob:
    """A table about the nodes."""

    source: Source
    fields: tuple[Field, ...]
    """every column of the table, with its role"""
    name: str
    """the column that holds the names of nodes"""
    job: Job | None = None
    """how the table is protected; None where nothing of it is released but labels"""
    label: str | None = None
    """the column that is published as a label of nodes"""
    label_hierarchy: Hierarchy | None = field(default=None, repr=False)

    @property
    def models(self) -> tuple[PrivacyModel, ...]:
        """What is promised about the table."""
        return () if self.job is None else self.job.models

    @property
    def released(self) -> tuple[str, ...]:
        """The columns of the released table, the numbers of nodes first."""
        return () if self.job is None else self.job.schema.released

    def public(self) -> dict[str, Any]:
        """Describe the table for everybody: no path, no address, nothing taken from the data."""
        fields = [self._told(column) for column in self.fields]
        told = {**described_source(self.source), "name": "people", "schema": {"fields": fields}}
        return told if self.job is None else {**told, "method": spell(self.job.method)}

    def _told(self, column: Field) -> dict[str, Any]:
        told: dict[str, Any] = {"name": column.name, "role": str(column.role)}
        hierarchies = {} if self.job is None else dict(self.job.hierarchies)
        if self.label is not None and self.label_hierarchy is not None:
            hierarchies[self.label] = self.label_hierarchy
        if column.known:
            told["known"] = True
        if column.name in hierarchies:
            told["hierarchy"] = public_hierarchy(to_spec(hierarchies[column.name]))
        return told


def people_job_of(recipe: Recipe, folder: Path) -> PeopleJob:
    """Take the table of a recipe that stands beside a network."""
    part = people_part(recipe)
    assert part is not None
    options = network_part(recipe).graph or GraphPart()
    _refuse_other_keys(part)
    columns = part.table_schema.fields
    name = _name_column(part)
    label = _label(part, options.label, name)
    promised: list[PrivacyModel] = [
        build(MODELS, spec, "model", where) for where, spec in promises_of(recipe)[1]
    ]
    _check_models(promised)
    shown = [one for one in columns if one.role not in HIDDEN and one.name not in (name, options.label)]
    return PeopleJob(
        source=source_in_recipe(
            part, folder, f"the resource '{part.name}'", {one.name: one.type for one in columns if one.type}
        ),
        fields=tuple(_field(one) for one in columns),
        name=name,
        job=_table_job(part, shown, tuple(promised), options, folder),
        label=None if label is None else label.name,
        label_hierarchy=None
        if label is None or label.hierarchy is None
        else hierarchy_in_recipe(label.name, label.hierarchy, folder),
    )


def _refuse_other_keys(part: ResourcePart) -> None:
    where = f"the resource '{part.name}'"
    for key in _RESOURCE:
        if key in part.model_fields_set:
            raise BadInput(
                f"'{key}' means nothing for a table about nodes", where=where, remedy="leave it out"
            )
    for one in part.table_schema.fields:
        place = f"{where}, column '{one.name}'"
        if one.role not in _ROLES:
            raise BadInput(
                f"its role is {one.role}, which means nothing beside a network",
                where=place,
                remedy=f"use one of: {', '.join(_ROLES)}; an identifier is left out",
            )
        for key in _ELSEWHERE:
            if key in one.model_fields_set:
                raise BadInput(
                    f"'{key}' means nothing here", where=place, remedy="leave it out: identifiers are dropped"
                )


def _name_column(part: ResourcePart) -> str:
    """Find the column that holds the names of nodes: the person's, or the primary key."""
    where = f"the resource '{part.name}'"
    fields = {one.name: one for one in part.table_schema.fields}
    found = [one.name for one in fields.values() if one.role is Role.PERSON]
    key = part.table_schema.primary_key
    keys = [key] if isinstance(key, str) else list(key or [])
    if len(keys) > 1 or len(found) > 1 or (keys and found and keys != found):
        raise BadInput(
            "several columns would hold the names of nodes",
            where=where,
            remedy="give one of them the role person, and leave 'primaryKey' out",
        )
    if not keys and not found:
        raise BadInput(
            "no column holds the names of nodes",
            where=where,
            remedy="give the column that spells them as the network does the role person",
        )
    name = (found or keys)[0]
    if name not in fields:
        raise BadInput(f"there is no column '{name}'", where=where, remedy=nearest(name, fields))
    if fields[name].role not in HIDDEN:
        raise BadInput(
            f"it holds the names of nodes and is {fields[name].role}",
            where=f"{where}, column '{name}'",
            remedy="give it the role person: names are never released",
        )
    return name


def _label(part: ResourcePart, label: str | None, name: str) -> FieldPart | None:
    """Find the column of labels; what a promise about the table is to hide cannot be one."""
    if label is None:
        return None
    where = f"the resource '{part.name}'"
    fields = {one.name: one for one in part.table_schema.fields if one.name != name}
    if label not in fields:
        raise BadInput(
            f"there is no column '{label}' for the labels of nodes",
            where=where,
            remedy=nearest(label, fields),
        )
    found = fields[label]
    if found.role is not Role.INSENSITIVE:
        raise BadInput(
            f"it is published as a label of nodes and is {found.role}: the label would show what the table "
            "hides",
            where=f"{where}, column '{label}'",
            remedy="make it insensitive if labels may be known, or leave 'label' out",
        )
    return found


def _check_models(models: list[PrivacyModel]) -> None:
    for model in models:
        if model.basis is not Basis.RELEASE:
            raise BadInput(
                f"{model.name} cannot be checked from the table that is released beside a network",
                where="models",
                remedy="promise k-anonymity, l-diversity or t-closeness, or release the table by itself",
            )


def _field(one: FieldPart) -> Field:
    return Field(one.name, one.role, one.type or "string", one.confirmed, one.known)


def _table_job(
    part: ResourcePart,
    shown: list[FieldPart],
    models: tuple[PrivacyModel, ...],
    options: GraphPart,
    folder: Path,
) -> Job | None:
    """Make the job of the table room: a row for each node, those that are suppressed with all blanked."""
    where = f"the resource '{part.name}'"
    if not shown:
        if models:
            raise BadInput(
                f"{models[0].name} is promised about a table of which nothing is released",
                where=where,
                remedy="give a column the role quasi-identifier, or take the promise away",
            )
        return None
    if not models:
        raise BadInput(
            "nothing is promised about the table, and columns of it would be released",
            where="models",
            remedy="add one about tables, such as 'k-anonymity: {k: 5}', or make its columns identifiers",
        )
    if not any(one.role is Role.QUASI_IDENTIFIER for one in shown):
        raise BadInput(
            "no column is a quasi-identifier", where=where, remedy="say what an adversary may know of people"
        )
    for one in shown:
        if one.name.lower() == NODE:
            raise BadInput(
                f"the released table has a column '{NODE}' of its own: the number of the node",
                where=f"{where}, column '{one.name}'",
                remedy="rename it",
            )
    spec = DEFAULT_METHOD if options.people_method is None else options.people_method
    method = build(METHODS, spec, "method", "graph, people-method")
    if isinstance(method, SamplesRecords):
        raise BadInput(
            f"{name_of(spec)} releases some of the people only, and every node has its row",
            where="graph, people-method",
            remedy="take another method, such as optimal-lattice or mondrian",
        )
    # Numbers of nodes are drawn at random: nobody outside can know them.
    schema = Schema((Field(NODE, Role.INSENSITIVE, confirmed=True), *(_field(one) for one in shown)))
    hierarchies = {
        one.name: hierarchy_in_recipe(one.name, one.hierarchy, folder)
        for one in shown
        if one.hierarchy is not None
    }
    return Job(
        source=source_in_recipe(part, folder, where, {}),
        schema=schema,
        models=models,
        method=method,
        utility=build(UTILITIES, "loss", "utility"),
        hierarchies=fitting_hierarchies(hierarchies, MaskingPlan(), schema, needed=method.needs_hierarchies),
        order=Order.KEPT,
        suppressed=Suppressed.STAR,
    )
