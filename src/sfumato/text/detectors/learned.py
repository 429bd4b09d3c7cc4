"""The learned detector: proposes what a conditional random field holds for likely (``text/crf``).

Let p be the least, over the words of a span, of P(the word is of that kind | the text), summed over all
labels of the kind. A model is trained on other notes than those it reads, and one leak is worse than one word
too many: with a leak worth r needless removals it is best to remove from r · p ≥ 1 − p on (Wald 1950), so

    certainty = r · p / (r · p + 1 − p).

A doubtful neighbour of a certain name does not make the name doubtful: runs of words are proposed once for
each step of certainty that they reach. A lower threshold buys recall. Nothing learned is as certain as a
checked form or a label beside it, and what cannot be what it is held for stays doubtful (``plausible.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.text.crf.chain import Floats
from sfumato.text.crf.decode import Decoder
from sfumato.text.crf.labels import BEGIN, INSIDE
from sfumato.text.crf.model import Model
from sfumato.text.detectors.plausible import Plausible
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Lexicon
from sfumato.text.page import Page
from sfumato.text.span import Span

STEPS = (0.9, 0.7, 0.5, 0.3)
"""certainties that runs of words are looked for at, beside the least one"""
MOST = 0.93
"""above what a telling word gives, below what a checked form or an own label does"""
_NOTHING = (np.empty(0, np.int16), np.empty(0, np.float32), np.empty(0, np.bool_), np.empty(0, np.int16))
_COLUMN = 3
"""blanks between the columns of a form"""
_KEPT = ("model", "lexicon", "leaks_weigh", "least", "judged")


@dataclass(frozen=True)
class _Reading:
    """For each word of a text its likeliest kind, how certain that is, whether it begins a span, its label.

    In few bytes: a text may have millions of words.
    """

    kinds: NDArray[np.int16]
    certain: NDArray[np.float32]
    begins: NDArray[np.bool_]
    labels: NDArray[np.int16]


@dataclass(frozen=True)
class Learned:
    """Finds spans with a trained model. The lexicon is the one that the model was trained with."""

    model: Model
    lexicon: Lexicon = field(repr=False)
    leaks_weigh: float = 8.0
    """how many needless removals one leak is worth; 1 takes the model's probabilities as they are"""
    least: float = 0.15
    """what is less certain is not proposed"""
    judged: bool = True
    """whether ``plausible.py`` has a say; its words are English"""
    name: ClassVar[str] = "learned"

    def __post_init__(self) -> None:
        if not 0.0 < self.least < 1.0:
            raise BadInput("the least certainty must lie between 0 and 1", where="learned detector")
        if not self.leaks_weigh > 0.0:
            raise BadInput("the weight of leaks must be positive", where="learned detector")

    @cached_property
    def decoder(self) -> Decoder:
        """What scores words."""
        return self.model.decoder(self.lexicon)

    def __getstate__(self) -> dict[str, Any]:
        # Each process keeps its own scores of words.
        return {name: value for name, value in vars(self).items() if name in _KEPT}

    def find(self, page: Page) -> Iterator[Span]:
        """Propose spans; those of different steps of certainty overlap."""
        read = self._read(page)
        above = 2.0
        for step in sorted({*(step for step in STEPS if step > self.least), self.least}, reverse=True):
            yield from self._runs(page, read, step, above)
            above = step

    @cached_property
    def _plausible(self) -> Plausible:
        return Plausible(self.lexicon)

    @cached_property
    def _kinds(self) -> list[Kind]:
        return sorted({*self.model.kinds.values()})

    @cached_property
    def _columns(self) -> tuple[Floats, Floats, Floats]:
        """Return matrices that add up labels: by kind, those that begin a span by kind, by label."""
        names, kinds = self.model.weights.labels, self.model.kinds
        begins = [[float(name[:2] == BEGIN and kinds[name[2:]] is k) for k in self._kinds] for name in names]
        insides = [
            [float(name[:2] == INSIDE and kinds[name[2:]] is k) for k in self._kinds] for name in names
        ]
        labels = [[float(name[2:] == label) for label in kinds] for name in names]
        return np.add(begins, insides), np.array(begins), np.array(labels)

    def _read(self, page: Page) -> _Reading:
        by_kind, beginning, by_label = self._columns
        kinds, certain, begins, labels = [], [], [], []
        for probable in self.decoder.probabilities(page):
            each = probable @ by_kind
            best = each.argmax(axis=1)
            place = np.arange(len(best))
            likely = each[place, best]
            odds = self.leaks_weigh * likely
            kinds.append(best.astype(np.int16))
            certain.append(np.minimum(odds / (odds + np.maximum(1.0 - likely, 0.0)), MOST).astype(np.float32))
            begins.append(2.0 * (probable @ beginning)[place, best] > likely)
            labels.append((probable @ by_label).argmax(axis=1).astype(np.int16))
        if not kinds:
            return _Reading(*_NOTHING)
        begun = np.concatenate(begins)
        # A wide gap parts the columns of a form: what stands in two of them is two things.
        begun[1:] |= np.subtract(page.tokens.starts[1:], page.tokens.ends[:-1]) >= _COLUMN
        return _Reading(np.concatenate(kinds), np.concatenate(certain), begun, np.concatenate(labels))

    def _runs(self, page: Page, read: _Reading, step: float, above: float) -> Iterator[Span]:
        """Propose runs of words that are all as certain as ``step``, unless all are as ``above``."""
        enough = read.certain >= step
        follows = np.zeros(len(enough), dtype=bool)
        follows[1:] = enough[1:] & enough[:-1] & (read.kinds[1:] == read.kinds[:-1]) & ~read.begins[1:]
        firsts = np.flatnonzero(enough & ~follows)
        if not len(firsts):
            return
        lasts = np.flatnonzero(enough & ~np.append(follows[1:], False))
        least = np.minimum.reduceat(np.where(enough, read.certain, 1.0), firsts)
        names = [*self.model.kinds]
        starts, ends = page.tokens.starts, page.tokens.ends
        for first, last, certainty in zip(firsts.tolist(), lasts.tolist(), least.tolist(), strict=True):
            if certainty < above:
                kind = self._kinds[read.kinds[first]]
                label = names[read.labels[first]]
                fits = label != kind.value and self.model.kinds[label] is kind
                begin, end, left = first, last, certainty
                if self.judged:
                    begin, end, left = self._plausible.judged(page, first, last, kind, certainty)
                if fits and label == "city" and self._plausible.may_be_kept(page, begin, end):
                    label = ""
                yield Span(starts[begin], ends[end], kind, label if fits else "", left, self.name)
