"""The weights of a model as arrays, and how they are rounded for the file.

Weights are kept as whole multiples of one step, the least power of two that is at least max |w| / 32,767.
Rounding moves a weight by at most half a step; with f features at a word and n words in a row no log-score
moves by more than (f + 1) · n / 2 steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sfumato.text.crf.crfsuite_file import Learned
from sfumato.text.crf.features import PHRASE_ROWS, SLOTS

STEPS = 32767
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """a[trait, slot, label], b[code, label], p[phrase row, label] and transitions (see ``features.py``)."""

    labels: tuple[str, ...]
    traits: tuple[str, ...]
    trait_scores: Floats
    codes: NDArray[np.int64]
    """in ascending order"""
    code_scores: Floats
    phrase_scores: Floats
    transitions: Floats

    def __post_init__(self) -> None:
        for scores in (self.trait_scores, self.codes, self.code_scores, self.phrase_scores, self.transitions):
            scores.flags.writeable = False

    def rounded(self) -> Weights:
        """Return the weights as the file keeps them."""
        step = self.step
        return Weights(
            self.labels,
            self.traits,
            np.rint(self.trait_scores / step) * step,
            self.codes,
            np.rint(self.code_scores / step) * step,
            np.rint(self.phrase_scores / step) * step,
            np.rint(self.transitions / step) * step,
        )

    @property
    def step(self) -> float:
        """The step that weights are rounded to."""
        parts = (self.trait_scores, self.code_scores, self.phrase_scores, self.transitions)
        greatest = max((float(np.abs(scores).max(initial=0.0)) for scores in parts), default=0.0)
        return float(2.0 ** math.ceil(math.log2(greatest / STEPS))) if greatest else 1.0


def trait_attribute(slot: int, trait: str) -> str:
    """Name a trait in a slot for the trainer."""
    return f"{slot}|{trait}"


def code_attribute(code: int) -> str:
    """Name a packed number for the trainer."""
    return f"#{code}"


def phrase_attribute(row: int) -> str:
    """Name a phrase's mark for the trainer."""
    return f"~{row}"


def weights_of(learned: Learned, names: tuple[str, ...]) -> Weights:
    """Lay out what CRFsuite learned. ``names`` gives the order of labels; those never seen are left out."""
    labels = tuple(name for name in names if name in learned.labels)
    order = np.array([labels.index(label) for label in learned.labels], dtype=np.int64)
    traits = sorted({name.split("|", 1)[1] for name in learned.attributes if name[0] not in "#~"})
    codes = np.array(sorted(int(name[1:]) for name in learned.attributes if name[0] == "#"), dtype=np.int64)
    number = {trait: row for row, trait in enumerate(traits)}
    place = {int(code): row for row, code in enumerate(codes)}
    trait_scores = np.zeros((len(traits), SLOTS, len(labels)))
    code_scores = np.zeros((len(codes), len(labels)))
    phrase_scores = np.zeros((PHRASE_ROWS, len(labels)))
    rows: list[Floats] = []
    for name in learned.attributes:
        if name[0] == "#":
            rows.append(code_scores[place[int(name[1:])]])
        elif name[0] == "~":
            rows.append(phrase_scores[int(name[1:])])
        else:
            slot, trait = name.split("|", 1)
            rows.append(trait_scores[number[trait], int(slot)])
    for attribute, label, weight in zip(*learned.states, strict=True):
        rows[attribute][order[label]] = weight
    transitions = np.zeros((len(labels), len(labels)))
    transitions[np.ix_(order, order)] = learned.transitions
    return Weights(labels, tuple(traits), trait_scores, codes, code_scores, phrase_scores, transitions)
