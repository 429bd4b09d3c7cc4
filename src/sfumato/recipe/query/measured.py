"""What a release under differential privacy lost, measured against the people: for the steward alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.evidence import MeasureEvidence
from sfumato.core.evidence_query import MarginalEvidence, MeasuredTableEvidence
from sfumato.query.methods.contract import Attribute, Coded, DpSolution, NoisyTable
from sfumato.query.utility.marginals import MarginalDistance
from sfumato.query.utility.range_queries import RangeQueries
from sfumato.recipe.query.job import QueryJob
from sfumato.recipe.query.released_schema import as_declared, written_tables

Floats = NDArray[np.float64]
_MOST_BARS = 16
"""labels of a picture; wider domains are drawn in groups of neighbours"""
_LONGEST_LABEL = 16
_MOST_MARGINALS = 6
_WAYS = (1, 2)


def measures(job: QueryJob, people: Coded, solution: DpSolution, notes: list[str]) -> list[MeasureEvidence]:
    """Measure the distance of marginals, and the error of ranges over ordered columns."""
    found = []
    records = solution.records
    if records is None:
        pass
    elif not all(as_declared(job, attribute) for attribute in records.attributes):
        notes.append(
            "the distance of marginals was not measured: records show generalised values, which the domains "
            "of the database do not have"
        )
    else:
        for ways in _WAYS:
            if ways <= len(job.attributes):
                found += _distance(people, records, ways, notes)
    return [*found, *_ranges(job, people, solution)]


def _distance(people: Coded, records: Coded, ways: int, notes: list[str]) -> list[MeasureEvidence]:
    measure = MarginalDistance(ways)
    try:
        told = measure.measure(people, records)
    except BadInput as problem:
        notes.append(f"the distance of {ways}-way marginals was not measured: {problem.what}")
        return []
    return [
        MeasureEvidence(
            name=f"{measure.name}-{ways}",
            title=f"distance of {ways}-way marginals (L1)",
            value=float(told.value),
            range=measure.range,
            meaning=measure.meaning,
            details=dict(told.details),
        )
    ]


def _ranges(job: QueryJob, people: Coded, solution: DpSolution) -> Iterator[MeasureEvidence]:
    """Compare counts "from … to …" over every ordered column with the truth."""
    measure = RangeQueries()
    for attribute in job.attributes:
        released = _single(job, solution, attribute)
        if attribute.edges is None or released is None or not len(people.codes):
            continue
        told = measure.measure(people, NoisyTable((attribute.name,), released))
        yield MeasureEvidence(
            name=f"{measure.name}-{attribute.name}",
            title=f"{measure.title} of {attribute.name}",
            value=float(told.value),
            range=measure.range,
            meaning=measure.meaning,
            details=dict(told.details),
        )


def tables_measured(job: QueryJob, people: Coded, solution: DpSolution) -> list[MeasuredTableEvidence]:
    """Compare noisy tables over declared domains with the true counts."""
    found = []
    place = {attribute.name: i for i, attribute in enumerate(job.attributes)}
    for table, axes in written_tables(job, solution):
        if not all(as_declared(job, axis) for axis in axes):
            continue
        codes = [people.codes[:, place[axis.name]] for axis in axes]
        cells = np.ravel_multi_index(codes, table.counts.shape)
        true = np.bincount(cells, minlength=table.counts.size)
        error = float(np.sqrt(np.mean((table.counts.ravel() - true) ** 2)))
        found.append(
            MeasuredTableEvidence(
                columns=list(table.attributes),
                cells=table.counts.size,
                expected=table.error,
                measured=error,
            )
        )
    return found


def marginals(job: QueryJob, people: Coded, solution: DpSolution) -> list[MarginalEvidence]:
    """Return shares of people by single columns, before and after, for pictures."""
    found = []
    for place, attribute in enumerate(job.attributes):
        released = _single(job, solution, attribute)
        true = _counts(people, place)
        if released is None or not true.sum():
            continue
        groups = _grouped(attribute)
        before, after = _shares(true, groups), _shares(np.maximum(released, 0), groups)
        found.append(
            MarginalEvidence(
                name=attribute.name,
                labels=[_group_label(attribute, group) for group in groups],
                before=before,
                after=after,
            )
        )
    return found[:_MOST_MARGINALS]


def _counts(people: Coded, place: int) -> Floats:
    return np.bincount(people.codes[:, place], minlength=people.attributes[place].size).astype(np.float64)


def _single(job: QueryJob, solution: DpSolution, attribute: Attribute) -> Floats | None:
    """Return the released counts of one column: of the records, else of a table that holds the column."""
    records = solution.records
    if records is not None:
        place = job.released.index(attribute.name)
        return _counts(records, place) if as_declared(job, records.attributes[place]) else None
    holding = [
        (table, axes)
        for table, axes in written_tables(job, solution)
        if attribute.name in table.attributes and all(as_declared(job, axis) for axis in axes)
    ]
    if not holding:
        return None
    # The table with the fewest cells has the least noise to add up.
    table, _ = min(holding, key=lambda one: one[0].counts.size)
    others = tuple(i for i, name in enumerate(table.attributes) if name != attribute.name)
    return np.asarray(table.counts.sum(axis=others), np.float64)


def _grouped(attribute: Attribute) -> list[list[int]]:
    """Put neighbouring positions together where there are too many to draw; missing stays alone."""
    inside = attribute.size - 1
    bars = min(inside, _MOST_BARS)
    cuts = [inside * i // bars for i in range(bars + 1)] if bars else [0]
    return [*([*range(a, b)] for a, b in itertools.pairwise(cuts)), [inside]]


def _group_label(attribute: Attribute, group: Sequence[int]) -> str:
    first = attribute.labels[group[0]]
    if len(group) == 1 and len(first) <= _LONGEST_LABEL:
        return first
    # Of bins and of neighbours taken together it is enough to say where they begin.
    begins = first[1:].partition(", ")[0] if attribute.edges is not None and first.startswith("[") else first
    return f"{begins}…" if attribute.edges is not None or len(group) > 1 else first


def _shares(counts: Floats, groups: Sequence[Sequence[int]]) -> list[float]:
    total = float(counts.sum())
    return [float(counts[list(group)].sum()) / total if total else 0.0 for group in groups]
