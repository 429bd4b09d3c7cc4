"""Tokens changed: how much of the words of notes was replaced, and whether anything else was touched."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from sfumato.core.measure import Measured
from sfumato.text.models.contract import Handled
from sfumato.text.page import tokenise


@dataclass(frozen=True)
class TokensChanged:
    """The share of words and numbers of the original that the release does not show as they were.

    tokens that share a character with a changed span / all tokens that hold a letter or a digit. What is
    outside spans is clinical content and stays: see ``outside-changed``.

    >>> from sfumato.text.kinds import Kind
    >>> from sfumato.text.note import Record
    >>> from sfumato.text.replace.contract import Change
    >>> from sfumato.text.span import Span
    >>> change = Change(Span(0, 3, Kind.NAME), "**NAME[AAA]")
    >>> handled = Handled(Record.of("Ada is very well"), ("**NAME[AAA] is very well",), ((change,),))
    >>> measure = TokensChanged()
    >>> measure.measured(measure.counted(handled)).value
    0.25
    """

    name: ClassVar[str] = "tokens-changed"
    title: ClassVar[str] = "words and numbers changed"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of words and numbers that the release does not show as they were"

    def counted(self, handled: Handled) -> Counter[str]:
        """Count tokens, and those that were changed."""
        counts: Counter[str] = Counter()
        for note, changes in zip(handled.record.notes, handled.changes, strict=True):
            gone = [c.span for c in changes if c.after != c.span.of(note.text)]
            tokens = tokenise(note.text)
            at = 0
            for word, start, end in zip(tokens.words, tokens.starts, tokens.ends, strict=True):
                if not word[0].isalnum():
                    continue
                counts["tokens"] += 1
                while at < len(gone) and gone[at].end <= start:
                    at += 1
                counts["changed"] += at < len(gone) and gone[at].start < end
        return counts

    def measured(self, counts: Counter[str]) -> Measured | None:
        """Return the share."""
        if not counts["tokens"]:
            return None
        return Measured(
            counts["changed"] / counts["tokens"], {"tokens": counts["tokens"], "changed": counts["changed"]}
        )


@dataclass(frozen=True)
class OutsideChanged:
    """The share of notes of which anything but the listed changes is different: it must be 0.

    The released text is put together anew from the original and the changes, and compared.
    """

    name: ClassVar[str] = "outside-changed"
    title: ClassVar[str] = "notes changed outside what was found"
    range: ClassVar[str] = "0 … 1"
    meaning: ClassVar[str] = "the share of notes in which anything else than what was found is different"

    def counted(self, handled: Handled) -> Counter[str]:
        """Compare every note with the original and its changes."""
        counts: Counter[str] = Counter()
        for note, released, changes in zip(
            handled.record.notes, handled.released, handled.changes, strict=True
        ):
            at = 0
            pieces: list[str] = []
            for change in changes:
                pieces += [note.text[at : change.span.start], change.after]
                at = change.span.end
            counts["notes"] += 1
            counts["different"] += "".join([*pieces, note.text[at:]]) != released
        return counts

    def measured(self, counts: Counter[str]) -> Measured | None:
        """Return the share."""
        if not counts["notes"]:
            return None
        return Measured(counts["different"] / counts["notes"], {"notes": counts["different"]})
