"""Spanish: what is missed and what is wrong on the development notes of MEDDOCAN, by the model and by all.

    python -m benchmarks.text_spanish [FOLDER]

FOLDER holds .txt and .ann files; unless given, the development notes in the neighbour folder ``shared`` are
read, and it is said when they are not there. Figures are counted as the shared task did (Marimon et al.,
2019), so that less is better:

- *wrong spans*: 1 − F1 over all labels, where a span counts if start, end and label are those of the gold;
- *leaked characters*: the share of letters and digits in gold spans that nothing covers, whatever the label;
- *leaked spans*: the share of gold spans that nothing touches.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.result import SHARED, Result, table
from sfumato.text.annotation.annotated import Annotated
from sfumato.text.crf.labels import OUTSIDE
from sfumato.text.crf.model import Model
from sfumato.text.finders import finder_of
from sfumato.text.language import language_of
from sfumato.text.languages.es.meddocan import meddocan_label, read_meddocan
from sfumato.text.note import Record
from sfumato.text.page import Page
from sfumato.text.span import Span
from sfumato.text.word_list import word_list

DEVELOPMENT = SHARED / "data" / "text" / "meddocan_es" / "dev"
WRONG_SPANS = 0.07
LEAKED = 0.05


@dataclass(frozen=True)
class Counted:
    """What the shared task counts, over all notes."""

    right: int
    wrong: int
    missed: int
    characters: int
    leaked_characters: int
    untouched: int

    @property
    def wrong_spans(self) -> float:
        """1 − F1 of exact spans with their labels."""
        return 1 - 2 * self.right / (2 * self.right + self.wrong + self.missed)

    @property
    def leaked(self) -> float:
        """The share of letters and digits of gold spans that stay."""
        return self.leaked_characters / self.characters

    @property
    def leaked_spans(self) -> float:
        """The share of gold spans that nothing touches."""
        return self.untouched / (self.right + self.missed)


def counted(notes: Sequence[Annotated], found: Sequence[Sequence[Span]]) -> Counted:
    """Compare what was found with the gold."""
    right = wrong = missed = characters = leaked = untouched = 0
    for note, spans in zip(notes, found, strict=True):
        gold = {(span.start, span.end, meddocan_label(span, span.of(note.text))) for span in note.spans}
        ours = {(span.start, span.end, meddocan_label(span, span.of(note.text))) for span in spans}
        right += len(gold & ours)
        wrong += len(ours - gold)
        missed += len(gold - ours)
        covered = {place for start, end, _ in ours for place in range(start, end)}
        for start, end, _ in gold:
            letters = [place for place in range(start, end) if note.text[place].isalnum()]
            characters += len(letters)
            leaked += sum(place not in covered for place in letters)
            untouched += covered.isdisjoint(range(start, end))
    return Counted(right, wrong, missed, characters, leaked, untouched)


def by_the_model(model: Model) -> Callable[[str], tuple[Span, ...]]:
    """Return what finds spans with the model alone, by its best sequence of labels."""
    decoder = model.decoder(word_list("es"))

    def find(text: str) -> tuple[Span, ...]:
        page = Page(text)
        starts, ends = page.tokens.starts, page.tokens.ends
        spans: list[Span] = []
        before = OUTSIDE
        for place, label in enumerate(decoder.labels(page)):
            name = label[2:]
            if label != OUTSIDE and (label[0] == "B" or before[2:] != name):
                kind = model.kinds[name]
                spans.append(Span(starts[place], ends[place], kind, "" if name == kind.value else name))
            elif label != OUTSIDE:
                last = spans.pop()
                spans.append(Span(last.start, ends[place], last.kind, last.label))
            before = label
        return tuple(spans)

    return find


def run(folder: Path = DEVELOPMENT) -> list[Result]:
    """Measure the shipped model by itself, the rules by themselves, and all together."""
    if not folder.is_dir():
        print("MEDDOCAN is not there (../shared): Spanish was not measured", file=sys.stderr)
        return []
    notes = read_meddocan(folder)
    language = language_of("es")
    rules, whole = finder_of("es", "none"), finder_of("es")
    ways: dict[str, Callable[[str], Sequence[Span]]] = {
        "model alone": by_the_model(Model.load(language.folder / language.model)),
        "rules alone": lambda text: rules.find(Record.of(text)).spans[0],
        "all together": lambda text: whole.find(Record.of(text)).spans[0],
    }
    results = []
    for way, find in ways.items():
        find(notes[0].text)
        began = time.process_time()
        found = [find(note.text) for note in notes]
        seconds = time.process_time() - began
        told = counted(notes, found)
        speed = f"{sum(len(note.text) for note in notes) / seconds:,.0f} characters/s"
        bars = (None, None) if way == "rules alone" else (WRONG_SPANS, LEAKED)
        results += [
            Result(f"wrong spans, {way}", told.wrong_spans, "", bars[0], note=speed),
            Result(f"leaked characters, {way}", told.leaked, "", bars[1]),
            Result(f"leaked spans, {way}", told.leaked_spans, "", bars[1]),
        ]
    return results


if __name__ == "__main__":
    print(table("Spanish (MEDDOCAN)", run(*map(Path, sys.argv[1:2]))))
