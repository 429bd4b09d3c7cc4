"""Read sets of codes: one record for each person, whatever the layout of the file.

A record is the union over all rows of a person. Blanks around a code or a name are not part of it; a missing
or empty code is dropped and counted, and a person who has no other stays, as an empty record. Records are in
the order of the person column as text, or in that of the rows when each row is a person.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.codes.icd import Recognised, System, recognise
from sfumato.codes.reading.layouts import SetLayout
from sfumato.codes.reading.numbering import NOTHING, in_order, moved
from sfumato.codes.reading.pairs import pairs_of
from sfumato.codes.sets import CodeSets, Visits, slots_of
from sfumato.codes.tree import unknown_codes
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import Hierarchy


@dataclass(frozen=True)
class Counts:
    """What was seen on the way in."""

    rows: int
    """rows or lines of the source"""
    records: int
    """people"""
    occurrences: int
    """codes that all records hold together"""
    distinct: int
    """different codes"""
    missing: int = 0
    """codes that were missing or empty, and dropped"""
    repeated: int = 0
    """codes that their person's record held already"""
    empty: int = 0
    """records without any code"""
    suppressed: int = 0
    """occurrences of codes that were left out because nothing is known of them"""


@dataclass(frozen=True)
class ReadCodes:
    """What was read: the sets, the same by visit where there are visits, and what is worth knowing."""

    sets: CodeSets = field(repr=False)
    visits: Visits | None = field(repr=False)
    counts: Counts
    notes: tuple[str, ...] = ()
    recognised: Recognised | None = field(default=None, repr=False)
    people: pa.Array | None = field(default=None, repr=False)
    """who record r is, to join other tables about the same people; never to be shown"""
    first_row: NDArray[np.int64] | None = field(default=None, repr=False)
    """the first row, from 1 on, on which each code of the domain as it was read stands"""
    first_codes: tuple[str, ...] = field(default=(), repr=False)
    """the codes that ``first_row`` is about"""

    def row_of(self, codes: Iterable[str]) -> int | None:
        """Return the first row that one of some codes stands on; None where it is not known."""
        if self.first_row is None:
            return None
        wanted = {*codes}
        rows = [
            int(row) for code, row in zip(self.first_codes, self.first_row, strict=True) if code in wanted
        ]
        return min(rows, default=None)

    def known_to(self, hierarchy: Hierarchy) -> ReadCodes:
        """Leave out the codes that a hierarchy does not know, and count them."""
        strange = unknown_codes(hierarchy, self.sets.domain)
        if not strange:
            return self
        kept = np.ones(len(self.sets.domain), np.bool_)
        kept[list(strange)] = False
        sets = _without(self.sets, kept)
        visits = self.visits
        if visits is not None:
            visits = Visits(_without(visits.sets, kept), visits.owner)
        lost = self.sets.occurrences - sets.occurrences
        empty = int(np.count_nonzero(np.diff(sets.starts) == 0))
        counts = replace(
            self.counts,
            occurrences=sets.occurrences,
            distinct=len(sets.domain),
            empty=empty,
            suppressed=self.counts.suppressed + lost,
        )
        note = f"{_many(len(strange), 'code')} that the hierarchy does not know left out ({lost} occurrences)"
        return replace(self, sets=sets, visits=visits, counts=counts, notes=(*self.notes, note))


def read_codes(data: Any, layout: SetLayout, *, system: System | str | None = None) -> ReadCodes:
    """Read sets of codes from a table of an engine, a source, a path or a frame.

    Args:
        data: what holds the codes
        layout: how they lie there
        system: ``icd9cm`` or ``icd10cm``: write codes the one right way (see ``recognise``)

    >>> import pyarrow as pa
    >>> from sfumato.codes.reading import Long
    >>> visits = pa.table({"who": ["b", "a", "b", "b"], "code": ["401.1", None, " 295", "401.1"]})
    >>> found = read_codes(visits, Long("who", "code"))
    >>> list(found.sets), found.counts.empty, found.counts.repeated
    ([(), ('295', '401.1')], 1, 1)
    """
    pairs = pairs_of(data, layout)
    texts = pairs.texts.to_pylist()
    domain, where = in_order(texts, lambda text: text.strip() or None)
    notes = [*pairs.notes]
    recognised = None
    if system is not None and system != System.NONE:
        recognised = recognise(domain, system)
        notes += recognised.notes()
        written = dict(zip(domain, recognised.codes, strict=True))
        domain, where = in_order(texts, lambda text: written.get(text.strip()))
    codes = moved(pairs.code, where)
    there = codes != NOTHING
    sets = CodeSets.from_pairs(pairs.record[there], codes[there], domain, pairs.records)
    visits = None
    if pairs.visit is not None and pairs.owner is not None:
        by_visit = CodeSets.from_pairs(pairs.visit[there], codes[there], domain, len(pairs.owner))
        visits = Visits(by_visit, pairs.owner)
    counts = Counts(
        rows=pairs.rows,
        records=pairs.records,
        occurrences=sets.occurrences,
        distinct=len(domain),
        missing=int(np.count_nonzero(~there)),
        repeated=int(np.count_nonzero(there)) - sets.occurrences,
        empty=int(np.count_nonzero(np.diff(sets.starts) == 0)),
    )
    if not pairs.records:
        raise BadInput("there is no record", where=pairs.where, remedy="give a file with rows")
    first = np.full(len(domain), pairs.rows, np.int64)
    rows = np.arange(len(codes)) if pairs.row is None else pairs.row
    np.minimum.at(first, codes[there], rows[there] + 1)
    told = (*notes, *_told(counts))
    return ReadCodes(sets, visits, counts, told, recognised, pairs.people, first, tuple(domain))


def _told(counts: Counts) -> list[str]:
    """Say in sentences what was dropped."""
    found = []
    if counts.missing:
        found.append(f"{_many(counts.missing, 'missing or empty code')} dropped")
    if counts.repeated:
        found.append(f"{_many(counts.repeated, 'code')} stood in the record already")
    if counts.empty:
        found.append(f"{_many(counts.empty, 'record')} without any code kept, empty")
    return found


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _without(sets: CodeSets, kept: NDArray[np.bool_]) -> CodeSets:
    """Leave codes out of all records and of the domain."""
    where = np.where(kept, np.cumsum(kept) - 1, NOTHING)
    domain = tuple(code for code, keep in zip(sets.domain, kept.tolist(), strict=True) if keep)
    there = kept[sets.codes]
    return CodeSets.from_pairs(slots_of(sets.starts)[there], where[sets.codes[there]], domain, len(sets))
