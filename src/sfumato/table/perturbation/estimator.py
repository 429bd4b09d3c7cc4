"""Counts of the original, estimated from randomised data: the analyst's side of randomisation.

R. Agrawal, R. Srikant & D. Thomas, "Privacy preserving OLAP" (SIGMOD 2005); the inversion goes back to
S. Warner, "Randomized response" (1965).

With o_v the observed counts, E[o_v] = Σ_u c_u P[u → v]. So ĉ = o P⁻¹ is unbiased for the counts c of
the original, and with A = P⁻¹ its variance is estimated without bias by Σ_v o_v A[v][u]² − ĉ_u. For
joint counts of several columns, each with its own matrix, the same holds with A their Kronecker
product: one matrix is applied along each axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sfumato.core.domain import Domain, as_text
from sfumato.core.errors import BadInput
from sfumato.engine.frames import to_arrow
from sfumato.table.perturbation.contract import Mechanism
from sfumato.table.perturbation.reading import column_of

Published = Mechanism | Mapping[str, Any] | Any
"""a mechanism, or its entry in the evidence of a release"""
MOST_COUNTS = 10_000_000
_SINGULAR = 1e-12


@dataclass(frozen=True)
class EstimatedCounts:
    """Estimated joint counts: ``counts[i, j, …]`` is that of the i-th value of the first column, and so on.

    An estimate may be negative: setting it to 0 would bias sums. ``standard_errors`` tell how far from
    the counts of the original it is likely to be, by the randomisation alone.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    counts: NDArray[np.float64] = field(repr=False, compare=False)
    variances: NDArray[np.float64] = field(repr=False, compare=False)

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """The square roots of the variances (0 where the estimate of a variance is negative)."""
        roots: NDArray[np.float64] = np.sqrt(np.maximum(self.variances, 0.0))
        return roots

    def count(self, *values: Any) -> float:
        """Return the estimate for one combination of values."""
        place = tuple(
            known.index(None if value is None else as_text(value))
            for known, value in zip(self.values, values, strict=True)
        )
        return float(self.counts[place])

    def table(self) -> pa.Table:
        """Lay the estimates out as rows: the columns, ``count`` and ``standard_error``."""
        grids = np.meshgrid(*(np.arange(len(known)) for known in self.values), indexing="ij")
        columns = {
            name: pa.array(known, pa.string()).take(pa.array(grid.ravel()))
            for name, known, grid in zip(self.columns, self.values, grids, strict=True)
        }
        return pa.table(
            {**columns, "count": self.counts.ravel(), "standard_error": self.standard_errors.ravel()}
        )


def estimate_counts(
    data: Any, mechanisms: Published | Sequence[Published], columns: Sequence[str] | None = None
) -> EstimatedCounts:
    """Estimate how often (combinations of) values occurred before they were randomised.

    ``data`` is a released frame; ``mechanisms`` are those that were published with it, as objects or as
    the evidence has them; ``columns`` are the columns to count by: all randomised ones unless given.
    Columns without a mechanism are taken as they are.

    >>> third, two_thirds = Fraction(1, 3), Fraction(2, 3)
    >>> coin = Mechanism("smokes", ("no", "yes"), ((two_thirds, third), (third, two_thirds)))
    >>> estimated = estimate_counts(pa.table({"smokes": ["no"] * 50 + ["yes"] * 40}), coin)
    >>> estimated.counts.round(6).tolist(), estimated.standard_errors.round(3).tolist()
    ([60.0, 30.0], [13.416, 13.416])
    """
    listed = list(mechanisms) if isinstance(mechanisms, Sequence) else [mechanisms]
    known = [_read(one) for one in listed]
    table = to_arrow(data)
    chosen = tuple(dict.fromkeys(m.column for m in known if m.matrix)) if columns is None else tuple(columns)
    if not chosen:
        raise BadInput("there is no column to count by", remedy="name some in 'columns'")
    return _estimated(table, known, chosen)


def _estimated(table: pa.Table, mechanisms: Sequence[Mechanism], chosen: tuple[str, ...]) -> EstimatedCounts:
    apart = next((m.where[0] for m in mechanisms if m.where is not None), None)
    if apart is not None:
        parts = list(_parts(table, mechanisms, apart))
        return _together([_estimated(rows, some, chosen) for rows, some in parts])
    by_column = _chained(mechanisms)
    coded = [_codes(column_of(table, name), name, by_column.get(name)) for name in chosen]
    shape = tuple(len(values) for values, _ in coded)
    if prod(shape) > MOST_COUNTS:
        raise BadInput(
            f"{prod(shape)} combinations are too many to estimate", remedy="count by fewer columns"
        )
    places = np.ravel_multi_index(tuple(codes for _, codes in coded), shape)
    observed = np.bincount(places, minlength=prod(shape)).astype(np.float64).reshape(shape)
    counts, squares = observed, observed
    for axis, name in enumerate(chosen):
        if name in by_column:
            inverse = inverse_of(by_column[name])
            counts = _along(counts, inverse, axis)
            squares = _along(squares, inverse**2, axis)
    return EstimatedCounts(chosen, tuple(values for values, _ in coded), counts, squares - counts)


def _parts(
    table: pa.Table, mechanisms: Sequence[Mechanism], apart: str
) -> Iterator[tuple[pa.Table, list[Mechanism]]]:
    """Cut a table into the rows that were randomised alike, with what was done to them."""
    shown = [None if value is None else as_text(value) for value in column_of(table, apart).to_pylist()]
    groups = dict.fromkeys(m.where[1] for m in mechanisms if m.where is not None and m.where[0] == apart)
    if not set(shown) <= set(groups):
        raise BadInput(
            "it holds values for which no mechanism is published",
            where=f"column '{apart}'",
            remedy="use the release as it was published, with this column unchanged",
        )
    for group in groups:
        here = [
            replace(m, where=None) if m.where is not None and m.where[0] == apart else m
            for m in mechanisms
            if m.where is None or m.where[0] != apart or m.where[1] == group
        ]
        yield table.filter(pa.array([value == group for value in shown], pa.bool_())), here


def _together(parts: Sequence[EstimatedCounts]) -> EstimatedCounts:
    """Add estimates of different rows up; their errors are independent."""
    columns = parts[0].columns
    values = tuple(
        tuple(dict.fromkeys(value for part in parts for value in part.values[axis]))
        for axis in range(len(columns))
    )
    counts, variances = (np.zeros(tuple(map(len, values))) for _ in range(2))
    for part in parts:
        places = np.ix_(*([values[a].index(v) for v in part.values[a]] for a in range(len(columns))))
        counts[places] += part.counts
        variances[places] += part.variances
    return EstimatedCounts(columns, values, counts, variances)


def inverse_of(mechanism: Mechanism) -> NDArray[np.float64]:
    """Return P⁻¹; a matrix that forgets the values altogether has none."""
    matrix = np.array([[float(entry) for entry in row] for row in mechanism.matrix])
    if np.linalg.svd(matrix, compute_uv=False)[-1] < _SINGULAR:
        raise BadInput(
            "the randomisation leaves no trace of the values, so that nothing can be estimated",
            where=f"column '{mechanism.column}'",
            remedy="count by other columns",
        )
    return np.linalg.inv(matrix)


def mechanism_as_text(mechanism: Mechanism) -> dict[str, Any]:
    """Write a mechanism in plain words and lists, exactly, for JSON."""
    return {
        "column": mechanism.column,
        "values": list(mechanism.values),
        "matrix": [[str(entry) for entry in row] for row in mechanism.matrix],
        "where": None if mechanism.where is None else list(mechanism.where),
        "from_data": mechanism.from_data,
    }


def mechanism_from_text(spelt: Mapping[str, Any]) -> Mechanism:
    """Read what ``mechanism_as_text`` or evidence holds.

    >>> mechanism_from_text({"column": "a", "values": ["x"], "matrix": [["1"]]}).matrix
    ((Fraction(1, 1),),)
    """
    matrix = tuple(tuple(Fraction(entry) for entry in row) for row in spelt["matrix"])
    values = tuple(spelt["values"])
    if {len(matrix), *map(len, matrix)} != {len(values)} or any(
        min(row) < 0 or sum(row) != 1 for row in matrix
    ):
        raise BadInput(
            "the matrix has no distribution over the values for each of them",
            where=f"column '{spelt['column']}'",
            remedy="use the evidence as it was published",
        )
    where = spelt.get("where")
    return Mechanism(
        spelt["column"],
        values,
        matrix,
        None if where is None else (where[0], where[1]),
        from_data=bool(spelt.get("from_data", False)),
    )


def _read(given: Published) -> Mechanism:
    if isinstance(given, Mechanism):
        return given
    if isinstance(given, Mapping):
        return mechanism_from_text(given)
    return mechanism_from_text(
        {name: getattr(given, name) for name in ("column", "values", "matrix", "where", "from_data")}
    )


def _chained(mechanisms: Sequence[Mechanism]) -> dict[str, Mechanism]:
    """Multiply the matrices of columns that were randomised several times, in order."""
    found: dict[str, Mechanism] = {}
    for mechanism in mechanisms:
        if not mechanism.matrix:
            continue
        before = found.get(mechanism.column)
        if before is None:
            found[mechanism.column] = mechanism
            continue
        if before.values != mechanism.values:
            raise BadInput(
                "it was randomised twice, over different values",
                where=f"column '{mechanism.column}'",
                remedy="estimate with a matrix of your own",
            )
        transposed = list(zip(*mechanism.matrix, strict=True))
        product = tuple(
            tuple(
                sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in transposed
            )
            for row in before.matrix
        )
        found[mechanism.column] = Mechanism(mechanism.column, mechanism.values, product)
    return found


def _codes(
    column: pa.Array, name: str, mechanism: Mechanism | None
) -> tuple[tuple[str | None, ...], NDArray[np.int64]]:
    encoded = pc.dictionary_encode(column, null_encoding="encode")
    occurring = encoded.dictionary.to_pylist()
    texts = [None if value is None else as_text(value) for value in occurring]
    values = mechanism.values if mechanism is not None else Domain.of(name, occurring).texts
    place = {text: code for code, text in enumerate(values)}
    if any(text not in place for text in texts):
        raise BadInput(
            "it holds values that the mechanism does not know",
            where=f"column '{name}'",
            remedy="use the release as it was published",
        )
    places = np.array([place[text] for text in texts], np.int64)
    return values, places[np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)]


def _along(counts: NDArray[np.float64], inverse: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Apply a matrix along one axis: Σ_v counts[…, v, …] · inverse[v][u]."""
    return np.moveaxis(np.tensordot(counts, inverse, axes=([axis], [0])), -1, axis)
