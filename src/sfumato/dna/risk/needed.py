"""How many SNPs single a person out, by somebody who knows them one after the other.

Lin, Owen, Altman, "Genomic research and human subject privacy" (Science 2004), put it at a few dozen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.aligned import Aligned
from sfumato.dna.models.holding import held_values, values_of
from sfumato.dna.utility.weights import counts_of

Order = Literal["random", "most telling first", "rarest first"]
"""SNPs by chance; those of the highest entropy first, the same for all; each person's rarest values first"""
MOST_PEOPLE = 2_000
_RANDOM_ORDERS = 25


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


def snps_needed(
    rows: Aligned,
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

    known = rows if truth is None else truth
    if known.cells.shape != rows.cells.shape or known.lattice.name != rows.lattice.name:
        raise BadInput(
            f"there are {len(rows):,} rows of {rows.width:,} positions, and before they were made less "
            f"precise {len(known):,} of {known.width:,}",
            remedy="give the original of every row, in the same order",
        )
    single = np.zeros(32, np.uint8)
    single[list(values_of(rows.lattice))] = values_of(rows.lattice)
    table = held_values(rows.lattice)
    held = np.ascontiguousarray(table[rows.cells].T)
    _, owners = np.unique(rows.owners, return_inverse=True)
    owners = owners.astype(np.int64)
    people = int(owners.max()) + 1
    random = np.random.default_rng(seed)
    chosen = np.arange(people) if people <= most_people else random.choice(people, most_people, replace=False)
    counts = counts_of(rows.cells)
    holders = np.stack(
        [counts[:, table & value > 0].sum(axis=1) for value in values_of(rows.lattice)], axis=1
    )
    columns, telling = np.arange(rows.width), entropies(rows)
    snps = np.flatnonzero(telling > 0)
    if order == "random":
        shared = [random.permutation(snps).astype(np.int64) for _ in range(min(_RANDOM_ORDERS, people))]
    else:
        shared = [snps[np.argsort(-telling[snps], kind="stable")].astype(np.int64)]
    place = {value: at for at, value in enumerate(values_of(rows.lattice))}
    place_of = np.array([place.get(mask, 0) for mask in range(32)])
    fewest = np.zeros(people, np.int64)
    told = np.isin(owners, chosen)
    progress.step(f"SNPs needed, {order}")
    for done, row in enumerate(np.flatnonzero(told)):
        values = single[known.cells[row]]
        if order == "rarest first":
            mine = np.argsort(holders[columns, place_of[known.cells[row]]], kind="stable").astype(np.int64)
        else:
            mine = shared[owners[row] % len(shared)]
        mine = np.ascontiguousarray(mine[values[mine] > 0])
        found = needed(held, owners, int(row), values, mine)
        who = owners[row]
        if found and (not fewest[who] or found < fewest[who]):
            fewest[who] = found
        if done % 256 == 0:
            progress.update(done / max(1, int(told.sum())))
    return _summary(order, fewest[chosen])


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
