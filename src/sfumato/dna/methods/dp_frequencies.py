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
from sfumato.dna.methods.public_sites import chosen_sites
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

    Which sites are published must not depend on the people: all sites of the source, or ``sites`` (numbers
    from 0) chosen without looking at them. A person is a column of the source: somebody sequenced twice is
    two.

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
        kept, people = chosen_sites(study, self.sites, self.name), study.pool.people
        everybody = np.ones(people, bool)
        counts = study.pool.counts([everybody], progress=progress)[0][kept]
        absent = counts[:, 3]
        tilt = counts[:, 2] - counts[:, 0]
        if self.missing == "reference":
            tilt, absent = tilt - absent, np.zeros(0, np.int64)

        swapped = self.neighbours is Neighbours.SUBSTITUTION
        each = 2 if swapped else 1
        cells = len(kept) + (0 if swapped else 1)
        noise, spent = noise_for(budget, l1=each * cells, each=each, cells=cells)
        total = np.zeros(0, np.int64) if swapped else np.array([people], np.int64)
        noisy = noise.add(np.concatenate([tilt, absent, total]), random)

        told = people if swapped else max(1, int(noisy[-1]))
        away = noisy[len(kept) : 2 * len(kept)] if len(absent) else np.zeros(len(kept), np.int64)
        called = np.clip(told - away, 1, told)
        columns = {"frequency": _frequency(noisy[: len(kept)], called)}
        if len(absent):
            columns["called"] = called.astype(np.float64)
        details: dict[str, Figure] = {
            "mechanism": noise.name,
            "scale": float(noise.scale),
            "error": float(np.sqrt(noise.variance)) / (2 * told),
            "neighbours": self.neighbours.in_words,
            "missing": self.missing,
        }
        return Published(
            Statistics(study.pool.sites.some(kept), columns, people=told),
            kept,
            spent,
            marked(details, random),
        )


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
