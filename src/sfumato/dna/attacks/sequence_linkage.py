"""Sequence linkage: somebody who knows a few SNPs of a person looks for the person's released row.

After Z. Lin, A. B. Owen and R. B. Altman, "Genomic research and human subject privacy", Science 305, 2004: a
few dozen independent SNPs single out one person of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import Aligned, Unaligned
from sfumato.dna.attacks.contract import Knowledge, check_count
from sfumato.hierarchy.iupac import SIZE, Lattice

CHOICES = ("rarest", "random")
_CELLS_AT_ONCE = 20_000_000
"""cells of people whose known SNPs are chosen at once"""


@dataclass(frozen=True)
class SequenceLinkage:
    """From ``snps`` cells of a person, find the released rows whose sets hold them all, and pick a person.

    A published set y holds a known cell x when joining them gives y again. With n people behind the rows
    that hold all known cells, the person being one of them, a pick is right with chance 1 / n; where the
    person's own rows do not hold them (left out, or changed) it is wrong. Success is the mean over everybody.

    ``choose`` says which cells are known: those **rarest** among the released rows, the worst that a person
    may have told, or **random** ones, by ``seed``. Cells where nothing is known of a person (N, ``./.``) are
    never among them. Where it is not known of whom each row was made (no ``kept``), the person's row is taken
    to be among those that fit (*expected*). With ``most_people`` so many are looked for, drawn by ``seed``,
    where there are more: figures are then those of the people drawn, which the result says.

    k-anonymity over all positions bounds the chance about anybody by 1 / k, however many cells are known:
    whoever fits one row of a class fits all. It counts people: somebody who owns most rows of a class is
    likelier than the others of it (``largest share of rows`` tells).

    >>> from sfumato.dna.aligned import aligned
    >>> original, shown = aligned("AATTA", "AATGA", "ATTCA"), aligned("AATKA", "AATKA", "ATTCA")
    >>> print(SequenceLinkage(snps=2).run(shown, Knowledge(original=original, kept=np.arange(3))))
    sequence-linkage: 66.7 % of 3 people, 33.3 % without their data (a blind guess: 33.3 %); sure of 1
    """

    snps: int = 20
    choose: str = "rarest"
    seed: int = 0
    most_people: int | None = None
    """how many people are looked for; everybody unless given"""
    name: ClassVar[str] = "sequence-linkage"
    title: ClassVar[str] = "knows a few SNPs of a person and looks for rows that may hold them all"
    threat: ClassVar[Threat] = Threat.IDENTITY
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_count(self.snps, "snps", self.name)
        check_count(self.seed, "seed", self.name, least=0)
        if self.most_people is not None:
            check_count(self.most_people, "most_people", self.name)
        if self.choose not in CHOICES:
            raise BadInput(
                "there is no such choice of known SNPs",
                where=self.name,
                remedy=nearest(str(self.choose), CHOICES),
            )

    def run(
        self,
        target: Aligned | Unaligned,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Look for the people of the original, each by one row of theirs."""
        from sfumato.dna.attacks._kernels_linkage import count_candidates

        original = _original(target, knowledge, self.name)
        if isinstance(target, Unaligned):
            raise AssertionError("refused before")
        kept = knowledge.kept
        persons, first = np.unique(original.owners, return_index=True)
        holds = holding(original.lattice)
        people = self._drawn(len(persons))
        first = first[people]
        if kept is None:
            # Rows whose owners nobody knows are taken as different people.
            owners = np.unique(target.owners, return_inverse=True)[1].astype(np.int64)
        else:
            owners = np.searchsorted(persons, original.owners[kept]).astype(np.int64)
        counted = np.zeros((len(people), 3), np.int64)
        published = np.require(target.cells, np.uint8, ["C", "W"])
        chance = np.random.default_rng(self.seed)
        rarity = _rows_that_hold(target, holds) if self.choose == "rarest" else None
        progress.step("looking for rows that fit")
        at_once = max(1, _CELLS_AT_ONCE // target.width)
        for begin in range(0, len(people), at_once):
            some = slice(begin, begin + at_once)
            columns, cells = self._known(original.cells[first[some]], original.lattice.top, chance, rarity)
            count_candidates(
                cells,
                columns,
                people[some] if kept is not None else np.full(len(cells), -1, np.int64),
                published,
                np.array(owners, np.int64),
                int(owners.max()) + 1,
                holds,
                counted[some],
            )
            progress.update(min(1.0, (begin + at_once) / len(people)))
        lost = 0 if kept is None else int(np.count_nonzero(counted[:, 2] == 0))
        candidates = counted[:, 0] if kept is None else np.where(counted[:, 2] > 0, counted[:, 0], 0)
        return self._result(
            candidates,
            counted,
            len(np.unique(owners)),
            kept is not None,
            lost,
            first,
            victims,
            len(persons),
        )

    def _drawn(self, everybody: int) -> NDArray[np.int64]:
        """Return who is looked for."""
        if self.most_people is None or everybody <= self.most_people:
            return np.arange(everybody, dtype=np.int64)
        drawn = np.random.default_rng(self.seed).choice(everybody, self.most_people, replace=False)
        return np.sort(drawn).astype(np.int64)

    def _known(
        self,
        rows: NDArray[np.uint8],
        top: int,
        chance: np.random.Generator,
        rarity: NDArray[np.float64] | None,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Return which columns are known of each person (−1 for none), and the cells there."""
        known = rows != top
        order = chance.random(rows.shape)
        if rarity is not None:
            # The random numbers, below 1, only part columns whose values as many rows hold.
            order += rarity[rows, np.arange(rows.shape[1])]
        order[~known] = np.inf
        many = min(self.snps, rows.shape[1])
        columns = np.argpartition(order, many - 1, axis=1)[:, :many].astype(np.int64)
        there = np.take_along_axis(known, columns, axis=1)
        cells = np.take_along_axis(rows, columns, axis=1)
        return np.ascontiguousarray(np.where(there, columns, -1)), np.ascontiguousarray(cells)

    def _result(
        self,
        candidates: NDArray[np.int64],
        counted: NDArray[np.int64],
        released: int,
        measured: bool,
        lost: int,
        rows: NDArray[np.int64],
        victims: bool,
        everybody: int,
    ) -> AttackResult:
        found = np.flatnonzero(candidates)
        fewest = int(candidates[found].min()) if len(found) else 0
        success = sum((Fraction(1, int(n)) for n in candidates[found]), Fraction(0)) / len(candidates)
        share = counted[found, 2] / counted[found, 1] if measured and len(found) else np.zeros(1)
        order = found[np.lexsort((found, candidates[found]))][:MOST_VICTIMS]
        return AttackResult(
            self.name,
            self.threat,
            len(candidates),
            float(success),
            1 / released,
            1 / released,
            certain=int(np.count_nonzero(candidates == 1)),
            highest=1 / fewest if fewest else 0.0,
            scored=Scored.MEASURED if measured else Scored.EXPECTED,
            details={
                "most SNPs known": self.snps,
                **({"people to draw from": everybody} if everybody > len(candidates) else {}),
                "fewest candidates": fewest,
                **({"people whose own row does not fit": lost} if measured else {}),
                **({"largest share of rows": float(share.max())} if measured else {}),
            },
            note=f"drawn at random from {everybody:,}" if everybody > len(candidates) else "",
            left_out=everybody - len(candidates),
            victims=tuple(
                Victim(int(rows[at]) + 1, 1 / int(candidates[at]), int(candidates[at])) for at in order
            )
            if victims
            else (),
        )


def holding(lattice: Lattice) -> NDArray[np.bool_]:
    """Return a table of which sets hold which: ``[x, y]`` says that joining x to y leaves y.

    >>> from sfumato.hierarchy.iupac import A, ANY, G, GAP, iupac
    >>> table = holding(iupac())
    >>> bool(table[A, A | G]), bool(table[A | G, A]), bool(table[GAP, ANY])
    (True, False, True)
    """
    sets = np.arange(SIZE, dtype=np.uint8)
    joined = lattice.closed[sets[:, None] | sets[None, :]]
    return np.ascontiguousarray(joined == sets[None, :])


def _rows_that_hold(target: Aligned, holds: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return for each set and column how many published rows hold it."""
    counts = np.zeros((SIZE, target.width))
    for mask in np.unique(target.cells):
        counts[mask] = (target.cells == mask).sum(axis=0)
    return holds.astype(np.float64) @ counts


def _original(target: Aligned | Unaligned, knowledge: Knowledge, where: str) -> Aligned:
    """Return the original; refuse rows that cannot be compared with it."""
    original = knowledge.original
    if original is None or not len(original):
        raise BadInput("there is nobody to attack", where=where, remedy="give the original")
    if not len(target):
        raise BadInput("there are no rows to attack", where=where, remedy="give a release with rows")
    if isinstance(target, Unaligned):
        raise BadInput(
            "the released sequences have lost their common positions",
            where=where,
            remedy="attack the rows as they were before gaps were removed",
        )
    if target.positions != original.positions or target.lattice.name != original.lattice.name:
        raise BadInput(
            f"the release has {target.width:,} positions and the original {original.width:,}, not the same",
            where=where,
            remedy="give the original that the release was made from",
        )
    if knowledge.kept is not None and (
        len(knowledge.kept) != len(target)
        or knowledge.kept.min(initial=0) < 0
        or knowledge.kept.max(initial=0) >= len(original)
    ):
        raise BadInput(
            "what says of whom each released row was made does not fit the release and the original",
            where=where,
            remedy="give one row number of the original for each released row",
        )
    if not (original.cells != original.lattice.top).any():
        raise BadInput("nothing is known of anybody", where=where, remedy="give an original with known cells")
    return original
