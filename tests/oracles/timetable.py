"""Slow and obvious: a service with few workers, played second by second.

Nothing here keeps queues ordered by cleverness. At every whole moment everybody who waits is looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Asked:
    """A question: whole numbers throughout."""

    analyst: str
    ready: int
    cost: int


@dataclass
class Played:
    """What happened to each question, in the order in which they were given: charged, starts, ends."""

    charged: dict[int, int] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)


def play(questions: Sequence[Asked], *, lanes: int, most: int, charging: int = 0) -> Played:
    """Play until everybody is charged; a question that runs keeps its worker for its whole cost."""
    played = Played()
    turn: list[str] = []
    """analysts who wait, in the order in which they are served next"""
    moment = 0
    while len(played.charged) < len(questions):
        arriving = [i for i, one in enumerate(questions) if one.ready == moment]
        for i in arriving:
            if questions[i].analyst not in turn:
                turn.append(questions[i].analyst)
            # One at a time: who is ready at the same moment but later in the list may not overtake.
        while turn and sum(moment < end for end in played.ends.values()) < most:
            served = turn.pop(0)
            waiting = [
                i
                for i, one in enumerate(questions)
                if one.analyst == served and one.ready <= moment and i not in played.charged
            ]
            first = min(waiting, key=lambda i: (questions[i].ready, i))
            if len(waiting) > 1:
                turn.append(served)
            played.charged[first] = moment
            played.starts[first] = _first_free(played, lanes, moment + charging)
            played.ends[first] = played.starts[first] + questions[first].cost
        moment += 1
    return played


def _first_free(played: Played, lanes: int, wanted: int) -> int:
    """Return the first moment from which on one of the workers has nothing to do any more."""
    moment = wanted
    while sum(end > moment for end in played.ends.values()) >= lanes:
        moment += 1
    return moment


def really(
    questions: Sequence[Asked], played: Played, took: Sequence[int], *, lanes: int, charging: int = 0
) -> list[int]:
    """Return when runs really end that begin in the order of the timetable, as soon as a worker is free."""
    free = [0] * lanes
    ends = [0] * len(questions)
    for i in sorted(played.charged, key=lambda i: (played.starts[i], list(played.charged).index(i))):
        worker = free.index(min(free))
        begun = max(free[worker], played.charged[i] + charging)
        ends[i] = free[worker] = begun + took[i]
    return ends
