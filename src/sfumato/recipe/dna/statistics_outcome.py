"""Carry a job over statistics out up to the point where something is written: read, publish, check."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import PromiseNotMet
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import SecretRandom
from sfumato.core.verdict import Verdict
from sfumato.dna.contract import Published, Study
from sfumato.dna.models.private import NOT_SECRET
from sfumato.dna.sites import Sites
from sfumato.recipe.dna.statistics_job import StatisticsJob
from sfumato.recipe.dna.statistics_price import Cost, most_spent, neighbours_of
from sfumato.recipe.dna.statistics_reading import ReadStudy, read_study

BUG = "nothing was published; please report this as a bug"


@dataclass(frozen=True)
class StatisticsOutcome:
    """A job that is done but for the writing."""

    job: StatisticsJob
    read: ReadStudy
    published: Published
    """what is released, its sites in the order of the genome"""
    verdicts: tuple[Verdict, ...]
    cost: Cost | None = None
    """of noisy figures: what was spent"""
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def study(self) -> Study:
        """The people behind the figures."""
        return self.read.study

    @property
    def secret(self) -> bool:
        """Whether nobody can draw the noise again."""
        return self.job.random.secret and NOT_SECRET not in self.published.details


def carry_out_statistics(job: StatisticsJob, progress: Progress = SILENT) -> StatisticsOutcome:
    """Read, publish by the method, and ask every promise about it."""
    started = time.perf_counter()
    read = read_study(job, progress)
    after_reading = time.perf_counter()
    progress.step(f"making the statistics ({job.method.name})")
    published = in_genome_order(_published(job, read.study, progress), read.study.pool.sites)
    cost = cost_of(job, published, len(read.study.pool.sites)) if job.noisy else None
    made = time.perf_counter()
    progress.step("checking the promises")
    verdicts = tuple(held(job, published, read.study))
    seconds = {
        "read": round(after_reading - started, 3),
        "protect": round(made - after_reading, 3),
        "check": round(time.perf_counter() - made, 3),
    }
    return StatisticsOutcome(job, read, published, verdicts, cost, seconds)


def held(job: StatisticsJob, published: Published, study: Study) -> list[Verdict]:
    """Ask every model about what is to be published; refuse to go on when a promise does not hold."""
    found = []
    for model in job.models:
        verdict = model.check(published, study)
        # What came from a seeded generator stays in memory, marked: the door to the disk refuses it.
        for_tests = not job.random.secret and NOT_SECRET in published.details
        if not verdict.holds and not for_tests:
            raise PromiseNotMet(str(verdict), where="models", remedy=_better(job))
        found.append(verdict)
    return found


def in_genome_order(published: Published, sites: Sites) -> Published:
    """Return the same figures by chromosome, as they first occur in the source, and by position."""
    here = published.statistics.sites
    places = _ranks(sites, here)
    order = np.lexsort((published.kept, here.position, places)).astype(np.int64)
    statistics = published.statistics
    columns = {name: column[order] for name, column in statistics.columns.items()}
    ordered = replace(statistics, sites=here.some(order), columns=columns)
    return replace(published, statistics=ordered, kept=published.kept[order])


def _ranks(sites: Sites, here: Sites) -> NDArray[np.int64]:
    known = {name: rank for rank, name in enumerate(dict.fromkeys(sites.chromosome.tolist()))}
    return np.array([known[name] for name in here.chromosome.tolist()], np.int64)


def _published(job: StatisticsJob, study: Study, progress: Progress) -> Published:
    method: Any = job.method
    if not job.noisy:
        found: Published = method.publish(study, job.models, progress=progress)
        return found
    # The operating system's chance is asked for by leaving it out.
    random = None if isinstance(job.random, SecretRandom) else job.random
    noisy: Published = method.publish(study, job.models, progress=progress, random=random)
    return noisy


def cost_of(job: StatisticsJob, published: Published, sites: int) -> Cost:
    """Return what was spent, exactly; refuse where a method says otherwise than what it was asked for."""
    most = most_spent(job.method, job.models, sites)
    spent = published.spent
    cost = Cost(most.epsilon, most.delta if spent.get("delta") else most.delta * 0)
    same = (
        spent.get("epsilon") == float(cost.epsilon)
        and spent.get("delta", 0.0) == float(cost.delta)
        and published.details.get("neighbours") == neighbours_of(job.method)
    )
    if not same:
        raise PromiseNotMet("the method did not spend what it was asked to spend", remedy=BUG)
    return cost


def _better(job: StatisticsJob) -> str:
    if job.noisy:
        return BUG
    return "nothing was published; allow a larger auc or power, publish fewer sites with safe-snps, or noise"
