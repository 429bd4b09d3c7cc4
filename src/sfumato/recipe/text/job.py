"""A job over notes: everything that is needed to make one release, as objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from dataclasses import replace as dc_replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.core.memory import in_bytes
from sfumato.core.named import build, parameters_of, spell
from sfumato.core.schema import Field, Role, Schema
from sfumato.engine.contract import Order
from sfumato.engine.sources import Source
from sfumato.masking import MaskingPlan, mask_to_spec, settle
from sfumato.masking.reduce import BirthYear, Year
from sfumato.masking.shift import DateShift
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.job import described_source, masking_in_recipe, source_in_recipe
from sfumato.recipe.model import Recipe, ResourcePart, TextPart
from sfumato.recipe.text.attack_ask import asked_text_attacks
from sfumato.text.finders import NONE, SHIPPED, LanguageFinding
from sfumato.text.methods import METHODS, Deidentify
from sfumato.text.models import (
    MODELS,
    DetectedIdentifiersRemoved,
    KnownIdentifiersRemoved,
    RecallAtLeast,
    TPlausibility,
)
from sfumato.text.models.contract import TextModel
from sfumato.text.ontology.named import is_file
from sfumato.text.stream.handling import Handling
from sfumato.text.stream.layout import KnownColumn, Layout
from sfumato.text.stream.reading import FOLDER_COLUMNS, NotesFolder
from sfumato.text.stream.staging import BATCH

FORMATS = ("csv", "csv.gz", "parquet", "jsonl")
OF_THE_HOUSE = "of the house"
"""what everybody reads of a model that the steward trained: its path is the steward's"""
KEPT = "kept by the steward"
_ROLES = (
    Role.PERSON,
    Role.IDENTIFIER,
    Role.TEXT,
    Role.QUASI_IDENTIFIER,
    Role.SENSITIVE,
    Role.INSENSITIVE,
)
_DATES = (DateShift, Year, BirthYear)


@dataclass(frozen=True)
class TextJob:
    """Notes to be released."""

    kind: ClassVar[str] = "text"
    source: Source | NotesFolder
    schema: Schema
    finding: LanguageFinding = field(default_factory=LanguageFinding)
    method: Deidentify = field(default_factory=Deidentify)
    models: tuple[TextModel, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict)
    """columns that are searched for in the notes, and what they are"""
    written: str | None = None
    annotated: Path | None = None
    """annotated notes of the same house, to measure on"""
    attacks: tuple[AskedAttack, ...] = ()
    """adversaries to run, and what they must not exceed"""
    masking: MaskingPlan = field(default_factory=MaskingPlan)
    title: str = "Untitled release"
    memory: str | None = None
    order: Order = Order.SHUFFLED
    format: str = "csv"
    sample: int = 20
    """notes that the steward sees before and after"""
    jobs: int | None = None
    """processes; all cores unless given"""
    restart: bool = False
    """throw away what an interrupted run left"""
    batch: int = BATCH
    """characters that are handled and written together"""

    def __post_init__(self) -> None:
        if self.memory is not None:
            in_bytes(self.memory)
        if self.format not in FORMATS:
            raise BadInput(
                f"notes are not written as {self.format}",
                where="output",
                remedy=nearest(self.format, FORMATS),
            )
        if self.jobs is not None and self.jobs < 1:
            raise BadInput("at least one process is needed", where="jobs", remedy="give 1 or more")
        self._check_columns()
        self._check_dates()
        if any(isinstance(model, KnownIdentifiersRemoved) for model in self.models) and not self.known:
            raise BadInput(
                "known-identifiers-removed is about columns, and none is known",
                where="models",
                remedy="name columns under 'known', such as known: {name: NAME}",
            )
        if any(isinstance(model, RecallAtLeast) for model in self.models) and self.annotated is None:
            raise BadInput(
                "recall-at-least is about annotated notes, and none are given",
                where="models",
                remedy="name annotated notes of the house under 'annotated'",
            )
        if any(isinstance(model, DetectedIdentifiersRemoved) for model in self.models) and (
            self.method.replacement(self.finding.language).invents
        ):
            raise BadInput(
                "detected-identifiers-removed cannot be promised where values are made up: rules find them",
                where="models",
                remedy="replace by tags or masks, or leave this promise out",
            )
        for model in self.models:
            if isinstance(model, DetectedIdentifiersRemoved) and model.language != self.finding.language:
                raise BadInput(
                    f"detected-identifiers-removed reads '{model.language}', and the notes are "
                    f"'{self.finding.language}'",
                    where="models",
                    remedy=f"write detected-identifiers-removed: {{language: {self.finding.language}}}",
                )
        if any(isinstance(model, TPlausibility) for model in self.models) and self.method.sanitise is None:
            raise BadInput(
                "t-plausibility is about sensitive terms, and the method leaves them as they are",
                where="models",
                remedy="write sanitise: {t: …, subtrees: [disease]} in the method",
            )

    def _check_columns(self) -> None:
        texts = self.schema.with_role(Role.TEXT)
        if len(texts) != 1:
            what = "no column has" if not texts else f"{len(texts)} columns have"
            raise BadInput(
                f"{what} the role text",
                where="fields",
                remedy="give it to the one column that holds the notes; make others identifiers",
            )
        for column in self.schema.fields:
            if column.role not in _ROLES:
                raise BadInput(
                    f"the role {column.role} is not for notes",
                    where=f"column '{column.name}'",
                    remedy=nearest(column.role, _ROLES),
                )
        for name in self.known:
            if self.schema.field(name).role is Role.TEXT:
                raise BadInput(
                    "the notes themselves cannot be known", where=f"column '{name}'", remedy="take it out"
                )
            if name in self.schema.released and name not in self.masking.masks:
                raise BadInput(
                    "its values are taken out of the notes and released beside them",
                    where=f"column '{name}'",
                    remedy="make it an identifier, give it a mask, or take it out of 'known'",
                )

    def _check_dates(self) -> None:
        """Refuse dates beside notes that would give the shift of the notes away."""
        if self.written is not None:
            self.schema.field(self.written)
            mask = self.masking.masks.get(self.written)
            if self.written in self.schema.released and not isinstance(mask, _DATES):
                raise BadInput(
                    "the day a note was written would be released as it is",
                    where=f"column '{self.written}'",
                    remedy="give it the mask date-shift or year, or the role identifier",
                )
        shift = self.method.column_shift
        for name, mask in self.masking.masks.items():
            if not isinstance(mask, DateShift):
                continue
            if not self.method.moves_dates:
                raise BadInput(
                    "the column is moved and the dates of the notes are not: together they tell by how much",
                    where=f"column '{name}'",
                    remedy="write 'policy: shifted-dates' in the method, or the mask year",
                )
            if mask != shift:
                raise BadInput(
                    "the column would be moved otherwise than the dates of the notes",
                    where=f"column '{name}'",
                    remedy="give both the same number of days, without whole weeks",
                )

    @property
    def text(self) -> str:
        """The column of notes."""
        return self.schema.with_role(Role.TEXT)[0]

    @cached_property
    def layout(self) -> Layout:
        """Which columns hold what."""
        return Layout(
            self.text,
            self.schema.released,
            self.schema.person,
            self.written,
            tuple(KnownColumn.of(name, kind) for name, kind in self.known.items()),
        )

    @cached_property
    def handling(self) -> Handling:
        """What is done to every record."""
        promised = any(isinstance(model, KnownIdentifiersRemoved) for model in self.models)
        finding = dc_replace(self.finding, known_everywhere=promised) if promised else self.finding
        return Handling(finding, self.method, self.models, self.masking.key, self.masking.scope)

    @property
    def model_told(self) -> str:
        """The learned model in words for everybody."""
        return self.finding.model if self.finding.model in (SHIPPED, NONE) else OF_THE_HOUSE

    def _method_told(self) -> dict[str, Any]:
        """Return the parameters of the method; which terms are sensitive is the steward's."""
        told: dict[str, Any] = dict(parameters_of(self.method))
        if self.method.sanitise is not None:
            told["sanitise"] = {
                key: KEPT if key in ("terms", "senses") or is_file(str(value)) else value
                for key, value in self.method.sanitise.items()
            }
        return told

    def public_recipe(self) -> dict[str, object]:
        """Describe the job for everybody: no path, no address, no secret, nothing taken from the data."""
        fields: list[dict[str, Any]] = []
        for column in self.schema.fields:
            told: dict[str, Any] = {"name": column.name, "role": str(column.role)}
            if column.name in self.masking.kinds:
                told["kind"] = self.masking.kinds[column.name]
            if column.name in self.masking.masks:
                told["mask"] = mask_to_spec(self.masking.masks[column.name])
            fields.append(told)
        text: dict[str, Any] = {
            "language": self.finding.language,
            "model": self.model_told,
            "threshold": self.finding.threshold,
            **({"known": dict(self.known)} if self.known else {}),
            **({"written": self.written} if self.written else {}),
        }
        source = {"name": "data"} if isinstance(self.source, NotesFolder) else described_source(self.source)
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [{**source, "kind": "text", "text": text, "schema": {"fields": fields}}],
            "models": [spell(model) for model in self.models],
            "method": {self.method.name: self._method_told()},
            **(
                {"attacks": bounded}
                if (bounded := [one.public() for one in self.attacks if one.bounds])
                else {}
            ),
            "output": {"format": self.format, "order": str(self.order)},
        }


def text_job_of(recipe: Recipe, folder: Path) -> TextJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    _refuse_other_keys(recipe)
    resource, told = recipe.resource, recipe.resource.text or TextPart()
    fields = resource.table_schema.fields
    beside = Schema(
        tuple(Field(f.name, f.role, f.type or "string") for f in fields if f.role is not Role.TEXT)
    )
    settled, masking = settle(beside, masking_in_recipe(recipe, folder))
    by_name = {column.name: column for column in settled.fields}
    schema = Schema(tuple(by_name.get(f.name, Field(f.name, f.role)) for f in fields))
    named = "method" in recipe.model_fields_set
    return TextJob(
        source=_source(resource, folder),
        schema=schema,
        finding=LanguageFinding(told.language, _model(told.model, folder), told.threshold),
        method=build(METHODS, _method_in(recipe.method, folder), "method", "method")
        if named
        else Deidentify(),
        models=tuple(build(MODELS, spec, "model", f"models[{i}]") for i, spec in enumerate(recipe.models)),
        known=dict(told.known),
        written=told.written,
        annotated=None if told.annotated is None else folder / told.annotated,
        attacks=asked_text_attacks(recipe.attacks, folder),
        masking=masking,
        title=recipe.title,
        memory=recipe.memory,
        order=recipe.output.order,
        format=recipe.output.format or format_like(resource.path, folder),
        sample=told.sample,
    )


def _method_in(method: Any, folder: Path) -> Any:
    """Take the file of an ontology from the recipe's folder."""
    options: Any = method.get(Deidentify.name) if isinstance(method, Mapping) else None
    sanitise: Any = options.get("sanitise") if isinstance(options, Mapping) else None
    name = sanitise.get("ontology") if isinstance(sanitise, Mapping) else None
    if not isinstance(name, str) or not is_file(name):
        return method
    return {Deidentify.name: {**options, "sanitise": {**sanitise, "ontology": str(folder / name)}}}


def _source(resource: ResourcePart, folder: Path) -> Source | NotesFolder:
    if resource.path is not None and resource.sql is None and (folder / resource.path).is_dir():
        return NotesFolder(folder / resource.path)
    if resource.path is not None and resource.path.lower().endswith(".txt"):
        raise BadInput(
            "a single text is no table of notes",
            where=resource.path,
            remedy="give a folder of .txt files, a CSV or JSON lines; or use 'sfumato text scrub'",
        )
    return source_in_recipe(resource, folder, f"the resource '{resource.name}'", {})


def _model(model: str, folder: Path) -> str:
    return model if model in (SHIPPED, NONE) else str(folder / model)


def format_like(path: str | None, folder: Path = Path()) -> str:
    """Choose the format of the release by that of the input.

    >>> format_like("notes.csv.gz"), format_like("notes.jsonl"), format_like(None)
    ('csv.gz', 'jsonl', 'csv')
    """
    name = "" if path is None else path.lower()
    if path is not None and (folder / path).is_dir():
        return "jsonl"
    if name.endswith((".parquet", ".pq")):
        return "parquet"
    if name.endswith((".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")):
        return "jsonl"
    return "csv.gz" if name.endswith(".gz") else "csv"


def folder_schema() -> Schema:
    """The roles of a folder of text files, where nobody gives others: every file is a person's."""
    folder, file, note = FOLDER_COLUMNS
    return Schema((Field(folder, Role.IDENTIFIER), Field(file, Role.IDENTIFIER), Field(note, Role.TEXT)))


_OTHER_KEYS = (
    "population",
    "perturb",
    "utility",
    "utility-constraints",
    "tiers",
    "measures",
    "risk",
    "compare",
)
_OTHER_FIELD_KEYS = ("hierarchy", "known", "system", "separator", "sensitive", "unknown", "type", "confirmed")


def _refuse_other_keys(recipe: Recipe) -> None:
    """Refuse what notes do not have, rather than to pass over it in silence."""
    given = {(Recipe.model_fields[name].alias or name) for name in recipe.model_fields_set}
    for key in _OTHER_KEYS:
        if key in given:
            raise BadInput(f"'{key}' is not for the kind text", where=key, remedy="leave it out")
    for key in ("layout", "suppressed", "expert_determination"):
        if key in recipe.output.model_fields_set:
            raise BadInput(f"'{key}' is not for the kind text", where="output", remedy="leave it out")
    if recipe.resource.layout is not None:
        raise BadInput("'layout' is for sets of codes", where="resources[0]", remedy="leave it out")
    for part in recipe.resource.table_schema.fields:
        for key in _OTHER_FIELD_KEYS:
            if key in part.model_fields_set:
                raise BadInput(
                    f"'{key}' is not for the kind text",
                    where=f"column '{part.name}'",
                    remedy="leave it out" + ("; see 'known' under 'text'" if key == "known" else ""),
                )
        if part.role is Role.TEXT and {"mask", "kind"} & part.model_fields_set:
            raise BadInput(
                "notes have no mask and no kind: what is in them is replaced",
                where=f"column '{part.name}'",
                remedy="leave it out; the method says how",
            )
    if recipe.engine != "duckdb":
        raise BadInput("notes are read by duckdb alone", where="engine", remedy="write 'engine: duckdb'")
