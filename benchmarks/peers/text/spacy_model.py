"""spaCy's small English model. Runs in its own environment: see requirements-spacy.txt.

The model is of version 2.2.5, loaded by spaCy 2.3.9: newer ones are not on the package index.
"""

from __future__ import annotations

import warnings

warnings.filterwarnings("ignore")

import en_core_web_sm  # noqa: E402 - warnings must be off before it is loaded
from common import Spans, answer  # noqa: E402 - warnings must be off before it is loaded

KINDS = {
    "PERSON": "NAME",
    "DATE": "DATE",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
    "NORP": "",
}
"""organisations are left out, as Presidio leaves them out by default"""
model = en_core_web_sm.load(disable=["parser", "tagger"])


def find(text: str) -> Spans:
    """Return people, places and dates."""
    return [
        (entity.start_char, entity.end_char, KINDS[entity.label_])
        for entity in model(text).ents
        if KINDS.get(entity.label_)
    ]


if __name__ == "__main__":
    answer(find)
