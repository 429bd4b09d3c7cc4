"""A job under differential privacy: everything that is needed to make one release, as objects.

Domains, bounds, bins and hierarchies are settled here, from metadata and the recipe alone: whatever can be
refused is refused before a single row is read.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, nearest
from sfumato.core.files import read_bytes
from sfumato.core.named import build, spell
from sfumato.core.randomness import Random, SecretRandom
from sfumato.dp.exact import Number, exact
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price
from sfumato.engine.sources import Source, source_of
from sfumato.hierarchy import Hierarchy, to_spec
from sfumato.hierarchy.rows import ladder_rows
from sfumato.query.coding import MISSING, attribute_of, with_parents
from sfumato.query.ledger.contract import Budget
from sfumato.query.metadata import Column, Metadata, Table, Type
from sfumato.query.methods import METHODS
from sfumato.query.methods.contract import Attribute, DpMethod
from sfumato.query.models import MODELS
from sfumato.query.models.contract import QueryModel, price_for
from sfumato.query.spelling import read_database
from sfumato.recipe.job import described_source, hierarchy_in_recipe, public_hierarchy, source_in_recipe
from sfumato.recipe.model import DatabaseUse, Recipe, ResourcePart
from sfumato.recipe.query.affordable import declared_budget, refuse_too_dear

DEFAULT = "adaptive-marginals"
"""the method of a recipe that names none"""
FORMATS = ("csv", "csv.gz", "parquet")
Edge = Number | dt.date
Edges = Mapping[str, Sequence[Edge]]
_FIRST_DAY = dt.date(1970, 1, 1)


@dataclass(frozen=True)
class QueryJob:
    """People to be released as noisy counts or synthetic records."""

    kind: ClassVar[str] = "query"
    source: Source
    metadata: Metadata
    table: Table
    models: tuple[QueryModel, ...]
    method: DpMethod
    columns: tuple[str, ...] = ()
    """those that are released; all that are declared unless given"""
    edges: Edges = field(default_factory=dict)
    """public bins of numbers and dates"""
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    """public hierarchies of categories"""
    target: str | None = None
    """the class, for methods that keep a classification"""
    metadata_sha256: str = ""
    budget: Budget | None = None
    """what the database's file allows to spend on its people in all; None where it is not known"""
    title: str = "Untitled release"
    format: str = "csv"
    random: Random = field(default_factory=SecretRandom)

    def __post_init__(self) -> None:
        if not self.models:
            raise BadInput("nothing is promised", where="models", remedy="write differential-privacy")
        if self.format not in FORMATS:
            raise BadInput(
                f"a release under differential privacy is not written as {self.format}",
                where="output",
                remedy=nearest(self.format, FORMATS),
            )
        for name in (*self.edges, *self.hierarchies, *([self.target] if self.target else [])):
            if name not in self.released:
                raise BadInput(
                    f"there is no column '{name}' to release",
                    where="database",
                    remedy=nearest(name, self.released),
                )
        _check_delta(self.price, self.metadata, self.table)
        refuse_too_dear(self.price, self.budget)
        self.attributes  # noqa: B018 - domains that cannot be made are refused now, not after reading

    @property
    def neighbours(self) -> Neighbours:
        """Whom the promise compares."""
        return self.metadata.neighbours

    @cached_property
    def price(self) -> Price:
        """What may be spent in all."""
        return price_for(self.models, self.metadata.neighbours)

    @property
    def released(self) -> tuple[str, ...]:
        """The columns that are released."""
        return self.columns or tuple(name for name in self.table.columns if name != self.table.person)

    @cached_property
    def bins(self) -> dict[str, tuple[Number, ...]]:
        """The edges as numbers: of dates, days since 1970."""
        return {
            name: tuple(_edge(edge, self.table.columns[name]) for edge in edges)
            for name, edges in self.edges.items()
        }

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """The public domains."""
        if not self.released:
            raise BadInput("there are no columns to release", where=f"table '{self.table.name}'")
        return tuple(self._attribute(name) for name in self.released)

    def _attribute(self, name: str) -> Attribute:
        if name == self.table.person or name not in self.table.columns:
            known = [one for one in self.table.columns if one != self.table.person]
            raise BadInput(
                f"there is no column '{name}' to release",
                where=f"table '{self.table.name}'",
                remedy=nearest(name, known),
            )
        column, edges = self.table.columns[name], self.bins.get(name)
        where = f"column '{name}'"
        if edges is not None:
            _check_edges(column, edges, where)
        found = attribute_of(column, edges)
        if name not in self.hierarchies:
            return found
        if found.edges is not None:
            raise BadInput(
                "only categories have a hierarchy here: numbers and dates are cut by 'edges'",
                where=where,
                remedy="take the hierarchy out",
            )
        return with_parents(found, _paths(found, self.hierarchies[name]))

    def public_recipe(self) -> dict[str, object]:
        """Describe the job for everybody: no path and no address; all else is public anyway."""
        use: dict[str, Any] = {"table": self.table.name, "columns": list(self.released)}
        if self.edges:
            use["edges"] = {name: [str(edge) for edge in edges] for name, edges in self.edges.items()}
        if self.hierarchies:
            use["hierarchies"] = {n: public_hierarchy(to_spec(h)) for n, h in self.hierarchies.items()}
        if self.target is not None:
            use["target"] = self.target
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [{**described_source(self.source), "kind": "query", "database": use}],
            "models": [spell(model) for model in self.models],
            "method": spell(self.method),
            "output": {"format": self.format, "order": "shuffled"},
        }


def _edge(edge: Edge, column: Column) -> Number:
    where = f"column '{column.name}'"
    if column.type is not Type.DATE:
        if isinstance(edge, dt.date):
            raise BadInput(
                "an edge is a date, and the column holds none", where=where, remedy="give a number"
            )
        return edge
    try:
        day = edge if isinstance(edge, dt.date) else dt.date.fromisoformat(str(edge))
    except ValueError:
        raise BadInput("an edge is not a date", where=where, remedy="write it like 2024-01-31") from None
    return (day - _FIRST_DAY).days


def _check_edges(column: Column, edges: Sequence[Number], where: str) -> None:
    """Refuse edges beyond the declared bounds: values would be drawn that nobody can have."""
    if column.type in (Type.CATEGORY, Type.BOOLEAN):
        raise BadInput(
            "only numbers and dates have edges", where=where, remedy="take them out, or give a hierarchy"
        )
    inside = [exact(edge, where=where) for edge in edges]
    if not inside or column.lower is None or column.upper is None:
        return
    if inside[0] < column.lower or inside[-1] > column.upper + column.grid:
        raise BadInput(
            "edges reach beyond the declared bounds",
            where=where,
            remedy="let them begin at 'lower' or above, and end just above 'upper' or below",
        )


def _paths(attribute: Attribute, hierarchy: Hierarchy) -> dict[str, list[str]]:
    """Lay a hierarchy over the public values: for each its ever coarser names."""
    labels = [label for label in attribute.labels if label != MISSING]
    rows = ladder_rows(hierarchy.ladder(Domain.of(attribute.name, labels)))
    return {row[0]: [*row[1:]] or ["*"] for row in rows}


def _check_delta(price: Price, metadata: Metadata, table: Table) -> None:
    """Refuse a δ by which somebody of the declared size could simply be published."""
    delta = exact(price.delta)
    if delta * table.max_rows >= 1:
        raise BadInput(
            f"δ is too large for the declared size: with {table.max_rows} rows it must be below "
            f"1/{table.max_rows}",
            where="models",
            remedy="make it smaller",
        )
    if delta > metadata.max_delta:
        raise BadInput(
            f"δ is more than the {float(metadata.max_delta):g} that the database allows",
            where="models",
            remedy="make it smaller, or raise 'max_delta' in the database's file",
        )


def query_job_of(recipe: Recipe, folder: Path) -> QueryJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    _refuse_other_keys(recipe)
    resource = recipe.resource
    use = _use(resource)
    file = folder / use.file
    declared = read_database(file)
    table = table_of(declared.metadata, use.table)
    named = "method" in recipe.model_fields_set
    return QueryJob(
        source=_source(resource, folder, table, file),
        metadata=declared.metadata,
        table=table,
        models=tuple(build(MODELS, spec, "model", f"models[{i}]") for i, spec in enumerate(recipe.models)),
        method=build(METHODS, recipe.method if named else DEFAULT, "method", "method"),
        columns=tuple(use.columns),
        edges={name: tuple(edges) for name, edges in use.edges.items()},
        hierarchies={name: hierarchy_in_recipe(name, spec, folder) for name, spec in use.hierarchies.items()},
        target=use.target,
        budget=declared_budget(declared),
        metadata_sha256=hashlib.sha256(read_bytes(file)).hexdigest(),
        title=recipe.title,
        format=recipe.output.format or _format_like(resource.path),
    )


def table_of(metadata: Metadata, name: str | None) -> Table:
    """Return the table that is released: the one that is named, or the only one."""
    if name is None:
        if len(metadata.tables) > 1:
            raise BadInput(
                "the database has several tables",
                where="database",
                remedy=f"write 'table' beside its 'file': {', '.join(metadata.tables)}",
            )
        return next(iter(metadata.tables.values()))
    if name not in metadata.tables:
        raise BadInput(f"there is no table '{name}'", where="database", remedy=nearest(name, metadata.tables))
    return metadata.tables[name]


def _use(resource: ResourcePart) -> DatabaseUse:
    if resource.database is None:
        raise BadInput(
            "a resource of kind query needs a 'database': the file that says what is public",
            where="resources[0]",
            remedy="make one with 'sfumato query draft DATA.csv' and fill in bounds and values",
        )
    return resource.database


def _source(resource: ResourcePart, folder: Path, table: Table, file: Path) -> Source:
    """Return where the people lie: what the recipe says, or else the source that the database declares."""
    if resource.path is None and resource.sql is None and table.source:
        return source_of(file.parent / table.source)
    return source_in_recipe(resource, folder, f"the resource '{resource.name}'", {})


def _format_like(path: str | None) -> str:
    name = "" if path is None else path.lower()
    if name.endswith((".parquet", ".pq")):
        return "parquet"
    return "csv.gz" if name.endswith(".gz") else "csv"


_OTHER_KEYS = (
    "population",
    "perturb",
    "utility",
    "utility-constraints",
    "memory",
    "policy",
    "agreement",
    "consent",
    "masking",
    "tiers",
    "measures",
    "attacks",
    "risk",
    "compare",
)


def _refuse_other_keys(recipe: Recipe) -> None:
    """Refuse what releases under differential privacy do not have, rather than to pass over it in silence."""
    given = {(Recipe.model_fields[name].alias or name) for name in recipe.model_fields_set}
    for key in _OTHER_KEYS:
        if key in given:
            raise BadInput(f"'{key}' is not for the kind query", where=key, remedy="leave it out")
    for key in ("layout", "suppressed", "expert_determination"):
        if key in recipe.output.model_fields_set:
            raise BadInput(f"'{key}' is not for the kind query", where="output", remedy="leave it out")
    if str(recipe.output.order) != "shuffled":
        raise BadInput(
            "drawn records have no order that could be kept", where="output", remedy="leave 'order' out"
        )
    if recipe.resource.layout is not None:
        raise BadInput("'layout' is for sets of codes", where="resources[0]", remedy="leave it out")
    if recipe.engine != "duckdb":
        raise BadInput(
            "releases of the kind query are made by duckdb alone so far",
            where="engine",
            remedy="write 'engine: duckdb'",
        )
