"""Microaggregation: groups of at least k alike records show their mean instead of their values.

D. Defays and P. Nanopoulos (1993); MDAV of J. Domingo-Ferrer and V. Torra (2005); V-MDAV of A. Solanas
and A. Martínez-Ballesté (2006); the optimum on one axis of S. L. Hansen and S. Mukherjee (2003).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.randomness import Random
from sfumato.table.perturbation import reading
from sfumato.table.perturbation.contract import Perturbed
from sfumato.table.perturbation.reading import Axis, Categories

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
_LARGEST = 1e100
Way = Literal["mdav", "v-mdav", "optimal"]
Aggregate = Literal["mean", "median", "mode"]


@dataclass(frozen=True)
class Microaggregation:
    """Every record shows what its group of at least k persons has in common: for group G and column j

        x'_j = mean { x_j : x ∈ G },   |persons(G)| ≥ k,   and   Σ_G Σ_{x ∈ G} ‖x − mean(G)‖²   is kept low.

    When all quasi-identifiers are microaggregated together, the outcome is k-anonymous. It does not keep
    sensitive values apart, and values that stand in no group's columns stay as they are.

    ``method``: *mdav*, *v-mdav* (groups of k to 2k − 1 records, growing while a neighbour is nearer than
    ``gamma`` times its distance from the others), or *optimal*: each column on its own, at the least
    possible loss; combinations of columns are then not protected.

    Numbers are standardised (mean 0, variance 1) unless ``standardise`` is off, and distances are
    Euclid's. With columns of texts, or ``categories``, distances are Gower's: |x − y| / range for
    numbers, 1 for another category; the group then shows its most frequent category. ``strata`` are
    columns that groups never mix. ``block`` parts the records into blocks of neighbours of at most so
    many first, for speed. k counts distinct persons where a column names them.

    >>> grouped = Microaggregation(["age"], k=2).apply(pa.table({"age": [20, 50, 24, 54]}))
    >>> grouped.records["age"].to_pylist()
    [22.0, 52.0, 22.0, 52.0]
    """

    columns: tuple[str, ...]
    k: int = 3
    method: Way = "mdav"
    aggregate: Aggregate = "mean"
    standardise: bool = True
    strata: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    gamma: float = 0.2
    block: int | None = None
    person: str | None = None
    name: ClassVar[str] = "microaggregation"
    truthful: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for listed in ("columns", "strata", "categories"):
            object.__setattr__(self, listed, reading.names_of(getattr(self, listed)))
        reading.check_names(self.name, self.columns)
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise BadInput("k must be a whole number of at least 1", where=self.name, remedy="try k: 3")
        for what, value, known in (
            ("method", self.method, get_args(Way)),
            ("aggregate", self.aggregate, get_args(Aggregate)),
        ):
            if value not in known:
                raise BadInput(
                    f"there is no {what} '{value}'", where=self.name, remedy=nearest(str(value), known)
                )
        if not self.gamma >= 0.0:
            raise BadInput("gamma must not be negative", where=self.name, remedy="try gamma: 0.2")
        if self.block is not None and self.block < 2 * self.k:
            raise BadInput("a block needs at least 2k records", where=self.name, remedy="try block: 5000")
        for column in self.categories:
            if column not in self.columns:
                raise BadInput(
                    f"'{column}' is a category and not among the columns",
                    where=self.name,
                    remedy=nearest(column, self.columns),
                )
        for column in self.strata:
            if column in self.columns:
                raise BadInput(
                    f"'{column}' is aggregated and cannot be a stratum", where=self.name, remedy="drop one"
                )

    def apply(self, records: pa.Table, random: Random | None = None) -> Perturbed:
        """Group the records and let each group show what it has in common; nothing is left to chance."""
        read = [self._read(records, name) for name in self.columns]
        owner = reading.owners_of(records, self.person)
        strata = reading.strata_of(records, self.strata)
        self._refuse_few(owner, strata)
        if self.method == "optimal":
            groups = {one.name: self._optimal(one, owner, strata) for one in read}
        else:
            shared = self._grouped(read, owner, strata)
            groups = {one.name: shared for one in read}
        changed = 0
        for one in read:
            column = self._shown(one, groups[one.name])
            changed += reading.count_changed(reading.column_of(records, one.name), column)
            records = reading.with_column(records, one.name, column)
        return Perturbed(records, details={"changed_values": changed, **_described(read, groups)})

    def _read(self, records: pa.Table, name: str) -> Axis | Categories:
        column = reading.column_of(records, name)
        reading.refuse_missing(name, column.is_null().to_numpy(zero_copy_only=False))
        if name in self.categories or pa.types.is_boolean(column.type):
            return reading.categories_of(records, name)
        if self.method == "optimal" or not reading.no_numbers(column):
            axis = reading.axis_of(records, name)
            reading.refuse_missing(name, ~axis.present)
            return axis
        return reading.categories_of(records, name)

    def _refuse_few(self, owner: I64, strata: list[I64]) -> None:
        fewest = min((len(np.unique(owner[members])) for members in strata), default=0)
        if fewest < self.k:
            what = "a stratum has" if self.strata else "the table has"
            raise PromiseNotMet(
                f"{what} {fewest} persons, and every group needs k = {self.k}",
                where=self.name,
                remedy=f"choose k of at most {fewest}" + (", or coarser strata" if self.strata else ""),
            )

    def _optimal(self, one: Axis | Categories, owner: I64, strata: list[I64]) -> I64:
        from sfumato.table.perturbation.microaggregation_groups import optimal

        if isinstance(one, Categories):
            raise BadInput(
                "the optimum is known for numbers only",
                where=f"column '{one.name}'",
                remedy="use 'method: mdav' for categories",
            )
        group = np.empty(len(one.values), np.int64)
        groups = 0
        for members in strata:
            found = optimal(one.values[members], _numbered(owner[members]), self.k)
            group[members] = found + groups
            groups += int(found.max()) + 1
        return group

    def _grouped(self, read: list[Axis | Categories], owner: I64, strata: list[I64]) -> I64:
        from sfumato.table.perturbation import microaggregation_groups as ways

        space = ways.Space(*_points(read, standardise=self.standardise), _numbered(owner))
        group = np.empty(len(owner), np.int64)
        groups = 0
        gamma = self.gamma if self.method == "v-mdav" else None
        for members in strata:
            part = space.part(members)
            if self.block is not None:
                found = ways.in_blocks(part, self.k, self.block, gamma)
            else:
                found = ways.mdav(part, self.k) if gamma is None else ways.v_mdav(part, self.k, gamma)
            group[members] = found + groups
            groups += int(found.max()) + 1
        return group

    def _shown(self, one: Axis | Categories, group: I64) -> pa.Array:
        if isinstance(one, Categories):
            return one.write(_modes(one.codes.astype(np.float64), group).astype(np.int64))
        found = {"mean": _means, "median": _medians, "mode": _modes}[self.aggregate](one.values, group)
        return one.write(found, whole=self.aggregate == "mode" and one.whole)


def _numbered(owner: I64) -> I64:
    found: I64 = np.unique(owner, return_inverse=True)[1].astype(np.int64)
    return found


def _points(read: list[Axis | Categories], *, standardise: bool) -> tuple[F64, I64]:
    """Scale columns for distances, and say how each counts."""
    from sfumato.table.perturbation._kernels_microaggregation import ABSOLUTE, CATEGORY, SQUARED

    mixed = any(isinstance(one, Categories) for one in read)
    columns, kinds = [], []
    for one in read:
        if isinstance(one, Categories):
            columns.append(one.codes.astype(np.float64))
            kinds.append(CATEGORY)
            continue
        if np.abs(one.values).max(initial=0.0) > _LARGEST:
            raise BadInput(
                "its values are too large for squared distances",
                where=f"column '{one.name}'",
                remedy="scale them down",
            )
        centred = one.values - one.values.mean()
        scale = 1.0
        if mixed:
            scale = float(np.ptp(one.values))
        elif standardise and len(centred) > 1:
            scale = float(centred.std(ddof=1))
        columns.append(centred / scale if scale > 0.0 else centred)
        kinds.append(ABSOLUTE if mixed else SQUARED)
    return np.ascontiguousarray(np.column_stack(columns)), np.array(kinds, np.int64)


def _in_groups(values: F64, group: I64) -> tuple[F64, I64, I64]:
    """Sort values within groups; return them, where each group begins, and its size."""
    order = np.lexsort((values, group))
    sizes = np.bincount(group)
    return values[order], np.cumsum(sizes) - sizes, sizes


def _means(values: F64, group: I64) -> F64:
    ordered, begins, sizes = _in_groups(values, group)
    means = np.add.reduceat(ordered, begins) / sizes
    # Rounding must not move the mean of equal values.
    return np.clip(means, ordered[begins], ordered[begins + sizes - 1])[group]


def _medians(values: F64, group: I64) -> F64:
    ordered, begins, sizes = _in_groups(values, group)
    medians: F64 = (ordered[begins + (sizes - 1) // 2] + ordered[begins + sizes // 2]) / 2
    return medians[group]


def _modes(values: F64, group: I64) -> F64:
    """Return the most frequent value of each group, of equals the least."""
    ordered, _, sizes = _in_groups(values, group)
    of = np.repeat(np.arange(len(sizes)), sizes)
    fresh = np.ones(len(ordered), np.bool_)
    fresh[1:] = (ordered[1:] != ordered[:-1]) | (of[1:] != of[:-1])
    runs = np.flatnonzero(fresh)
    lengths = np.diff(np.append(runs, len(ordered)))
    best = np.lexsort((ordered[runs], -lengths, of[runs]))
    first = best[np.searchsorted(of[runs][best], np.arange(len(sizes)))]
    return ordered[runs[first]][group]


def _described(read: list[Axis | Categories], groups: dict[str, I64]) -> dict[str, int | float | str]:
    from sfumato.table.perturbation.microaggregation_groups import squared_share

    sizes = np.concatenate([np.bincount(group) for group in groups.values()])
    found: dict[str, int | float | str] = {
        "groups": len(np.bincount(groups[read[0].name])),
        "smallest_group": int(sizes.min()),
        "largest_group": int(sizes.max()),
    }
    lost = total = 0.0
    for one in read:
        if isinstance(one, Axis):
            spread = one.values.std()
            if spread > 0:
                lost += squared_share(one.values[:, None] / spread, groups[one.name])
                total += 1.0
    if total:
        found["lost_variance"] = round(lost / total, 6)
    return found
