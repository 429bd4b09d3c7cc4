"""Addresses in Spanish notes: streets with their number and door, and postal codes.

``Calle`` stands before the name of a street, the number behind it, and the floor and door behind that:
``C/ del Abedul 5, 2º dcha``. A postal code has five digits, of which the first two are the province (01 to
52); it is taken with a label (``CP``), or before a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.patterns.machinery import begins_number
from sfumato.text.kinds import Kind
from sfumato.text.page import Page
from sfumato.text.span import LIKELY, PROBABLE, SURE, Span

_NAMING = r"(?:(?:de|del|la|las|los|el|y|i|les?)\s{1,2}|[dl]['’]|de\s?l['’])"
_PROPER = r"[^\W\d_a-záéíóúñüàèòïç][\w'’.ªº-]{0,24}"
_NUMBER = (
    r"(?:\s{0,2},)?\s{0,2}(?:n[º°o]\.?\s?|núm\.?\s?|número\s)?"
    r"(?:[0-9]{1,4}(?:-[0-9]{1,4})?[A-Za-z]?(?![\wº°ª])|(?:s/n|S/N|s\.n\.|SN)(?!\w)\.?[º°]?)"
)
_LETTER = r"[A-Z](?![\w-]|\.\w)"
_FLOOR = (
    "bajo|dcha|der|izq|izda|izqda|izquierda|derecha|piso|puerta|portal|esc|escalera|planta|bloque|letra|entlo|"
    "ático|pta"
)
_DOOR = (
    rf"(?:[ ,.-]{{1,3}}(?:[0-9]{{1,2}}\s?\.?[º°ªo](?:[ .-]{{0,2}}{_LETTER})?|[0-9]{{1,2}}[ -]?{_LETTER}"
    rf"|[0-9]{{1,2}}(?![0-9/\w])|{_LETTER}|(?i:{_FLOOR})(?!\w)|P[0-9])\.?[º°]?){{0,4}}"
)
_STREET = re.compile(
    rf"(?P<sort>\w{{1,13}})(?P<short>\s?[./]{{1,2}}\s?|\s{{1,2}})(?P<name>(?:{_NAMING}){{0,3}}{_PROPER}"
    rf"(?:\s{{1,2}}(?:{_NAMING}){{0,3}}{_PROPER}){{0,5}})(?P<number>{_NUMBER}{_DOOR})?"
)
_SORTS = listed(
    "calle c avenida avda avd av paseo pso pº plaza plza pza pl camino cno carretera ctra cra ronda rda "
    "travesía trav callejón glorieta gta vía urbanización urb polígono pol pasaje pje bulevar cuesta rambla "
    "rbla barrio carrer rúa rua passeig avinguda plaça camí alameda costanilla paraje lugar jirón carrera "
    "autovía finca kalea jr psje calzada"
)
_SURE_SORTS = listed(
    "calle avenida avda avd paseo plaza pza ctra carretera carrer passeig avinguda plaça rúa ronda"
)
_BOX = re.compile(r"(?i:apartado|apdo)\.?\s(?i:de\s)?(?i:correos)\s{0,2}(?:n[º°]\.?\s?)?[0-9]{1,6}(?![0-9])")
_ROOM = re.compile(
    r"[^\W\d_]{3,10}\.?\s{0,2}(?:n[º°]\.?\s?)?:?\s{0,2}(?P<v>[0-9]{1,4}(?:[ -]?[A-Z])?)"
    r"(?!\w|[.,/%][0-9]|\s?%)"
)
_ROOMS = {"habitación": 0.8, "hab": 0.8, "cama": 0.6, "box": 0.6}
_ZIP = re.compile(r"(?:0[1-9]|[1-4][0-9]|5[0-2])[0-9]{3}(?![0-9]|[.,][0-9]|\s?%)")
_ZIP_FIELD = re.compile(
    r"(?:C\.?\s?P\.?|c\.?p\.?|[Cc]ódigo\s[Pp]ostal)\s{0,2}[:.]?\s{0,3}(?:[A-Z]{1,2}-)?"
    r"(?P<v>[0-9]{4,7}|[0-9]{2}\s[0-9]{3})(?![0-9])"
)
_AFTER_ZIP = re.compile(r"[\s,.;-]{1,4}\(?[A-ZÁÉÍÓÚÑ][a-záéíóúñ'’A-ZÁÉÍÓÚÑ]")


@dataclass(frozen=True)
class SpanishAddresses:
    """Proposes streets and postal codes.

    >>> text = "Vive en C/ del Abedul 5, 2º dcha 28036 Toledo"
    >>> sorted(span.of(text) for span in SpanishAddresses().find(Page(text)))
    ['28036', 'C/ del Abedul 5, 2º dcha']
    """

    name: str = "es.addresses"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at words that begin a street, and at numbers of five digits."""
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & _SORTS:
            for place in page.places[word]:
                yield from self._street(text, starts[place], word)
        for word in page.places.keys() & {"apartado", "apdo"}:
            for place in page.places[word]:
                found = _BOX.match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span(), "street", LIKELY)
        for word in page.places.keys() & {"cp", "c", "código"}:
            for place in page.places[word]:
                found = _ZIP_FIELD.match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span("v"), "zip", SURE)
        for place in page.numbers:
            start = starts[place]
            if len(page.tokens.words[place]) == 5 and (begins_number(text, start) or text[start - 1] in "-,"):
                found = _ZIP.match(text, start)
                if found is not None and _AFTER_ZIP.match(text, found.end()):
                    yield self._span(*found.span(), "zip", PROBABLE)

        for word in page.places.keys() & _ROOMS.keys():
            for place in page.places[word]:
                found = _ROOM.match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span("v"), "room", _ROOMS[word])

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.LOCATION, label, certainty, self.name)

    def _street(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = _STREET.match(text, start)
        if found is None or (word == "c" and "/" not in found["short"]) or found["sort"].lower() != word:
            return
        if found["number"]:
            sure = word in _SURE_SORTS or word == "c"
            end = start + len(found.group().rstrip(" .,-"))
            yield self._span(start, end, "street", LIKELY if sure else PROBABLE)
        elif word in _SURE_SORTS and text[start].isupper():
            yield self._span(start, found.end("name"), "street", 0.6)
