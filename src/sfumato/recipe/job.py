"""A job: everything that is needed to make one release, as objects. Recipes and Python calls become one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from sfumato.core.errors import BadInput, nearest
from sfumato.core.memory import in_bytes
from sfumato.core.named import build, spell
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.registry import entries
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.verdict import Basis
from sfumato.engine.contract import Order, Suppressed
from sfumato.engine.sources import CsvFile, ParquetFile, Source, SqlTable, source_of
from sfumato.hierarchy import Dates, Hierarchy, from_spec, to_spec
from sfumato.masking import (
    Agreement,
    Consent,
    KeySource,
    MaskingPlan,
    Scope,
    mask_from_spec,
    mask_to_spec,
    policy_named,
    settle,
)
from sfumato.masking.open_ends import fitting_hierarchies
from sfumato.masking.plan import scope_of
from sfumato.masking.reduce import BirthYear, Year
from sfumato.masking.tiers import PublicTier
from sfumato.recipe.attack_ask import (
    AskedAttack,
    asked_attacks,
    attacked_along_a_hierarchy,
    check_columns_of,
)
from sfumato.recipe.model import FieldPart, ListPart, PopulationPart, Recipe, ResourcePart
from sfumato.recipe.risk_ask import RiskQuestions
from sfumato.table.methods import METHODS
from sfumato.table.models import MODELS
from sfumato.table.perturbation import PERTURBATIONS
from sfumato.table.perturbation.contract import Perturbation
from sfumato.table.perturbation.run import check_steps
from sfumato.table.perturbation.traces import refuse_traces
from sfumato.table.protect import Method, PrivacyModel, SamplesRecords, rules_of
from sfumato.table.rule import ALONG_A_HIERARCHY, Rule, RuleKind
from sfumato.table.utility import UTILITIES
from sfumato.table.utility.contract import Utility
from sfumato.table.utility.records import RecordMeasure
from sfumato.table.utility.tasks import TASKS


@dataclass(frozen=True)
class Job:
    """One table to be released."""

    kind: ClassVar[str] = "table"
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
    population: Source | None = None
    population_person: str | None = None
    """the column that names the people of the population; that of the data where the population has it"""
    masking: MaskingPlan = field(default_factory=MaskingPlan)
    tier: PublicTier | None = None
    expert_determination: bool = False
    measures: tuple[RecordMeasure, ...] = ()
    """what else to measure, from the original and the released records"""
    perturb: tuple[Perturbation, ...] = ()
    """steps that change single records before anything is counted"""
    attacks: tuple[AskedAttack, ...] = ()
    """adversaries to run on what would be released, and how often they may be right at most"""
    risk: RiskQuestions = field(default_factory=RiskQuestions)
    """how risk is measured, before and after"""
    random: Random = field(default_factory=SecretRandom)
    """where the steps draw from; what was drawn from another source is never published"""

    def __post_init__(self) -> None:
        if self.memory is not None:
            in_bytes(self.memory)
        for name in self.tier.by if self.tier else ():
            if self.schema.field(name).name not in (*self.schema.quasi, *self.schema.sensitive):
                raise BadInput(
                    "the public tier counts by quasi-identifiers and sensitive columns only",
                    where=f"column '{name}'",
                    remedy="take it out of 'by', or give it such a role",
                )
        check_steps(self.perturb, self.schema)
        if any(model.basis is Basis.MECHANISM for model in self.models):
            refuse_traces(self.perturb)
        self._check_attacks()
        self._check_reading()
        rules = rules_of(self.models, self.schema)
        self._check_heeded(rules)
        compared = {rule.column for rule in rules if rule.kind in ALONG_A_HIERARCHY}
        compared |= attacked_along_a_hierarchy(self.attacks, self.schema.sensitive)
        for name in self.hierarchies:
            role = self.schema.field(name).role
            if role is not Role.QUASI_IDENTIFIER and name not in compared:
                raise BadInput(
                    f"it has a hierarchy and is {role}, but only quasi-identifiers are generalised, "
                    "and no model or attack compares its values along one",
                    where=f"column '{name}'",
                    remedy="make it a quasi-identifier, or take the hierarchy away",
                )

    def _check_attacks(self) -> None:
        """Refuse attacks on columns that are not there, and bounds that would tell what must not be told."""
        check_columns_of(self.attacks, self.schema.sensitive, self.schema.released)
        if isinstance(self.method, SamplesRecords) and any(asked.bounds for asked in self.attacks):
            raise BadInput(
                f"whether {self.method.name} may publish would depend on attacks on the records, and so tell "
                "of them what it promises not to tell",
                where="attacks",
                remedy="leave the bounds out, or take another method",
            )

    def _check_heeded(self, rules: tuple[Rule, ...]) -> None:
        """Refuse that people say what they want hidden and no model listens."""
        if self.schema.guard is not None and not any(rule.kind is RuleKind.GUARDED for rule in rules):
            raise BadInput(
                "it says what people want hidden, and no model heeds it",
                where=f"column '{self.schema.guard}'",
                remedy="add personalised-privacy to 'models', or make it an identifier",
            )

    def _check_reading(self) -> None:
        """Refuse a method that reads missing values more kindly than a model, or guards fewer columns."""
        for model in self.models:
            kinder = getattr(self.method, "missing", "own") == "wildcard"
            if kinder and getattr(model, "missing", "own") != "wildcard":
                raise BadInput(
                    f"{self.method.name} reads a hidden value as any value, {model.name} as one of its own",
                    remedy="set 'missing: wildcard' in both, or in neither",
                )
            fewer = getattr(self.method, "up_to", None)
            if fewer is not None and (getattr(model, "up_to", None) or len(self.schema.quasi)) > fewer:
                raise BadInput(
                    f"{self.method.name} protects combinations of up to {fewer} columns, and {model.name} "
                    "promises more",
                    remedy=f"set 'up_to: {fewer}' in the model too",
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
            if column.known:
                described["known"] = True
            if column.name in self.masking.kinds:
                described["kind"] = self.masking.kinds[column.name]
            if column.name in self.masking.masks:
                described["mask"] = mask_to_spec(self.masking.masks[column.name])
            if column.name in self.hierarchies:
                described["hierarchy"] = public_hierarchy(to_spec(self.hierarchies[column.name]))
            fields.append(described)
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [{**described_source(self.source), "schema": {"fields": fields}}],
            "models": [spell(model) for model in self.models],
            **({"population": "kept by the steward"} if self.population is not None else {}),
            **({"perturb": [spell(step) for step in self.perturb]} if self.perturb else {}),
            "method": spell(self.method),
            "utility": spell(self.utility),
            **({"attacks": bounded} if (bounded := [a.public() for a in self.attacks if a.bounds]) else {}),
            "engine": self.engine,
            "output": {"format": self.format, "order": str(self.order), "suppressed": str(self.suppressed)},
        }


def described_source(source: Source) -> dict[str, Any]:
    """Say for everybody how a file is read, and not where it lies."""
    told: dict[str, Any] = {"name": "data"}
    if isinstance(source, CsvFile):
        told |= {"encoding": source.encoding, "missingValues": list(source.missing)}
        if source.delimiter:
            told["delimiter"] = source.delimiter
    return told


def job_of(recipe: Recipe, folder: Path) -> Job:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    resource = recipe.resource
    refuse_keys_of_codes(recipe)
    fields = resource.table_schema.fields
    schema, masking = settle(_schema(fields), masking_in_recipe(recipe, folder))
    hierarchies = {
        f.name: hierarchy_in_recipe(f.name, f.hierarchy, folder)
        for f in fields
        if f.hierarchy is not None and (f.name in schema.released or f.role is schema.field(f.name).role)
    }
    _check_years(masking, hierarchies)
    method = build(METHODS, recipe.method, "method", "method")
    hierarchies = fitting_hierarchies(hierarchies, masking, schema, needed=method.needs_hierarchies)
    return Job(
        masking=masking,
        tier=_tier(recipe),
        expert_determination=recipe.output.expert_determination,
        source=source_in_recipe(
            resource,
            folder,
            f"the resource '{resource.name}'",
            {f.name: f.type for f in fields if f.type},
        ),
        schema=schema,
        models=tuple(build(MODELS, spec, "model", f"models[{i}]") for i, spec in enumerate(recipe.models)),
        perturb=tuple(
            build(PERTURBATIONS, spec, "perturbation", f"perturb[{i}]")
            for i, spec in enumerate(recipe.perturb)
        ),
        method=method,
        utility=build(UTILITIES, recipe.utility, "utility", "utility"),
        measures=tuple(
            build(TASKS, spec, "measure", f"measures[{i}]") for i, spec in enumerate(recipe.measures)
        ),
        hierarchies=hierarchies,
        title=recipe.title,
        engine=recipe.engine,
        memory=recipe.memory,
        order=recipe.output.order,
        suppressed=recipe.output.suppressed,
        format=recipe.output.format or _same_format(resource),
        population=population_in_recipe(recipe, folder, {f.name: f.type for f in fields if f.type}),
        population_person=named_in_population(recipe),
        risk=RiskQuestions(**recipe.risk.model_dump()),
        attacks=tuple(asked_attacks(recipe.attacks, lambda given: held_in_recipe(given, folder))),
    )


_OF_CODES = ("system", "separator", "sensitive", "unknown")


def refuse_keys_of_codes(recipe: Recipe) -> None:
    """Refuse what only sets of codes have: a table would pass over it in silence."""
    resource = recipe.resource
    remedy = "leave it out, or write 'kind: codes' beside the path"
    if len(recipe.resources) > 1:
        raise BadInput(
            "this recipe is about a table and codes, and only tables are understood here",
            where="resources",
            remedy="use 'sfumato protect' and 'sfumato verify'",
        )
    if resource.kind != "table":
        raise BadInput(
            f"this recipe is about {entries()[resource.kind].holds}, and only tables are understood here",
            where="resources[0].kind",
            remedy="use 'sfumato protect' and 'sfumato verify'",
        )
    for key, told in (("layout", resource.layout), ("utility-constraints", recipe.utility_constraints)):
        if told:
            raise BadInput(f"'{key}' is for sets of codes, and this is a table", where=key, remedy=remedy)
    output = recipe.output
    if output.layout is not None or output.format in ("jsonl", "dat"):
        key = "layout" if output.layout is not None else f"format: {output.format}"
        raise BadInput(f"'{key}' is for sets of codes, and this is a table", where="output", remedy=remedy)
    for part in resource.table_schema.fields:
        where = f"column '{part.name}'"
        if part.role in (Role.CODES, Role.VISIT):
            raise BadInput(f"the role {part.role} is for sets of codes", where=where, remedy=remedy)
        for role, kind, held in ((Role.TEXT, "text", "notes"), (Role.SEQUENCE, "dna", "DNA")):
            if part.role is role:
                raise BadInput(
                    f"the role {role} is for {held}",
                    where=where,
                    remedy=f"write 'kind: {kind}' beside the path, or make it an identifier",
                )
        for key in _OF_CODES:
            if key in part.model_fields_set:
                raise BadInput(f"'{key}' is for sets of codes", where=where, remedy=remedy)


def _schema(fields: list[FieldPart]) -> Schema:
    return Schema(tuple(Field(f.name, f.role, f.type or "string", f.confirmed, f.known) for f in fields))


def masking_in_recipe(recipe: Recipe, folder: Path) -> MaskingPlan:
    """Gather what the recipe says about identifiers; keys are only named."""
    fields, told = recipe.resource.table_schema.fields, recipe.masking
    agreement = Agreement.read(folder / recipe.agreement) if recipe.agreement else None
    scope = scope_of(told.recipient, told.purpose, agreement)
    if told.join is not None:
        scope = Scope(told.join.recipient, told.join.purpose)
    key = None
    if told.key_from is not None or told.key_file is not None:
        key = KeySource(told.key_from, None if told.key_file is None else folder / told.key_file)
    return MaskingPlan(
        masks={f.name: mask_from_spec(f.mask, f"column '{f.name}'") for f in fields if f.mask is not None},
        kinds={f.name: f.kind for f in fields if f.kind is not None},
        policy=policy_named(recipe.policy, folder) if recipe.policy else None,
        agreement=agreement,
        consent=Consent(recipe.consent.column, tuple(recipe.consent.keep)) if recipe.consent else None,
        key=key,
        scope=scope,
        vault=folder / told.vault if told.vault else None,
    )


def _tier(recipe: Recipe) -> PublicTier | None:
    told = recipe.tiers.public
    return None if told is None else PublicTier(tuple(told.by), told.smallest)


def _check_years(masking: MaskingPlan, hierarchies: Mapping[str, Hierarchy]) -> None:
    """Refuse a hierarchy of dates over years: nothing is left of its months."""
    for name, hierarchy in hierarchies.items():
        if isinstance(hierarchy, Dates) and isinstance(masking.masks.get(name), Year | BirthYear):
            raise BadInput(
                "only the year of its dates is left, and a hierarchy of dates needs days",
                where=f"column '{name}'",
                remedy="write 'hierarchy: {intervals: {widths: [5, 10]}}', or leave it out",
            )


def hierarchy_in_recipe(column: str, spec: str | dict[str, Any], folder: Path) -> Hierarchy:
    """Read the hierarchy of a column; what is wrong with it is said of the column."""
    try:
        return from_spec(spec, folder)
    except BadInput as problem:
        where = f"column '{column}'" + (f", {problem.where}" if problem.where else "")
        raise BadInput(problem.what, where=where, remedy=problem.remedy) from None


def population_in_recipe(recipe: Recipe, folder: Path, types: Mapping[str, str]) -> Source | None:
    """Return where everybody is listed; columns have the types that the table gives them."""
    if recipe.population is None:
        return None
    part = recipe.population
    if isinstance(part, str):
        part = PopulationPart(path=part)
    return source_in_recipe(part, folder, "the population", types)


def named_in_population(recipe: Recipe) -> str | None:
    """Return the column that the recipe says names the people of the population."""
    return recipe.population.person if isinstance(recipe.population, PopulationPart) else None


def refuse_named_population(recipe: Recipe, held: str) -> None:
    """Refuse a person column of the population where it is read with the columns of the data."""
    if named_in_population(recipe) is not None:
        raise BadInput(
            f"'person' of the population is for tables, and this is {held}",
            where="population",
            remedy="leave it out: the population has the columns of the data, that of the person included",
        )


def held_in_recipe(given: Any, folder: Path) -> Path | Source:
    """Return what an adversary holds: the folder of a release, or a file, perhaps with how to read it."""
    if isinstance(given, str) and (folder / given).is_dir():
        return folder / given
    told = {"path": given} if isinstance(given, str) else given
    try:
        part = ListPart.model_validate(told)
    except ValidationError:
        raise BadInput(
            "what an adversary holds must be a file, or 'path' (or 'sql') with how to read it",
            where="attacks",
            remedy="write 'with: voters.csv'",
        ) from None
    return source_in_recipe(part, folder, "the identified file", {})


def source_in_recipe(
    resource: ResourcePart | ListPart, folder: Path, what: str, types: Mapping[str, str]
) -> Source:
    """Return where data lie that a recipe names; paths are taken from its folder."""
    if (resource.path is None) == (resource.sql is None):
        raise BadInput(f"{what} needs either 'path' or 'sql'", remedy="say where the data lie")
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
        return CsvFile(
            source.path, resource.delimiter, resource.encoding, tuple(resource.missing_values), dict(types)
        )
    return source


def _same_format(resource: ResourcePart) -> str:
    if resource.path is None:
        return "csv"
    source = source_of(resource.path)
    if isinstance(source, ParquetFile):
        return "parquet"
    return "csv.gz" if resource.path.endswith(".gz") else "csv"


def public_hierarchy(spec: Any) -> Any:
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
