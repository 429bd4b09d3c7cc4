"""χ² of a case/control study with noise.

C. Uhler, A. Slavković & S. Fienberg, "Privacy-preserving data sharing for genome-wide association studies"
(2013); F. Yu, S. Fienberg, A. Slavković & C. Uhler, "Scalable privacy-preserving data sharing methodology for
genome-wide association studies" (2014), for unequal numbers of cases and controls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.dna.contract import Figure, Published, Statistics, StatisticsModel, Study
from sfumato.dna.methods.association_scores import UNITS, Test, read_test, whole_scores
from sfumato.dna.methods.private_noise import allowed, check_parameters, marked, noise_for
from sfumato.dna.methods.public_sites import STATUS_KEPT, check_missing, chosen_sites, imputed
from sfumato.dp.exact import Number


@dataclass(frozen=True)
class DpAssociation:
    """Publish χ² of M sites, each with noise of M times what one person can move it (``association_scores``).

    Neighbours are studies in which one person's genotypes were replaced and the status kept: how many cases
    and controls there are is public. Over all M sites one person moves MΔ in sum and √M Δ in length; Δ is
    about 4 (genotypic), 8 (allelic) or 16 (trend) for as many cases as controls, and more otherwise. With M
    in the hundreds noise hides every finding: choose sites with ``DpTopSnps`` first, or name a few.

    χ² is clamped to what there can be. No p-value is told: that of a noisy χ² would be no probability of
    anything.

    A missing genotype is taken as dosage ``missing``, so that every table has all people: tables that lose
    people have another, larger sensitivity. Which sites are published must not depend on the people.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> ill = np.arange(400) < 200
    >>> study = Study(InMemory(np.array([np.where(ill, 2, 0)], np.int8), numbered(1)), cases=ill)
    >>> made = DpAssociation(epsilon=10).publish(study, ())
    >>> bool(390 < made.statistics.columns["chi2"][0] <= 400)
    True
    """

    epsilon: Number | None = None
    delta: Number = 0
    test: str = Test.GENOTYPIC
    missing: int = 0
    sites: tuple[int, ...] | None = None
    name: ClassVar[str] = "dp-association"

    def __post_init__(self) -> None:
        check_parameters(self.epsilon, self.delta, self.name)
        check_missing(self.missing, self.name)
        object.__setattr__(self, "test", read_test(self.test, self.name))

    def publish(
        self,
        study: Study,
        models: tuple[StatisticsModel, ...],
        *,
        progress: Progress = SILENT,
        random: Random | None = None,
    ) -> Published:
        """Count, test, add noise, clamp."""
        budget = allowed(self.epsilon, self.delta, models, self.name)
        kept, test = chosen_sites(study, self.sites, self.name), Test(self.test)
        ill, well = imputed(study, self.missing, self.name, progress=progress)
        scores, each = whole_scores(test, ill[kept], well[kept])
        noise, spent = noise_for(budget, l1=each * len(kept), each=each, cells=len(kept))
        noisy = noise.add(scores, random)

        people, cases = study.pool.people, int(ill[0].sum())
        largest = people * (2 if test is Test.ALLELIC else 1)
        chi2 = np.clip(noisy, 0, largest * UNITS) / UNITS
        details: dict[str, Figure] = {
            "test": test.value,
            "mechanism": noise.name,
            "sensitivity": each / UNITS,
            "scale": float(noise.scale / UNITS),
            "neighbours": STATUS_KEPT,
        }
        return Published(
            Statistics(study.pool.sites.some(kept), {"chi2": chi2}, people=people, cases=cases),
            kept,
            spent,
            marked(details, random),
        )
