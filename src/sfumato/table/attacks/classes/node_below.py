"""The nodes of the lattice just below a full-domain release: the groups of people that they would have shown.

P. Samarati, "Protecting respondents' identities in microdata release" (2001), for the lattice of levels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, Victim
from sfumato.core.domain import Domain, as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.ladder import Hierarchy, Ladder
from sfumato.table.attacks.matching.candidates import counted, encoded
from sfumato.table.models.sensitive import parts_of_entries
from sfumato.table.published import ClassValues, PublishedTable

Ints = NDArray[np.int64]
Holders = dict[tuple[int, int], int]
"""the size of a group and a watched value → how many people of such groups truly have it"""


@dataclass(frozen=True)
class Belief:
    """How sure the adversary is of a value of people who fare alike: same class, groups of the same size."""

    owner: int
    size: int
    value: int
    people: int
    """how many of them truly have the value"""
    credence: Fraction
    without: Fraction
    """the same for somebody whose record is left out"""


@dataclass(frozen=True)
class Reading:
    """What the adversary believes of everybody, from the refusal of one node."""

    column: str
    """the column that is one level lower there; empty if nothing was refused"""
    chance: Fraction
    """how likely the node was to fail before that was known: the less, the more it tells"""
    beliefs: tuple[Belief, ...] = field(repr=False)
    group_size: Ints = field(repr=False)
    """the size of the group of every counted record"""

    def hit(self, bar: Fraction) -> int:
        """Count the people whose own value is believed more than a bar."""
        return sum(belief.people for belief in self.beliefs if belief.credence > bar)


@dataclass(frozen=True)
class Below:
    """One node: for every class of the release the groups that it would have been divided into."""

    column: str
    sizes: Sequence[list[int]] = field(repr=False)
    counts: Sequence[list[int]] = field(repr=False)
    """the people of each watched value, for every class"""
    have: Sequence[Holders] = field(repr=False)
    group_size: Ints = field(repr=False)

    @property
    def smallest(self) -> int:
        """The people of the smallest group."""
        return int(self.group_size.min())


@dataclass(frozen=True)
class Nodes:
    """The records of the original in the classes of a release, and the nodes one step below."""

    original: PublishedTable
    records: pa.Table = field(repr=False)
    """distinct quasi-identifiers and sensitive values, then rows and persons"""
    owner: Ints = field(repr=False)
    """the class of every counted record"""
    value: Ints = field(repr=False)
    """its watched value, −1 for others"""
    sizes: list[int]
    counts: list[list[int]]
    nodes: tuple[Below, ...]

    @property
    def people(self) -> int:
        """Everybody."""
        return sum(self.sizes)

    @property
    def base(self) -> list[int]:
        """The people of each watched value in the whole release."""
        return [sum(column) for column in zip(*self.counts, strict=True)]

    def plainly(self) -> Reading:
        """Read the classes as they are: the share of a value is how likely it is."""
        beliefs = [
            Belief(c, size, v, count, Fraction(count, size), Fraction(count - 1, max(size - 1, 1)))
            for c, (size, counts) in enumerate(zip(self.sizes, self.counts, strict=True))
            for v, count in enumerate(counts)
            if count
        ]
        return Reading("", Fraction(1), tuple(beliefs), np.array(self.sizes, np.int64)[self.owner])

    def victims(self, reading: Reading, bar: Fraction) -> tuple[Victim, ...]:
        """Find rows of the original about whose value the adversary is surer than a bar."""
        found: list[Victim] = []
        names = self.records.column_names[:-2]
        for belief in sorted(reading.beliefs, key=lambda belief: -belief.credence):
            if belief.credence <= bar or len(found) == MOST_VICTIMS:
                break
            alike = (self.owner == belief.owner) & (reading.group_size == belief.size)
            wanted = self.records.filter(pa.array(alike & (self.value == belief.value))).select(names)
            table = self.original.table
            rows = table.engine.first_rows(table, names, wanted, MOST_VICTIMS - len(found))
            found += [Victim(row, float(belief.credence), belief.size) for row in rows]
        return tuple(found)


def nodes_below(
    attack: str,
    target: PublishedTable,
    column: str,
    original: PublishedTable,
    hierarchies: Mapping[str, Hierarchy],
    watched: Sequence[str],
) -> Nodes:
    """Lay the original out at the levels of the release, and at each node that is one level lower."""
    for name in (*target.quasi, column):
        if name not in original.table.names:
            raise BadInput(
                f"the original has no column '{name}'", where=attack, remedy="give the whole original"
            )
    # A release that does not tell persons is read in rows, and then the original is too.
    person = original.person if target.person is not None else None
    table = counted(original.table, [*target.quasi, column], person)
    if table is None or target.classes is None:
        raise BadInput("there are no records to attack", where=attack, remedy="check the release")
    width = len(target.quasi)
    persons = np.asarray(table.column(width + 2).to_numpy(), np.int64)
    columns = [
        _Level.of(name, table.column(j), target.classes.column(j), hierarchies.get(name))
        for j, name in enumerate(target.quasi)
    ]
    class_of = _matched([c.at(c.level) for c in columns], [c.shown for c in columns])
    if (class_of < 0).any():
        raise BadInput(
            f"{int(persons[class_of < 0].sum())} people of the original are in no class of the release: with "
            "suppressed records, a level lower may have failed by their number, which is not counted here",
            where=attack,
            remedy="attack a release without suppressed records",
        )
    values, value = encoded(table.column(width))
    texts = [None if one is None else as_text(one) for one in values]
    codes = [code for code, text in enumerate(texts) if not watched or text in watched]
    if not codes:
        raise BadInput(
            "none of the watched values occurs",
            where=f"column '{column}'",
            remedy="write them as in the data",
        )
    place = np.full(len(values), -1, np.int64)
    place[codes] = np.arange(len(codes))
    own = place[value]
    number = target.classes.num_rows
    sizes = np.bincount(class_of, weights=persons, minlength=number).astype(np.int64)
    _refuse_other_people(attack, sizes, target.class_persons)
    counts = _cross(class_of, own, persons, number, len(codes))
    _refuse_other_values(attack, counts, target.values_of(column), [texts[code] for code in codes])
    lower = [j for j in range(width) if columns[j].level > 0]
    return Nodes(
        original,
        table.rename_columns([*target.quasi, column, "rows", "persons"]),
        class_of,
        own,
        sizes.tolist(),
        counts.tolist(),
        tuple(_below(columns, j, class_of, own, persons, counts) for j in lower),
    )


@dataclass(frozen=True)
class _Level:
    """One column of the original under its hierarchy, and the level at which the release shows it."""

    name: str
    codes: Ints
    ladder: Ladder | None
    level: int
    shown: Ints
    """the label of every class, as a group of that level"""

    @classmethod
    def of(
        cls, name: str, values: pa.ChunkedArray, labels: pa.ChunkedArray, hierarchy: Hierarchy | None
    ) -> _Level:
        raw, codes = encoded(values)
        domain = Domain.of(name, raw)
        code_of = {value: code for code, value in enumerate(domain.values)}
        codes = np.array([code_of[value] for value in raw], np.int64)[codes]
        label_values, label_codes = encoded(labels)
        texts = [None if label is None else as_text(label) for label in label_values]
        ladder = None if hierarchy is None else hierarchy.ladder(domain)
        levels = [list(domain.texts)] if ladder is None else [list(found) for found in ladder.labels]
        for level, known in enumerate(levels):
            if set(texts) <= set(known):
                at = np.array([known.index(text) for text in texts], np.int64)
                return cls(name, codes, ladder, level, at[label_codes])
        raise BadInput(
            "its labels are not those of one level of its hierarchy",
            where=f"column '{name}'",
            remedy="give the hierarchy; only full-domain releases can be attacked in this way",
        )

    def at(self, level: int) -> Ints:
        """Return the group of every record at a level."""
        if self.ladder is None:
            return self.codes
        found: Ints = self.ladder.rungs[level][self.codes].astype(np.int64)
        return found


def _matched(have: Sequence[Ints], shown: Sequence[Ints]) -> Ints:
    """Find the class of every record by the groups that both show; −1 where there is none."""
    number = np.zeros(len(have[0]) + len(shown[0]), np.int64)
    for own, labels in zip(have, shown, strict=True):
        both = np.concatenate([own, labels])
        _, number = np.unique(number * (int(both.max()) + 1) + both, return_inverse=True)
    class_of = np.full(int(number.max()) + 1, -1, np.int64)
    class_of[number[len(have[0]) :]] = np.arange(len(shown[0]))
    return class_of[number[: len(have[0])]]


def _below(
    columns: Sequence[_Level], lower: int, class_of: Ints, own: Ints, persons: Ints, counts: Ints
) -> Below:
    """Divide the classes by the column that is one level lower."""
    column = columns[lower]
    finer = column.at(column.level - 1)
    keys, group = np.unique(class_of * (int(finer.max()) + 1) + finer, return_inverse=True)
    owner = keys // (int(finer.max()) + 1)
    size = np.bincount(group, weights=persons).astype(np.int64)
    held = _cross(group, own, persons, len(keys), counts.shape[1])
    sizes: list[list[int]] = [[] for _ in counts]
    have: list[Holders] = [{} for _ in counts]
    for g, c in enumerate(owner.tolist()):
        sizes[c].append(int(size[g]))
        for v in np.flatnonzero(held[g]).tolist():
            key = (int(size[g]), v)
            have[c][key] = have[c].get(key, 0) + int(held[g, v])
    return Below(column.name, sizes, counts.tolist(), have, size[group])


def _cross(rows: Ints, columns: Ints, persons: Ints, height: int, width: int) -> Ints:
    """Count people by row and column; a column of −1 is left out."""
    some = columns >= 0
    flat = np.bincount(rows[some] * width + columns[some], weights=persons[some], minlength=height * width)
    return flat.astype(np.int64).reshape(height, width)


def _refuse_other_people(attack: str, sizes: Ints, persons: Ints) -> None:
    if not np.array_equal(sizes, persons):
        raise BadInput(
            f"{int(np.count_nonzero(sizes != persons))} classes have other numbers of people in the release "
            "than in the original",
            where=attack,
            remedy="give the original that the release was made from",
        )


def _refuse_other_values(
    attack: str, counts: Ints, values: ClassValues, watched: Sequence[str | None]
) -> None:
    """Refuse a release whose sensitive values are not those of the original: worlds are made of true ones."""
    place = {text: v for v, text in enumerate(watched)}
    own = np.array([place.get(text, -1) for text in values.domain.texts], np.int64)[values.codes]
    owner = values.owner[parts_of_entries(values)]
    if not np.array_equal(_cross(owner, own, values.persons, *counts.shape), counts):
        raise BadInput(
            "the classes of the release have other sensitive values than the original",
            where=attack,
            remedy="attack a release in which they were not changed",
        )
