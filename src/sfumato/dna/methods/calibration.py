"""How many sites of a ranking may be published, measured on people outside.

An adversary's scores are computed for members and for people of the reference who were not used for anything
else, over nested sets: the first m sites of the ranking for rising m. **Fixed-sequence testing** (Maurer,
Hothorn & Lehmacher 1995): sizes are tried from the smallest on, and the first that cannot be shown to keep
the bound, at the confidence asked for, ends it. The chance of ever accepting a size that breaks the bound is
then 1 − confidence at most over the whole sequence, however many sizes, adversaries and questions there are,
and whether or not power rises with m: the first size that breaks it must be accepted wrongly for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.progress import SILENT, Progress
from sfumato.dna.source import Block
from sfumato.dna.statistics.confidence import mean_at_most, rank_above
from sfumato.dna.statistics.power import Bound
from sfumato.dna.statistics.tables import Counts, Figures, alternate, called

_NEVER = 1e-9
"""a published share of 0 is taken as this: who has what nobody in the pool has is not in it"""
_STEP = 1.2
_FIRST = 50
"""sizes begin at the largest divided by this and rise by a fifth each"""


@dataclass(frozen=True, eq=False)
class Question:
    """Whether somebody is one of these people, rather than one of those: what an adversary asks."""

    these: Counts = field(repr=False)
    """sites × 4 of the group that figures are published about"""
    those: Counts = field(repr=False)
    """of the reference, or of the other arm"""
    members: NDArray[np.bool_] = field(repr=False)
    """over the people of the pool"""
    others: NDArray[np.bool_] | None = field(default=None, repr=False)
    """over the people of the pool; None asks it of people outside"""


@dataclass(frozen=True)
class Reached:
    """What adversaries reach at a size: bounds at the confidence asked for, the worst of all questions."""

    sites: int
    auc: float
    power: float


def sizes_up_to(most: int) -> list[int]:
    """Return the sizes that are tried, all of them known before anybody is scored.

    >>> sizes_up_to(10), len(sizes_up_to(5000))
    ([1, 2, 3, 4, 5, 6, 8, 10], 22)
    """
    sizes, size = [most], most / _STEP
    while size >= max(most / _FIRST, 1):
        sizes.append(int(size))
        size /= _STEP
    return sorted(set(sizes) | ({1} if most < _FIRST else set()))


def likelihood_ratio(question: Question, genotypes: bool) -> Figures:
    """Return sites × 4 tables of ln(Pr[g | member] / Pr[g | other]) for g = 0, 1, 2 and missing (0).

    Of alleles: g ln(M/P) + (2 − g) ln((1 − M)/(1 − P)); of ``genotypes``, where their numbers are published:
    ln of the two shares of g. P is smoothed by one more person, as an adversary must who saw a sample.
    """
    many = np.maximum(called(question.these), 1)
    few = called(question.those)
    p = (alternate(question.those) + 0.5) / (2 * few + 1)
    tables = np.zeros((len(many), 4))
    if genotypes:
        mine = np.clip(question.these[:, :3] / many[:, None], _NEVER, 1)
        hardy_weinberg = np.stack([(1 - p) ** 2, 2 * p * (1 - p), p**2], axis=1)
        theirs = (question.those[:, :3] + hardy_weinberg) / (few + 1)[:, None]
        tables[:, :3] = np.log(mine / theirs)
    else:
        m = np.clip(alternate(question.these) / (2 * many), _NEVER, 1 - _NEVER)
        yes, no = np.log(m / p), np.log((1 - m) / (1 - p))
        for dosage in range(3):
            tables[:, dosage] = dosage * yes + (2 - dosage) * no
    tables[called(question.these) == 0] = 0.0
    return tables


def homer_distance(question: Question) -> Figures:
    """Return sites × 4 tables of D = |g/2 − P| − |g/2 − M| (Homer et al. 2008); missing is 0."""
    m = alternate(question.these) / np.maximum(2 * called(question.these), 1)
    p = alternate(question.those) / np.maximum(2 * called(question.those), 1)
    tables = np.zeros((len(m), 4))
    for dosage in range(3):
        tables[:, dosage] = np.abs(dosage / 2 - p) - np.abs(dosage / 2 - m)
    tables[(called(question.these) == 0) | (called(question.those) == 0)] = 0.0
    return tables


def nested_scores(
    blocks: Iterator[Block], people: int, tables: list[Figures], levels: NDArray[np.int64], sizes: int
) -> Figures:
    """Return tables × sizes × people: sums over the sites of each size. ``levels`` says for each site (in the
    order of the blocks) which size is the first to hold it."""
    from sfumato.dna.statistics._kernels_scores import add_scores

    found = np.zeros((len(tables), sizes, people))
    for block in blocks:
        here = slice(block.first, block.first + len(block.dosages))
        for table, out in zip(tables, found, strict=True):
            add_scores(block.dosages, np.array(table[here], order="C"), levels[here].copy(), out)
    return np.cumsum(found, axis=1)


def t_statistics(distances: Figures, squares: Figures, known: Figures) -> Figures:
    """Return T = mean(D) / (sd(D) / √s) over the s sites known of a person; 0 below two sites."""
    many = np.maximum(known, 1)
    mean = distances / many
    variance = np.maximum(squares / many - mean**2, 0) * many / np.maximum(many - 1, 1)
    found = np.zeros_like(mean)
    np.divide(mean * np.sqrt(many), np.sqrt(variance), out=found, where=(variance > 1e-300) & (known > 1))
    return found


def reached(
    members: Figures, others: Figures, bound: Bound, sampled: bool, jitter: Figures
) -> tuple[float, float]:
    """Return AUC and power of one score, at most.

    Members are all there are. If the others are a sample, each of them is beaten by a share of members whose
    mean is the AUC; and the threshold that α of the others exceed is, so surely, not below an order statistic
    of the sample. Ties are broken by a coin (``jitter``), as an adversary may.
    """
    ranked = np.sort(members)
    below = np.searchsorted(ranked, others, "left") + np.searchsorted(ranked, others, "right")
    beaten = 1 - below / (2 * len(ranked))
    auc = mean_at_most(beaten, bound.confidence) if sampled else float(beaten.mean())
    rank: int | None
    if sampled:
        rank = rank_above(len(others), bound.alpha, bound.confidence)
    else:
        rank = min(len(others), int(Fraction(str(bound.alpha)) * len(others)) + 1)
    if rank is None:
        return auc, 1.0
    at = np.lexsort((jitter, others))[len(others) - rank]
    above = len(ranked) - np.searchsorted(ranked, others[at], "right")
    tied = len(ranked) - np.searchsorted(ranked, others[at], "left") - above
    return auc, float((above + (1 - jitter[at]) * tied) / len(ranked))


@dataclass(frozen=True, eq=False)
class Calibration:
    """Scores of everybody over nested sets of sites: what is reached at each size."""

    sizes: list[int]
    steps: list[Reached] = field(default_factory=list, repr=False)

    def safe(self, bound: Bound) -> int:
        """Return how many sizes may be taken: all before the first that breaks the bound."""
        for at, step in enumerate(self.steps):
            too_sure = bound.auc is not None and step.auc > bound.auc
            too_often = bound.power is not None and step.power > bound.power
            if too_sure or too_often:
                return at
        return len(self.steps)


def calibrated(
    questions: list[Question],
    genotypes: bool,
    pool: Iterator[Block],
    outside: Iterator[Block] | None,
    people: tuple[int, int],
    order: NDArray[np.int64],
    bound: Bound,
    *,
    progress: Progress = SILENT,
) -> Calibration:
    """Score everybody over the first m sites of a ranking, for all sizes m.

    Tables of questions and blocks are in the order of the file; ``order[rank]`` is the place of a rank there.
    ``people`` are how many the pool has, and how many are outside.
    """
    sizes = sizes_up_to(len(order))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    levels = np.searchsorted(np.array(sizes), ranks, "right").astype(np.int64)
    tables: list[Figures] = []
    for question in questions:
        distance = homer_distance(question)
        known = np.zeros_like(distance)
        known[:, :3] = 1.0
        tables += [likelihood_ratio(question, False), distance, distance**2, known]
        tables.append(likelihood_ratio(question, True) if genotypes else tables[-4])
    progress.step("scoring members and people outside")
    inside = nested_scores(pool, people[0], tables, levels, len(sizes))
    beside = (
        np.zeros((len(tables), len(sizes), 0))
        if outside is None
        else nested_scores(outside, people[1], tables, levels, len(sizes))
    )
    jitter = np.random.default_rng(len(order)).random(max(people))
    steps = []
    for at, size in enumerate(sizes):
        worst = [0.0, 0.0]
        for number, question in enumerate(questions):
            mine = inside[5 * number : 5 * number + 5, at]
            away = beside[5 * number : 5 * number + 5, at] if question.others is None else None
            theirs = mine[:, question.others] if away is None else away
            members = mine[:, question.members]
            for score, other in (
                (members[0], theirs[0]),
                (t_statistics(*members[1:4]), t_statistics(*theirs[1:4])),
                (members[4], theirs[4]),
            ):
                found = reached(score, other, bound, away is not None, jitter[: theirs.shape[1]])
                worst = [max(pair) for pair in zip(worst, found, strict=True)]
        steps.append(Reached(size, *worst))
        progress.update((at + 1) / len(sizes))
    return Calibration(sizes, steps)
