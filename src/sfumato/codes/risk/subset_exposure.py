"""Some codes of a person: how many people hold them, at worst and at random.

The adversary who knows any m codes of somebody is that of k^m-anonymity (M. Terrovitis, N. Mamoulis & P.
Kalnis, PVLDB 2008); charts of the share of patients whom m codes single out are those of G. Loukides, J. C.
Denny & B. Malin, "The disclosure of diagnosis codes can breach research participants' privacy" (JAMIA, 2010).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.published import PublishedSets
from sfumato.codes.risk.matching import NOBODY, CodeRows, Matching, ragged
from sfumato.codes.sets import CodeSets
from sfumato.codes.utility.covering import Covering
from sfumato.codes.utility.query_error import counted as counted_in_release
from sfumato.core.attack import in_per_cent
from sfumato.core.progress import SILENT, Progress

MOST_SETS = 3_000_000_000
"""sets of codes, over all people, up to which all of them are looked at"""
DRAWS = 20_000
"""sets of codes that are drawn where not all are counted"""
MOST_WIDE_DRAWS = 2_000


@dataclass(frozen=True)
class RandomSubset:
    """The chance that m codes of a person, drawn at random, are held by one person, by fewer than k.

    The mean over the ``people`` who have so many codes. ``error`` is the standard error of the larger one
    where sets were drawn, None where all were counted.
    """

    unique: float
    below: float
    people: int
    error: float | None = None


@dataclass(frozen=True)
class SubsetExposure:
    """What somebody finds who knows up to ``known`` codes of a person.

    ``unique`` people have a set of at most so many codes that nobody else holds, ``below`` one that fewer
    than k people hold; None where there were too many sets to look at all. ``random`` is None where nobody
    has so many codes.
    """

    known: int
    people: int
    unique: int | None
    below: int | None
    random: RandomSubset | None

    def __str__(self) -> str:
        codes = "1 code" if self.known == 1 else f"{self.known} codes"
        if self.unique is None or self.below is None:
            worst = "at worst not known"
        else:
            unique, below = in_per_cent(self.unique / self.people), in_per_cent(self.below / self.people)
            worst = f"at worst {unique} unique, {below} below k"
        if self.random is None:
            return f"{codes}: {worst}"
        error = "" if self.random.error is None else f" (± {100 * self.random.error:.1f})"
        unique, below = in_per_cent(self.random.unique), in_per_cent(self.random.below)
        return f"{codes}: {worst}; at random {unique} unique, {below} below k{error}"


@dataclass(frozen=True)
class Walked:
    """All sizes together: the figures, and for every person the least support seen up to each size."""

    exposures: tuple[SubsetExposure, ...]
    least: tuple[NDArray[np.int64] | None, ...] = field(repr=False)


def walk(
    matching: Matching,
    counted: NDArray[np.bool_],
    k: int,
    up_to: int,
    *,
    seed: int = 0,
    draws: int = DRAWS,
    most_sets: int = MOST_SETS,
    progress: Progress = SILENT,
) -> Walked:
    """Look at all sets of 1 to ``up_to`` codes of the people who are ``counted``.

    Past ``most_sets`` sets of one size the worst one is not looked for, and ``draws`` are made for the rest.
    """
    exposures, leasts = [], []
    least: NDArray[np.int64] | None = np.full(matching.targets, NOBODY, np.int64)
    people = int(counted.sum())
    for size in range(1, up_to + 1):
        drawn = None
        if least is None or matching.work(size) > most_sets:
            least = None
            drawn = _drawn(matching, counted, k, size, seed, draws)
            exposures.append(SubsetExposure(size, people, None, None, drawn))
        else:
            progress.step(f"sets of {size} codes")
            found = matching.subsets(size, k, progress)
            least = np.minimum(least, found.least)
            if matching.known is None:
                drawn = _expected(matching, found.unique, found.below, counted, size)
            else:
                drawn = _drawn(matching, counted, k, size, seed, draws)
            alone, few = counted & (least == 1), counted & (least < k)
            exposures.append(SubsetExposure(size, people, int(alone.sum()), int(few.sum()), drawn))
        leasts.append(least)
    return Walked(tuple(exposures), tuple(leasts))


def _expected(
    matching: Matching,
    unique: NDArray[np.int64],
    below: NDArray[np.int64],
    counted: NDArray[np.bool_],
    size: int,
) -> RandomSubset | None:
    """Average over people the share of their sets that few hold: exact."""
    lengths, place = np.unique(matching.lengths, return_inverse=True)
    number = np.array([comb(length, size) for length in lengths.tolist()], np.float64)[place]
    able = counted & (matching.lengths >= size)
    if not able.any():
        return None
    return RandomSubset(
        float((unique[able] / number[able]).mean()),
        float((below[able] / number[able]).mean()),
        int(able.sum()),
    )


def _drawn(
    matching: Matching, counted: NDArray[np.bool_], k: int, size: int, seed: int, draws: int
) -> RandomSubset | None:
    """Draw people, and so many codes of each: an estimate with its standard error."""
    known = matching.known
    if known is None:
        known = CodeRows(matching.starts[: matching.targets + 1], matching.codes.astype(np.int64))
    drawn, people = _draw(known, counted, size, seed, draws)
    return _estimated(matching.holding(drawn, k), k, people) if people else None


def _draw(
    known: CodeRows, counted: NDArray[np.bool_], size: int, seed: int, draws: int
) -> tuple[CodeRows, int]:
    """Draw sets of ``size`` codes; what is −1 is no help and left out. Also how many people have so many."""
    lengths = np.diff(known.starts)
    able = np.flatnonzero(counted & (lengths >= size))
    if not len(able):
        return CodeRows(np.zeros(1, np.int64), np.empty(0, np.int64)), 0
    random = np.random.default_rng((seed, size))
    rows = able[random.integers(len(able), size=draws)]
    chosen = np.empty((draws, 0), np.int64)
    for step in range(size):
        # The place among those that are left, moved past each earlier choice: all sets are equally likely.
        place = random.integers(lengths[rows] - step)
        for column in chosen.T:
            place += place >= column
        chosen = np.sort(np.column_stack([chosen, place]), axis=1)
    values = known.values[known.starts[rows][:, None] + chosen]
    helpful = values >= 0
    owner = np.broadcast_to(np.arange(draws)[:, None], values.shape)
    number = int(known.values.max()) + 1
    return ragged(owner[helpful], values[helpful], draws, number), len(able)


def _estimated(held: NDArray[np.int64], k: int, people: int) -> RandomSubset:
    unique, below = float((held == 1).mean()), float(((held > 0) & (held < k)).mean())
    spread = max(unique * (1 - unique), below * (1 - below))
    return RandomSubset(unique, below, people, float(np.sqrt(spread / len(held))))


def drawn_from_release(
    original: CodeSets, published: PublishedSets, k: int, up_to: int, *, seed: int = 0, draws: int = DRAWS
) -> Walked:
    """Look for drawn codes of people in a release whose items are too wide to write out.

    Every draw goes through all records that may match, so at most ``MOST_WIDE_DRAWS`` are made.
    """
    draws = min(draws, MOST_WIDE_DRAWS)
    lost = Covering.of(original, published).suppressed
    known = CodeRows(original.starts, np.where(lost, -1, original.codes).astype(np.int64))
    everybody = np.ones(len(original), np.bool_)
    exposures = []
    for size in range(1, up_to + 1):
        asked, people = _draw(known, everybody, size, seed, draws)
        drawn = None
        if people:
            codes = [original.domain[code] for code in asked.values.tolist()]
            queries = [codes[a:b] for a, b in pairwise(asked.starts.tolist())]
            drawn = _estimated(counted_in_release(published, queries)[1], k, people)
        exposures.append(SubsetExposure(size, len(original), None, None, drawn))
    return Walked(tuple(exposures), (None,) * up_to)
