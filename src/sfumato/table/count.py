"""From counted groups of raw values to cells of small integers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import Domain
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.table.cells import Cells, Histogram, Spans

Watched = tuple[str, tuple[str, ...]]
"""a sensitive column, and the columns that an adversary knows besides the quasi-identifiers"""


@dataclass(frozen=True)
class Counted:
    """Cells, and the Arrow type that each quasi-identifier has in its engine."""

    cells: Cells
    types: tuple[pa.DataType, ...]


class _Coder:
    """Gives codes to the values of one column as they come by; missing is a value of its own."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._codes: dict[Any, int] = {}
        self.type: pa.DataType = pa.null()

    def encode(self, column: pa.Array) -> NDArray[np.int32]:
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        self.type = column.type
        encoded = pc.dictionary_encode(column, null_encoding="encode")
        codes = self._codes
        lookup = np.fromiter(
            (codes.setdefault(value, len(codes)) for value in encoded.dictionary.to_pylist()), np.int32
        )
        found: NDArray[np.int32] = lookup[encoded.indices.to_numpy(zero_copy_only=False)]
        return found

    def moved_to(self, domain: Domain) -> NDArray[np.int32]:
        """Return where each provisional code went in a domain that holds all the values."""
        code_of = {value: code for code, value in enumerate(domain.values)}
        return np.array([code_of[value] for value in self._codes], np.int32)

    def finish(self) -> tuple[Domain, NDArray[np.int32]]:
        """Return the sorted domain and where each provisional code went."""
        domain = Domain.of(self._name, self._codes)
        return domain, self.moved_to(domain)


def count(
    table: Table,
    quasi: Sequence[str],
    *,
    person: str | None = None,
    watched: Iterable[Watched] = (),
    population: Table | None = None,
    population_person: str | None = None,
) -> Counted:
    """Group a table by its quasi-identifiers and lay the groups out as cells.

    ``watched`` are the sensitive columns that rules ask about, each with the columns known besides.
    With a ``population`` its combinations become cells too; ``population_person`` is its column that
    names people.
    """
    if not quasi:
        raise BadInput(
            "no column is a quasi-identifier", remedy="say which columns an adversary may know from elsewhere"
        )
    watched = tuple(watched)
    needed = {*quasi, *(name for column, known in watched for name in (column, *known))}
    for column in table.columns:
        if column.name in needed and column.type == "other":
            raise BadInput(
                "its values are neither texts nor numbers, dates or truth values",
                where=f"column '{column.name}'",
                remedy="turn them into text or columns of their own, or give it another role",
            )
    coders = [_Coder(name) for name in quasi]
    codes, rows, persons = _encode(table.engine.count(table, quasi, person=person), coders)
    if codes.shape[1] == 0:
        raise BadInput("the table has no rows", remedy="give a table with at least one row")
    types = tuple(coder.type for coder in coders)
    matching = None
    if population is not None:
        batches = population.engine.count(population, quasi, person=population_person)
        everybody, _, matching = _encode(batches, coders)
        codes, rows, persons, matching = _united(codes, rows, persons, everybody, matching)
    domains = _settle(codes, coders)
    order = _in_order(codes, domains)
    for column in codes:
        column[:] = column[order]
    same = person is None or np.array_equal(rows, persons)
    rows = rows[order]
    persons = rows if same else persons[order]
    place = CellIndex(codes, domains)
    spans = None
    if person is not None:
        spans = _spans(table.engine.spans(table, quasi, person), domains, place)
    population_spans = None
    if population is not None and population_person is not None:
        batches = population.engine.spans(population, quasi, population_person)
        population_spans = _spans(batches, domains, place)
    return Counted(
        Cells(
            domains,
            codes,
            rows,
            persons,
            spans,
            tuple(
                histogram
                for column, known in watched
                for histogram in _histograms(
                    table, place, domains, column, known, person, spanning=spans is not None or bool(known)
                )
            ),
            None if matching is None else matching[order],
            population_spans,
        ),
        types,
    )


def _settle(codes: NDArray[np.int32], coders: Sequence[_Coder]) -> tuple[Domain, ...]:
    """Sort the values of every column and give the codes anew, in place."""
    finished = [coder.finish() for coder in coders]
    for j, (_, moved) in enumerate(finished):
        codes[j] = moved[codes[j]]
    return tuple(domain for domain, _ in finished)


def _united(
    codes: NDArray[np.int32],
    rows: NDArray[np.int64],
    persons: NDArray[np.int64],
    everybody: NDArray[np.int32],
    matching: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Join the cells of a table and of its population; either may lack some of the other's."""
    both, place = np.unique(np.concatenate([codes, everybody], axis=1), axis=1, return_inverse=True)
    own, others = place[: codes.shape[1]], place[codes.shape[1] :]
    found = [np.zeros(both.shape[1], np.int64) for _ in range(3)]
    for total, counted, where in zip(found, (rows, persons, matching), (own, own, others), strict=True):
        total[where] = counted
    return np.ascontiguousarray(both), found[0], found[1], found[2]


class CellIndex:
    """Finds where a combination of codes stands; cells are sorted, other lists need not be."""

    def __init__(
        self, codes: NDArray[np.int32], domains: tuple[Domain, ...], *, in_order: bool = True
    ) -> None:
        self._sizes = [len(domain) for domain in domains]
        self._packs = math.prod(self._sizes) < 2**63
        self._order: NDArray[np.int64] | None = None
        if not self._packs:
            self._cell_of = {tuple(cell): i for i, cell in enumerate(codes.T.tolist())}
            return
        self._keys = self._pack(codes)
        if not in_order:
            self._order = np.argsort(self._keys)
            self._keys = self._keys[self._order]

    def _pack(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        key = np.zeros(codes.shape[1], np.int64)
        for column, size in zip(codes, self._sizes, strict=True):
            key = key * size + column
        return key

    def __len__(self) -> int:
        return len(self._keys if self._packs else self._cell_of)

    def find(self, codes: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return the places of combinations that are known to exist."""
        if not self._packs:
            return np.array([self._cell_of[tuple(cell)] for cell in codes.T.tolist()], np.int64)
        found = np.searchsorted(self._keys, self._pack(codes))
        return found if self._order is None else self._order[found]


def _histograms(
    table: Table,
    place: CellIndex,
    domains: tuple[Domain, ...],
    column: str,
    known: tuple[str, ...],
    person: str | None,
    *,
    spanning: bool,
) -> Iterator[Histogram]:
    """Count who has which value of a sensitive column in every cell; also in rows, where that differs."""
    names = [domain.name for domain in domains]
    coders = [_Coder(name) for name in (*names, *known, column)]
    batches = table.engine.count(table, [*names, *known, column], person=person)
    codes, rows, persons = _encode(batches, coders)
    width = len(domains)
    for j, domain in enumerate(domains):
        codes[j] = coders[j].moved_to(domain)[codes[j]]
    last = _settle(codes[width:], coders[width:])
    cell = place.find(codes[:width])
    combinations, group = np.unique(codes[width:-1], axis=1, return_inverse=True)
    if not known:
        combinations, group = np.zeros((0, 1), np.int32), np.zeros(codes.shape[1], np.int64)
    groups = tuple(
        tuple(domain.values[code] for domain, code in zip(last[:-1], combination, strict=True))
        for combination in combinations.T
    )
    keys = group.astype(np.int64) * len(last[-1]) + codes[-1]
    order = np.lexsort((keys, cell))
    starts = np.searchsorted(cell[order], np.arange(len(place) + 1)).astype(np.int64)
    spans = value_spans = None
    if spanning and person is not None:
        entries = CellIndex(codes[:, order], (*domains, *last), in_order=False)
        batches = table.engine.spans(table, [*names, *known, column], person)
        numbers, combined = _spanning(batches, (*domains, *last))
        entry = entries.find(combined) if len(numbers) else np.zeros(0, np.int64)
        spans = _entry_spans(numbers, entry, keys[order])
        value_spans = _entry_spans(numbers, entry, keys[order] % len(last[-1])) if known else spans
    yield Histogram(
        last[-1], known, groups, starts, keys[order], persons[order], spans=spans, value_spans=value_spans
    )
    if person is not None:
        yield Histogram(last[-1], known, groups, starts, keys[order], rows[order], in_rows=True)


def _entry_spans(
    numbers: NDArray[np.int64], entry: NDArray[np.int64], keys: NDArray[np.int64]
) -> Spans | None:
    """Find the entries of persons who have the same key in several of them; ``numbers`` are the persons."""
    if not len(numbers):
        return None
    order = np.lexsort((entry, keys[entry], numbers))
    numbers, entry = numbers[order], entry[order]
    new = np.ones(len(entry), np.bool_)
    new[1:] = (np.diff(numbers) != 0) | (np.diff(keys[entry]) != 0)
    starts = np.append(np.flatnonzero(new), len(entry)).astype(np.int64)
    several = np.repeat(np.diff(starts) > 1, np.diff(starts))
    sizes = np.diff(starts)[np.diff(starts) > 1]
    if not several.any():
        return None
    return Spans(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), entry[several].astype(np.int64))


def _in_order(codes: NDArray[np.int32], domains: tuple[Domain, ...]) -> NDArray[np.int64]:
    """Sort the cells: engines return groups in any order, and methods are to decide the same every time."""
    if math.prod(len(domain) for domain in domains) >= 2**63:
        return np.lexsort(codes[::-1])
    key = np.zeros(codes.shape[1], np.int64)
    for column, domain in zip(codes, domains, strict=True):
        key *= len(domain)
        key += column
    return np.argsort(key)


def _encode(
    batches: Iterable[pa.RecordBatch], coders: list[_Coder]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    m = len(coders)
    parts: list[list[NDArray[np.int32]]] = [[] for _ in coders]
    counts: list[NDArray[np.int64]] = []
    heads: list[NDArray[np.int64]] = []
    for batch in batches:
        for j, coder in enumerate(coders):
            parts[j].append(coder.encode(batch.column(j)))
        counts.append(batch.column(m).to_numpy(zero_copy_only=False).astype(np.int64))
        heads.append(batch.column(m + 1).to_numpy(zero_copy_only=False).astype(np.int64))
    if not counts:
        empty = np.empty(0, np.int64)
        return np.empty((m, 0), np.int32), empty, empty
    codes = np.empty((m, sum(map(len, counts))), np.int32)
    for j in range(m):
        np.concatenate(parts[j], out=codes[j])
        parts[j].clear()
    return codes, np.concatenate(counts), np.concatenate(heads)


def _spanning(
    batches: Iterator[pa.RecordBatch], domains: tuple[Domain, ...]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Read who lies in more than one combination: numbers of persons, and the codes of each."""
    code_of = [{value: code for code, value in enumerate(domain.values)} for domain in domains]
    numbers: list[int] = []
    columns: list[list[int]] = [[] for _ in domains]
    for batch in batches:
        numbers.extend(batch.column(0).to_pylist())
        for j, found in enumerate(columns):
            found.extend(code_of[j][value] for value in batch.column(j + 1).to_pylist())
    return np.array(numbers, np.int64), np.array(columns, np.int32).reshape(len(domains), len(numbers))


def _spans(batches: Iterator[pa.RecordBatch], domains: tuple[Domain, ...], place: CellIndex) -> Spans | None:
    """Find the cells of persons who lie in more than one."""
    numbers, codes = _spanning(batches, domains)
    if not len(numbers):
        return None
    changes = np.flatnonzero(np.diff(numbers)) + 1
    starts = np.concatenate([[0], changes, [len(numbers)]]).astype(np.int64)
    return Spans(starts, place.find(codes))
