"""``--dry-run`` over statistics of sites: what would be done. Counts nothing, spends and writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sfumato.core.named import spell
from sfumato.core.progress import SILENT, Progress
from sfumato.recipe.dna.statistics_job import StatisticsJob
from sfumato.recipe.dna.statistics_methods import method_told
from sfumato.recipe.dna.statistics_price import meaning_of, most_spent, neighbours_of
from sfumato.recipe.dna.statistics_reading import ReadStudy, read_study


@dataclass(frozen=True)
class StatisticsPlan:
    """What a run would do."""

    job: StatisticsJob
    target: Path
    read: ReadStudy

    def __str__(self) -> str:
        job, study = self.job, self.read.study
        counted = "each person once" if job.counts_persons else "each sample taken as another person"
        lines = {
            "genotypes": f"{len(study.pool.sites):,} sites of {study.pool.people:,} people "
            f"({self.read.origin}), {counted}",
        }
        if study.cases is not None:
            ill = int(study.cases.sum())
            lines["cases"] = f"{ill:,}, and {len(study.cases) - ill:,} controls"
        if study.reference is not None:
            lines["reference"] = f"{study.reference.people:,} people outside"
        lines["promise"] = ", ".join(_spelt(spell(model)) for model in job.models)
        lines["method"] = _spelt(method_told(job.method))
        if job.noisy:
            cost = most_spent(job.method, job.models, len(study.pool.sites))
            delta = f", δ = {cost.delta_text}" if cost.delta_text else ""
            neighbours = neighbours_of(job.method)
            lines["price"] = f"ε = {cost.epsilon_text}{delta} ({neighbours})"
            lines["meaning"] = "; ".join(meaning_of(cost, neighbours))
        lines["writes"] = f"{self.target / 'release'} (data.{job.format}) and {self.target / 'steward'}"
        told = [f"  {what:<18}{text}" for what, text in lines.items()]
        left = [f"{what}: {number:,}" for what, number in self.read.left_out.items()]
        told += [f"  {'note':<18}{note}" for note in (*self.read.notes, *left)]
        return "\n".join([f"Plan: {job.title}", *told, "Nothing was counted, spent or written."])


def _spelt(told: Mapping[str, Mapping[str, object]]) -> str:
    """Write it as a recipe does: ``membership-bound (auc 0.6)``; of long lists their length."""
    ((name, parameters),) = told.items()
    listed = ", ".join(
        f"{key} {f'{len(value):,} given' if isinstance(value, list) and len(value) > 6 else value}"
        for key, value in parameters.items()
    )
    return f"{name} ({listed})" if listed else name


def plan_of_statistics(job: StatisticsJob, target: Path, progress: Progress = SILENT) -> StatisticsPlan:
    """Open what is read, join it with the people, and see that nothing stands in the way."""
    return StatisticsPlan(job, target, read_study(job, progress))
