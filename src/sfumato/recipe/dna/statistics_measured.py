"""What published statistics have lost against the exact ones: for the steward alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sfumato.core import evidence as ev
from sfumato.core.describe import measure_told
from sfumato.core.errors import BadInput
from sfumato.dna.contract import Published
from sfumato.dna.methods.dp_top_snps import DpTopSnps
from sfumato.dna.statistics.columns import Counted
from sfumato.dna.utility.statistics import STATISTICS_MEASURES, SiteHitsLost, StatisticsMeasure
from sfumato.recipe.dna.statistics_outcome import StatisticsOutcome

USUAL_TOP = 10
"""the strongest associations that are looked for where the study has none that is significant"""


def measured_for(outcome: StatisticsOutcome, counted: Counted) -> list[ev.MeasureEvidence]:
    """Carry out every measure that applies; one that was asked for and says nothing is refused."""
    job, study = outcome.job, outcome.study
    asked = {measure.name: measure for measure in job.measures}
    measures: dict[str, StatisticsMeasure] = {name: kind() for name, kind in STATISTICS_MEASURES.items()}
    published = _ranked(outcome.published) if isinstance(job.method, DpTopSnps) else outcome.published
    if isinstance(job.method, DpTopSnps):
        measures = {SiteHitsLost.name: SiteHitsLost(top=job.method.count)}
    found = []
    for name, measure in {**measures, **asked}.items():
        value = measure.of(study, published, counted=counted)
        if value is None and name == SiteHitsLost.name and name not in asked:
            measure = SiteHitsLost(top=USUAL_TOP)
            value = measure.of(study, published, counted=counted)
        if value is None:
            # Of noisy figures nothing is held back for what is in the data.
            if name in asked and not job.noisy:
                raise BadInput(
                    "the measure says nothing about these statistics",
                    where=f"measures, {name}",
                    remedy="leave it out",
                )
            continue
        found.append(measure_told(measure, value))
    return found


def _ranked(published: Published) -> Published:
    """Give sites that were chosen, and not scored, a strength: the first place is the strongest."""
    columns = published.statistics.columns
    places = columns.get("rank", np.ones(len(published.kept)))
    strength = {"chi2": len(published.kept) + 1 - places}
    return replace(published, statistics=replace(published.statistics, columns=strength))
