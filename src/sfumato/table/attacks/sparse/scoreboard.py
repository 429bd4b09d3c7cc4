"""The scoreboard of sparse matching: how well every user fits what is known about one person.

Narayanan & Shmatikov 2008, *Robust de-anonymization of large sparse datasets* (Scoreboard-RH):

    Score(known, u) = Σ_{i known} wt(i) · ( e^{−|ρ_i − ρ_u,i| / ρ₀} + e^{−|d_i − d_u,i| / d₀} )

over the known items that u rated, with wt(i) = 1 / ln max(|supp(i)|, 10): what few have rated says more. A
rating that the adversary does not know counts 1, a date 0. Whoever scores best is claimed only if they stand
out, (best − second) / σ > φ with σ the deviation of all scores, and fit: Score ≥ α · that of a perfect fit.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sfumato.table.attacks.sparse._kernels_sparse import (
    UNKNOWN_DAY,
    add_scores,
    best_two,
    count_ratings,
    gather_ratings,
)
from sfumato.table.attacks.sparse.ratings import NO_DAY, NO_RATING, Ratings

LEAST_SUPPORT = 10
"""an item of fewer ratings weighs no more than one of so many: else one wrong rating could decide all"""
_NEGLIGIBLE = 30.0
"""e to the minus thirty adds nothing that a float of a score would keep"""


@dataclass(frozen=True)
class KnownRatings:
    """What is known about one person: items, ratings (NaN: not known), days (NaN: not known).

    Days are counted as in the release. Items that nobody in the release rated are −1: they say nothing.
    """

    items: NDArray[np.int64]
    ratings: NDArray[np.float64]
    days: NDArray[np.float64]


@dataclass(frozen=True)
class Match:
    """Who fits best, and by how much. ``eccentricity`` is (best − second) / σ, 0 if several fit best."""

    user: int
    score: float
    eccentricity: float
    ties: int
    fit: float
    """the share of what somebody would score whom all that is known fits exactly"""
    confidence: float
    """e^(best/σ) over the sum of e^(score/σ): how sure the entropic variant of the attack is"""


@dataclass(frozen=True)
class Scoreboard:
    """Scores everybody of a release against what is known about one person."""

    ratings: Ratings
    rating_scale: float = 1.5
    """ρ₀: the difference of ratings at which similarity falls to 1/e"""
    day_scale: float = 30.0
    """d₀, in days"""
    _near: NDArray[np.float64] = field(init=False, repr=False, compare=False)
    _dated: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_dated", self.ratings.is_dated)
        gaps = np.arange(int(_NEGLIGIBLE * self.day_scale) + 1)
        object.__setattr__(self, "_near", np.exp(-gaps / self.day_scale))

    def scores(self, known: KnownRatings, into: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Return the score of every user; ``into`` is an array to use again."""
        scores = np.zeros(self.ratings.user_count) if into is None else into
        scores[:] = 0.0
        some = known.items >= 0
        items = np.ascontiguousarray(known.items[some], np.int64)
        alike = self._alike(known.ratings[some])
        days = known.days[some]
        since = np.where(np.isnan(days), UNKNOWN_DAY, days - self.ratings.first_day).astype(np.int64)
        add_scores(
            self.ratings.starts,
            self.ratings.users,
            self.ratings.ratings,
            self.ratings.days,
            items,
            alike,
            since,
            self._near,
            self._weights(items),
            scores,
        )
        return scores

    def match(self, known: KnownRatings, into: NDArray[np.float64] | None = None) -> Match:
        """Return who fits best."""
        who, best, second, ties, deviation, spread = best_two(self.scores(known, into))
        some = known.items >= 0
        dated = self._dated & ~np.isnan(known.days[some])
        perfect = float((self._weights(known.items[some]) * (1.0 + dated)).sum())
        fit = best / perfect if perfect else 0.0
        if deviation == 0.0:
            return Match(who, best, 0.0, ties, fit, 1.0 / ties)
        return Match(who, best, (best - second) / deviation, ties, fit, 1.0 / spread)

    def _weights(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        support = self.ratings.starts[items + 1] - self.ratings.starts[items]
        return np.asarray(1.0 / np.log(np.maximum(support, LEAST_SUPPORT)), np.float64)

    def _alike(self, asked: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return for each known rating how similar every code of a rating is to it."""
        alike = np.zeros((len(asked), NO_RATING + 1))
        gap = np.abs(self.ratings.scale[None, :] - np.nan_to_num(asked)[:, None])
        alike[:, : len(self.ratings.scale)] = np.exp(-gap / self.rating_scale)
        alike[np.isnan(asked)] = 1.0
        if not len(self.ratings.scale):
            alike[:] = 1.0
        return alike


@dataclass(frozen=True)
class RatingsOfSome:
    """All ratings of some users: entries ``starts[s]`` to ``starts[s + 1]`` are those of the s-th."""

    starts: NDArray[np.int64]
    items: NDArray[np.int64]
    ratings: NDArray[np.float64]
    days: NDArray[np.float64]


def ratings_of(ratings: Ratings, users: NDArray[np.int64]) -> RatingsOfSome:
    """Collect the ratings of some users, in two passes over all."""
    slot = np.full(ratings.user_count, -1, np.int64)
    slot[users] = np.arange(len(users))
    counts = np.zeros(len(users), np.int64)
    count_ratings(ratings.users, slot, counts)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    places = np.empty(int(starts[-1]), np.int64)
    items = np.empty(int(starts[-1]), np.int64)
    gather_ratings(ratings.starts, ratings.users, slot, starts[:-1].copy(), places, items)
    codes, days = ratings.ratings[places], ratings.days[places]
    values = np.append(ratings.scale, np.nan)[np.minimum(codes, len(ratings.scale))]
    dated = np.where(days == NO_DAY, np.nan, days.astype(np.float64) + ratings.first_day)
    return RatingsOfSome(starts, items, values, dated)


def noisy_knowledge(
    ratings: Ratings,
    users: NDArray[np.int64],
    *,
    known: int,
    wrong: int,
    days: int,
    random: np.random.Generator,
) -> list[KnownRatings | None]:
    """Make up what an adversary knows about some users.

    ``known − wrong`` of their ratings, taken by chance, with dates that err by up to ``days`` days; and
    ``wrong`` that are somebody else's altogether: item, rating and date of a rating taken by chance from
    all. None for users who have not rated so much.
    """
    theirs = ratings_of(ratings, users)
    return [
        _about(ratings, theirs, slice(first, last), known, wrong, days, random)
        if last - first >= known - wrong
        else None
        for first, last in zip(theirs.starts[:-1], theirs.starts[1:], strict=True)
    ]


def _about(
    ratings: Ratings,
    theirs: RatingsOfSome,
    mine: slice,
    known: int,
    wrong: int,
    days: int,
    random: np.random.Generator,
) -> KnownRatings:
    chosen = mine.start + random.permutation(mine.stop - mine.start)[: known - wrong]
    other = random.integers(len(ratings), size=wrong)
    other_days = ratings.days[other].astype(np.float64)
    other_days = np.where(other_days == NO_DAY, np.nan, other_days + ratings.first_day)
    values = np.append(ratings.scale, np.nan)
    return KnownRatings(
        np.concatenate([theirs.items[chosen], np.searchsorted(ratings.starts, other, side="right") - 1]),
        np.concatenate(
            [theirs.ratings[chosen], values[np.minimum(ratings.ratings[other], len(ratings.scale))]]
        ),
        np.concatenate(
            [theirs.days[chosen] + random.integers(-days, days + 1, size=known - wrong), other_days]
        ),
    )
