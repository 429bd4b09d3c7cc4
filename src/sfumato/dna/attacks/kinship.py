"""Kinship: whoever has a relative's genotypes finds the relative among released rows, or in a pool.

A. Manichaikul and others, "Robust relationship inference in genome-wide association studies", Bioinformatics
26(22), 2010 (KING). Relatives in pools: S. Sankararaman and others (2009).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.aligned import Aligned
from sfumato.dna.attacks.contract import Knowledge, check_count, check_share
from sfumato.dna.attacks.likelihood_ratio import LikelihoodRatio
from sfumato.dna.attacks.scoring import Scores, membership_result
from sfumato.dna.contract import Statistics
from sfumato.dna.source import SITES_AT_ONCE
from sfumato.hierarchy.iupac import HET, HOM_ALT, HOM_REF, SIZE

ESTIMATORS = ("king", "relationship")
FIRST_DEGREE = 2**-2.5
"""parents, children and full siblings have a kinship of 1/4; 2^−5/2 parts them from those of 1/8"""


@dataclass(frozen=True)
class Kinship:
    """Is a relative of the person among the released rows?

    The score of a person is the highest kinship with any released row. ``king`` estimates it from exact
    genotypes alone, without knowing the population: with N_het,het sites where both are heterozygous, N_opp
    where they are opposite homozygotes, and h ≤ H heterozygous sites of the two,

        φ = (N_het,het − 2 N_opp) / 2h + 1/2 − (h + H) / 4h

    ``relationship`` also reads sets, which generalised rows are made of: the mean of z · e, z being the
    person's and e the row's **expected** standardised dosage given its set and the frequencies among the
    people whom the adversary knows, divided by the row's own spread. A set of everything tells nothing, but
    0/. still does: **rows that are k-anonymous show relatives**, though not which of k people it is. In
    simulated groups of 5, children of released people are told from strangers with an AUC of .99 at 1,000
    unlinked sites; in groups of 10 with .81, and with .98 at 3,000.

    Rows with fewer than ``least`` sites that tell anything are passed over. Against published frequencies the
    attack is the likelihood ratio with genotypes of relatives in the place of members, who share half of
    their alleles with somebody in the pool.

    >>> from sfumato.hierarchy.iupac import genotypes
    >>> chance, masks = np.random.default_rng(1), np.array([HOM_REF, HET, HOM_ALT], np.uint8)
    >>> parents = chance.binomial(2, 0.4, (5, 500))
    >>> children = chance.binomial(1, parents / 2) + chance.binomial(1, 0.4, (5, 500))
    >>> people = np.concatenate([children, chance.binomial(2, 0.4, (20, 500))])
    >>> relatives = np.concatenate([np.arange(5), np.full(20, -1)])
    >>> known = Knowledge(people=Aligned(masks[people], genotypes()), relatives=relatives)
    >>> Kinship().run(Aligned(masks[parents], genotypes()), known).details["auc"]
    1.0
    """

    estimator: str = "relationship"
    least: int = 50
    false_positives: float = 0.05
    name: ClassVar[str] = "kinship"
    title: ClassVar[str] = "finds a relative of a known person in the data"
    threat: ClassVar[Threat] = Threat.MEMBERSHIP
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE, Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_count(self.least, "least", self.name)
        check_share(self.false_positives, "false_positives", self.name)
        if self.estimator not in ESTIMATORS:
            raise BadInput(
                "there is no such estimator", where=self.name, remedy=nearest(str(self.estimator), ESTIMATORS)
            )

    def run(
        self,
        target: Aligned | Statistics,
        knowledge: Knowledge,
        *,
        victims: bool = False,
        progress: Progress = SILENT,
    ) -> AttackResult:
        """Score people who have a relative in the data, and people who have none."""
        if isinstance(target, Statistics):
            found = LikelihoodRatio(self.false_positives).run(
                target, knowledge, victims=victims, progress=progress
            )
            return replace(found, attack=self.name, note="the people attacked are relatives of members")
        people, relatives = self._people(target, knowledge)
        progress.step("comparing people with released rows")
        # Rows that are the same are compared once: sums in floating point would tell them apart.
        rows, which = np.unique(target.cells, axis=0, return_inverse=True)
        estimate = king if self.estimator == "king" else related
        kinship = estimate(people, rows, self.least)[:, which]
        readable = ~np.isnan(kinship).all(axis=1)
        if not readable.any():
            raise BadInput(
                f"no released row has {self.least:,} sites that tell anything: kinship cannot be estimated",
                where=self.name,
                remedy="lower 'least' to attack with less",
            )
        best = np.full(len(people), np.nan)
        best[readable] = np.nanmax(kinship[readable], axis=1)
        theirs = relatives >= 0
        details: dict[str, int | float | str] = {"rows": len(target), "sites": target.width}
        asked = np.flatnonzero(theirs & readable)
        at_best = kinship[asked] == best[asked, None]
        right = at_best[np.arange(len(asked)), relatives[asked]] / np.maximum(at_best.sum(axis=1), 1)
        others = best[~theirs & readable]
        if len(asked):
            details["relative's row found"] = float(right.mean())
        if self.estimator == "king" and len(asked) and len(others):
            details["relatives called first degree"] = float(np.mean(best[asked] > FIRST_DEGREE))
            details["strangers called first degree"] = float(np.mean(others > FIRST_DEGREE))
        return membership_result(
            self.name,
            Scores(best[theirs], best[~theirs]),
            self.false_positives,
            details=details,
            victims=victims,
        )

    def _people(self, target: Aligned, knowledge: Knowledge) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        people, relatives = knowledge.people, knowledge.relatives
        if people is None or relatives is None or len(relatives) != len(people):
            raise BadInput(
                "it is not known who has a relative in the release",
                where=self.name,
                remedy="give genotypes of people, and for each the released row of a relative, −1 for none",
            )
        if not (relatives >= 0).any() or np.count_nonzero(relatives < 0) < 2:
            raise BadInput(
                "the people are all relatives, or none is",
                where=self.name,
                remedy="give some who have a relative in the release and at least two who have none",
            )
        if relatives.max() >= len(target):
            raise BadInput("a relative's row lies past the release", where=self.name, remedy="count from 0")
        names = {target.lattice.name, people.lattice.name}
        if names != {"genotypes"} or target.positions != people.positions:
            raise BadInput(
                "kinship is estimated from genotypes at the same sites",
                where=self.name,
                remedy="read both as genotypes, with the same positions",
            )
        return people.cells, np.asarray(relatives, np.int64)


def king(people: NDArray[np.uint8], rows: NDArray[np.uint8], least: int = 1) -> NDArray[np.float64]:
    """Return KING's robust kinship of each person with each row; NaN where too little is exact.

    >>> one = np.array([[1, 2, 2, 4, 2, 1]], np.uint8)
    >>> king(one, np.concatenate([one, one[:, ::-1]])).round(2).tolist()
    [[0.5, 0.33]]
    """
    shape = len(people), len(rows)
    known, both, opposite, my_hets, their_hets = (np.zeros(shape) for _ in range(5))
    for part in _columns(people.shape[1]):
        # Whole numbers of so few sites are exact in single precision.
        mine = [(people[:, part] == mask).astype(np.float32) for mask in (HOM_REF, HET, HOM_ALT)]
        theirs = [(rows[:, part] == mask).astype(np.float32).T for mask in (HOM_REF, HET, HOM_ALT)]
        my_exact, their_exact = mine[0] + mine[1] + mine[2], theirs[0] + theirs[1] + theirs[2]
        known += my_exact @ their_exact
        both += mine[1] @ theirs[1]
        opposite += mine[0] @ theirs[2] + mine[2] @ theirs[0]
        # Heterozygous sites are counted where both genotypes are exact.
        my_hets += mine[1] @ their_exact
        their_hets += my_exact @ theirs[1]
    fewer, more = np.minimum(my_hets, their_hets), np.maximum(my_hets, their_hets)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = (both - 2 * opposite) / (2 * fewer) + 0.5 - (fewer + more) / (4 * fewer)
    return np.where((known >= least) & (fewer > 0), found, np.nan)


def related(people: NDArray[np.uint8], rows: NDArray[np.uint8], least: int = 1) -> NDArray[np.float64]:
    """Return how alike each person is to each row in standard deviations; NaN where too little is told.

    Frequencies are those among ``people``, under Hardy–Weinberg proportions.
    """
    shape = len(people), len(rows)
    alike, size, enough = (np.zeros(shape) for _ in range(3))
    for part in _columns(people.shape[1]):
        mine = people[:, part]
        known = np.isin(mine, (HOM_REF, HET, HOM_ALT))
        dosages = np.where(mine == HET, 1.0, np.where(mine == HOM_ALT, 2.0, 0.0))
        p = (np.where(known, dosages, 0).sum(axis=0) + 0.5) / (2 * known.sum(axis=0) + 1)
        spread = np.sqrt(2 * p * (1 - p))
        z = np.where(known, (dosages - 2 * p) / spread, 0.0)
        e = (_expected(p)[rows[:, part], np.arange(len(p))] - 2 * p) / spread
        tells = np.abs(e) > 1e-12
        e = np.where(tells, e, 0.0)
        alike += z @ e.T
        # A site counts only where the person's genotype is known too.
        size += known.astype(np.float64) @ (e**2).T
        enough += known.astype(np.float64) @ tells.T.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = alike / np.sqrt(size)
    return np.where((enough >= least) & (size > 0), found, np.nan)


def _columns(width: int) -> list[slice]:
    return [slice(start, start + SITES_AT_ONCE) for start in range(0, width, SITES_AT_ONCE)]


def _expected(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean dosage of each set of genotypes at each site: masks × sites."""
    chances = np.stack([(1 - p) ** 2, 2 * p * (1 - p), p**2])
    table = np.tile(2 * p, (SIZE, 1))
    for mask in range(1, 8):
        held = np.array([bool(mask & bit) for bit in (HOM_REF, HET, HOM_ALT)])
        weight = chances * held[:, None]
        table[mask] = (weight * np.arange(3)[:, None]).sum(axis=0) / weight.sum(axis=0)
    return table
