"""Inference in chains against every sequence of labels."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.text.crf.chain import best_labels, marginals
from tests.oracles.label_chains import probabilities, sequences

numbers = st.floats(-8, 8, width=32)


@st.composite
def batches(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    labels = draw(st.integers(1, 3))
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    row = st.lists(numbers, min_size=labels, max_size=labels)
    scores = draw(st.lists(row, min_size=sum(lengths), max_size=sum(lengths)))
    steps = draw(st.lists(row, min_size=labels, max_size=labels))
    return np.array(scores), np.array(steps), np.cumsum([0, *lengths])


@given(batches())
@settings(max_examples=60, deadline=None)
def test_marginals_are_the_shares_of_all_sequences(batch: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    scores, steps, bounds = batch
    expected = [
        row
        for start, end in pairwise(bounds)
        for row in probabilities(scores[start:end].tolist(), steps.tolist())
    ]
    np.testing.assert_allclose(marginals(scores, steps, bounds), expected, atol=1e-12)


@given(batches())
@settings(max_examples=60, deadline=None)
def test_the_best_labels_score_as_high_as_any_sequence(
    batch: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    scores, steps, bounds = batch
    best = best_labels(scores, steps, bounds)
    for start, end in pairwise(bounds):
        listed = sequences(scores[start:end].tolist(), steps.tolist())
        assert listed[tuple(best[start:end].tolist())] >= max(listed.values()) - 1e-9


def test_very_long_chains_and_great_scores_neither_overflow_nor_vanish() -> None:
    draw = np.random.default_rng(1)
    scores = draw.normal(0, 60, (5000, 4))
    found = marginals(scores, draw.normal(0, 5, (4, 4)), np.array([0, 4000, 5000]))
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


def test_no_words_have_no_labels() -> None:
    nothing = np.empty((0, 3))
    assert marginals(nothing, np.zeros((3, 3)), np.array([0])).shape == (0, 3)
    assert best_labels(nothing, np.zeros((3, 3)), np.array([0])).shape == (0,)
