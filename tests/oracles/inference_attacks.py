"""Inference attacks by counting and enumerating, person by person: no formula of the attacks is used here."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

Matrix = tuple[tuple[Fraction, ...], ...]


def property_beliefs(
    matrix: Matrix, prior: Sequence[Fraction], shown: int, most: int | None = None
) -> list[tuple[Fraction, Fraction]]:
    """The belief before and after in every set of values (the empty one too), for a value that is shown."""
    values = range(len(prior))
    total = sum(prior[u] * matrix[u][shown] for u in values)
    found = []
    for size in range((len(prior) if most is None else most) + 1):
        for some in combinations(values, size):
            before = sum((prior[u] for u in some), Fraction(0))
            after = sum((prior[u] * matrix[u][shown] for u in some), Fraction(0)) / total
            found.append((before, after))
    return found


def naive_bayes_log_scores(
    people: Sequence[tuple[tuple[str, ...], str]],
    labels: Sequence[str],
    values: Sequence[str],
    kinds: Sequence[int],
    smoothing: float,
) -> list[float]:
    """The logarithm of P(s) Π_j P(x_j | s), up to a constant, counted from people (labels, value)."""
    scores = []
    for value in values:
        mine = [known for known, own in people if own == value]
        score = math.log(len(mine) + smoothing)
        for j, label in enumerate(labels):
            alike = sum(known[j] == label for known in mine)
            score += math.log((alike + smoothing) / (len(mine) + smoothing * kinds[j]))
        scores.append(score)
    return scores


def share_right(scores: Sequence[float], values: Sequence[str], truth: str) -> float:
    """1 if the value with the best score is the true one; among equal ones a coin is thrown."""
    best = [value for value, score in zip(values, scores, strict=True) if score > max(scores) - 1e-9]
    return (truth in best) / len(best)


def naive_bayes_attack(
    people: Sequence[tuple[tuple[str, ...], str]], smoothing: float = 1.0
) -> tuple[float, float, float]:
    """Success, the same by a model trained without the person, and the most frequent value for all."""
    values = sorted({value for _, value in people})
    kinds = [len({known[j] for known, _ in people}) for j in range(len(people[0][0]))]
    right = without = 0.0
    for i, (labels, value) in enumerate(people):
        others = [*people[:i], *people[i + 1 :]]
        right += share_right(naive_bayes_log_scores(people, labels, values, kinds, smoothing), values, value)
        without += share_right(
            naive_bayes_log_scores(others, labels, values, kinds, smoothing), values, value
        )
    most = Counter(value for _, value in people).most_common(1)[0][1]
    return right / len(people), without / len(people), most / len(people)


def presence(released: Sequence[tuple[str, ...]], population: Sequence[tuple[str, ...]]) -> list[Fraction]:
    """For each of the population, which share of those who look alike is in the release."""
    there, everybody = Counter(released), Counter(population)
    return [Fraction(there[person], everybody[person]) for person in population]


def area_under_curve(inside: Sequence[float], outside: Sequence[float]) -> float:
    """The chance that somebody inside scores above somebody outside, pair by pair; equal ones count half."""
    pairs = [(a > b) + 0.5 * (a == b) for a in inside for b in outside]
    return sum(pairs) / len(pairs)


def nearest_distance(person: Sequence[float], rows: Sequence[Sequence[float]]) -> float:
    """The smallest sum of absolute differences."""
    return min(sum(abs(a - b) for a, b in zip(person, row, strict=True)) for row in rows)


def likelihood_ratio(person: Sequence[int], published: Sequence[float], reference: Sequence[float]) -> float:
    """How much likelier the person's answers are by the published means than by the reference, in logs."""
    total = 0.0
    for answer, inside, outside in zip(person, published, reference, strict=True):
        total += math.log(inside / outside) if answer else math.log((1 - inside) / (1 - outside))
    return total
