"""Carry a job out up to the point where something is written: read, protect, check."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.memory import half_of_memory, in_bytes
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Schema
from sfumato.core.verdict import Basis, Verdict
from sfumato.engine.contract import Engine, Suppressed, Table
from sfumato.masking import Masked, mask_population, mask_table
from sfumato.masking.binary import refuse_binary
from sfumato.masking.open_ends import standing_apart, with_open_ends
from sfumato.recipe.job import Job, check_listed
from sfumato.recipe.kept_columns import look_over, refuse_identifying_names
from sfumato.table.perturbation.run import Perturbations, perturb
from sfumato.table.protect import PrivacyModel, Protected, SamplesRecords, protect
from sfumato.table.published import PublishedTable
from sfumato.table.recoding import to_recoding


@dataclass(frozen=True)
class Outcome:
    """A job that is done but for the writing."""

    job: Job
    original: Table
    protected: Protected
    seconds: Mapping[str, float]
    masked: Masked | None = None
    """what became of identifiers before anything was counted"""
    perturbed: Perturbations | None = None
    """what became of single records before anything was counted"""
    sighted: tuple[str, ...] = ()
    """columns that are released and seem to hold identifiers, in words"""

    @property
    def left_out(self) -> int:
        """How many rows a sample left behind, drawn by a step or by the method."""
        drawn = self.perturbed.left_out if self.perturbed is not None else 0
        return drawn + self.protected.left_out

    @property
    def rows_are_persons(self) -> bool:
        """Whether every row stands for a person of its own."""
        return self.protected.counted.cells.rows_are_persons and self.protected.counted.cells.spans is None

    @property
    def withheld(self) -> int:
        """The rows of people who did not consent."""
        return 0 if self.masked is None else self.masked.rows_withheld

    @cached_property
    def in_house(self) -> PublishedTable:
        """The recoded table with persons and guards still in it, which no release holds."""
        protected, schema = self.protected, self.job.schema
        kept = protected.layout.columns
        hidden = tuple(name for name in (schema.person, schema.guard) if name and name not in kept)
        layout = replace(protected.layout, columns=(*protected.layout.columns, *hidden))
        recoding = to_recoding(protected.solution, protected.counted, protected.ladders)
        table = protected.table.engine.recode(protected.start.table, recoding, layout)
        table = with_open_ends(table, schema, self.job.masking)
        published = protected.published(table, in_house=True)
        if self.perturbed is None or self.masked is None:
            return published
        # Steps changed single records: the original is what was there before them.
        return replace(published, original=self.masked.table)


def carry_out(job: Job, engine: Engine, progress: Progress = SILENT) -> Outcome:
    """Read, count, search, recode."""
    started = time.perf_counter()
    progress.step("reading")
    table = engine.read(job.source)
    refuse_identifying_names(table.names)
    check_listed(job.schema, table.names)
    read = time.perf_counter()
    refuse_binary(table, job.schema.released)
    progress.step("looking at identifiers")
    confirmed = [field.name for field in job.schema.fields if field.confirmed]
    sighted = look_over(table, job.schema.released, job.masking, confirmed)
    masked = mask_table(table, job.schema, job.masking)
    perturbed = _perturbed(job, masked.table, progress)
    current = masked.table if perturbed is None else perturbed.table
    schema = _with_types(job.schema, current)
    protected = protect(
        current,
        schema,
        models=job.models,
        method=job.method,
        utility=job.utility,
        hierarchies=job.hierarchies,
        suppressed=job.suppressed,
        memory=None if job.memory is None else in_bytes(job.memory),
        population=population_of(job, engine),
        population_person=job.population_person,
        apart=standing_apart(job.masking, schema),
        progress=progress,
    )
    if perturbed is not None:
        protected = replace(protected, mechanisms=(*perturbed.mechanisms, *protected.mechanisms))
    protected = replace(
        protected,
        table=with_open_ends(protected.table, schema, job.masking),
        population=protected.population and with_open_ends(protected.population, schema, job.masking),
    )
    done = time.perf_counter()
    seconds = {"read": round(read - started, 3), "protect": round(done - read, 3)}
    return Outcome(replace(job, schema=schema), table, protected, seconds, masked, perturbed, sighted)


def _perturbed(job: Job, table: Table, progress: Progress) -> Perturbations | None:
    """Change single records, where the job asks for it; they all come into memory."""
    if not job.perturb:
        return None
    if isinstance(job.method, SamplesRecords):
        raise BadInput(
            f"{job.method.name} promises something of records as they are, and 'perturb' changes them before",
            remedy="leave out 'perturb', or take another method",
        )
    memory = half_of_memory() if job.memory is None else in_bytes(job.memory)
    return perturb(table, job.schema, job.perturb, job.random, memory, progress)


def population_of(job: Job, engine: Engine) -> Table | None:
    """Read everybody whom the table was drawn from, with quasi-identifiers reduced as in the table."""
    if job.population is None:
        return None
    return mask_population(engine.read(job.population), job.schema, job.masking)


def _with_types(schema: Schema, table: Table) -> Schema:
    types = {column.name: column.type for column in table.columns}
    return Schema(tuple(replace(field, type=types[field.name]) for field in schema.fields))


def _checked(model: PrivacyModel, published: PublishedTable, remedy: str) -> Verdict:
    """Ask a model about a table; refuse to go on when its promise does not hold."""
    verdict = model.check(published)
    if not verdict.holds:
        raise PromiseNotMet(str(verdict), remedy=f"nothing was published; {remedy}")
    return verdict


_RANDOMISE = "change what 'perturb' or the method leaves to chance, or promise less"


def verdicts_of(outcome: Outcome, released: PublishedTable) -> list[Verdict]:
    """Check the written release; where people have several rows, check also who they are.

    What a release cannot show (who wanted what guarded) is checked in the house alone.
    """
    bug = "please report this as a bug"
    if outcome.job.suppressed is Suppressed.STAR:
        bug = "set 'suppressed: drop': the suppressed records stay as a class that may break the promise"
    more = (
        "people have several rows, and the search counted those who lie in several classes in each: "
        "ask for a little more (a higher k or l, a lower t)"
    )
    several = outcome.job.schema.person is not None and not outcome.rows_are_persons
    verdicts = []
    for model in outcome.job.models:
        by_chance = model.basis is Basis.MECHANISM
        # A population is compared with people: rows of a release that are one person's would count twice.
        of_people = several and model.basis is Basis.POPULATION
        if model.basis is not Basis.ORIGINAL and not of_people:
            verdict = _checked(model, released, _RANDOMISE if by_chance else bug)
        if several:
            verdict = _checked(model, outcome.in_house, _RANDOMISE if by_chance else more)
        elif model.basis is Basis.ORIGINAL:
            verdict = _checked(model, outcome.in_house, bug)
        verdicts.append(verdict)
    return verdicts
