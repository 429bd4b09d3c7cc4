"""Tests of association with a disease, published as they are.

χ² and p-values tell how the frequencies of cases and controls differ, and with the margins the frequencies
themselves (Wang et al. 2009). **So this promises nothing by itself**, as with exact frequencies: ask for the
model ``membership-bound``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Published, StatisticsModel, Study
from sfumato.dna.methods.frequencies import check_least, exact
from sfumato.dna.methods.promises import kept
from sfumato.dna.statistics.association import TESTS
from sfumato.dna.statistics.columns import Counted, check_columns


@dataclass(frozen=True)
class Association:
    """Publish χ², p, log₁₀ p and odds ratios of every site. ``least`` as with ``Frequencies``.

    >>> import numpy as np
    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> pool = InMemory(np.array([[0, 0, 1, 2], [0, 1, 1, 0]], np.int8), numbered(2))
    >>> study = Study(pool, cases=np.array([False, False, True, True]))
    >>> Association().publish(study, ()).statistics.columns["chi2"].round(2)
    array([4.8, 0. ])
    """

    test: str = "allelic"
    columns: tuple[str, ...] = ("chi2", "p", "log10_p", "odds_ratio")
    least: int = 0
    name: ClassVar[str] = "association"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if self.test not in TESTS:
            raise BadInput(
                f"there is no test '{self.test}'", where=self.name, remedy=nearest(self.test, TESTS)
            )
        check_columns(self.columns, self.name)
        check_least(self.least, self.name)

    def publish(
        self, study: Study, models: tuple[StatisticsModel, ...] = (), *, progress: Progress = SILENT
    ) -> Published:
        """Count cases and controls once, and test every site."""
        if study.cases is None:
            raise BadInput("the study does not tell who is a case", where=self.name, remedy="give the cases")
        progress.step("counting cases and controls")
        counted = Counted.of(study, progress=progress)
        published = exact(study, counted, self.columns, self.test, self.least, self.name)
        return kept(published, study, models, "publish fewer sites with safe-snps, or noisy figures")
