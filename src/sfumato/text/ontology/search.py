"""Which term is shown how: product ≥ t in every note, at the least loss. The problem, and a greedy answer.

Jiang, Murugesan, Clifton, Si: "t-Plausibility: semantic preserving text sanitization" (CSE 2009). Given terms
1 … n with options of counts cᵢ, choose one for each so that Π cᵢ over the terms of a note is at least its t,
and the loss is least:

``entropy`` (usual)  Σ log₂ cᵢ, the bits that a reader lacks
``levels``           Σ steps up in the ontology
``uniform``          Σ (log₂ cᵢ − log₂ t / n)²: all terms hide alike, instead of one that says nothing at all
                     beside others that stay (Anandan, Clifton, Jiang, Murugesan, Pastrana-Camacho, Si:
                     "t-Plausibility: generalizing words to desensitize text", 2012)

A term is chosen once for all notes of a record: shown in one and hidden in another it would not be hidden.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from sfumato.text.ontology.counting import Option

Loss = Literal["entropy", "levels", "uniform"]
LOSSES: tuple[str, ...] = get_args(Loss)

Choice = tuple[int, ...]
"""for each term the number of its option"""


@dataclass(frozen=True)
class Problem:
    """Terms with their options (counts rising), the terms of each note, the product that each must reach."""

    options: tuple[tuple[Option, ...], ...]
    notes: tuple[tuple[int, ...], ...]
    needs: tuple[int, ...]
    loss: Loss = "entropy"

    def product(self, choice: Choice, note: int) -> int:
        """Return how many texts fit a note."""
        return math.prod(self.options[term][choice[term]].count for term in self.notes[note])

    def reachable(self, note: int) -> int:
        """Return the most texts that can be made to fit a note."""
        return math.prod(self.options[term][-1].count for term in self.notes[note])

    def holds(self, choice: Choice) -> bool:
        """Say whether every note reaches what it must."""
        return all(self.product(choice, note) >= need for note, need in enumerate(self.needs))

    def cost(self, term: int, option: int) -> float:
        """Return the loss of one term under one option."""
        chosen = self.options[term][option]
        if self.loss == "levels":
            return float(chosen.levels)
        bits = math.log2(chosen.count)
        return bits if self.loss == "entropy" else (bits - self._share[term]) ** 2

    def total(self, choice: Choice) -> float:
        """Return the loss of a choice."""
        return math.fsum(self.cost(term, option) for term, option in enumerate(choice))

    @cached_property
    def _share(self) -> dict[int, float]:
        """How many bits each term must hide for its note to be reached by equal parts."""
        share: dict[int, float] = {}
        for terms, need in zip(self.notes, self.needs, strict=True):
            for term in terms:
                share[term] = max(share.get(term, 0.0), math.log2(need) / len(terms))
        return share


def greedy(problem: Problem) -> Choice:
    """Lift the term whose next step loses least for each bit it hides, until all notes are reached; prune.

    Near the least loss, not always at it. The problem must be feasible.
    """
    choice = [0] * len(problem.options)
    of_term: list[list[int]] = [[] for _ in choice]
    for note, terms in enumerate(problem.notes):
        for term in terms:
            of_term[term].append(note)
    reached = [problem.product(tuple(choice), note) for note in range(len(problem.notes))]
    lacking = [product < need for product, need in zip(reached, problem.needs, strict=True)]
    open_notes = sum(lacking)
    heap = [step for term in range(len(choice)) for step in _next_step(problem, term, 0)]
    heapq.heapify(heap)
    while open_notes:
        _, _, term, option = heapq.heappop(heap)
        if not any(lacking[note] for note in of_term[term]):
            continue
        before, after = problem.options[term][choice[term]].count, problem.options[term][option].count
        choice[term] = option
        for note in of_term[term]:
            reached[note] = reached[note] // before * after
            if lacking[note] and reached[note] >= problem.needs[note]:
                lacking[note] = False
                open_notes -= 1
        for step in _next_step(problem, term, option):
            heapq.heappush(heap, step)
    _prune(problem, choice, of_term, reached)
    return tuple(choice)


def _next_step(problem: Problem, term: int, option: int) -> list[tuple[float, int, int, int]]:
    """Return the step to the next option: loss for each bit, then the smaller count first."""
    if option + 1 == len(problem.options[term]):
        return []
    before, after = problem.options[term][option], problem.options[term][option + 1]
    bits = math.log2(after.count) - math.log2(before.count)
    lost = problem.cost(term, option + 1) - problem.cost(term, option)
    return [(round(lost / bits, 9), after.count, term, option + 1)]


def _prune(problem: Problem, choice: list[int], of_term: list[list[int]], reached: list[int]) -> None:
    """Take steps back that are no longer needed, those that save most first, until none is left."""
    while True:
        best: tuple[float, int, int] | None = None
        for term, taken in enumerate(choice):
            if taken == 0:
                continue
            now = problem.options[term][taken].count
            for option in range(taken):
                count = problem.options[term][option].count
                if all(reached[note] // now * count >= problem.needs[note] for note in of_term[term]):
                    saved = problem.cost(term, taken) - problem.cost(term, option)
                    if saved > 0 and (best is None or saved > best[0]):
                        best = saved, term, option
        if best is None:
            return
        _, term, option = best
        for note in of_term[term]:
            count = problem.options[term][option].count
            reached[note] = reached[note] // problem.options[term][choice[term]].count * count
        choice[term] = option
