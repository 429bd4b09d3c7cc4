"""Which words and parts of words a model may spell out: those of the language, never those of people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from sfumato.text.annotation.annotated import Annotated
from sfumato.text.crf.labels import OUTSIDE, labels_of
from sfumato.text.crf.words import folded, traits_of
from sfumato.text.page import tokenise

_LONGEST = 24
_AFFIXES = ("s=", "p=", "e=")


def vocabulary_of(notes: Sequence[Annotated], least_notes: int) -> tuple[str, ...]:
    """Return the words that stand outside spans in enough notes, and there at least as often as inside.

    Words with digits are no words. What stands for people in most places (a name that somebody missed to
    annotate now and then) is left out whatever its number.
    """
    outside: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    in_notes: Counter[str] = Counter()
    for note in notes:
        tokens = tokenise(note.text)
        here: set[str] = set()
        for word, label in zip(tokens.words, labels_of(tokens, note.spans), strict=True):
            if word.isalpha() and len(word) <= _LONGEST:
                flat = folded(word)
                if label == OUTSIDE:
                    outside[flat] += 1
                    here.add(flat)
                else:
                    inside[flat] += 1
        in_notes.update(here)
    return tuple(
        sorted(
            word for word, count in in_notes.items() if count >= least_notes and outside[word] >= inside[word]
        )
    )


def affixes_of(notes: Sequence[Annotated], least_notes: int) -> frozenset[str]:
    """Return the affixes that enough different words share, in enough notes."""
    words: dict[str, set[str]] = defaultdict(set)
    in_notes: Counter[str] = Counter()
    for note in notes:
        here: set[str] = set()
        for word in {*tokenise(note.text).words}:
            for trait in traits_of(word, 0, ()):
                if trait.startswith(_AFFIXES):
                    here.add(trait)
                    words[trait].add(folded(word))
        in_notes.update(here)
    return frozenset(
        affix
        for affix, count in in_notes.items()
        if count >= least_notes and len(words[affix]) >= least_notes
    )


def allowed(trait: str, affixes: frozenset[str]) -> bool:
    """Say whether a trait may be learned."""
    return not trait.startswith(_AFFIXES) or trait in affixes
