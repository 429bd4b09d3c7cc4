"""Which original values a published label may stand for, and which records agree with which classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.domain import Domain, Scale, as_text
from sfumato.core.errors import BadInput
from sfumato.engine.contract import Table
from sfumato.hierarchy.ladder import ROOT, Hierarchy
from sfumato.table.models.numbers import number
from sfumato.table.published import PublishedTable, numbered

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

_BOUND = r"-?\d+(?:\.\d+)?|\d{4}-\d{2}-\d{2}"
_INTERVAL = re.compile(rf"\[?({_BOUND})(?: - |-| to |, )({_BOUND})([\])]?)")
_OPEN = re.compile(rf"<({_BOUND})|({_BOUND})\+")
_OR_MISSING = " or missing"
_MOST_PAIRS = 1 << 24
"""pairs of a class and a record that are compared at once"""


@dataclass(frozen=True)
class Labels:
    """Reads the labels of one column: ``34``, ``20-24``, ``[0.5, 1)``, ``<20``, ``{a, b}``, ``476**``, ``*``.

    Other labels need the ``hierarchy`` that they come from.

    >>> Labels(Domain.of("age", [19, 20, 30])).covered("[20-29]").tolist()
    [False, True, False]
    """

    domain: Domain
    hierarchy: Hierarchy | None = None
    hiding: bool = False
    """whether a missing value may be one that was hidden"""

    def covered(self, label: Any) -> Flags:
        """Say for every value of the column whether the label may stand for it."""
        missing = np.array([value is None for value in self.domain.values], np.bool_)
        if label is None:
            return np.ones_like(missing) if self.hiding else missing
        text = as_text(label)
        if text == ROOT:
            return np.ones(len(missing), np.bool_)
        if text in self._of_hierarchy:
            return self._of_hierarchy[text]
        bare = text.removesuffix(_OR_MISSING)
        found = self._read(bare)
        if found is None:
            raise BadInput(
                "a released label is not understood",
                where=f"column '{self.domain.name}'",
                remedy="give the hierarchy of the column",
            )
        return found | missing if bare != text else found

    @cached_property
    def _of_hierarchy(self) -> dict[str, Flags]:
        if self.hierarchy is None:
            return {}
        ladder = self.hierarchy.ladder(self.domain)
        found: dict[str, Flags] = {}
        for rungs, labels in zip(ladder.rungs, ladder.labels, strict=True):
            for group, label in enumerate(labels):
                if label is not None:
                    found[label] = found.get(label, np.zeros(len(rungs), np.bool_)) | (rungs == group)
        return found

    def _read(self, text: str) -> Flags | None:
        texts = self.domain.texts
        if text in texts:
            return self._where(lambda _, own: own == text)
        if text.startswith("{") and text.endswith("}"):
            parts = re.split(r"(?<!\\)((?:\\\\)*), ", text[1:-1])
            whole = map("".join, zip(parts[::2], [*parts[1::2], ""], strict=True))
            members = {re.sub(r"\\(.)", r"\1", part) for part in whole}
            return self._where(lambda _, own: own in members)
        if self.domain.scale is not Scale.CATEGORY:
            return self._between(text)
        if ROOT in text:
            pattern = re.compile("".join("." if letter == ROOT else re.escape(letter) for letter in text))
            return self._where(lambda _, own: pattern.fullmatch(own) is not None)
        return None

    def _between(self, text: str) -> Flags | None:
        if found := _INTERVAL.fullmatch(text):
            low, high = number(found[1]), number(found[2])
            half_open = found[3] == ")"
            return self._where(
                lambda value, _: low <= number(value) < high or (number(value) == high and not half_open)
            )
        if found := _OPEN.fullmatch(text):
            if found[1]:
                return self._where(lambda value, _: number(value) < number(found[1]))
            return self._where(lambda value, _: number(value) >= number(found[2]))
        if ROOT in text and text.rstrip(ROOT).isdigit():
            digits = re.compile(text.replace(ROOT, r"\d"))
            return self._where(lambda _, own: digits.fullmatch(own) is not None)
        bare = text.removeprefix("[").removesuffix("]")
        if re.fullmatch(_BOUND, bare):
            return self._where(lambda value, _: number(value) == number(bare))
        return None

    def _where(self, says: Any) -> Flags:
        pairs = zip(self.domain.values, self.domain.texts, strict=True)
        return np.array([value is not None and bool(says(value, text)) for value, text in pairs], np.bool_)


@dataclass(frozen=True)
class Agreement:
    """How many agree: original persons with each class, released persons with each original combination."""

    with_classes: Ints
    with_originals: Ints


def agreement(published: PublishedTable) -> Agreement:
    """Compare every class of a release with every combination of quasi-identifiers of the original.

    People with several rows count once, wherever their rows lie.
    """
    original = published.original
    assert original is not None
    for name in published.quasi:
        if name not in original.names:
            raise BadInput(
                f"the original has no column '{name}'", remedy="give the table that the release comes from"
            )
    batches = list(original.engine.count(original, published.quasi, person=published.person))
    nobody = np.zeros(0, np.int64)
    if not batches or published.classes is None:
        return Agreement(np.zeros(len(published.class_persons), np.int64), nobody)
    counted = pa.Table.from_batches(batches)
    width = len(published.quasi)
    persons = np.asarray(counted.column(width + 1).to_numpy(), np.int64)
    columns = [
        _column(
            counted.column(j),
            published.classes.column(j),
            Labels(
                Domain.of(name, counted.column(j).to_pylist()),
                published.hierarchies.get(name),
                name in published.hiding,
            ),
        )
        for j, name in enumerate(published.quasi)
    ]
    released = published.class_persons
    elsewhere = _Repeated.of(original, published.quasi, published.person, counted)
    in_classes = _Repeated.of(published.table, published.quasi, published.person, published.classes)
    with_classes = np.zeros(len(released), np.int64)
    with_originals = np.zeros(len(persons), np.int64)
    step = max(1, _MOST_PAIRS // max(len(persons), len(elsewhere.cells)))
    for start in range(0, len(released), step):
        some = slice(start, start + step)
        agree = _agree(columns, np.arange(len(released))[some], np.arange(len(persons)))
        with_classes[some] = agree @ persons - elsewhere.twice(agree)
        with_originals += released[some] @ agree
    step = max(1, _MOST_PAIRS // max(1, len(in_classes.cells)))
    for start in range(0, len(persons) if len(in_classes.cells) else 0, step):
        some = slice(start, start + step)
        agree = _agree(columns, in_classes.cells, np.arange(len(persons))[some])
        with_originals[some] -= _repeats(agree.T, in_classes.starts)
    return Agreement(with_classes, with_originals)


@dataclass(frozen=True)
class _Repeated:
    """People whose rows lie in several cells: the cells of one after the other, and where each begins."""

    cells: Ints
    starts: Ints

    @classmethod
    def of(cls, table: Table, quasi: Sequence[str], person: str | None, counted: pa.Table) -> _Repeated:
        """Find them; ``counted`` lists the cells, with the quasi-identifiers first."""
        batches = list(table.engine.spans(table, quasi, person)) if person is not None else []
        found = pa.Table.from_batches(batches) if batches else None
        if found is None or not found.num_rows:
            return cls(np.zeros(0, np.int64), np.zeros(0, np.int64))
        both = [
            pa.chunked_array(
                [*counted.column(j).chunks, *found.column(j + 1).cast(counted.column(j).type).chunks]
            )
            for j in range(len(quasi))
        ]
        number = numbered(both)
        cell_of = np.empty(len(number), np.int64)
        cell_of[number[: counted.num_rows]] = np.arange(counted.num_rows)
        who = np.asarray(found.column(0).to_numpy(), np.int64)
        order = np.argsort(who, kind="stable")
        starts = np.flatnonzero(np.diff(who[order], prepend=-1))
        return cls(cell_of[number[counted.num_rows :]][order], starts)

    def twice(self, agree: Flags) -> Ints:
        """Return for each row how often people were counted more than once, of the cells that agree."""
        return _repeats(agree[:, self.cells], self.starts)


def _repeats(agree: Flags, starts: Ints) -> Ints:
    """Count in every row of pairs how many of a person's agree beyond the first, over all people."""
    if not len(starts):
        return np.zeros(len(agree), np.int64)
    each = np.add.reduceat(agree, starts, axis=1, dtype=np.int64)
    found: Ints = np.maximum(each - 1, 0).sum(axis=1)
    return found


def _agree(columns: Sequence[tuple[Flags, Ints, Ints]], classes: Ints, combinations: Ints) -> Flags:
    """Say which of some classes agree with which of some combinations."""
    agree = np.ones((len(classes), len(combinations)), np.bool_)
    for covers, labels, values in columns:
        agree &= covers[labels[classes]][:, values[combinations]]
    return agree


def _column(originals: pa.ChunkedArray, labels: pa.ChunkedArray, reader: Labels) -> tuple[Flags, Ints, Ints]:
    """Return which label covers which value, the label of every class, and the value of every combination."""
    values, shown = originals.to_pylist(), labels.to_pylist()
    label_of = {label: i for i, label in enumerate(dict.fromkeys(shown))}
    code_of = {value: code for code, value in enumerate(reader.domain.values)}
    covers = np.array([reader.covered(label) for label in label_of], np.bool_)
    return (
        covers,
        np.array([label_of[label] for label in shown], np.int64),
        np.array([code_of[value] for value in values], np.int64),
    )
