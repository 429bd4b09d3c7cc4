"""The recipe: what to protect, from whom, how. The shape of the YAML file, published as JSON Schema.

Names follow Frictionless Data where it has them (``resources``, ``fields``, ``missingValues``,
``primaryKey``, ``foreignKeys``).
"""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from sfumato.core.schema import Role
from sfumato.engine.contract import Order, Suppressed

RECIPE_VERSION = 1
Format = Literal["csv", "csv.gz", "parquet", "jsonl", "dat", "fasta", "vcf", "bed", "gml", "graphml", "txt"]
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
        default=None,
        description="csv, intervals, mask, dates, tree, flat or infer; for codes icd9cm, icd10cm, balanced, "
        "csv or tree; see docs/hierarchies.md",
    )
    confirmed: bool = Field(
        default=False, description="vouches that nobody outside can know the values of this column"
    )
    kind: str | None = Field(
        default=None, description="what the column holds, such as zip or birth-date; see docs/masking.md"
    )
    mask: Named | None = Field(
        default=None, description="how an identifier is released, such as pseudonym; see docs/masking.md"
    )
    known: bool = Field(
        default=False,
        description="an adversary may know this sensitive column: for the others it is a quasi-identifier",
    )
    system: Literal["icd9cm", "icd10cm", "none"] | None = Field(
        default=None, description="of codes: how they are written, so that dots and lost zeros are mended"
    )
    separator: str | None = Field(
        default=None, min_length=1, description="of codes: what parts them where a cell holds several"
    )
    sensitive: list[str] = Field(default=[], description="codes that must not be learned about a person")
    unknown: Literal["error", "prefix", "root", "suppress"] | None = Field(
        default=None, description="of codes: what becomes of those that the hierarchy does not know"
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


class DatabaseUse(Part):
    """What of a declared database is released under differential privacy."""

    file: str = Field(description="the file that says what is public, such as database.yaml")
    table: str | None = Field(default=None, description="one of its tables, where it has several")
    columns: list[str] = Field(default=[], description="those that are released; all unless given")
    edges: dict[str, list[int | float | dt.date | str]] = Field(
        default={},
        description="public bins of numbers and dates: each begins at an edge and ends below the next",
    )
    hierarchies: dict[str, str | dict[str, Any]] = Field(
        default={}, description="public hierarchies of categories, see docs/hierarchies.md"
    )
    target: str | None = Field(default=None, description="the class, for methods that keep a classification")


class TextPart(Part):
    """How notes are searched, and what other columns say about their people."""

    language: str = Field(default="en", description="a folder of text/languages, such as en or es")
    model: str = Field(
        default="shipped", description="shipped, none (patterns and lexicons alone), or the path of a model"
    )
    threshold: float = Field(
        default=0.5, gt=0, le=1, description="from this certainty on something that was found is replaced"
    )
    known: dict[str, str] = Field(
        default={},
        description="columns whose values are searched for in the notes of their person, and what they are: "
        "NAME, ID, or with a label NAME/relative",
    )
    written: str | None = Field(
        default=None, description="the column with the day a note was written, which gives dates their year"
    )
    annotated: str | None = Field(
        default=None,
        description="annotated notes of the same house (JSON lines, or a folder of BRAT files) to measure on",
    )
    sample: int = Field(
        default=20, ge=0, le=1000, description="notes that the steward sees before and after; never released"
    )


class DnaPart(Part):
    """How sequences or genotypes are read, and what is known about their people."""

    read: Literal["bases", "genotypes"] | None = Field(
        default=None, description="what a cell is: bases, or a genotype of two alleles; follows the file"
    )
    align: bool | Literal["mafft", "built-in"] = Field(
        default=False, description="permission to align sequences of different lengths, and by what"
    )
    gap_level: int = Field(
        default=3, ge=1, le=4, alias="gap-level", description="how much a gap of an alignment leaves open"
    )
    multiallelic: Literal["error", "drop"] = Field(
        default="drop", description="of genotypes: what becomes of sites with more than two alleles"
    )
    people: str | None = Field(
        default=None, description="a CSV file about the samples: whose they are, who is a case"
    )
    sample: str = Field(default="sample", description="the column of that file with the sample's name")
    person: str | None = Field(default=None, description="its column that names the person")
    phenotype: str | None = Field(default=None, description="its column that tells cases from controls")
    cases: list[str] = Field(default=["case"], description="the values of that column that mean a case")
    reference: str | None = Field(
        default=None, description="people of the same population who are not in the data, at the same sites"
    )
    tree: str | dict[str, Any] | None = Field(
        default=None, description="a hierarchy over the values of a SNP, for binning; see docs/dna.md"
    )


class GraphPart(Part):
    """How a network is read, and what becomes of what it cannot hold."""

    source: str | None = Field(default=None, description="the column of one end of an edge; the first")
    target: str | None = Field(default=None, description="the column of the other end; the second")
    header: bool | None = Field(
        default=None, description="of lists: whether the first line names the columns; guessed unless given"
    )
    name: str | None = Field(
        default=None,
        description="of GML and GraphML: the attribute by which nodes are called, or id; label and name "
        "unless given",
    )
    loops: Literal["error", "drop"] = Field(default="error", description="edges from a node to itself")
    repeated: Literal["error", "merge"] = Field(default="error", description="edges that are listed twice")
    directed: Literal["error", "ignore"] = Field(
        default="error", description="edges that lead one way only; a pair listed both ways is one edge"
    )
    weights: Literal["error", "drop"] = Field(default="error", description="further columns of edges")
    label: str | None = Field(
        default=None, description="the attribute or column of the people's table that is published as a label"
    )
    people_method: Named | None = Field(
        default=None,
        alias="people-method",
        description="how the table about the nodes is protected; optimal-lattice unless given",
    )


class ResourcePart(Part):
    """One table, the codes of people, notes, DNA or a network: where it lies and what its columns are."""

    name: str = "data"
    kind: Literal["table", "codes", "query", "text", "dna", "graph"] = Field(
        default="table",
        description="a table with a row for each person, sets of codes, notes, DNA, a network, or people "
        "behind a declared database",
    )
    dna: DnaPart | None = Field(
        default=None, description="of the kind dna: how it is read, and what is known beside it"
    )
    graph: GraphPart | None = Field(default=None, description="of the kind graph: how the network is read")
    text: TextPart | None = Field(
        default=None, description="of the kind text: how notes are searched, and what is known beside them"
    )
    database: DatabaseUse | None = Field(
        default=None, description="of the kind query: the file that says what is public, and what of it"
    )
    layout: Literal["long", "cells", "lists", "baskets", "search-log"] | None = Field(
        default=None, description="of codes: how they lie in the file; guessed if not given"
    )
    path: str | None = None
    sql: SqlPart | None = None
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    encoding: str = "utf-8"
    missing_values: list[str] = Field(default=[""], alias="missingValues")
    table_schema: SchemaPart = Field(alias="schema")

    @model_validator(mode="before")
    @classmethod
    def _without_a_schema(cls, given: Any) -> Any:
        """Of the kind query all columns are declared in the file of the database, and nowhere else; files of
        sequences and genotypes, and networks, have no columns to declare."""
        if not isinstance(given, dict):
            return given
        for key in ("text", "dna", "graph"):
            if key in given and given.get("kind") != key:
                raise ValueError(f"'{key}' is for the kind {key}: write 'kind: {key}' beside it")
        if given.get("kind") in ("dna", "graph") and "schema" not in given and "database" not in given:
            return {**given, "schema": SchemaPart.model_construct(fields=[])}
        if given.get("kind") != "query":
            if "database" in given:
                raise ValueError("'database' is for the kind query: write 'kind: query' beside it")
            return given
        if "schema" in given:
            raise ValueError("'schema' is not for the kind query: its 'database' declares the columns")
        if isinstance(given.get("database"), str):
            given = {**given, "database": {"file": given["database"]}}
        return {**given, "schema": SchemaPart.model_construct(fields=[])}


class ListPart(Part):
    """A list of people beside the data: where it lies and how it is read."""

    path: str | None = None
    sql: SqlPart | None = None
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    encoding: str = "utf-8"
    missing_values: list[str] = Field(default=[""], alias="missingValues")


class PopulationPart(ListPart):
    """Everybody whom the table was drawn from, with the same quasi-identifiers."""

    person: str | None = Field(
        default=None,
        description="of tables: the column that names the people of the population, so that somebody with "
        "several rows counts once; that of the data unless given",
    )


class OutputPart(Part):
    """How the release is written."""

    folder: str = Field(default=".", description="holds release/ and steward/ afterwards")
    format: (
        Literal["csv", "csv.gz", "parquet", "jsonl", "dat", "fasta", "vcf", "bed", "gml", "graphml", "txt"]
        | None
    ) = Field(
        default=None,
        description="the format of the input unless given; jsonl and dat for codes alone; fasta, vcf and bed "
        "for DNA alone; gml, graphml and txt for networks alone",
    )
    layout: Literal["cells", "lists", "long"] | None = Field(
        default=None, description="of codes: how the released records lie in the file; follows the format"
    )
    order: Order = Order.SHUFFLED
    suppressed: Suppressed = Suppressed.DROP
    expert_determination: bool = Field(
        default=False,
        alias="expertDetermination",
        description="adds to the steward's report what an expert needs to sign",
    )


class ComparePart(Part):
    """What ``sfumato compare`` sweeps; what is not said takes every method that fits, and usual k."""

    methods: list[Named] = Field(default=[], description="a list as a parameter's value tries each of it")
    models: dict[str, list[Any]] = Field(
        default={}, description="parameters of the recipe's models and their values, such as k: [2, 5, 10]"
    )


class ScopePart(Part):
    """For whom and for what a release is made."""

    recipient: str = Field(min_length=1)
    purpose: str = Field(min_length=1)


class MaskingPart(Part):
    """What masks need: where the key lies (never the key), for whom and for what, and earlier codes."""

    key_from: str | None = Field(
        default=None, alias="keyFrom", description="name of the environment variable with the key"
    )
    key_file: str | None = Field(default=None, alias="keyFile", description="file with the key")
    recipient: str | None = Field(default=None, description="who receives the release")
    purpose: str | None = Field(default=None, description="what it is for")
    join: ScopePart | None = Field(
        default=None, description="codes are those of the release for this recipient and purpose"
    )
    vault: str | None = Field(default=None, description="vault of an earlier run, whose codes go on")


class PublicTierPart(Part):
    """Counts for everybody; small ones are left out."""

    by: list[str] = Field(min_length=1, description="released columns to count people by")
    smallest: int = Field(default=11, ge=2, description="the smallest count that is shown")


class TiersPart(Part):
    """What else is made from the same people beside the person-level release."""

    public: PublicTierPart | None = None


class ConsentPart(Part):
    """Who agreed; everybody else is left out before anything is counted."""

    column: str
    keep: list[str] = Field(min_length=1, description="the answers that mean yes")


class RiskPart(Part):
    """How the steward's evidence measures risk, before and after."""

    threshold: float = Field(default=0.2, ge=0, le=1, description="a risk above it counts as high")
    sampling_fraction: float | None = Field(
        default=None,
        gt=0,
        le=1,
        alias="sampling-fraction",
        description="the share of the population that is in the table, for estimates",
    )
    population_size: int | None = Field(
        default=None, ge=1, alias="population-size", description="or how many people the population has"
    )
    up_to: int | None = Field(
        default=None,
        ge=0,
        alias="up-to",
        description="combinations of so many quasi-identifiers (or codes) are looked at",
    )
    suda: bool = Field(default=False, description="look for special uniques in these combinations")


class Recipe(Part):
    """A whole recipe."""

    sfumato: Literal[1] = Field(description="version of the recipe format")
    title: str = "Untitled release"
    resources: list[ResourcePart] = Field(min_length=1)
    models: list[Named] = Field(
        default=[], description="what is promised; of notes, and under a policy, it may be nothing"
    )
    population: str | PopulationPart | None = Field(
        default=None, description="a file or table of everybody, for k-map and delta-presence"
    )
    perturb: list[Named] = Field(
        default=[], description="steps that change single records first, in order; see docs/perturbation.md"
    )
    method: Named = DEFAULT_METHOD
    utility: Named = "loss"
    utility_constraints: list[Any] | str | dict[str, Any] = Field(
        default=[],
        alias="utility-constraints",
        description="of codes: those that may be generalised together; lists, a file, or how to extract them",
    )
    engine: Literal["duckdb", "spark"] = "duckdb"
    memory: str | None = Field(default=None, description="limit for the engine, such as 2GB")
    output: OutputPart = OutputPart()
    policy: str | None = Field(
        default=None, description="safe-harbor, limited-data-set, or the path of a policy file"
    )
    agreement: str | None = Field(
        default=None, description="file of a data use agreement: recipient, purpose, expires"
    )
    consent: ConsentPart | None = None
    masking: MaskingPart = MaskingPart()
    tiers: TiersPart = TiersPart()
    measures: list[Named] = Field(
        default=[], description="what else to measure, from the original and the released records"
    )
    attacks: list[Named] = Field(
        default=[], description="adversaries to run, with bounds that refuse the release; see docs/attacks.md"
    )
    risk: RiskPart = RiskPart()
    compare: ComparePart = ComparePart()

    @field_validator("resources")
    @classmethod
    def _one_of_a_kind(cls, resources: list[ResourcePart]) -> list[ResourcePart]:
        kinds = sorted(resource.kind for resource in resources)
        if len(kinds) > 1 and kinds not in (["codes", "table"], ["graph", "table"]):
            raise ValueError(
                "only one resource is supported so far, or a table and codes of the same people, or a table "
                "and their network"
            )
        return resources

    @model_validator(mode="after")
    def _promises_something(self) -> Recipe:
        kinds = [resource.kind for resource in self.resources]
        if not self.models and kinds != ["text"] and (kinds != ["table"] or self.policy is None):
            raise PydanticCustomError("nothing_promised", "models is empty: nothing would be promised")
        return self

    @property
    def resource(self) -> ResourcePart:
        """The one table, or the sets of codes; the first of both."""
        return self.resources[0]
