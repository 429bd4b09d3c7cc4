"""Both files of fuzzy linkage in memory: what is compared with what, and whose rows they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.engine.contract import Table
from sfumato.table.attacks.contract import Knowledge, People
from sfumato.table.attacks.matching.blocking import Keys
from sfumato.table.attacks.matching.candidates import check_type, encoded
from sfumato.table.attacks.matching.compatible import Ints
from sfumato.table.attacks.matching.similarity_scores import Comparison, Days, Kind, Numbers, comparison, word
from sfumato.table.attacks.matching.true_matches import numbered_alike
from sfumato.table.published import PublishedTable


@dataclass(frozen=True)
class TwoFiles:
    """Both files in memory: distinct values by column, which row holds which, and whose rows they are."""

    columns: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    known: tuple[Ints, ...]
    released: tuple[Ints, ...]
    keys: tuple[Keys, ...]
    ids: tuple[Ints, Ints, NDArray[np.bool_]] | None
    """numbers of persons on both sides, and for each number whether the person is in the data"""

    @property
    def people(self) -> int:
        """Rows of the identified file."""
        return len(self.known[0])

    @property
    def records(self) -> int:
        """Rows of the release."""
        return len(self.released[0])

    @classmethod
    def read(
        cls,
        target: PublishedTable,
        people: People,
        knowledge: Knowledge,
        kinds: Mapping[str, str],
        day_first: bool | None,
    ) -> TwoFiles:
        """Read the common columns and prepare how they are compared."""
        for name in people.columns:
            if name not in target.table.names:
                raise BadInput(
                    f"the release has no column '{name}'", remedy=nearest(name, target.table.names)
                )
        ours, theirs = _rows(people.table, "the identified file"), _rows(target.table, "the release")
        comparisons, known, released, keys = [], [], [], []
        for name, own in people.columns.items():
            check_type(ours.column(own), own, "the identified file")
            check_type(theirs.column(name), name, "the release")
            values, value_of = encoded(ours.column(own))
            labels, label_of = encoded(theirs.column(name))
            kind = Kind(kinds[name]) if name in kinds else None
            found, kind = comparison(name, values, labels, knowledge.hierarchies.get(name), kind, day_first)
            comparisons.append(found)
            known.append(value_of)
            released.append(label_of)
            keys.append(_keys(name, found, values, labels, value_of, label_of))
        ids = _ids(ours, theirs, target, people, knowledge)
        return cls(tuple(people.columns), tuple(comparisons), tuple(known), tuple(released), tuple(keys), ids)

    def levels(self, left: Ints, right: Ints) -> list[NDArray[np.int8]]:
        """Compare pairs of rows, column by column."""
        return [
            each.levels(known[left], released[right])
            for each, known, released in zip(self.comparisons, self.known, self.released, strict=True)
        ]


def _keys(
    name: str, found: Comparison, values: list[object], labels: list[object], value_of: Ints, label_of: Ints
) -> Keys:
    """Give equal values on both sides equal keys; labels that may stand for several values have none."""
    if isinstance(found, Numbers | Days):
        exact = np.where(found.low == found.high, found.low, np.nan)
        both = np.concatenate([found.known, exact])
        numbers = np.unique(both, return_inverse=True, equal_nan=True)[1].astype(np.int64)
        numbers[np.isnan(both)] = -1
        known, released = numbers[: len(values)], numbers[len(values) :]
        places = (found.known[value_of], ((found.low + found.high) / 2)[label_of])
        return Keys(name, known[value_of], released[label_of], places)
    code_of: dict[str, int] = {}
    known = np.array([_code(word(value), code_of) for value in values], np.int64)
    released = np.array(
        [-1 if (text := word(label)) is None else code_of.get(text, -1) for label in labels], np.int64
    )
    return Keys(name, known[value_of], released[label_of])


def _code(text: str | None, code_of: dict[str, int]) -> int:
    return -1 if text is None else code_of.setdefault(text, len(code_of))


def _ids(
    ours: pa.Table, theirs: pa.Table, target: PublishedTable, people: People, knowledge: Knowledge
) -> tuple[Ints, Ints, NDArray[np.bool_]] | None:
    if people.person is None or target.person is None:
        return None
    columns = [ours.column(people.person), theirs.column(target.person)]
    original = knowledge.original
    if original is not None and original.person is not None:
        columns.append(original.table.engine.arrow(original.table).column(original.person))
    numbers, ids = numbered_alike(columns)
    inside = np.zeros(max(1, len(ids)), np.bool_)
    inside[numbers[-1][numbers[-1] >= 0]] = True
    return numbers[0], numbers[1], inside


def _rows(table: Table, what: str) -> pa.Table:
    rows = table.engine.arrow(table)
    if not rows.num_rows:
        raise BadInput(f"{what} has no rows", remedy="give one with at least one row")
    return rows
