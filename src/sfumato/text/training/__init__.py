"""Made-up clinical notes with exact annotations: what the shipped model learns from.

Notes are written by grammars (``data/*.txt``: templates by genre, rules, clinical sentences) in which slots
stand for people, dates, places and numbers. Nothing in them is about anybody: names are drawn from lists of
common names and, as often, put together from syllables, so that a model cannot learn them by heart.
"""

from __future__ import annotations

from sfumato.text.training.augment import augmented
from sfumato.text.training.generate import generated_notes, template_names

__all__ = ["augmented", "generated_notes", "template_names"]
