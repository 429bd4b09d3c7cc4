"""Who may be whom: for what an adversary knows about people, the classes of a release that agree with it.

A known combination of values and a class agree when every label of the class may stand for the known value
of that column. What nobody knows is never held against a match: a released missing value or ``*`` may be
anybody's, and somebody of whom a value is unknown may have any label there. But records that were blanked are
of people who fit no class that is shown: a class is suppressed as a whole.

Where every known value agrees with at most one label of its column (exact data, full-domain recoding) this is
one join of whole numbers. Where labels overlap (boxes, local recoding) the classes become a tree of boxes,
which a combination descends only where it may agree. Neither compares every person with every record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.engine.contract import Table
from sfumato.hierarchy.ladder import Hierarchy
from sfumato.table.attacks.contract import People
from sfumato.table.attacks.matching.box_tree import BoxTree
from sfumato.table.attacks.matching.compatible import Compatible, Ints, compatible
from sfumato.table.cells import Spans
from sfumato.table.published import PublishedTable

Missing = Literal["anybody", "value"]
"""what a missing value is: unknown, so that it may be anybody's; or a value of its own, as models count it"""
_MOST_LISTED = 1 << 28
_COMBINED = 1 << 31
"""more than the combinations of any file"""


@dataclass(frozen=True)
class Candidates:
    """For every combination that an identified file holds: who has it, and which records may be theirs.

    Combination i stands in row i of ``known``: the columns of the identified file, then rows and persons.
    Class j is row j of ``release.classes``: the release seen on the common columns alone.
    """

    columns: tuple[str, ...]
    """the common columns, as the release names them"""
    file_columns: tuple[str, ...]
    """the same, as the identified file names them"""
    release: PublishedTable
    known: pa.Table = field(repr=False)
    compatible: tuple[Compatible, ...] = field(repr=False)
    codes: Ints = field(repr=False)
    """``codes[j, i]``: what combination i says of column j, in the codes of ``compatible[j]``"""
    labels: Ints = field(repr=False)
    """``labels[j, c]``: what class c shows in column j"""
    only: Ints | None = field(repr=False)
    """the one class of every combination (−1 for none) where labels do not overlap, else None"""
    blank: int = -1
    """the class of the records that were blanked and of no others, −1 if there is none"""
    spans: Spans | None = field(default=None, repr=False)
    """persons of the identified file who have several combinations: those of each, one after the other"""

    def __len__(self) -> int:
        return int(self.codes.shape[1])

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know: how both sides were brought to the same terms, and what was unknown."""
        found = [note for column in self.compatible for note in column.notes]
        unknown = int(self.persons[(self.codes < 0).any(axis=0)].sum())
        if unknown:
            found.append(f"{_people(unknown)} in the file with an unknown value, which may be anything")
        for j, column in enumerate(self.compatible):
            idle = int(self.class_rows[column.is_idle[self.labels[j]]].sum())
            if idle:
                found.append(
                    f"{idle:,} records have a label in '{column.column}' that is nobody's in the file: "
                    "changed, or of a hierarchy that was not given"
                )
        return tuple(found)

    @cached_property
    def rows(self) -> Ints:
        """Rows of the identified file that hold each combination."""
        return _counts(self.known, -2)

    @cached_property
    def persons(self) -> Ints:
        """Persons of the identified file who have each combination."""
        return _counts(self.known, -1)

    @cached_property
    def class_rows(self) -> Ints:
        """Records of each class."""
        return _counts(self.release.classes, -2)

    @property
    def class_persons(self) -> Ints:
        """Persons of each class; records again where the release does not tell persons."""
        return self.release.class_persons

    @property
    def number_of_classes(self) -> Ints:
        """The classes that each combination may belong to."""
        return self._totals[0][:, 0]

    @property
    def records(self) -> Ints:
        """The records that may be somebody's who has this combination."""
        return self._totals[0][:, 1]

    @property
    def people(self) -> Ints:
        """The persons behind those records; somebody whose records lie in several classes counts in each."""
        return self._totals[0][:, 2]

    @property
    def largest(self) -> Ints:
        """The persons of the largest class among them: there are surely as many."""
        return self._totals[0][:, 3]

    @property
    def reached(self) -> Ints:
        """For each class, the persons of the identified file whose record may be in it."""
        return self._totals[1][:, 0]

    @property
    def fitting(self) -> Ints:
        """The same without persons of whom something is unknown, but at least 1.

        Somebody without a known ZIP code may be in the class of any. Counted in all of them, they would seem
        to hide those who are known to live there.
        """
        return np.maximum(self._totals[1][:, 1], 1)

    @cached_property
    def precision(self) -> Ints:
        """For each class how much it leaves open: the persons that fit it, then by how many combinations.

        Somebody who is listed with several ages fits a class of one of them and a class of all; the first
        says more.
        """
        if self.spans is None:
            return self.fitting
        return self.fitting * _COMBINED + np.maximum(self._added_up[1][:, 1], 1)

    @property
    def least_precision(self) -> Ints:
        """For each combination the ``precision`` of the classes that leave least open, 0 if it has none."""
        return self._narrowed[0][:, 0]

    @property
    def least_fitting(self) -> Ints:
        """For each combination the fewest persons that fit one of its classes, 0 if it has none."""
        return self.least_precision if self.spans is None else self.least_precision // _COMBINED

    @property
    def narrow_records(self) -> Ints:
        """The records of the classes that so few may be in: the most precise that agree."""
        return self._narrowed[0][:, 1]

    @property
    def narrow_persons(self) -> Ints:
        """The persons of the largest of these classes."""
        return self._narrowed[0][:, 2]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Σ persons / fitting over the classes of each combination.

        A record of a class that F people of the file fit is somebody's of them with chance 1 / F, all being
        alike. So this is how many records each may expect there, were the file complete.
        """
        return self._narrowed[1]

    @cached_property
    def _narrowed(self) -> tuple[Ints, NDArray[np.float64]]:
        if self.only is None:
            narrowed, shares = self._tree.narrow(self.precision[self._shown])
            if self.spans is not None:
                shares = self._tree.narrow(self.fitting[self._shown])[1]
            precision, rows, persons = (
                each[self.blank] for each in (self.precision, self.class_rows, self.class_persons)
            )
            narrowed[self._blanked] = precision, rows, persons
            shares[self._blanked] = persons / self.fitting[self.blank]
            return narrowed, shares
        found = np.stack(
            [_looked_up(each, self.only) for each in (self.precision, self.class_rows, self.class_persons)],
            axis=1,
        )
        return found, found[:, 2] / np.maximum(_looked_up(self.fitting, self.only), 1)

    @cached_property
    def _totals(self) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        totals, reached, blanked = self._added_up
        return totals, reached - self._again, blanked

    @cached_property
    def _added_up(self) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """Add persons up over combinations: somebody with several is counted for each."""
        known = (self.codes >= 0).all(axis=0)
        weights = np.stack([self.persons, np.where(known, self.persons, 0)], axis=1)
        if self.only is None:
            totals, of_shown = self._tree.count(weights)
            blanked = (totals[:, 0] == 0) & (self.blank >= 0)
            rows, persons = self.class_rows[self.blank], self.class_persons[self.blank]
            totals[blanked] = 1, rows, persons, persons
            reached = np.zeros((len(self.class_rows), 2), np.int64)
            reached[self._shown] = of_shown
            reached[self.blank] += weights[blanked].sum(0)
            return totals, reached, blanked
        totals = np.zeros((len(self), 4), np.int64)
        totals[:, 0] = self.only >= 0
        totals[:, 1] = _looked_up(self.class_rows, self.only)
        totals[:, 2] = totals[:, 3] = _looked_up(self.class_persons, self.only)
        some = self.only >= 0
        reached = np.zeros((len(self.class_rows), 2), np.int64)
        np.add.at(reached, self.only[some], weights[some])
        return totals, reached, ~some & some

    @cached_property
    def _again(self) -> Ints:
        """For each class, how often persons were counted again who reach it by several combinations.

        First of all persons, then by what is known of them alone, as in ``reached`` and ``fitting``.
        """
        again = np.zeros((len(self.class_rows), 2), np.int64)
        if self.spans is None:
            return again
        who = np.repeat(np.arange(len(self.spans.starts) - 1), np.diff(self.spans.starts))
        combinations, place = np.unique(self.spans.cells, return_inverse=True)
        from sfumato.table.attacks.matching.combinations import expanded

        pairs, reached = expanded(*self.classes_of(combinations), place)
        known = np.asarray((self.codes >= 0).all(axis=0), np.bool_)[self.spans.cells[pairs]]
        for j, some in enumerate((np.ones(len(pairs), np.bool_), known)):
            pairs_found = np.stack([who[pairs][some], reached[some]])
            both, times = np.unique(pairs_found, axis=1, return_counts=True)
            np.add.at(again[:, j], both[1], times - 1)
        return again

    def classes_of(self, combinations: Ints) -> tuple[Ints, Ints]:
        """Starts and classes of some of the combinations, as ``listed`` has them of all."""
        if self.only is not None:
            only = self.only[combinations]
            return np.concatenate([[0], np.cumsum(only >= 0)]).astype(np.int64), only[only >= 0]
        shown = self._shown
        tree = BoxTree.of(
            self.compatible,
            np.ascontiguousarray(self.codes[:, combinations]),
            np.ascontiguousarray(self.labels[:, shown]),
            self.class_rows[shown],
            self.class_persons[shown],
        )
        many = tree.count(np.zeros((len(combinations), 2), np.int64))[0][:, 0]
        found = np.repeat(np.arange(len(combinations)), many)
        classes = shown[tree.listed(np.concatenate([[0], np.cumsum(many)]).astype(np.int64))]
        if self.blank >= 0:
            lost = np.flatnonzero(many == 0)
            order = np.argsort(np.concatenate([found, lost]), kind="stable")
            classes = np.concatenate([classes, np.full(len(lost), self.blank)])[order]
            many = np.maximum(many, 1)
        return np.concatenate([[0], np.cumsum(many)]).astype(np.int64), classes.astype(np.int64)

    @cached_property
    def listed(self) -> tuple[Ints, Ints]:
        """Starts and classes: combination i may belong to ``classes[starts[i]:starts[i + 1]]``."""
        starts = np.concatenate([[0], np.cumsum(self.number_of_classes)]).astype(np.int64)
        if starts[-1] > _MOST_LISTED:
            raise BadInput(
                f"the people of the identified file have {int(starts[-1]):,} candidate classes in all",
                remedy="link on more columns, or take fewer people",
            )
        if self.only is not None:
            return starts, self.only[self.only >= 0]
        classes = self._shown[self._tree.listed(starts)]
        classes[starts[:-1][self._blanked]] = self.blank
        return starts, classes

    def agree(self, combinations: Ints, classes: Ints) -> NDArray[np.bool_]:
        """Say for pairs of a combination and a class whether they agree."""
        found = np.ones(len(combinations), np.bool_)
        for j, column in enumerate(self.compatible):
            found &= column.test(self.labels[j][classes], self.codes[j][combinations])
        if self.blank >= 0:
            found &= (classes == self.blank) == self._blanked[combinations]
        return found

    @property
    def _blanked(self) -> NDArray[np.bool_]:
        """Which combinations fit no class that is shown, so that their records are among the blanked."""
        return self._totals[2]

    @cached_property
    def _shown(self) -> Ints:
        """The classes but for the blank one."""
        classes: Ints = np.arange(len(self.class_rows), dtype=np.int64)
        return np.delete(classes, [self.blank] if self.blank >= 0 else [])

    @cached_property
    def _tree(self) -> BoxTree:
        shown, labels = self._shown, self.labels
        return BoxTree.of(
            self.compatible,
            self.codes,
            np.ascontiguousarray(labels[:, shown]),
            self.class_rows[shown],
            self.class_persons[shown],
        )


def candidates(
    target: PublishedTable,
    people: People,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    missing: Missing = "anybody",
    day_first: bool | None = None,
    same_people: bool = False,
    may_differ: bool = False,
) -> Candidates:
    """Find the classes of a release that each combination of an identified file may belong to.

    ``people.columns`` says on which columns; it may be some of the quasi-identifiers. ``hierarchies`` read
    labels that do not speak for themselves. With ``same_people`` the file is known to be about the people of
    the release and no others. A column without any agreement is then a finding, as it is where values
    ``may_differ``; else it is an error, because it means different codings as a rule.
    """
    from sfumato.table.attacks.matching.combinations import spans_of

    columns = tuple(people.columns)
    for name in columns:
        if name not in target.table.names:
            raise BadInput(f"the release has no column '{name}'", remedy=nearest(name, target.table.names))
    own = tuple(people.columns[name] for name in columns)
    release = target if columns == target.quasi else replace(target, quasi=columns)
    known = counted(people.table, own, people.person)
    if known is None:
        raise BadInput("the identified file has no rows", remedy="give a file with at least one person")
    if release.classes is None:
        raise BadInput("the release has no records", remedy="attack a release with at least one record")
    found, codes, labels = [], [], []
    for j, name in enumerate(columns):
        check_type(known.column(j), own[j], "the identified file")
        check_type(release.classes.column(j), name, "the release")
        values, value_of = encoded(known.column(j))
        shown, label_of = encoded(release.classes.column(j))
        column = compatible(
            name,
            values,
            shown,
            (hierarchies or {}).get(name),
            missing_is_a_value=missing == "value",
            hiding=name in target.hiding,
            day_first=day_first,
        )
        if column.idle == len(shown) and (column.codes >= 0).any() and not (same_people or may_differ):
            raise BadInput(
                f"nothing that the identified file holds in '{people.columns[name]}' agrees with the release",
                where=f"column '{name}'",
                remedy="code both alike, give the hierarchy of the column, or leave it out; "
                "or the file is about other people",
            )
        found.append(column)
        codes.append(column.codes[value_of])
        labels.append(label_of)
    blank = _blank_class(release)
    only = _one_class_each(found, codes, labels) if blank < 0 else None
    return Candidates(
        columns,
        own,
        release,
        known,
        tuple(found),
        np.stack(codes),
        np.stack(labels),
        only,
        blank,
        spans_of(people, own, known),
    )


def _blank_class(release: PublishedTable) -> int:
    """Return the class of blanked records, −1 where there is none, or one that others are in too."""
    if not release.blanked or release.classes.num_rows == 1:
        return -1
    hidden = np.flatnonzero(release.hidden & (release.class_persons <= release.blanked))
    return int(hidden[0]) if len(hidden) else -1


def check_type(column: pa.ChunkedArray, name: str, what: str) -> None:
    """Refuse a column of lists and the like: its values cannot be compared."""
    if pa.types.is_nested(column.type) or pa.types.is_binary(column.type):
        raise BadInput(
            "its values are neither texts nor numbers, dates or truth values",
            where=f"column '{name}' of {what}",
            remedy="turn them into text, or link on other columns",
        )


def counted(table: Table, columns: Sequence[str], person: str | None = None) -> pa.Table | None:
    """Group a table by some columns where it lies: their values, then rows and persons; None if empty."""
    batches = list(table.engine.count(table, columns, person=person))
    return pa.Table.from_batches(batches) if batches else None


def encoded(column: pa.ChunkedArray) -> tuple[list[Any], Ints]:
    """Return the distinct values of a column, missing among them, and which one each row holds."""
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], column.type)
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    found = pc.dictionary_encode(array, null_encoding="encode")
    return found.dictionary.to_pylist(), found.indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _one_class_each(
    found: Sequence[Compatible], codes: Sequence[Ints], labels: Sequence[Ints]
) -> Ints | None:
    """Join on labels where every known value has at most one in its column; else None."""
    wanted = []
    for column, known in zip(found, codes, strict=True):
        label = None if (known < 0).any() else column.only_label()
        if label is None:
            return None
        wanted.append(label[known])
    number = np.zeros(len(labels[0]) + len(codes[0]), np.int64)
    nobody = np.zeros(len(codes[0]), np.bool_)
    for j, shown in enumerate(labels):
        nobody |= wanted[j] < 0
        both = np.concatenate([shown, np.maximum(wanted[j], 0)])
        number = number * (len(found[j].lows) + 1) + both
        if j + 1 < len(labels):
            number = dense(number)
    classes, known = number[: len(labels[0])], number[len(labels[0]) :]
    order = np.argsort(classes)
    at = np.minimum(np.searchsorted(classes[order], known), len(classes) - 1)
    match = order[at]
    return cast("Ints", np.where(nobody | (classes[match] != known), -1, match))


def dense(number: Ints) -> Ints:
    """Number different keys anew when the next column could make them too large."""
    if int(number.max(initial=0)) < 1 << 40:
        return number
    return np.unique(number, return_inverse=True)[1].astype(np.int64)


def _looked_up(values: Ints, places: Ints) -> Ints:
    """Return the values at some places, and 0 for the place −1."""
    return cast("Ints", np.where(places >= 0, values[np.maximum(places, 0)], 0))


def _people(number: int) -> str:
    return "1 person is" if number == 1 else f"{number:,} people are"


def _counts(table: pa.Table, column: int) -> Ints:
    return np.asarray(table.column(table.num_columns + column).to_numpy(), np.int64)
