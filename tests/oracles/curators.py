"""Curators for tests: one that writes down what it replies, one that has only that, one that audits.

The auditor holds two neighbouring data sets. Every question is put to both, and what the noisy reply betrays
about which of the two it came from is computed from the definition of the noise, not from what was paid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from sfumato.core.randomness import SeededRandom
from sfumato.query.methods.contract import Attribute, Coded, Problem
from sfumato.query.methods.curator import Cells, DataCurator, NoisyCounts, Scores


class Recording(DataCurator):
    """Writes down every reply."""

    def __init__(self, problem: Problem, seed: int) -> None:
        super().__init__(problem)
        self.random = SeededRandom(seed)
        self.replies: list[object] = []

    def count(self, cells: Cells, size: int, share: Fraction, what: str) -> NoisyCounts:
        self.replies.append(super().count(cells, size, share, what))
        return self.replies[-1]  # type: ignore[return-value]  # what was just written down

    def choose(self, scores: Scores, sensitivity: int, share: Fraction, what: str) -> int:
        self.replies.append(super().choose(scores, sensitivity, share, what))
        return self.replies[-1]  # type: ignore[return-value]  # what was just written down

    def choose_apart(
        self, parts: Cells, scores: Sequence[Scores], sensitivity: int, share: Fraction, what: str
    ) -> list[int]:
        self.replies.append(super().choose_apart(parts, scores, sensitivity, share, what))
        return self.replies[-1]  # type: ignore[return-value]  # what was just written down


class Replaying(DataCurator):
    """Has no people at all: repeats what another one replied."""

    def __init__(self, problem: Problem, seed: int, replies: Sequence[object]) -> None:
        nobody = Coded(problem.data.attributes, problem.data.codes[:0])
        super().__init__(
            Problem(nobody, problem.price, problem.neighbours, problem.target, random=problem.random)
        )
        self.people = len(problem.data.codes) if self.people is not None else None
        self.random = SeededRandom(seed)
        self._replies = iter(replies)

    def count(self, cells: Cells, size: int, share: Fraction, what: str) -> NoisyCounts:
        self._pay(share, what)
        return next(self._replies)  # type: ignore[return-value]  # as it was recorded

    def choose(self, scores: Scores, sensitivity: int, share: Fraction, what: str) -> int:
        self._pay(share, what)
        return next(self._replies)  # type: ignore[return-value]  # as it was recorded

    def choose_apart(
        self, parts: Cells, scores: Sequence[Scores], sensitivity: int, share: Fraction, what: str
    ) -> list[int]:
        self._pay(share, what)
        return next(self._replies)  # type: ignore[return-value]  # as it was recorded


class Auditing(DataCurator):
    """Adds up ln Pr[reply | D] − ln Pr[reply | D′] over a run, and ρ = sup over α of divergences / α."""

    def __init__(self, problem: Problem, neighbour: Coded, *, noise_times: Fraction = Fraction(1)) -> None:
        super().__init__(problem)
        self._other = neighbour.codes
        self._noise_times = noise_times
        """less than 1: a broken curator, whose noise is smaller than what is paid for"""
        self.loss = 0.0
        self.rho = 0.0

    def count(self, cells: Cells, size: int, share: Fraction, what: str) -> NoisyCounts:
        here = np.bincount(cells(self._codes), minlength=size)
        there = np.bincount(cells(self._other), minlength=size)
        assert len(here) == len(there) == size
        reply = super().count(cells, size, share / self._noise_times, what)
        scale = float(self._mechanism(share / self._noise_times).scale)
        if self.pure:
            self.loss += float((np.abs(reply.counts - there) - np.abs(reply.counts - here)).sum()) / scale
        self.rho += float(((here - there) ** 2).sum()) / (2 * scale**2)
        return reply

    def choose(self, scores: Scores, sensitivity: int, share: Fraction, what: str) -> int:
        reply = super().choose(scores, sensitivity, share, what)
        self._compare(scores(self._codes), scores(self._other), sensitivity, share, reply)
        return reply

    def choose_apart(
        self, parts: Cells, scores: Sequence[Scores], sensitivity: int, share: Fraction, what: str
    ) -> list[int]:
        reply = super().choose_apart(parts, scores, sensitivity, share, what)
        here, there = parts(self._codes), parts(self._other)
        for i, (score, chosen) in enumerate(zip(scores, reply, strict=True)):
            one, two = score(self._codes[here == i]), score(self._other[there == i])
            self._compare(one, two, sensitivity, share, chosen)
        return reply

    def _compare(self, here: object, there: object, sensitivity: int, share: Fraction, chosen: int) -> None:
        mechanism = self._choice(sensitivity, share)
        rate = float(mechanism.rate)
        gaps = [rate * (np.asarray(s, float) - np.max(s)) for s in (here, there)]
        logs = [g - math.log(np.exp(g).sum()) for g in gaps]
        self.loss += float(logs[0][chosen] - logs[1][chosen])
        ratios = logs[0] - logs[1]
        # An output range of log-ratios of width η is η²/8-zCDP.
        self.rho += float(ratios.max() - ratios.min()) ** 2 / 8

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
