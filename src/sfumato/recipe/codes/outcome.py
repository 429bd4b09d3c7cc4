"""Carry a job over sets of codes out up to the point where something is written: read, search, check."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sfumato.codes.contract import Problem, SetModel, Solution
from sfumato.codes.disassociated import Disassociated
from sfumato.codes.methods.best_of import BestOf, Tried
from sfumato.codes.published import PublishedSets
from sfumato.codes.reading import ReadCodes, read_codes
from sfumato.codes.reading.unknown import told_unknown, tree_over
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility.truthful import Truthfulness, truthful
from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.schema import Schema
from sfumato.core.verdict import Verdict
from sfumato.engine.contract import Engine, Table
from sfumato.recipe.codes.job import CodesJob, check_enforced
from sfumato.recipe.codes.layout import layout_of
from sfumato.recipe.codes.settled import settle
from sfumato.recipe.job import check_listed
from sfumato.recipe.kept_columns import refuse_identifying_codes

_BUG = "nothing was published; please report this as a bug"


@dataclass(frozen=True)
class Found:
    """What a job is about once its data were read."""

    table: Table
    read: ReadCodes
    problem: Problem
    notes: tuple[str, ...] = ()
    """what was mended, left out or guessed on the way"""
    population: CodeSets | None = None
    """the codes of everybody, if a list was given"""


@dataclass(frozen=True)
class CodesOutcome:
    """A job that is done but for the writing."""

    job: CodesJob
    found: Found
    solution: Solution
    verdicts: tuple[Verdict, ...]
    """what the independent check says in the house, one verdict for each model"""
    truth: Truthfulness | None
    """None where records are not published one to one"""
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        """What the method was handed."""
        return self.found.problem


def look_at(job: CodesJob, engine: Engine, progress: Progress = SILENT) -> Found:
    """Read the sets, lay the hierarchy over them, settle what is promised."""
    progress.step("reading")
    table = engine.read(job.source)
    check_listed(job.schema, table.names)
    read = read_codes(table, layout_of(table, job.schema, job.layout, job.separator), system=job.system)
    _refuse_nothing(read, job, "check the column with the codes, and the layout")
    if job.layout != "search-log":
        refuse_identifying_codes(job.codes[0], read.sets.domain)
    tree = None
    if job.hierarchy is not None:
        progress.step("laying the hierarchy over the codes")
        if job.unknown == "suppress":
            read = read.known_to(job.hierarchy)
            _refuse_nothing(read, job, "check the hierarchy: it knows none of the codes")
        tree = tree_over(job.hierarchy, read.sets.domain, job.unknown, read, job.codes[0])
        read = told_unknown(read, job.hierarchy, job.unknown)
    marked = read.sets.sensitive(job.sensitive) if job.sensitive else None
    progress.step("settling what is promised")
    settled = settle(job.models, job.utility, read, tree)
    check_enforced(job.method, settled.models)
    problem = Problem(read.sets, settled.models, tree, marked, settled.utility, read.visits)
    return Found(table, read, problem, (*read.notes, *settled.notes), _population(job, engine))


def _refuse_nothing(read: ReadCodes, job: CodesJob, remedy: str) -> None:
    """Nothing can be said of people without any code."""
    if not read.sets.occurrences:
        raise BadInput(
            f"{len(read.sets)} people and no code were read",
            where=f"column '{job.codes[0]}'",
            remedy=remedy,
        )


def _population(job: CodesJob, engine: Engine) -> CodeSets | None:
    """Read the codes of everybody; the list has the columns of the data, or some of them."""
    if job.population is None:
        return None
    table = engine.read(job.population)
    known = Schema(tuple(column for column in job.schema.fields if column.name in table.names))
    for name in job.codes:
        if name not in table.names:
            raise BadInput(
                f"the population has no column '{name}'",
                where="population",
                remedy=nearest(name, table.names),
            )
    layout = layout_of(table, known, job.layout, job.separator)
    return read_codes(table, layout, system=job.system).sets


def carry_out_codes(job: CodesJob, engine: Engine, progress: Progress = SILENT) -> CodesOutcome:
    """Read, search, and check what was found in the house."""
    started = time.perf_counter()
    found = look_at(job, engine, progress)
    read = time.perf_counter()
    progress.step(f"searching ({job.method.name})")
    if isinstance(job.method, BestOf):
        # The release is that of the method which was taken: evidence, recipe and report name it.
        tried = job.method.choose(found.problem, progress=progress)
        job, solution = replace(job, method=tried[0].method), _best(tried)
    else:
        solution = job.method.protect(found.problem, progress=progress)
    searched = time.perf_counter()
    if len(solution.published) != len(found.read.sets):
        raise PromiseNotMet(
            f"{len(found.read.sets)} records were read and {len(solution.published)} would be published",
            remedy=_BUG,
        )
    progress.step("checking in the house")
    verdicts = tuple(held(model, solution.published) for model in found.problem.models)
    truth = None
    if isinstance(solution.published, PublishedSets):
        truth = truthful(found.read.sets, solution.published)
        if not truth.holds:
            raise PromiseNotMet(str(truth), remedy=_BUG)
    else:
        _refuse_untrue_chunks(found.read.sets, solution.published)
    seconds = {
        "read": round(read - started, 3),
        "protect": round(searched - read, 3),
        "check in the house": round(time.perf_counter() - searched, 3),
    }
    return CodesOutcome(job, found, solution, verdicts, truth, seconds)


def _best(tried: Sequence[Tried]) -> Solution:
    """Return the best solution, with the loss of every method that was tried among its figures."""
    best = tried[0].solution
    assert best is not None, "a search that finds nothing raises"
    losses = {f"{one.method.name} tried": _loss(one) for one in tried}
    return Solution(best.published, {**best.details, **losses})


def _loss(tried: Tried) -> str:
    return "found nothing" if tried.loss is None else f"NCP {tried.loss:.4f}"


def _refuse_untrue_chunks(original: CodeSets, published: Disassociated) -> None:
    """No code may stand in chunks more often than people have it; one in a term chunk somebody must have."""
    had = dict(zip(original.domain, original.supports.tolist(), strict=True))
    shown = dict(zip(published.domain, published.supports.tolist(), strict=True))
    held = {published.domain[code] for part in published.clusters for code in part.held}
    invented = sum(code not in had or shown[code] > had[code] for code in held)
    if invented:
        raise PromiseNotMet(f"{invented} codes stand in chunks more often than people have them", remedy=_BUG)


def held(model: SetModel, published: PublishedSets | Disassociated, *, lost: int = 0) -> Verdict:
    """Ask a model about published sets; refuse to go on when its promise does not hold.

    ``lost`` counts records that a file cannot show, since nothing is left of them: shares of all records are
    others without them.
    """
    verdict = model.check(published)
    if not verdict.holds:
        remedy = _BUG
        if lost:
            remedy = (
                f"{lost} records without any item cannot be shown in the layout 'long': "
                "write 'cells' or 'lists'"
            )
        raise PromiseNotMet(str(verdict), remedy=remedy)
    return verdict
