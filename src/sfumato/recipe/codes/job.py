"""A job over sets of codes: everything that is needed to make one release, as objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from sfumato.codes.contract import Constraint, SetMethod, SetModel
from sfumato.codes.methods import METHODS, BestOf
from sfumato.codes.methods.disassociation import Disassociation
from sfumato.codes.models.disassociated_anonymity import DisassociatedAnonymity
from sfumato.codes.utility.contract import SetMeasure
from sfumato.core.errors import BadInput, nearest
from sfumato.core.memory import in_bytes
from sfumato.core.named import build, parameters_of, spell
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.contract import Order
from sfumato.engine.sources import Source
from sfumato.hierarchy import Cuts, Dates, Hierarchy, Intervals, to_spec
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.codes.asked import (
    HIDDEN,
    KEPT,
    AskedModel,
    Extract,
    asked_model,
    asked_utility,
)
from sfumato.recipe.codes.attack_ask import asked_set_attacks
from sfumato.recipe.codes.layout import LAYOUTS
from sfumato.recipe.codes.measured import set_measures
from sfumato.recipe.codes.places import format_like, release_layout
from sfumato.recipe.job import (
    described_source,
    hierarchy_in_recipe,
    population_in_recipe,
    public_hierarchy,
    refuse_named_population,
    source_in_recipe,
)
from sfumato.recipe.model import FieldPart, Recipe

DEFAULT = BestOf()
"""the method of a recipe that names none, where it can keep what is promised"""
UNKNOWN = ("error", "prefix", "root", "suppress")
"""what may become of codes that the hierarchy does not know"""
ROLES = (Role.PERSON, Role.VISIT, Role.CODES, Role.IDENTIFIER)


@dataclass(frozen=True)
class CodesJob:
    """Sets of codes to be released."""

    kind: ClassVar[str] = "codes"
    source: Source
    schema: Schema
    models: tuple[SetModel | AskedModel, ...]
    method: SetMethod
    layout: str | None = None
    """how codes lie in the file; guessed when None"""
    separator: str | None = None
    hierarchy: Hierarchy | None = None
    system: str | None = None
    unknown: str = "error"
    sensitive: tuple[str, ...] = ()
    utility: tuple[Constraint, ...] | Extract = ()
    measures: tuple[SetMeasure, ...] = ()
    up_to: int | None = None
    """risk is measured for so many known codes; the measure decides on None"""
    threshold: float | None = None
    """a confidence in a sensitive code above it counts as high; the measure decides on None"""
    title: str = "Untitled release"
    engine: str = "duckdb"
    memory: str | None = None
    order: Order = Order.SHUFFLED
    format: str = "csv"
    format_asked: bool = False
    """whether the format was named, and not taken from the input"""
    output_layout: str = "cells"
    population: Source | None = None
    """the codes of everybody, laid out in the same way: risk is measured against it"""
    attacks: tuple[AskedAttack, ...] = ()
    """adversaries to run, with bounds that refuse the release"""
    random: Random = field(default_factory=SecretRandom)
    """where the order of released records comes from"""

    def __post_init__(self) -> None:
        if self.memory is not None:
            in_bytes(self.memory)
        for what, given, known in (("layout", self.layout, LAYOUTS), ("unknown", self.unknown, UNKNOWN)):
            if given is not None and given not in known:
                raise BadInput(f"'{what}' cannot be '{given}'", remedy=nearest(given, known))
        for column in self.schema.fields:
            if column.role not in ROLES:
                raise BadInput(
                    f"its role is {column.role}, and of sets of codes nothing but the codes is released",
                    where=f"column '{column.name}'",
                    remedy="make it an identifier, which is left out",
                )
        if not self.schema.with_role(Role.CODES):
            raise BadInput("no column has the role codes", remedy="say which column holds the codes")
        if self.method.needs_hierarchy and self.hierarchy is None:
            raise BadInput(
                f"{self.method.name} generalises along a hierarchy, and there is none",
                where=f"column '{self.codes[0]}'",
                remedy="give one, such as 'hierarchy: icd9cm', or 'hierarchy: balanced' for want of another",
            )
        if isinstance(self.hierarchy, Intervals | Cuts | Dates):
            raise BadInput(
                "codes are texts, and the hierarchy is one of numbers or dates",
                where=f"column '{self.codes[0]}'",
                remedy="give a tree, a CSV file, icd9cm, icd10cm or balanced",
            )
        if self.hierarchy is None and self.unknown != "error":
            raise BadInput(
                f"'unknown: {self.unknown}' is about codes outside the hierarchy, and there is none",
                where=f"column '{self.codes[0]}'",
                remedy="give a hierarchy, or leave 'unknown' out",
            )
        check_enforced(self.method, [m for m in self.models if not isinstance(m, AskedModel)])

    @property
    def codes(self) -> tuple[str, ...]:
        """The columns that hold codes."""
        return self.schema.with_role(Role.CODES)

    def public_recipe(self, models: Iterable[SetModel], sensitive: Sequence[str]) -> dict[str, object]:
        """Describe the job for everybody: no path, no address, no constraint, nothing taken from the data.

        ``models`` are those of the job, with the constraints that were found; ``sensitive`` are the codes
        that the release shows. Of the others it is not told that they were asked for: such codes occur.
        """
        fields: list[dict[str, Any]] = []
        for column in self.schema.fields:
            described: dict[str, Any] = {"name": column.name, "role": str(column.role)}
            if column.role is Role.CODES:
                described |= self._described(sensitive)
            fields.append(described)
        resource = {**described_source(self.source), "kind": "codes"}
        if self.layout:
            resource["layout"] = self.layout
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [{**resource, "schema": {"fields": fields}}],
            "models": [{model.name: public_parameters(model)} for model in models],
            "method": spell(self.method),
            **({"utility-constraints": KEPT} if self.utility else {}),
            **({"population": KEPT} if self.population is not None else {}),
            **({"attacks": bounded} if (bounded := [a.public() for a in self.attacks if a.bounds]) else {}),
            "engine": self.engine,
            "output": {"format": self.format, "layout": self.output_layout, "order": str(self.order)},
        }

    def _described(self, sensitive: Sequence[str]) -> dict[str, Any]:
        told = {
            "hierarchy": None if self.hierarchy is None else public_hierarchy(to_spec(self.hierarchy)),
            "system": self.system,
            "separator": self.separator,
            "sensitive": list(sensitive),
            "unknown": None if self.unknown == "error" else self.unknown,
        }
        return {key: value for key, value in told.items() if value}


def public_parameters(model: SetModel) -> dict[str, Any]:
    """Return the parameters of a model without what only the steward may know."""
    return {key: KEPT if key in HIDDEN else value for key, value in parameters_of(model).items()}


def check_enforced(method: SetMethod, models: Iterable[SetModel]) -> None:
    """Refuse a method that cannot keep one of the promises, and name those that can."""
    for model in models:
        if not _enforces(method, model):
            able = [name for name, kind in METHODS.items() if _can(kind, model)]
            listed = f"choose one of: {', '.join(able)}" if able else "no method does so far"
            raise BadInput(f"{method.name} does not enforce {model.name}", where="method", remedy=listed)


def _enforces(method: SetMethod, model: SetModel) -> bool:
    """Say whether a method can keep a promise; of chunks there is one, and it is about nothing else."""
    of_chunks = method.name == Disassociation.name, model.name == DisassociatedAnonymity.name
    return of_chunks[0] == of_chunks[1] and method.enforces(model.question())


def _can(kind: type[Any], model: SetModel) -> bool:
    """Say whether a method as it comes by itself enforces a model."""
    try:
        return _enforces(kind(), model)
    except TypeError:
        return False


def default_method(models: Iterable[SetModel | AskedModel]) -> SetMethod:
    """Choose the usual method where a recipe names none; it is refused later if it cannot keep a promise."""
    known = [model for model in models if not isinstance(model, AskedModel)]
    method: SetMethod = DEFAULT
    if len(known) == len(tuple(models)) and known:
        check_enforced(method, known)
    return method


def codes_job_of(recipe: Recipe, folder: Path) -> CodesJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    _refuse_keys_of_tables(recipe)
    resource = recipe.resource
    fields = resource.table_schema.fields
    told = _told(fields)
    models = tuple(asked_model(spec, f"models[{i}]", folder) for i, spec in enumerate(recipe.models))
    named = "method" in recipe.model_fields_set
    method: SetMethod = build(METHODS, recipe.method, "method", "method") if named else default_method(models)
    format_ = recipe.output.format or format_like(resource.path)
    return CodesJob(
        source=source_in_recipe(resource, folder, f"the resource '{resource.name}'", {}),
        schema=Schema(tuple(Field(f.name, f.role) for f in fields)),
        models=models,
        method=method,
        layout=resource.layout,
        separator=told.separator,
        hierarchy=None if told.hierarchy is None else hierarchy_in_recipe(told.name, told.hierarchy, folder),
        system=told.system,
        unknown=told.unknown or "error",
        sensitive=tuple(dict.fromkeys(told.sensitive)),
        utility=asked_utility(recipe.utility_constraints, folder),
        measures=set_measures(recipe.measures),
        up_to=recipe.risk.up_to,
        threshold=recipe.risk.threshold if "threshold" in recipe.risk.model_fields_set else None,
        title=recipe.title,
        engine=recipe.engine,
        memory=recipe.memory,
        order=recipe.output.order,
        format=format_,
        format_asked=recipe.output.format is not None,
        output_layout=release_layout(recipe.output.layout, format_),
        population=population_in_recipe(recipe, folder, {}),
        attacks=asked_set_attacks(recipe.attacks, folder),
    )


def _told(fields: list[FieldPart]) -> FieldPart:
    """Return what is said about the codes; refuse it beside other columns."""
    holding = [f for f in fields if f.role is Role.CODES]
    for part in fields:
        for key in (key for key in _OF_CODES if key in part.model_fields_set):
            if part.role is not Role.CODES:
                raise BadInput(
                    f"'{key}' is about codes, and its role is {part.role}",
                    where=f"column '{part.name}'",
                    remedy="say it of the column with the role codes",
                )
        for key in (key for key in _OF_TABLES if key in part.model_fields_set):
            raise BadInput(
                f"'{key}' is about columns of tables, and these are sets of codes",
                where=f"column '{part.name}'",
                remedy="leave it out",
            )
    if not holding:
        raise BadInput("no column has the role codes", remedy="say which column holds the codes")
    said = [f for f in holding if f.model_fields_set & {*_OF_CODES}]
    if len(said) > 1:
        raise BadInput(
            "two columns with codes say how they are read",
            where=f"column '{said[1].name}'",
            remedy="say it of one of them: their codes are one set",
        )
    return said[0] if said else holding[0]


_OF_CODES = ("hierarchy", "system", "separator", "sensitive", "unknown")
_OF_TABLES = ("type", "confirmed", "kind", "mask", "known")
_KEYS_OF_TABLES = (
    "perturb",
    "utility",
    "policy",
    "agreement",
    "consent",
    "masking",
    "tiers",
    "compare",
)


def _refuse_keys_of_tables(recipe: Recipe) -> None:
    """Refuse what sets of codes do not have, rather than to pass over it in silence."""
    for key in _KEYS_OF_TABLES:
        if key in recipe.model_fields_set:
            raise BadInput(
                f"'{key}' is for tables, and these are sets of codes", where=key, remedy="leave it out"
            )
    refuse_named_population(recipe, "sets of codes")
    for key in ("suppressed", "expert_determination"):
        if key in recipe.output.model_fields_set:
            raise BadInput(
                f"'{key}' is for tables, and these are sets of codes", where="output", remedy="leave it out"
            )
    for key in ("sampling_fraction", "population_size", "suda"):
        if key in recipe.risk.model_fields_set:
            raise BadInput(
                f"'{key.replace('_', '-')}' is for tables, and these are sets of codes",
                where="risk",
                remedy="leave it out",
            )
    if recipe.risk.up_to == 0:
        raise BadInput(
            "an adversary knows at least one code", where="risk", remedy="write 'up-to: 2', or leave it out"
        )
    if recipe.engine != "duckdb":
        raise BadInput(
            "sets of codes are read by duckdb alone so far", where="engine", remedy="write 'engine: duckdb'"
        )
