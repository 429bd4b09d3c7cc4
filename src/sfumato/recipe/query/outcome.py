"""Carry a job under differential privacy out: make the data fit, spend the price, check what was spent.

The people are only touched here, and only by the curator of a method. What leaves this file for the release
is ``solution``: noisy, and within public domains. ``coded`` and ``facts`` are for the steward.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as dc_replace

import numpy as np
import pyarrow as pa

from sfumato.core.errors import PromiseNotMet
from sfumato.core.fingerprint import chunks_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.engine.duckdb import DuckEngine
from sfumato.engine.sources import FILES
from sfumato.engine.sql import quote
from sfumato.query.coding import coded
from sfumato.query.metadata import Column, Table, Type
from sfumato.query.methods.contract import Coded, DpSolution, Problem
from sfumato.query.models.contract import Spending
from sfumato.query.prepared import Prepared, TableFacts
from sfumato.recipe.query.job import QueryJob

_BUG = "nothing was published; please report this as a bug"


@dataclass(frozen=True)
class QueryOutcome:
    """What a job came to."""

    job: QueryJob
    solution: DpSolution
    verdicts: tuple[Verdict, ...]
    coded: Coded = field(repr=False)
    """the people as they are: for the steward alone"""
    facts: TableFacts = field(repr=False)
    """what was left out in reading: for the steward alone"""
    seconds: Mapping[str, float]

    @property
    def spending(self) -> Spending:
        """What the release cost."""
        return spending_of(self.job, self.solution)


def spending_of(job: QueryJob, solution: DpSolution) -> Spending:
    """Return what a solution cost, as models want to see it."""
    return Spending(job.neighbours, solution.spent, solution.steps)


def carry_out_query(job: QueryJob, progress: Progress = SILENT) -> QueryOutcome:
    """Read, spend, and check what was spent."""
    started = time.perf_counter()
    progress.step("reading, and making the data fit what is declared")
    people, facts = read_people(job)
    read = time.perf_counter()
    progress.step(f"spending the budget ({job.method.name})")
    solution = solve(job, people, progress)
    spent = time.perf_counter()
    verdicts = tuple(held(job, solution))
    refuse_outside(job, solution)
    seconds = {"read": round(read - started, 3), "protect": round(spent - read, 3)}
    return QueryOutcome(job, solution, verdicts, people, facts, seconds)


def solve(job: QueryJob, people: Coded, progress: Progress = SILENT) -> DpSolution:
    """Let the method spend the price. The operating system's chance is asked for by leaving it out."""
    random = None if isinstance(job.random, SecretRandom) else job.random
    return job.method.protect(
        Problem(people, job.price, job.neighbours, job.target, random, progress, job.table.max_rows)
    )


def held(job: QueryJob, solution: DpSolution) -> list[Verdict]:
    """Ask every model about what was spent; refuse to go on when a promise does not hold."""
    found = []
    for model in job.models:
        verdict = model.check(spending_of(job, solution))
        if not verdict.holds:
            raise PromiseNotMet(str(verdict), remedy=_BUG)
        found.append(verdict)
    return found


def refuse_outside(job: QueryJob, solution: DpSolution) -> None:
    """Nothing but positions of public domains and finite counts may leave."""
    records = solution.records
    sound = records is not None or bool(solution.tables)
    if records is not None:
        names = tuple(attribute.name for attribute in records.attributes)
        sizes = np.array([attribute.size for attribute in records.attributes])
        codes = records.codes
        sound = sound and names == job.released and codes.ndim == 2 and codes.shape[1] == len(sizes)
        sound = sound and bool(((codes >= 0) & (codes < sizes)).all())
    for table in solution.tables:
        sound = sound and set(table.attributes) <= set(job.released) and bool(np.isfinite(table.counts).all())
    if not sound:
        raise PromiseNotMet("the method made something that lies outside the public domains", remedy=_BUG)


def read_people(job: QueryJob) -> tuple[Coded, TableFacts]:
    """Read the people as positions in public domains: one row of each, whatever fits no declaration missing.

    Of a person with several rows the one counts that a hash with a fresh secret key chooses: it looks at that
    person's rows alone. Rows that name nobody are left out: they could all be one person's.
    """
    columns = {name: job.table.columns[name] for name in job.released}
    table = dc_replace(job.table, columns=columns, rows_per_person=1)
    metadata = dc_replace(job.metadata, tables={table.name: table})
    prepared = Prepared.register(metadata, {table.name: job.source}, secret=secrets.token_bytes(32))
    try:
        fitted = _fitted(prepared, table)
        (facts,) = prepared.facts
    finally:
        prepared.close()
    people = coded(fitted, dc_replace(table, person=None), job.released, edges=job.bins)
    return Coded(job.attributes, people.codes), facts


def input_bytes(job: QueryJob) -> Iterator[bytes]:
    """Return what the fingerprint is made of: the file, or else the rows."""
    if isinstance(job.source, FILES):
        return chunks_of(job.source.path)
    return _rows(job)


def _rows(job: QueryJob) -> Iterator[bytes]:
    with DuckEngine() as engine:
        for batch in engine.scan(engine.read(job.source)):
            yield batch.serialize().to_pybytes()


def _fitted(prepared: Prepared, table: Table) -> pa.Table:
    listed = ", ".join(
        f"CAST({quote(name)} AS VARCHAR)" if column.type is Type.CATEGORY else quote(name)
        for name, column in table.columns.items()
    )
    found: pa.Table = prepared.cursor().sql(f"SELECT {listed} FROM {quote(table.name)}").to_arrow_table()
    columns = [
        _values(found.column(place).combine_chunks(), column)
        for place, column in enumerate(table.columns.values())
    ]
    return pa.table(columns, names=[*table.columns])


def _values(units: pa.Array, column: Column) -> pa.Array:
    """Return what grid units stand for."""
    if column.type in (Type.CATEGORY, Type.BOOLEAN):
        return units
    if column.type is Type.DATE:
        return units.cast(pa.int32()).cast(pa.date32())
    missing = units.is_null().to_numpy(zero_copy_only=False)
    numbers = units.fill_null(0).to_numpy(zero_copy_only=False)
    grid = column.grid
    return pa.array(numbers * float(grid.numerator) / float(grid.denominator), mask=missing)
