"""``--dry-run`` under differential privacy: the price and the error to expect. Not a row is read.

The error comes from trying the method on made-up people, drawn evenly from the public domains. Noise does
not depend on who the people are, so it is what is to be expected; choices that a method makes on the way do.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as dc_replace
from pathlib import Path

import numpy as np

from sfumato.core.errors import BadInput, nearest
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import SeededRandom
from sfumato.engine.duckdb import DuckEngine
from sfumato.query.methods.contract import Coded, DpSolution
from sfumato.query.risk import households, meanings
from sfumato.recipe.query.job import QueryJob
from sfumato.recipe.query.outcome import solve
from sfumato.release.folders import refuse_existing

MADE_UP = 1000
"""people on whom a method is tried"""


@dataclass(frozen=True)
class QueryPlan:
    """What a run would spend and write."""

    job: QueryJob
    target: Path
    tried: DpSolution

    def __str__(self) -> str:
        job, price = self.job, self.job.price
        lines = {
            "table": f"{job.table.name} of {job.metadata.data_set}, at most {job.table.max_rows:,} rows",
            "person": job.table.person or "every row is taken as another person",
            "columns": ", ".join(f"{a.name} ({a.size} positions)" for a in job.attributes),
            "neighbours": f"{job.neighbours}: {job.neighbours.in_words}",
            "promise": ", ".join(_spelt(model) for model in job.models),
            "method": _spelt(job.method),
            "price": f"{price}, in about {len(self.tried.steps)} steps",
            "households": "; ".join(str(home) for home in households(price)),
        }
        for what, error in self.tried.expected_error.items():
            lines[f"error, {what}"] = f"± {error:.4g} people in a count (root mean square)"
        told = [f"  {what:<30}{text}" for what, text in lines.items()]
        told += [f"  {'meaning':<30}{line}" for line in meanings(price, job.neighbours)]
        told.append(f"  {'writes':<30}{self.target / 'release'} and {self.target / 'steward'}")
        return "\n".join([f"Plan: {job.title}", *told, "No row was read, nothing was spent or written."])


def plan_of_query(
    job: QueryJob, target: Path, *, replace: bool = False, progress: Progress = SILENT
) -> QueryPlan:
    """Look at the names of the columns, and try the method on made-up people."""
    refuse_existing(target, replace=replace)
    progress.step("looking at the columns")
    with DuckEngine() as engine:
        names = engine.read(job.source).names
    wanted = [*job.released, *([job.table.person] if job.table.person is not None else [])]
    for name in wanted:
        if name not in names:
            raise BadInput(
                f"the column '{name}' is not in the data",
                where=f"table '{job.table.name}'",
                remedy=nearest(name, names),
            )
    progress.step("trying the method on made-up people")
    dice = SeededRandom(1)
    people = min(MADE_UP, job.table.max_rows)
    codes = np.column_stack([dice.integers(a.size, people) for a in job.attributes]).astype(np.int32)
    codes.setflags(write=False)
    tried = solve(dc_replace(job, random=dice), Coded(job.attributes, codes), progress)
    return QueryPlan(job, target, tried)


def _spelt(thing: object) -> str:
    """Write it as a recipe does: ``differential-privacy (epsilon 1)``."""
    told = ", ".join(f"{key} {value}" for key, value in parameters_of(thing).items())
    name = str(getattr(thing, "name", ""))
    return f"{name} ({told})" if told else name
