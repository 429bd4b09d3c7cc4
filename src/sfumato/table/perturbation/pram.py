"""PRAM, the post-randomisation method: categories are changed at random, with known probabilities.

P. Kooiman, L. Willenborg and J. Gouweleeuw, "PRAM: a method for disclosure limitation of microdata"
(1997); invariant matrices in two stages: J. Gouweleeuw, P. Kooiman, L. Willenborg and P.-P. de Wolf,
"Post randomisation for statistical disclosure control" (1998).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.randomness import Random
from sfumato.table.perturbation import reading
from sfumato.table.perturbation.contract import Mechanism, Perturbed, told_of_data
from sfumato.table.perturbation.reading import Categories

I64 = NDArray[np.int64]
Matrix = tuple[tuple[Fraction, ...], ...]
MOST_INVARIANT = 100
"""values up to which two matrices are multiplied exactly in reasonable time"""
_MOST = 2**62


@dataclass(frozen=True)
class Pram:
    """Value u becomes v with probability P[u][v], each record on its own; Σ_v P[u][v] = 1.

    Without ``matrix``, a value stays with probability ``retain`` and otherwise becomes one of the others
    of its column, each equally likely. With ``matrix``, its rows and columns stand for ``values``;
    probabilities are taken as they are written (0.1 is 1/10; "1/3" may be written too).

    ``invariant`` adds a second stage. With f_u the frequency of u in the data,

        Q[v][u] = P[u][v] f_u / Σ_w P[w][v] f_w,     R = P · Q,     so that   f · R = f:

    expected frequencies are those of the data, exactly, and analysts need no correction. R is published:
    who knows an invariant matrix knows the frequencies of the column.

    PRAM lets nobody be sure of a value: how sure one may become follows from P. It does not hide who is in
    the data. Missing values stay missing unless ``values`` lists null, and the published matrix says so; so
    where some are missing, and with ``invariant``, no bound on amplification holds.

    >>> Pram(["sex"], retain=0.9).truthful
    False
    """

    columns: tuple[str, ...]
    retain: float = 0.8
    invariant: bool = False
    values: tuple[str | None, ...] = ()
    matrix: tuple[tuple[float | str, ...], ...] = field(default=(), repr=False)
    name: ClassVar[str] = "pram"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", reading.names_of(self.columns))
        object.__setattr__(self, "values", tuple(self.values))
        object.__setattr__(self, "matrix", tuple(tuple(row) for row in self.matrix))
        reading.check_names(self.name, self.columns)
        if not 0.0 <= self.retain <= 1.0:
            raise BadInput("retain must lie between 0 and 1", where=self.name, remedy="try retain: 0.8")
        if bool(self.values) != bool(self.matrix):
            raise BadInput(
                "'values' and 'matrix' need each other", where=self.name, remedy="give both or neither"
            )
        if self.matrix:
            _exact(self.matrix, self.values)

    def apply(self, records: pa.Table, random: Random) -> Perturbed:
        """Draw a new value for every record."""
        mechanisms = []
        changed = 0
        for name in self.columns:
            read = self._read(records, name)
            randomised = np.flatnonzero(read.codes >= 0)
            codes = read.codes[randomised]
            first = (
                _exact(self.matrix, self.values) if self.matrix else _evenly(len(read.values), self.retain)
            )
            stages = [first]
            if self.invariant:
                if len(read.values) > MOST_INVARIANT:
                    raise BadInput(
                        f"{len(read.values)} values are too many for an invariant matrix",
                        where=f"column '{name}'",
                        remedy=f"group them into at most {MOST_INVARIANT}, or leave 'invariant' out",
                    )
                stages.append(second_stage(first, np.bincount(codes, minlength=len(read.values))))
            for stage in stages:
                codes = _drawn(stage, codes, random)
            after = read.codes.copy()
            after[randomised] = codes
            column = reading.column_of(records, name)
            shown = read.write(np.maximum(after, 0))
            if (after < 0).any():
                gone = pa.array(after < 0)
                shown = pa.compute.if_else(gone, pa.scalar(None, shown.type), shown)
            changed += reading.count_changed(column, shown)
            records = reading.with_column(records, name, shown)
            values, matrix = read.texts, product(*stages)
            if (after < 0).any():
                values, matrix = (*values, None), _with_missing(matrix)
            mechanisms.append(Mechanism(name, values, matrix, from_data=self.invariant))
        published = {} if self.values else told_of_data(self.columns)
        return Perturbed(records, tuple(mechanisms), {"changed_values": changed}, published)

    def _read(self, records: pa.Table, name: str) -> Categories:
        """Read a column with the codes of the matrix; −1 is missing and stays so."""
        found = reading.categories_of(records, name)
        if not self.values:
            present = [value for value in found.values if value is not None]
            if not present:
                raise BadInput("it has no values", where=f"column '{name}'", remedy="leave it out")
            codes = np.where(found.codes < len(present), found.codes, -1)
            return Categories(name, tuple(present), codes, found.type)
        place = {value: code for code, value in enumerate(self.values)}
        known = np.array([place.get(text, -1) for text in found.texts], np.int64)
        strange = np.array([text not in place and text is not None for text in found.texts], np.bool_)[
            found.codes
        ]
        if strange.any():
            raise BadInput(
                f"{int(strange.sum())} rows have a value that the matrix does not know "
                f"(first in row {int(np.flatnonzero(strange)[0]) + 1})",
                where=f"column '{name}'",
                remedy="add it to 'values' and 'matrix'",
            )
        try:
            typed = pa.array(self.values, pa.string()).cast(found.type)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            raise BadInput(
                "'values' are not of the type of the column", where=f"column '{name}'", remedy="mend them"
            ) from None
        return Categories(name, tuple(typed.to_pylist()), known[found.codes], found.type)


def _exact(matrix: tuple[tuple[float | str, ...], ...], values: tuple[str | None, ...]) -> Matrix:
    """Read probabilities as they are written and check that they are some."""
    if len(set(values)) < len(values):
        raise BadInput("a value is named twice", where="pram", remedy="name each once")
    rows = []
    for number, row in enumerate(matrix, 1):
        where = f"pram, row {number} of the matrix"
        if len(row) != len(values) or len(matrix) != len(values):
            raise BadInput(
                f"it has {len(row)} entries of {len(matrix)} rows, and there are {len(values)} values",
                where=where,
                remedy="give one row and one column for each value",
            )
        try:
            exact = tuple(Fraction(str(entry)) for entry in row)
        except (ValueError, ZeroDivisionError):
            raise BadInput("an entry is not a number", where=where, remedy="write 0.1 or '1/3'") from None
        if min(exact) < 0 or sum(exact) != 1:
            raise BadInput(
                f"its entries sum to {float(sum(exact)):g}" if min(exact) >= 0 else "an entry is negative",
                where=where,
                remedy="the probabilities of a row must sum to exactly 1",
            )
        rows.append(exact)
    return tuple(rows)


def _evenly(size: int, retain: float) -> Matrix:
    """Stay with probability ``retain``; else go to any of the others.

    >>> _evenly(3, 0.8)[0]
    (Fraction(4, 5), Fraction(1, 10), Fraction(1, 10))
    """
    if size == 1:
        return ((Fraction(1),),)
    stay = Fraction(str(retain))
    leave = (1 - stay) / (size - 1)
    return tuple(tuple(stay if u == v else leave for v in range(size)) for u in range(size))


def second_stage(first: Matrix, frequencies: I64) -> Matrix:
    """Return Q: the probability that what shows v came from u, for a column with these frequencies.

    >>> second_stage(_evenly(2, 0.5), np.array([3, 1]))
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(3, 4), Fraction(1, 4)))
    """
    size = len(first)
    counts = [int(count) for count in frequencies]
    rows = []
    for v in range(size):
        shown = [first[u][v] * counts[u] for u in range(size)]
        total = sum(shown)
        # What never shows needs no way back; any row would do.
        rows.append(
            tuple(share / total for share in shown)
            if total
            else tuple(Fraction(int(u == v)) for u in range(size))
        )
    return tuple(rows)


def product(*stages: Matrix) -> Matrix:
    """Multiply matrices of probabilities, exactly."""
    found = stages[0]
    for stage in stages[1:]:
        columns = list(zip(*stage, strict=True))
        found = tuple(
            tuple(sum((p * q for p, q in zip(row, column, strict=True)), Fraction(0)) for column in columns)
            for row in found
        )
    return found


def _with_missing(matrix: Matrix) -> Matrix:
    """Add what is missing as a last value, which always stays.

    >>> _with_missing(((Fraction(1),),))
    ((Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)))
    """
    stays = (*(Fraction(0) for _ in matrix), Fraction(1))
    return (*((*row, Fraction(0)) for row in matrix), stays)


def _drawn(matrix: Matrix, codes: I64, random: Random) -> I64:
    """Draw the next value of each record with exactly the probabilities of its row."""
    after = codes.copy()
    for u, row in enumerate(matrix):
        members = np.flatnonzero(codes == u)
        if not len(members):
            continue
        below = lcm(*(entry.denominator for entry in row))
        if below > _MOST:
            raise BadInput(
                "the probabilities have too many digits to be drawn exactly",
                where="pram",
                remedy="write them with fewer digits",
            )
        steps = np.cumsum([entry.numerator * (below // entry.denominator) for entry in row])
        after[members] = np.searchsorted(steps, random.integers(below, len(members)), side="right")
    return after
