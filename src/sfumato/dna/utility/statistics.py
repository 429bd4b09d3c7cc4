"""What published statistics have lost: errors of frequencies and of linkage, and associations that are not
found.

Every measure compares with exact figures of the study, site by site, and is lower the better. Sites that are
not published are counted in the details; only lost associations count them as lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measure, Measured
from sfumato.dna.contract import Published, Study
from sfumato.dna.statistics.association import Outcome, outcome_of
from sfumato.dna.statistics.columns import Counted
from sfumato.dna.statistics.linkage import r2_between
from sfumato.dna.statistics.tables import Figures, frequency, minor
from sfumato.dna.utility.ranks import spearman, strongest

GENOME_WIDE = 5e-8
"""the usual threshold of a p-value over a genome"""


class StatisticsMeasure(Measure, Protocol):
    """A measure of what published statistics have lost."""

    def of(self, study: Study, published: Published, *, counted: Counted | None = None) -> Measured | None:
        """Compare; None where the measure does not apply. ``counted`` spares counting the study again."""


@dataclass(frozen=True)
class SiteFrequencyError:
    """Mean over sites and frequency columns of |published − exact|."""

    name: ClassVar[str] = "frequency-error"
    title: ClassVar[str] = "error of allele frequencies"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "how far published frequencies lie from the exact ones, on average"

    def of(self, study: Study, published: Published, *, counted: Counted | None = None) -> Measured | None:
        """Compare all columns of frequencies; sites where nobody was called have none."""
        truth = (counted or Counted.of(study)).some(published.kept)
        exact: dict[str, Figures] = {"frequency": frequency(truth.everybody)}
        exact["minor_frequency"] = minor(truth.everybody)
        if truth.cases is not None and truth.controls is not None:
            exact["case_frequency"] = frequency(truth.cases)
            exact["control_frequency"] = frequency(truth.controls)
        columns = published.statistics.columns
        errors = [np.abs(columns[name] - true) for name, true in exact.items() if name in columns]
        return _mean_error(errors, len(study.pool.sites))


@dataclass(frozen=True)
class SiteLinkageError:
    """Mean over published sites of |published r² − exact r²| with the next published site."""

    name: ClassVar[str] = "linkage-error"
    title: ClassVar[str] = "error of linkage (r²)"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "how far published r² of neighbouring sites lie from the exact ones, on average"

    def of(self, study: Study, published: Published, *, counted: Counted | None = None) -> Measured | None:
        """Compare the column ``r2_next``; None where it is not published."""
        column = published.statistics.columns.get("r2_next")
        if column is None:
            return None
        return _mean_error([np.abs(column - r2_between(study.pool, published.kept))], len(study.pool.sites))


@dataclass(frozen=True)
class SiteRankingError:
    """(1 − ρ) / 2, ρ the rank correlation (Spearman 1904) of published and exact χ² over published sites.

    0 is the same ranking, ½ none, 1 the reverse. Ties share their mean rank.
    """

    name: ClassVar[str] = "ranking-error"
    title: ClassVar[str] = "error of the ranking of associations"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "how far the published order of associations is from the exact one"

    def of(self, study: Study, published: Published, *, counted: Counted | None = None) -> Measured | None:
        """Compare the ranking by χ², or by p where only that is published."""
        score = _strength(published)
        if score is None or study.cases is None:
            return None
        rho = spearman(score, _outcome(study, published, counted).chi2[published.kept])
        if rho is None:
            return None
        share = len(published.kept) / len(study.pool.sites)
        return Measured(
            min(max((1 - rho) / 2, 0.0), 1.0), {"rank correlation": rho, "sites published": share}
        )


@dataclass(frozen=True)
class SiteHitsLost:
    """The share of associations of the study that the published statistics do not show.

    An association is a site with p ≤ ``threshold`` (5·10⁻⁸ by default), or one of the ``top`` strongest. It
    is shown when its site is published and is, by the published figures, one as well. Sites that
    tie for the last place among the strongest share it.
    """

    threshold: float = GENOME_WIDE
    top: int | None = None
    name: ClassVar[str] = "hits-lost"
    title: ClassVar[str] = "associations lost"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of the study's associations that are not found in what is published"

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise BadInput("threshold must lie between 0 and 1", where=self.name, remedy="try 5.0e-8")
        if self.top is not None and (isinstance(self.top, bool) or self.top < 1):
            raise BadInput("top must be at least 1", where=self.name, remedy="try top: 10")

    def of(self, study: Study, published: Published, *, counted: Counted | None = None) -> Measured | None:
        """Look for them; None where the study has no association, or nothing about any is published."""
        score = _strength(published)
        if score is None or study.cases is None:
            return None
        exact = _outcome(study, published, counted)
        shown = np.zeros(len(exact.chi2))
        if self.top is None:
            true = (exact.log10_p <= np.log10(self.threshold)).astype(np.float64)
            shown[published.kept] = self._significant(published, score)
        else:
            true = strongest(exact.chi2, min(self.top, len(exact.chi2)))
            shown[published.kept] = strongest(score, min(self.top, len(score)))
        if not true.any():
            return None
        found = float(np.minimum(true, shown).sum())
        return Measured(
            1 - found / float(true.sum()),
            {"associations": float(true.sum()), "shown": found, "shown wrongly": float(shown.sum()) - found},
        )

    def _significant(self, published: Published, score: Figures) -> NDArray[np.bool_]:
        columns = published.statistics.columns
        if "log10_p" in columns:
            return np.asarray(columns["log10_p"] <= np.log10(self.threshold))
        if "p" in columns:
            return np.asarray(columns["p"] <= self.threshold)
        from sfumato.dna.statistics.tails import p_value

        degrees = 2 if published.details.get("test") == "genotypic" else 1
        return np.asarray(p_value(np.maximum(score, 0), degrees) <= self.threshold)


def _outcome(study: Study, published: Published, counted: Counted | None) -> Outcome:
    truth = counted if counted is not None and counted.cases is not None else Counted.of(study)
    if truth.cases is None or truth.controls is None:
        raise AssertionError("a study with cases counts both arms")
    return outcome_of(truth.cases, truth.controls, str(published.details.get("test", "allelic")))


def _strength(published: Published) -> Figures | None:
    """Return a figure that rises with the published strength of an association."""
    columns = published.statistics.columns
    if "chi2" in columns:
        return columns["chi2"]
    if "log10_p" in columns:
        return -columns["log10_p"]
    return -columns["p"] if "p" in columns else None


def _mean_error(errors: list[Figures], sites: int) -> Measured | None:
    every = np.concatenate(errors) if errors else np.empty(0)
    known = every[np.isfinite(every)]
    if not len(known):
        return None
    share = len(errors[0]) / sites
    return Measured(float(known.mean()), {"largest": float(known.max()), "sites published": share})


_ALL: tuple[type[Any], ...] = (SiteFrequencyError, SiteLinkageError, SiteRankingError, SiteHitsLost)
STATISTICS_MEASURES: dict[str, type[Any]] = {measure.name: measure for measure in _ALL}
"""every measure of statistics, by the name that recipes use"""
