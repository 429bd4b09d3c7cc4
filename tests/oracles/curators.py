"""Curators for tests: one that writes down what it replies, one that has only that, one that audits.

The auditor holds two neighbouring data sets. Every question is put to both, and what the noisy reply betrays
about which of the two it came from is computed from the definition of the noise, not from what was paid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato.core.randomness import SeededRandom
from sfumato.dp.exact import exact
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.query.methods.contract import Attribute, Coded, Problem
from sfumato.query.methods.curator import Cells, DataCurator, NoisyCounts, Scores

Whole = NDArray[np.int64]


class Recording(DataCurator):
    """Writes down every reply."""

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem)
        self.random = SeededRandom(seed)
        self.replies: list[Any] = []

    def count(self, cells: Cells, size: int, share: Fraction, what: str) -> NoisyCounts:
        reply = super().count(cells, size, share, what)
        self.replies.append(reply)
        return reply

    def choose(self, scores: Scores, sensitivity: int, share: Fraction, what: str) -> int:
        reply = super().choose(scores, sensitivity, share, what)
        self.replies.append(reply)
        return reply

    def choose_apart(
        self, parts: Cells, scores: Sequence[Scores], sensitivity: int, share: Fraction, what: str
    ) -> list[int]:
        reply = super().choose_apart(parts, scores, sensitivity, share, what)
        self.replies.append(reply)
        return reply


class Replaying(DataCurator):
    """Has no people at all: repeats what another one replied."""

    def __init__(self, problem: Problem, seed: int, replies: Sequence[Any]) -> None:
        nobody = Coded(problem.data.attributes, problem.data.codes[:0])
        super().__init__(
            Problem(nobody, problem.price, problem.neighbours, problem.target, random=problem.random)
        )
        self.people = len(problem.data.codes) if self.people is not None else None
        self.random = SeededRandom(seed)
        self._replies = iter(replies)

    def count(self, cells: Cells, size: int, share: Fraction, what: str) -> NoisyCounts:
        self._pay(share, what)
        return cast(NoisyCounts, next(self._replies))

    def choose(self, scores: Scores, sensitivity: int, share: Fraction, what: str) -> int:
        self._pay(share, what)
        return cast(int, next(self._replies))

    def choose_apart(
        self, parts: Cells, scores: Sequence[Scores], sensitivity: int, share: Fraction, what: str
    ) -> list[int]:
        self._pay(share, what)
        return cast(list[int], next(self._replies))


class Auditing(DataCurator):
    """Finds what each reply costs, by its own distribution, and compares it with what was paid for it.

    ``loss`` adds up ln Pr[reply | D] − ln Pr[reply | D′] over a run, ``rho`` the ρ between the two
    distributions of each reply, and ``overspent`` is the largest cost of a reply over its share, whatever the
    reply was. ``unsteady`` is the largest change of a score over what it was said to be.
    """

    def __init__(self, problem: Problem, neighbour: Coded, *, noise_times: Fraction = Fraction(1)) -> None:
        super().__init__(problem)
        self._other = neighbour.codes
        self._noise_times = noise_times
        """less than 1: a broken curator, whose noise is smaller than what is paid for"""
        self.loss = 0.0
        self.rho = 0.0
        self.overspent = 0.0
        self.unsteady = 0.0

    def count(self, cells: Cells, size: int, share: Fraction, what: str) -> NoisyCounts:
        here = np.bincount(cells(self._codes), minlength=size)
        there = np.bincount(cells(self._other), minlength=size)
        assert len(here) == len(there) == size
        reply = super().count(cells, size, share / self._noise_times, what)
        scale = float(self._mechanism(share / self._noise_times).scale)
        if self.pure:
            self.loss += float((np.abs(reply.counts - there) - np.abs(reply.counts - here)).sum()) / scale
        rho = float(((here - there) ** 2).sum()) / (2 * scale**2)
        self._cost(float(np.abs(here - there).sum()) / scale, rho, share)
        return reply

    def choose(self, scores: Scores, sensitivity: int, share: Fraction, what: str) -> int:
        reply = super().choose(scores, sensitivity, share, what)
        mechanism = self._choice(sensitivity, share)
        self._cost(*self._compare(scores(self._codes), scores(self._other), mechanism, reply), share)
        return reply

    def choose_apart(
        self, parts: Cells, scores: Sequence[Scores], sensitivity: int, share: Fraction, what: str
    ) -> list[int]:
        reply = super().choose_apart(parts, scores, sensitivity, share, what)
        here, there = parts(self._codes), parts(self._other)
        mechanism = self._choice(sensitivity, share)
        epsilon = rho = 0.0
        for i, (score, chosen) in enumerate(zip(scores, reply, strict=True)):
            one, two = score(self._codes[here == i]), score(self._other[there == i])
            each = self._compare(one, two, mechanism, chosen)
            epsilon, rho = epsilon + each[0], rho + each[1]
        self._cost(epsilon, rho, share)
        return reply

    def _cost(self, epsilon: float, rho: float, share: Fraction) -> None:
        self.rho += rho
        self.overspent = max(self.overspent, (epsilon if self.pure else rho) / float(share))

    def _compare(self, here: Whole, there: Whole, mechanism: Exponential, chosen: int) -> tuple[float, float]:
        """Return ε and ρ between two choices, and add up what the one that was made betrays."""
        rate = float(mechanism.rate)
        change = float(np.abs(here - there).max())
        self.unsteady = max(self.unsteady, change / float(exact(mechanism.sensitivity)))
        gaps = [rate * (np.asarray(s, float) - np.max(s)) for s in (here, there)]
        logs = [g - math.log(np.exp(g).sum()) for g in gaps]
        self.loss += float(logs[0][chosen] - logs[1][chosen])
        ratios = logs[0] - logs[1]
        # Log-ratios that lie within a range of width η are η²/8-zCDP.
        return float(np.abs(ratios).max()), float(np.ptp(ratios)) ** 2 / 8

    def _pay(self, share: Fraction, what: str) -> None:
        """Pay what was asked: a broken curator draws less noise and says nothing of it."""
        from_budget = share if self._noise_times == 1 or "choice" in what else share * self._noise_times
        super()._pay(from_budget, what)


def random_people(generator: np.random.Generator, attributes: Sequence[Attribute], people: int) -> Coded:
    """Draw people whose attributes follow each other, one in five times at random."""
    codes = np.zeros((people, len(attributes)), np.int32)
    codes[:, 0] = generator.integers(attributes[0].size, size=people)
    for a in range(1, len(attributes)):
        likely = codes[:, a - 1] % attributes[a].size
        other = generator.integers(attributes[a].size, size=people)
        codes[:, a] = np.where(generator.random(people) < 0.2, other, likely)
    codes.setflags(write=False)
    return Coded(tuple(attributes), codes)
