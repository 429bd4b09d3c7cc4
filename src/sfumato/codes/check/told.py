"""What is learned: the confidence of sensitive items among those who hold an itemset."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sfumato.codes.check._kernels_closed import told_by_closed
from sfumato.codes.check._kernels_count import by_item
from sfumato.codes.check._kernels_told import FAR, FAR_JOINT, FAR_OF, FEWEST, JOINT, OF, told_by_itemsets
from sfumato.codes.check.findings import Answer
from sfumato.codes.check.known import Known, Seen
from sfumato.codes.check.support import witness_of
from sfumato.codes.question import Question
from sfumato.codes.sets import read_only
from sfumato.core.errors import BadInput

MOST_WORK = 50_000_000_000
"""steps after which it is given up: some minutes"""


def most_allowed(bound: Fraction | None, below: bool, records: int) -> NDArray[np.int64]:
    """Return for every support s how many holders may share a sensitive item: ≤ bound · s, or < bound · s.

    >>> most_allowed(Fraction(1, 2), False, 4).tolist(), most_allowed(Fraction(1, 2), True, 4).tolist()
    ([0, 0, 1, 1, 2], [-1, 0, 0, 1, 1])
    """
    if bound is None:
        return read_only(np.arange(records + 1), np.int64)
    top, bottom, less = bound.numerator, bound.denominator, int(below)
    if top * records < 1 << 62 and bottom < 1 << 62:
        return read_only((np.arange(records + 1, dtype=np.int64) * top - less) // bottom, np.int64)
    return read_only(np.array([(top * s - less) // bottom for s in range(records + 1)]), np.int64)


@dataclass(frozen=True)
class Sensitive:
    """Sensitive things, the commonest first: number e is thing ``thing[e]``, in ``shares[e]`` records."""

    thing: NDArray[np.int64] = field(repr=False)
    shares: NDArray[np.int64] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)
    told: NDArray[np.int32] = field(repr=False)
    own: NDArray[np.int64] = field(repr=False)
    """for every number that may be known, which sensitive one it is"""

    @classmethod
    def of(cls, seen: Seen, known: Known) -> Sensitive:
        """Number what must not be learned."""
        supports = seen.supports
        thing = np.flatnonzero(seen.sensitive & (supports > 0))
        thing = thing[np.argsort(-supports[thing], kind="stable")]
        number = np.full(len(seen.names), -1, np.int64)
        number[thing] = np.arange(len(thing))
        return cls(
            read_only(thing, np.int64),
            read_only(supports[thing], np.int64),
            known.told_starts,
            read_only(number[known.told], np.int32),
            read_only(number[known.thing], np.int64),
        )


def _gives_up(work: int, broken: int) -> None:
    if work < 0 and not broken:
        raise BadInput(
            "there are too many itemsets to look at, so that the promise could not be checked",
            where="published sets",
            remedy="let fewer codes be known, or leave long records out",
        )


def told_up_to(seen: Seen, known: Known, question: Question, every: bool) -> Answer:
    """Look at every itemset of at most ``size`` items: support, confidence, and distance from all."""
    size = min(question.size or 0, known.longest)
    if not size:
        return Answer(True, True, 0, 0)
    sensitive = Sensitive.of(seen, known)
    records = len(seen)
    apart = np.full(records + 1, -1, np.int64)
    if question.spread is not None:
        apart[:] = most_allowed(question.spread * records, False, records)
    figures = np.zeros(6, np.int64)
    worst = np.full((3, size), -1, np.int64)
    looked, broken, work = told_by_itemsets(
        size,
        known.starts,
        known.items,
        known.weights,
        known.begins,
        known.places,
        known.owners,
        known.widest,
        sensitive.starts,
        sensitive.told,
        sensitive.own,
        sensitive.shares,
        question.support,
        most_allowed(question.confidence, question.below, records),
        read_only(apart, np.int64),
        not every,
        MOST_WORK,
        figures,
        worst,
    )
    _gives_up(work, broken)
    support, joint, of = int(figures[FEWEST]), int(figures[JOINT]), int(figures[OF])
    far, far_of = int(figures[FAR]), int(figures[FAR_OF])
    confidence, distance = Fraction(joint, of), Fraction(far, far_of * records)
    too_sure = question.confidence is not None and (
        confidence >= question.confidence if question.below else confidence > question.confidence
    )
    if support < question.support or (question.confidence is None and question.spread is None):
        row, held, both = 0, support, None
    elif too_sure or question.spread is None:
        row, held, both = 1, of, joint
    else:
        row, held, both = 2, far_of, int(figures[FAR_JOINT])
    things = known.things(worst[row][worst[row] >= 0])
    return Answer(
        broken == 0,
        broken == 0 or (every and work >= 0),
        looked,
        broken,
        support if question.support > 1 else None,
        confidence if question.confidence is not None else None,
        distance if question.spread is not None else None,
        witness_of(seen, things, held, both),
    )


def told_by_any(seen: Seen, known: Known, question: Question, every: bool) -> Answer:
    """Look at every itemset of any size, also at none: what it tells about each sensitive item outside it."""
    sensitive = Sensitive.of(seen, known)
    allowed = most_allowed(question.confidence, question.below, len(seen))
    number = np.full(len(seen.names), -1, np.int64)
    number[known.thing] = np.arange(len(known.thing))
    distinct = len(known.weights)
    _, begins, _, owners = by_item(sensitive.starts, sensitive.told, len(sensitive.thing))
    figures = np.array([0, 1], np.int64)
    worst = np.full(max(len(known.thing), 1), -1, np.int64)
    looked = violations = 0
    work = MOST_WORK
    for item in range(len(sensitive.thing) - 1, -1, -1):
        with_it = owners[begins[item] : begins[item + 1]]
        without = np.ones(distinct, np.bool_)
        without[with_it] = False
        found, broken, work = told_by_closed(
            known.starts,
            known.items,
            known.weights,
            known.begins,
            known.owners,
            read_only(with_it, np.int32),
            read_only(np.flatnonzero(without), np.int32),
            int(number[sensitive.thing[item]]),
            allowed,
            not every,
            work,
            figures,
            worst,
        )
        looked += found
        violations += broken
        _gives_up(work, violations)
        if work < 0 or (violations and not every):
            break
    if not looked:
        return Answer(True, True, 0, 0)
    joint, of = int(figures[0]), int(figures[1])
    things = known.things(worst[worst >= 0])
    return Answer(
        violations == 0,
        violations == 0 or (every and work >= 0),
        looked,
        violations,
        confidence=Fraction(joint, of),
        witness=witness_of(seen, things, of, joint),
    )
