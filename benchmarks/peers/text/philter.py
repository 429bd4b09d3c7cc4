"""Philter-lite with its default filters. Runs in its own environment: see requirements-philter.txt.

It asks NLTK for parts of speech, whose data is not on the package index; spaCy's small English model tags the
same list of words in its place (the same tag set of the Penn Treebank).
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

import en_core_web_sm  # noqa: E402 - warnings must be off before it is loaded
import nltk  # noqa: E402 - warnings must be off before it is loaded
import philter_lite  # noqa: E402 - warnings must be off before it is loaded
from common import Spans, answer  # noqa: E402 - warnings must be off before it is loaded
from spacy.tokens import Doc  # noqa: E402 - warnings must be off before it is loaded

tagger = en_core_web_sm.load(disable=["parser", "ner"])
FOLDER = Path(philter_lite.__file__).parent


def tagged(words: list[str]) -> list[tuple[str, str]]:
    """Tag words as NLTK would; white space among them keeps its place."""
    real = [word for word in words if not word.isspace()]
    document = tagger.get_pipe("tagger")(Doc(tagger.vocab, words=real)) if real else []
    tags = iter([token.tag_ for token in document])
    return [(word, "SP" if word.isspace() else next(tags)) for word in words]


nltk.pos_tag = tagged
filters = philter_lite.load_filters(FOLDER / "configs" / "philter_delta.toml")


def find(text: str) -> Spans:
    """Return all letters and digits that are not on the list of what may stay: it stars them one by one."""
    kept, _, _ = philter_lite.detect_phi(text, patterns=filters)
    marks = bytearray(b"x" * len(text))
    for start, end in kept.filecoords():
        marks[start:end] = b"." * (min(end, len(text)) - start)
    stars = "".join(
        "x" if mark == 120 and letter.isalnum() else "." for mark, letter in zip(marks, text, strict=True)
    )
    return [(run.start(), run.end(), "OTHER") for run in re.finditer("x+", stars)]


if __name__ == "__main__":
    answer(find)
