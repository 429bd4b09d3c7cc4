"""Exposure of SNP sets: nobody is found by any m of their SNPs.

Lin, Owen, Altman, "Genomic research and human subject privacy" (Science 2004): a few dozen SNPs single a
person out. This is k^m-anonymity (Terrovitis, Mamoulis, Kalnis, 2008) for positions.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.contract import Demand
from sfumato.dna.models.classes import SHOWN_ROWS, PositionsWitness, classes_of, row_numbers
from sfumato.dna.models.holding import held_values, values_of
from sfumato.dna.models.places import Positions, asked_columns, checked, columns_of, in_words, numbered
from sfumato.dna.models.wording import as_aligned, check_whole, others, verdict

MOST_WORK = 2 * 10**10
"""words of 64 rows that a check looks at, some ten seconds, before it says that there are too many sets"""


@dataclass(frozen=True)
class SnpExposure:
    """Whoever knows any m SNPs of a person finds at least k people whose rows may be theirs.

    For all sets M ⊆ P with |M| = m and all values v on M that a row holds:
    |{ person(r) : v[j] ∈ r[j] for all j in M }| ≥ k.

    The adversary knows exact values (a base, a genotype, a gap) at positions of their choice, and keeps every
    row whose sets hold them: N and ``./.`` hold everything. Whoever also knows *how* a row looks in the
    release is stronger: ``SequenceKAnonymity`` stops these, and implies this promise for every m.

    All sets are looked at, and what cannot matter is cut: positions that rule nobody out, positions that tell
    the same, values that nobody holds together. Where there are still too many, the check refuses and never
    estimates. ``violations`` counts the rows that such SNPs lead to.

    Protects from finding a person's row by up to m of their SNPs; not from those who know more of them, nor
    from learning what all k candidates share.

    >>> from sfumato.dna.aligned import aligned
    >>> print(SnpExposure(at_a_time=1, k=2).check(aligned("AC", "AT", "GC", "GT")))
    snp-exposure holds: required k ≥ 2 for any 1 SNP, achieved k = 2
    >>> SnpExposure(at_a_time=2, k=2).check(aligned("AC", "AT", "GC", "GT")).achieved
    'k = 1'
    """

    at_a_time: int
    k: int
    positions: Positions | None = None
    name: ClassVar[str] = "snp-exposure"
    basis: ClassVar[Basis] = Basis.RELEASE
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.IDENTITY,)

    def __post_init__(self) -> None:
        check_whole(self.at_a_time, "at_a_time", self.name)
        check_whole(self.k, "k", self.name)
        object.__setattr__(self, "positions", checked(self.positions, self.name))

    @property
    def stops(self) -> tuple[str, ...]:
        """Linkage by up to m SNPs is bounded where they may be any; not where others are published beside."""
        return ("sequence-linkage",) if self.positions is None and self.k > 1 else ()

    def in_words(self) -> str:
        """Say what is promised."""
        known = (
            "any SNP of a person fits"
            if self.at_a_time == 1
            else f"any {self.at_a_time} SNPs of a person fit"
        )
        return f"{known} {others(self.k)}{in_words(self.positions)}"

    def on(self, rows: Aligned) -> SnpExposure:
        """Return the same promise with the numbers of columns of these rows for names."""
        return replace(self, positions=numbered(rows, self.positions, self.name))

    def demand(self) -> Demand:
        """The face for methods."""
        return Demand(
            people=self.k,
            positions=asked_columns(self.positions, self.name),
            at_a_time=self.at_a_time,
        )

    def check(self, published: Aligned | Unaligned, *, population: Aligned | None = None) -> Verdict:
        """Look for the SNPs that the fewest people may have."""
        rows = as_aligned(published, self.name)
        columns = columns_of(rows, self.positions, self.name)
        required = f"k ≥ {self.k} for any {self.at_a_time} SNP{'s' * (self.at_a_time != 1)}"
        if not len(rows):
            return verdict(self, rows, required=required, achieved="no rows", witness=None, violations=0)
        alike = classes_of(row_numbers(rows.cells[:, columns]), rows.owners)
        if alike.persons.min() >= self.k:
            # Whoever looks the same on all positions holds the same values on any of them.
            reached = f"k ≥ {alike.persons.min()}"
            return verdict(self, rows, required=required, achieved=reached, witness=None, violations=0)
        known = _Known.of(rows, columns, self.at_a_time)
        found = known.search(self.at_a_time, self.k)
        if not found.finished and not found.exposed.size:
            sets = math.comb(len(columns), min(self.at_a_time, len(columns)))
            raise PromiseNotMet(
                f"there are {sets:,} sets of {self.at_a_time} positions, too many to look at all, so that "
                "the promise could not be checked",
                where=self.name,
                remedy="ask for fewer SNPs at a time, name fewer positions, or promise sequence-k-anonymity, "
                "which implies it",
            )
        first = tuple(int(row) + 1 for row in found.worst[:SHOWN_ROWS])
        named = tuple(rows.positions[column] for column in found.columns)
        return verdict(
            self,
            rows,
            required=required,
            achieved=f"k {'=' if found.finished else '≤'} {found.fewest}",
            witness=PositionsWitness(named, first, found.fewest, what="values that {} may have")
            if found.exposed.size
            else None,
            violations=len(found.exposed),
        )


@dataclass(frozen=True, eq=False)
class _Found:
    fewest: int
    columns: tuple[int, ...]
    worst: NDArray[np.int64]
    """rows that the values which the fewest may have lead to"""
    exposed: NDArray[np.int64]
    """rows that any values lead to that fewer than k may have"""
    finished: bool


@dataclass(frozen=True, eq=False)
class _Known:
    """For each value of each position that tells anything: the rows that hold it, as bits."""

    bits: NDArray[np.uint64] = field(repr=False)
    columns: NDArray[np.int64] = field(repr=False)
    """the column of each value; those of a column lie together"""
    order: NDArray[np.int64] = field(repr=False)
    """the rows, by person"""
    owners: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, rows: Aligned, columns: NDArray[np.int64], size: int) -> _Known:
        held = held_values(rows.lattice)
        order = np.argsort(rows.owners, kind="stable")
        _, owners = np.unique(rows.owners[order], return_inverse=True)
        told: list[tuple[int, int, list[NDArray[np.uint8]]]] = []
        copies = Counter[bytes]()
        for column in columns:
            may_be = held[rows.cells[order, column]]
            sets = [may_be & value != 0 for value in values_of(rows.lattice)]
            telling = [one for one in sets if one.any() and not one.all()]
            if not telling:
                continue
            packed = sorted((np.packbits(one, bitorder="little") for one in telling), key=bytes)
            key = b"".join(one.tobytes() for one in packed)
            # Two positions that tell the same are known as one, unless a row holds several of their values:
            # then one may be known to be this, and the other that.
            several = int(np.sum(telling, axis=0).max()) > 1
            if copies[key] < (min(size, len(telling)) if several else 1):
                told.append((min(int(one.sum()) for one in telling), int(column), packed))
            copies[key] += 1
        told.sort(key=lambda one: one[:2])
        values = sum(len(packed) for _, _, packed in told)
        words = -(-len(rows) // 64)
        bits = np.zeros((values, words * 8), np.uint8)
        of_column = np.zeros(values, np.int64)
        at = 0
        for _, column, packed in told:
            for one in packed:
                bits[at, : len(one)] = one
                of_column[at] = column
                at += 1
        return cls(bits.view(np.uint64), of_column, order, owners.astype(np.int64))

    def search(self, size: int, k: int) -> _Found:
        """Find the fewest people who may have the values of up to so many positions."""
        from sfumato.dna.models._kernels_known import walk

        people = int(self.owners[-1]) + 1
        everybody = np.sort(self.order)
        if not len(self.columns):
            return _Found(people, (), everybody, everybody if people < k else everybody[:0], True)
        starts = np.flatnonzero(np.r_[True, np.diff(self.columns) != 0])
        place = np.cumsum(np.r_[False, np.diff(self.columns) != 0])
        after = np.r_[starts[1:], len(self.columns)][place].astype(np.int64)
        apart = int(people == len(self.owners))
        fewest, worst, marked, finished = walk(
            self.bits, after, self.owners, apart, min(size, len(starts)), k, MOST_WORK
        )
        chosen = worst[worst >= 0]
        return _Found(
            int(fewest),
            tuple(int(column) for column in self.columns[chosen]),
            self._rows(np.bitwise_and.reduce(self.bits[chosen], axis=0)),
            # Values that everybody holds are not among those looked at: they lead to all.
            self._rows(marked) if people >= k else everybody,
            bool(finished),
        )

    def _rows(self, bits: NDArray[np.uint64]) -> NDArray[np.int64]:
        marked = np.unpackbits(bits.view(np.uint8), count=len(self.order), bitorder="little")
        return np.sort(self.order[np.flatnonzero(marked)])
