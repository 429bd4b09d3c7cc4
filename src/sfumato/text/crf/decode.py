"""From a text to scores of labels for its words, window by window: linear in the text, bounded in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from sfumato.text.crf.chain import Floats, Ints, best_labels, marginals
from sfumato.text.crf.features import EDGE_TYPE, SLOTS, Layout, seen
from sfumato.text.crf.glossary import EDGE_TRAIT, Glossary
from sfumato.text.crf.weights import Weights
from sfumato.text.lexicon import Lexicon, Mark
from sfumato.text.page import Page, Tokens

WINDOW = 4096
"""words that are scored at once"""
MARGIN = 64
"""words before and after a window that are scored with it, so that its own have their neighbours"""
CAPACITY = 16384
"""distinct words whose scores are kept; a window never holds more"""
LONGEST = 48
"""words of a chain: longer lines are cut, at the end of a sentence where there is one"""
_MARKS = [int(mark) for mark in Mark]


def chains_of(lines: Ints, words: list[str]) -> Ints:
    """Return where chains begin, and the end of the last: lines, cut where they are long.

    >>> chains_of(np.array([0, 0, 1]), ["a", "b", "c"]).tolist()
    [0, 2, 3]
    """
    count = len(lines)
    begins = [0, *(np.flatnonzero(np.diff(lines)) + 1).tolist(), count] if count else [0]
    bounds = [0]
    for end in begins[1:]:
        start = bounds[-1]
        while end - start > LONGEST:
            cut = start + LONGEST
            while cut > start + LONGEST // 2 and words[cut - 1] != ".":
                cut -= 1
            start = cut if words[cut - 1] == "." else start + LONGEST
            bounds.append(start)
        bounds.append(end)
    return np.array(bounds, dtype=np.int64)


def phrase_rows(lexicon: Lexicon, tokens: Tokens) -> list[tuple[int, int]]:
    """Return pairs of a word and the row of a phrase's mark over it."""
    found = []
    for first, after, marks in lexicon.phrases(tokens):
        for place, mark in enumerate(_MARKS):
            if marks & mark:
                found += [(word, 2 * place + (word > first)) for word in range(first, after)]
    return found


class Decoder:
    """Scores words of texts. Keeps the scores of words that it saw, and never more than ``CAPACITY``."""

    def __init__(self, weights: Weights, vocabulary: Mapping[str, int], lexicon: Lexicon) -> None:
        self._weights = weights
        self._lexicon = lexicon
        self._rows = {trait: row for row, trait in enumerate(weights.traits)}
        self._glossary = Glossary(vocabulary, CAPACITY)
        self._numbers: dict[str, int] = {}
        self._kept = np.zeros((CAPACITY * SLOTS, len(weights.labels)))
        self._keep(EDGE_TYPE, [EDGE_TRAIT])
        self._codes = np.concatenate([weights.codes, [np.iinfo(np.int64).max]])
        # The last row answers for codes that have no weight.
        self._code_scores = np.concatenate([weights.code_scores, np.zeros((1, len(weights.labels)))])
        # Threads may share a detector; what is kept about words must not change under a running window.
        self._lock = threading.Lock()

    def probabilities(self, page: Page) -> Iterator[Floats]:
        """Yield P(label | text) for the words of a page, window by window."""
        for scores, bounds, inner in self._windows(page):
            yield marginals(scores, self._weights.transitions, bounds)[inner]

    def labels(self, page: Page) -> list[str]:
        """Return the best label of each word."""
        found: list[str] = []
        for scores, bounds, inner in self._windows(page):
            best = best_labels(scores, self._weights.transitions, bounds)[inner]
            found += [self._weights.labels[label] for label in best]
        return found

    def _windows(self, page: Page) -> Iterator[tuple[Floats, Ints, slice]]:
        tokens = page.tokens
        layout = Layout.of(page.text)
        for start in range(0, len(tokens), WINDOW):
            first = max(start - MARGIN, 0)
            part = slice(first, start + WINDOW + MARGIN)
            words = Tokens(tokens.words[part], tokens.starts[part], tokens.ends[part])
            with self._lock:
                scores, bounds = self._scores(words, layout)
            yield scores, bounds, slice(start - first, start - first + WINDOW)

    def _scores(self, tokens: Tokens, layout: Layout) -> tuple[Floats, Ints]:
        looked = seen(
            self._types(tokens.words),
            self._glossary.known,
            np.array(tokens.starts, dtype=np.int64),
            np.array(tokens.ends, dtype=np.int64),
            layout,
        )
        scores = np.take(self._kept, looked.slots * SLOTS + np.arange(SLOTS), axis=0).sum(axis=1)
        rows = np.searchsorted(self._codes, looked.codes)
        rows[self._codes[rows] != looked.codes] = len(self._codes) - 1
        scores += np.take(self._code_scores, rows, axis=0).sum(axis=1)
        for word, row in phrase_rows(self._lexicon, tokens):
            scores[word] += self._weights.phrase_scores[row]
        return scores, chains_of(looked.lines, tokens.words)

    def _types(self, words: list[str]) -> Ints:
        numbers = self._numbers
        missing = set(words).difference(numbers)
        if len(numbers) + len(missing) > CAPACITY - 2:
            numbers.clear()
            self._glossary.clear()
            missing = set(words)
        for word in missing:
            number, traits = self._glossary.add(word, self._lexicon.marks(word))
            numbers[word] = number
            self._keep(number, traits)
        return np.array([numbers[word] for word in words], dtype=np.int64)

    def _keep(self, number: int, traits: list[str]) -> None:
        rows = [row for trait in traits if (row := self._rows.get(trait)) is not None]
        kept: NDArray[np.float64] = self._weights.trait_scores[rows].sum(axis=0)
        self._kept[number * SLOTS : (number + 1) * SLOTS] = kept
