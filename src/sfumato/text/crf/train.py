"""Training: from annotated notes to a model (L-BFGS with L1 and L2 penalties, by CRFsuite).

    maximise  Σ over notes of log P(labels | words)  −  c₁ · Σ |w|  −  c₂ · Σ w²

The L1 penalty makes most weights zero, so that a model is small. To find people whom no lexicon knows, a
share of the words in spans is *forgotten*: in that note the lexicon does not know them, and the model must
look at their shape and at what stands around them. A share of the notes is *varied* (``vary.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

import pycrfsuite

from sfumato.core.errors import BadInput
from sfumato.core.progress import SILENT, Progress
from sfumato.core.temporary import temporary_folder
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.crf.crfsuite_file import read_crfsuite
from sfumato.text.crf.examples import Examples
from sfumato.text.crf.labels import by_kind, kinds_of, names_of
from sfumato.text.crf.model import Model, Provenance
from sfumato.text.crf.vocabulary import affixes_of, vocabulary_of
from sfumato.text.crf.weights import weights_of
from sfumato.text.lexicon import Lexicon
from sfumato.text.span import Span

_ITERATION = re.compile(r"Iteration #(\d+)")


@dataclass(frozen=True)
class Settings:
    """How to train."""

    l1: float = 0.3
    l2: float = 0.01
    least_count: float = 3
    """a feature must be seen so often with a label"""
    least_notes: int = 3
    """a word must stand in so many notes to be in the model"""
    iterations: int = 120
    varied: float = 0.3
    """the share of notes that are also learned as somebody else would have typed them"""
    forgotten: float = 0.25
    """the share of words in spans that the lexicon is made to forget, a fifth of it of all other words"""
    seed: int = 1

    def __post_init__(self) -> None:
        if not (0 <= self.varied <= 1 and 0 <= self.forgotten < 1):
            raise BadInput("a share must lie between 0 and 1", where="settings of the training")
        if min(self.l1, self.l2, self.least_count) < 0 or min(self.iterations, self.least_notes) < 1:
            raise BadInput("penalties and counts cannot be negative", where="settings of the training")


class _Trainer(pycrfsuite.Trainer):  # type: ignore[misc]  # the package has no types
    """CRFsuite's trainer, telling how far it is."""

    def tell(self, progress: Progress, iterations: int) -> None:
        self._progress = progress
        self._iterations = iterations

    def message(self, message: str) -> None:
        """Read the library's log, one line after the other."""
        if found := _ITERATION.search(message):
            self._progress.update(min(int(found[1]) / self._iterations, 1.0))


def _trainer(settings: Settings, progress: Progress) -> _Trainer:
    trainer = _Trainer(algorithm="lbfgs", verbose=False)
    trainer.tell(progress, settings.iterations)
    trainer.set_params(
        {
            "c1": settings.l1,
            "c2": settings.l2,
            "max_iterations": settings.iterations,
            "feature.minfreq": settings.least_count,
            "feature.possible_transitions": True,
        }
    )
    return trainer


def train(
    notes: Iterable[Annotated],
    lexicon: Lexicon,
    *,
    trained_on: str = "annotated notes",
    real: bool = True,
    label_of: Callable[[Span], str] = by_kind,
    settings: Settings | None = None,
    language: str = "",
    rounds: int = 1,
    progress: Progress = SILENT,
) -> Model:
    """Learn from annotated notes.

    To train again after corrections, hand over ``annotation.correct.merged(corpus, corrected)``.

    ``real`` says whether they are about people; the model carries it. ``label_of`` gives the label of a span;
    spans of one label must be of one kind.
    """
    chosen = settings or Settings()
    read = list(notes)
    if not any(note.spans for note in read):
        raise BadInput("there is no annotated span to learn from", where="training", remedy="annotate notes")
    kinds = kinds_of((span for note in read for span in note.spans), label_of)
    vocabulary = vocabulary_of(read, chosen.least_notes)
    progress.step("features")
    examples = Examples(
        lexicon,
        {word: number for number, word in enumerate(vocabulary, 1)},
        affixes_of(read, chosen.least_notes),
        label_of,
        chosen.varied,
        chosen.forgotten,
        chosen.seed,
    )
    trainer = _trainer(chosen, progress)
    for place, note in enumerate(read):
        for features, labels in examples.of(note):
            trainer.append(features, labels)
        progress.update((place + 1) / len(read))
    progress.step("training")
    with temporary_folder() as folder:
        path = folder / "model"
        trainer.train(str(path))
        learned = read_crfsuite(path.read_bytes())
    weights = weights_of(learned, names_of(kinds))
    provenance = Provenance(
        trained_on=trained_on,
        trained_on_real_notes=real,
        notes=len(read),
        words=examples.words,
        least_notes=chosen.least_notes,
        settings={name: float(value) for name, value in asdict(chosen).items()},
        language=language,
        rounds=rounds,
    )
    return Model(weights.rounded(), vocabulary, kinds, provenance)
