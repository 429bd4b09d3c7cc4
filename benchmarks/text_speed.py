"""Searching text: CPU seconds for a million characters, how time grows with a note, memory, and a cold start.

    python -m benchmarks.text_speed

Notes are generated; everything runs on one core. The bars are 50,000 characters a second with the learned
model and 100,000 with patterns and lexicons alone, 400 MB, and two seconds until the first note is done.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.result import Result, cpu_seconds, in_child, table
from sfumato.text.crf.model import Model
from sfumato.text.detectors.learned import Learned
from sfumato.text.finders import finder_of
from sfumato.text.language import language_of
from sfumato.text.note import Record
from sfumato.text.page import Page
from sfumato.text.training import generated_notes
from sfumato.text.word_list import word_list

MILLION = 1_000_000
BAR = {"shipped": MILLION / 50_000, "none": MILLION / 100_000}
LEARNED_BAR = MILLION / 150_000
LENGTHS = (10_000, 100_000, 1_000_000, 10_000_000)
_COMMAND = "from sfumato.cli import main; main()"
NAMES = {"shipped": "with the model", "none": "patterns and lexicons alone"}


def run() -> list[Result]:
    """Measure English."""
    notes = [note.text for note in generated_notes(400, seed=11)]
    results = [*_learned(notes)]
    for model in NAMES:
        results += [_short(notes, model), *_long(notes, model)]
    return [*results, _distinct_words(), _cold(notes[0])]


def _learned(notes: list[str]) -> list[Result]:
    """Measure the learned detector alone; cutting into words is left out, since all detectors share it."""
    language = language_of("en")
    path = language.folder / language.model
    model, lexicon = Model.load(path), word_list("en")
    pages = [Page(text) for text in notes]
    for page in pages:
        assert page.tokens

    def read() -> None:
        detector = Learned(model, lexicon)
        for page in pages:
            list(detector.find(page))

    characters = sum(map(len, notes))
    return [
        Result("read the model", cpu_seconds(lambda: Model.load(path)), "s CPU", 0.3),
        Result(
            "a million characters, the learned detector alone",
            cpu_seconds(read, runs=3) * MILLION / characters,
            "s CPU",
            LEARNED_BAR,
        ),
    ]


def _short(notes: list[str], model: str) -> Result:
    finder = finder_of("en", model)
    characters = sum(map(len, notes))
    spent = cpu_seconds(lambda: [finder.find(Record.of(text)) for text in notes], runs=3)
    return Result(
        f"a million characters in short notes, {NAMES[model]}",
        spent * MILLION / characters,
        "s CPU",
        BAR[model],
        note=f"{len(notes)} notes, {characters / spent:,.0f} characters/s",
    )


def _long(notes: list[str], model: str) -> list[Result]:
    """Measure one note of each length, in a process of its own: what is read before must not help."""
    whole = "\n\n".join(notes)
    results = []
    for length in LENGTHS:
        text = (whole * (length // len(whole) + 1))[:length]

        def work(text: str = text) -> None:
            finder_of("en", model).find(Record.of(text))

        _, spent, memory = in_child(work)
        results.append(
            Result(
                f"one note of {length:,} characters, {NAMES[model]}",
                spent,
                "s CPU",
                BAR[model] * length / MILLION + 2.0,
                note=f"with loading; {memory * 1000:,.0f} MB at most",
            )
        )
    return results


def _distinct_words() -> Result:
    """Feed words that were never seen before: what is remembered of them must stay small."""

    def work() -> None:
        finder = finder_of("en", "shipped")
        for first in range(0, 1_000_000, 2_000):
            finder.find(Record.of(" ".join(f"q{number:x}z" for number in range(first, first + 2_000))))

    _, spent, memory = in_child(work)
    return Result(
        "memory after a million distinct words", memory * 1000, "MB", 400, note=f"{spent:.0f} s CPU"
    )


def _cold(note: str) -> Result:
    """Scrub one note from the terminal."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "note.txt"
        path.write_text(note, encoding="utf-8")
        took = []
        for _ in range(3):
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", _COMMAND, "text", "scrub", str(path)], check=True, capture_output=True
            )
            took.append(time.perf_counter() - began)
    return Result("the first note from a cold process", min(took), "s", 2.0, note="best of three")


if __name__ == "__main__":
    print(table("Searching text", run()))
