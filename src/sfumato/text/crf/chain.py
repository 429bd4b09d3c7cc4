"""Inference in linear chains: P(label of word i | text) and the best sequence of labels.

For one chain of words with scores s[i, y] and transitions t[y, z]:

    P(y₁ … yₙ) ∝ exp( Σᵢ s[i, yᵢ] + Σᵢ t[yᵢ, yᵢ₊₁] )

Forward and backward sums (Rabiner 1989) run over all chains at once, the longest first, so that the chains
that are still going are always the first rows; sums are scaled at each step and never leave the range of
floats.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def marginals(scores: Floats, transitions: Floats, bounds: Ints) -> Floats:
    """Return P(label | text) for each word; chain c holds the words bounds[c] … bounds[c + 1] − 1."""
    if not len(scores):
        return scores
    firsts, going = _chains(bounds)
    steps = np.exp(transitions)
    states = np.exp(scores - scores.max(axis=1, keepdims=True))
    forward: Floats = np.empty_like(states)
    reached = states[firsts] / states[firsts].sum(axis=1, keepdims=True)
    forward[firsts] = reached
    for step in range(1, len(going)):
        now = firsts[: going[step]] + step
        reached = (reached[: going[step]] @ steps) * states[now]
        reached /= reached.sum(axis=1, keepdims=True)
        forward[now] = reached
    back = np.ascontiguousarray(steps.T)
    ahead: Floats = np.empty((0, scores.shape[1]))
    for step in range(len(going) - 1, 0, -1):
        if going[step] > len(ahead):
            # Chains that end here have nothing ahead of them.
            ending = np.ones((going[step] - len(ahead), scores.shape[1]))
            ahead = np.concatenate([ahead, ending])
        now = firsts[: going[step]] + step
        weighed = ahead * states[now]
        forward[now] *= ahead
        ahead = weighed @ back
        ahead /= ahead.sum(axis=1, keepdims=True)
    forward[firsts[: len(ahead)]] *= ahead
    forward /= forward.sum(axis=1, keepdims=True)
    return forward


def best_labels(scores: Floats, transitions: Floats, bounds: Ints) -> Ints:
    """Return the most likely sequence of labels of each chain (Viterbi 1967)."""
    if not len(scores):
        return np.empty(0, dtype=np.int64)
    firsts, going = _chains(bounds)
    best = scores[firsts]
    came = np.zeros(scores.shape, dtype=np.int64)
    lasts = np.empty(len(firsts), dtype=np.int64)
    for step in range(1, len(going)):
        lasts[going[step] : len(best)] = best[going[step] :].argmax(axis=1)
        through = best[: going[step], :, None] + transitions
        now = firsts[: going[step]] + step
        came[now] = through.argmax(axis=1)
        best = through.max(axis=1) + scores[now]
    lasts[: len(best)] = best.argmax(axis=1)
    labels = np.empty(len(scores), dtype=np.int64)
    for step in range(len(going) - 1, -1, -1):
        now = firsts[: going[step]] + step
        labels[now] = lasts[: going[step]]
        lasts[: going[step]] = came[now, lasts[: going[step]]]
    return labels


def _chains(bounds: Ints) -> tuple[Ints, Ints]:
    """Return the first words of chains, the longest chain first, and how many chains reach each step."""
    lengths = np.diff(bounds)
    order = np.argsort(-lengths, kind="stable")
    ordered = lengths[order]
    going = np.searchsorted(-ordered, -np.arange(ordered[0]), side="left")
    return bounds[:-1][order], going.astype(np.int64)
