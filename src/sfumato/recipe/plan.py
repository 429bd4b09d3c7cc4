"""``--dry-run``: what would be done, how much memory and time it may take. Writes nothing."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path

from sfumato.core.memory import half_of_memory, in_bytes
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.engine import open_engine
from sfumato.masking import mask_table
from sfumato.recipe.job import Job, check_listed
from sfumato.recipe.outcome import population_of
from sfumato.release.folders import refuse_existing
from sfumato.table.count import Counted
from sfumato.table.perturbation.contract import Perturbation
from sfumato.table.protect import Method, PrivacyModel, check_columns, rules_of, wanted_by, watched_by
from sfumato.table.start import bytes_for, starting_point
from sfumato.table.utility.contract import Utility

_SECONDS_PER_CELL_AND_CHECK = 4e-8
_SECONDS_PER_CELL_AND_SPLIT = 1e-6
_SECONDS_PER_ROW_WRITTEN = 2e-6


@dataclass(frozen=True)
class Plan:
    """What a run would do."""

    job: Job
    target: Path
    rows: int
    persons: int
    cells: int
    nodes: int | None
    memory: int
    seconds: float

    def __str__(self) -> str:
        job = self.job
        choice = f", {self.nodes:,} generalisations to choose from" if self.nodes else ""
        limit = f", at most {job.memory}" if job.memory else ""
        roles = dict.fromkeys(field.role for field in job.schema.fields)
        lines = {
            "rows": f"{self.rows:,} ({self.persons:,} persons), {self.cells:,} distinct combinations",
            **{str(role): ", ".join(job.schema.with_role(role)) for role in roles},
            **({"perturb": ", ".join(_step(step) for step in job.perturb)} if job.perturb else {}),
            "promise": ", ".join(_spelt(model) for model in job.models),
            "method": _spelt(job.method) + choice,
            "utility": _spelt(job.utility),
            "engine": job.engine + limit,
            "memory": f"about {_megabytes(self.memory)} for the search",
            "time": f"about {self.seconds:.1f} s",
            "writes": f"{self.target / 'release'} and {self.target / 'steward'}",
        }
        told = "\n".join(f"  {what:<18}{text}" for what, text in lines.items())
        return f"Plan: {job.title}\n{told}\nNothing was written."


def plan_of(job: Job, target: Path, *, replace: bool = False, progress: Progress = SILENT) -> Plan:
    """Read and count, but decide and write nothing."""
    refuse_existing(target, replace=replace)
    engine = open_engine(job.engine, memory_limit=job.memory)
    try:
        started = time.perf_counter()
        progress.step("reading")
        table = engine.read(job.source)
        check_listed(job.schema, table.names)
        table = mask_table(table, job.schema, job.masking).table
        check_columns(table, job.schema)
        progress.step("counting")
        start = starting_point(
            table,
            job.schema.quasi,
            job.schema.person,
            {name: kind for name, kind in job.hierarchies.items() if name in job.schema.quasi},
            infer_missing=job.method.needs_hierarchies,
            memory=half_of_memory() if job.memory is None else in_bytes(job.memory),
            watched=watched_by(rules_of(job.models, job.schema), wanted_by(job.method, job.schema)),
            population=population_of(job, engine),
        )
        counted, ladders = start.counted, start.ladders
        counting = time.perf_counter() - started
    finally:
        engine.close()
    nodes = None
    if job.method.needs_hierarchies:
        nodes = math.prod(ladder.height + 1 for ladder in ladders if ladder is not None)
    return Plan(
        job,
        target,
        rows=counted.cells.total_rows,
        persons=counted.cells.total_persons,
        cells=len(counted.cells),
        nodes=nodes,
        memory=bytes_for(len(counted.cells), len(counted.cells.domains)),
        seconds=counting + _search_seconds(counted, nodes) + _writing_seconds(counted),
    )


def _search_seconds(counted: Counted, nodes: int | None) -> float:
    cells = len(counted.cells)
    if nodes is None:
        return cells * _SECONDS_PER_CELL_AND_SPLIT
    # About 4 checks for each doubling of the lattice, squared, were seen on real tables.
    checks = min(nodes, 4 * math.log2(nodes + 1) ** 2)
    return cells * checks * _SECONDS_PER_CELL_AND_CHECK


def _writing_seconds(counted: Counted) -> float:
    return counted.cells.total_rows * _SECONDS_PER_ROW_WRITTEN + 0.3


def _spelt(thing: PrivacyModel | Method | Utility) -> str:
    """Write it as a recipe does: ``k-anonymity (k 5)``."""
    parameters = ", ".join(f"{key} {value}" for key, value in parameters_of(thing).items())
    return f"{thing.name} ({parameters})" if parameters else thing.name


def _step(step: Perturbation) -> str:
    """Name a step and its columns; it is not carried out here, so what is counted is the raw table."""
    return f"{step.name} of {', '.join(step.columns)}" if step.columns else step.name


def _megabytes(size: int) -> str:
    return f"{max(1, round(size / 1e6)):,} MB"
