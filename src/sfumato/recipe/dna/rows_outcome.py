"""Carry a job over rows out up to the point where something is written: read, search, check in the house."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Verdict
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import Problem, RowModel, Solution
from sfumato.hierarchy.snp_spec import snp_tree
from sfumato.recipe.dna.rows_job import RowsJob
from sfumato.recipe.dna.rows_reading import ReadRows, population_for, read_for
from sfumato.recipe.dna.rows_shape import Shape, as_released, as_shown, settled, shape_of

BUG = "nothing was published; please report this as a bug"


@dataclass(frozen=True)
class FoundRows:
    """What a job is about once its data were read."""

    read: ReadRows
    problem: Problem
    shape: Shape


@dataclass(frozen=True)
class RowsOutcome:
    """A job that is done but for the writing."""

    job: RowsJob
    found: FoundRows
    solution: Solution
    shape: Shape
    released: Aligned = field(repr=False)
    """the rows as the file can hold them, with their gaps and positions, in the order of the solution"""
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def read(self) -> ReadRows:
        """What was read."""
        return self.found.read

    @property
    def shown(self) -> Aligned | Unaligned:
        """The rows as a reader of the file sees them."""
        return as_shown(self.released, self.shape)

    @property
    def kept(self) -> NDArray[np.int64]:
        """Of which row that was read each released row was made."""
        return self.solution.kept


def look_at(job: RowsJob, progress: Progress = SILENT) -> FoundRows:
    """Read the rows, and lay what is promised over them."""
    read = read_for(job, progress)
    tree = None
    if job.options.tree is not None:
        tree = snp_tree(job.options.tree, job.tree_folder, lattice=read.rows.lattice)
    problem = Problem(read.rows, job.models, tree, population_for(job, read))
    return FoundRows(read, problem, shape_of(job, read))


def carry_out_rows(job: RowsJob, progress: Progress = SILENT) -> RowsOutcome:
    """Read, search, and check what was found in the house."""
    started = time.perf_counter()
    found = look_at(job, progress)
    read = time.perf_counter()
    progress.step(f"searching ({job.method.name})")
    solution = job.method.protect(found.problem, progress=progress)
    searched = time.perf_counter()
    progress.step("checking in the house")
    if not len(solution.published):
        raise PromiseNotMet("no row would be left", remedy="ask for less, or give more rows")
    shape = settled(found.shape, solution.published, job.models)
    released = as_released(solution.published, shape)
    refuse_untrue(found.read.rows, released, solution.kept)
    notes = [*found.read.told]
    opened = int(np.count_nonzero(released.cells != solution.published.cells))
    if opened:
        notes.append(
            f"{opened:,} cells such as 0/. were opened to ./., since PLINK files have no room for them: "
            "'format: vcf' keeps them"
        )
    shown = as_shown(released, shape)
    owners = _owners(job, found.read.rows, solution.kept)
    population = found.problem.population
    verdicts = tuple(
        held(model, dataclasses.replace(shown, persons=owners), population) for model in job.models
    )
    seconds = {
        "read": round(read - started, 3),
        "protect": round(searched - read, 3),
        "check in the house": round(time.perf_counter() - searched, 3),
    }
    return RowsOutcome(job, found, solution, shape, released, verdicts, tuple(notes), seconds)


def _owners(job: RowsJob, rows: Aligned, kept: NDArray[np.int64]) -> NDArray[np.int64] | None:
    return rows.owners[kept] if job.counts_persons else None


def refuse_untrue(original: Aligned, released: Aligned, kept: NDArray[np.int64]) -> None:
    """Every released cell must hold what was read: nothing is invented, nothing exchanged."""
    known, shown = original.cells[kept], released.cells
    lattice = original.lattice
    wrong = (
        int(np.count_nonzero(lattice.closed[known | shown] != shown)) if known.shape == shown.shape else -1
    )
    if wrong or len(np.unique(kept)) != len(kept):
        what = "rows were exchanged" if wrong <= 0 else f"{wrong:,} cells would say what was not read"
        raise PromiseNotMet(what, remedy=BUG)


def held(model: RowModel, shown: Aligned | Unaligned, population: Aligned | None = None) -> Verdict:
    """Ask a model about released rows; refuse to go on when its promise does not hold."""
    try:
        verdict = model.check(shown, population=population)
    except BadInput as problem:
        raise PromiseNotMet(
            f"{model.name} cannot be checked: {problem.what}", where=problem.where, remedy=problem.remedy
        ) from None
    if not verdict.holds:
        raise PromiseNotMet(str(verdict), remedy=BUG)
    return verdict
