"""Running a planned question: exact whole numbers from DuckDB, noise, and an answer.

Whatever the data are, this does the same things and cannot fail in a way that depends on them: public groups
that have no rows count 0, sums were proved to fit, empty groups get fixed values. A statement that the engine
nevertheless breaks off is answered as if there were no rows, noise and all, and only the owner's log says so:
an error would tell an analyst something about the data for free.

Questions are never stopped by a clock. How long one can take is bounded beforehand, by ``max_rows``,
``max_groups``, the limits on answers (``size``) and those on SQL.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.query.answer import Answer
from sfumato.query.estimates import Value, chosen, estimates
from sfumato.query.plan import NoisePlan, NoisyChoice, NoisyNumbers
from sfumato.query.question import Key, Question
from sfumato.query.remembered import Remembered
from sfumato.query.size import CUT, fitting
from sfumato.query.statement import of_histogram, of_numbers, without_numbers

KeyValue = str | int | bool | None
_LOG = logging.getLogger("sfumato.query")
Parsed = Remembered[str, duckdb.Statement]
"""the same question comes again with other numbers, and reading it may take longer than counting"""
SEEDED = "drawn from a test's generator: not to be published"
_FEW = 1000
"""up to so many public groups rows are taken as they are: the way over Arrow would take longer"""


@dataclass(frozen=True)
class Exact:
    """The exact whole numbers of a question: never shown to anybody, the input of the noise."""

    groups: tuple[tuple[KeyValue, ...], ...]
    """the keys of every group: all public ones, or those that are in the data"""
    numbers: tuple[NDArray[np.int64] | None, ...] = field(repr=False)
    """per measure: a row per number (shared ones last), a column per group (None for quantiles)"""
    histograms: tuple[tuple[NDArray[np.int64], ...] | None, ...] = field(repr=False)
    """per quantile: group, place and rows, in order of groups"""
    persons: NDArray[np.int64] | None = field(repr=False)
    """people per group, where groups are selected by them"""

    def histogram(self, measure: int, group: int, positions: int) -> NDArray[np.int64]:
        """Return how many rows of a group are at each place."""
        held = self.histograms[measure]
        assert held is not None
        groups, places, rows = held
        one = slice(int(np.searchsorted(groups, group)), int(np.searchsorted(groups, group, "right")))
        found = np.zeros(positions, np.int64)
        np.add.at(found, places[one], rows[one])
        return found


def parsed_statements(letters: int) -> Parsed:
    """Return a store for statements of one analyst: what others asked must not make a question faster."""
    return Parsed(letters, lambda text, _: len(text))


def check(planned: NoisePlan, shape: duckdb.DuckDBPyConnection, parsed: Parsed | None = None) -> None:
    """Refuse a question that the engine does not accept, by trying it on tables without rows."""
    cursor = shape.cursor()
    try:
        exact(planned, cursor, parsed)
    except duckdb.Error as problem:
        raise BadInput(
            f"the question cannot be computed ({type(problem).__name__})",
            where="question",
            remedy="write it in a simpler way",
        ) from None
    finally:
        cursor.close()


def exact(planned: NoisePlan, cursor: duckdb.DuckDBPyConnection, parsed: Parsed | None = None) -> Exact:
    """Compute the exact whole numbers."""
    reader = _Reader(cursor, parsed)
    keys = planned.question.keys
    groups = _public_groups(keys) if planned.selection is None else None
    number_of: dict[tuple[KeyValue, ...], int] | None = None
    statement = of_numbers(planned)
    columns: list[NDArray[np.int64]] = []
    places = np.zeros(0, np.int64)
    if statement is not None and groups is not None and len(groups) <= _FEW:
        shape, given = without_numbers(statement)
        found = cursor.execute(reader.parsed(shape), given).fetchall()
        # The first of two that are alike, as over Arrow.
        number_of_public = {group: i for i, group in reversed(list(enumerate(groups)))}
        places = np.array([number_of_public.get(row[: len(keys)], -1) for row in found], np.int64)
        cells = np.array([row[len(keys) :] for row in found], np.int64)
        columns = list(cells.reshape(len(found), _columns(planned)).T)
    elif statement is not None:
        table = reader.table(statement)
        if groups is None:
            groups, places, number_of = _found_groups(keys, table)
        else:
            places = _places(keys, table)
        columns = [_integers(table.column(i)) for i in range(len(keys), table.num_columns)]
    assert groups is not None
    spread = [_scatter(places, column, len(groups)) for column in columns]
    numbers: list[NDArray[np.int64] | None] = []
    histograms: list[tuple[NDArray[np.int64], ...] | None] = []
    for i, measure in enumerate(planned.measures):
        if isinstance(measure, NoisyNumbers):
            wanted = len(measure.numbers.aggregates) + len(measure.numbers.shared)
            taken = [spread.pop(0) for _ in range(wanted)]
            numbers.append(np.stack(taken) if taken else np.zeros((0, len(groups)), np.int64))
            histograms.append(None)
        else:
            table = reader.table(of_histogram(planned, i))
            at = _places(keys, table) if number_of is None else _known_places(table, len(keys), number_of)
            numbers.append(None)
            histograms.append(_sorted(at, *(_integers(table.column(len(keys) + j)) for j in (0, 1))))
    persons = spread.pop(0) if planned.selection is not None else None
    return Exact(tuple(groups), tuple(numbers), tuple(histograms), persons)


def _columns(planned: NoisePlan) -> int:
    """Return how many numbers the statement of a question with public groups asks for of each group."""
    return sum(
        len(each.numbers.aggregates) + len(each.numbers.shared)
        for each in planned.measures
        if isinstance(each, NoisyNumbers)
    )


def nothing(planned: NoisePlan) -> Exact:
    """Return the numbers of data without rows."""
    groups = () if planned.selection is not None else tuple(_public_groups(planned.question.keys))
    empty = np.zeros(0, np.int64)
    return Exact(
        groups,
        tuple(
            np.zeros((len(m.numbers.aggregates) + len(m.numbers.shared), len(groups)), np.int64)
            if isinstance(m, NoisyNumbers)
            else None
            for m in planned.measures
        ),
        tuple((empty, empty, empty) if isinstance(m, NoisyChoice) else None for m in planned.measures),
        None if planned.selection is None else empty,
    )


def read(planned: NoisePlan, cursor: duckdb.DuckDBPyConnection, parsed: Parsed | None = None) -> Exact:
    """Read the data for a question that is paid for; what cannot be read counts as if there were no rows."""
    try:
        return exact(planned, cursor, parsed)
    except duckdb.Error as problem:
        _LOG.error(
            "a question was answered as if there were no rows: the engine raised %s", type(problem).__name__
        )
        return nothing(planned)


def run(planned: NoisePlan, cursor: duckdb.DuckDBPyConnection, random: Random | None = None) -> Answer:
    """Answer a question that is paid for."""
    return noisy(planned, read(planned, cursor), random)


def names_of(question: Question) -> tuple[str, ...]:
    """Return the names of the answer's columns: keys, then measures."""
    return (*(key.name for key in question.keys), *(measure.name for measure in question.measures))


def unanswered(planned: NoisePlan) -> Answer:
    """Return what is stored where an answer could not be made: without it the question could be run again."""
    return Answer(
        names_of(planned.question),
        (),
        (),
        planned.price,
        data_set=planned.question.data_set,
        note="the question could not be answered; its price is spent",
    )


def noisy(planned: NoisePlan, held: Exact, random: Random | None = None) -> Answer:
    """Select groups where they are not public, add noise, and turn numbers into values with error bars."""
    told, cut = np.arange(len(held.groups)), False
    if planned.selection is not None:
        assert held.persons is not None
        told = np.flatnonzero(planned.selection.keep(held.persons, random))
        selected = sorted(told.tolist(), key=lambda i: _order(held.groups[i]))
        told = np.array(selected[: fitting(planned, (held.groups[i] for i in selected))], np.int64)
        cut = len(told) < len(selected)
    values: list[list[Value]] = []
    errors: list[Sequence[float | None]] = []
    for i, measure in enumerate(planned.measures):
        if isinstance(measure, NoisyChoice):
            values.append([_choose(measure, held, i, int(group), random) for group in told])
            errors.append([None] * len(told))
            continue
        numbers = held.numbers[i]
        assert numbers is not None
        picked = np.ascontiguousarray(numbers[:, told])
        if measure.noise is not None and picked.size:
            secret = picked[: len(measure.numbers.aggregates)]
            secret[...] = measure.noise.add(secret.ravel(), random).reshape(secret.shape)
        found, bars = estimates(measure, picked, len(told))
        values.append(found)
        errors.append(bars)
    question = planned.question
    groups = [held.groups[i] for i in told]
    return Answer(
        names_of(question),
        tuple((*group, *cells) for group, *cells in zip(groups, *values, strict=True)),
        tuple(zip(*errors, strict=True)),
        planned.price,
        data_set=question.data_set,
        note="; ".join([*([CUT] if cut else []), *([] if random is None or random.secret else [SEEDED])]),
    )


def _choose(measure: NoisyChoice, held: Exact, number: int, group: int, random: Random | None) -> Value:
    assert measure.measure.quantile is not None
    histogram = held.histogram(number, group, measure.candidates.positions)
    scores = measure.candidates.scores(histogram, measure.measure.quantile)
    return chosen(measure, measure.choice.choose(scores, random))


def statements(planned: NoisePlan) -> tuple[str, ...]:
    """Return all statements that the question runs."""
    numbers = of_numbers(planned)
    quantiles = [i for i, measure in enumerate(planned.measures) if isinstance(measure, NoisyChoice)]
    return (*([numbers] if numbers is not None else []), *(of_histogram(planned, i) for i in quantiles))


def _public_groups(keys: Sequence[Key]) -> list[tuple[KeyValue, ...]]:
    groups: list[tuple[KeyValue, ...]] = [()]
    for key in keys:
        values: list[KeyValue] = [*(key.values or ()), *([None] if key.missing else [])]
        groups = [(*group, value) for group in groups for value in values]
    return groups


def _places(keys: Sequence[Key], table: pa.Table) -> NDArray[np.int64]:
    """Return the number of each row's group among the public ones, −1 where it is none of them."""
    found = np.zeros(table.num_rows, np.int64)
    strange = np.zeros(table.num_rows, np.bool_)
    for i, key in enumerate(keys):
        column = table.column(i)
        known = pc.index_in(column, value_set=pa.array(key.values, column.type))
        at = pc.fill_null(known, -1).to_numpy().astype(np.int64)
        missing = column.is_null().to_numpy()
        at = np.where(missing, len(key.values or ()) if key.missing else -1, at)
        strange |= at < 0
        found = found * (len(key.values or ()) + key.missing) + at
    return np.where(strange, -1, found)


def _found_groups(
    keys: Sequence[Key], table: pa.Table
) -> tuple[list[tuple[KeyValue, ...]], NDArray[np.int64], dict[tuple[KeyValue, ...], int]]:
    """Return the groups that are in the data, without those whose public keys are not on the list."""
    found = list(zip(*(table.column(i).to_pylist() for i in range(len(keys))), strict=True))
    number_of: dict[tuple[KeyValue, ...], int] = {}
    places = np.full(len(found), -1, np.int64)
    # As sets: looking through long lists once for every group in the data could take hours.
    listed = [None if key.values is None else frozenset(key.values) for key in keys]
    for row, group in enumerate(found):
        if all(map(_allowed, keys, listed, group)):
            places[row] = number_of.setdefault(group, len(number_of))
    return list(number_of), places, number_of


def _allowed(key: Key, listed: frozenset[str | int | bool] | None, value: KeyValue) -> bool:
    if value is None:
        return key.missing
    return listed is None or value in listed


def _known_places(
    table: pa.Table, keys: int, number_of: dict[tuple[KeyValue, ...], int]
) -> NDArray[np.int64]:
    groups = zip(*(table.column(i).to_pylist() for i in range(keys)), strict=True)
    return np.array([number_of.get(group, -1) for group in groups], np.int64)


@dataclass(frozen=True)
class _Reader:
    """Runs statements, and remembers how the engine reads them where there is something to remember it in."""

    cursor: duckdb.DuckDBPyConnection
    remembered: Parsed | None

    def table(self, statement: str) -> pa.Table:
        shape, given = without_numbers(statement)
        return self.cursor.sql(self.parsed(shape), params=given).to_arrow_table()

    def parsed(self, statement: str) -> duckdb.Statement:
        """Return a statement as the engine reads it: no part of a connection, not changed by running."""
        if self.remembered is None:
            return self.cursor.extract_statements(statement)[0]
        return self.remembered.get(statement, lambda: self.cursor.extract_statements(statement)[0])


def _integers(column: pa.ChunkedArray) -> NDArray[np.int64]:
    found: NDArray[np.int64] = column.to_numpy().astype(np.int64)
    return found


def _scatter(places: NDArray[np.int64], values: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    found = np.zeros(size, np.int64)
    inside = places >= 0
    found[places[inside]] = values[inside]
    return found


def _sorted(
    groups: NDArray[np.int64], places: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], ...]:
    inside = np.flatnonzero(groups >= 0)
    order = inside[np.argsort(groups[inside], kind="stable")]
    return groups[order], places[order], rows[order]


def _order(group: tuple[KeyValue, ...]) -> tuple[tuple[int, float, str], ...]:
    """Order groups by their keys, missing last: never by anything that the data decide."""
    return tuple(
        (2, 0.0, "")
        if value is None
        else (1, 0.0, value)
        if isinstance(value, str)
        else (0, float(value), "")
        for value in group
    )


__all__ = [
    "Exact",
    "Parsed",
    "check",
    "exact",
    "names_of",
    "noisy",
    "nothing",
    "parsed_statements",
    "read",
    "run",
    "statements",
    "unanswered",
]
