"""Labels of numbers in Spanish notes, as what they are: beside its number ``NIF`` is nobody's name or street.

They are proposed as content that stays, so that what a learned model takes them for does not win.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.kinds import Kind
from sfumato.text.languages.es.numbers import FORMS
from sfumato.text.page import Page
from sfumato.text.span import Span

LABELLED = 0.94
"""above what a learned model may say, below a title before a name"""
_WORDS = listed(
    "nif nie dni cif nhc nass nuss iban tarjeta cuenta ccc pasaporte cip sip cipa póliza afiliación "
    "expediente matrícula matricula"
)
"""labels that are nothing else"""


@dataclass(frozen=True)
class SpanishLabels:
    """Proposes the words of labels that stand before their number.

    >>> text = "Tarjeta sanitaria 2812345678; sin tarjeta"
    >>> [span.of(text) for span in SpanishLabels().find(Page(text))]
    ['Tarjeta sanitaria']
    """

    name: str = "es.labels"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at words that announce a number, and whether one follows."""
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & _WORDS:
            for place in page.places[word]:
                for _, form in FORMS[word]:
                    found = form.match(text, starts[place])
                    if found is None:
                        continue
                    end = found.end("label")
                    while end > found.start() and not text[end - 1].isalpha():
                        end -= 1
                    if end > found.start():
                        yield Span(found.start(), end, Kind.CLINICAL, "label", LABELLED, self.name)
                    break
