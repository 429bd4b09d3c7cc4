"""Homer's attack: is somebody in a mixture whose allele frequencies are published?

N. Homer and others, "Resolving individuals contributing trace amounts of DNA to highly complex mixtures using
high-density SNP genotyping microarrays", PLoS Genetics 4(8), 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import AttackResult, Need
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.attacks.contract import Knowledge, check_share, left_out, people_to_attack
from sfumato.dna.attacks.frequencies import Frequencies, Sums, summed
from sfumato.dna.attacks.scoring import Scores, membership_result
from sfumato.dna.contract import Statistics


@dataclass(frozen=True)
class Homer:
    """Is the person nearer to the mixture than to the population?

    With a person's own frequency Y_j ∈ {0, ½, 1}, the mixture's M_j and the population's P_j at s sites,

        D_j = |Y_j − P_j| − |Y_j − M_j|,    T = mean(D) / (sd(D) / √s)

    and large T says *in the mixture*. As published T is compared with a normal distribution. That takes
    sites as independent and the reference as the true population, and is badly wrong: with linked sites far
    more than 5 % of strangers pass the test at 5 %. So claims are calibrated on people outside; what the
    nominal test would have done is told as ``nominal false positive rate``, and is no power of anybody.

    Of missing genotypes nothing is assumed: the sites count for nobody who lacks them. ``column`` names the
    published frequencies.

    >>> from sfumato.dna.attacks.contract import Population
    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> sites, chance = numbered(400), np.random.default_rng(1)
    >>> common = chance.uniform(0.1, 0.9, 400)
    >>> drawn = chance.binomial(2, common[:, None], (400, 60)).astype(np.int8)
    >>> pool = drawn[:, :20]
    >>> published = Statistics(sites, {"frequency": pool.mean(axis=1) / 2}, people=20)
    >>> known = Knowledge(InMemory(pool, sites), InMemory(drawn[:, 20:], sites), Population(common, sites))
    >>> Homer().run(published, known).details["auc"] > 0.95
    True
    """

    false_positives: float = 0.05
    column: str = "frequency"
    name: ClassVar[str] = "homer"
    title: ClassVar[str] = "tells from published frequencies who is in the data, by distances"
    threat: ClassVar[Threat] = Threat.MEMBERSHIP
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE, Need.POPULATION})

    def __post_init__(self) -> None:
        check_share(self.false_positives, "false_positives", self.name)

    def run(
        self, target: Statistics, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Score members and people outside by T."""
        members, outside = people_to_attack(knowledge, self.name)
        there = Frequencies.of(target, self.column, knowledge, self.name, progress)
        table = distances(there)
        scores = Scores(
            *(
                statistic(summed(people, there.sites, table, there.usable, progress))
                for people in (members, outside)
            )
        )
        limit = NormalDist().inv_cdf(1 - self.false_positives)
        known = scores.outside[~np.isnan(scores.outside)]
        nominal = float(np.mean(known > limit)) if len(known) else 0.0
        return membership_result(
            self.name,
            scores,
            self.false_positives,
            details={
                "sites": int(there.usable.sum()),
                "nominal false positive rate": nominal,
                **left_out(knowledge, outside),
            },
            victims=victims,
        )


def distances(there: Frequencies) -> NDArray[np.float64]:
    """Return D_j for each dosage of each site: sites × 3.

    >>> from sfumato.dna.sites import numbered
    >>> one = Frequencies(numbered(1), np.array([0.2]), np.array([0.3]), np.array([True]))
    >>> distances(one).round(2).tolist()
    [[0.1, -0.1, -0.1]]
    """
    own = np.array([0.0, 0.5, 1.0])
    return np.abs(own - there.population[:, None]) - np.abs(own - there.pool[:, None])


def statistic(sums: Sums) -> NDArray[np.float64]:
    """Return T of each person; NaN where fewer than two sites are known."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums.total / sums.known
        variance = np.maximum(sums.squares - sums.known * mean**2, 0) / (sums.known - 1)
        found = mean / np.sqrt(variance / sums.known)
    # Nothing differs between mixture and population: no evidence either way.
    found[(sums.squares == 0) & (sums.known > 1)] = 0.0
    found[sums.known < 2] = np.nan
    return found
