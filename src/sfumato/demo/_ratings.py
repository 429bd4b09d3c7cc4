"""Made-up ratings of films: few films are popular, few people rate much, and they do so in sittings.

Nobody is copied from anywhere. Popularity falls with the square of the rank, activity doubles from band to
band: in the likeness of what large sites have published about themselves. Whole numbers only, so that a
seed gives the same ratings everywhere.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.demo._dice import Dice, Ints

if TYPE_CHECKING:
    from sfumato.table.attacks.sparse.ratings import Ratings

DAYS = 2000
FEWEST = 20
"""everybody rated about so much at least"""
_BANDS = (170, 220, 230, 180, 115, 55, 22, 6, 2)
"""people whose activity lies between 1 and 2, 2 and 4, 4 and 8, …, in thousandths"""
_HEAD = 700
"""how many films share the top of the ranks, roughly"""
_TASTES = (
    (14, 18, 26, 24, 18),
    (6, 12, 30, 32, 20),
    (3, 7, 22, 38, 30),
    (2, 4, 14, 34, 46),
)
"""how often 1 to 5 stars are given, from films that few like to films that most do"""
_BLOCK = 2_000_000
"""ratings that are drawn at once: bounds the memory"""


def generate_ratings(
    users: int = 10_000, items: int = 2_000, ratings: int = 1_000_000, seed: int = 7
) -> Ratings:
    """Make up ratings, sorted by item.

    Args:
        users: how many people rate
        items: how many films there are, at most 65,536
        ratings: about how many ratings to draw; who draws a film twice rates it once
        seed: a whole number from 0 on

    >>> generate_ratings(100, 50, 2_000).user_count
    100
    """
    from sfumato.table.attacks.sparse.ratings import Ratings

    if not (1 <= users < 2**31 and 1 <= items <= 2**16 and ratings >= users):
        raise BadInput(
            "so many users, items and ratings cannot be made up",
            remedy="ask for up to 65,536 items, and at least one rating for each user",
        )
    dice = Dice(seed)
    wanted = _activity(dice, users, ratings)
    blocks = _blocks(wanted)
    popularity = _popularity(dice, items)
    drawn = [_films(dice, number, wanted[some], popularity) for number, some in enumerate(blocks)]
    counts = np.zeros(items, np.int64)
    for films, _ in drawn:
        counts += np.bincount(films, minlength=items)
    starts = np.concatenate([[0], np.cumsum(counts)])
    total = int(starts[-1])
    who, stars, days = np.empty(total, np.int32), np.empty(total, np.uint8), np.empty(total, np.int16)
    free = starts[:-1].copy()
    taste = dice.below("ratings: taste", len(_TASTES), items)
    for number, some in enumerate(blocks):
        films, each = drawn[number]
        user = np.repeat(np.arange(some.start, some.stop), each)
        order = np.argsort(films, kind="stable")
        film = films[order].astype(np.int64)
        first = np.searchsorted(film, film, side="left")
        place = free[film] + np.arange(len(film)) - first
        who[place] = user[order]
        stars[place] = dice.pick_by(f"ratings: stars {number}", _TASTES, taste[film])
        days[place] = _when(dice, number, user, each)[order]
        free += np.bincount(film, minlength=items)
    return Ratings(users, starts, who, stars, days, np.arange(1.0, 6.0))


def _activity(dice: Dice, users: int, ratings: int) -> Ints:
    """Draw how much everybody rates, so that all together rate about as much as was asked for."""
    band = dice.pick("ratings: band", _BANDS, users)
    share = (1000 << band) + (dice.below("ratings: in band", 1000, users) << band)
    return np.asarray(
        np.maximum(share * ratings // int(share.sum()), min(FEWEST, ratings // users)), np.int64
    )


def _blocks(wanted: Ints) -> list[slice]:
    """Part the users so that every part draws about as many ratings as fit into a block."""
    ends = np.cumsum(wanted)
    cuts = np.searchsorted(ends, np.arange(_BLOCK, int(ends[-1]), _BLOCK))
    bounds = np.unique(np.concatenate([[0], cuts, [len(wanted)]])).tolist()
    return [slice(first, last) for first, last in pairwise(bounds)]


def _popularity(dice: Dice, items: int) -> Ints:
    rank = np.argsort(dice.below("ratings: rank", 2**60, items), kind="stable").astype(np.int64)
    head = max(2, min(_HEAD, items // 24))
    return 10**12 // (rank + head) ** 2


def _films(dice: Dice, number: int, wanted: Ints, popularity: Ints) -> tuple[NDArray[np.uint16], Ints]:
    """Draw the films of some users, each film once for each; return them by user, and how many each has."""
    user = np.repeat(np.arange(len(wanted)), wanted)
    film = dice.pick(f"ratings: films {number}", popularity, len(user))
    pairs = np.unique(user * len(popularity) + film)
    each = np.bincount(pairs // len(popularity), minlength=len(wanted))
    return (pairs % len(popularity)).astype(np.uint16), each


def _when(dice: Dice, number: int, user: Ints, each: Ints) -> NDArray[np.int16]:
    """Draw the days: somebody joins, stays, and rates about eight films at a sitting.

    Whoever rated much has been there for long: about a sitting in four days at most.
    """
    people = len(each)
    stay = np.minimum(each // 2 + dice.below(f"ratings: stay {number}", DAYS, people), DAYS - 1)
    joined = dice.below(f"ratings: joined {number}", DAYS, people) % (DAYS - stay)
    sittings = each // 8 + 1
    ends = np.cumsum(sittings)
    owner = np.repeat(np.arange(people), sittings)
    day = dice.below(f"ratings: sittings {number}", 2**40, len(owner)) % (stay + 1)[owner] + joined[owner]
    within = np.repeat(np.arange(people), each)
    chosen = dice.below(f"ratings: sitting {number}", 2**40, len(user)) % sittings[within]
    return np.asarray(day[(ends - sittings)[within] + chosen], np.int16)
