"""Chains of labels by listing every sequence: slow, and obvious."""

from __future__ import annotations

import itertools
import math


def sequences(scores: list[list[float]], steps: list[list[float]]) -> dict[tuple[int, ...], float]:
    """Return the score of every sequence of labels."""
    labels = range(len(steps))
    return {
        sequence: sum(scores[word][label] for word, label in enumerate(sequence))
        + sum(steps[one][two] for one, two in itertools.pairwise(sequence))
        for sequence in itertools.product(labels, repeat=len(scores))
    }


def probabilities(scores: list[list[float]], steps: list[list[float]]) -> list[list[float]]:
    """Return P(label) of each word: the share of sequences with that label there, each by its weight."""
    listed = {sequence: math.exp(score) for sequence, score in sequences(scores, steps).items()}
    total = math.fsum(listed.values())
    return [
        [
            math.fsum(weight for sequence, weight in listed.items() if sequence[word] == label) / total
            for label in range(len(steps))
        ]
        for word in range(len(scores))
    ]
