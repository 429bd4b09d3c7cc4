"""The learned detector: proposes what a conditional random field holds for likely (``text/crf``).

The certainty of a span is the least of its words': P(the word is of that kind | the text), summed over
beginning and continuing a span. So a lower threshold buys recall, and a doubtful neighbour of a certain name
does not make the name doubtful: runs of words are proposed once for each step of certainty that they reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.text.crf.chain import Floats, Ints
from sfumato.text.crf.decode import Decoder
from sfumato.text.crf.labels import BEGIN, INSIDE
from sfumato.text.crf.model import Model
from sfumato.text.lexicon import Lexicon
from sfumato.text.page import Page
from sfumato.text.span import Span

STEPS = (0.9, 0.5, 0.25)
"""certainties that runs of words are looked for at, beside the least one"""


@dataclass(frozen=True)
class Learned:
    """Finds spans with a trained model. The lexicon is the one that the model was trained with."""

    model: Model
    lexicon: Lexicon = field(repr=False)
    least: float = 0.1
    """what is less certain is not proposed"""
    name: ClassVar[str] = "learned"

    def __post_init__(self) -> None:
        if not 0.0 < self.least < 1.0:
            raise BadInput("the least certainty must lie between 0 and 1", where="learned detector")

    @cached_property
    def decoder(self) -> Decoder:
        """What scores words."""
        return self.model.decoder(self.lexicon)

    @cached_property
    def _begins(self) -> Floats:
        return self._columns(BEGIN)

    @cached_property
    def _insides(self) -> Floats:
        return self._columns(INSIDE)

    def _columns(self, prefix: str) -> Floats:
        """Return a matrix that picks the probability of ``prefix`` + label, for each label."""
        labels = self.model.weights.labels
        return np.array([[float(name == prefix + label) for label in self.model.kinds] for name in labels])

    def __getstate__(self) -> dict[str, Any]:
        # Each process keeps its own scores of words.
        return {name: value for name, value in vars(self).items() if name != "decoder"}

    def find(self, page: Page) -> Iterator[Span]:
        """Propose spans; those of different steps of certainty overlap."""
        labels, likely, begins = self._read(page)
        for step in sorted({*(step for step in STEPS if step > self.least), self.least}, reverse=True):
            yield from self._runs(page, labels, likely, begins, step)

    def _read(self, page: Page) -> tuple[Ints, Floats, Ints]:
        """Return for each word its likeliest label, how likely it is, and whether it rather begins a span."""
        labels, likely, begins = [np.empty(0, np.int64)], [np.empty(0)], [np.empty(0, np.int64)]
        for probable in self.decoder.probabilities(page):
            begun = probable @ self._begins
            each = begun + probable @ self._insides
            best = each.argmax(axis=1)
            place = np.arange(len(best))
            labels.append(best)
            likely.append(each[place, best])
            begins.append((2 * begun[place, best] > each[place, best]).astype(np.int64))
        return np.concatenate(labels), np.concatenate(likely), np.concatenate(begins)

    def _runs(self, page: Page, labels: Ints, likely: Floats, begins: Ints, step: float) -> Iterator[Span]:
        enough = likely >= step
        follows = np.zeros(len(enough), dtype=bool)
        follows[1:] = enough[1:] & enough[:-1] & (labels[1:] == labels[:-1]) & (begins[1:] == 0)
        firsts = np.flatnonzero(enough & ~follows)
        if not len(firsts):
            return
        lasts = np.flatnonzero(enough & ~np.append(follows[1:], False))
        names = [*self.model.kinds]
        starts, ends = page.tokens.starts, page.tokens.ends
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
            certainty = float(likely[first : last + 1].min())
            if step < STEPS[0] and certainty >= min(above for above in STEPS if above > step):
                continue
            label = names[labels[first]]
            kind = self.model.kinds[label]
            shown = "" if label == kind.value else label
            yield Span(starts[first], ends[last], kind, shown, min(certainty, 0.999), self.name)
