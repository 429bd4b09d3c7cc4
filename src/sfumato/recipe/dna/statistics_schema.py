"""schema.json of released statistics: the file, its columns, and between what their figures lie."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from sfumato.dna.contract import Statistics, StatisticsMethod
from sfumato.recipe.dna.statistics_methods import is_noisy

SITE = ("chrom", "pos", "id", "ref", "alt")
"""the columns that say which site it is"""
_SHARES = (
    "frequency",
    "minor_frequency",
    "case_frequency",
    "control_frequency",
    "heterozygosity",
    "p",
    "hardy_weinberg_p",
)
_MEANING = {
    "frequency": "share of the alternate allele",
    "minor_frequency": "share of the rarer allele",
    "case_frequency": "share of the alternate allele among cases",
    "control_frequency": "share of the alternate allele among controls",
    "heterozygosity": "share of people with two different alleles",
    "hardy_weinberg_chi2": "χ² of the test for Hardy–Weinberg proportions",
    "hardy_weinberg_p": "p-value of the exact test for Hardy–Weinberg proportions",
    "chi2": "χ² of the association with the disease",
    "p": "p-value of the association",
    "log10_p": "its logarithm",
    "odds_ratio": "odds of the alternate allele among cases, over those among controls",
    "called": "people with a genotype, with noise",
    "case_called": "cases with a genotype, with noise",
    "control_called": "controls with a genotype, with noise",
    "rank": "place among the chosen sites, the strongest first",
    "present": "1 where the Beacon says that somebody carries the alternate allele, else 0",
}


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReleasedFigures(_Part):
    """A column of figures."""

    name: str
    meaning: str
    least: float | None = None
    most: float | None = None
    missing: bool = Field(description="whether a figure may be missing")


class ReleasedStatistics(_Part):
    """What a release of statistics holds."""

    format: Literal["sfumato-schema"] = "sfumato-schema"
    kind: Literal["dna"] = "dna"
    version: Literal[1] = 1
    file: str
    form: Literal["statistics"] = "statistics"
    sites: list[str] = Field(default=list(SITE), description="columns that say which site it is")
    figures: list[ReleasedFigures]


def released_statistics(statistics: Statistics, method: StatisticsMethod, file: str) -> ReleasedStatistics:
    """Describe what is written."""
    return ReleasedStatistics(
        file=file, figures=figures_declared(list(statistics.columns), method, statistics.people)
    )


def figures_declared(
    columns: list[str], method: StatisticsMethod, people: int | None
) -> list[ReleasedFigures]:
    """Describe the columns that a method publishes, from what is public alone."""
    noisy = is_noisy(method)
    most = dict.fromkeys((*_SHARES, "present"), 1.0)
    least = dict.fromkeys((*_SHARES, "present", "chi2", "odds_ratio", "hardy_weinberg_chi2"), 0.0)
    most |= {"minor_frequency": 0.5, "log10_p": 0.0}
    for name in ("called", "case_called", "control_called", "rank"):
        least[name] = 1.0
        if name != "rank" and people is not None:
            most[name] = float(people)
    if people is not None:
        # χ² of a table is at most what it counts: people, or the two alleles of each.
        most["chi2"] = float(people if getattr(method, "test", "") != "allelic" else 2 * people)
    if "rank" in columns:
        most["rank"] = float(getattr(method, "count", 0))
    return [
        ReleasedFigures(
            name=name,
            meaning=_MEANING.get(name, name),
            least=least.get(name),
            most=most.get(name),
            missing=not noisy,
        )
        for name in columns
    ]
