"""A hierarchy given as a table: one path for each value, most specific first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.domain import Domain, as_number, as_text
from sfumato.core.errors import BadInput
from sfumato.hierarchy.build import Level, assemble, present_values
from sfumato.hierarchy.csvfile import Column, encode_rows, line_numbers, ragged, read_columns
from sfumato.hierarchy.ladder import Ladder, UncoveredValues
from sfumato.hierarchy.paths import find_cycle, find_parting, first_line_of

MISSING = ""
"""an empty first label: the path of missing values"""


@dataclass(frozen=True)
class HierarchyTable:
    """Every value with its labels, from itself up to the top.

    Path i is ``leaves[i]``, ``labels[0][groups[0, i]]``, ``labels[1][groups[1, i]]``, … A table may
    know more values than a column holds: the share of a group is taken of the whole table, as in
    the loss metric of Iyengar (KDD 2002). An empty first label stands for missing values; labels
    above it may be empty too, which keeps them missing. There is no header line.

    >>> table = HierarchyTable.of([("HIV", "infectious", "*"), ("flu", "infectious", "*"),
    ...                            ("asthma", "lung", "*")])
    >>> ladder = table.ladder(Domain.of("disease", ["flu", "HIV"]))
    >>> ladder.labels
    (('HIV', 'flu'), ('infectious',), ('*',))
    >>> ladder.size
    3
    """

    leaves: tuple[str, ...] = field(repr=False)
    labels: tuple[tuple[str, ...], ...] = field(repr=False)
    groups: NDArray[np.int64] = field(repr=False, compare=False)
    source: Path | None = field(default=None, compare=False)
    """the file it was read from"""
    delimiter: str = field(default=";", compare=False)

    @classmethod
    def read(cls, path: str | Path, delimiter: str | None = None) -> HierarchyTable:
        """Read a CSV file (UTF-8, also gzipped) cut by ``;``, ``,`` or tabs; quotes work as usual."""
        path = Path(path)
        columns, delimiter = read_columns(path, delimiter)

        def place(*paths: int) -> str:
            numbers = line_numbers(path, delimiter)
            return f"{path}, line{'s' * (len(paths) > 1)} {' and '.join(str(numbers[i]) for i in paths)}"

        return cls._checked(columns, place, path, delimiter)

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> HierarchyTable:
        """Take the paths from memory; None stands for missing."""
        paths = [tuple(MISSING if label is None else as_text(label) for label in row) for row in rows]
        if not paths:
            raise BadInput("the hierarchy is empty", remedy="give one path for each value")
        for number, path in enumerate(paths, 1):
            if len(path) != len(paths[0]):
                raise ragged(f"row {number} of the hierarchy", len(path), len(paths[0]))

        def place(*paths: int) -> str:
            listed = " and ".join(str(path + 1) for path in paths)
            return f"row{'s' * (len(paths) > 1)} {listed} of the hierarchy"

        return cls._checked(encode_rows(paths), place, None, ";")

    @classmethod
    def _checked(
        cls, columns: list[Column], place: Callable[..., str], source: Path | None, delimiter: str
    ) -> HierarchyTable:
        if len(columns) < 2:
            raise BadInput(
                "the paths have one label only",
                where=place(0),
                remedy="write the value, its groups and at last *; the delimiter is one of ; , or a tab",
            )
        (first, leaves), above = columns[0], columns[1:]
        groups = np.array([numbers for numbers, _ in above], np.int64)
        if len(leaves) < len(first):
            keep = np.unique(first, return_index=True)[1]
            unlike = (groups != groups[:, keep][:, first]).any(axis=0)
            if unlike.any():
                again = int(np.argmax(unlike))
                raise BadInput(
                    "the same value has two different paths",
                    where=place(int(keep[first[again]]), again),
                    remedy="keep one of them",
                )
            groups = groups[:, keep]
        cls._no_empty_label(leaves, above, groups, lambda path: place(first_line_of(first, path)))
        parting = find_parting(groups)
        if parting:
            level, one, other = parting
            raise BadInput(
                f"two values share their group at level {level} and part again at level {level + 1}",
                where=place(first_line_of(first, one), first_line_of(first, other)),
                remedy="make every group lie inside one group of the next level",
            )
        labels = [labels for _, labels in above]
        cycle = find_cycle(leaves, labels, groups)
        if cycle is not None:
            raise BadInput(
                "the hierarchy has a cycle: a label lies above itself",
                where=place(first_line_of(first, cycle)),
                remedy="rename the label at one of its levels",
            )
        groups.flags.writeable = False
        return cls(tuple(leaves), tuple(map(tuple, labels)), groups, source, delimiter)

    @staticmethod
    def _no_empty_label(
        leaves: list[str], above: list[Column], groups: NDArray[np.int64], place: Callable[[int], str]
    ) -> None:
        """Refuse paths with a gap: an empty label above a value that is there."""
        for (_, labels), numbers in zip(above, groups, strict=True):
            if MISSING in labels:
                for path in np.flatnonzero(numbers == labels.index(MISSING)).tolist():
                    if leaves[path] != MISSING:
                        raise BadInput(
                            "a label of the path is empty",
                            where=place(path),
                            remedy="repeat the label before it, or write * if nothing shall be said",
                        )

    @property
    def size(self) -> int:
        """How many values the table knows."""
        return len(self.leaves)

    def rows(self) -> list[tuple[str, ...]]:
        """Return the paths."""
        columns = [
            [labels[group] for group in numbers.tolist()]
            for labels, numbers in zip(self.labels, self.groups, strict=True)
        ]
        return list(zip(self.leaves, *columns, strict=True))

    @cached_property
    def _path_of(self) -> dict[str, int]:
        return {leaf: path for path, leaf in enumerate(self.leaves)}

    @cached_property
    def _path_of_number(self) -> dict[Decimal, int]:
        """The paths of leaves that are written as numbers; a number with two paths has none."""
        found: dict[Decimal, int] = {}
        for path, leaf in enumerate(self.leaves):
            if as_number(leaf) is not None:
                number = Decimal(leaf)
                found[number] = path if number not in found else -1
        return found

    def _path(self, text: str, value: Any) -> int:
        """Return the path of a value: as it is written, and of a number however it is written.

        A text is what it is: ``007`` and ``7`` are two codes. The number 0.0 is written 0 in a release, and
        ``0``, ``0.0`` or ``0.00`` in a hierarchy.
        """
        path = self._path_of.get(text, -1)
        if path < 0 and isinstance(value, int | float | Decimal) and as_number(value) is not None:
            return self._path_of_number.get(Decimal(text), -1)
        return path

    def ladder(self, domain: Domain) -> Ladder:
        """Lay the hierarchy over the values of a column, by how they are written."""
        present = present_values(domain)
        path_of = self._path_of
        knows_missing = domain.has_missing and MISSING in path_of
        texts = [text or MISSING for text in domain.texts[: len(domain) if knows_missing else present]]
        paths = [self._path(text, value) for text, value in zip(texts, domain.values, strict=False)]
        if -1 in paths:
            raise UncoveredValues(domain.name, tuple(code for code, path in enumerate(paths) if path < 0))
        taken = np.array(paths, np.int64)
        # An empty text and a missing value are two values of the data but one path of the table.
        twice = path_of[MISSING] if knows_missing and texts.count(MISSING) > 1 else None
        levels = []
        for labels, numbers in zip(self.labels, self.groups, strict=True):
            leaves = np.bincount(numbers, minlength=len(labels)).astype(np.float64)
            if twice is not None:
                leaves[numbers[twice]] += 1
            shown: Sequence[str | None] = labels
            if MISSING in labels:
                shown = [label or None for label in labels]
            levels.append(Level(numbers[taken], shown, leaves))
        return assemble(domain, levels, self.size + (twice is not None))
