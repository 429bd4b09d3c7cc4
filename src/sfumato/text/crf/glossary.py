"""Numbers for distinct words, with what the model asks of each: made once for a word, then looked up."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sfumato.text.crf.features import NO_TYPE, WordTypes
from sfumato.text.crf.words import EDGE, class_of, folded, traits_of

EDGE_TRAIT = "edge"
"""what lies beyond the text has this trait alone"""
_FIRST = NO_TYPE + 1


class Glossary:
    """Grows by ``add`` up to its capacity; ``clear`` forgets all but the two types that are no words."""

    def __init__(self, vocabulary: Mapping[str, int], capacity: int) -> None:
        self.vocabulary = vocabulary
        self.capacity = capacity
        self.size = _FIRST
        self.known = WordTypes(
            classes=np.full(capacity, EDGE, dtype=np.int64),
            vocabulary=np.zeros(capacity, dtype=np.int64),
            cases=np.zeros(capacity, dtype=np.int64),
            colons=np.zeros(capacity, dtype=bool),
        )

    def clear(self) -> None:
        """Forget all words."""
        self.size = _FIRST

    def make_room(self, more: int) -> None:
        """Let it grow when it is full."""
        if self.size == self.capacity:
            self.capacity += more
            self.known = WordTypes(
                *(np.concatenate([part, np.zeros(more, part.dtype)]) for part in vars(self.known).values())
            )

    def add(self, word: str, marks: int) -> tuple[int, list[str]]:
        """Give a word a number; return it with the word's traits."""
        number = self.size
        self.size += 1
        self.known.classes[number] = class_of(word, marks)
        self.known.vocabulary[number] = self.vocabulary.get(folded(word), 0)
        self.known.cases[number] = (
            1 if word.islower() else 2 if word.isupper() else 3 if word.isalpha() else 0
        )
        self.known.colons[number] = word == ":"
        return number, traits_of(word, marks, self.vocabulary)
