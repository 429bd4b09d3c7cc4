"""Places in Spanish notes: streets with their number and door, postal codes, hospitals, towns and countries.

``Calle`` comes before the name of a street and the number after it; ``Hospital`` before the name of a
hospital. Towns are taken from the lexicon where something announces them (``natural de``, a postal code).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.dictionary import CAPITAL, NAMED, RAISED, UPPER, Reading, reading
from sfumato.text.detectors.patterns.machinery import begins_number, words_before
from sfumato.text.kinds import Kind
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, SURE, Span

_NAMING = r"(?:(?:de|del|la|las|los|el|y|i|les?|d['’])\s{1,2}|(?:d|l)['’]|de\s?l['’])"
_PROPER = r"[^\W\d_a-záéíóúñüàèòïç][\w'’.ªº-]{0,24}"
_NUMBER = (
    r"(?:\s{0,2},)?\s{0,2}(?:n[º°o]\.?\s?|núm\.?\s?|número\s)?"
    r"(?:[0-9]{1,4}(?:-[0-9]{1,4})?[A-Za-z]?(?![\wº°ª])|(?:s/n|S/N|s\.n\.|SN)(?!\w)\.?[º°]?)"
)
_DOOR = (
    r"(?:[ ,.-]{1,3}(?:[0-9]{1,2}\s?\.?[º°ª](?:[ .-]{0,2}[A-Z](?![\w.-]))?|[0-9]{1,2}[ -]?[A-Z](?![\w.-])|[0-9]{1,2}(?![0-9/\w])|[A-Z](?![\w.-])"
    r"|(?i:bajo|dcha|der|izq|izda|izqda|izquierda|derecha|piso|puerta|portal|esc|escalera|planta|bloque|letra|entlo|ático|pta)(?!\w)|P[0-9])\.?[º°]?){0,4}"
)
_STREET = re.compile(
    rf"(?P<sort>\w{{1,13}})(?P<short>\s?[./]\s?|\s{{1,2}})(?P<name>(?:{_NAMING}){{0,3}}{_PROPER}(?:\s{{1,2}}(?:{_NAMING}){{0,3}}{_PROPER}){{0,5}})"
    rf"(?P<number>{_NUMBER}{_DOOR})?"
)
_SORTS = listed(
    "calle c avenida avda avd av paseo pso pº plaza plza pza pl camino cno carretera ctra cra ronda rda travesía trav callejón "
    "glorieta gta vía urbanización urb polígono pol pasaje pje bulevar cuesta rambla rbla barrio carrer rúa rua "
    "passeig avinguda plaça camí alameda costanilla paraje lugar jirón carrera autovía finca kalea"
)
_SURE_SORTS = listed(
    "calle avenida avda avd paseo plaza pza ctra carretera carrer passeig avinguda plaça rúa ronda"
)
_ZIP = re.compile(r"(?:0[1-9]|[1-4][0-9]|5[0-2])[0-9]{3}(?![0-9]|[.,][0-9]|\s?%)")
_ZIP_FIELD = re.compile(
    r"(?:C\.?\s?P\.?|c\.?p\.?|[Cc]ódigo\s[Pp]ostal)\s{0,2}[:.]?\s{0,3}(?:[A-Z]{1,2}-)?(?P<v>[0-9]{4,6}|[0-9]{2}\s[0-9]{3})(?![0-9])"
)
_AFTER_ZIP = re.compile(r"[\s,.;-]{1,4}\(?[A-ZÁÉÍÓÚÑ][a-záéíóúñ'’A-ZÁÉÍÓÚÑ]+")
_FROM = listed("natural procedente residente vive reside residencia nacido nacida originario originaria vecino vecina domicilio "
               "localidad provincia ciudad viaje viajó trasladado trasladada")  # fmt: skip
_INSTITUTIONS = {
    **dict.fromkeys(("hospital", "clínica", "clinica", "sanatorio", "policlínica", "policlínico", "ambulatorio"), "hospital"),
    **dict.fromkeys(("complejo", "complexo", "consultorio", "centro"), "hospital"),
    **dict.fromkeys(("universidad", "instituto", "fundación", "fundació", "colegio", "residencia", "facultad"), "organisation"),
    **dict.fromkeys(("laboratorios", "institut", "universitat"), "organisation"),
}  # fmt: skip
_SORT_OF_HOSPITAL = listed(
    "hospitalario asistencial universitario universitari clínico general provincial de salud especialidades médico"
)
_GOES_ON = listed("de del la las los el y i d' da do")
_ENDS_NAME = int(Mark.STREET | Mark.ORGANISATION | Mark.TITLE | Mark.COUNTRY)
_NO_INSTITUTION = listed("día urgencias referencia origen atención quirúrgica nefrología")
_FIELDS = {
    **dict.fromkeys(("domicilio", "dirección", "direccion"), "street"),
    **dict.fromkeys(("localidad", "provincia", "población", "municipio", "ciudad", "procedencia", "lugar"), "city"),
    **dict.fromkeys(("país", "pais", "nacionalidad"), "country"),
    **dict.fromkeys(("hospital", "centro"), "hospital"),
    **dict.fromkeys(("empresa", "empleador"), "organisation"),
}  # fmt: skip
_FIELD = re.compile(
    r"[^\W\d_]{4,12}(?:\s?/\s?[^\W\d_]{4,12}|\sde\s(?:salud|trabajo|nacimiento|residencia)|\spostal)?\s{0,2}:\s{0,3}(?P<v>[^\s:][^\n\r\t|:;]{0,90})",
    re.IGNORECASE,
)
_EMPTY = re.compile(r"(?:no|sin|desconocid|n/c|nc\b|se\s)", re.IGNORECASE)
_NEXT_FIELD = re.compile(
    r"\s{2,}|\s(?:CP|C\.P|NHC|NASS|Tel|Tlf|Teléfono|Provincia|Localidad|Sexo|Edad|País)\b"
)


@dataclass(frozen=True)
class SpanishPlaces:
    """Proposes places and organisations.

    >>> text = "Hospital Virgen del Prado. C/ del Abedul 5, 2º dcha 28036 Toledo"
    >>> sorted(span.of(text) for span in SpanishPlaces().find(Page(text)))
    ['28036', 'C/ del Abedul 5, 2º dcha', 'Hospital Virgen del Prado', 'Toledo']
    """

    name: str = "es.places"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at words that begin a street or an organisation, at fields, codes and towns."""
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & _SORTS:
            for place in page.places[word]:
                yield from self._street(text, starts[place], word)
        read = reading(page, "es")
        for word in page.places.keys() & _INSTITUTIONS.keys():
            for place in page.places[word]:
                end = _institution(read, place)
                if end is not None:
                    yield self._span(starts[place], page.tokens.ends[end - 1], _INSTITUTIONS[word], PROBABLE)
        for word in page.places.keys() & _FIELDS.keys():
            for place in page.places[word]:
                yield from self._field(text, starts[place], _FIELDS[word])
        yield from self._codes(page)
        yield from self._towns(read)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.LOCATION, label, certainty, self.name)

    def _street(self, text: str, start: int, word: str) -> Iterator[Span]:
        found = _STREET.match(text, start)
        if found is None or (word == "c" and "/" not in found["short"]) or found["sort"].lower() != word:
            return
        if found["number"]:
            yield self._span(
                start, found.end(), "street", LIKELY if word in _SURE_SORTS | {"c"} else PROBABLE
            )
        elif word in _SURE_SORTS and text[start].isupper():
            yield self._span(start, found.end("name"), "street", 0.6)

    def _field(self, text: str, start: int, label: str) -> Iterator[Span]:
        found = _FIELD.match(text, start)
        if found is None or _EMPTY.match(found["v"]):
            return
        first, end = found.span("v")
        stop = _NEXT_FIELD.search(text, first, end)
        end = stop.start() if stop is not None else end
        while end > first and text[end - 1] in " .,-":
            end -= 1
        if end - first < 2 or not any(letter.isupper() or letter.isdigit() for letter in text[first:end]):
            return
        if label != "city":
            yield self._span(first, end, label, LIKELY)
            return
        for part in re.finditer(r"[^,()/.]*[^\s,()/.]", text[first:end]):
            lead = len(part.group()) - len(part.group().lstrip())
            yield self._span(first + part.start() + lead, first + part.end(), label, LIKELY)

    def _codes(self, page: Page) -> Iterator[Span]:
        text, starts = page.text, page.tokens.starts
        for word in page.places.keys() & {"cp", "c", "código"}:
            for place in page.places[word]:
                found = _ZIP_FIELD.match(text, starts[place])
                if found is not None:
                    yield self._span(*found.span("v"), "zip", SURE)
        for place in page.numbers:
            start = starts[place]
            if len(page.tokens.words[place]) != 5 or not (
                begins_number(text, start) or text[start - 1] in "-,"
            ):
                continue
            found = _ZIP.match(text, start)
            if found is not None and _AFTER_ZIP.match(text, found.end()):
                yield self._span(*found.span(), "zip", PROBABLE)

    def _towns(self, read: Reading) -> Iterator[Span]:
        facts, tokens = read.facts, read.tokens
        marks = int(Mark.CITY | Mark.STATE | Mark.COUNTRY | Mark.COUNTY)
        runs = [(first, end, found) for first, end, found in read.phrases if found & marks]
        runs += [(place, place + 1, fact) for place, fact in enumerate(facts) if fact & marks]
        for first, end, fact in runs:
            if not facts[first] & RAISED:
                continue
            label = "country" if fact & Mark.COUNTRY else "city"
            certainty = self._of_town(read, first, end, fact)
            if certainty:
                yield self._span(tokens.starts[first], tokens.ends[end - 1], label, certainty)

    def _of_town(self, read: Reading, first: int, end: int, fact: int) -> float:
        """Return how certain a place of the lexicon is: by what announces it, by what else it may be."""
        before = words_before(read.text, read.tokens.starts[first], 3)
        coded = any(len(word) == 5 and word.isdecimal() for word in before[:1])
        bracketed = read.word(first - 1) == "(" and read.word(end) == ")"
        if (
            coded
            or _FROM.intersection(before)
            or (bracketed and not fact & (Mark.WORD | Mark.MEDICAL | UPPER))
        ):
            return LIKELY
        plain = end - first > 1 or not fact & int(NAMED | Mark.WORD | Mark.EPONYM | Mark.MEDICAL)
        if fact & Mark.COUNTRY:
            return PROBABLE if plain else DOUBTFUL
        if before[:1] in (["en"], ["de"], ["a"], ["desde"], ["hasta"]):
            return 0.6 if plain else DOUBTFUL
        return DOUBTFUL if plain else 0.0


def _institution(read: Reading, place: int) -> int | None:
    """Return the token after the last of an organisation's name; None where only its sort is named."""
    facts = read.facts
    if not facts[place] & RAISED or read.word(place + 1) in ("y", "e"):
        return None
    end, last, proper = place + 1, None, 0
    quoted = False
    while end - place < 14 and read.beside(end - 1):
        word, fact = read.word(end), facts[end]
        if word in ('"', "'", "“", "”", "«", "»"):
            quoted = not quoted
            end += 1
            last = end if not quoted and proper else last
            continue
        if fact & RAISED:
            if (
                word in _NO_INSTITUTION
                or read.word(end + 1) == ":"
                or (read.glued(end) and read.word(end + 1) == "-")
            ):
                break
            sort = word in _SORT_OF_HOSPITAL
            if fact & _ENDS_NAME and not sort and not (fact & NAMED and fact & CAPITAL and proper == 0):
                break
            proper += not sort
            last = end + 1
        elif word.isdecimal() and read.word(end + 1) == "de" and facts[end + 2] & Mark.MONTH:
            proper, last = proper + 1, end + 3
            end += 2
        elif word not in _GOES_ON and not (word in _SORT_OF_HOSPITAL and last is None):
            break
        end += 1
    return last if proper else None
