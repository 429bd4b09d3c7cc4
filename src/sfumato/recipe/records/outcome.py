"""Carry a job over a table and codes out up to the point where something is written."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from sfumato.codes.utility.truthful import Truthfulness
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Role
from sfumato.engine.contract import Engine, Table
from sfumato.masking import MaskingPlan
from sfumato.recipe.codes.layout import layout_of
from sfumato.recipe.job import check_listed
from sfumato.recipe.kept_columns import look_over, refuse_identifying_codes
from sfumato.recipe.records.job import RecordsJob
from sfumato.record.relational_codes.contract import RecordsSolution
from sfumato.record.relational_codes.run import Found, held, left_out, look_at, side_by_side, true


@dataclass(frozen=True)
class Opened:
    """Both parts in an engine, and what was read of them."""

    people: Table
    codes: Table
    found: Found


@dataclass(frozen=True)
class RecordsOutcome:
    """A job that is done but for the writing; ``data`` is what goes out, checked in the house."""

    job: RecordsJob
    opened: Opened
    solution: RecordsSolution
    data: pa.Table = field(repr=False)
    truth: Truthfulness
    seconds: Mapping[str, float]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was mended, left out or kept empty."""
        return (*self.opened.found.joined.notes, *left_out(self.solution))


def open_both(job: RecordsJob, engine: Engine, progress: Progress = SILENT) -> Opened:
    """Read both parts and join them."""
    progress.step("reading")
    people, codes = engine.read(job.people), engine.read(job.codes)
    check_listed(job.people_schema, people.names)
    check_listed(job.codes_schema, codes.names)
    confirmed = [field.name for field in job.people_schema.fields if field.confirmed]
    look_over(people, job.people_schema.released, MaskingPlan(), confirmed)
    layout = layout_of(codes, job.codes_schema, job.layout, job.separator)
    found = look_at(job.asked, people, codes, layout)
    if job.layout != "search-log":
        refuse_identifying_codes(job.codes_schema.with_role(Role.CODES)[0], found.joined.sets.domain)
    return Opened(people, codes, found)


def carry_out_records(job: RecordsJob, engine: Engine, progress: Progress = SILENT) -> RecordsOutcome:
    """Read, protect, and check what was found in the house."""
    started = time.perf_counter()
    opened = open_both(job, engine, progress)
    read = time.perf_counter()
    solution = job.asked.method.protect(opened.found.problem, progress=progress)
    searched = time.perf_counter()
    progress.step("checking")
    data = side_by_side(solution.published, job.output_layout, job.order, job.random)
    held(data, job.output_layout, solution, job.asked.model)
    truth = true(opened.found.joined, solution)
    seconds = {"read": round(read - started, 3), "search": round(searched - read, 3)}
    return RecordsOutcome(job, opened, solution, data, truth, seconds)
