"""Sparse matching in the setting of the Netflix prize: 500,000 users, 17,000 items, 100 million ratings.

    python -m benchmarks.sparse

The ratings are made up. What an adversary knows about a person: 8 ratings of which 2 are somebody else's,
with dates that err by up to 14 days.
"""

from __future__ import annotations

import resource
import time

import numpy as np

from benchmarks.result import Result, cpu_seconds, table
from sfumato.demo import generate_ratings
from sfumato.table.attacks.sparse.scoreboard import Scoreboard, noisy_knowledge
from sfumato.table.attacks.sparse_matching import SparseMatching

USERS, ITEMS, DRAWN = 500_000, 17_000, 122_000_000
"""films that somebody draws twice are rated once: a little over 100 million ratings remain"""
TARGETS = 1000


def run() -> list[Result]:
    """Make the ratings up, look for one person, then for a thousand."""
    started = time.process_time()
    ratings = generate_ratings(USERS, ITEMS, DRAWN)
    making = time.process_time() - started
    random = np.random.default_rng(1)
    people = random.permutation(USERS)[:TARGETS]
    known = noisy_knowledge(ratings, people, known=8, wrong=2, days=14, random=random)
    noise = noisy_knowledge(ratings, people, known=8, wrong=8, days=14, random=random)
    right = [np.array([person]) for person in people]
    attack = SparseMatching()
    found = attack.find(ratings, known, right)
    lost = attack.find(ratings, noise, right)
    board = Scoreboard(ratings)
    one = next(some for some in known if some is not None)
    seconds = cpu_seconds(lambda: board.match(one), 21)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    missed = 100 * (1 - found.certain / found.attempts)
    false = found.details["false matches"]
    size = f"{len(ratings):,} ratings of {USERS:,} users and {ITEMS:,} items"
    return [
        Result("one target", seconds, "s CPU", 0.5, note=size),
        Result("targets not claimed rightly", missed, "%", 1.0, note=f"of {found.attempts:,}, {false} false"),
        Result("noise claimed as somebody", 100 * float(lost.details["claimed"]) / lost.attempts, "%"),
        Result("making the ratings up", making, "s CPU", note=f"peak memory {peak:.1f} GB"),
    ]


if __name__ == "__main__":
    print(table("Sparse matching", run()))
