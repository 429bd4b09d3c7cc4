"""From an annotated note to what the trainer learns from: features of each word by name, and its label."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import numpy as np

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.crf.decode import chains_of, phrase_rows
from sfumato.text.crf.features import HERE, LABEL, SLOTS, Layout, seen
from sfumato.text.crf.glossary import EDGE_TRAIT, Glossary
from sfumato.text.crf.labels import OUTSIDE, labels_of
from sfumato.text.crf.vary import varied
from sfumato.text.crf.vocabulary import allowed
from sfumato.text.crf.weights import code_attribute, phrase_attribute, trait_attribute
from sfumato.text.lexicon import Lexicon
from sfumato.text.page import tokenise
from sfumato.text.span import Span

OTHERS = 0.2
"""words outside spans are forgotten so much more rarely than those inside"""
_NEAR = {0: "wcspengmd", 1: "wcsmd", 2: "wcm", 3: "wc"}
_TRAITS = [_NEAR[abs(slot - HERE)] for slot in range(LABEL)] + ["wcm", "wm"]
_GROWTH = 4096
assert len(_TRAITS) == SLOTS

Example = tuple[list[list[str]], list[str]]
"""one chain: the features of each of its words, and their labels"""


class Examples:
    """Makes examples; remembers the features of each word that it saw."""

    def __init__(
        self,
        lexicon: Lexicon,
        vocabulary: Mapping[str, int],
        affixes: frozenset[str],
        label_of: Callable[[Span], str],
        share_varied: float = 0.0,
        share_forgotten: float = 0.0,
        seed: int = 1,
    ) -> None:
        self._lexicon = lexicon
        self._affixes = affixes
        self._label_of = label_of
        self._varied = share_varied
        self._forgotten = share_forgotten
        self._draw = random.Random(seed)
        self._glossary = Glossary(vocabulary, _GROWTH)
        self._numbers: dict[tuple[str, int], int] = {}
        self._named: list[list[list[str]]] = [self._names([EDGE_TRAIT], everywhere=True), [[]] * SLOTS]
        self.words = 0

    def of(self, note: Annotated) -> Iterator[Example]:
        """Yield the chains of a note, and perhaps those of a varied copy."""
        yield from self._chains(note)
        if self._draw.random() < self._varied:
            yield from self._chains(varied(note, self._draw))

    def _chains(self, note: Annotated) -> Iterator[Example]:
        tokens = tokenise(note.text)
        if not len(tokens):
            return
        labels = labels_of(tokens, note.spans, self._label_of)
        hidden = self._hidden(tokens.words, labels)
        types = np.array(
            [self._number(word, 0 if word in hidden else self._lexicon.marks(word)) for word in tokens.words],
            dtype=np.int64,
        )
        looked = seen(
            types,
            self._glossary.known,
            np.array(tokens.starts, dtype=np.int64),
            np.array(tokens.ends, dtype=np.int64),
            Layout.of(note.text),
        )
        features: list[list[str]] = []
        for slots, codes in zip(looked.slots.tolist(), looked.codes.tolist(), strict=True):
            here = [code_attribute(code) for code in codes if code >= 0]
            for slot, number in enumerate(slots):
                here += self._named[number][slot]
            features.append(here)
        for word, row in phrase_rows(self._lexicon, tokens):
            if tokens.words[word] not in hidden:
                features[word].append(phrase_attribute(row))
        self.words += len(tokens)
        bounds = chains_of(looked.lines, tokens.words).tolist()
        for start, end in pairwise(bounds):
            yield features[start:end], labels[start:end]

    def _hidden(self, words: list[str], labels: list[str]) -> set[str]:
        """Draw the words that the lexicon forgets in this note."""
        if not self._forgotten:
            return set()
        inside = {word for word, label in zip(words, labels, strict=True) if label != OUTSIDE}
        hidden = set()
        for word in sorted({*words}):
            share = self._forgotten if word in inside else self._forgotten * OTHERS
            if self._draw.random() < share:
                hidden.add(word)
        return hidden

    def _number(self, word: str, marks: int) -> int:
        number = self._numbers.get((word, marks))
        if number is None:
            self._glossary.make_room(_GROWTH)
            number, traits = self._glossary.add(word, marks)
            self._numbers[word, marks] = number
            self._named.append(self._names([trait for trait in traits if allowed(trait, self._affixes)]))
        return number

    def _names(self, traits: list[str], everywhere: bool = False) -> list[list[str]]:
        return [
            [trait_attribute(slot, trait) for trait in traits if everywhere or trait[0] in _TRAITS[slot]]
            for slot in range(SLOTS)
        ]
