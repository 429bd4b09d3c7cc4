"""A bound on how well anybody can tell who is among the people that statistics were counted over.

Homer et al., "Resolving individuals contributing trace amounts of DNA to highly complex mixtures" (2008);
Sankararaman, Obozinski, Jordan & Halperin, "Genomic privacy and limits of individual detection in a pool"
(2009).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.contract import Published, Study
from sfumato.dna.models.membership_scores import ARMS, OF_ARMS, OF_EVERYBODY, Asked, Scores
from sfumato.dna.source import GenotypeSource
from sfumato.dna.statistics.confidence import mean_at_most, rank_above
from sfumato.dna.statistics.held_out import check_same_sites, in_parts, members_of
from sfumato.dna.statistics.power import Bound, expected_auc, expected_power
from sfumato.dna.statistics.selected import selected

_AT_ONCE = 512


@dataclass(frozen=True)
class MembershipBound:
    """Nobody tells members from others better than this, with the adversaries that are run.

    AUC = Pr[score of a member > score of somebody outside] + ½ Pr[they tie] ≤ ``auc``; and at the threshold
    that a share ``alpha`` of the people outside exceed, at most a share ``power`` of the members do. For a
    case/control study whose arms are told, the same holds of cases against controls and the other way round.

    Run are the likelihood ratio, of alleles and (where they are told) of genotypes, and Homer's distance.
    They know the published figures, the person's genotypes, and the frequencies of three quarters of the
    reference; the people outside are the other quarter, whom no method of this room has used. (Whoever of the
    reference has exactly a member's genotypes is left out: a member is not somebody outside.) It holds when
    the **upper bound of what they reach, at ``confidence``**, keeps the promise, so few people outside
    promise little.

    Protects from membership. It does not bound an adversary with a much larger reference than this one (where
    ``statistics/power`` gives more to somebody who knows the population without error, the verdict says how
    much; ``safe-snps`` keeps that below the bound, too), nor what is told about relatives of members; and it
    means little when the reference is from another population than the pool.

    >>> print(MembershipBound(auc=0.6).in_words())
    members are told from others with AUC ≤ 0.6 (confidence 0.95)
    """

    auc: float | None = None
    power: float | None = None
    alpha: float = 0.05
    confidence: float = 0.95
    name: ClassVar[str] = "membership-bound"
    basis: ClassVar[Basis] = Basis.ORIGINAL
    protects_from: ClassVar[tuple[Threat, ...]] = (Threat.MEMBERSHIP,)

    def __post_init__(self) -> None:
        self.bound()

    def bound(self) -> Bound:
        """The face for methods."""
        return Bound(self.auc, self.power, self.alpha, self.confidence)

    def in_words(self) -> str:
        """Say what is promised."""
        return f"members are told from others with {self.bound().in_words()} (confidence {self.confidence:g})"

    def check(self, published: Published, study: Study) -> Verdict:
        """Run the adversaries on members and on people who were held out."""
        reference = _reference(study, self.name)
        _check_columns(published, study, self.name)
        alike = members_of(study.pool, reference, self.name)
        parts = in_parts(reference.people).without(alike)
        known = np.concatenate([parts.estimating, parts.calibrating])
        kept = published.kept
        by_number = np.argsort(kept)
        asked = Asked(published, study, by_number)
        members = Scores(asked, study.pool.people, len(parts.checking))
        pairs = zip(
            selected(study.pool, kept[by_number], at_once=_AT_ONCE),
            selected(reference, kept[by_number], at_once=_AT_ONCE),
            strict=True,
        )
        for block, panel in pairs:
            outside = panel.dosages[:, parts.checking]
            members.add(block.first, block.dosages, panel.dosages[:, known], outside)
        auc, power = self._reached(members)
        holds = (self.auc is None or auc <= self.auc) and (self.power is None or power <= self.power)
        achieved = [] if self.auc is None else [f"AUC ≤ {_up(auc)}"]
        achieved += [] if self.power is None else [f"power ≤ {_up(power)}"]
        return Verdict(
            self.name,
            holds,
            required=self.bound().in_words(),
            achieved=" and ".join(achieved),
            basis=self.basis,
            protects_from=self.protects_from,
            violations=int(not holds),
            note=f"confidence {self.confidence:g}, {len(parts.checking):,} people held out; relatives and "
            "another population are not covered"
            + _left_out(int(np.count_nonzero(alike)))
            + ("" if published.spent else self._beyond(members)),
        )

    def _beyond(self, scores: Scores) -> str:
        """Say what somebody could reach who knows more than the reference, where that is more than promised.

        Of exact figures alone: how far noise hides people is not in the formula.
        """
        told = 2 if scores.asked.genotypes else 1
        separation = math.sqrt(told * scores.squared_separation.max())
        auc, power = expected_auc(separation), expected_power(separation, self.alpha)
        parts = [f"AUC {auc:.2f}"] if self.auc is not None and auc > self.auc else []
        parts += [f"power {power:.2f}"] if self.power is not None and power > self.power else []
        if not parts:
            return ""
        return (
            f"; by theory somebody who knows the population's frequencies without error could reach "
            f"{' and '.join(parts)}"
        )

    def _reached(self, scores: Scores) -> tuple[float, float]:
        auc = power = 0.0
        coins = np.random.default_rng(scores.sites).random(
            max(scores.outside.shape[-1], scores.inside.shape[-1])
        )
        for members, others, sampled in scores.contests():
            lost = np.array([np.mean(members > other) + np.mean(members == other) / 2 for other in others])
            sure = mean_at_most(lost, self.confidence) if sampled else float(lost.mean())
            auc = max(auc, sure)
            rank = (
                rank_above(len(others), self.alpha, self.confidence)
                if sampled
                else min(len(others), math.floor(Fraction(str(self.alpha)) * len(others)) + 1)
            )
            if rank is None:
                power = 1.0
                continue
            chosen = sorted(zip(others, coins, strict=False), reverse=True)[rank - 1]
            hit = np.mean(members > chosen[0]) + (1 - chosen[1]) * np.mean(members == chosen[0])
            power = max(power, float(hit))
        return auc, power


def _left_out(members: int) -> str:
    if not members:
        return ""
    return f"; {members:,} people of the reference have exactly the genotypes of a member and were left out"


def _reference(study: Study, where: str) -> GenotypeSource:
    if study.reference is None:
        raise BadInput(
            "there is no reference panel, so nobody is outside to measure it on",
            where=where,
            remedy="give people of the same population who are not in the pool",
        )
    check_same_sites(study.pool.sites, study.reference.sites, where)
    return study.reference


def _check_columns(published: Published, study: Study, where: str) -> None:
    columns = published.statistics.columns
    if not len(published.kept):
        raise BadInput("no site is published", where=where)
    check_same_sites(study.pool.sites.some(published.kept), published.statistics.sites, where, "the release")
    beyond = sorted(set(columns) - {*OF_EVERYBODY, *OF_ARMS})
    if beyond or not columns:
        raise BadInput(
            f"what the column '{beyond[0]}' tells is not measured" if beyond else "no column is published",
            where=where,
            remedy="leave it out, or promise differential-privacy",
        )
    if published.spent and not {"frequency", *ARMS} & set(columns):
        raise BadInput(
            "noisy tests are published, and the adversaries that are run read frequencies",
            where=where,
            remedy="promise differential-privacy",
        )
    if study.cases is None and any(name in columns for name in OF_ARMS):
        raise BadInput("the study does not tell who is a case", where=where, remedy="give the cases")


def _up(value: float) -> str:
    """Write a bound with three digits, never below what it is."""
    return f"{np.ceil(value * 1000 - 1e-9) / 1000:.3f}"
