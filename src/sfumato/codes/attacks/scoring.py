"""From candidates to a result: how often a pick among the records that agree is right."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.core.attack import MOST_VICTIMS, AttackResult, Scored, Victim
from sfumato.core.verdict import Threat


def mean_chance(candidates: NDArray[np.int64]) -> float:
    """Return the mean of 1 / candidates over all people, exactly until the end; 0 where there are none.

    >>> mean_chance(np.array([2, 2, 0, 1]))
    0.5
    """
    sizes, times = np.unique(candidates[candidates > 0], return_counts=True)
    total = sum(
        (Fraction(many, size) for size, many in zip(sizes.tolist(), times.tolist(), strict=True)),
        Fraction(0),
    )
    return float(total / max(len(candidates), 1))


def identity_result(
    attack: str,
    candidates: NDArray[np.int64],
    records: int,
    scored: Scored,
    *,
    details: Mapping[str, int | float | str] | None = None,
    note: str = "",
    victims: bool = False,
    rows: NDArray[np.int64] | None = None,
) -> AttackResult:
    """Score an adversary who picks one of the records that agree.

    ``candidates`` holds for every person how many there are, 0 where a pick cannot be right. The baseline is
    to pick any record of the release. ``rows`` says which row of the file each person is, if not all are.
    """
    there = candidates[candidates > 0]
    fewest = int(there.min(initial=records)) if len(there) else 0
    return AttackResult(
        attack,
        Threat.IDENTITY,
        len(candidates),
        mean_chance(candidates),
        1 / records,
        1 / records,
        certain=int(np.count_nonzero(candidates == 1)),
        highest=1 / fewest if fewest else 0.0,
        scored=scored,
        details={"fewest candidates": fewest, **(details or {})},
        note=note,
        victims=most_exposed(np.ones_like(candidates), candidates, rows) if victims else (),
    )


def most_exposed(
    joint: NDArray[np.int64], candidates: NDArray[np.int64], rows: NDArray[np.int64] | None = None
) -> tuple[Victim, ...]:
    """Name the rows about which an adversary is most sure, the surest first."""
    named = np.arange(len(candidates)) if rows is None else rows
    hit = np.flatnonzero((candidates > 0) & (joint > 0))
    share = joint[hit] / candidates[hit]
    order = hit[np.lexsort((hit, -share))][:MOST_VICTIMS]
    return tuple(
        Victim(int(named[place]) + 1, float(joint[place] / candidates[place]), int(candidates[place]))
        for place in order
    )
