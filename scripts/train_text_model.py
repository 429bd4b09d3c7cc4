"""Train the model that a language ships with: English from generated notes alone, Spanish from MEDDOCAN.

The same command gives the same bytes.

    python scripts/train_text_model.py [--notes 4000] [--seed 7] [--out FILE]
    python scripts/train_text_model.py --folds 4            measure on templates that were not trained on
    python scripts/train_text_model.py --measure notes.jsonl    measure the shipped model on annotated notes

    python scripts/train_text_model.py --language es --corpus meddocan/train            train on a corpus
    python scripts/train_text_model.py --language es --corpus meddocan/train --folds 5
    python scripts/train_text_model.py --language es --corpus meddocan/dev --measure-corpus

What is measured is the learned model by itself, without patterns, dictionaries and the whole-record pass.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sfumato.core.errors import SfumatoError
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.annotation.jsonl import read_jsonl
from sfumato.text.compete import compete
from sfumato.text.crf.model import Model
from sfumato.text.crf.train import Settings, train
from sfumato.text.detectors.learned import Learned
from sfumato.text.evaluate.evaluation import Evaluation, evaluate
from sfumato.text.language import language_of
from sfumato.text.languages.es.meddocan import read_meddocan
from sfumato.text.page import Page
from sfumato.text.span import Span
from sfumato.text.training import generated_notes, template_names
from sfumato.text.word_list import word_list

LANGUAGE = "en"
SETTINGS = Settings(l1=0.06, l2=0.05, least_notes=5, iterations=70, varied=0.1)
"""chosen by cross-validation over templates of generated notes"""
FINER = {
    "initials": "initials",
    "street": "street",
    "unit": "street",
    "hospital": "hospital",
    "organisation": "organisation",
    "city": "city",
    "county": "city",
    "country": "country",
    "zip": "zip",
    "room": "room",
}
"""labels that are learned apart from their kind: what replaces them differs, as does what stands around"""


def label_of(span: Span) -> str:
    """Return the label that a span of a generated note is learned by."""
    return FINER.get(span.label, span.kind.value)


SPANISH_SETTINGS = Settings(l1=0.1, l2=0.02, least_notes=3, iterations=70, varied=0.15, forgotten=0.1)
"""chosen by cross-validation on the training notes of MEDDOCAN"""
MEDDOCAN = "the training notes of MEDDOCAN (Marimon et al. 2019, CC BY 4.0): published cases, names invented"


class Lines:
    """Shows progress as one line for each tenth of a step."""

    def __init__(self) -> None:
        self._tenths = 0

    def step(self, what: str) -> None:
        """Name the step."""
        self._tenths = 0
        print(what, file=sys.stderr)

    def update(self, done: float, note: str = "") -> None:
        """Say when another tenth is done."""
        if int(10 * done) > self._tenths:
            self._tenths = int(10 * done)
            print(f"{10 * self._tenths:3d} % {note}", file=sys.stderr)


def trained(notes: Sequence[Annotated]) -> Model:
    """Train on generated notes."""
    return train(
        notes,
        word_list(LANGUAGE),
        trained_on="notes that sfumato.text.training made up",
        real=False,
        label_of=label_of,
        settings=SETTINGS,
        language=LANGUAGE,
        progress=Lines(),
    )


def measured(model: Model, notes: Sequence[Annotated]) -> Evaluation:
    """Find with the model alone."""
    learned = Learned(model, word_list(LANGUAGE))
    return evaluate(notes, [compete(note.text, learned.find(Page(note.text))) for note in notes])


def trained_on_corpus(notes: Sequence[Annotated]) -> Model:
    """Train the Spanish model on annotated notes."""
    return train(
        notes,
        word_list("es"),
        trained_on=MEDDOCAN,
        real=False,
        label_of=lambda span: span.label or span.kind.value,
        settings=SPANISH_SETTINGS,
        language="es",
        progress=Lines(),
    )


def on_corpus(folder: Path, folds: int, only_measure: bool, path: Path) -> None:
    """Train on a corpus, cross-validate over groups of its notes, or measure the shipped model on it."""
    notes = read_meddocan(folder)
    lexicon = word_list("es")
    if only_measure:
        learned = Learned(Model.load(path), lexicon)
        print(evaluate(notes, [compete(note.text, learned.find(Page(note.text))) for note in notes]))
        return
    for fold in range(folds):
        held = notes[fold::folds]
        learned = Learned(trained_on_corpus([note for note in notes if note not in held]), lexicon)
        found = evaluate(held, [compete(note.text, learned.find(Page(note.text))) for note in held])
        print(f"fold {fold + 1} of {folds}\n{found}")
    if not folds:
        model = trained_on_corpus(notes)
        model.save(path)
        print(f"{model.describe()}\n{path.name}: {path.stat().st_size:,} bytes")


def cross_validated(count: int, seed: int, folds: int) -> None:
    """Train on all templates but those of one group, measure on that group; for each group."""
    templates = template_names()
    for fold in range(folds):
        held = templates[fold::folds]
        others = [name for name in templates if name not in held]
        model = trained(list(generated_notes(count, seed, templates=others)))
        found = measured(model, list(generated_notes(20 * len(held), seed + 1, templates=held)))
        print(f"fold {fold + 1} of {folds}\n{found}")


def main() -> int:
    """Train, or measure."""
    parser = argparse.ArgumentParser(description="Train the model that a language ships with.")
    parser.add_argument("--notes", type=int, default=4000, help="how many notes to generate")
    parser.add_argument("--seed", type=int, default=7, help="which notes to generate")
    parser.add_argument("--out", type=Path, help="the file to write, the shipped one by default")
    parser.add_argument(
        "--folds", type=int, default=0, help="cross-validate over so many groups of templates"
    )
    parser.add_argument("--measure", type=Path, help="a JSONL file of annotated notes to measure on")
    parser.add_argument("--language", choices=("en", "es"), default=LANGUAGE, help="whose model")
    parser.add_argument("--corpus", type=Path, help="Spanish: a folder of MEDDOCAN, .txt beside .ann")
    parser.add_argument("--measure-corpus", action="store_true", help="measure the model on --corpus")
    asked = parser.parse_args()
    if (asked.language == "es") != (asked.corpus is not None):
        parser.error("Spanish is trained on a corpus (--corpus), English on generated notes")
    language = language_of(asked.language)
    path = asked.out or language.folder / language.model
    try:
        if asked.corpus:
            on_corpus(asked.corpus, asked.folds, asked.measure_corpus, path)
        elif asked.folds:
            cross_validated(asked.notes, asked.seed, asked.folds)
        elif asked.measure:
            print(measured(Model.load(path), read_jsonl(asked.measure)))
        else:
            model = trained(list(generated_notes(asked.notes, asked.seed)))
            model.save(path)
            print(f"{model.describe()}\n{path.name}: {path.stat().st_size:,} bytes")
    except SfumatoError as problem:
        print(f"sfumato: {problem}", file=sys.stderr)
        return problem.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
