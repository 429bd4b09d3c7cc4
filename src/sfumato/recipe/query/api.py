"""The Python door to releases under differential privacy: the same job as a recipe, spelt as a call."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato.core import evidence as ev
from sfumato.core.errors import BadInput
from sfumato.core.evidence_query import QueryEvidence, StewardQueryEvidence
from sfumato.core.files import read_bytes
from sfumato.core.fingerprint import input_fingerprint
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random, SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.dp.exact import Number
from sfumato.engine.frames import like
from sfumato.engine.sources import FILES, Frame, Source, SqlTable, source_of
from sfumato.hierarchy import Hierarchy, from_spec
from sfumato.query.ledger.contract import Budget
from sfumato.query.metadata import Metadata
from sfumato.query.methods import METHODS
from sfumato.query.methods.contract import DpMethod
from sfumato.query.models import MODELS, DpPromise
from sfumato.query.models.contract import QueryModel
from sfumato.query.spelling import DatabaseFile, read_database
from sfumato.recipe.arguments import built
from sfumato.recipe.query.affordable import declared_budget
from sfumato.recipe.query.evidence import gather_query
from sfumato.recipe.query.job import DEFAULT, Edges, QueryJob, table_of
from sfumato.recipe.query.outcome import QueryOutcome, carry_out_query, input_bytes
from sfumato.recipe.query.released_schema import written_tables
from sfumato.recipe.query.written import counts_table, records_table
from sfumato.report import save as save_report

Spelt = str | Mapping[str, Any]


@dataclass(frozen=True)
class QueryRelease:
    """A release under differential privacy in memory: records, tables, verdicts, and a report on request."""

    data: Any = field(repr=False)
    """drawn records, a frame like the one that came in; None where the method makes tables alone"""
    tables: Mapping[str, Any] = field(repr=False)
    """noisy counts by the columns that they are of, such as "age × sex" """
    verdicts: tuple[Verdict, ...]
    evidence: StewardQueryEvidence = field(repr=False)
    public: QueryEvidence = field(repr=False)
    """the evidence that may go out with the data"""

    @property
    def utility(self) -> dict[str, float | list[float]]:
        """What was lost, by measure, against the true data: for the steward."""
        return {measure.name: measure.value for measure in self.evidence.utility}

    @property
    def expected_error(self) -> dict[str, float]:
        """The error of one count that was to be expected from the price alone, in people."""
        return {error.what: error.people for error in self.public.expected_error}

    def report(self, path: str | Path, *, public: bool = False) -> Path:
        """Write the report, for the steward or for the public."""
        return save_report(self.public if public else self.evidence, path)


def protect_query(
    data: Any,
    *,
    database: str | Path | DatabaseFile | Metadata,
    method: DpMethod | Spelt = DEFAULT,
    epsilon: Number | None = None,
    delta: Number = 0,
    models: QueryModel | Spelt | Sequence[QueryModel | Spelt] = (),
    table: str | None = None,
    columns: Sequence[str] = (),
    edges: Edges | None = None,
    hierarchies: Mapping[str, Hierarchy | Spelt] | None = None,
    target: str | None = None,
    title: str = "Untitled release",
    random: Random | None = None,
    progress: Progress = SILENT,
) -> QueryRelease:
    """Make a release under differential privacy of people in a frame (or a file, or a source).

    ``database`` says what is public: a ``database.yaml``, whose ``budget`` is then the most that the release
    may cost, or its ``Metadata``. Pay with ``epsilon`` (and
    ``delta``), or say what to promise with ``models``. ``columns`` are those that are released, ``edges``
    public bins of numbers and dates, ``hierarchies`` public ones of categories, ``target`` the class of
    methods that keep a classification.

    >>> import pyarrow as pa, sfumato as sf
    >>> from sfumato.query.metadata import Column, Metadata, Table, Type
    >>> sex = Column("sex", Type.CATEGORY, values=("f", "m"))
    >>> public = Metadata("clinic", {"people": Table("people", {"sex": sex}, None, 1, 10_000)})
    >>> people = pa.table({"sex": ["f"] * 300 + ["m"] * 200})
    >>> release = sf.protect_query(people, database=public, method="independent-marginals", epsilon=1)
    >>> print(release.verdicts[0])
    differential-privacy holds: required ε ≤ 1, achieved ε = 1 in 1 step (for one person more or less)
    >>> 400 < release.data.num_rows < 600
    True
    """
    metadata, digest, budget = _declared(database)
    job = QueryJob(
        source=_source(data),
        metadata=metadata,
        table=table_of(metadata, table),
        models=_models(models, epsilon, delta),
        method=built(METHODS, method, "method", "protect"),
        columns=tuple(columns),
        edges={name: tuple(one) for name, one in (edges or {}).items()},
        hierarchies={
            name: one if hasattr(one, "ladder") else from_spec(one, Path())
            for name, one in (hierarchies or {}).items()
        },
        target=target,
        metadata_sha256=digest,
        budget=budget,
        title=title,
        random=SecretRandom() if random is None else random,
    )
    return _in_memory(carry_out_query(job, progress), data)


def _in_memory(outcome: QueryOutcome, data: Any) -> QueryRelease:
    """Gather what was made and its evidence; nothing is written."""
    job, solution = outcome.job, outcome.solution
    framed = not isinstance(data, (str, Path, SqlTable, Frame, *FILES))
    tables, files = {}, []
    for noisy, axes in written_tables(job, solution):
        found = counts_table(noisy, axes)
        files.append(_file(found.num_rows))
        tables[" × ".join(noisy.attributes)] = like(data, found) if framed else found
    released, rows = None, files[0].rows if files else 0
    if solution.records is not None:
        drawn = records_table(job, solution.records)
        released, rows = like(data, drawn) if framed else drawn, drawn.num_rows
    fingerprint = input_fingerprint(input_bytes(job), outcome.facts.rows, None)
    gathered = gather_query(outcome, _file(rows), files, "", fingerprint)
    return QueryRelease(released, tables, gathered.verdicts, gathered.steward, gathered.public)


def _file(rows: int) -> ev.DataEvidence:
    return ev.DataEvidence(file="in memory", sha256="", rows=rows, bytes=0)


def _source(data: Any) -> Source:
    if isinstance(data, (SqlTable, Frame, *FILES)):
        return data
    return source_of(data) if isinstance(data, str | Path) else Frame(data)


def _declared(database: str | Path | DatabaseFile | Metadata) -> tuple[Metadata, str, Budget | None]:
    if isinstance(database, Metadata):
        return database, "", None
    if isinstance(database, DatabaseFile):
        return database.metadata, "", declared_budget(database)
    if not isinstance(database, str | Path):
        raise BadInput(
            "the database is no file and no metadata", where="database", remedy="give a database.yaml"
        )
    found = read_database(database)
    return found.metadata, hashlib.sha256(read_bytes(database)).hexdigest(), declared_budget(found)


def _models(models: Any, epsilon: Number | None, delta: Number) -> tuple[QueryModel, ...]:
    listed = list(models) if isinstance(models, list | tuple) else [models]
    found: list[QueryModel] = [built(MODELS, model, "model", "check") for model in listed]
    if epsilon is not None:
        found.append(DpPromise(_plain(epsilon), _plain(delta)))
    elif delta:
        raise BadInput("delta is given without epsilon", remedy="give both")
    if not found:
        raise BadInput("nothing is promised", remedy="give epsilon=1, or models")
    return tuple(found)


def _plain(amount: Number) -> float | str:
    """Keep a number as it is written."""
    return amount if isinstance(amount, float | str) else str(amount)
