"""The table about the nodes: joined with them, protected by the table room, and written beside their edges.

Every node keeps its row: a suppressed one says nothing (``*`` for quasi-identifiers, nothing for sensitive
values). Rows come in the order of the new numbers, which are drawn at random.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core import evidence as ev
from sfumato.core.describe import verdict_told
from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput, PromiseNotMet
from sfumato.core.evidence_graph import PeopleTableEvidence
from sfumato.core.fingerprint import sha256_of
from sfumato.core.named import parameters_of
from sfumato.core.progress import SILENT, Progress, Within
from sfumato.core.schema import Schema
from sfumato.core.verdict import Threat, Verdict
from sfumato.engine import open_engine
from sfumato.engine.contract import Engine, Order
from sfumato.engine.sources import Frame
from sfumato.graph.network import Network
from sfumato.graph.reading import Read, with_nodes
from sfumato.graph.reading.published import NODE
from sfumato.hierarchy.ladder import Ladder
from sfumato.recipe.graph.people_file import open_people
from sfumato.recipe.graph.people_job import PeopleJob
from sfumato.recipe.job import Job, check_listed
from sfumato.recipe.known_columns import refuse_unconfirmed
from sfumato.recipe.outcome import Outcome, carry_out
from sfumato.recipe.released_schema import ReleasedSchema, released_schema
from sfumato.recipe.warned_columns import exposures_of
from sfumato.table.published import PublishedTable, numbered
from sfumato.table.utility.measures import MEASURES

NONE_SUPPRESSED = (
    "so few rows of the table about nodes would have been suppressed that they would have stood out: none was"
)
_ASK_LESS = "promise less about the table, give coarser hierarchies, or make a quasi-identifier an identifier"
BUG = "nothing was published; please report this as a bug"
STEM = "people"
_OF_TABLES = ("gcp", "loss-metric")
"""the measures of tables that are told beside those of networks"""


@dataclass(frozen=True, eq=False)
class PeopleOutcome:
    """A protected table: row v is about node v of what was read."""

    job: PeopleJob
    table: pa.Table = field(repr=False)
    schema: ReleasedSchema = field(repr=False)
    blanked: int
    """nodes of which nothing is said"""
    utility: list[ev.MeasureEvidence] = field(default_factory=list)
    """what the table has lost"""
    notes: tuple[str, ...] = ()
    """what the steward should know of how it was protected"""
    exposure: tuple[ev.ColumnExposure, ...] = ()
    """of columns that are no quasi-identifiers, when one is known, too"""


@dataclass(frozen=True)
class PeopleWritten:
    """The table as it was written and read again."""

    schema: ReleasedSchema
    held: tuple[Verdict, ...]
    verdicts: list[ev.VerdictEvidence]
    """the same, as evidence tells them"""
    evidence: PeopleTableEvidence


def joined(people: PeopleJob, read: Read, label: str | None = None) -> Read:
    """Join the table with the nodes of a network by their names.

    Somebody who has a row and no edge is a node without edges; a node without a row is an error.
    """
    with contextlib.closing(open_engine("duckdb")) as engine:
        found = engine.read(people.source)
        check_listed(Schema(people.fields), found.names)
        table = engine.arrow(found)
    try:
        return with_nodes(read, table, name=people.name, labels=label, isolated="add")
    except BadInput as problem:
        # What is not in the source is nothing that a recipe could say.
        remedy = "give a row for each node, spelt as in the network"
        told = problem.remedy if "without_row" not in problem.remedy else remedy
        raise BadInput(
            problem.what, where=f"the table about nodes, column '{people.name}'", remedy=told
        ) from None


def label_tree(people: PeopleJob, label: str, network: Network) -> Ladder | None:
    """Lay the hierarchy of the column of labels over the labels of a network, in their order."""
    if people.label_hierarchy is None:
        return None
    # A missing label is written as nothing.
    words = [word or None for word in network.words]
    domain = Domain.of(label, words)
    place = {value: code for code, value in enumerate(domain.values)}
    ladder = people.label_hierarchy.ladder(domain)
    order = np.array([place[word] for word in words], np.int64)
    return replace(ladder, rungs=np.ascontiguousarray(ladder.rungs[:, order]))


def carry_out_people(people: PeopleJob, read: Read, progress: Progress = SILENT) -> PeopleOutcome | None:
    """Protect the rows of all nodes; None where nothing of the table is released."""
    if people.job is None:
        return None
    if read.attributes is None or read.attributes.num_rows != read.network.nodes:
        raise PromiseNotMet("the table is not joined with the nodes", remedy=BUG)
    progress.step(f"protecting the table about nodes ({people.job.method.name})")
    numbers = pa.array(np.arange(1, read.network.nodes + 1, dtype=np.int64))
    rows = read.attributes.select([name for name in people.released if name != NODE])
    job = replace(people.job, source=Frame(rows.add_column(0, NODE, numbers)))
    with contextlib.closing(open_engine("duckdb")) as engine:
        outcome = _protected(job, engine, Within(progress))
        found = engine.arrow(outcome.protected.table, order=Order.KEPT)
        schema = released_schema(outcome, STEM)
        exposure = _exposure(outcome, outcome.protected.published(engine.read(Frame(found))))
        solution = outcome.protected.solution
        utility = [
            ev.MeasureEvidence(
                name=f"people-{measure.name}",
                title=f"table about nodes: {measure.title}",
                value=value,
                range=measure.range,
                meaning=measure.meaning,
            )
            for measure in MEASURES
            if measure.name in _OF_TABLES and (value := measure.of(solution)) is not None
        ]
        blanked = solution.suppressed_rows
        notes = () if outcome.job.method == job.method else (NONE_SUPPRESSED,)
    found = found.take(pc.sort_indices(found.column(NODE)))
    if found.column_names != list(people.released) or not found.column(NODE).combine_chunks().equals(numbers):
        raise PromiseNotMet("the protected table does not have a row for each node", remedy=BUG)
    return PeopleOutcome(people, found, schema, blanked, utility, notes, exposure)


def _exposure(outcome: Outcome, released: PublishedTable) -> tuple[ev.ColumnExposure, ...]:
    """Look at the columns that are no quasi-identifiers; the number of a node is drawn, and tells nothing."""
    found = tuple(one for one in exposures_of(outcome, released) if one.column != NODE)
    try:
        refuse_unconfirmed(found)
    except PromiseNotMet as problem:
        problem.where = f"the table about nodes, {problem.where}"
        raise
    return found


def _protected(job: Job, engine: Engine, progress: Progress) -> Outcome:
    """Protect the rows. Those that are suppressed stay as a class of their own, and a few of them cannot keep
    a promise: then none is suppressed, which a limit always allows."""
    try:
        return carry_out(job, engine, progress)
    except PromiseNotMet as problem:
        method: Any = job.method
        if getattr(method, "suppress", None):
            with contextlib.suppress(PromiseNotMet):
                return carry_out(replace(job, method=replace(method, suppress=0.0)), engine, progress)
        problem.where = ", ".join(part for part in ("the table about nodes", problem.where) if part)
        if "suppress" in problem.remedy:
            problem.remedy = _ASK_LESS
        raise


def write_people(people: PeopleOutcome, node: NDArray[np.int64], folder: Path, format_: str) -> PeopleWritten:
    """Write the table under the new numbers of nodes, read it again and check what is promised about it.

    ``node[v]`` is the new number of node v, from 0; files count from 1.
    """
    name = f"{STEM}.parquet" if format_ == "parquet" else f"{STEM}.csv"
    path = folder / name
    place = np.argsort(node)
    table = people.table.take(pa.array(place))
    table = table.set_column(0, NODE, pa.array(np.sort(node) + 1))
    schema = people.schema.model_copy(update={"file": name})
    with contextlib.closing(open_engine("duckdb")) as engine:
        rows = engine.write(engine.read(Frame(table)), path, order=Order.KEPT)
        verdicts = _held(people, path, schema, engine)
    return PeopleWritten(
        schema,
        tuple(verdicts),
        [
            verdict_told(model, verdict, parameters_of(model))
            for model, verdict in zip(people.job.models, verdicts, strict=True)
        ],
        PeopleTableEvidence(
            file=name,
            rows=rows,
            columns=table.column_names,
            blanked=people.blanked,
            sha256=sha256_of(path),
            exposure=list(people.exposure),
        ),
    )


def _held(people: PeopleOutcome, path: Path, schema: ReleasedSchema, engine: Engine) -> Sequence[Verdict]:
    """Ask every promise about what was written; refuse to go on where one does not hold."""
    published = open_people(path, schema, people.blanked, engine)
    found = []
    for model in people.job.models:
        verdict = model.check(published)
        if not verdict.holds:
            raise PromiseNotMet(
                str(verdict),
                where="the table about nodes",
                remedy="nothing was published; suppressed rows stay as a class, which may break the promise: "
                "ask for a little more, or let the method suppress less",
            )
        found.append(verdict)
    return found


def joint_risk(people: PeopleOutcome, degrees: NDArray[np.int64]) -> list[ev.RiskFigure]:
    """Count the nodes that stand alone by what the table shows of them, and by that and their degree.

    Both promises hold apart from each other, and neither bounds this: it is told to the steward.
    """
    quasi = [people.table.column(name) for name in people.schema.quasi]
    classes = numbered(quasi)
    both = numbered([pa.chunked_array([pa.array(classes)]), pa.chunked_array([pa.array(degrees)])])
    told = (
        (
            "alone-by-table",
            "alone by the table",
            classes,
            "share of nodes that nobody else shares all quasi-identifiers with, as they are released",
        ),
        (
            "alone-by-table-and-degree",
            "alone by the table and their number of neighbours",
            both,
            "share of nodes that nobody else shares quasi-identifiers and degree with, as they are released",
        ),
    )
    return [
        ev.RiskFigure(
            name=name,
            title=title,
            threat=str(Threat.IDENTITY),
            value=float((np.bincount(number) == 1).sum() / len(number)),
            meaning=meaning,
        )
        for name, title, number, meaning in told
    ]
