"""Safe SNPs: how many sites, and which, may be published exactly for a bound on an adversary's power.

After Sankararaman, Obozinski, Jordan & Halperin, "Genomic privacy and limits of individual detection in a
pool" (SecureGenome, 2009).
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput, PromiseNotMet, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Figure, Published, StatisticsModel, Study
from sfumato.dna.methods.calibration import Calibration, Question, calibrated
from sfumato.dna.methods.frequencies import check_least, statistics_of
from sfumato.dna.methods.promises import broken
from sfumato.dna.methods.ranking import KEEPS, not_linked, ranked
from sfumato.dna.models.membership import MembershipBound
from sfumato.dna.source import GenotypeSource, InMemory
from sfumato.dna.statistics.association import TESTS, outcome_of
from sfumato.dna.statistics.columns import (
    BY_PERSON,
    Counted,
    check_columns,
    shows_arms,
    shows_genotypes,
)
from sfumato.dna.statistics.held_out import Parts, check_same_sites, in_parts, members_of
from sfumato.dna.statistics.power import Bound, by_chance, expected_auc, expected_power
from sfumato.dna.statistics.selected import counts_of, dosages_of, selected
from sfumato.dna.statistics.tables import Figures, called, carriers

_LINKED_PEOPLE = 1000
"""r² is estimated from so many people at most: its error is about 1/1000 then"""

_HARDLY_LINKED = 0.2
"""with r² up to this, whoever knows how sites are linked gains next to nothing"""


@dataclass(frozen=True)
class SafeSnps:
    """Publish exact figures of as many sites as a bound on membership allows.

    Two bounds, and the smaller set wins. **In theory** (``statistics/power``): sites may be published as long
    as d keeps Φ(d/√2) ≤ ``auc`` and Φ(d − z₁₋α) ≤ ``power``, with room for what both may be larger by the
    draw of the pool (at ``confidence``). d² is the sum of 1/n over sites (of 2/n where genotypes are told,
    not only alleles); between cases and controls it is the sum of χ² (1/n₁ + 1/n₂). This is against somebody
    who knows the population's frequencies without error, for people who are not related. **Measured**, where
    the study has a reference panel (``methods/calibration``): the adversaries are run on members and on
    people outside, and the number of sites is what keeps the bound at ``confidence``. Without a panel only
    the theory holds, and the details say so.

    Sites are taken in the order of ``keep``: ``random`` (by ``seed``), ``first`` (as in the file), ``common``
    (most frequent rarer allele) or ``strongest`` (association). A site in linkage with one taken before it
    (r² above ``linked`` within ``window`` bases, over the reference if there is one) is passed over.

    What it does not protect from: relatives of members share their alleles and are recognised, too; a pool of
    another population than the reference is told from it by ancestry (the measured bound sees that, the
    theory does not). **Keeping the strongest associations tells which sites those are, and their figures
    stand out by selection**: the bound counts that in through χ² and by measuring, but the choice itself
    tells of the pool. ``least`` leaves out sites with fewer carriers, which is not sufficient by itself.

    >>> from sfumato.dna.sites import numbered
    >>> dosages = np.random.default_rng(1).binomial(2, 0.4, (400, 500)).astype(np.int8)
    >>> published = SafeSnps(auc=0.6).publish(Study(InMemory(dosages, numbered(400))), ())
    >>> len(published.kept), published.details["decided by"]
    (46, 'theory')
    """

    auc: float | None = None
    power: float | None = None
    alpha: float = 0.05
    confidence: float = 0.95
    keep: str = "random"
    columns: tuple[str, ...] = ()
    """what is published; by default the frequency, of a case/control study those of both arms, χ² and p"""
    test: str = "allelic"
    linked: float | None = _HARDLY_LINKED
    window: int = 500_000
    least: int = 0
    seed: int = 0
    name: ClassVar[str] = "safe-snps"

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if self.auc is not None or self.power is not None:
            Bound(self.auc, self.power, self.alpha, self.confidence)
        if self.keep not in KEEPS:
            raise BadInput(
                f"sites cannot be kept by '{self.keep}'", where=self.name, remedy=nearest(self.keep, KEEPS)
            )
        if self.test not in TESTS:
            raise BadInput(
                f"there is no test '{self.test}'", where=self.name, remedy=nearest(self.test, TESTS)
            )
        if self.columns:
            check_columns(self.columns, self.name)
        if "missing" in self.columns:
            raise BadInput(
                "what missing genotypes tell is not bounded", where=self.name, remedy="leave 'missing' out"
            )
        if self.linked is not None and not 0 < self.linked <= 1:
            raise BadInput("linked must lie between 0 and 1", where=self.name, remedy="try linked: 0.2")
        check_least(self.least, self.name)

    def publish(
        self, study: Study, models: tuple[StatisticsModel, ...] = (), *, progress: Progress = SILENT
    ) -> Published:
        """Count, rank, choose, and measure; raise ``PromiseNotMet`` where no site may be published."""
        bounds = self._bounds(models)
        columns = self.columns or self._columns(study)
        parts, alike = self._parts(study)
        progress.step("counting genotypes")
        arms = shows_arms(columns) or self.keep == "strongest"
        counted = Counted.of(study if arms else replace(study, cases=None), progress=progress)
        enough = (called(counted.everybody) > 0) & (carriers(counted.everybody) >= self.least)
        if arms and counted.cases is not None and counted.controls is not None:
            enough &= (called(counted.cases) > 0) & (called(counted.controls) > 0)
        order = ranked(self.keep, counted, np.flatnonzero(enough), self.test, self.seed)
        progress.step("leaving out linked sites")
        order = self._chosen(order, counted, columns, bounds, study, parts)
        if not len(order):
            raise PromiseNotMet(
                f"not one site of {len(enough):,} may be published: the pool of {study.pool.people:,} people "
                "is too small for the bound",
                where=self.name,
                remedy="allow a larger auc or power, or publish noisy figures",
            )
        # From here on only the chosen sites: few enough to be in memory and to be measured again and again.
        which = np.sort(order)
        small = self._in_memory(study, which, progress)
        here = counted.some(which)
        places = np.searchsorted(which, order)
        theory = len(order)
        sizes, details = self._measured(small, here, places, columns, bounds, parts, progress)
        if parts is not None:
            details["members among the reference"] = alike
        return self._first_that_holds(
            small, which, here, places, (columns, sizes, theory, details), models, study
        )

    def _parts(self, study: Study) -> tuple[Parts | None, int]:
        """Divide the reference panel, without the members that are in it, and say how many those are."""
        if study.reference is None:
            return None, 0
        check_same_sites(study.pool.sites, study.reference.sites, self.name)
        alike = members_of(study.pool, study.reference, self.name)
        return in_parts(study.reference.people).without(alike), int(np.count_nonzero(alike))

    def _bounds(self, models: tuple[StatisticsModel, ...]) -> tuple[Bound, ...]:
        found = [model.bound() for model in models if isinstance(model, MembershipBound)]
        if self.auc is not None or self.power is not None:
            found.append(Bound(self.auc, self.power, self.alpha, self.confidence))
        if not found:
            raise BadInput(
                "no bound is asked for", where=self.name, remedy="give auc: 0.6 or power: 0.1, or promise one"
            )
        return tuple(found)

    def _columns(self, study: Study) -> tuple[str, ...]:
        if study.cases is None:
            return ("frequency",)
        return ("case_frequency", "control_frequency", "chi2", "p")

    def _chosen(
        self,
        order: NDArray[np.int64],
        counted: Counted,
        columns: tuple[str, ...],
        bounds: tuple[Bound, ...],
        study: Study,
        parts: Parts | None,
    ) -> NDArray[np.int64]:
        """Return the sites that theory allows, in their order."""
        most = min(bound.separation for bound in bounds) ** 2
        source = study.pool if study.reference is None else study.reference
        people = (np.arange(source.people) if parts is None else parts.estimating)[:_LINKED_PEOPLE]

        def read(which: NDArray[np.int64]) -> NDArray[np.int8]:
            return np.concatenate([block.dosages[:, people] for block in selected(source, which)])

        # Each site costs at least 1/n, so no more than most · n can be wanted.
        wanted = min(len(order), int(most * study.pool.people) + 1)
        order = not_linked(order, study.pool.sites, read, enough=wanted, most=self.linked, window=self.window)
        counted = counted.some(order)
        ill = np.count_nonzero(study.cases) if shows_arms(columns) and study.cases is not None else 0
        fewest = min(ill, study.pool.people - ill) if ill else study.pool.people
        mean = self.squared_separation(counted, columns, None)
        many = len(order)
        for bound in bounds:
            surely = self.squared_separation(counted, columns, bound.confidence)
            # More sites tell more: half of what is left is decided at each step.
            allowed = bisect_left(
                range(many),
                True,
                key=lambda at: not bound.allows(float(mean[at]), float(surely[at]), int(fewest)),
            )
            many = min(many, allowed)
        return order[:many]

    def squared_separation(
        self, counted: Counted, columns: tuple[str, ...], confidence: float | None
    ) -> Figures:
        """Return d² of the first m sites, for every m: its mean over the draw of the pool, or what it so
        surely does not exceed."""
        genotypes = shows_genotypes(columns, self.test)
        told = 2.0 if genotypes else 1.0
        chance = np.full(len(counted.everybody), told)
        if confidence is not None:
            chance *= by_chance(told * np.arange(1.0, len(counted.everybody) + 1), confidence)
        spent = np.zeros(len(counted.everybody))
        if any(name in BY_PERSON for name in columns):
            spent = chance * np.cumsum(1 / called(counted.everybody))
        if shows_arms(columns) and counted.cases is not None and counted.controls is not None:
            cases, controls = 1 / called(counted.cases), 1 / called(counted.controls)
            # Between the arms nothing is left to chance: their difference at each site is known. What linkage
            # makes of the differences of several sites is not, where linked ones are not passed over.
            linkage = chance if self.linked is None or self.linked > _HARDLY_LINKED else told
            chi2 = outcome_of(counted.cases, counted.controls, "genotypic" if genotypes else "allelic").chi2
            between = np.cumsum(chi2 * (cases + controls))
            spent = np.max(
                [
                    spent,
                    chance * np.maximum(np.cumsum(cases), np.cumsum(controls)),
                    linkage * np.cumsum(cases + controls),
                    between,
                ],
                axis=0,
            )
        return spent

    def _in_memory(self, study: Study, which: NDArray[np.int64], progress: Progress) -> Study:
        def small(source: GenotypeSource) -> InMemory:
            return InMemory(dosages_of(source, which, progress=progress), source.sites.some(which))

        progress.step("reading the chosen sites")
        reference = None if study.reference is None else small(study.reference)
        return Study(small(study.pool), study.cases, reference)

    def _measured(
        self,
        study: Study,
        counted: Counted,
        places: NDArray[np.int64],
        columns: tuple[str, ...],
        bounds: tuple[Bound, ...],
        parts: Parts | None,
        progress: Progress,
    ) -> tuple[list[int], dict[str, Figure]]:
        """Return the sizes that may be taken, the largest last, and what was reached."""
        arms = shows_arms(columns) and study.cases is not None
        questions: list[Question] = []
        outside = None
        people = 0
        if study.reference is not None and parts is not None:
            panel = dosages_of(study.reference, np.arange(len(places)))
            population = counts_of(panel[:, parts.estimating])
            outside = InMemory(np.ascontiguousarray(panel[:, parts.calibrating]), study.reference.sites)
            people = outside.people
            everybody = np.ones(study.pool.people, np.bool_)
            if any(name in BY_PERSON for name in columns):
                questions.append(Question(counted.everybody, population, everybody))
            if (
                arms
                and study.cases is not None
                and counted.cases is not None
                and counted.controls is not None
            ):
                questions.append(Question(counted.cases, population, study.cases))
                questions.append(Question(counted.controls, population, ~study.cases))
        if arms and study.cases is not None and counted.cases is not None and counted.controls is not None:
            questions.append(Question(counted.cases, counted.controls, study.cases, ~study.cases))
            questions.append(Question(counted.controls, counted.cases, ~study.cases, study.cases))
        if not questions:
            return [len(places)], {"measured on": "nobody: there is no reference panel"}
        found: list[Calibration] = [
            calibrated(
                questions,
                shows_genotypes(columns, self.test),
                study.pool.blocks(),
                None if outside is None else outside.blocks(),
                (study.pool.people, people),
                places,
                bound,
                progress=progress,
            )
            for bound in bounds
        ]
        safe = min(one.safe(bound) for one, bound in zip(found, bounds, strict=True))
        steps = found[0].steps
        if not safe:
            raise PromiseNotMet(
                f"the bound cannot be shown to hold for {steps[0].sites:,} sites: measured on "
                f"{people:,} people outside it is AUC ≤ {steps[0].auc:.3f}, power ≤ {steps[0].power:.3f}",
                where=self.name,
                remedy="give a larger reference panel, or allow more",
            )
        measured = f"{people:,} people outside" if people else "cases against controls: no reference panel"
        return [step.sites for step in steps[:safe]], {"measured on": measured}

    def _first_that_holds(
        self,
        small: Study,
        which: NDArray[np.int64],
        counted: Counted,
        places: NDArray[np.int64],
        found: tuple[tuple[str, ...], list[int], int, dict[str, Figure]],
        models: tuple[StatisticsModel, ...],
        study: Study,
    ) -> Published:
        """Return the largest of the safe sizes that every promise of the study also finds safe.

        The sizes are safe as they are, so that trying them one by one makes none of them less so.
        """
        columns, sizes, theory, details = found
        verdict = None
        for size in reversed(sizes):
            taken = np.sort(places[:size])
            here = counted.some(taken)
            statistics = statistics_of(small, here, taken, columns, self.test, self.name)
            published = Published(statistics, taken, details={"test": self.test})
            verdict = broken(published, small, models)
            if verdict is None:
                separation = float(np.sqrt(self.squared_separation(here, columns, self.confidence)[-1]))
                decided = "theory" if size == theory else "measured" if size == sizes[-1] else "promise"
                return replace(
                    published,
                    kept=which[taken],
                    details={
                        "test": self.test,
                        "sites": len(study.pool.sites),
                        "sites by theory": theory,
                        "sites measured safe": sizes[-1],
                        "sites published": size,
                        "decided by": decided,
                        "AUC in theory": expected_auc(separation),
                        "power in theory": expected_power(separation, self.alpha),
                        **details,
                    },
                )
        raise PromiseNotMet(
            f"no set of sites keeps every promise; the smallest has {sizes[0]:,}"
            + (f", required {verdict.required}, achieved {verdict.achieved}" if verdict else ""),
            where=self.name,
            remedy="give a larger reference panel, or allow more",
        )
