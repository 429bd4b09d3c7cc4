"""How many SNPs single a person out, by somebody who knows them one after the other.

Lin, Owen, Altman, "Genomic research and human subject privacy" (Science 2004), put it at a few dozen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.models.classes import classes_of, row_numbers
from sfumato.dna.models.holding import held_values, values_of
from sfumato.dna.utility.weights import counts_of

Order = Literal["random", "most telling first", "rarest first"]
"""SNPs by chance; those of the highest entropy first, the same for all; each person's rarest values first"""
MOST_PEOPLE = 2_000
_RANDOM_ORDERS = 25
_COLUMNS = 256
"""positions that are packed at once"""


@dataclass(frozen=True)
class Needed:
    """How many SNPs single people out. ``never`` counts those whom all of their SNPs do not.

    Of the people measured, 5 % are singled out by ``five_per_cent`` SNPs or fewer, half by ``median``; None
    where that many never are.
    """

    order: Order
    people: int
    """who were measured"""
    fewest: int | None
    five_per_cent: int | None
    median: int | None
    most: int | None
    never: int

    def __str__(self) -> str:
        if self.fewest is None:
            return f"SNPs needed, {self.order}: nobody is singled out"
        half = "more than half never are" if self.median is None else f"half by {self.median:,}"
        some = "" if self.five_per_cent is None else f"5 % by {self.five_per_cent:,}, "
        return f"SNPs needed, {self.order}: {self.fewest:,} at least, {some}{half} ({self.never:,} never)"


@dataclass(frozen=True, eq=False)
class Candidates:
    """Who may have which value where, made once for every order in which SNPs may be known."""

    rows: Aligned = field(repr=False)
    truth: Aligned = field(repr=False)
    """what is known of people: each row as it was before it was made less precise"""
    owners: NDArray[np.int64] = field(repr=False)
    """the person of each row, from 0"""
    holders: NDArray[np.uint64] = field(repr=False)
    """positions × values: a bit for each row that may have the value"""
    many: NDArray[np.int64] = field(repr=False)
    """positions × values: how many rows may have it"""
    telling: NDArray[np.float64] = field(repr=False)
    alike: NDArray[np.bool_] = field(repr=False)
    """the rows that are the same as a row of somebody else"""

    @classmethod
    def of(cls, rows: Aligned, truth: Aligned | None = None) -> Candidates:
        """Prepare rows; ``truth`` is what each was before (the same, unless given)."""
        known = rows if truth is None else truth
        if known.cells.shape != rows.cells.shape or known.lattice.name != rows.lattice.name:
            raise BadInput(
                f"there are {len(rows):,} rows of {rows.width:,} positions, and before they were made less "
                f"precise {len(known):,} of {known.width:,}",
                remedy="give the original of every row, in the same order",
            )
        table, values = held_values(rows.lattice), values_of(rows.lattice)
        _, owners = np.unique(rows.owners, return_inverse=True)
        counts = counts_of(rows.cells)
        classes = classes_of(row_numbers(rows.cells), owners)
        return cls(
            rows,
            known,
            owners.astype(np.int64),
            _holders(table[rows.cells], values),
            np.stack([counts[:, table & value > 0].sum(axis=1) for value in values], axis=1),
            entropies(rows),
            (classes.persons > 1)[classes.of_row],
        )

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.owners.max()) + 1


def snps_needed(
    rows: Aligned | Candidates,
    order: Order,
    *,
    truth: Aligned | None = None,
    seed: int = 0,
    most_people: int = MOST_PEOPLE,
    progress: Progress = SILENT,
) -> Needed:
    """Measure how many SNPs single people out, of everybody or of as many as are drawn.

    SNPs are the positions that vary. What is known of a person at one is the value of their own row, as it
    was before it was made less precise (``truth``, row by row; the same rows unless given); where that is
    open (N, ``./.``, any set) nothing is. Candidates are the people with a row that may have all values known
    so far. Of somebody with several rows, the row that tells most counts.

    >>> from sfumato.dna.aligned import aligned
    >>> print(snps_needed(aligned("AAC", "AGC", "GAC", "GGC", "GGC", "GGT"), "rarest first"))
    SNPs needed, rarest first: 1 at least, 5 % by 1, half by 2 (2 never)
    >>> released, original = aligned("R", "R", "C", "S"), aligned("A", "G", "C", "G")
    >>> print(snps_needed(released, "random", truth=original))
    SNPs needed, random: nobody is singled out
    """
    from sfumato.dna.risk._kernels_needed import needed

    found = rows if isinstance(rows, Candidates) else Candidates.of(rows, truth)
    people, owners, known = found.people, found.owners, found.truth.cells
    values_there = values_of(found.rows.lattice)
    single = np.zeros(32, np.uint8)
    single[list(values_there)] = values_there
    place_of = np.zeros(32, np.int64)
    place_of[list(values_there)] = np.arange(len(values_there))
    holds = held_values(found.rows.lattice)
    random = np.random.default_rng(seed)
    chosen = np.arange(people) if people <= most_people else random.choice(people, most_people, replace=False)
    columns = np.arange(found.rows.width)
    snps = np.flatnonzero(found.telling > 0)
    if order == "random":
        shared = [random.permutation(snps).astype(np.int64) for _ in range(min(_RANDOM_ORDERS, people))]
    else:
        shared = [snps[np.argsort(-found.telling[snps], kind="stable")].astype(np.int64)]
    rows_of = np.argsort(owners, kind="stable")
    begins = np.searchsorted(owners[rows_of], np.arange(people + 1))
    fewest = np.zeros(people, np.int64)
    progress.step(f"SNPs needed, {order}")
    for done, who in enumerate(chosen):
        theirs = rows_of[begins[who] : begins[who + 1]]
        mine = _bits(theirs, found.holders.shape[2], len(found.rows))
        for row in theirs:
            values = single[known[row]]
            # A row like that of somebody else never leaves its owner alone, if it is true to its owner.
            if found.alike[row] and not (values & ~holds[found.rows.cells[row]]).any():
                continue
            if order == "rarest first":
                way = np.argsort(found.many[columns, place_of[known[row]]], kind="stable").astype(np.int64)
            else:
                way = shared[who % len(shared)]
            way = np.ascontiguousarray(way[values[way] > 0])
            number = needed(found.holders, place_of, mine, values, way)
            if number and (not fewest[who] or number < fewest[who]):
                fewest[who] = number
        if done % 256 == 0:
            progress.update(done / len(chosen))
    return _summary(order, fewest[chosen])


def _holders(held: NDArray[np.uint8], values: tuple[int, ...]) -> NDArray[np.uint64]:
    """Return positions × values × words: a bit for each row whose cell may be the value."""
    rows, width = held.shape
    words = -(-rows // 64)
    found = np.zeros((width, len(values), words), np.uint64)
    for first in range(0, width, _COLUMNS):
        some = np.ascontiguousarray(held[:, first : first + _COLUMNS].T)
        for place, value in enumerate(values):
            packed = np.zeros((len(some), words * 8), np.uint8)
            packed[:, : -(-rows // 8)] = np.packbits(some & value > 0, axis=1, bitorder="little")
            found[first : first + len(some), place] = packed.view("<u8")
    return found


def _bits(theirs: NDArray[np.int64], words: int, rows: int) -> NDArray[np.uint64]:
    """Return the bits of some rows, and those behind the last row: neither are candidates."""
    taken = np.zeros(words * 64, np.bool_)
    taken[rows:] = True
    taken[theirs] = True
    return np.packbits(taken, bitorder="little").view("<u8").astype(np.uint64)


def _summary(order: Order, needed: NDArray[np.int64]) -> Needed:
    """Sum up; 0 stands for never, and comes after every number."""
    found = np.sort(needed[needed > 0])

    def quantile(per_cent: int) -> int | None:
        at = math.ceil(len(needed) * per_cent / 100) - 1
        return int(found[max(at, 0)]) if max(at, 0) < len(found) else None

    return Needed(
        order,
        len(needed),
        int(found[0]) if len(found) else None,
        quantile(5),
        quantile(50),
        int(found[-1]) if len(found) else None,
        len(needed) - len(found),
    )


def entropies(rows: Aligned) -> NDArray[np.float64]:
    """Return Shannon's entropy of each column in bits: how much its value tells of who a row is.

    A set that is not a single value is a value of its own.

    >>> from sfumato.dna.aligned import aligned
    >>> entropies(aligned("AC", "AT", "AC", "AT")).tolist()
    [0.0, 1.0]
    """
    shares = counts_of(rows.cells) / max(1, len(rows))
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(shares > 0, -shares * np.log2(shares), 0.0)
    found: NDArray[np.float64] = np.abs(parts.sum(axis=1))
    return found
