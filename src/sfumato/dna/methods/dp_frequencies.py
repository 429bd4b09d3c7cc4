"""Allele frequencies with noise: differentially private, whoever attacks them.

C. Uhler, A. Slavković & S. Fienberg, "Privacy-preserving data sharing for genome-wide association studies"
(2013), add Laplace noise to frequencies. Many sites at a small δ: M. Bun & T. Steinke (2016).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.randomness import Random
from sfumato.dna.contract import Figure, Published, Statistics, StatisticsModel, Study
from sfumato.dna.methods.private_noise import allowed, check_parameters, marked, noise_for
from sfumato.dna.methods.public_sites import STATUS_KEPT, chosen_sites, marked_cases
from sfumato.dp.contract import IntegerNoise
from sfumato.dp.exact import Number
from sfumato.dp.neighbours import Neighbours


@dataclass(frozen=True)
class DpFrequencies:
    """Publish the alternate allele's frequency at M sites, with noise on whole numbers.

    Person i has dosage dᵢ ∈ {0, 1, 2} at a site, or none. Counted are x = Σ (dᵢ − 1) over those who have one
    and m, how many have none; both get noise, and

        frequency = 1/2 + x / 2(n − m),    clamped to [0, 1].

    **Sensitivity.** *Substitution* (one person replaced, n public): at a site x moves by up to 2, or x by 1
    and m by 1: L1 is 2 and so is L2, for all sites 2M and 2√M. (For the frequency of n people who all have
    a dosage, 2/2n = 1/n at a site and M/n over all.) *Add-remove* (n is not public): a person adds −1, 0 or
    1 to x, or 1 to m, and 1 to n, which is told once with noise too: M + 1 and √(M + 1). Counting dᵢ − 1
    instead of dᵢ halves what one more person does, and makes the count of missing genotypes free.

    With δ = 0 the noise is discrete Laplace; with δ > 0 discrete Gaussian where that is less, whose deviation
    grows with √M and not with M. Laplace noise has a deviation of 2√2·M/ε alleles of 2n: publish M ≪ n sites,
    or nothing is left to see (``details["error"]`` is the deviation of a frequency).

    ``missing``: *counted* tells n − m with noise; *reference* takes a missing genotype as dosage 0, which is
    right where nothing is missing and then has less noise at rare alleles.

    ``by_status`` tells the frequencies of cases and of controls apart, at the same price: a person is one or
    the other, and is replaced by one of the same status.

    Which sites are published must not depend on the people: all sites of the source, or ``sites`` (numbers
    from 0) chosen without looking at them. A file that lists only the sites at which its own people vary is
    such a dependence: give it the sites of a public panel. A person is a column of the source: somebody
    sequenced twice is two.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> study = Study(InMemory(np.ones((3, 1000), np.int8), numbered(3)))
    >>> made = DpFrequencies(epsilon=20).publish(study, ())
    >>> bool(np.all(abs(made.statistics.columns["frequency"] - 0.5) < 0.05)), made.spent
    (True, {'epsilon': 20.0})
    """

    epsilon: Number | None = None
    """None spends what the promise differential-privacy allows"""
    delta: Number = 0
    neighbours: Neighbours = Neighbours.SUBSTITUTION
    missing: Literal["counted", "reference"] = "counted"
    by_status: bool = False
    sites: tuple[int, ...] | None = None
    name: ClassVar[str] = "dp-frequencies"

    def __post_init__(self) -> None:
        check_parameters(self.epsilon, self.delta, self.name)
        object.__setattr__(self, "neighbours", _neighbours(self.neighbours))
        if self.missing not in ("counted", "reference"):
            raise BadInput(
                "missing is neither 'counted' nor 'reference'", where=self.name, remedy="try 'counted'"
            )

    def publish(
        self,
        study: Study,
        models: tuple[StatisticsModel, ...],
        *,
        progress: Progress = SILENT,
        random: Random | None = None,
    ) -> Published:
        """Count, add noise, clamp."""
        budget = allowed(self.epsilon, self.delta, models, self.name)
        kept = chosen_sites(study, self.sites, self.name)
        groups = self._groups(study)
        counts = study.pool.counts([who for _, who in groups], progress=progress)[:, kept]
        swapped = self.neighbours is Neighbours.SUBSTITUTION
        each, cells = (2, len(kept)) if swapped else (1, len(kept) + 1)
        noise, spent = noise_for(budget, l1=each * cells, each=each, cells=cells)

        columns: dict[str, NDArray[np.float64]] = {}
        told: list[int] = []
        for (prefix, who), group in zip(groups, counts, strict=True):
            people = np.array([np.count_nonzero(who)], np.int64)
            told.append(int(people[0]) if swapped else max(1, int(noise.add(people, random)[0])))
            columns |= self._columns(prefix, group, told[-1], noise, random)
        details: dict[str, Figure] = {
            "mechanism": noise.name,
            "scale": float(noise.scale),
            "error": float(np.sqrt(noise.variance)) / (2 * min(told)),
            "neighbours": STATUS_KEPT if self.by_status and swapped else self.neighbours.in_words,
            "missing": self.missing,
        }
        sites = study.pool.sites.some(kept)
        cases = told[0] if self.by_status else None
        return Published(
            Statistics(sites, columns, people=sum(told), cases=cases), kept, spent, marked(details, random)
        )

    def _groups(self, study: Study) -> list[tuple[str, NDArray[np.bool_]]]:
        if not self.by_status:
            return [("", np.ones(study.pool.people, bool))]
        cases = marked_cases(study, self.name)
        return [("case_", cases), ("control_", ~cases)]

    def _columns(
        self, prefix: str, counts: NDArray[np.int64], people: int, noise: IntegerNoise, random: Random | None
    ) -> dict[str, NDArray[np.float64]]:
        """Add noise to the counts of one group, and make frequencies of them."""
        tilt, absent = counts[:, 2] - counts[:, 0], counts[:, 3]
        if self.missing == "reference":
            called = np.full(len(counts), people, np.int64)
            return {f"{prefix}frequency": _frequency(noise.add(tilt - absent, random), called)}
        called = np.clip(people - noise.add(absent, random), 1, people)
        return {
            f"{prefix}frequency": _frequency(noise.add(tilt, random), called),
            f"{prefix}called": called.astype(np.float64),
        }


def _frequency(tilt: NDArray[np.int64], called: NDArray[np.int64]) -> NDArray[np.float64]:
    inside = np.clip(tilt, -called, called)
    frequency: NDArray[np.float64] = (inside + called) / (2 * called)
    return frequency


def _neighbours(given: Neighbours | str) -> Neighbours:
    try:
        return Neighbours(given)
    except ValueError:
        raise BadInput(
            "there are no such neighbours",
            where=DpFrequencies.name,
            remedy="choose 'substitution' or 'add-remove'",
        ) from None
