"""The rows of a randomised column as an adversary reads them: what is shown, and by which matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from sfumato.core.attack import MOST_VICTIMS
from sfumato.core.domain import as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import ROOT
from sfumato.table.attacks.contract import Knowledge
from sfumato.table.attacks.inference.randomised_parts import Part, parts_of, randomised_column
from sfumato.table.attacks.matching.truth import Truth, true_values
from sfumato.table.published import PublishedTable


@dataclass(frozen=True, eq=False)
class Seen:
    """What is shown of some people, how many they are, and what they truly have where that is known."""

    part: Part
    codes: tuple[int, ...]
    """the values that are shown: one, or those of all rows of a person"""
    people: int
    true: dict[str | None, int] | None = field(repr=False)
    found_by: pa.Table = field(repr=False)
    """what their rows hold in some columns"""


@dataclass(frozen=True)
class RandomisedRows:
    """Everything that a release shows of one randomised column."""

    column: str
    seen: list[Seen]
    counts: dict[Part, tuple[int, ...]]
    """how often each value of a part is shown in the release"""
    truth: bool
    not_attacked: int
    note: str

    @property
    def most_frequent(self) -> tuple[str | None, ...]:
        """The values that the release shows most often."""
        total: dict[str | None, int] = {}
        for part, counts in self.counts.items():
            for value, count in zip(part.values, counts, strict=True):
                total[value] = total.get(value, 0) + count
        return tuple(value for value, count in total.items() if count == max(total.values()))


def randomised_rows(
    target: PublishedTable, knowledge: Knowledge, column: str | None, attack: str
) -> RandomisedRows:
    """Count what the rows of a randomised column show, beside the true values where persons are known."""
    column = randomised_column(target, column, attack)
    parts = parts_of(column, target)
    by = next((part.where[0] for part in parts.values() if part.where is not None), None)
    names = [column] if by is None else [by, column]
    found = _counted(target, names, attack)
    counts = {part: [0] * len(part.values) for part in parts.values()}
    shown: dict[tuple[Part, int], pa.Table] = {}
    not_attacked = 0
    keys = _texts(found.columns[: len(names)])
    for i, (key, many) in enumerate(zip(keys, found.column(len(names)).to_pylist(), strict=True)):
        place = _place(key, parts, column, by)
        if place is None:
            not_attacked += many
            continue
        counts[place[0]][place[1]] += many
        shown[place] = found.slice(i, 1).select(list(range(len(names)))).rename_columns(names)
    truth = true_values(target, knowledge, names, column)
    true: dict[tuple[Part, int], dict[str | None, int]] = {}
    if truth is not None:
        joined = pa.table([*truth.released, truth.true], names=[*map(str, range(len(names))), "true"])
        grouped = joined.group_by(joined.column_names).aggregate([([], "count_all")])
        keys = _texts(grouped.columns[: len(names)])
        values, many = grouped.column("true").to_pylist(), grouped.column("count_all").to_pylist()
        for key, value, count in zip(keys, values, many, strict=True):
            place = _place(key, parts, column, by)
            if place is not None:
                true.setdefault(place, {})[value] = count
    seen = [
        Seen(
            part,
            (code,),
            counts[part][code] if truth is None else sum(true.get((part, code), {}).values()),
            None if truth is None else true.get((part, code), {}),
            shown[part, code],
        )
        for part, code in shown
    ]
    return RandomisedRows(
        column,
        [one for one in seen if one.people],
        {part: tuple(many) for part, many in counts.items()},
        truth is not None,
        not_attacked,
        _note(target, column, list(parts.values()), truth, together=False),
    )


def randomised_people(
    target: PublishedTable, knowledge: Knowledge, column: str | None, attack: str
) -> RandomisedRows:
    """Put together what all rows of a person show, for people who have the same value in all of them."""
    column = randomised_column(target, column, attack)
    parts = parts_of(column, target)
    person = target.person
    if person is None or person not in target.table.names:
        raise BadInput(
            "the release does not tell which rows are of one person",
            where=attack,
            remedy="name the person column, or take each row on its own",
        )
    if None not in parts or parts[None].where is not None:
        raise BadInput(
            "sub-tables were randomised differently, and rows of a person may lie in several",
            where=f"column '{column}'",
            remedy="take each row on its own",
        )
    part = parts[None]
    found = _counted(target, [person, column], attack)
    codes: dict[Any, list[int]] = {}
    counts = [0] * len(part.values)
    not_attacked = 0
    texts = _texts([found.column(1)])
    for who, key, many in zip(found.column(0).to_pylist(), texts, found.column(2).to_pylist(), strict=True):
        place = _place(key, parts, column, None)
        if place is None or who is None:
            not_attacked += many
        else:
            counts[place[1]] += many
            codes.setdefault(who, []).extend([place[1]] * many)
    truth = true_values(target, knowledge, [person], column)
    true_of: dict[Any, str | None] | None = None
    if truth is not None:
        true_of = dict(zip(truth.released[0].to_pylist(), truth.true.to_pylist(), strict=True))
    alike: dict[tuple[int, ...], list[Any]] = {}
    for who, theirs in codes.items():
        if true_of is None or who in true_of:
            alike.setdefault(tuple(sorted(theirs)), []).append(who)
    seen = [
        Seen(
            part,
            theirs,
            len(people),
            None if true_of is None else dict(Counter(true_of[who] for who in people)),
            pa.table({person: pa.array(people[:MOST_VICTIMS], found.column(0).type)}),
        )
        for theirs, people in alike.items()
    ]
    return RandomisedRows(
        column,
        seen,
        {part: tuple(counts)},
        truth is not None,
        not_attacked,
        _note(target, column, [part], truth, together=True),
    )


def _counted(target: PublishedTable, names: Sequence[str], attack: str) -> pa.Table:
    batches = list(target.table.engine.count(target.table, names))
    if not batches:
        raise BadInput("the release has no rows", where=attack, remedy="give a release with at least one row")
    return pa.Table.from_batches(batches)


def _texts(columns: Sequence[pa.ChunkedArray]) -> list[tuple[str | None, ...]]:
    written = [
        [None if value is None else as_text(value) for value in column.to_pylist()] for column in columns
    ]
    return list(zip(*written, strict=True))


def _place(
    key: tuple[str | None, ...], parts: Mapping[str | None, Part], column: str, by: str | None
) -> tuple[Part, int] | None:
    """Find the part and the code of what a row shows; None for a row that was blanked."""
    group = key[0] if by is not None else None
    if group in parts and key[-1] in parts[group].values:
        return parts[group], parts[group].values.index(key[-1])
    if key[-1] in (None, ROOT):
        return None
    raise BadInput(
        "it holds values that the mechanism does not know",
        where=f"column '{column}'",
        remedy="use the release as it was published",
    )


def _note(
    target: PublishedTable, column: str, parts: Sequence[Part], truth: Truth | None, *, together: bool
) -> str:
    said = [truth.note] if truth is not None and truth.note else []
    if not all(part.leaves_a_trace for part in parts):
        said.append("the randomisation leaves no trace to estimate a prior from: all values count alike")
    if any(m.from_data for m in target.mechanisms if m.column == column):
        said.append("the probabilities were computed from the values, and tell more than is used here")
    if together:
        said.append("everybody is taken to have the same value in all their rows")
    elif target.person is not None:
        batches = target.table.engine.count(target.table, [target.person])
        if any(max(batch.column(1).to_pylist(), default=0) > 1 for batch in batches):
            said.append("some people have several rows, and each was taken on its own")
    return "; ".join(said)
