"""A bound on how well anybody can tell who is among the people that statistics were counted over.

Homer et al., "Resolving individuals contributing trace amounts of DNA to highly complex mixtures" (2008);
Sankararaman, Obozinski, Jordan & Halperin, "Genomic privacy and limits of individual detection in a pool" (2009).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.core.verdict import Basis, Threat, Verdict
from sfumato.dna.contract import Published, Study
from sfumato.dna.source import GenotypeSource
from sfumato.dna.statistics.confidence import mean_at_most, rank_above
from sfumato.dna.statistics.held_out import in_parts
from sfumato.dna.statistics.power import Bound
from sfumato.dna.statistics.selected import selected

_ARMS = ("case_frequency", "control_frequency")
_TESTS = ("chi2", "p", "log10_p")
_OF_ARMS = (*_ARMS, *_TESTS, "odds_ratio")
_OF_GENOTYPES = ("heterozygosity", "hardy_weinberg_chi2", "hardy_weinberg_p")
_OF_EVERYBODY = ("frequency", "minor_frequency", *_OF_GENOTYPES)
_ABSENT = 1e-9
_AT_ONCE = 512

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class MembershipBound:
    """Nobody tells members from others better than this, with the adversaries that are run.

    AUC = Pr[score of a member > score of somebody outside] + ½ Pr[they tie] ≤ ``auc``; and at the threshold
    that a share ``alpha`` of the people outside exceed, at most a share ``power`` of the members do. For a case/
    control study whose arms are told, the same holds of cases against controls.

    Run are the likelihood ratio, of alleles and (where they are told) of genotypes, and Homer's distance. They
    know the published figures, the person's genotypes, and the frequencies of two thirds of the reference; the
    people outside are the other third, whom no method of this room has used. It holds when the **upper bound
    of what they reach, at ``confidence``**, keeps the promise, so few people outside promise little.

    Protects from membership. It does not bound an adversary with a much larger reference than this one (see
    ``statistics/power`` for the limit), nor what is told about relatives of members; and it means little when
    the reference is from another population than the pool.

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
        parts = in_parts(reference.people)
        known = np.concatenate([parts.estimating, parts.calibrating])
        kept = published.kept
        by_number = np.argsort(kept)
        asked = _Asked(published, study, by_number)
        members = _Scores(asked, study.pool.people, len(parts.checking))
        pairs = zip(
            selected(study.pool, kept[by_number], at_once=_AT_ONCE),
            selected(reference, kept[by_number], at_once=_AT_ONCE),
            strict=True,
        )
        for block, panel in pairs:
            members.add(block.first, block.dosages, panel.dosages[:, known], panel.dosages[:, parts.checking])
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
            "another population are not covered",
        )

    def _reached(self, scores: _Scores) -> tuple[float, float]:
        auc = power = 0.0
        coins = np.random.default_rng(scores.sites).random(max(scores.outside.shape[-1], scores.inside.shape[-1]))
        for members, others, sampled in scores.contests():
            lost = np.array([np.mean(members > other) + np.mean(members == other) / 2 for other in others])
            sure = mean_at_most(lost, self.confidence) if sampled else float(lost.mean())
            auc = max(auc, sure)
            rank = (
                rank_above(len(others), self.alpha, self.confidence)
                if sampled
                else max(1, int(np.ceil(self.alpha * len(others))))
            )
            if rank is None:
                return auc, 1.0
            chosen = sorted(zip(others, coins, strict=False), reverse=True)[rank - 1]
            hit = np.mean(members > chosen[0]) + (1 - chosen[1]) * np.mean(members == chosen[0])
            power = max(power, float(hit))
        return auc, power


class _Asked:
    """Which groups the published columns tell about, and their frequencies as published, where they are."""

    def __init__(self, published: Published, study: Study, order: NDArray[np.int64]) -> None:
        columns = published.statistics.columns
        everybody = np.ones(study.pool.people, np.bool_)
        self.groups: list[NDArray[np.bool_]] = []
        self.told: list[Rows | None] = []
        if any(name in columns for name in _OF_EVERYBODY):
            self.groups.append(everybody)
            self.told.append(columns["frequency"][order] if "frequency" in columns else None)
        self.arms = any(name in columns for name in _OF_ARMS)
        if self.arms and study.cases is not None:
            self.groups += [study.cases, ~study.cases]
            self.told += [columns[name][order] if name in columns else None for name in _ARMS]
        tests = any(name in columns for name in _TESTS) and published.details.get("test") != "allelic"
        self.genotypes = tests or any(name in columns for name in _OF_GENOTYPES)


class _Scores:
    """Sums over sites: for each contest, of each person of the pool and of those held out.

    Rows are: likelihood ratio of alleles, ΣD, ΣD², sites known, likelihood ratio of genotypes.
    """

    def __init__(self, asked: _Asked, pool: int, outside: int) -> None:
        self.asked = asked
        count = len(asked.groups) + asked.arms
        self.inside = np.zeros((count, 5, pool))
        self.outside = np.zeros((count, 5, outside))
        self.sites = 0

    def add(
        self, first: int, pool: NDArray[np.int8], known: NDArray[np.int8], outside: NDArray[np.int8]
    ) -> None:
        """Add a block of sites."""
        self.sites += len(pool)
        here = slice(first, first + len(pool))
        p, shares = _of(known, smooth=True)
        mine: list[tuple[Rows, Rows]] = []
        for group, told in zip(self.asked.groups, self.asked.told, strict=True):
            m, seen = _of(pool[:, group], smooth=False)
            mine.append((m if told is None else np.clip(told[here], 0, 1), seen))
        contests = [(group, (p, shares)) for group in mine]
        if self.asked.arms:
            contests.append((mine[-2], mine[-1]))
        for at, (these, those) in enumerate(contests):
            for dosages, sums in ((pool, self.inside[at]), (outside, self.outside[at])):
                _add(sums, dosages, these, those)

    def contests(self) -> Iterator[tuple[Rows, Rows, bool]]:
        """Go through the scores of members and others, and whether the others are a sample."""
        for at in range(len(self.inside)):
            group = self.asked.groups[min(at, len(self.asked.groups) - 2 if at >= len(self.asked.groups) else at)]
            between = at >= len(self.asked.groups)
            inside = _final(self.inside[at])
            others = inside[:, ~group] if between else _final(self.outside[at])
            for row in (0, 1, 2) if self.asked.genotypes else (0, 1):
                yield inside[row, group], others[row], not between


def _add(sums: Rows, dosages: NDArray[np.int8], these: tuple[Rows, Rows], those: tuple[Rows, Rows]) -> None:
    usable = np.isfinite(these[0]) & np.isfinite(those[0])
    dosages = dosages[usable]
    m, p = these[0][usable][:, None], those[0][usable][:, None]
    g = dosages.astype(np.float64)
    here = dosages >= 0
    logs = [np.log(np.clip(share, _ABSENT, 1 - _ABSENT)) for share in (m, p, 1 - m, 1 - p)]
    sums[0] += np.where(here, g * (logs[0] - logs[1]) + (2 - g) * (logs[2] - logs[3]), 0).sum(axis=0)
    distance = np.where(here, np.abs(g / 2 - p) - np.abs(g / 2 - m), 0)
    sums[1] += distance.sum(axis=0)
    sums[2] += (distance**2).sum(axis=0)
    sums[3] += here.sum(axis=0)
    for dosage in range(3):
        ratio = np.log(np.clip(these[1][usable, dosage], _ABSENT, 1) / np.clip(those[1][usable, dosage], _ABSENT, 1))
        sums[4] += np.where(dosages == dosage, ratio[:, None], 0).sum(axis=0)


def _final(sums: Rows) -> Rows:
    """Turn sums into scores: likelihood ratio of alleles, Homer's T, likelihood ratio of genotypes."""
    sites = np.maximum(sums[3], 2)
    spread = np.sqrt(np.maximum(sums[2] - sums[1] ** 2 / sites, 0) / (sites - 1))
    homer = np.where(spread > 1e-12, sums[1] / np.sqrt(sites) / np.where(spread > 1e-12, spread, 1), 0)
    return np.stack([sums[0], homer, sums[4]])


def _of(dosages: NDArray[np.int8], smooth: bool) -> tuple[Rows, Rows]:
    """Return the frequency of each site and the shares of its genotypes, NaN where nobody was called.

    A sample of the population is smoothed by half an allele of each kind.
    """
    numbers = np.stack([(dosages == value).sum(axis=1) for value in range(3)], axis=1).astype(np.float64)
    people = numbers.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        if smooth:
            p = (numbers[:, 1] + 2 * numbers[:, 2] + 0.5) / (2 * people + 1)
            expected = np.stack([(1 - p) ** 2, 2 * p * (1 - p), p**2], axis=1)
            return p, (numbers + expected) / (people[:, None] + 1)
        return (numbers[:, 1] + 2 * numbers[:, 2]) / (2 * people), numbers / people[:, None]


def _reference(study: Study, where: str) -> GenotypeSource:
    if study.reference is None:
        raise BadInput(
            "there is no reference panel, so nobody is outside to measure it on",
            where=where,
            remedy="give people of the same population who are not in the pool",
        )
    if len(study.reference.sites) != len(study.pool.sites):
        raise BadInput(
            f"the reference has {len(study.reference.sites):,} sites and the pool {len(study.pool.sites):,}",
            where=where,
            remedy="give a reference panel at the sites of the study, in the same order",
        )
    return study.reference


def _check_columns(published: Published, study: Study, where: str) -> None:
    columns = published.statistics.columns
    if not len(published.kept):
        raise BadInput("no site is published", where=where)
    beyond = sorted(set(columns) - {*_OF_EVERYBODY, *_OF_ARMS})
    if beyond or not columns:
        raise BadInput(
            f"what the column '{beyond[0]}' tells is not measured" if beyond else "no column is published",
            where=where,
            remedy="leave it out, or promise differential-privacy",
        )
    if published.spent and not {"frequency", *_ARMS} & set(columns):
        raise BadInput(
            "noisy tests are published, and the adversaries that are run read frequencies",
            where=where,
            remedy="promise differential-privacy",
        )
    if study.cases is None and any(name in columns for name in _OF_ARMS):
        raise BadInput("the study does not tell who is a case", where=where, remedy="give the cases")


def _up(value: float) -> str:
    """Write a bound with three digits, never below what it is."""
    return f"{np.ceil(value * 1000 - 1e-9) / 1000:.3f}"
