"""Places in Spanish notes: hospitals and other organisations, towns and countries, and fields that name them.

``Hospital`` stands before the name of a hospital. Towns are taken from the lexicon where something announces
them (``natural de``, a postal code); what is a name or a word as well is taken only then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sfumato.text.dates import listed
from sfumato.text.detectors.dictionary import CAPITAL, NAMED, NUMBER, RAISED, UPPER, Reading, reading
from sfumato.text.detectors.patterns.machinery import words_before
from sfumato.text.kinds import Kind
from sfumato.text.languages.es.known import names_country
from sfumato.text.lexicon import Mark
from sfumato.text.page import Page, tokenise
from sfumato.text.span import DOUBTFUL, LIKELY, PROBABLE, Span
from sfumato.text.word_list import word_list

_FROM = listed(
    "natural procedente residente vive reside residencia nacido nacida originario originaria vecino vecina "
    "domicilio localidad provincia ciudad viaje viajó trasladado trasladada"
)
_HOSPITALS = (
    "hospital clínica clinica sanatorio policlínica policlínico ambulatorio complejo complexo consultorio "
    "centro"
)
_ORGANISATIONS = (
    "universidad instituto fundación fundació colegio residencia facultad laboratorios institut universitat "
    "banco ministerio embajada"
)
_INSTITUTIONS = {
    **dict.fromkeys(_HOSPITALS.split(), "hospital"),
    **dict.fromkeys(_ORGANISATIONS.split(), "organisation"),
}
_SORT_OF_HOSPITAL = listed(
    "hospitalario asistencial universitario universitari clínico general provincial de salud especialidades "
    "médico"
)
_GOES_ON = listed("de del la las los el y i d' da do")
_ENDS_NAME = int(Mark.STREET | Mark.ORGANISATION | Mark.TITLE | Mark.COUNTRY)
_NO_INSTITUTION = listed("día urgencias referencia origen atención quirúrgica nefrología")
_FIELDS = {
    **dict.fromkeys(listed("domicilio dirección direccion"), "street"),
    **dict.fromkeys(listed("localidad provincia población municipio ciudad procedencia lugar"), "city"),
    **dict.fromkeys(listed("país pais nacionalidad"), "country"),
    **dict.fromkeys(listed("hospital centro"), "hospital"),
    **dict.fromkeys(listed("empresa empleador"), "organisation"),
}
_FIELD = re.compile(
    r"[^\W\d_]{4,12}(?:\s?/\s?[^\W\d_]{4,12}|\sde\s(?:salud|trabajo|nacimiento|residencia)|\spostal)?"
    r"\s{0,2}:\s{0,3}(?P<v>[^\s:][^\n\r\t|:;]{0,90})",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    r"(?<!\w)[A-ZÁÉÍÓÚÑ][\w'’-]{1,24}(?:\s(?:y\s|e\s|de\s)?[A-ZÁÉÍÓÚÑ][\w'’-]{1,24}){0,4},?\s"
    r"(?:S\.\s?A\.(?:U\.)?|S\.\s?L\.(?:U\.)?|S\.A\b|S\.L\b|SA\b|SL\b|SLU\b|SRL\b|S\.R\.L\.|Ltda\b\.?)(?!\w)"
)
_EMPTY = re.compile(r"(?:no|sin|desconocid|n/c|nc\b|se\s)", re.IGNORECASE)
_NEXT_FIELD = re.compile(
    r"\s{2,}|\s(?:CP|C\.P|NHC|NASS|Tel|Tlf|Teléfono|Provincia|Localidad|Sexo|Edad|País)\b"
)


@dataclass(frozen=True)
class SpanishPlaces:
    """Proposes places and organisations.

    >>> text = "Natural de Toledo, derivada al Hospital Virgen del Prado."
    >>> sorted(span.of(text) for span in SpanishPlaces().find(Page(text)))
    ['Hospital Virgen del Prado', 'Toledo']
    """

    name: str = "es.places"

    def find(self, page: Page) -> Iterator[Span]:
        """Look at words that begin the name of an organisation, at fields and at towns."""
        text, starts = page.text, page.tokens.starts
        read = reading(page, "es")
        for word in page.places.keys() & _INSTITUTIONS.keys():
            for place in page.places[word]:
                end = _institution(read, place)
                if end is not None:
                    yield self._span(starts[place], page.tokens.ends[end - 1], _INSTITUTIONS[word], PROBABLE)
        for found in _COMPANY.finditer(text):
            yield self._span(*found.span(), "organisation", PROBABLE)
        for word in page.places.keys() & _FIELDS.keys():
            for place in page.places[word]:
                yield from self._field(text, starts[place], _FIELDS[word])
        yield from self._towns(read)

    def _span(self, start: int, end: int, label: str, certainty: float) -> Span:
        return Span(start, end, Kind.LOCATION, label, certainty, self.name)

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
        if label == "country" and not names_country(word_list("es"), tokenise(text[first:end])):
            label = "city"
        if label != "city":
            yield self._span(first, end, label, LIKELY)
            return
        for part in re.finditer(r"[^,()/.]*[^\s,()/.]", text[first:end]):
            lead = len(part.group()) - len(part.group().lstrip())
            yield self._span(first + part.start() + lead, first + part.end(), label, LIKELY)

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
        if _in_street(read, first):
            return 0.0
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


def _in_street(read: Reading, first: int) -> bool:
    """Say whether a street begins shortly before, and its number is still to come."""
    for place in range(first - 1, max(-1, first - 7), -1):
        if read.fact(place) & Mark.STREET:
            return True
        if read.fact(place) & NUMBER or read.word(place) in (",", ";", ":"):
            return False
    return False


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
            after = fact & Mark.COUNTRY and fact & CAPITAL and not proper
            if (
                fact & _ENDS_NAME
                and not sort
                and not ((fact & NAMED and fact & CAPITAL and proper == 0) or after)
            ):
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
