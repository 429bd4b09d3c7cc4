"""The likelihood ratio: the strongest test of whether somebody is behind published frequencies.

S. Sankararaman, G. Obozinski, M. I. Jordan and E. Halperin, "Genomic privacy and limits of individual
detection in a pool", Nature Genetics 41, 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.attacks.contract import Knowledge, check_share, left_out, people_to_attack
from sfumato.dna.attacks.frequencies import Frequencies, summed
from sfumato.dna.attacks.scoring import Scores, membership_result
from sfumato.dna.contract import Statistics


@dataclass(frozen=True)
class LikelihoodRatio:
    """Were a person's alleles drawn from the pool or from the population?

    With g_j alternate alleles at site j, the pool's frequency M_j and the population's P_j,

        L = Σ_j  g_j ln(M_j / P_j) + (2 − g_j) ln((1 − M_j) / (1 − P_j))

    For independent sites no test of (M, P) has more power (Neyman and Pearson). At m common sites L is about
    m/n higher for one of the n people of the pool than for a stranger: an own allele moves M_j by 1/2n. Its
    variance is m (1/n + 1/R) when the adversary counted P over R people, so that

        AUC ≈ Φ(√(m / 2n · R / (n + R)))

    and **the number of sites per person decides**, not the number of people. Linked sites flatten it.

    Frequencies that were counted over n people are kept 1/(2n + 2) away from 0 and 1. Claims are calibrated
    on people outside. Publishing fewer sites or noisy frequencies helps; rounding hardly does.

    >>> from sfumato.dna.attacks.contract import Population
    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> sites, chance = numbered(400), np.random.default_rng(1)
    >>> common = chance.uniform(0.1, 0.9, 400)
    >>> drawn = chance.binomial(2, common[:, None], (400, 60)).astype(np.int8)
    >>> pool = drawn[:, :20]
    >>> published = Statistics(sites, {"frequency": pool.mean(axis=1) / 2}, people=20)
    >>> known = Knowledge(InMemory(pool, sites), InMemory(drawn[:, 20:], sites), Population(common, sites))
    >>> LikelihoodRatio().run(published, known).details["auc"] > 0.95
    True
    """

    false_positives: float = 0.05
    column: str = "frequency"
    name: ClassVar[str] = "likelihood-ratio"
    title: ClassVar[str] = "tells from published frequencies who is in the data, by likelihood"
    threat: ClassVar[Threat] = Threat.MEMBERSHIP
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE, Need.POPULATION})

    def __post_init__(self) -> None:
        check_share(self.false_positives, "false_positives", self.name)

    def run(
        self, target: Statistics, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Score members and people outside by L."""
        members, outside = people_to_attack(knowledge, self.name)
        there = Frequencies.of(target, self.column, knowledge, self.name, progress)
        table = log_ratios(there)
        found = []
        for people in (members, outside):
            sums = summed(people, there.sites, table, there.usable, progress)
            found.append(np.where(sums.known > 0, sums.total, np.nan))
        return membership_result(
            self.name,
            Scores(*found),
            self.false_positives,
            details={"sites": int(there.usable.sum()), **left_out(knowledge, outside)},
            victims=victims,
        )


def log_ratios(there: Frequencies) -> NDArray[np.float64]:
    """Return what each dosage of each site adds to L: sites × 3.

    >>> from sfumato.dna.sites import numbered
    >>> one = Frequencies(numbered(1), np.array([0.2]), np.array([0.4]), np.array([True]))
    >>> log_ratios(one).round(3).tolist()
    [[0.575, -0.405, -1.386]]
    """
    pool = np.clip(there.pool, there.least[0], 1 - there.least[0])
    population = np.clip(there.population, there.least[1], 1 - there.least[1])
    alternate = np.log(pool / population)[:, None]
    reference = np.log((1 - pool) / (1 - population))[:, None]
    copies = np.array([0.0, 1.0, 2.0])
    return np.asarray(copies * alternate + (2 - copies) * reference, np.float64)
