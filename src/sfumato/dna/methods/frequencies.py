"""Allele frequencies and other figures of everybody, published as they are.

Homer et al. (2008) showed that exact frequencies of many sites tell who is among the people they were counted
over. **So this promises nothing by itself**: ask for the model ``membership-bound``, and where it does not
hold take ``safe-snps`` or a differentially private method.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Published, Statistics, StatisticsModel, Study
from sfumato.dna.methods.promises import kept
from sfumato.dna.statistics.columns import BY_ARM, Counted, check_columns, figures
from sfumato.dna.statistics.linkage import r2_between
from sfumato.dna.statistics.tables import carriers

LINKAGE = "r2_next"
"""the column of r² with the next published site"""


@dataclass(frozen=True)
class Frequencies:
    """Publish exact figures of every site.

    ``least`` leaves out sites whose rarer allele fewer people carry. That alone is **not sufficient**: common
    alleles tell membership, too, there are only more of them needed; and which sites are left out is told.

    The column ``r2_next`` (r² of each published site with the next) tells more than frequencies do (Wang et
    al. 2009): ``membership-bound`` does not measure it, and says so.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> study = Study(InMemory(np.array([[0, 1, 2], [0, 0, 1]], np.int8), numbered(2)))
    >>> Frequencies(least=2).publish(study, ()).statistics.columns["frequency"]
    array([0.5])
    """

    columns: tuple[str, ...] = ("frequency",)
    least: int = 0
    name: ClassVar[str] = "frequencies"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        check_columns([name for name in self.columns if name != LINKAGE] or ["frequency"], self.name)
        check_least(self.least, self.name)
        if any(column in BY_ARM for column in self.columns):
            raise BadInput(
                "these columns are about cases and controls", where=self.name, remedy="take 'association'"
            )

    def publish(
        self, study: Study, models: tuple[StatisticsModel, ...] = (), *, progress: Progress = SILENT
    ) -> Published:
        """Count everybody once."""
        progress.step("counting genotypes")
        counted = Counted.of(Study(study.pool), progress=progress)
        counts = tuple(name for name in self.columns if name != LINKAGE)
        published = exact(study, counted, counts, "allelic", self.least, self.name)
        if LINKAGE in self.columns:
            progress.step("measuring linkage")
            linkage = r2_between(study.pool, published.kept, progress=progress)
            columns = {**published.statistics.columns, LINKAGE: linkage}
            published = replace(published, statistics=replace(published.statistics, columns=columns))
        return kept(published, study, models, "publish fewer sites with safe-snps, or noisy figures")


def check_least(least: int, where: str) -> None:
    """Refuse what is not a number of carriers."""
    if isinstance(least, bool) or not isinstance(least, int) or least < 0:
        raise BadInput("least must be a whole number of carriers", where=where, remedy="try least: 5")


def exact(
    study: Study, counted: Counted, columns: tuple[str, ...], test: str, least: int, where: str
) -> Published:
    """Publish exact figures of the sites whose rarer allele has enough carriers."""
    if study.pool.people < 1:
        raise BadInput("there are no people in the pool", where=where, remedy="give genotypes of people")
    which = np.flatnonzero(carriers(counted.everybody) >= least).astype(np.int64)
    if not len(which):
        raise BadInput(
            f"none of {len(counted.everybody):,} sites has {least} carriers of its rarer allele",
            where=where,
            remedy="lower least",
        )
    return Published(
        statistics_of(study, counted.some(which), which, columns, test, where),
        which,
        details={
            "test": test,
            "sites": len(counted.everybody),
            "sites with too few carriers": len(counted.everybody) - len(which),
        },
    )


def statistics_of(
    study: Study,
    counted: Counted,
    which: np.ndarray[tuple[int], np.dtype[np.int64]],
    columns: tuple[str, ...],
    test: str,
    where: str,
) -> Statistics:
    """Make the statistics of the sites ``which``, given their counts."""
    cases = None if counted.cases is None or study.cases is None else int(study.cases.sum())
    return Statistics(
        study.pool.sites.some(which), figures(counted, columns, test, where), study.pool.people, cases
    )
