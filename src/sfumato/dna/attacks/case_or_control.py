"""Case or control: what published frequencies of both groups of a study say about somebody's illness.

The three questions that follow from N. Homer and others, "Resolving individuals contributing trace amounts
of DNA to highly complex mixtures using high-density SNP genotyping microarrays", PLoS Genetics 4(8), 2008: is
the person most likely a case, most likely a control, or equally likely either?
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Need, Scored, Victim
from sfumato.core.errors import BadInput, nearest
from sfumato.core.progress import SILENT, Progress
from sfumato.core.verdict import Threat
from sfumato.dna.attacks.contract import Knowledge, check_share, left_out, people_to_attack
from sfumato.dna.attacks.frequencies import CASES, CONTROLS, Frequencies, summed
from sfumato.dna.attacks.homer import distances, statistic
from sfumato.dna.attacks.likelihood_ratio import log_ratios
from sfumato.dna.attacks.scoring import auc, auc_interval, claims
from sfumato.dna.contract import Statistics
from sfumato.dna.source import GenotypeSource

STATISTICS = ("likelihood-ratio", "homer")


class Answer(StrEnum):
    """What the adversary says of a person."""

    CASE = "most likely a case"
    CONTROL = "most likely a control"
    EITHER = "equally likely a case or a control"


@dataclass(frozen=True)
class CaseOrControl:
    """Is the person nearer to the cases or to the controls, or to neither?

    The likelihood ratio (or Homer's T) with the frequencies of the cases in the place of the mixture and
    those of the controls in the place of the population. People outside tell how far strangers stray on
    either side: beyond the highest α/2 of them the answer is *case*, below the lowest α/2 *control*, and
    between *equally likely*, which is the right answer about everybody who did not take part.

    As many cases, controls and strangers are asked about: ``success`` is the mean of the three shares of
    right answers, 1/3 without the data. Strangers who have the illness look a little like cases: it is shown
    that somebody took part only as far as they are like the others outside.

    >>> from sfumato.dna.sites import numbered
    >>> from sfumato.dna.source import InMemory
    >>> sites, chance = numbered(900), np.random.default_rng(1)
    >>> drawn = chance.binomial(2, 0.4, (900, 120)).astype(np.int8)
    >>> ill, well = drawn[:, :20], drawn[:, 20:40]
    >>> columns = {"case_frequency": ill.mean(axis=1) / 2, "control_frequency": well.mean(axis=1) / 2}
    >>> study = Statistics(sites, columns, people=40, cases=20)
    >>> known = Knowledge(
    ...     InMemory(drawn[:, :40], sites), InMemory(drawn[:, 40:], sites), cases=np.arange(40) < 20
    ... )
    >>> CaseOrControl().run(study, known).success > 0.9
    True
    """

    false_positives: float = 0.05
    statistic: str = "likelihood-ratio"
    cases: str = CASES
    controls: str = CONTROLS
    name: ClassVar[str] = "case-or-control"
    title: ClassVar[str] = "tells from frequencies of cases and of controls who is ill"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[frozenset[Need]] = frozenset({Need.PEOPLE, Need.ORIGINAL})

    def __post_init__(self) -> None:
        check_share(self.false_positives, "false_positives", self.name)
        if self.statistic not in STATISTICS:
            raise BadInput(
                "there is no such statistic", where=self.name, remedy=nearest(str(self.statistic), STATISTICS)
            )

    def run(
        self, target: Statistics, knowledge: Knowledge, *, victims: bool = False, progress: Progress = SILENT
    ) -> AttackResult:
        """Answer for cases, controls and people outside."""
        members, outside = people_to_attack(knowledge, self.name)
        ill = knowledge.cases
        if ill is None or len(ill) != members.people or not 0 < np.count_nonzero(ill) < len(ill):
            raise BadInput(
                "it is not known who is a case and who a control",
                where=self.name,
                remedy="give for each member whether they are a case, with at least one of each",
            )
        there = Frequencies.between(target, self.cases, self.controls, self.name)
        mine = self._scores(members, there, progress)
        theirs = self._scores(outside, there, progress)
        theirs = theirs[~np.isnan(theirs)]
        known = ~np.isnan(mine)
        groups = [mine[known & ill], mine[known & ~ill]]
        if not len(groups[0]) or not len(groups[1]) or len(theirs) < 2:
            raise BadInput(
                "of too few people there is a genotype at the published sites",
                where=self.name,
                remedy="give people whose genotypes are known at these sites",
            )
        said = [chances(scores, theirs, self.false_positives) for scores in groups]
        shares = [one.mean(axis=0) for one in said]
        low, high = auc_interval(groups[0], groups[1])
        right = (float(shares[0][0]), float(shares[1][1]), 1 - self.false_positives)
        everybody = chances(mine[known], theirs, self.false_positives)
        own = np.where(ill[known], everybody[:, 0], everybody[:, 1])
        hit = np.flatnonzero(known)[own == 1][:MOST_VICTIMS]
        return AttackResult(
            self.name,
            self.threat,
            int(known.sum()) + len(theirs),
            sum(right) / 3,
            1 / 3,
            1 / 3,
            scored=Scored.MEASURED,
            highest=1 - self.false_positives / 2 if bool((own == 1).any()) else 0.5,
            details={
                "sites": int(there.usable.sum()),
                "auc of cases over controls": auc(groups[0], groups[1]),
                "auc from": low,
                "auc to": high,
                "cases called case": right[0],
                "cases called control": float(shares[0][1]),
                "controls called control": right[1],
                "controls called case": float(shares[1][0]),
                "strangers called case or control": self.false_positives,
                **left_out(knowledge, outside),
            },
            note="too few people outside to be sure of anybody"
            if _too_few(len(theirs), self.false_positives)
            else "",
            victims=tuple(Victim(int(row) + 1, 1 - self.false_positives / 2) for row in hit)
            if victims
            else (),
        )

    def answers(
        self, target: Statistics, people: GenotypeSource, outside: GenotypeSource
    ) -> tuple[Answer | None, ...]:
        """Answer for some people; None where nothing is known of somebody at these sites.

        Somebody on the very threshold is called neither, so that at most α of strangers are called.
        """
        there = Frequencies.between(target, self.cases, self.controls, self.name)
        theirs = self._scores(outside, there, SILENT)
        theirs = theirs[~np.isnan(theirs)]
        if _too_few(len(theirs), self.false_positives):
            raise BadInput(
                f"with {len(theirs):,} people outside nobody could be called a case or a control",
                where=self.name,
                remedy="give more people outside, or allow more false positives",
            )
        scores = self._scores(people, there, SILENT)
        said = chances(scores, theirs, self.false_positives)
        called = [
            Answer.CASE if case == 1 else Answer.CONTROL if control == 1 else Answer.EITHER
            for case, control in said.tolist()
        ]
        return tuple(
            None if unknown else answer
            for unknown, answer in zip(np.isnan(scores).tolist(), called, strict=True)
        )

    def _scores(self, people: GenotypeSource, there: Frequencies, progress: Progress) -> NDArray[np.float64]:
        by_distance = self.statistic == "homer"
        table = distances(there) if by_distance else log_ratios(there)
        sums = summed(people, there.sites, table, there.usable, progress)
        return statistic(sums) if by_distance else np.where(sums.known > 0, sums.total, np.nan)


def _too_few(outside: int, false_positives: float) -> bool:
    """Say whether even somebody beyond all people outside could not be called."""
    return Fraction(str(false_positives)) / 2 * (outside + 1) < 1


def chances(
    scores: NDArray[np.float64], outside: NDArray[np.float64], false_positives: float
) -> NDArray[np.float64]:
    """Return for each person the chances of being called a case and a control: people × 2."""
    half = false_positives / 2
    return np.stack([claims(scores, outside, half), claims(-scores, -outside, half)], axis=1)
