"""Carry a job out up to the point where something is written: read, protect, check."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sfumato.core.errors import PromiseNotMet
from sfumato.core.memory import in_bytes
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Schema
from sfumato.core.verdict import Verdict
from sfumato.engine.contract import Engine, Table
from sfumato.recipe.job import Job, check_listed
from sfumato.table.protect import PrivacyModel, Protected, protect
from sfumato.table.published import PublishedTable
from sfumato.table.recoding import to_recoding


@dataclass(frozen=True)
class Outcome:
    """A job that is done but for the writing."""

    job: Job
    original: Table
    protected: Protected
    seconds: Mapping[str, float]

    @property
    def rows_are_persons(self) -> bool:
        """Whether every row stands for a person of its own."""
        return self.protected.counted.cells.rows_are_persons and self.protected.counted.cells.spans is None

    @cached_property
    def with_persons(self) -> PublishedTable:
        """The recoded table with the person column still in it, which no release holds."""
        protected, person = self.protected, self.job.schema.person
        assert person is not None
        layout = replace(protected.layout, columns=(*protected.layout.columns, person))
        recoding = to_recoding(protected.solution, protected.counted, protected.ladders)
        table = self.original.engine.recode(protected.start.table, recoding, layout)
        return PublishedTable(table, protected.schema.quasi, protected.schema.sensitive, person)


def carry_out(job: Job, engine: Engine, progress: Progress = SILENT) -> Outcome:
    """Read, count, search, recode."""
    started = time.perf_counter()
    progress.step("reading")
    table = engine.read(job.source)
    check_listed(job.schema, table.names)
    read = time.perf_counter()
    schema = _with_types(job.schema, table)
    protected = protect(
        table,
        schema,
        models=job.models,
        method=job.method,
        utility=job.utility,
        hierarchies=job.hierarchies,
        suppressed=job.suppressed,
        memory=None if job.memory is None else in_bytes(job.memory),
        progress=progress,
    )
    done = time.perf_counter()
    seconds = {"read": round(read - started, 3), "protect": round(done - read, 3)}
    return Outcome(replace(job, schema=schema), table, protected, seconds)


def _with_types(schema: Schema, table: Table) -> Schema:
    types = {column.name: column.type for column in table.columns}
    return Schema(tuple(replace(field, type=types[field.name]) for field in schema.fields))


def check_all(models: Sequence[PrivacyModel], published: PublishedTable) -> list[Verdict]:
    """Ask every model about a table; refuse to go on when a promise does not hold."""
    verdicts = [model.check(published) for model in models]
    for verdict in verdicts:
        if not verdict.holds:
            raise PromiseNotMet(str(verdict), remedy="nothing was published; please report this as a bug")
    return verdicts


def verdicts_of(outcome: Outcome, released: PublishedTable) -> list[Verdict]:
    """Check the written release; where people have several rows, check also who they are."""
    verdicts = check_all(outcome.job.models, released)
    if outcome.job.schema.person is None or outcome.rows_are_persons:
        return verdicts
    return check_all(outcome.job.models, outcome.with_persons)
