"""The Python door to rows of DNA: the same job as a recipe, spelt as a call."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pydantic import ValidationError

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.core.evidence_dna import DnaEvidence, StewardDnaEvidence
from sfumato.core.fingerprint import input_fingerprint
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.schema import Field, Role, Schema
from sfumato.core.verdict import Verdict
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import RowMethod, RowModel
from sfumato.dna.methods import ROW_METHODS
from sfumato.dna.models import ROW_MODELS
from sfumato.dna.reading import Content, Rows, content_of, counted_alike, open_rows, read_column
from sfumato.dna.reading.tables import names_of
from sfumato.dna.writing.order import row_order
from sfumato.engine.contract import Order
from sfumato.engine.frames import like
from sfumato.engine.sources import FILES, Frame, Source, SqlTable, source_of
from sfumato.recipe.arguments import built, choice
from sfumato.recipe.attack_ask import asked_attacks
from sfumato.recipe.dna.rows_attack_ask import ROW_ATTACKS, checked_row_attacks, held
from sfumato.recipe.dna.rows_evidence import gather_rows
from sfumato.recipe.dna.rows_file import table_of
from sfumato.recipe.dna.rows_job import DEFAULT, RowData, RowsJob, row_measures
from sfumato.recipe.dna.rows_outcome import carry_out_rows
from sfumato.recipe.dna.rows_outcome import held as asked_of
from sfumato.recipe.dna.rows_reading import input_bytes
from sfumato.recipe.dna.rows_release import content_in
from sfumato.recipe.dna.rows_schema import SEQUENCE, released_rows
from sfumato.recipe.dna.rows_shape import TEXT
from sfumato.recipe.model import DnaPart
from sfumato.report import save as save_report

Spelt = str | Mapping[str, Any]
Models = RowModel | Spelt | Sequence[RowModel | Spelt]
_PERSON = "person"


@dataclass(frozen=True)
class DnaRelease:
    """Released rows in memory: the data, the verdicts, what was lost, and a report on request."""

    data: Any = field(repr=False)
    """like what came in: a list of texts, a frame or rows (a table for files); rows are shuffled"""
    verdicts: tuple[Verdict, ...]
    evidence: StewardDnaEvidence = field(repr=False)
    public: DnaEvidence = field(repr=False)
    """the evidence that may go out with the data"""
    published: Aligned = field(repr=False)
    """the same in the order of the original, with its gaps and persons: for the house alone"""
    kept: np.ndarray[tuple[int], np.dtype[np.int64]] = field(repr=False)
    """of which row of the original each published row was made: for the house alone"""

    @property
    def utility(self) -> dict[str, float | list[float]]:
        """What was lost, by measure: lower is better."""
        return {measure.name: measure.value for measure in self.evidence.utility}

    def report(self, path: str | Path, *, public: bool = False) -> Path:
        """Write the report, for the steward or for the public."""
        return save_report(self.public if public else self.evidence, path)


def protect_dna(
    data: Any,
    *,
    models: Models,
    method: RowMethod | Spelt | None = None,
    sequence: str | Sequence[str] | None = None,
    person: str | Sequence[Any] | None = None,
    sensitive: Sequence[str] = (),
    insensitive: Sequence[str] = (),
    population: Any = None,
    people: Any = None,
    measures: Any = (),
    attacks: Any = (),
    order: str = "shuffled",
    title: str = "Untitled release",
    random: Random | None = None,
    progress: Progress = SILENT,
    **options: Any,
) -> DnaRelease:
    """Protect sequences or genotypes of people and return a release in memory.

    ``data`` is a list of texts, an alignment, a file (FASTA, VCF, BCF, PLINK, CSV, Parquet) or a frame. Of
    tables ``sequence`` names the column of sequences, or one column for each position, ``person`` the one
    that says whose a row is; ``sensitive`` and ``insensitive`` columns are released beside the rows, all
    others are left out. For a list ``person`` is a list of as many; for other files ``people`` is a table
    about the samples and ``person`` its column. ``options`` are those of a recipe under ``dna``: read,
    align, gap_level, multiallelic, sample, phenotype, cases, tree. Models and methods are objects, or the
    spelling of recipes.

    >>> release = protect_dna(["AATTA", "AATGA", "ATTCA", "AATGA"], models={"sequence-k-anonymity": {"k": 2}})
    >>> sorted(release.data)
    ['AATGA', 'AATGA', 'AWTYA', 'AWTYA']
    >>> print(release.verdicts[0])
    sequence-k-anonymity holds: required k ≥ 2, achieved k = 2
    """
    of_table = _is_table(data)
    given = dict(options)
    if people is not None and isinstance(person, str):
        given["person"] = person
    source, schema = _table(data, sequence, person, sensitive, insensitive) if of_table else _rows(data)
    if not of_table and (sequence is not None or sensitive or insensitive):
        raise BadInput("only tables have columns", remedy="leave 'sequence', 'sensitive', 'insensitive' out")
    if not of_table and person is not None and people is None:
        raise BadInput(
            "'person' names a column of a file about the people, and none is given",
            remedy="give 'people', or persons with the alignment",
        )
    job = RowsJob(
        data=source,
        models=_models(models),
        method=built(ROW_METHODS, DEFAULT if method is None else method, "method", "protect"),
        schema=schema,
        options=_options(given),
        people=None if people is None else _source(people),
        population=_population(population, schema),
        measures=row_measures(measures),
        attacks=checked_row_attacks(
            asked_attacks(attacks, lambda one: held(one, Path()), registry=ROW_ATTACKS)
        ),
        title=title,
        order=choice(Order, order, "order"),
        format="csv",
        random=SecretRandom() if random is None else random,
    )
    return _in_memory(job, data, progress)


def check_dna(data: Any, *, models: Models, population: Any = None) -> tuple[Verdict, ...]:
    """Ask models about published rows, whoever made them: a list of texts, an alignment, or a file.

    >>> print(check_dna(["AWTYA", "AATGA", "AWTYA"], models={"sequence-k-anonymity": {"k": 2}})[0])
    sequence-k-anonymity does not hold: required k ≥ 2, achieved k = 1; a class of 1 on 1, 2, 3, 4, 5 (row 2)
    """
    read = _read(data)
    rows = read.data
    everybody = None if population is None else counted_alike(_read(population), read, "population").data
    if isinstance(everybody, Unaligned):
        raise BadInput("the population is not aligned", where="population", remedy="align it with the rows")
    return tuple(model.check(rows, population=everybody) for model in _models(models))


def _in_memory(job: RowsJob, data: Any, progress: Progress) -> DnaRelease:
    """Carry a job out, check it and gather its evidence; nothing is written."""
    outcome = carry_out_rows(job, progress)
    order = row_order(len(outcome.released), job.order, job.random)
    content = content_in(outcome, order)
    schema = released_rows(job, outcome.read, content.rows, outcome.shape)
    owners = outcome.read.rows.owners[outcome.kept][order] if job.counts_persons else None
    everybody = outcome.found.problem.population
    shown = dataclasses.replace(content.rows, persons=owners)
    gathered = gather_rows(
        outcome,
        content.rows,
        tuple(asked_of(model, shown, everybody) for model in job.models),
        ev.DataEvidence(file="in memory", sha256="", rows=len(content.rows), bytes=0),
        "",
        input_fingerprint(input_bytes(job), len(outcome.read.rows), None),
        progress=progress,
    )
    released: Any = content.rows
    if not isinstance(data, Aligned | Rows):
        table = table_of(content, schema)
        released = table
        if isinstance(data, list | tuple):
            released = table.column(0).to_pylist() if schema.layout == TEXT else _joined(table)
        elif not isinstance(data, (str, Path, SqlTable, Frame, Unaligned, *FILES)):
            released = like(data, table)
    kept = outcome.kept
    published = dataclasses.replace(outcome.released, persons=outcome.read.rows.owners[kept])
    return DnaRelease(released, gathered.verdicts, gathered.steward, gathered.public, published, kept)


def _joined(table: pa.Table) -> list[str]:
    """Return rows whose gaps stay as texts, where a promise speaks of their positions."""
    return ["".join(row.values()) for row in table.to_pylist()]


def _is_table(data: Any) -> bool:
    if isinstance(data, Aligned | Unaligned | Rows):
        return False
    return not isinstance(data, str | Path) or content_of(Path(data)) is Content.TABLE


def _rows(data: Any) -> tuple[RowData, Schema]:
    if isinstance(data, Rows):
        return data, Schema(())
    return (Rows(data) if isinstance(data, Aligned | Unaligned) else Path(data)), Schema(())


def _table(
    data: Any,
    sequence: str | Sequence[str] | None,
    person: str | Sequence[Any] | None,
    sensitive: Sequence[str],
    insensitive: Sequence[str],
) -> tuple[Source, Schema]:
    """Return a table with the roles of its columns; what has none is left out."""
    if isinstance(data, list | tuple):
        data = Frame(_texts(data, person))
        sequence, person = SEQUENCE, None if person is None else _PERSON
    source = _source(data)
    if sequence is None:
        raise BadInput("it is not said which column holds DNA", remedy="give 'sequence'")
    if person is not None and not isinstance(person, str):
        raise BadInput("'person' is the name of a column", remedy="name the column that says whose a row is")
    columns = {
        Role.SEQUENCE: [sequence] if isinstance(sequence, str) else list(sequence),
        Role.PERSON: [] if person is None else [person],
        Role.SENSITIVE: list(sensitive),
        Role.INSENSITIVE: list(insensitive),
    }
    named = [name for names in columns.values() for name in names]
    roles = {name: role for role, names in columns.items() for name in names}
    if len(named) > len(roles):
        twice = next(name for name in named if named.count(name) > 1)
        raise BadInput("the column has two roles", where=f"column '{twice}'", remedy="give it one")
    there = names_of(source)
    absent = [Field(name, roles[name]) for name in named if name not in there]
    fields = [Field(name, roles.get(name, Role.IDENTIFIER)) for name in there]
    return source, Schema((*fields, *absent))


def _texts(data: Sequence[Any], person: str | Sequence[Any] | None) -> pa.Table:
    if not all(isinstance(text, str) for text in data):
        raise BadInput("a list of sequences holds texts", remedy="give ['ACGT', …], an alignment or a frame")
    columns: dict[str, Any] = {SEQUENCE: pa.array(list(data), pa.string())}
    if person is not None:
        if isinstance(person, str) or len(person) != len(data):
            raise BadInput("'person' is a list of as many persons", remedy="say of each sequence whose it is")
        columns[_PERSON] = pa.array([str(one) for one in person], pa.string())
    return pa.table(columns)


def _source(data: Any) -> Source:
    if isinstance(data, (SqlTable, Frame, *FILES)):
        return data
    return source_of(data) if isinstance(data, str | Path) else Frame(data)


def _population(given: Any, schema: Schema) -> RowData | None:
    if given is None:
        return None
    if _is_table(given):
        if isinstance(given, list | tuple):
            return _read(given)
        return _source(given) if schema.fields else _read(given)
    return _rows(given)[0]


def _read(data: Any) -> Rows:
    """Take rows as they are, or read them."""
    if isinstance(data, Aligned | Unaligned):
        return Rows(data)
    if isinstance(data, Rows):
        return data
    if isinstance(data, list | tuple):
        return read_column(_texts(data, None), SEQUENCE)
    return open_rows(data)


def _options(given: Mapping[str, Any]) -> DnaPart:
    refused = {"people", "reference"} & set(given)
    try:
        if refused:
            raise BadInput(f"'{min(refused)}' is not an option here", remedy="leave it out")
        return DnaPart.model_validate(dict(given))
    except ValidationError as problem:
        key = ".".join(str(part) for part in problem.errors()[0]["loc"])
        raise BadInput(
            f"'{key}' is not understood", where="options", remedy="see the keys of 'dna' in docs/dna.md"
        ) from None


def _models(models: Models) -> tuple[RowModel, ...]:
    listed = list(models) if isinstance(models, list | tuple) else [models]
    if not listed:
        raise BadInput("no model was given", remedy="say what to promise, such as SequenceKAnonymity(2)")
    return tuple(built(ROW_MODELS, model, "model", "demand") for model in listed)
