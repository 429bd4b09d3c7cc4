"""The learned detector of text: CPU seconds for a million characters, and for reading the model.

    python -m benchmarks.text_speed

Notes are generated; cutting them into words is left out, since all detectors share it.
"""

from __future__ import annotations

from benchmarks.result import Result, cpu_seconds, table
from sfumato.text.crf.model import Model
from sfumato.text.detectors.learned import Learned
from sfumato.text.language import language_of
from sfumato.text.page import Page
from sfumato.text.training import generated_notes
from sfumato.text.word_list import word_list

MILLION = 1_000_000
BAR = MILLION / 150_000
"""seconds for a million characters at 150,000 characters a second"""


def run() -> list[Result]:
    """Measure the shipped English model."""
    language = language_of("en")
    path = language.folder / language.model
    lexicon = word_list("en")
    model = Model.load(path)
    notes = [note.text for note in generated_notes(400, seed=11)]
    pages = [Page(text) for text in notes]
    long = Page("\n".join(notes * 8))
    for page in (*pages, long):
        assert page.tokens

    def read(pages: list[Page]) -> None:
        detector = Learned(model, lexicon)
        for page in pages:
            list(detector.find(page))

    characters = sum(map(len, notes))
    per_million = MILLION / characters
    return [
        Result("read the model", cpu_seconds(lambda: Model.load(path)), "s CPU", 0.3),
        Result(
            "a million characters in short notes",
            cpu_seconds(lambda: read(pages), runs=3) * per_million,
            "s CPU",
            BAR,
            note=f"{len(notes)} notes, {characters:,} characters",
        ),
        Result(
            "a million characters in one long note",
            cpu_seconds(lambda: read([long]), runs=3) * MILLION / len(long.text),
            "s CPU",
            BAR,
            note=f"{len(long.text):,} characters",
        ),
    ]


if __name__ == "__main__":
    print(table("Learned detector of text", run()))
