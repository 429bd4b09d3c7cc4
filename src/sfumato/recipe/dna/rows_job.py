"""A job over rows of DNA: everything that is needed to release sequences or genotypes, as objects."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import build, measures_named, spell
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.schema import Field, Role, Schema
from sfumato.dna.contract import Demand, RowMethod, RowModel
from sfumato.dna.methods import ROW_METHODS
from sfumato.dna.models import ROW_MODELS, GenotypeKMap
from sfumato.dna.reading import Content, Rows, content_of
from sfumato.dna.utility import MEASURES, RowMeasure
from sfumato.engine.contract import Order
from sfumato.engine.sources import Source
from sfumato.recipe.attack_ask import AskedAttack
from sfumato.recipe.dna.keys import refuse_keys_of_columns, refuse_other_keys
from sfumato.recipe.dna.rows_attack_ask import asked_row_attacks
from sfumato.recipe.job import described_source, refuse_named_population, source_in_recipe
from sfumato.recipe.model import DnaPart, PopulationPart, Recipe

FORMATS = ("fasta", "vcf", "bed", "csv", "csv.gz", "parquet")
TABLES = ("csv", "csv.gz", "parquet")
KEPT = "kept by the steward"
DEFAULT = "dnala"
_BINNING = "binning"
_ROLES = (Role.PERSON, Role.IDENTIFIER, Role.SEQUENCE, Role.SENSITIVE, Role.INSENSITIVE)

RowData = Path | Source | Rows
"""a file of sequences or genotypes, a table, or rows in memory"""


@dataclass(frozen=True)
class RowsJob:
    """Sequences or genotypes to be released."""

    kind: ClassVar[str] = "dna"
    data: RowData = field(repr=False)
    models: tuple[RowModel, ...]
    method: RowMethod
    schema: Schema = field(default_factory=lambda: Schema(()))
    """the columns of a table; empty for files that hold nothing but DNA"""
    options: DnaPart = field(default_factory=DnaPart)
    people: Source | None = None
    """a table about the samples of a file"""
    population: RowData | None = None
    tree_folder: Path = Path()
    """where the file of a tree is looked for"""
    measures: tuple[RowMeasure, ...] = ()
    attacks: tuple[AskedAttack, ...] = ()
    title: str = "Untitled release"
    order: Order = Order.SHUFFLED
    format: str | None = None
    """the format of the input, as far as it can hold the rows, when None"""
    random: Random = field(default_factory=SecretRandom)
    """where the order of the released rows comes from"""

    def __post_init__(self) -> None:
        if not self.models:
            raise BadInput("nothing would be promised", where="models", remedy="name a model")
        if self.format is not None and self.format not in FORMATS:
            raise BadInput(
                f"rows of DNA are not written as {self.format}",
                where="output",
                remedy=nearest(self.format, FORMATS),
            )
        self._check_columns()
        self._check_options()
        _check_enforced(self.method, self.models)

    @property
    def is_table(self) -> bool:
        """Whether the rows lie in a table whose columns have roles."""
        return bool(self.schema.fields)

    @property
    def counts_persons(self) -> bool:
        """Whether something names the person of each row."""
        if isinstance(self.data, Rows):
            return self.data.data.persons is not None
        return self.schema.person is not None or self.options.person is not None

    @property
    def beside(self) -> tuple[str, ...]:
        """Columns that are released beside the rows, as they are."""
        return (*self.schema.with_role(Role.SENSITIVE), *self.schema.with_role(Role.INSENSITIVE))

    def _check_columns(self) -> None:
        for column in self.schema.fields:
            if column.role is Role.QUASI_IDENTIFIER:
                raise BadInput(
                    "its role is quasi-identifier, and nothing is generalised here but DNA",
                    where=f"column '{column.name}'",
                    remedy="make it an identifier, which is left out, and release it in a table of its own",
                )
            if column.role not in _ROLES:
                raise BadInput(
                    f"the role {column.role} is not for DNA",
                    where=f"column '{column.name}'",
                    remedy=nearest(column.role, _ROLES),
                )
        if self.is_table and not self.schema.with_role(Role.SEQUENCE):
            raise BadInput(
                "no column has the role sequence",
                where="fields",
                remedy="give it to the column of sequences, or to all columns that hold one position each",
            )
        if self.is_table and self.format not in (None, *TABLES, "fasta"):
            raise BadInput(
                f"a table does not say where its columns lie, which {self.format} needs",
                where="output",
                remedy="write 'format: csv' or 'parquet'",
            )
        if self.beside and self.format == "fasta":
            raise BadInput(
                "columns are released beside the sequences, for which FASTA has no room",
                where="output",
                remedy="write 'format: csv' or 'parquet', or make the columns identifiers",
            )

    def _check_options(self) -> None:
        said, options = self.options.model_fields_set, self.options
        if options.reference is not None:
            raise BadInput(
                "'reference' is for statistics, and rows are released here",
                where="dna",
                remedy="leave it out; people to compare with are given as 'population'",
            )
        if options.tree is not None and self.method.name != _BINNING:
            raise BadInput(
                f"{self.method.name} generalises along the lattice and needs no tree",
                where="dna, tree",
                remedy=f"leave it out, or take the method {_BINNING}",
            )
        if self.is_table and (self.people is not None or options.person is not None):
            raise BadInput(
                "the table itself says whose rows are whose",
                where="dna",
                remedy="leave 'people' and 'person' out, and give a column the role person",
            )
        if not self.is_table and self.people is None:
            for key in ("person", "phenotype", "sample"):
                if key in said:
                    raise BadInput(
                        f"'{key}' names a column of a file about the people, and none is given",
                        where="dna",
                        remedy="add 'people: FILE'",
                    )
        if "cases" in said and options.phenotype is None:
            raise BadInput(
                "'cases' are values of a column that is not named", where="dna", remedy="add 'phenotype: …'"
            )
        if self.is_table and options.phenotype is not None and options.phenotype not in self.beside:
            raise BadInput(
                "the phenotype must be a sensitive or insensitive column of the table",
                where="dna",
                remedy=nearest(options.phenotype, self.beside),
            )
        if any(isinstance(model, GenotypeKMap) for model in self.models) and self.population is None:
            raise BadInput(
                "genotype-k-map is about a population, and none is given",
                where="models",
                remedy="name the file of the population: 'population: everybody.vcf'",
            )

    def public_recipe(self, format_: str) -> dict[str, object]:
        """Describe the job for everybody: no path, no name of a file, nothing taken from the data."""
        resource: dict[str, Any] = {"name": "data"}
        if self.is_table and not isinstance(self.data, Path | Rows):
            resource = described_source(self.data)
        resource["kind"] = "dna"
        resource["dna"] = self._options_told()
        if self.is_table:
            fields = [{"name": one.name, "role": str(one.role)} for one in self.schema.fields]
            resource["schema"] = {"fields": fields}
        return {
            "sfumato": 1,
            "title": self.title,
            "resources": [resource],
            "models": [spell(model) for model in self.models],
            "method": spell(self.method),
            **({"population": KEPT} if self.population is not None else {}),
            **({"attacks": bounded} if (bounded := [a.public() for a in self.attacks if a.bounds]) else {}),
            "output": {"format": format_, "order": str(self.order)},
        }

    def _options_told(self) -> dict[str, Any]:
        """Return how rows were read; files and their columns are the steward's."""
        options = self.options
        told: dict[str, Any] = {
            "read": options.read,
            "align": options.align or None,
            "gap-level": options.gap_level if "gap_level" in options.model_fields_set else None,
            "multiallelic": options.multiallelic if "multiallelic" in options.model_fields_set else None,
            "tree": options.tree if isinstance(options.tree, str) and "." not in options.tree else None,
            "person": KEPT if options.person is not None else None,
        }
        return {key: value for key, value in told.items() if value is not None}


def _check_enforced(method: RowMethod, models: Iterable[RowModel]) -> None:
    """Refuse a method that cannot keep one of the promises, and name those that can."""
    for model in models:
        demand = demand_of(model)
        if not method.enforces(demand):
            able = [name for name, kind in ROW_METHODS.items() if _can(kind, demand)]
            listed = f"choose one of: {', '.join(able)}" if able else "no method does so far"
            raise BadInput(f"{method.name} does not enforce {model.name}", where="method", remedy=listed)


def demand_of(model: RowModel) -> Demand:
    """Return what a promise asks; which columns its positions are is known only when there are rows."""
    made: Any = model
    if getattr(made, "positions", None) is not None:
        made = dataclasses.replace(made, positions=(1,))
    demand: Demand = made.demand()
    return demand


def _can(kind: type[Any], demand: Demand) -> bool:
    """Say whether a method as it comes by itself enforces a demand."""
    try:
        return bool(kind().enforces(demand))
    except TypeError:
        return False


def row_measures(given: Any) -> tuple[RowMeasure, ...]:
    """Take measures as they are, or make them from the spelling of recipes."""
    return measures_named(MEASURES, given, "of")


def rows_job_of(recipe: Recipe, folder: Path) -> RowsJob:
    """Turn a recipe into a job; paths are taken from the recipe's folder."""
    refuse_other_keys(recipe)
    resource = recipe.resource
    options = resource.dna or DnaPart()
    fields = resource.table_schema.fields
    refuse_keys_of_columns(fields)
    if resource.path is None:
        raise BadInput(f"the resource '{resource.name}' needs 'path'", remedy="say where the DNA lies")
    data = data_in_recipe(resource.path, folder, f"the resource '{resource.name}'", resource)
    if isinstance(data, Path) and fields:
        raise BadInput(
            "a file of sequences or genotypes has no columns", where="fields", remedy="leave 'schema' out"
        )
    if not isinstance(data, Path) and not fields:
        raise BadInput(
            "a table needs to say what its columns are",
            where=f"the resource '{resource.name}'",
            remedy="list them under 'schema: {fields: …}', with the role sequence for those that hold DNA",
        )
    people = None
    if options.people is not None:
        people = source_in_recipe(PopulationPart(path=options.people), folder, "the file of people", {})
    method: Mapping[str, Any] | str = recipe.method if "method" in recipe.model_fields_set else DEFAULT
    return RowsJob(
        data=data,
        schema=Schema(tuple(Field(f.name, f.role, confirmed=f.confirmed) for f in fields)),
        models=tuple(
            build(ROW_MODELS, spec, "model", f"models[{number}]") for number, spec in enumerate(recipe.models)
        ),
        method=build(ROW_METHODS, method, "method", "method"),
        options=options,
        people=people,
        population=_population(recipe, folder),
        tree_folder=folder,
        measures=row_measures(recipe.measures),
        attacks=asked_row_attacks(recipe.attacks, folder),
        title=recipe.title,
        order=recipe.output.order,
        format=recipe.output.format,
    )


def _population(recipe: Recipe, folder: Path) -> RowData | None:
    given = recipe.population
    if given is None:
        return None
    refuse_named_population(recipe, "DNA")
    part = PopulationPart(path=given) if isinstance(given, str) else given
    if part.path is None:
        raise BadInput("the population needs 'path'", where="population", remedy="say where the file lies")
    return data_in_recipe(part.path, folder, "the population", part)


def data_in_recipe(path: str, folder: Path, what: str, part: Any) -> Path | Source:
    """Return a file of DNA as its path, and a table as its source."""
    if content_of(folder / path) is not Content.TABLE:
        return folder / path
    return source_in_recipe(part, folder, what, {})
