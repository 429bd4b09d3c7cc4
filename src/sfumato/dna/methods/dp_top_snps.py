"""The sites most associated with a disease, chosen with differential privacy.

R. Bhaskar, S. Laxman, A. Smith & A. Thakurta (2010) and C. Uhler, A. Slavković & S. Fienberg (2013) for
choices by χ²; A. Johnson & V. Shmatikov, "Privacy-preserving data exploration in genome-wide association
studies" (2013) for choices by the distance to significance; noise in one go: G. Qiao, W. Su & L. Zhang,
"Oneshot differentially private top-k selection" (2021).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.dna.contract import Figure, Published, Statistics, StatisticsModel, Study
from sfumato.dna.methods.association_scores import Test, read_test, whole_scores
from sfumato.dna.methods.private_noise import allowed, check_parameters, marked
from sfumato.dna.methods.public_sites import STATUS_KEPT, check_missing, chosen_sites, imputed
from sfumato.dna.methods.significance_distance import critical_value, distance_scores
from sfumato.dp.exact import Number
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.noisy_max import Noise
from sfumato.dp.mechanisms.top_k import TopK


class Choice(StrEnum):
    """How the sites are chosen."""

    EXPONENTIAL = "exponential"
    """the best by χ², one after another, each with ε/k: the exponential mechanism"""
    PERMUTE_AND_FLIP = "permute-and-flip"
    """the same by report-noisy-max with exponential noise, which never errs more"""
    LAPLACE = "laplace"
    """Laplace noise of scale 2kΔ/ε on every χ², and the k largest, as a set"""
    DISTANCE = "distance"
    """the best by the distance to significance, whose sensitivity is 1, one after another"""


@dataclass(frozen=True)
class DpTopSnps:
    """Choose ``count`` sites of high association; only their names (and ranks) are told.

    ``mechanism`` is one of ``Choice``. *distance* scores the allelic test at the level ``significance`` in
    people instead of χ², and finds most: the sensitivity of χ² is that of the strangest tables, while the χ²
    of real ones moves much less. (Ten associated of 5,000 sites, 2,000 people, ε = 3: 87 % found by distance,
    none by χ²; ``benchmarks/dna_private``.) The others choose by the χ² of ``test``.

    *laplace*, in one go: let one person change. Add 2Δ to the noise of the k chosen: each of them is then at
    least as far ahead of all others as before, ties included, so the same set is chosen. k noises moved by 2Δ
    cost k · 2Δ/scale = ε. Their order may differ, so a set is told and no ranks.

    Costs ε in all, for one person replaced by another of the same status. The candidates are all sites of the
    source, or ``sites`` chosen without looking at the people. That the chosen are
    significant nobody promises: the k best of sites without any association are chance.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> ill = np.arange(400) < 200
    >>> dosages = np.array([ill * 0, ill * 2, ill * 0], np.int8)
    >>> study = Study(InMemory(dosages, numbered(3)), cases=ill)
    >>> DpTopSnps(1, epsilon=5).publish(study, ()).kept.tolist()
    [1]
    """

    count: int
    epsilon: Number | None = None
    mechanism: str = Choice.DISTANCE
    test: str = Test.ALLELIC
    significance: Number = 5e-8
    missing: int = 0
    sites: tuple[int, ...] | None = None
    name: ClassVar[str] = "dp-top-snps"

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise BadInput("count must be a whole number of at least 1", where=self.name, remedy="try 10")
        check_parameters(self.epsilon, 0, self.name)
        check_missing(self.missing, self.name)
        critical_value(self.significance)
        object.__setattr__(self, "test", read_test(self.test, self.name))
        try:
            object.__setattr__(self, "mechanism", Choice(self.mechanism))
        except ValueError:
            raise BadInput(
                "there is no such mechanism",
                where=self.name,
                remedy=f"choose {', '.join(Choice)}",
            ) from None
        if self.mechanism == Choice.DISTANCE and self.test != Test.ALLELIC:
            raise BadInput(
                "the distance to significance is that of the allelic test",
                where=self.name,
                remedy="leave test out, or choose by χ²",
            )

    def publish(
        self,
        study: Study,
        models: tuple[StatisticsModel, ...],
        *,
        progress: Progress = SILENT,
        random: Random | None = None,
    ) -> Published:
        """Count, score, choose."""
        budget = allowed(self.epsilon, 0, models, self.name)
        among, choice = chosen_sites(study, self.sites, self.name), Choice(self.mechanism)
        if len(among) < self.count:
            raise BadInput(
                f"there are {len(among)} sites, fewer than {self.count}",
                where=self.name,
                remedy="ask for fewer",
            )
        ill, well = imputed(study, self.missing, self.name, progress=progress)
        ill, well = ill[among], well[among]
        if choice is Choice.DISTANCE:
            scores, each = distance_scores(ill, well, critical_value(self.significance)), 1
        else:
            scores, each = whole_scores(Test(self.test), ill, well)
        chosen = self._chosen(scores, each, budget.epsilon, random)
        kept = among[chosen]
        columns: dict[str, NDArray[np.float64]] = {}
        if choice is not Choice.LAPLACE:
            columns["rank"] = np.arange(1, self.count + 1, dtype=np.float64)
        details: dict[str, Figure] = {
            "mechanism": choice.value,
            "neighbours": STATUS_KEPT,
            "test": Test(self.test).value,
        }
        return Published(
            Statistics(
                study.pool.sites.some(kept), columns, people=study.pool.people, cases=int(ill[0].sum())
            ),
            kept,
            {"epsilon": float(budget.epsilon)},
            marked(details, random),
        )

    def _chosen(
        self, scores: NDArray[np.int64], each: int, epsilon: Fraction, random: Random | None
    ) -> NDArray[np.int64]:
        if self.mechanism == Choice.LAPLACE:
            noisy = DiscreteLaplace.of(epsilon, 2 * self.count * each).add(scores, random)
            # Stable: of equal ones the first is taken, whatever the data.
            return np.sort(np.argsort(-noisy, kind="stable")[: self.count]).astype(np.int64)
        noise = Noise.GUMBEL if self.mechanism == Choice.EXPONENTIAL else Noise.EXPONENTIAL
        return TopK(self.count, epsilon, each, noise=noise).choose(scores, random)
