"""Who has which codes: one set for each person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput


def read_only(array: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """Return an array of a kind that nobody can write to; kernels are compiled for such arrays."""
    array = np.ascontiguousarray(array, dtype=kind).view()
    array.flags.writeable = False
    return array


def slots_of(starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for every slot of a ragged array the row that it belongs to.

    >>> slots_of(np.array([0, 2, 2, 3])).tolist()
    [0, 0, 2]
    """
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int64), np.diff(starts))


def distinct(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return whole numbers ascending, each once: by sorting, many times faster here than ``np.unique``.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered: NDArray[np.int64] = np.sort(keys)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def _texts(record: Any, row: int) -> list[str]:
    """Return the codes of a record; refuse what is not a collection of texts."""
    if isinstance(record, Iterable) and not isinstance(record, str):
        codes = list(record)
        if all(isinstance(code, str) for code in codes):
            return codes
    raise BadInput("a record is not a list of codes as texts", where=f"record {row}", remedy="list its codes")


@dataclass(frozen=True)
class CodeSets:
    """A set of codes for each person: record r holds ``codes[starts[r]:starts[r + 1]]``.

    A code is a position in ``domain``, the distinct codes in their order as text. Within a record codes
    ascend and none stands twice. A record may be empty. Every code of the domain occurs at least once,
    unless records were taken out of a larger collection (``take``).

    >>> sets = CodeSets.of([["401.1", "401.0", "401.1"], ["295"]])
    >>> sets.domain, sets.record(0), sets.supports.tolist()
    (('295', '401.0', '401.1'), ('401.0', '401.1'), [1, 1, 1])
    """

    domain: tuple[str, ...] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)
    codes: NDArray[np.int32] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "starts", read_only(self.starts, np.int64))
        object.__setattr__(self, "codes", read_only(self.codes, np.int32))

    @classmethod
    def of(cls, records: Iterable[Iterable[str]]) -> CodeSets:
        """Take sets of codes as they are; duplicates within a record count once."""
        listed = [sorted(set(_texts(record, row))) for row, record in enumerate(records, 1)]
        domain = tuple(sorted({code for record in listed for code in record}))
        place = {code: position for position, code in enumerate(domain)}
        starts = np.zeros(len(listed) + 1, np.int64)
        np.cumsum([len(record) for record in listed], out=starts[1:])
        codes = np.array([place[code] for record in listed for code in record], np.int32)
        return cls(domain, starts, codes)

    @classmethod
    def from_pairs(
        cls,
        record_of: NDArray[np.integer[Any]],
        code_of: NDArray[np.integer[Any]],
        domain: Sequence[str],
        records: int,
    ) -> CodeSets:
        """Gather pairs (record, code): each is one line of a long table. Duplicates count once.

        ``domain`` must be sorted as text and distinct.
        """
        keys = distinct(record_of.astype(np.int64) * len(domain) + code_of.astype(np.int64))
        owner = keys // len(domain) if len(domain) else keys
        starts = np.zeros(records + 1, np.int64)
        np.cumsum(np.bincount(owner, minlength=records), out=starts[1:])
        return cls(tuple(domain), starts, (keys - owner * len(domain)).astype(np.int32))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __repr__(self) -> str:
        """Say how much there is; codes of raw data are not printed."""
        return f"CodeSets({len(self)} records, {len(self.domain)} codes)"

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (self.record(r) for r in range(len(self)))

    def record(self, r: int) -> tuple[str, ...]:
        """Return the codes of one record."""
        return tuple(self.domain[c] for c in self.codes[self.starts[r] : self.starts[r + 1]].tolist())

    @property
    def occurrences(self) -> int:
        """How many codes all records hold together."""
        return len(self.codes)

    @cached_property
    def supports(self) -> NDArray[np.int64]:
        """In how many records each code stands."""
        return read_only(np.bincount(self.codes, minlength=len(self.domain)), np.int64)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {code: position for position, code in enumerate(self.domain)}

    def positions(self, codes: Iterable[str]) -> tuple[int, ...]:
        """Return where codes stand in the domain, ascending; codes that never occur are left out."""
        return tuple(sorted({self._place[code] for code in codes if code in self._place}))

    def take(self, rows: NDArray[np.integer[Any]]) -> CodeSets:
        """Return some of the records in the order given, over the same domain."""
        rows = np.asarray(rows, np.int64)
        lengths = np.diff(self.starts)[rows]
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(lengths, out=starts[1:])
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        return CodeSets(self.domain, starts, self.codes[np.repeat(self.starts[rows], lengths) + inside])

    def sensitive(self, codes: Iterable[str]) -> NDArray[np.bool_]:
        """Mark codes of the domain; refuse any that never occurs, without naming it."""
        wanted = list(dict.fromkeys(codes))
        strange = sum(code not in self._place for code in wanted)
        if strange:
            raise BadInput(
                f"{strange} of {len(wanted)} sensitive codes never occur in the data",
                where="sensitive codes",
                remedy="check how they are written",
            )
        marked = np.zeros(len(self.domain), np.bool_)
        marked[list(self.positions(wanted))] = True
        return read_only(marked, np.bool_)


@dataclass(frozen=True)
class Visits:
    """The same codes by visit: visit v holds ``sets`` record v and belongs to person ``owner[v]``.

    ``owner`` gives positions of records in the ``CodeSets`` of the people; both have the same domain.
    """

    sets: CodeSets
    owner: NDArray[np.int64] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "owner", read_only(self.owner, np.int64))
