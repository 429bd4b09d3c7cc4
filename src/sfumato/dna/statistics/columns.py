"""The figures of sites that can be published, each by the name of its column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.dna.contract import Study
from sfumato.dna.statistics.association import odds_ratio, outcome_of
from sfumato.dna.statistics.hardy_weinberg import hardy_weinberg, hardy_weinberg_exact
from sfumato.dna.statistics.tables import Counts, Figures, called, frequency, heterozygosity, minor, missing

BY_PERSON: dict[str, Callable[[Counts], Figures]] = {
    "frequency": frequency,
    "minor_frequency": minor,
    "missing": missing,
    "heterozygosity": heterozygosity,
    "hardy_weinberg_chi2": lambda counts: hardy_weinberg(counts).chi2,
    "hardy_weinberg_p": hardy_weinberg_exact,
}
"""columns over everybody"""
BY_ARM = ("case_frequency", "control_frequency", "chi2", "p", "log10_p", "odds_ratio")
"""columns over cases and controls"""
OF_GENOTYPES = ("heterozygosity", "hardy_weinberg_chi2", "hardy_weinberg_p")
"""columns that tell how many people have each genotype, not only how many alleles there are"""


@dataclass(frozen=True, eq=False)
class Counted:
    """A study's counts at some sites (sites × 4): of everybody and, of a case/control study, of both arms."""

    everybody: Counts = field(repr=False)
    cases: Counts | None = field(default=None, repr=False)
    controls: Counts | None = field(default=None, repr=False)

    @classmethod
    def of(cls, study: Study, *, progress: Progress = SILENT) -> Counted:
        """Count a study, in one pass."""
        cases = study.cases
        if cases is None:
            return cls(study.pool.counts([np.ones(study.pool.people, np.bool_)], progress=progress)[0])
        if len(cases) != study.pool.people:
            raise BadInput(
                f"{len(cases):,} people are cases or controls, but the pool has {study.pool.people:,}",
                where="cases",
                remedy="say of each person of the pool which they are",
            )
        if cases.all() or not cases.any():
            raise BadInput("the study has one arm only", where="cases", remedy="leave the cases out")
        both = study.pool.counts([cases, ~cases], progress=progress)
        return cls(both[0] + both[1], both[0], both[1])

    def some(self, which: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Counted:
        """Return the counts of some sites."""
        arms = (None if arm is None else arm[which] for arm in (self.cases, self.controls))
        return Counted(self.everybody[which], *arms)


def check_columns(names: Sequence[str], where: str) -> None:
    """Refuse columns that do not exist."""
    known = (*BY_PERSON, *BY_ARM)
    for name in names:
        if name not in known:
            raise BadInput(f"there is no column '{name}'", where=where, remedy=nearest(name, known))
    if not names or len(set(names)) != len(names):
        raise BadInput("columns are some different names", where=where, remedy="try columns: [frequency]")


def figures(counted: Counted, names: Sequence[str], test: str, where: str) -> dict[str, Figures]:
    """Compute columns from counts.

    >>> counts = np.array([[5, 10, 5, 0]]), np.array([[10, 8, 2, 0]])
    >>> found = figures(Counted(counts[0] + counts[1], *counts), ["frequency", "chi2"], "allelic", "here")
    >>> {name: column.round(3).tolist() for name, column in found.items()}
    {'frequency': [0.4], 'chi2': [3.333]}
    """
    if names:
        check_columns(names, where)
    found: dict[str, Figures] = {}
    arms = [name for name in names if name in BY_ARM]
    if arms:
        cases, controls = counted.cases, counted.controls
        if cases is None or controls is None:
            raise BadInput(
                f"the column '{arms[0]}' is about cases and controls, which the study does not tell",
                where=where,
                remedy="say who is a case, or leave the column out",
            )
        by_test = outcome_of(cases, controls, test)
        offered: dict[str, Callable[[], Figures]] = {
            "case_frequency": lambda: frequency(cases),
            "control_frequency": lambda: frequency(controls),
            "chi2": lambda: by_test.chi2,
            "p": lambda: by_test.p,
            "log10_p": lambda: by_test.log10_p,
            "odds_ratio": lambda: odds_ratio(cases, controls),
        }
    for name in names:
        found[name] = offered[name]() if name in BY_ARM else BY_PERSON[name](counted.everybody)
    return found


def shows_arms(names: Sequence[str]) -> bool:
    """Say whether columns tell cases and controls apart."""
    return any(name in BY_ARM for name in names)


def shows_genotypes(names: Sequence[str], test: str) -> bool:
    """Say whether columns tell genotypes, not only alleles. A genotypic or trend test does."""
    tests = {"chi2", "p", "log10_p"} & set(names)
    return bool(set(names) & set(OF_GENOTYPES)) or (bool(tests) and test != "allelic")


def people_called(counted: Counted) -> int:
    """Return the most people called at a site: over how many figures were counted at most."""
    return int(called(counted.everybody).max(initial=0))
